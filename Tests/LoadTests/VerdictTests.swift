import Audit
import Checks
import Load
import Primitives
import Testing

/// Each kind of corruption is found by the check that is there for it, and named.
@Suite struct VerdictTests {
    @Test func aRightRunPasses() {
        let verdict = World().verdict
        #expect(verdict.passed)
        #expect(verdict.checks.count == 15)
        #expect(Set(verdict.checks.map(\.name)).count == 15)
        for check in verdict.checks { #expect(check.examined > 0, "\(check.name) looked at nothing") }
    }

    @Test func aRunWithoutAnythingCheckedProvesNothing() {
        let verdict = MoneyVerdict(checks: [])
        #expect(!verdict.passed)
        #expect(verdict.headline == "The money was not checked")
    }

    // MARK: The ledger

    @Test func aPaymentCapturedTwiceIsNamed() {
        var world = World()
        let second = ChargeID(high: 9, low: 9)
        world.move(second, card: World.card(4), merchant: World.merchant(4), amount: World.amount(4), memo: 4)
        #expect(world.failed.contains("acknowledged_once") && world.failed.contains("nothing_else_moved"))
        #expect(world.failed.contains("balances_add_up"))
        #expect(
            world.findings("acknowledged_once").contains(
                "charge \(World.charge(4).hex) (operation 4) captured twice: entries 105 and 112"))
        #expect(
            world.findings("nothing_else_moved").contains(
                "entry 112 moved $0.14 from card #1 to merchant #0 under \(second.hex)"))
    }

    @Test func oneChargeIDWithTwoEntriesIsNamed() {
        var world = World()
        world.move(World.charge(4), card: 1, merchant: 0, amount: 14, memo: 4)
        #expect(world.findings("acknowledged_once").contains("captured twice: entries 105 and 112"))
        #expect(world.failed.contains("receipts_match_entries"))
    }

    @Test func anAcknowledgedPaymentThatIsNotThereIsNamed() {
        let world = World()
        var intent = Intent()
        intent.charge = ChargeID(high: 5, low: 5)
        intent.amount = 3
        intent.outcome = .acknowledged
        intent.entry = 999
        world.evidence.journal.append(intent)
        #expect(
            world.findings("acknowledged_once").contains(
                "charge \(intent.charge.hex) (operation 12) was acknowledged with entry 999 and is not in the ledger"))
        #expect(world.failed.contains("receipts_are_true") && world.failed.contains("balances_add_up"))
    }

    @Test func aWrongAmountIsNamed() {
        let world = World()
        // Everyone agrees, but for what was asked.
        world.evidence.journal[3].amount += 1
        #expect(
            world.findings("acknowledged_once").contains(
                "captured with the wrong amount: entry 104 moves $0.13 instead of $0.14"))
        #expect(world.failed.contains("balances_add_up") && !world.failed.contains("sum_is_zero"))
        #expect(
            world.findings("balances_add_up").contains(
                "all merchants together changed by $1.45, what was acknowledged makes $1.46"))
    }

    @Test func aWrongMerchantIsNamed() {
        let world = World()
        world.evidence.journal[3].merchant = 0
        #expect(
            world.findings("acknowledged_once").contains(
                "went to the wrong account: entry 104 gives it to merchant #1, not merchant #0"))
    }

    @Test func aWrongCardIsNamed() {
        let world = World()
        world.evidence.journal[3].card = 2
        #expect(
            world.findings("acknowledged_once").contains(
                "taken from the wrong account: entry 104 takes it from card #0, not card #2"))
    }

    @Test func aMovementThatNobodyAskedForIsNamed() {
        var world = World()
        world.move(ChargeID(high: 7, low: 7), card: 2, merchant: 1, amount: 33, memo: nil)
        #expect(
            world.findings("nothing_else_moved").contains(
                "entry 112 moved $0.33 from card #2 to merchant #1 under \(ChargeID(high: 7, low: 7).hex), which this run did not ask for"
            ))
        #expect(!world.failed.contains("acknowledged_once"))
        world.evidence.isSharedSet = true
        #expect(world.failed.contains("nothing_else_moved"), "tolerated are strangers, not the run's own people")
    }

    @Test func anEntryThatNobodyHasIsNamed() {
        var world = World()
        world.evidence.after.entries += 1
        #expect(
            world.findings("nothing_else_moved").contains(
                "entry 112 is in the ledger's count, but no account in play has it"))
    }

    @Test func strangersAreToleratedInASharedSetOnly() {
        var world = World()
        let stranger = CardID(high: 1, low: 2)
        world.evidence.after.entries += 1
        world.evidence.verification.checked += 1
        world.evidence.movements.append(
            Movement(
                sequence: 300, entry: 112, kind: .reload, operation: ChargeID(high: 1, low: 1), from: .ledger,
                to: .strangerCard(stranger), amount: 5, cardBalance: 5, memoNumber: nil))
        #expect(world.failed == ["nothing_else_moved"])
        world.evidence.isSharedSet = true
        #expect(world.failed.isEmpty)
    }

    @Test func aPaymentOfARefusedAskIsNamed() {
        var world = World()
        world.move(World.charge(10), card: 1, merchant: 0, amount: 20, memo: 10)
        #expect(
            world.findings("refused_never_moved").contains(
                "(operation 10) was refused (wallet.insufficient_funds), and yet entry 112 moved $0.20"))
    }

    /// Over HTTP a refusal tells no charge id: the memo links the entry.
    @Test func aPaymentOfARefusedAskIsFoundByItsMemo() {
        var world = World()
        world.evidence.journal[10].charge = ChargeID(high: 0, low: 0)
        world.move(ChargeID(high: 3, low: 4), card: 1, merchant: 0, amount: 20, memo: 10)
        #expect(world.findings("refused_never_moved").contains("operation 10 was refused"))
    }

    @Test func aRefusalWithoutAReasonIsNamed() {
        let world = World()
        world.evidence.journal[10].amount = 20
        #expect(world.failed == ["refused_for_a_reason"])
        #expect(
            world.findings("refused_for_a_reason").contains(
                "(operation 10) was refused (wallet.insufficient_funds): $0.20 from card #1, which had $9.58 at least"))
        world.evidence.journal[10].amount = 5000
        #expect(world.failed.isEmpty)
        world.evidence.journal[10].wasCovered = true
        #expect(
            world.findings("refused_for_a_reason").contains(
                "$50.00 from card #1, which had enough for all that was asked of it until then"))
        world.evidence.journal[10].code = world.evidence.codes.number(of: "bus.forbidden")
        #expect(
            world.findings("refused_for_a_reason").contains(
                "was refused (bus.forbidden), for which there was no reason"))
        // One that was slower than a pay code lives.
        world.evidence.journal[10].code = world.evidence.codes.number(of: "payments.code_expired")
        #expect(world.failed == ["refused_for_a_reason"])
        world.evidence.journal[10].refusedAfter = 60_000
        #expect(world.failed.isEmpty)
    }

    /// A location that has lost who shares refuses walks: no money moves, and the run fails all the same.
    @Test func aWalkThatIsRefusedIsNamed() {
        let world = World()
        var walk = Intent()
        walk.kind = nil
        walk.outcome = .refused
        walk.code = world.evidence.codes.number(of: "location.sharing_off")
        world.evidence.journal.append(walk)
        #expect(world.failed == ["refused_for_a_reason"])
        #expect(
            world.findings("refused_for_a_reason").contains(
                "operation 12 was refused (location.sharing_off), for which there was no reason"))
    }

    @Test func aRunThatPaidNothingIsNoProof() {
        let world = World()
        for number in 0..<11 { world.evidence.journal[number].outcome = .refused }
        #expect(world.findings("refused_for_a_reason").contains("of 11 payments that were asked for not one was made"))
    }

    @Test func whatIsAnsweredOtherwiseWhenItIsAskedAgainIsNamed() {
        var world = World()
        world.evidence.repeats[2].answer.cardBalance += 1
        world.evidence.repeats[3].isReplay = false
        world.evidence.repeats[4].answer = .refused(4, "wallet.insufficient_funds")
        world.evidence.repeats[5].otherAmount = 112
        #expect(world.failed == ["asked_again"])
        let findings = world.findings("asked_again")
        #expect(
            findings.contains("(operation 2), asked again, is answered otherwise: balance $9.89, handed out as $9.88"))
        #expect(findings.contains("(operation 3), asked again, was done again"))
        #expect(
            findings.contains(
                "(operation 4) was acknowledged, and is refused when it is asked again: wallet.insufficient_funds"))
        #expect(
            findings.contains(
                "under the key of charge \(World.charge(5).hex) (operation 5) another amount was taken, as entry 112"))
    }

    @Test func anotherCustomerInAFactIsNamed() {
        var world = World()
        world.evidence.movements[1].namesOwner = false
        world.evidence.notices[2].namesOwner = false
        #expect(world.failed == ["facts_match_entries", "merchants_told"])
        #expect(
            world.findings("facts_match_entries").contains(
                "the fact of entry 102 names another customer than its card's owner"))
        #expect(world.findings("merchants_told").contains("names another customer than the owner of card #2"))
    }

    @Test func aPaymentThatIsToldToHaveEndedUnpaidIsNamed() {
        var world = World()
        world.evidence.closures = [Closure(charge: World.charge(3), merchant: .merchant(1), reason: "expired")]
        #expect(
            world.findings("merchants_told").contains(
                "merchant #1 was told that charge \(World.charge(3).hex) ended unpaid (expired), which was paid"))
        world.evidence.closures = [Closure(charge: World.charge(10), merchant: .merchant(0), reason: "expired")]
        #expect(world.failed.isEmpty, "it was not paid")
    }

    @Test func aHistoryThatIsOutOfOrderIsNamed() throws {
        var world = World()
        let places = world.evidence.sides.indices.filter { world.evidence.sides[$0].account == .merchant(1) }
        world.evidence.sides.swapAt(places[0], places[1])
        #expect(world.failed == ["balances_follow_entries"])
        #expect(world.findings("balances_follow_entries") == "merchant #1 shows entry 108 as newer than entry 110")
    }

    @Test func anotherOperationsMemoIsNamed() {
        var world = World()
        for place in world.evidence.sides.indices where world.evidence.sides[place].entry == World.entry(3) {
            world.evidence.sides[place].memoNumber = 4
        }
        #expect(world.findings("acknowledged_once").contains("is entry 104, whose memo says that it is operation 4"))
    }

    /// What has no answer and was done is accused of that alone.
    @Test func anUnknownOutcomeIsNamed() {
        let world = World()
        world.evidence.journal[5].outcome = .unknown
        #expect(!world.failed.contains("balances_add_up"))
        #expect(world.findings("all_settled").contains("operation 5 got no final answer"))
        #expect(world.findings("all_settled").contains("is in the ledger as entry 106"))
    }

    @Test func aSumThatIsNotZeroIsNamed() {
        var world = World()
        world.evidence.after.total = 1
        world.evidence.after.others += 1
        #expect(world.failed == ["sum_is_zero"])
        #expect(world.findings("sum_is_zero").contains("after the run the accounts add up to $0.01"))
    }

    @Test func whatTheWalletFindsIsTold() {
        var world = World()
        world.evidence.verification.problems = ["entry 107 does not match its hash"]
        #expect(world.failed == ["chain_intact"])
        #expect(world.findings("chain_intact") == "entry 107 does not match its hash")
        world = World()
        world.evidence.verification.checked -= 5
        #expect(world.failed == ["chain_intact"])
    }

    // MARK: Facts and entries

    @Test func anEntryWithoutAFactIsNamed() {
        var world = World()
        world.evidence.movements.remove(at: 2)
        #expect(world.failed == ["facts_match_entries"])
        #expect(world.findings("facts_match_entries").contains("no fact tells of entry 103"))
    }

    @Test func aFactWithoutAnEntryIsNamed() {
        var world = World()
        world.evidence.sides.removeAll { $0.entry == 103 && $0.account == .merchant(0) }
        #expect(world.findings("facts_match_entries").contains("entry 103 is missing at merchant #0"))
    }

    @Test func aFactThatSaysSomethingElseIsNamed() {
        var world = World()
        world.evidence.movements[2].amount += 1
        #expect(world.findings("facts_match_entries").contains("entry 103 changes"))
        world = World()
        world.evidence.movements[2].cardBalance -= 1
        #expect(world.failed == ["facts_match_entries"])
    }

    @Test func aGapInTheLogIsTold() {
        var world = World()
        world.evidence.walletLogFaults = ["wallet's log has fact 9 behind 7"]
        #expect(world.failed == ["facts_match_entries"])
        world = World()
        world.evidence.paymentsLogFaults = ["payments's log has fact 9 behind 7"]
        #expect(world.failed == ["merchants_told"])
    }

    // MARK: Balances

    @Test func aBalanceOffByOneIsNamed() {
        var world = World()
        world.evidence.cardBalances[1].after += 1
        #expect(world.failed == ["balances_add_up", "balances_follow_entries"])
        #expect(world.findings("balances_add_up").contains("card #1 has $"))
        world = World()
        world.evidence.merchantBalances[1].after -= 1
        #expect(world.failed == ["balances_add_up", "balances_follow_entries"])
        #expect(world.findings("balances_follow_entries").contains("merchant #1 is shown a balance of"))
    }

    /// Wrong before and after by the same: the difference is right, the last entry is not what is shown.
    @Test func aBalanceThatIsAlwaysOffIsNamed() {
        var world = World()
        world.evidence.cardBalances[1].before += 1
        world.evidence.cardBalances[1].after += 1
        #expect(world.failed == ["balances_follow_entries"])
    }

    @Test func anEntryWithAWrongBalanceIsNamed() throws {
        var world = World()
        let place = try #require(world.evidence.sides.firstIndex { $0.entry == 105 && $0.account == .merchant(0) })
        world.evidence.sides[place].balance += 1
        #expect(world.failed == ["balances_follow_entries"])
        #expect(world.findings("balances_follow_entries").contains("entry 105 leaves merchant #0 with"))
    }

    @Test func aCardNotInPlayThatChangedIsNamed() {
        var world = World()
        world.evidence.sides.removeAll { $0.account == .card(2) }
        world.evidence.cardBalances[2].after -= 5
        #expect(world.findings("balances_add_up").contains("card #2"))
    }

    // MARK: Receipts

    @Test func anEntryWithoutAReceiptIsNamed() {
        var world = World()
        world.evidence.charges.remove(at: 6)
        #expect(world.failed == ["receipts_match_entries"])
        #expect(
            world.findings("receipts_match_entries").contains(
                "entry 107 (charge \(World.charge(6).hex)) has no receipt"))
    }

    @Test func aReceiptWithoutAnEntryIsNamed() {
        var world = World()
        world.evidence.charges.append(
            ChargeLine(
                charge: ChargeID(high: 2, low: 2), isCaptured: true, merchant: .merchant(0), card: .card(0), amount: 5,
                entry: 500, memoNumber: nil))
        #expect(
            world.findings("receipts_match_entries").contains("names entry 500, which the run's ledger does not have"))
        world.evidence.charges[10].entry = nil
        #expect(world.findings("receipts_match_entries").contains("names no entry"))
    }

    @Test func aReceiptThatSaysSomethingElseIsNamed() {
        for falsify: (inout ChargeLine) -> Void in [
            { $0.amount += 1 }, { $0.merchant = .merchant(1 - World.merchant(3)) }, { $0.card = .card(1) },
            { $0.charge = ChargeID(high: 4, low: 4) }
        ] {
            var world = World()
            falsify(&world.evidence.charges[3])
            #expect(world.failed == ["receipts_match_entries"])
        }
    }

    @Test func twoReceiptsForOneEntryAreNamed() {
        var world = World()
        world.evidence.charges.append(world.evidence.charges[3])
        #expect(world.findings("receipts_match_entries").contains("has 2 receipts"))
    }

    @Test func anAcknowledgedChargeThatPaymentsHasAsUnpaidIsNamed() {
        var world = World()
        world.evidence.charges[3].isCaptured = false
        world.evidence.charges[3].entry = nil
        #expect(
            world.findings("receipts_match_entries").contains(
                "was acknowledged as paid, and payments has it as not paid"))
    }

    @Test func aReceiptInHandThatIsWrongIsNamed() {
        var world = World()
        world.evidence.journal[2].cardBalance += 1
        #expect(
            world.failed == ["asked_again", "receipts_are_true", "receipts_can_be_read"],
            "handed out once, and otherwise twice")
        #expect(world.findings("receipts_are_true").contains("shows a wrong balance"))
        world = World()
        world.evidence.journal[2].entry += 1
        #expect(world.findings("receipts_are_true").contains("names entry 104, which is not this charge's"))
        world = World()
        world.evidence.journal[2].receiptDiffers = true
        #expect(world.failed == ["receipts_are_true"])
    }

    @Test func aReceiptThatCannotBeReadIsNamed() {
        var world = World()
        world.evidence.receipts[4].refusal = "payments.charge_not_found"
        #expect(world.failed == ["receipts_can_be_read"])
        #expect(world.findings("receipts_can_be_read").contains("its receipt is refused: payments.charge_not_found"))
        world = World()
        world.evidence.receipts[4].amount += 1
        #expect(world.failed == ["receipts_can_be_read"])
    }

    @Test func evidenceThatCannotBeReadProvesNothing() {
        var world = World()
        world.evidence.verification = Verification()
        var verdict = Verdict.unproved(LoadFailure("the wallet is gone"), world.evidence)
        #expect(!verdict.passed && verdict.checks.count == 1)
        #expect(verdict.checks.first?.findings == ["they could not: the wallet is gone"])
        // What the wallet had said before of its own damage is told all the same.
        world.evidence.verification.problems = ["entry 7 does not follow entry 6"]
        verdict = Verdict.unproved(LoadFailure("the wallet is gone"), world.evidence)
        #expect(verdict.checks.last?.name == "chain_intact")
        #expect(verdict.checks.last?.findings.first == "entry 7 does not follow entry 6")
        // That the check broke off says nothing about the money.
        world.evidence.verification.problems = []
        world.evidence.verification.checked = 1
        #expect(Verdict.unproved(LoadFailure("the wallet is gone"), world.evidence).checks.count == 1)
    }

    // MARK: Merchants

    @Test func aLostNoticeIsNamed() {
        var world = World()
        world.evidence.notices.remove(at: 7)
        world.evidence.live = ReceivedNotices(after: 40)
        #expect(world.failed == ["merchants_told"])
        #expect(
            world.findings("merchants_told").contains(
                "lost notice: merchant #1 was never told of charge \(World.charge(7).hex) (entry 108)"))
    }

    /// The published stream may lose some: the log repairs it, and the check says how many.
    @Test func aNoticeThatOnlyTheLogHasIsNoFinding() {
        var world = World()
        world.evidence.live = ReceivedNotices(after: 40)
        #expect(world.failed.isEmpty)
        let statement = world.verdict.checks.last?.statement
        #expect(statement?.contains("0 heard as published, 10 more read from the log") == true)
    }

    @Test func aNoticeToldTwiceIsNamed() {
        var world = World()
        var again = world.evidence.notices[7]
        again.sequence = 99
        world.evidence.notices.append(again)
        #expect(world.findings("merchants_told").contains("was told 2 times under different numbers"))
    }

    @Test func aNoticeWithoutACaptureIsNamed() {
        var world = World()
        var stray = world.evidence.notices[7]
        stray.charge = ChargeID(high: 6, low: 6)
        stray.entry = 700
        stray.sequence = 99
        world.evidence.notices.append(stray)
        #expect(world.findings("merchants_told").contains("with entry 700, which the run's ledger does not have"))
    }

    @Test func aNoticeThatSaysSomethingElseIsNamed() {
        var world = World()
        world.evidence.notices[7].amount += 1
        #expect(world.failed == ["merchants_told"])
    }

    @Test func whatWasPublishedAndIsNotInTheLogIsNamed() {
        var world = World()
        world.evidence.live.receive(77, digest: 3)
        #expect(world.findings("merchants_told") == "notice 77 was published, and payments' log has none")
        world = World()
        world.evidence.notices[2].digest += 1
        #expect(world.findings("merchants_told") == "notice 43 was published otherwise than payments' log has it")
        world = World()
        world.evidence.live.receive(43, digest: 1)
        #expect(world.findings("merchants_told") == "notice 43 was published twice, with different words")
    }

    @Test func manyFindingsAreCountedAndTheFirstAreTold() {
        var world = World()
        world.evidence.after.entries += 1000
        let check = world.verdict.checks.first { $0.name == "nothing_else_moved" }
        #expect(check?.findingsTotal == 1000)
        #expect(check?.findings.count == 50)
    }
}
