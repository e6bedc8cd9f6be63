import LoadReport

/// The one answer about money: a pure function of the evidence. Each check looks for itself; none relies on another.
package enum Verdict {
    package static func reach(_ evidence: Evidence) -> MoneyVerdict {
        let index = IntentIndex(evidence.journal)
        let lines = LedgerLines(evidence, index)
        return MoneyVerdict(checks: [
            LedgerChecks.acknowledgedOnce(evidence, lines),
            LedgerChecks.nothingElseMoved(evidence, lines),
            LedgerChecks.refusedNeverMoved(evidence, lines),
            LedgerChecks.allSettled(evidence, lines),
            LedgerChecks.sumIsZero(evidence),
            LedgerChecks.chainIntact(evidence),
            LedgerChecks.factsMatchEntries(evidence, lines),
            BalanceChecks.balancesMove(evidence, lines),
            BalanceChecks.balancesFollowEntries(evidence),
            PaymentsChecks.receiptsAreTrue(evidence, lines),
            PaymentsChecks.receiptsMatchEntries(evidence, lines, index),
            PaymentsChecks.merchantsTold(evidence, lines),
        ])
    }
}
