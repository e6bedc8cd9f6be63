import Bus
import Contracts
import Hummingbird
import Primitives
import Wire

/// Tells a merchant who is near, now and whenever that changes (001-3): each event is the whole list, as
/// `GET /v1/customers/nearby` gives it, under the same rules of privacy.
struct NearbyStream: Sendable {
    /// Between two looks, however many come and go.
    static let restTime = Duration.milliseconds(250)

    let open: OpenStream
    let ask: Location.FindCustomers
    let edge: Edge
    let context: AskContext

    func run(_ writer: inout any ResponseBodyWriter) async throws {
        var told: Location.FindCustomers.Reply?
        while true {
            var context = context
            context.deadline = edge.clock.now() + edge.configuration.deadline
            // Where location is away the stream stays, and looks again at the next beat.
            let found = try? await edge.asking.ask(ask, in: context)
            if let found, found != told {
                try await writer.write(ByteBuffer(bytes: EventText.of("nearby", found.json)))
                told = found
            } else {
                try await writer.write(ByteBuffer(bytes: EventText.beat))
            }
            // A beat is a look too: people move within the fence, and grow old.
            if await open.next() == .closed {
                return try await writer.write(ByteBuffer(bytes: EventText.of("closed", Array("{}".utf8))))
            }
            try await Task.sleep(for: Self.restTime)
        }
    }
}
