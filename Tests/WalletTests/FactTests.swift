import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService
import Wire

@Suite("facts")
struct FactTests {
    private func someFacts(_ kind: StoreKind) throws -> WalletHarness {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        for payment in 1...11 { _ = wallet.fault(of: wallet.pay(.test(UInt64(payment)), 170, memo: "\"é\"")) }
        _ = try wallet.ask(Wallet.ClosePayment(payment: .test(50), reason: .expired))
        _ = try wallet.ask(
            Wallet.PlaceHold(
                hold: .test(60), customer: .alice, card: nil, merchant: .shop, amount: Money(10),
                expires: WalletHarness.start + .seconds(1)))
        wallet.clock.advance(.seconds(2))
        _ = wallet.answering.expireHolds()
        return wallet
    }

    @Test("facts read later are those published, byte for byte, without a gap", arguments: StoreKind.allCases)
    func sameBytes(kind: StoreKind) throws {
        let wallet = try someFacts(kind)
        let published = wallet.facts.all
        let page = try wallet.facts()

        #expect(page.facts.map(\.bytes) == published.map(\.envelope))
        #expect(page.head == Int64(published.count))
        for (index, fact) in published.enumerated() {
            let envelope = try Envelope(json: fact.envelope)
            #expect(envelope.sequence == Int64(index + 1))
            #expect(envelope.id == "wallet-\(index + 1)")
            #expect(envelope.source == "wallet")
            #expect(envelope.type == fact.type)
        }
        #expect(Set(wallet.facts.types).isSuperset(of: [Wallet.HoldExpired.type.name, Wallet.PaymentClosed.type.name]))
    }

    @Test("a fact carries on correlation, cause and trace", arguments: StoreKind.allCases)
    func attributes(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        _ = try wallet.ask(wallet.pay(.test(1), 150), traceparent: traceparent)
        _ = try wallet.ask(wallet.pay(.test(2), 150), traceparent: "00-nonsense")

        let facts = try wallet.facts.all.suffix(2).map { try Envelope(json: $0.envelope) }
        #expect(facts[0].correlationID == "all-of-it")
        #expect(facts[0].causationID == "ask-3")
        let trace = try #require(facts[0].traceparent)
        #expect(trace.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
        #expect(trace.hasSuffix("-01"))
        #expect(trace.count == 55 && trace != traceparent)
        #expect(facts[1].traceparent == nil)
        #expect(facts[0].time == wallet.clock.now)
    }

    @Test("a page has a limit in facts and in bytes", arguments: StoreKind.allCases)
    func paging(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let memo = String(repeating: "\"", count: 512)
        _ = wallet.batch((1...60).map { wallet.inbound(wallet.pay(.test($0), 1, memo: memo)) })

        #expect(try wallet.facts(limit: 3).facts.count == 3)
        var after: Int64 = 0
        var read: [[UInt8]] = []
        while true {
            let page = try wallet.facts(after: after)
            if page.facts.isEmpty { break }
            let bytes = page.json.count
            #expect(bytes <= Envelope.bytesMax - 1024)
            #expect(page.facts.count < 60)
            read += page.facts.map(\.bytes)
            after += Int64(page.facts.count)
        }
        #expect(read == wallet.facts.all.map(\.envelope))
    }

    @Test("a foreign asker's long attributes are not carried on")
    func longAttributes() throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        let long = String(repeating: "x", count: 60_000)
        let ask = Envelope(
            id: "1", source: "test", type: Wallet.PostPayment.type.name, correlationID: long,
            data: wallet.pay(.test(1), 150).json)
        _ = wallet.batch([Inbound(envelope: ask, deadline: nil)])
        let fact = try Envelope(json: try #require(wallet.facts.all.last).envelope)
        #expect(fact.correlationID == nil)
        #expect(fact.causationID == "1")
    }

    @Test("A83: time does not go back where the clock is set back a little", arguments: StoreKind.allCases)
    func time(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        wallet.clock.jump(.seconds(-20))
        #expect(try wallet.ask(wallet.pay(.test(1), 150)).result.time == WalletHarness.start)
        wallet.clock.jump(.seconds(21))
        #expect(try wallet.ask(wallet.pay(.test(2), 150)).result.time == WalletHarness.start + .seconds(1))
        #expect(try wallet.problems().isEmpty)
    }
}
