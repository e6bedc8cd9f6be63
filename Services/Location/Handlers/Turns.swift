import Primitives
import Synchronization

/// Serializes work for each party, first come, first served.
final class Turns: Sendable {
    /// The callers that wait, by party.
    private let waiting = Mutex<[PartyID: [CheckedContinuation<Void, Never>]]>([:])

    nonisolated(nonsending) func take<Value, Failure: Error>(
        of party: PartyID, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[party] != nil else {
                    waiting[party] = []
                    return true
                }
                waiting[party]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { pass(party) }
        return try await body()
    }

    private func pass(_ party: PartyID) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[party]?.isEmpty == false else {
                waiting[party] = nil
                return nil
            }
            return waiting[party]?.removeFirst()
        }
        next?.resume()
    }
}
