import Bus
import Contracts
import PaymentsService
import Primitives
import Testing

@Suite("merchants")
struct PayeeTests {
    @Test("are asked for once, and their account is opened once, whoever the actor is")
    func cached() async throws {
        let payments = try PaymentsHarness()
        let merchants = Payees(asking: payments.services)
        for _ in 0..<3 {
            #expect(try await merchants.name(of: .shop, in: payments.context(as: .alice)) == "The Shop")
        }
        #expect(payments.services.asked(Auth.ReadAccount.self).count == 1)
        #expect(payments.services.asked(Wallet.OpenAccount.self) == [Wallet.OpenAccount(merchant: .shop)])
        let contexts = [Auth.ReadAccount.type, Wallet.OpenAccount.type].flatMap { payments.services.contexts(of: $0) }
        #expect(contexts.allSatisfy { $0.actor == nil && $0.correlationID == "touch-1" })
        #expect(try await merchants.name(of: .bakery, in: payments.context()) == "The Bakery")
    }

    @Test("others are refused, and no account is opened for them")
    func others() async throws {
        let payments = try PaymentsHarness()
        let merchants = Payees(asking: payments.services)
        for _ in 0..<2 {
            for party in [PartyID.alice, .nobody] {
                await #expect(throws: Fault(.merchantNotFound)) {
                    try await merchants.name(of: party, in: payments.context())
                }
            }
        }
        // That Alice is no merchant stays so.
        #expect(payments.services.asked(Auth.ReadAccount.self).count == 3)
        #expect(payments.services.asked(Wallet.OpenAccount.self).isEmpty)
    }

    @Test("trouble is passed on and not remembered", arguments: [Auth.ReadAccount.type, Wallet.OpenAccount.type])
    func trouble(type: MessageType) async throws {
        let payments = try PaymentsHarness()
        let merchants = Payees(asking: payments.services)
        payments.services.refuse(type, Fault(.noWorker))
        await #expect(throws: Fault(.noWorker)) { try await merchants.name(of: .shop, in: payments.context()) }
        payments.services.refuse(type, nil)
        #expect(try await merchants.name(of: .shop, in: payments.context()) == "The Shop")
        #expect(payments.wallet.balance(of: .shop) == 0)
    }

    @Test("customers are told from others")
    func customers() async throws {
        let payments = try PaymentsHarness()
        let merchants = Payees(asking: payments.services)
        for (party, isOne) in [(PartyID.alice, true), (.shop, false), (.nobody, false)] {
            #expect(try await merchants.isCustomer(party, in: payments.context()) == isOne)
        }
    }
}
