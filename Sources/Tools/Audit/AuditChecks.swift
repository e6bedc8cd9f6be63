import Checks
import Contracts
import Primitives

/// Every invariant that holds over the data of all services: a pure function of the snapshot. Each check looks for
/// itself; none relies on another.
package enum AuditChecks {
    package typealias Check = MoneyVerdict.Check

    package static func all(_ snapshot: Snapshot) -> [Check] {
        let ofLogs = [
            ledgerIsSound(snapshot), logsAreWhole(snapshot), readersAreRight(snapshot), entriesArePublished(snapshot),
            balancesFollow(snapshot)
        ]
        let ofReceipts = snapshot.silence == nil ? [receiptsMatch(snapshot)] : []
        return ofLogs + ofReceipts + [
            capturesArePublished(snapshot), refundsMatch(snapshot), couponsAreRedeemed(snapshot),
            couponLimitsKept(snapshot), visitsInOrder(snapshot), ordersArePaid(snapshot),
            deliveriesHaveNotices(snapshot)
        ]
    }

    // MARK: The ledger and the logs

    static func ledgerIsSound(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "ledger_is_sound",
            "The hash chain, each balance, the holds and the sum of zero hold, and no balance is negative")
        findings.examined = Int(snapshot.ledger.checked)
        for problem in snapshot.ledger.problems { findings.add(problem) }
        if snapshot.ledger.total != 0 {
            findings.add("all accounts add up to \(dollars(snapshot.ledger.total)) instead of zero")
        }
        return findings.check
    }

    static func logsAreWhole(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "facts_are_whole", "Each service's log has all facts, one number after the other")
        for (_, log) in snapshot.logs.sorted(by: { $0.key < $1.key }) {
            findings.examined += log.facts
            for fault in log.faults { findings.add(fault) }
        }
        return findings.check
    }

    static func readersAreRight(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "facts_are_read", "Each service has read the others' facts, up to the newest, and none that are no more")
        for reader in snapshot.readers {
            findings.examined += 1
            if reader.isDiverged {
                findings.add(
                    "\(reader.service) knows \(reader.position) facts of \(reader.source), whose log is another one now, as "
                        + "after an older copy of its data was restored alone, or a program without its log was swapped in"
                )
            } else if reader.position > reader.head {
                findings.add(
                    "\(reader.service) knows \(reader.position) facts of \(reader.source), whose log ends at \(reader.head), "
                        + "as after an older copy of its data was restored alone, or a program without its log was swapped in"
                )
            } else if reader.position < snapshot.heads[reader.source] {
                findings.add(
                    "\(reader.service) has read \(reader.position) of \(snapshot.heads[reader.source]) facts of "
                        + "\(reader.source), and does not go on")
            }
        }
        return findings.check
    }

    static func entriesArePublished(_ snapshot: Snapshot) -> Check {
        var findings = Findings("entries_are_told", "Each ledger entry has one fact, in the ledger's order")
        var last: Int64 = 0
        for move in snapshot.moves {
            findings.examined += 1
            if move.entry != last + 1 {
                findings.add(
                    "fact \(move.sequence) of the wallet tells of entry \(move.entry), behind one that told of \(last)")
            }
            last = move.entry
        }
        if last < snapshot.ledger.entries {
            findings.add("the ledger has \(snapshot.ledger.entries) entries, its facts tell of \(last)")
        }
        return findings.check
    }

    static func balancesFollow(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "balances_follow", "Each card's balance follows from all that has moved, fact by fact")
        var balances: [CardID: Int64] = [:]
        for move in snapshot.moves {
            for leg in move.legs {
                findings.examined += 1
                let expected = balances[leg.card, default: 0] + leg.change
                let left = leg.balance ?? expected
                if expected != left {
                    findings.add(
                        "entry \(move.entry) leaves card \(leg.card.hex) with \(dollars(left)) instead of "
                            + dollars(expected))
                }
                if left < 0 { findings.add("entry \(move.entry) leaves card \(leg.card.hex) below zero") }
                balances[leg.card] = left
            }
        }
        return findings.check
    }

    // MARK: Payments against the ledger

    static func receiptsMatch(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "receipts_match_entries",
            "There is one receipt for each payment in the ledger, and one payment for each receipt")
        for line in snapshot.unreadable { findings.add(line) }
        let posted = Posted(snapshot)
        var receipts: Set<ChargeID> = []
        for charge in snapshot.charges {
            findings.examined += 1
            if !receipts.insert(charge.charge).inserted {
                findings.add("charge \(charge.charge.hex) is listed twice")
            }
            guard charge.isCaptured else {
                // Decided since it was read.
                if let move = posted[charge.charge], move.sequence <= snapshot.heads[Wallet.service] {
                    findings.add("charge \(charge.charge.hex) is paid by entry \(move.entry), and has no receipt")
                }
                continue
            }
            guard let move = posted[charge.charge],
                case .payment(_, let customer, let merchant, let coupon) = move.kind
            else {
                findings.add(
                    "the receipt of charge \(charge.charge.hex) names "
                        + (charge.entry.map { "entry \($0)" } ?? "no entry") + ", and no such payment was made")
                continue
            }
            let isSame =
                charge.entry == move.entry && charge.amount == move.amount && charge.card == move.card
                && charge.customer == customer && charge.merchant == merchant && charge.coupon == coupon
            if !isSame {
                findings.add(
                    "the receipt of charge \(charge.charge.hex) says \(dollars(charge.amount)) by "
                        + (charge.entry.map { "entry \($0)" } ?? "no entry")
                        + "; entry \(move.entry) moved \(dollars(move.amount))"
                        + (charge.amount == move.amount && charge.entry == move.entry
                            ? " between others, or with another coupon" : ""))
            }
        }
        for (charge, move) in posted.inOrder(through: snapshot.heads[Wallet.service])
        where !receipts.contains(charge) && !snapshot.unknownCharges.contains(charge) {
            findings.add("charge \(charge.hex) is paid by entry \(move.entry), and has no receipt")
        }
        return findings.check
    }

    static func capturesArePublished(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "captures_are_told", "Payments has published each payment, once and as it was, and no other")
        let posted = Posted(snapshot)
        var published: Set<ChargeID> = []
        for capture in snapshot.captures {
            findings.examined += 1
            if !published.insert(capture.charge).inserted {
                findings.add("fact \(capture.sequence) of payments tells of charge \(capture.charge.hex) again")
            }
            guard let move = posted[capture.charge],
                case .payment(_, let customer, let merchant, let coupon) = move.kind
            else {
                findings.add(
                    "fact \(capture.sequence) of payments tells of charge \(capture.charge.hex), which the ledger has not"
                )
                continue
            }
            if capture.entry != move.entry || capture.amount != move.amount || capture.card != move.card
                || capture.customer != customer || capture.merchant != merchant || capture.coupon != coupon
            {
                findings.add(
                    "fact \(capture.sequence) of payments tells of \(dollars(capture.amount)) by entry \(capture.entry); "
                        + "entry \(move.entry) moved \(dollars(move.amount)) for charge \(capture.charge.hex)")
            }
        }
        for (charge, move) in posted.inOrder(through: snapshot.heads[Wallet.service])
        where !published.contains(charge) {
            findings.add("payments has not told of charge \(charge.hex), paid by entry \(move.entry)")
        }
        return findings.check
    }

    static func refundsMatch(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "refunds_match", "Each refund is of a payment, no more than was paid, on its receipt, and published once")
        let posted = Posted(snapshot)
        var totals: [ChargeID: (known: Int64, all: Int64)] = [:]
        var published: [ChargeID: [Int64]] = [:]
        for refund in snapshot.refundsPublished { published[refund.charge, default: []].append(refund.refunded) }
        for refund in snapshot.refunds {
            findings.examined += 1
            let before = totals[refund.charge, default: (0, 0)]
            let all = before.all + refund.amount
            if all != refund.refunded {
                findings.add(
                    "fact \(refund.sequence) of the wallet sums charge \(refund.charge.hex)'s refunds up wrongly")
            }
            let isKnown = refund.sequence <= snapshot.heads[Wallet.service]
            totals[refund.charge] = (isKnown ? all : before.known, all)
            guard let move = posted[refund.charge] else {
                // A captured hold is no charge, and can be paid back too.
                continue
            }
            if all > move.amount {
                findings.add("of charge \(refund.charge.hex) \(dollars(all)) of \(dollars(move.amount)) is paid back")
            }
            let times = published[refund.charge, default: []].count { $0 == refund.refunded }
            if times > 1 || (times == 0 && isKnown) {
                findings.add("payments has told \(times) times of the refund in fact \(refund.sequence) of the wallet")
            }
        }
        for charge in snapshot.charges {
            let total = totals[charge.charge, default: (0, 0)]
            if !(total.known...max(total.known, total.all)).contains(charge.refunded) {
                findings.add(
                    "the receipt of charge \(charge.charge.hex) has \(dollars(charge.refunded)) paid back; the ledger "
                        + dollars(total.all))
            }
        }
        return findings.check
    }

    // MARK: Coupons, visits, deliveries

    static func couponsAreRedeemed(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "coupons_are_redeemed",
            "The coupon of each paid charge is redeemed, once and for that charge, and no other is")
        var redeemed: [ChargeID: [OfferID]] = [:]
        for redemption in snapshot.redemptions {
            findings.examined += 1
            redeemed[redemption.charge, default: []].append(redemption.coupon)
        }
        var used: [ChargeID: OfferID] = [:]
        for capture in snapshot.captures {
            guard let coupon = capture.coupon else { continue }
            findings.examined += 1
            used[capture.charge] = coupon
            let published = redeemed[capture.charge, default: []]
            if published.isEmpty, capture.sequence > snapshot.heads[Payments.service] { continue }
            if published != [coupon] {
                findings.add(
                    "charge \(capture.charge.hex) was paid with coupon \(coupon.hex), and redeemed were "
                        + (published.isEmpty ? "none" : published.map(\.hex).joined(separator: ", ")))
            }
        }
        for redemption in snapshot.redemptions where used[redemption.charge] == nil {
            findings.add(
                "fact \(redemption.sequence) of offers redeems coupon \(redemption.coupon.hex) for charge "
                    + "\(redemption.charge.hex), which was not paid with it")
        }
        return findings.check
    }

    static func couponLimitsKept(_ snapshot: Snapshot) -> Check {
        var findings = Findings("coupon_limits_kept", "No coupon is used more often than it may be, by one or in all")
        var uses: [OfferID: [PartyID: Int]] = [:]
        for redemption in snapshot.redemptions {
            uses[redemption.coupon, default: [:]][redemption.customer, default: 0] += 1
        }
        for (coupon, limits) in snapshot.limits.sorted(by: { $0.key.hex < $1.key.hex }) {
            findings.examined += 1
            let counts = uses[coupon, default: [:]]
            let count = counts.values.reduce(0, +)
            if let most = limits.inAll, count > most {
                findings.add("coupon \(coupon.hex) is used \(count) times and may be \(most) times")
            }
            guard let most = limits.each else { continue }
            for (customer, count) in counts.sorted(by: { $0.key.hex < $1.key.hex }) where count > most {
                findings.add(
                    "coupon \(coupon.hex) is used \(count) times by \(customer.hex), who may use it \(most) times")
            }
        }
        return findings.check
    }

    static func ordersArePaid(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "orders_are_paid", "Each paid order has one payment, and each payment under an order's id has its order",
            about: "orders")
        let posted = Posted(snapshot)
        var paid: Set<ChargeID> = []
        for order in snapshot.ordersPaid {
            findings.examined += 1
            if !paid.insert(order.charge).inserted { findings.add("order \(order.charge.hex) is paid twice") }
            guard let move = posted[order.charge], case .payment(_, let customer, let merchant, _) = move.kind
            else {
                findings.add("order \(order.charge.hex) is paid, and the ledger has no such payment")
                continue
            }
            if move.amount != order.total || move.entry != order.entry || customer != order.customer
                || merchant != order.merchant
            {
                findings.add(
                    "order \(order.charge.hex) says \(dollars(order.total)); entry \(move.entry) moved "
                        + "\(dollars(move.amount)) for it, or between others")
            }
        }
        for order in snapshot.ordersPlaced {
            guard let move = posted[order.charge], move.sequence <= snapshot.heads[Wallet.service],
                !paid.contains(order.charge)
            else { continue }
            findings.add("order \(order.charge.hex) is paid by entry \(move.entry), and ordering does not know")
        }
        return findings.check
    }

    static func visitsInOrder(_ snapshot: Snapshot) -> Check {
        struct Fenced: Hashable {
            let customer: PartyID
            let place: PlaceID
        }
        var findings = Findings(
            "visits_in_order", "Each visit to a place begins once, and ends at most once, before the next begins",
            about: "visits")
        var inside: Set<Fenced> = []
        for fence in snapshot.fences {
            findings.examined += 1
            let fenced = Fenced(customer: fence.customer, place: fence.place)
            let isRight =
                switch fence.kind {
                case .entered: inside.insert(fenced).inserted
                case .dwelled: inside.contains(fenced)
                case .exited: inside.remove(fenced) != nil
                }
            if !isRight {
                findings.add(
                    "fact \(fence.sequence) of location tells of one who \(fence.kind == .entered ? "comes and is there" : "is not there")"
                )
            }
        }
        return findings.check
    }

    static func deliveriesHaveNotices(_ snapshot: Snapshot) -> Check {
        var findings = Findings(
            "deliveries_have_notices", "Whatever was delivered, or failed, is a notice in somebody's inbox",
            about: "deliveries")
        for delivery in snapshot.deliveries {
            findings.examined += 1
            if !snapshot.notices.contains(delivery.notice) {
                findings.add(
                    "fact \(delivery.sequence) of notifications is about notice \(delivery.notice.hex), which was never added"
                )
            }
        }
        return findings.check
    }

    /// The payments among the moves, by charge.
    private struct Posted {
        private let moves: [Snapshot.Move]
        private var places: [ChargeID: Int] = [:]

        init(_ snapshot: Snapshot) {
            moves = snapshot.moves
            for (place, move) in moves.enumerated() {
                if case .payment(let charge, _, _, _) = move.kind { places[charge] = place }
            }
        }

        subscript(charge: ChargeID) -> Snapshot.Move? { places[charge].map { moves[$0] } }

        /// With their charges, up to a fact of the wallet.
        func inOrder(through sequence: Int64) -> some Sequence<(ChargeID, Snapshot.Move)> {
            moves.lazy.compactMap { move in
                guard case .payment(let charge, _, _, _) = move.kind, move.sequence <= sequence else { return nil }
                return (charge, move)
            }
        }
    }
}
