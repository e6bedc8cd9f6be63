import Bus
import Contracts
import Hummingbird
import Primitives

/// Tells a merchant who is near, now and whenever that changes: each event is the whole list, as
/// `GET /v1/customers/nearby` gives it, under the same rules of privacy.
struct NearbyStream: Sendable {
    /// Between two looks, however many come and go.
    static let restTime = Duration.milliseconds(250)

    let lease: AccountStreams.Lease
    let ask: Location.FindCustomers
    let asking: any Asking
    let clock: WallClock
    let context: AskContext
    let patience: Duration

    func write(to writer: (ByteBuffer) async throws -> Void) async throws {
        var sent: Location.FindCustomers.Reply?
        try await look(&sent, writer)
        try await lease.stream.run { signal in
            if signal == .end { return try await writer(ByteBuffer(bytes: EventText.closed)) }
            // A heartbeat is a look too: people move within the fence, and grow old.
            try await look(&sent, writer)
            try await Task.sleep(for: Self.restTime)
        }
    }

    private func look(
        _ sent: inout Location.FindCustomers.Reply?, _ writer: (ByteBuffer) async throws -> Void
    ) async throws {
        var context = context
        context.deadline = clock.now() + patience
        // The stream stays open while location does not answer, and asks again at its next turn.
        guard let found = try? await asking.ask(ask, in: context), found != sent else {
            return try await writer(ByteBuffer(bytes: EventText.heartbeat))
        }
        try await writer(ByteBuffer(bytes: EventText.of("nearby", found.json)))
        sent = found
    }
}
