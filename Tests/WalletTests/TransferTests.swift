import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService

@Suite("transfers")
struct TransferTests {
    private let alice = Wallet.Holder(party: .alice, role: .customer)
    private let carol = Wallet.Holder(party: .carol, role: .customer)
    private let shop = Wallet.Holder(party: .shop, role: .merchant)

    private func transfer(
        _ operation: UInt64, _ from: Wallet.Holder, _ to: Wallet.Holder, _ amountMinor: Int64, memo: String = "thanks"
    ) -> Wallet.PostTransfer {
        Wallet.PostTransfer(operation: .test(operation), from: from, to: to, amount: Money(amountMinor), memo: memo)
    }

    @Test("001-2, A40, A82: money goes between users, free of charge", arguments: StoreKind.allCases)
    func between(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        try wallet.addCard(.carolCard, of: .carol, number: 2)

        let sent = try wallet.ask(transfer(1, alice, carol, 650), actor: .alice).result
        #expect(sent.from == Wallet.Holder(party: .alice, role: .customer, card: .aliceCard))
        #expect(sent.to == Wallet.Holder(party: .carol, role: .customer, card: .carolCard))
        #expect(sent.balance == Money(1000))
        _ = try wallet.ask(transfer(2, carol, shop, 2300), actor: .carol)
        let back = try wallet.ask(transfer(3, shop, alice, 300), actor: .shop).result
        #expect(back.from == shop)
        #expect(back.balance == Money(2000))
        #expect(try wallet.card().balance == Money(1300))
        #expect(try wallet.card(of: .carol).balance == Money(0))
        #expect(try wallet.ask(transfer(1, alice, carol, 650)).replayed)
        #expect(try wallet.ledger().total == Money(0))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a transfer is read by its operation, by its sender only", arguments: StoreKind.allCases)
    func read(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let sent = try wallet.ask(transfer(1, alice, shop, 650), actor: .alice)
        _ = wallet.fault(of: transfer(2, alice, shop, 100_000), actor: .alice)
        _ = try wallet.ask(wallet.pay(.test(3), 10))
        func read(_ operation: UInt64, by sender: PartyID = .alice) -> Wallet.ReadTransfer {
            Wallet.ReadTransfer(operation: .test(operation), sender: sender)
        }
        let found = try wallet.ask(read(1), actor: .alice)
        #expect(found == Recorded(sent.result, sequence: sent.sequence, replayed: true))
        for other in [read(1, by: .shop), read(2), read(3), read(4)] {
            #expect(wallet.fault(of: other)?.code == .transferNotFound)
        }
        #expect(wallet.fault(of: read(1), actor: .shop)?.code == .forbidden)
    }

    @Test("what a transfer is refused for", arguments: StoreKind.allCases)
    func refusals(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        func code(_ ask: Wallet.PostTransfer, actor: Actor? = nil) -> FaultCode? {
            wallet.fault(of: ask, actor: actor)?.code
        }
        let named = Wallet.Holder(party: .alice, role: .customer, card: .aliceCard)
        let notHers = Wallet.Holder(party: .carol, role: .customer, card: .aliceCard)
        let bakery = Wallet.Holder(party: .bakery, role: .merchant)
        #expect(code(transfer(1, alice, named, 1)) == .selfTransfer)
        #expect(code(transfer(2, shop, shop, 1)) == .selfTransfer)
        #expect(code(transfer(3, alice, carol, 1)) == .noCard)
        #expect(code(transfer(4, notHers, alice, 1)) == .cardNotFound)
        #expect(code(transfer(5, alice, bakery, 1)) == .accountNotFound)
        #expect(code(transfer(6, alice, shop, 1651)) == .insufficientFunds)
        #expect(code(transfer(7, shop, alice, 1)) == .insufficientFunds)
        #expect(code(transfer(8, alice, shop, 0)) == .amountInvalid)
        #expect(code(transfer(9, alice, shop, 1, memo: String(repeating: "x", count: 513))) == .malformed)
        let merchantWithCard = Wallet.Holder(party: .shop, role: .merchant, card: .aliceCard)
        #expect(code(transfer(10, alice, merchantWithCard, 1)) == .malformed)
        #expect(code(transfer(11, alice, shop, 1), actor: .shop) == .forbidden)
        #expect(code(transfer(11, alice, shop, 1), actor: .carol) == .forbidden)
        #expect(code(transfer(11, alice, shop, 1), actor: .administrator) == .forbidden)
        #expect(try wallet.card().balance == Money(1650))
    }
}
