import Primitives
import Wire

/// The message that tests a web hook.
enum HookTest {
    /// The message's `type`. No fact has it.
    static let type = "notifications.endpoint.tested.v1"

    /// The message's `data`: which web hook was tested, and whose it is.
    static func data(_ endpoint: EndpointID, _ account: PartyID) -> String {
        JSONValue.object([
            .init("endpoint", .string(endpoint.hex)), .init("merchant", .string(account.hex))
        ]).text
    }
}
