import Glibc
import LoadReport
import Primitives

/// Processor time and memory of the set's processes over a run, across restarts. Used by one task at a time.
package struct ProcessWatch {
    private struct Track {
        var id: Int32
        var cpuOfID: Double
        var cpuSpent = 0.0
        var restarts = 0
        var samples: [ProcessSample] = []
        var last: UInt64
    }

    private let table: ProcessTable
    private var tracks: [String: Track] = [:]
    private var ownCPU: Double
    private var ownStart: Double
    private var ownSamples: [ProcessSample] = []
    private var ownLast: UInt64
    private let start: UInt64

    package init(_ table: ProcessTable, start: UInt64) {
        self.table = table
        self.start = start
        ownCPU = Self.ownMicros()
        ownStart = ownCPU
        ownLast = start
        for entry in table.find() {
            tracks[entry.name] = Track(
                id: entry.id, cpuOfID: ProcFile.figures(of: entry.id)?.cpuMicros ?? 0, last: start)
        }
    }

    package var names: [String] { tracks.keys.sorted() }

    package mutating func sample(at now: UInt64) {
        // Looking through all of /proc is worth it only when somebody is missing.
        if tracks.values.contains(where: { !ProcFile.isAlive($0.id) }) { findRestarted() }
        let offset = Double(now - start) / 1e9
        for name in tracks.keys {
            guard var track = tracks[name], let figures = ProcFile.figures(of: track.id) else { continue }
            let spent = max(0, figures.cpuMicros - track.cpuOfID)
            let length = Double(now - track.last) / 1e3
            track.samples.append(
                ProcessSample(
                    offsetSeconds: offset, cores: length > 0 ? spent / length : 0,
                    residentBytes: figures.residentBytes, restarts: track.restarts))
            track.cpuSpent += spent
            track.cpuOfID = figures.cpuMicros
            track.last = now
            tracks[name] = track
        }
        let own = Self.ownMicros()
        let length = Double(now - ownLast) / 1e3
        ownSamples.append(
            ProcessSample(
                offsetSeconds: offset, cores: length > 0 ? (own - ownCPU) / length : 0,
                residentBytes: ProcFile.figures(of: getpid())?.residentBytes ?? 0))
        (ownCPU, ownLast) = (own, now)
    }

    private mutating func findRestarted() {
        for entry in table.find() {
            if let known = tracks[entry.name], known.id == entry.id || ProcFile.isAlive(known.id) { continue }
            var track = tracks[entry.name] ?? Track(id: entry.id, cpuOfID: 0, last: start)
            track.restarts += tracks[entry.name] == nil ? 0 : 1
            track.id = entry.id
            track.cpuOfID = 0
            tracks[entry.name] = track
        }
    }

    /// - Parameter operations: that the set has done while it was watched.
    package func series(operations: Int) -> [ProcessSeries] {
        func each(_ micros: Double) -> Double? { operations > 0 ? micros / Double(operations) : nil }
        let others = tracks.sorted { $0.key < $1.key }.map { name, track in
            ProcessSeries(
                name: name, samples: track.samples, cpuMicrosPerOperation: each(track.cpuSpent),
                maxResidentBytes: track.samples.map(\.residentBytes).max() ?? 0)
        }
        let own = ProcessSeries(
            name: LoadRun.generatorName, samples: ownSamples, cpuMicrosPerOperation: each(ownCPU - ownStart),
            maxResidentBytes: ownSamples.map(\.residentBytes).max() ?? 0)
        return others + [own]
    }

    /// Processor time of the calling thread so far, microseconds.
    package static func threadMicros() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// Processor time of this process so far, microseconds.
    package static func ownMicros() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func micros(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
        return micros(usage.ru_utime) + micros(usage.ru_stime)
    }
}
