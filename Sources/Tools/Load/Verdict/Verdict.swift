import Checks

/// The one answer about money, and about walks, coupons, orders and event streams where there were any: a pure function
/// of the evidence. Each check looks for itself; none relies on another.
package enum Verdict {
    package static func reach(_ evidence: Evidence) -> MoneyVerdict {
        let index = IntentIndex(evidence.journal)
        let lines = LedgerLines(evidence, index)
        let money = [
            LedgerChecks.acknowledgedOnce(evidence, lines),
            LedgerChecks.nothingElseMoved(evidence, lines),
            LedgerChecks.refusedNeverMoved(evidence, lines),
            AnswerChecks.refusedForAReason(evidence),
            LedgerChecks.allSettled(evidence, lines),
            AnswerChecks.askedAgain(evidence),
            LedgerChecks.sumIsZero(evidence),
            LedgerChecks.chainIntact(evidence),
            LedgerChecks.factsMatchEntries(evidence, lines),
            BalanceChecks.balancesMove(evidence, lines),
            BalanceChecks.balancesFollowEntries(evidence),
            PaymentsChecks.receiptsAreTrue(evidence, lines),
            PaymentsChecks.receiptsMatchEntries(evidence, lines, index),
            PaymentsChecks.receiptsCanBeRead(evidence),
            PaymentsChecks.notifiedMerchants(evidence, lines, index)
        ]
        let refunds = evidence.refunds.map { RefundChecks.all(evidence, $0, lines) } ?? []
        let walks = evidence.walks.map { WalkChecks.all(evidence, $0) } ?? []
        let coupons = evidence.coupons.map { CouponChecks.all(evidence, $0) } ?? []
        let orders = evidence.orders.map { [OrderChecks.paidOnce(evidence, $0, index)] } ?? []
        let streams = evidence.streams.map { [StreamChecks.told(evidence, $0)] } ?? []
        return MoneyVerdict(checks: money + refunds + walks + coupons + orders + streams)
    }

    /// When the evidence cannot be read, nothing is proved. What the wallet's earlier check of its own chain found is
    /// reported all the same; that it broke off is no finding.
    package static func unproved(_ why: any Error, _ evidence: Evidence) -> MoneyVerdict {
        let unread = MoneyVerdict.Check(
            name: MoneyVerdict.readBack, statement: "The ledger, the receipts and the notices could be read back",
            passed: false, examined: 0, findings: ["they could not: \(why)"])
        let verification = evidence.verification
        let expected = evidence.after.entries - verification.fromEntry
        let isWhole = verification.checked > 0 && verification.checked >= expected
        let isVerified = isWhole || !verification.problems.isEmpty
        return MoneyVerdict(checks: isVerified ? [unread, LedgerChecks.chainIntact(evidence)] : [unread])
    }
}
