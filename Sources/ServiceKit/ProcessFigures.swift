import Contracts
import Foundation

/// What the system says of this process, from /proc. Figures that it does not give are left out.
enum ProcessFigures {
    static var samples: [ServiceStats.Sample] {
        var samples: [ServiceStats.Sample] = []
        func add(_ name: String, _ kind: String, _ value: Int64) {
            samples.append(.init(name: name, kind: kind, labels: [:], value: value))
        }
        var usage = rusage()
        if getrusage(ownUsage, &usage) == 0 {
            add("process_cpu_seconds_total", "counter", microseconds(usage.ru_utime) + microseconds(usage.ru_stime))
        }
        var files = rlimit()
        if getrlimit(openFiles, &files) == 0 {
            add("process_max_fds", "gauge", Int64(clamping: files.rlim_cur))
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            add("process_open_fds", "gauge", Int64(open))
        }
        return samples
    }

    /// A store's files, and the room that is left beside them.
    static func samples(ofFile path: String) -> [ServiceStats.Sample] {
        var samples: [ServiceStats.Sample] = []
        func add(_ name: String, _ value: Int64) {
            samples.append(.init(name: name, kind: "gauge", labels: [:], value: value))
        }
        for (name, path) in [("store_file_bytes", path), ("store_log_bytes", path + "-wal")] {
            var status = stat()
            if stat(path, &status) == 0 { add(name, Int64(status.st_size)) }
        }
        var disk = statvfs()
        if statvfs(path, &disk) == 0 {
            add("store_free_bytes", Int64(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize)))
        }
        return samples
    }

    /// Memory that the process occupies, from /proc; 0 where there is no /proc.
    static var residentKiB: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    /// RUSAGE_SELF, which Glibc has as another type than the function that wants it.
    private static let ownUsage: Int32 = 0

    /// RLIMIT_NOFILE, likewise.
    private static let openFiles: Int32 = 7

    private static func microseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec) }
}
