import CLinux
import Glibc
import Primitives

/// Gives back to the system what only the start needed: what is free of the heap (schemas, documents, facts caught up
/// with), and the pages of program and libraries, of which tables of relocations and code that runs once are the most.
/// What is used again is found in the page cache, 16 pages at a time.
func giveBackStart() {
    _ = malloc_trim(0)
    // Pages that are executed are never written, so that nothing is lost with them.
    for mapping in StartPages.executable {
        _ = madvise(UnsafeMutableRawPointer(bitPattern: mapping.lowerBound), mapping.count, MADV_DONTNEED)
    }
}

private enum StartPages {
    /// Addresses of what is executed from files; nothing where they cannot be read.
    static var executable: [Range<UInt>] {
        let maps = String(decoding: ProcFile.read("/proc/self/maps") ?? [], as: UTF8.self)
        return maps.split(separator: "\n").compactMap { line in
            // 55d0a2e00000-55d0a4382000 r-xp 00000000 fe:00 16384006    /usr/bin/billfold-wallet
            let fields = line.split(separator: " ")
            guard fields.count == 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
