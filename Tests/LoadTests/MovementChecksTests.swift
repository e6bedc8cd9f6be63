import Checks
import Load
import Primitives
import Testing

/// Refunds, transfers and reloads that are lost, doubled or told otherwise.
@Suite struct MovementChecksTests {
    @Test func aRightRunPasses() {
        var world = World()
        let numbers = world.moveAll()
        #expect(world.failed.isEmpty, "\(world.verdict.checks.flatMap(\.findings))")
        #expect(numbers.count == 4)
        for check in world.verdict.checks { #expect(check.examined > 0, "\(check.name) looked at nothing") }
        #expect(Set(world.verdict.checks.map(\.name)).isSuperset(of: ["refunds_add_up", "refunds_told"]))
    }

    @Test("what was acknowledged and is in no ledger is named", arguments: [0, 1, 2, 3])
    func lost(place: Int) {
        var world = World()
        let number = world.moveAll()[place]
        let entry = world.evidence.journal[number].entry
        world.forget(entry)
        #expect(world.failed.contains("acknowledged_once") && world.failed.contains("balances_add_up"))
        #expect(
            world.findings("acknowledged_once").contains(
                "\(World.words[place]) \(world.evidence.journal[number].charge.hex) (operation \(number)) was "
                    + "acknowledged with entry \(entry) and is not in the ledger"))
    }

    @Test("what was posted a second time under another id is named", arguments: [0, 1, 2, 3])
    func doubled(place: Int) {
        var world = World()
        let number = world.moveAll()[place]
        let other = ChargeID(high: 9, low: 9)
        world.post(number, under: other)
        #expect(world.failed.contains("nothing_else_moved") && world.failed.contains("balances_add_up"))
        #expect(world.findings("nothing_else_moved").contains("under \(other.hex)"))
        // A transfer has a memo, which says whose it is.
        #expect(world.failed.contains("acknowledged_once") == (place == 2))
        if place == 2 { #expect(world.findings("acknowledged_once").contains("posted twice: entries ")) }
    }

    @Test("what was posted twice under its id is named", arguments: [0, 1, 2, 3])
    func doubledUnderOneID(place: Int) {
        var world = World()
        let number = world.moveAll()[place]
        world.post(number, under: world.evidence.journal[number].charge)
        #expect(world.findings("acknowledged_once").contains("(operation \(number)) posted twice: entries "))
    }

    @Test func anotherReceiverIsNamed() {
        var world = World()
        let number = world.moveAll()[2]
        world.evidence.journal[number].counterpart = 0
        #expect(world.findings("acknowledged_once").contains("gives it to card #2, not card #0"))
    }

    @Test func aRefundOfAnotherPaymentIsNamed() {
        var world = World()
        let number = world.moveAll()[0]
        let entry = world.evidence.journal[number].entry
        world.evidence.refunds?.posted[entry]?.payment = World.charge(5)
        #expect(
            world.findings("refunds_add_up").contains("was to pay back charge \(World.charge(0).hex), and paid back"))
    }

    @Test func moreThanWasPaidIsNamed() {
        var world = World()
        let number = world.moveAll()[0]
        world.evidence.journal[number].amount = 11
        #expect(
            world.findings("refunds_add_up").contains(
                "of charge \(World.charge(0).hex) $0.17 were paid back, paid were $0.10"))
    }

    @Test func aChargeThatShowsLessThanWasPaidBackIsNamed() {
        var world = World()
        world.moveAll()
        world.evidence.refunds?.shown[World.charge(0)] = 4
        #expect(world.failed == ["refunds_add_up"])
        #expect(world.findings("refunds_add_up").contains("shows $0.04 as paid back, acknowledged were $0.10"))
    }

    @Test func aReceiptWithAWrongTotalIsNamed() {
        var world = World()
        let number = world.moveAll()[1]
        world.evidence.journal[number].cardBalance += 1
        #expect(world.failed == ["refunds_add_up"])
        #expect(world.findings("refunds_add_up").contains("says that $0.11 were paid back in all"))
    }

    @Test func aRefundThatNobodyWasToldOfIsNamed() {
        var world = World()
        world.moveAll()
        world.evidence.refunds?.published.removeFirst()
        #expect(world.failed == ["refunds_told"])
        #expect(
            world.findings("refunds_told").contains("nobody was told of the refund of charge \(World.charge(0).hex)"))
    }

    @Test func aRefundToldTwiceOrOtherwiseIsNamed() throws {
        var world = World()
        world.moveAll()
        let told = try #require(world.evidence.refunds?.published.first)
        world.evidence.refunds?.published.append(told)
        #expect(world.findings("refunds_told").contains("was told 2 times"))
        world.evidence.refunds?.published.removeLast()
        world.evidence.refunds?.published[0].customer = PartyID(high: 1, low: 1)
        #expect(world.findings("refunds_told").contains("to another customer"))
        world.evidence.refunds?.published[0] = told
        world.evidence.refunds?.published[1].refunded += 1
        #expect(world.findings("refunds_told").contains("which the ledger does not have"))
    }

    /// A merchant has what it was paid: nothing excuses the refusal of a refund. A card may have too little to give.
    @Test func aRefusalWithoutAReasonIsNamed() {
        for (kind, amount, isExcused) in [
            (MovementKind.refund, 5, false), (.reload, 5, false), (.transfer, 5, false), (.transfer, 5000, true)
        ] {
            let world = World()
            var intent = Intent()
            intent.kind = kind
            intent.amount = UInt32(amount)
            intent.outcome = .refused
            intent.code = world.evidence.codes.number(of: "wallet.insufficient_funds")
            world.evidence.journal.append(intent)
            #expect(world.failed.contains("refused_for_a_reason") == !isExcused, "\(kind) of \(amount)")
        }
    }

    /// What has no answer and was done is accused of that alone.
    @Test func anUnknownRefundCountsIfItWasDone() {
        var world = World()
        let number = world.moveAll()[1]
        world.evidence.journal[number].outcome = .unknown
        #expect(world.failed == ["all_settled"])
    }
}

