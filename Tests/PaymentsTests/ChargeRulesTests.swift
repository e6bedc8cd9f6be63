import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("rules of a charge (A50, 001-53)")
struct ChargeRulesTests {
    private func refusal(_ amount: Money, memo: String = "", rules: ChargeRules = ChargeRules()) -> FaultCode? {
        do throws(Fault) {
            try rules.check(amount, memo: memo)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "amounts are at most the maximum",
        arguments: [
            (1, nil), (999_999, nil), (1_000_000, nil), (1_000_001, .amountTooLarge), (.max, .amountTooLarge)
        ] as [(Int64, FaultCode?)])
    func amounts(amountMinor: Int64, expected: FaultCode?) { #expect(refusal(Money(amountMinor)) == expected) }

    @Test("the maximum is a setting", arguments: [(1, 1, nil), (1, 2, .amountTooLarge)] as [(Int64, Int64, FaultCode?)])
    func maximum(maximum: Int64, amountMinor: Int64, expected: FaultCode?) {
        #expect(refusal(Money(amountMinor), rules: ChargeRules(amountMax: maximum)) == expected)
    }

    @Test("one currency, whatever the amount")
    func currency() throws {
        let euro = try #require(Currency("EUR"))
        #expect(refusal(Money(150, euro)) == .currencyMismatch)
        #expect(refusal(Money(0, euro)) == .currencyMismatch)
        #expect(refusal(Money(150, euro), rules: ChargeRules(currency: euro)) == nil)
        #expect(refusal(Money(150), rules: ChargeRules(currency: euro)) == .currencyMismatch)
    }

    @Test(
        "a text holds no control or invisible characters, and nothing that reorders what is around it",
        arguments: [
            ("", nil), ("coffee & cake", nil), ("Käse, 咖啡 👩‍🍳", nil), ("a\0b", .malformed), ("a\nb", .malformed),
            ("a\tb", .malformed), ("a\u{1B}[2J", .malformed), ("a\u{1F}", .malformed), ("a\u{7F}", .malformed),
            ("a\u{80}", .malformed), ("a\u{85}b", .malformed), ("a\u{9F}", .malformed), ("a\u{A0}b", nil),
            ("a\u{202E}b", .malformed), ("a\u{2066}b", .malformed), ("a\u{200B}b", .malformed),
            ("\u{FEFF}a", .malformed)
        ] as [(String, FaultCode?)])
    func controls(memo: String, expected: FaultCode?) { #expect(refusal(Money(1), memo: memo) == expected) }
}
