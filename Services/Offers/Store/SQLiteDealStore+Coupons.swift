import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

// Coupons and the money of their charges. The rule stands in `Offers.ReserveCoupon`.

extension SQLiteDealStore {
    /// Binds a coupon to a charge.
    ///
    /// - Throws: the refusals of `Offers.ReserveCoupon`.
    package func reserve(
        _ ask: Offers.ReserveCoupon, at now: Timestamp
    ) async throws(Fault) -> (reservation: Reservation, replayed: Bool) {
        try await write { [self] database in
            let known = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM reservations WHERE charge = ? AND coupon = ?"),
                arguments: [ask.charge.column, ask.coupon.column]
            ).map { try Reservation($0) }
            if let known {
                guard known.isOf(ask) else { throw Fault(.idReusedForCoupon) }
                if known.state != .released { return (known, true) }
            }
            let (reservation, title) = try decide(ask, at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO reservations (coupon, charge, customer, merchant, amount, discount, currency, stars,
                        title, expires, state, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                    ON CONFLICT (charge, coupon) DO UPDATE SET discount = excluded.discount, stars = excluded.stars,
                        title = excluded.title, expires = excluded.expires, state = 0, time = excluded.time
                    """
            ).execute(arguments: [
                ask.coupon.column, ask.charge.column, ask.customer.column, ask.merchant.column, ask.amount.amount,
                reservation.discount.amount, ask.amount.currency.code, reservation.stars, title, ask.expires.column,
                now.column
            ])
            note {
                $0.count(reservation, 1)
                $0.reserve(reservation.charge)
            }
            return (reservation, false)
        }
    }

    private func decide(
        _ ask: Offers.ReserveCoupon, at now: Timestamp, in database: Database
    ) throws -> (Reservation, title: String) {
        guard let offer = try Self.find(ask.coupon, in: database), offer.kind == .coupon else {
            throw Fault(.offerNotFound)
        }
        let isPaid = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM paid WHERE charge = ?)"),
            arguments: [ask.charge.column])
        guard offer.merchant == ask.merchant, let discount = offer.terms.discount, isPaid != true else {
            throw Fault(.couponNotUsable)
        }
        let target = Target(offer)
        let moment = Moment(now: now, position: nil)
        let subject = try market { market throws(Fault) in market.subject(ask.customer, for: target) }
        for rule in Targeting.redeemed where !Targeting.passes(rule, target, subject, moment) {
            throw rule == .uses
                ? Fault(.couponUsedUp) : Fault(.couponNotUsable, "the rule '\(rule.rawValue)' does not hold")
        }
        if let minimum = offer.terms.minimum {
            guard minimum.currency == ask.amount.currency else { throw Fault(.couponNotUsable) }
            guard ask.amount.amount >= minimum.amount else {
                throw Fault(.couponMinimum, "at least \(minimum.display)")
            }
        }
        if let fixed = discount.amount, fixed.currency != ask.amount.currency { throw Fault(.couponNotUsable) }
        guard let taken = discount.taken(off: ask.amount) else { throw Fault(.couponMinimum) }
        let reservation = Reservation(
            coupon: ask.coupon, charge: ask.charge, customer: ask.customer, merchant: ask.merchant,
            amount: ask.amount, discount: taken, stars: target.stars, state: .open)
        return (reservation, offer.terms.title)
    }

    /// Ends the reservations of a charge as the charge has ended.
    package func settle(_ charge: ChargeID, _ end: ChargeEnd, at time: Timestamp, causedBy context: AskContext)
        async throws(Fault)
    {
        try await write { [self] in try settle(charge, end, at: time, context, in: $0) }
    }

    func settle(
        _ charge: ChargeID, _ end: ChargeEnd, at time: Timestamp, _ context: AskContext, in database: Database
    ) throws {
        let reservations = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM reservations WHERE charge = ?"), arguments: [charge.column]
        ).map { try Reservation($0) }
        for reservation in reservations {
            var isRedeemed = false
            if case .captured(reservation.coupon) = end { isRedeemed = true }
            switch (reservation.state, isRedeemed) {
            case (.redeemed, _), (.released, false): continue
            case (.open, false): note { $0.count(reservation, -1) }
            // The money was taken with it, whatever had become of it here: money is right.
            case (.released, true): note { $0.count(reservation, 1) }
            case (.open, true): break
            }
            let state: Reservation.State = isRedeemed ? .redeemed : .released
            try database.cachedStatement(
                sql: "UPDATE reservations SET state = ?, time = ? WHERE charge = ? AND coupon = ?"
            ).execute(arguments: [state.rawValue, time.column, charge.column, reservation.coupon.column])
            guard isRedeemed else { continue }
            try Self.tell(
                Offers.CouponRedeemed(
                    coupon: reservation.coupon, charge: charge, customer: reservation.customer,
                    merchant: reservation.merchant, discount: reservation.discount, time: time),
                in: database, at: time, context)
        }
        if !reservations.isEmpty { note { $0.end(charge) } }
    }

    /// Makes up a reservation that a charge was captured with and that the file has not, as one from an old copy may:
    /// money is right.
    func adopt(_ told: Payments.ChargeCaptured, in database: Database) throws {
        guard let coupon = told.coupon, let discount = told.discount else { return }
        let reservation = Reservation(
            coupon: coupon, charge: told.charge, customer: told.customer, merchant: told.merchant,
            amount: told.amount, discount: discount, stars: 0, state: .open)
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO reservations (coupon, charge, customer, merchant, amount, discount, currency,
                    stars, title, expires, state, time) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 0, ?)
                """
        ).execute(arguments: [
            coupon.column, told.charge.column, told.customer.column, told.merchant.column, told.amount.amount,
            discount.amount, discount.currency.code, try Self.find(coupon, in: database)?.terms.title ?? "",
            told.time.column, told.time.column
        ])
        if database.changesCount > 0 { note { $0.count(reservation, 1) } }
    }

    /// Reservations that are open long after their charges should have ended, oldest first.
    package func overdue(before time: Timestamp, limit: Int) async throws(Fault) -> [Reservation] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM reservations WHERE state = 0 AND expires < ? ORDER BY expires LIMIT ?",
                arguments: [time.column, limit]
            ).map { try Reservation($0) }
        }
    }
}
