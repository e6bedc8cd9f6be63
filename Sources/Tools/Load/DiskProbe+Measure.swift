import Bus
import Glibc
import LoadReport
import Primitives

extension DiskProbe {
    /// How fast the disk makes 4 KiB durable, 100 times: figures of shared machines mean little without it. Nil where
    /// nothing can be written.
    package static func measure(in directory: String) -> DiskProbe? {
        let path = "\(directory)/load-probe-\(getpid())"
        let file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer {
            close(file)
            unlink(path)
        }
        var page = [UInt8](repeating: 1, count: 4096)
        var tally = Tally()
        for index in 0..<100 {
            page[0] = UInt8(truncatingIfNeeded: index)
            pwrite(file, page, page.count, off_t(index % 64) * 4096)
            let start = monotonicNanoseconds()
            fdatasync(file)
            tally.answered(nanoseconds: monotonicNanoseconds() - start)
        }
        let summary = tally.summary
        return DiskProbe(p50Micros: summary.p50Micros, p99Micros: summary.p99Micros, maxMicros: summary.maxMicros)
    }
}

extension LoadMachine {
    package static func read() -> LoadMachine {
        func value(_ file: String, _ key: String) -> String {
            let text = String(decoding: ProcFile.read(file) ?? [], as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
            return line?.split(separator: ":").last.map { String($0.drop { $0 == " " || $0 == "\t" }) } ?? ""
        }
        let memory = value("/proc/meminfo", "MemTotal").split(separator: " ").first.flatMap { Int64($0) } ?? 0
        var release = String(decoding: ProcFile.read("/proc/sys/kernel/osrelease") ?? [], as: UTF8.self)
        if release.hasSuffix("\n") { release.removeLast() }
        return LoadMachine(
            cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)), cpuModel: value("/proc/cpuinfo", "model name"),
            kernel: release, memoryBytes: memory * 1024)
    }
}
