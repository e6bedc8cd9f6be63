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
        let maps = ProcFile.read("/proc/self/maps") ?? []
        return maps.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // 55d0a2e00000-55d0a4382000 r-xp 00000000 fe:00 16384006    /usr/bin/billfold-wallet
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8), fields[5].first == UInt8(ascii: "/")
            else { return nil }
            let ends = fields[0].split(separator: UInt8(ascii: "-")).compactMap {
                UInt(String(decoding: $0, as: UTF8.self), radix: 16)
            }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