extension World {
    static let words = ["refund", "refund", "transfer", "reload"]

    /// Two refunds of the first payment, a transfer from card 1 to card 2 and a reload of card 0, all as they should
    /// be.
    ///
    /// - Returns: their intents.
    @discardableResult
    mutating func moveAll() -> [Int] {
        let payment = evidence.journal[0]
        var refunds = RefundEvidence(paid: [
            PaidCharges.Paid(
                charge: payment.charge, card: Int(payment.card), merchant: Int(payment.merchant),
                amount: Int(payment.amount))
        ])
        refunds.shown = [payment.charge: Int64(payment.amount)]
        evidence.refunds = refunds
        var numbers: [Int] = []
        for (kind, card, amount, other) in [
            (MovementKind.refund, 0, 4, 0), (.refund, 0, 6, 0), (.transfer, 1, 20, 2), (.reload, 0, 30, 0)
        ] {
            var intent = Intent()
            intent.kind = kind
            intent.card = UInt32(card)
            intent.merchant = payment.merchant
            intent.amount = UInt32(amount)
            intent.counterpart = UInt32(other)
            intent.charge = ChargeID(high: 0xBCDE, low: UInt64(evidence.journal.count + 1))
            intent.outcome = .acknowledged
            let number = evidence.journal.append(intent)
            post(number, under: intent.charge)
            numbers.append(number)
        }
        return numbers
    }

    /// Posts what an intent asks for, as every honest witness tells of it, and acknowledges it.
    mutating func post(_ number: Int, under operation: ChargeID) {
        let intent = evidence.journal[number]
        let amount = Int64(intent.amount)
        evidence.after.entries += 1
        evidence.verification.checked += 1
        let (entry, kind) = (evidence.after.entries, intent.kind ?? .other)
        let (from, to): (AccountRef, AccountRef) =
            switch kind {
            case .refund: (.merchant(Int(intent.merchant)), .card(Int(intent.card)))
            case .transfer: (.card(Int(intent.card)), .card(Int(intent.counterpart)))
            default: (.ledger, .card(Int(intent.card)))
            }
        let memo = kind == .transfer ? number : nil
        var shown: Int64 = 0
        for (account, change) in [(from, -amount), (to, amount)] {
            let balance: Int64
            switch account {
            case .card(let card):
                evidence.cardBalances[card].after += change
                evidence.after.cards += change
                balance = evidence.cardBalances[card].after
                if change < 0 || kind != .transfer { shown = balance }
            case .merchant(let merchant):
                evidence.merchantBalances[merchant].after += change
                evidence.after.merchants += change
                balance = evidence.merchantBalances[merchant].after
            default:
                evidence.after.others += change
                continue
            }
            evidence.sides.insert(
                EntrySide(
                    account: account, entry: entry, kind: kind, operation: operation, change: change, balance: balance,
                    memoNumber: memo), at: 0)
        }
        evidence.movements.append(
            Movement(
                sequence: 400 + entry, entry: entry, kind: kind, operation: operation, from: from, to: to,
                amount: amount, cardBalance: shown, memoNumber: memo))
        if kind == .refund, let paid = evidence.refunds?.paid[Int(intent.counterpart)] {
            shown = (evidence.refunds?.posted.values.map(\.refunded).max() ?? 0) + amount
            evidence.refunds?.posted[entry] = PostedRefund(
                payment: paid.charge, merchant: from, amount: amount, refunded: shown)
            evidence.refunds?.published.append(
                PublishedRefund(
                    charge: paid.charge, merchant: from,
                    customer: World.people.customer(World.people.owner(ofCard: paid.card)), amount: amount,
                    refunded: shown))
        }
        guard intent.entry == 0 else { return }
        evidence.journal[number].entry = entry
        evidence.journal[number].cardBalance = shown
    }

    /// Undoes an entry in every witness: another entry that nobody knows takes its number.
    mutating func forget(_ entry: Int64) {
        evidence.movements.removeAll { $0.entry == entry }
        for side in evidence.sides where side.entry == entry {
            switch side.account {
            case .card(let card):
                evidence.cardBalances[card].after -= side.change
                evidence.after.cards -= side.change
            case .merchant(let merchant):
                evidence.merchantBalances[merchant].after -= side.change
                evidence.after.merchants -= side.change
            default: break
            }
        }
        evidence.sides.removeAll { $0.entry == entry }
        evidence.refunds?.posted[entry] = nil
    }
}
