import Bus
import Contracts
import HTTPClient
import Primitives
import Wire

/// The operator's word for a merchant whom these commands have registered: over the bus, as a service gives it.
enum OperatorsApproval {
    /// Approves the merchant whose account an answer of the gateway shows, if it waits for that.
    ///
    /// - Returns: whether it did.
    static func give(toPending account: JSONValue, over connection: BusOptions) async throws -> Bool {
        guard account["status"] == "pending" else { return false }
        guard case .string(let text)? = account["account"], let merchant = PartyID(text) else {
            throw HTTPClient.Failure("the merchant's account cannot be read")
        }
        let (reactor, bus) = try connection.open()
        let refusal: Fault?
        do throws(Fault) {
            let ask = Auth.DecideMerchant(merchant: merchant, approved: true, reason: nil)
            _ = try await bus.ask(ask, in: connection.context(bus))
            refusal = nil
        } catch {
            refusal = error
        }
        await reactor.stop()
        if let refusal { throw HTTPClient.Failure("the merchant could not be approved: \(refusal.code.title)") }
        return true
    }
}
