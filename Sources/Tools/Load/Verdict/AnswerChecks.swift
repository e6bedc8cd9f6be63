import Audit
import Checks
import Contracts
import Primitives

/// What the verdict asks about answers: about refusals, and about what is said when an ask is made again.
enum AnswerChecks {
    /// How long a pay code may be used, and a requested charge approved: a slower operation may be refused.
    private static let codeMilliseconds: UInt32 = 60_000
    private static let chargeMilliseconds: UInt32 = 300_000

    /// A set that refuses what it should do loses no money, and is wrong all the same.
    static func refusedForAReason(_ evidence: Evidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "refused_for_a_reason",
            "Something was paid, and the run gave a reason for each refusal: too little on the card, or a code or charge "
                + "past its time")
        // The least that each card can have had: all that it paid is taken, nothing that it got has come yet.
        var least: [Int: Int64] = [:]
        for pair in evidence.cardBalances { least[pair.number] = pair.before }
        var (asked, paid) = (0, 0)
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard let kind = intent.kind, !intent.isAside else { continue }
            asked += 1
            if intent.outcome == .acknowledged { paid += 1 }
            if intent.outcome != .refused, kind.debitsCard {
                least[Int(intent.card), default: 0] -= Int64(intent.amount)
            }
        }
        if asked > 0, paid == 0 { findings.add("of \(asked) payments that were asked for not one was made") }
        for number in 0..<evidence.journal.count {
            let intent = evidence.journal[number]
            guard intent.outcome == .refused else { continue }
            findings.examined += 1
            let code = evidence.codes.code(intent.code)
            switch code {
            case FaultCode.codeExpired.code where intent.refusedAfter >= codeMilliseconds: continue
            case FaultCode.chargeExpired.code where intent.refusedAfter >= chargeMilliseconds: continue
            case FaultCode.insufficientFunds.code where intent.kind?.debitsCard == true:
                // Others may spend from the same cards in a shared set.
                let had = least[Int(intent.card)] ?? 0
                let hadEnough = had >= Int64(intent.amount)
                if evidence.isSharedSet || !hadEnough && !intent.wasCovered { continue }
                findings.add(
                    "\(LedgerChecks.name(number, intent)) was refused (\(code)): \(dollars(Int64(intent.amount))) from card "
                        + "#\(intent.card), which had "
                        + (hadEnough ? "\(dollars(had)) at least" : "enough for all that was asked of it until then"))
            default:
                findings.add(
                    "\(LedgerChecks.name(number, intent)) was refused (\(code)), for which there was no reason")
            }
        }
        return findings.check
    }

    /// The promise that a client relies on when an answer is lost.
    static func askedAgain(_ evidence: Evidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "asked_again",
            "What was acknowledged is answered as before when it is asked again under its key, and another amount is "
                + "refused (\(evidence.repeats.count), by chance)")
        for again in evidence.repeats {
            findings.examined += 1
            let intent = evidence.journal[again.answer.intent]
            let what = LedgerChecks.name(again.answer.intent, intent)
            if let refusal = again.answer.refusal {
                findings.add("\(what) was acknowledged, and is refused when it is asked again: \(refusal)")
            } else {
                if !again.isReplay { findings.add("\(what), asked again, was done again") }
                if let differs = differs(again.answer, from: intent) {
                    findings.add("\(what), asked again, is answered otherwise: \(differs)")
                }
            }
            if let entry = again.otherAmount {
                findings.add("under the key of \(what) another amount was taken, as entry \(entry)")
            }
        }
        return findings.check
    }

    /// What a receipt says otherwise than the one that was handed out; nil when nothing.
    static func differs(_ receipt: ReceiptRead, from intent: Intent) -> String? {
        var parts: [(name: String, said: String, before: String)] = [
            ("amount", dollars(receipt.amount), dollars(Int64(intent.amount))),
            ("card", "\(receipt.card)", "\(AccountRef.card(Int(intent.card)))"),
            (
                intent.kind == .transfer ? "receiver" : "merchant", "\(receipt.merchant)",
                "\(intent.otherAccount)"
            ), ("entry", "\(receipt.entry)", "\(intent.entry)")
        ]
        if intent.kind == .refund || intent.showsBalance {
            let name = intent.kind == .refund ? "refunded in all" : "balance"
            parts.append((name, dollars(receipt.cardBalance), dollars(intent.cardBalance)))
        }
        let wrong = parts.filter { $0.said != $0.before }
        return wrong.isEmpty
            ? nil : wrong.map { "\($0.name) \($0.said), handed out as \($0.before)" }.joined(separator: "; ")
    }
}

extension Intent {
    private static let codes = ScenarioList.names.firstIndex(of: CodeScenario().name).map(UInt8.init)

    /// Whether its receipt says what is left: that of a refund does not, nor does the merchant's of a pay code.
    var showsBalance: Bool { kind != .refund && scenario != Self.codes }
}
