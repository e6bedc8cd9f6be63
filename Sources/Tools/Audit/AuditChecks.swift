import Contracts
import LoadReport
import Primitives

/// Every invariant that holds over the data of all services: a pure function of the books. Each check looks for itself;
/// none relies on another.
package enum AuditChecks {
    package typealias Check = MoneyVerdict.Check

    package static func all(_ books: Books) -> [Check] {
        [
            ledgerIsSound(books), logsAreWhole(books), readersAreRight(books), entriesAreTold(books),
            balancesFollow(books), receiptsMatch(books), capturesAreTold(books), refundsMatch(books),
            couponsAreRedeemed(books), couponLimitsKept(books), visitsInOrder(books), deliveriesHaveNotices(books)
        ]
    }

    // MARK: The ledger and the logs

    static func ledgerIsSound(_ books: Books) -> Check {
        var findings = Findings(
            "ledger_is_sound",
            "The hash chain, each balance, the holds and the sum of zero hold, and no balance is negative")
        findings.examined = Int(books.ledger.checked)
        for problem in books.ledger.problems { findings.tell(problem) }
        if books.ledger.total != 0 {
            findings.tell("all accounts add up to \(dollars(books.ledger.total)) instead of zero")
        }
        return findings.check
    }

    static func logsAreWhole(_ books: Books) -> Check {
        var findings = Findings(
            "facts_are_whole", "Each service's log has all facts, one number after the other")
        for (_, log) in books.logs.sorted(by: { $0.key < $1.key }) {
            findings.examined += log.facts
            for fault in log.faults { findings.tell(fault) }
        }
        return findings.check
    }

    static func readersAreRight(_ books: Books) -> Check {
        var findings = Findings(
            "facts_are_read", "Each service has read the others' facts, up to the newest, and none that are no more")
        for reader in books.readers {
            findings.examined += 1
            if reader.isDiverged {
                findings.tell(
                    "\(reader.service) knows \(reader.position) facts of \(reader.source), whose log is another one now: an "
                        + "older copy of \(reader.source)'s data was restored alone")
            } else if reader.position > reader.head {
                findings.tell(
                    "\(reader.service) knows \(reader.position) facts of \(reader.source), whose log ends at \(reader.head): "
                        + "an older copy of \(reader.source)'s data was restored alone")
            } else if reader.position < books.heads[reader.source] {
                findings.tell(
                    "\(reader.service) has read \(reader.position) of \(books.heads[reader.source]) facts of "
                        + "\(reader.source), and does not go on")
            }
        }
        return findings.check
    }

    static func entriesAreTold(_ books: Books) -> Check {
        var findings = Findings("entries_are_told", "Each ledger entry has one fact, in the ledger's order")
        var last: Int64 = 0
        for move in books.moves {
            findings.examined += 1
            if move.entry != last + 1 {
                findings.tell(
                    "fact \(move.sequence) of the wallet tells of entry \(move.entry), behind one that told of \(last)")
            }
            last = move.entry
        }
        if last < books.ledger.entries {
            findings.tell("the ledger has \(books.ledger.entries) entries, its facts tell of \(last)")
        }
        return findings.check
    }

    static func balancesFollow(_ books: Books) -> Check {
        var findings = Findings(
            "balances_follow", "Each card's balance follows from all that has moved, fact by fact")
        var balances: [CardID: Int64] = [:]
        for move in books.moves {
            for leg in move.legs {
                findings.examined += 1
                let expected = balances[leg.card, default: 0] + leg.change
                let left = leg.balance ?? expected
                if expected != left {
                    findings.tell(
                        "entry \(move.entry) leaves card \(leg.card.hex) with \(dollars(left)) instead of "
                            + dollars(expected))
                }
                if left < 0 { findings.tell("entry \(move.entry) leaves card \(leg.card.hex) below zero") }
                balances[leg.card] = left
            }
        }
        return findings.check
    }

    // MARK: Payments against the ledger

    static func receiptsMatch(_ books: Books) -> Check {
        var findings = Findings(
            "receipts_match_entries",
            "There is one receipt for each payment in the ledger, and one payment for each receipt")
        for line in books.unreadable { findings.tell(line) }
        let posted = Posted(books)
        var receipts: Set<ChargeID> = []
        for charge in books.charges {
            findings.examined += 1
            if !receipts.insert(charge.charge).inserted {
                findings.tell("charge \(charge.charge.hex) is listed twice")
            }
            guard charge.isCaptured else {
                // Decided since it was read.
                if let move = posted.moves[charge.charge], move.sequence <= books.heads[Wallet.service] {
                    findings.tell("charge \(charge.charge.hex) is paid by entry \(move.entry), and has no receipt")
                }
                continue
            }
            guard let move = posted.moves[charge.charge],
                case .payment(_, let customer, let merchant, let coupon) = move.kind
            else {
                findings.tell(
                    "the receipt of charge \(charge.charge.hex) names "
                        + (charge.entry.map { "entry \($0)" } ?? "no entry") + ", and no such payment was made")
                continue
            }
            let isSame =
                charge.entry == move.entry && charge.amount == move.amount && charge.card == move.card
                && charge.customer == customer && charge.merchant == merchant && charge.coupon == coupon
            if !isSame {
                findings.tell(
                    "the receipt of charge \(charge.charge.hex) says \(dollars(charge.amount)) by "
                        + (charge.entry.map { "entry \($0)" } ?? "no entry")
                        + "; entry \(move.entry) moved \(dollars(move.amount))"
                        + (charge.amount == move.amount && charge.entry == move.entry
                            ? " between others, or with another coupon" : ""))
            }
        }
        for (charge, move) in posted.inOrder where move.sequence <= books.heads[Wallet.service] {
            if !receipts.contains(charge) {
                findings.tell("charge \(charge.hex) is paid by entry \(move.entry), and has no receipt")
            }
        }
        return findings.check
    }

    static func capturesAreTold(_ books: Books) -> Check {
        var findings = Findings(
            "captures_are_told", "Payments has published each payment, once and as it was, and no other")
        let posted = Posted(books)
        var told: Set<ChargeID> = []
        for capture in books.captures {
            findings.examined += 1
            if !told.insert(capture.charge).inserted {
                findings.tell("fact \(capture.sequence) of payments tells of charge \(capture.charge.hex) again")
            }
            guard let move = posted.moves[capture.charge],
                case .payment(_, let customer, let merchant, let coupon) = move.kind
            else {
                findings.tell(
                    "fact \(capture.sequence) of payments tells of charge \(capture.charge.hex), which the ledger has not"
                )
                continue
            }
            if capture.entry != move.entry || capture.amount != move.amount || capture.card != move.card
                || capture.customer != customer || capture.merchant != merchant || capture.coupon != coupon
            {
                findings.tell(
                    "fact \(capture.sequence) of payments tells of \(dollars(capture.amount)) by entry \(capture.entry); "
                        + "entry \(move.entry) moved \(dollars(move.amount)) for charge \(capture.charge.hex)")
            }
        }
        for (charge, move) in posted.inOrder
        where move.sequence <= books.heads[Wallet.service] && !told.contains(charge) {
            findings.tell("payments has not told of charge \(charge.hex), paid by entry \(move.entry)")
        }
        return findings.check
    }

    static func refundsMatch(_ books: Books) -> Check {
        var findings = Findings(
            "refunds_match", "Each refund is of a payment, no more than was paid, on its receipt, and published once")
        let posted = Posted(books)
        var totals: [ChargeID: (known: Int64, all: Int64)] = [:]
        var told: [ChargeID: [Int64]] = [:]
        for refund in books.refundsTold { told[refund.charge, default: []].append(refund.refunded) }
        for refund in books.refunds {
            findings.examined += 1
            let before = totals[refund.charge, default: (0, 0)]
            let all = before.all + refund.amount
            if all != refund.refunded {
                findings.tell(
                    "fact \(refund.sequence) of the wallet sums charge \(refund.charge.hex)'s refunds up wrongly")
            }
            let isKnown = refund.sequence <= books.heads[Wallet.service]
            totals[refund.charge] = (isKnown ? all : before.known, all)
            guard let move = posted.moves[refund.charge] else {
                // A captured hold is no charge, and can be paid back too.
                continue
            }
            if all > move.amount {
                findings.tell("of charge \(refund.charge.hex) \(dollars(all)) of \(dollars(move.amount)) is paid back")
            }
            let times = told[refund.charge, default: []].count { $0 == refund.refunded }
            if times > 1 || (times == 0 && isKnown) {
                findings.tell("payments has told \(times) times of the refund in fact \(refund.sequence) of the wallet")
            }
        }
        for charge in books.charges {
            let total = totals[charge.charge, default: (0, 0)]
            if !(total.known...max(total.known, total.all)).contains(charge.refunded) {
                findings.tell(
                    "the receipt of charge \(charge.charge.hex) has \(dollars(charge.refunded)) paid back; the ledger "
                        + dollars(total.all))
            }
        }
        return findings.check
    }

    // MARK: Coupons, visits, deliveries

    static func couponsAreRedeemed(_ books: Books) -> Check {
        var findings = Findings(
            "coupons_are_redeemed",
            "The coupon of each paid charge is redeemed, once and for that charge, and no other is")
        var redeemed: [ChargeID: [OfferID]] = [:]
        for redemption in books.redemptions {
            findings.examined += 1
            redeemed[redemption.charge, default: []].append(redemption.coupon)
        }
        var used: [ChargeID: OfferID] = [:]
        for capture in books.captures {
            guard let coupon = capture.coupon else { continue }
            findings.examined += 1
            used[capture.charge] = coupon
            let told = redeemed[capture.charge, default: []]
            if told.isEmpty, capture.sequence > books.heads[Payments.service] { continue }
            if told != [coupon] {
                findings.tell(
                    "charge \(capture.charge.hex) was paid with coupon \(coupon.hex), and redeemed were "
                        + (told.isEmpty ? "none" : told.map(\.hex).joined(separator: ", ")))
            }
        }
        for redemption in books.redemptions where used[redemption.charge] == nil {
            findings.tell(
                "fact \(redemption.sequence) of offers redeems coupon \(redemption.coupon.hex) for charge "
                    + "\(redemption.charge.hex), which was not paid with it")
        }
        return findings.check
    }

    static func couponLimitsKept(_ books: Books) -> Check {
        var findings = Findings("coupon_limits_kept", "No coupon is used more often than it may be in all")
        var uses: [OfferID: Int] = [:]
        for redemption in books.redemptions { uses[redemption.coupon, default: 0] += 1 }
        for (coupon, limit) in books.limits.sorted(by: { $0.key.hex < $1.key.hex }) {
            findings.examined += 1
            let count = uses[coupon, default: 0]
            if count > limit { findings.tell("coupon \(coupon.hex) is used \(count) times and may be \(limit) times") }
        }
        return findings.check
    }

    static func visitsInOrder(_ books: Books) -> Check {
        struct Fenced: Hashable {
            let customer: PartyID
            let place: PlaceID
        }
        var findings = Findings(
            "visits_in_order", "Each visit to a place begins once, and ends at most once, before the next begins",
            about: "visits")
        var inside: Set<Fenced> = []
        for fence in books.fences {
            findings.examined += 1
            let fenced = Fenced(customer: fence.customer, place: fence.place)
            let isRight =
                switch fence.kind {
                case .entered: inside.insert(fenced).inserted
                case .dwelled: inside.contains(fenced)
                case .exited: inside.remove(fenced) != nil
                }
            if !isRight {
                findings.tell(
                    "fact \(fence.sequence) of location tells of one who \(fence.kind == .entered ? "comes and is there" : "is not there")"
                )
            }
        }
        return findings.check
    }

    static func deliveriesHaveNotices(_ books: Books) -> Check {
        var findings = Findings(
            "deliveries_have_notices", "Whatever was delivered, or failed, is a notice in somebody's inbox",
            about: "deliveries")
        for delivery in books.deliveries {
            findings.examined += 1
            if !books.notices.contains(delivery.notice) {
                findings.tell(
                    "fact \(delivery.sequence) of notifications is about notice \(delivery.notice.hex), which was never added"
                )
            }
        }
        return findings.check
    }

    /// The payments among the moves, by charge.
    private struct Posted {
        private(set) var moves: [ChargeID: Books.Move] = [:]
        private(set) var inOrder: [(ChargeID, Books.Move)] = []

        init(_ books: Books) {
            for move in books.moves {
                guard case .payment(let charge, _, _, _) = move.kind else { continue }
                moves[charge] = move
                inOrder.append((charge, move))
            }
        }
    }
}
