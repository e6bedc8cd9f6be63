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
        var displaced: Int64 = 0
        var refused: Int64 = 0
    }

    let proxies: TrustedProxies
    private let state: Mutex<State>
    /// Bytes of requests that are not answered yet, beyond what each connection has for itself.
    private let held = Atomic(0)
    /// All that were ever held since memory was given back.
    private let heldSince = Atomic(0)
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
        guard held.add(bytes, ordering: .relaxed).newValue <= heldMax else {
            held.subtract(bytes, ordering: .relaxed)
            return false
        }
        heldSince.add(bytes, ordering: .relaxed)
        return true
    }

    func release(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }

    private static let (countPeakMin, heldSinceMin) = (256, 4 << 20)

    /// Gives memory back to the system once a peak has passed: the allocator would keep it. To be called every second.
    func tick() {
        let (held, since) = (held.load(ordering: .relaxed), heldSince.load(ordering: .relaxed))
        let hasPassed = state.withLock { state in
            let count = state.table.count
            guard
                state.countPeak >= Self.countPeakMin && count <= state.countPeak / 2
                    || since >= Self.heldSinceMin && held <= since / 2
            else { return false }
            state.countPeak = count
            return true
        }
        guard hasPassed else { return }
        heldSince.subtract(since, ordering: .relaxed)
        _ = malloc_trim(0)
    }
}
