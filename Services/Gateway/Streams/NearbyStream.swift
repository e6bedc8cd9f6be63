import Bus
import Contracts
import NIOCore
import Primitives
import Synchronization

/// Tells a merchant who is near, now and whenever that changes: each event is the whole list, as
/// `GET /v1/customers/nearby` gives it, under the same rules of privacy.
final class NearbyStream: EventFeed {
    /// Between two looks, however many come and go.
    static let restTime = Duration.milliseconds(250)

    private let lease: AccountStreams.Lease
    private let ask: Location.FindCustomers
    private let asking: any Asking
    private let clock: WallClock
    private let context: AskContext
    private let patience: Duration
    private let sent = Mutex<Location.FindCustomers.Reply?>(nil)
    private let hasBegun = Mutex(false)

    init(
        _ lease: AccountStreams.Lease, ask: Location.FindCustomers, asking: any Asking, clock: WallClock,
        context: AskContext, patience: Duration
    ) {
        self.lease = lease
        self.ask = ask
        self.asking = asking
        self.clock = clock
        self.context = context
        self.patience = patience
    }

    func whenDue(_ wake: @escaping @Sendable () -> Void) { lease.stream.whenDue(wake) }

    func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { try await look(write) }
        while let (signal, _) = lease.stream.take() {
            if signal == .end {
                try await write(EventText.closed)
                return false
            }
            // A heartbeat is a look too: people move within the fence, and grow old.
            try await look(write)
            try await Task.sleep(for: Self.restTime)
        }
        return true
    }

    private func look(_ write: (ByteBuffer) async throws -> Void) async throws {
        var context = context
        context.deadline = clock.now() + patience
        guard let found = await found(in: context), found != sent.withLock(\.self) else {
            return try await write(EventText.heartbeat)
        }
        try await write(ByteBuffer(bytes: EventText.of("nearby", found.json)))
        sent.withLock { $0 = found }
    }

    /// Nil while location does not answer: the stream stays open, and asks again at its next turn.
    private func found(in context: AskContext) async -> Location.FindCustomers.Reply? {
        do throws(Fault) { return try await asking.ask(ask, in: context) } catch {
            // At a place that was removed meanwhile nobody is near.
            return error.code == .placeNotFound ? .init(customers: [], total: 0, next: nil) : nil
        }
    }
}
