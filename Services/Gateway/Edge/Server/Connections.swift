import CLinux
import Contracts
import NIOCore
import Synchronization

/// The connections of a server, over all its event loops.
final class Connections: Sendable {
    private struct State {
        var table: ConnectionTable
        /// The most since memory was given back.
        var countPeak = 0
        var heldPeak = 0
        var displaced: Int64 = 0
        var refused: Int64 = 0
    }

    let proxies: TrustedProxies
    private let state: Mutex<State>
    /// Bytes of requests that are not answered yet, beyond what each connection has for itself.
    private let held = Atomic(0)
    private let heldMax: Int

    init(_ configuration: EdgeServer.Configuration) {
        proxies = configuration.proxies
        heldMax = configuration.heldBytesMax
        state = Mutex(
            State(
                table: ConnectionTable(
                    countMax: configuration.connectionsMax, perClientMax: configuration.connectionsPerClientMax)))
    }

    /// Whether the connection has a place; others are told to close for it if need be.
    func admit(_ use: ConnectionUse, from peer: IPAddress?, at now: NIODeadline) -> Bool {
        // A proxy's connections are many clients', and this machine's are its own tools' and proxies'.
        let client = peer.flatMap { $0.isLoopback || proxies.contains($0) ? nil : $0.client }
        let decision = state.withLock { state in
            let decision = state.table.admit(use, of: client, at: now.uptimeNanoseconds)
            state.countPeak = max(state.countPeak, state.table.count)
            switch decision {
            case .admitted(let closing): state.displaced += Int64(closing.count)
            case .refused: state.refused += 1
            }
            return decision
        }
        guard case .admitted(let closing) = decision else { return false }
        for use in closing { use.leave() }
        return true
    }

    func stays(_ use: ConnectionUse) { state.withLock { $0.table.stays(use) } }

    var samples: [ServiceStats.Sample] {
        let (count, displaced, refused) = state.withLock { ($0.table.count, $0.displaced, $0.refused) }
        return [
            .init(name: "http_connections", kind: "gauge", labels: [:], value: Int64(count)),
            .init(name: "http_connections_displaced_total", kind: "counter", labels: [:], value: displaced),
            .init(name: "http_connections_refused_total", kind: "counter", labels: [:], value: refused)
        ]
    }

    func closed(_ use: ConnectionUse) { state.withLock { $0.table.closed(use) } }

    /// Whether so many bytes more of requests may be kept.
    func hold(_ bytes: Int) -> Bool {
        let (before, after) = held.add(bytes, ordering: .relaxed)
        guard after > heldMax else { return true }
        // As after an earlier peak: the one that is over it only gives back its own.
        held.subtract(after - before, ordering: .relaxed)
        return false
    }

    func release(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }

    private static let (countPeakMin, heldPeakMin) = (256, 4 << 20)

    /// Gives memory back to the system once a peak has passed: the allocator would keep it. To be called every second.
    func tick() {
        let held = held.load(ordering: .relaxed)
        let hasPassed = state.withLock { state in
            let count = state.table.count
            state.heldPeak = max(state.heldPeak, held)
            guard
                state.countPeak >= Self.countPeakMin && count <= state.countPeak / 2
                    || state.heldPeak >= Self.heldPeakMin && held <= state.heldPeak / 2
            else { return false }
            (state.countPeak, state.heldPeak) = (count, held)
            return true
        }
        if hasPassed { _ = malloc_trim(0) }
    }
}
