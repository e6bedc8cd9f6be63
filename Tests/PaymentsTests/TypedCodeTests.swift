import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("codes that are typed")
struct TypedCodeTests {
    @Test("ten characters of an alphabet without look-alikes")
    func form() throws {
        let code = try #require(TypedCode(random: (0..<32).map { UInt8($0 * 7) }))
        #expect(code.text.count == 10)
        #expect(code.text.allSatisfy { !"01OIL".contains($0) })
        #expect(TypedCode(random: [UInt8](repeating: 255, count: 32)) == nil)
    }

    @Test("typed in small letters, with spaces and hyphens, it is the same")
    func spelling() throws {
        let code = try #require(TypedCode(random: (1..<33).map { UInt8($0 * 5) }))
        let half = code.text.index(code.text.startIndex, offsetBy: 5)
        let spelled = " \(code.text[..<half].lowercased()) - \(code.text[half...]) "
        #expect(TypedCode(typed: spelled) == code)
        #expect(TypedCode(typed: "") == nil)
        #expect(TypedCode(typed: code.text + "2") == nil)
        #expect(TypedCode(typed: String(code.text.dropLast())) == nil)
        #expect(TypedCode(typed: String(repeating: " ", count: 1000) + code.text) == nil)
    }

    @Test("every wrong character and every exchange of two is found")
    func check() throws {
        let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")
        for seed in 0..<20 {
            let text = Array(try #require(TypedCode(random: (0..<32).map { UInt8(($0 * 11 + seed * 37) % 248) })).text)
            for place in text.indices {
                for other in alphabet where other != text[place] {
                    var wrong = text
                    wrong[place] = other
                    #expect(TypedCode(typed: String(wrong)) == nil)
                }
                for second in text.indices where text[second] != text[place] {
                    var wrong = text
                    wrong.swapAt(place, second)
                    #expect(TypedCode(typed: String(wrong)) == nil)
                }
            }
        }
    }

    private func redeem(_ code: String, attempt: UInt64 = 1, by merchant: PartyID = .shop) -> Payments.RedeemCode {
        Payments.RedeemCode(
            attempt: .test(attempt), code: code, merchant: merchant, amount: Money(150), memo: "coffee")
    }

    private func issue(_ payments: PaymentsHarness) async throws -> Payments.IssueCode.Reply {
        try await payments.ask(Payments.IssueCode(customer: .alice, card: nil, typed: true), as: .alice)
    }

    @Test("it pays once, as the code in the picture does: the two are one", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        let issued = try await issue(payments)
        let typed = try #require(issued.typed)
        let paid = try await payments.ask(redeem(typed.lowercased()), as: .shop)
        #expect(paid.receipt.customer == .alice && paid.receipt.card == .aliceCard)
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
        let again = try await payments.ask(redeem(typed), as: .shop)
        #expect(again.replayed && again.receipt == paid.receipt)
        for code in [typed, issued.code] {
            #expect(await payments.refusal(of: redeem(code, attempt: 2), as: .shop) == .codeUsed)
        }
    }

    @Test("it lives as long as the code; a repeat is answered later too")
    func life() async throws {
        let payments = try PaymentsHarness()
        let (used, late) = (try await issue(payments), try await issue(payments))
        let paid = try await payments.ask(redeem(try #require(used.typed)), as: .shop)
        payments.clock.advance(.seconds(60))
        #expect(await payments.refusal(of: redeem(try #require(late.typed), attempt: 2), as: .shop) == .codeExpired)
        try await payments.deliverNews()
        #expect(try await payments.ask(redeem(try #require(used.typed)), as: .shop).receipt == paid.receipt)
        // A day after its end it is forgotten, by the time of another payment.
        payments.clock.advance(.seconds(86_401))
        try await payments.ask(redeem(try await issue(payments).code, attempt: 4), as: .shop)
        try await payments.deliverNews()
        #expect(await payments.refusal(of: redeem(try #require(late.typed), attempt: 3), as: .shop) == .codeInvalid)
    }

    @Test("none is made unless it is wanted")
    func unwanted() async throws {
        let payments = try PaymentsHarness()
        let plain = try await payments.ask(Payments.IssueCode(customer: .alice, card: nil), as: .alice)
        #expect(plain.typed == nil)
    }

    @Test("guesses are limited by merchant; slips of the finger are none")
    func guesses() async throws {
        var rules = ChargeRules()
        rules.guessesPerMinute = 3
        let payments = try PaymentsHarness(rules: rules)
        let real = try #require(try await issue(payments).typed)
        let wrong = try (1...4).map { (seed: Int) in
            let random: [UInt8] = (0..<32).map { (place: Int) in UInt8((place * 13 + seed * 29) % 248) }
            return try #require(TypedCode(random: random)).text
        }
        for _ in 0..<10 { #expect(await payments.refusal(of: redeem("2222222223"), as: .shop) == .codeInvalid) }
        for code in wrong.prefix(3) { #expect(await payments.refusal(of: redeem(code), as: .shop) == .codeInvalid) }
        #expect(await payments.refusal(of: redeem(wrong[3]), as: .shop) == .tooManyGuesses)
        // The right one has to wait too: otherwise guessing went on.
        #expect(await payments.refusal(of: redeem(real), as: .shop) == .tooManyGuesses)
        #expect(await payments.refusal(of: redeem(wrong[3], by: .bakery), as: .bakery) == .codeInvalid)
        payments.clock.advance(.seconds(20))
        let paid = try await payments.ask(redeem(real), as: .shop)
        for code in wrong { _ = await payments.refusal(of: redeem(code, attempt: 2), as: .shop) }
        #expect(await payments.refusal(of: redeem(real, attempt: 2), as: .shop) == .tooManyGuesses)
        // A repeat of what was let through guesses nothing.
        #expect(try await payments.ask(redeem(real), as: .shop).receipt == paid.receipt)
    }
}
