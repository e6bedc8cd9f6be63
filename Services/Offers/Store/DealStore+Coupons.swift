import Bus
import Contracts
import Primitives
import Storage

// Reservations of coupons. `Offers.ReserveCoupon` documents the rule.

extension DealStore {
    /// Binds a coupon to a charge. A reservation that is lost with the host is found again where it matters: the
    /// wallet's commit names the coupon of a captured charge, and offers reads that before it is ready (ADR 53).
    ///
    /// - Throws: the refusals of `Offers.ReserveCoupon`.
    package func reserve(
        _ ask: Offers.ReserveCoupon, at now: Timestamp
    ) async throws(Fault) -> (reservation: Reservation, replayed: Bool) {
        try await write(surviving: .process) { [self] transaction in
            let known = try transaction.first(
                "SELECT * FROM reservations WHERE charge = ? AND coupon = ?", ask.charge, ask.coupon
            ) { try Reservation($0) }
            if let known {
                guard known.isOf(ask) else { throw Fault(.idReusedForCoupon) }
                if known.state != .released { return (known, true) }
            }
            let (reservation, title) = try decide(ask, at: now, in: transaction)
            try transaction.run(
                """
                INSERT INTO reservations (coupon, charge, customer, merchant, amount, discount, currency, stars,
                    title, expires, state, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
                ON CONFLICT (charge, coupon) DO UPDATE SET discount = excluded.discount, stars = excluded.stars,
                    title = excluded.title, expires = excluded.expires, state = 0, time = excluded.time
                """, ask.coupon, ask.charge, ask.customer, ask.merchant, ask.amount.amount, reservation.discount.amount,
                ask.amount.currency.code, reservation.stars, title, ask.expires, now)
            note {
                $0.count(reservation, 1)
                $0.reserve(reservation.charge)
            }
            return (reservation, false)
        }
    }

    private func decide(
        _ ask: Offers.ReserveCoupon, at now: Timestamp, in transaction: Transaction
    ) throws -> (Reservation, title: String) {
        guard let offer = try offer(ask.coupon, in: transaction), offer.kind == .coupon else {
            throw Fault(.offerNotFound)
        }
        guard offer.merchant == ask.merchant, let discount = offer.terms.discount,
            try !isPaid(ask.charge, in: transaction)
        else { throw Fault(.couponNotUsable) }
        let target = Target(offer)
        let moment = Moment(now: now, position: nil)
        let subject = try subject(ask.customer, for: target, in: transaction)
        for rule in Targeting.redeemed where !Targeting.passes(rule, target, subject, moment) {
            guard rule == .uses else { throw Fault(.couponNotUsable, "the rule '\(rule.rawValue)' does not hold") }
            let isOwnLimit = subject.uses >= Int(target.usesPerCustomer ?? .max)
            let waits = try isReserved(ask.coupon, by: isOwnLimit ? ask.customer : nil, in: transaction)
            throw Fault(
                .couponUsedUp,
                waits ? "a charge that is being paid has it: if that ends unpaid, it is free again" : nil)
        }
        if let minimum = offer.terms.minimum {
            guard minimum.currency == ask.amount.currency else { throw Fault(.couponNotUsable) }
            guard ask.amount.amount >= minimum.amount else {
                throw Fault(.couponMinimum, "at least \(minimum.display)")
            }
        }
        if let fixed = discount.amount, fixed.currency != ask.amount.currency { throw Fault(.couponNotUsable) }
        guard let taken = discount.taken(off: ask.amount) else {
            throw Fault(.couponMinimum, "the discount would leave nothing to pay")
        }
        let reservation = Reservation(
            coupon: ask.coupon, charge: ask.charge, customer: ask.customer, merchant: ask.merchant,
            amount: ask.amount, discount: taken, stars: target.stars, state: .open)
        return (reservation, offer.terms.title)
    }

    /// The facts that the rules read of a customer and an offer, also of one that the index has forgotten.
    func subject(_ customer: PartyID, for target: Target, in transaction: Transaction) throws -> Subject {
        try recall(target.offer, in: transaction)
        return try index { index throws(Fault) in index.subject(customer, for: target) }
    }

    /// Counts again how often an offer was used that the index has forgotten (`OfferIndex.sweep`). Call it before the
    /// index is asked about an offer from the file, and before such an offer is put into it.
    func recall(_ coupon: OfferID, in transaction: Transaction) throws {
        let isKnown = try index { index throws(Fault) in index.has(coupon) }
        guard !isKnown else { return }
        let customers = try transaction.values(
            """
            SELECT customer FROM reservations WHERE coupon = ?1 AND state = 1
            UNION ALL SELECT customer FROM reservations WHERE coupon = ?1 AND state = 0
            """, coupon, as: PartyID.self)
        image { $0.index.recall(coupon, usedBy: customers) }
    }

    /// - Parameter customer: nil is anybody.
    private func isReserved(_ coupon: OfferID, by customer: PartyID?, in transaction: Transaction) throws -> Bool {
        guard let customer else {
            return try transaction.value(
                "SELECT EXISTS (SELECT 1 FROM reservations WHERE coupon = ? AND state = 0)", coupon) == true
        }
        return try transaction.value(
            "SELECT EXISTS (SELECT 1 FROM reservations WHERE coupon = ? AND customer = ? AND state = 0)", coupon,
            customer) == true
    }

    private func isPaid(_ charge: ChargeID, in transaction: Transaction) throws -> Bool {
        if image({ $0.isPaid(charge) }) { return true }
        return try transaction.value("SELECT EXISTS (SELECT 1 FROM paid WHERE charge = ?)", charge) == true
    }

    /// Redeems or releases the reservations of a charge that has ended.
    package func settle(_ charge: ChargeID, _ end: ChargeEnd, at time: Timestamp, causedBy context: AskContext)
        async throws(Fault)
    {
        try await write { [self] transaction in
            let reservations = try Self.reservations(of: charge, in: transaction)
            try settle(reservations, of: charge, end, at: time, context, in: transaction)
        }
    }

    static func reservations(of charge: ChargeID, in transaction: Transaction) throws -> [Reservation] {
        try transaction.all("SELECT * FROM reservations WHERE charge = ?", charge) { try Reservation($0) }
    }

    /// - Parameter reservations: all of the charge's.
    func settle(
        _ reservations: [Reservation], of charge: ChargeID, _ end: ChargeEnd, at time: Timestamp,
        _ context: AskContext, in transaction: Transaction
    ) throws {
        for reservation in reservations {
            var isRedeemed = false
            if case .captured(reservation.coupon) = end { isRedeemed = true }
            switch (reservation.state, isRedeemed) {
            case (.redeemed, _), (.released, false): continue
            case (.open, false): note { $0.count(reservation, -1) }
            // The charge was paid with this coupon: it counts as redeemed, whatever state it had here.
            case (.released, true): note { $0.count(reservation, 1) }
            case (.open, true): break
            }
            let state: Reservation.State = isRedeemed ? .redeemed : .released
            try transaction.run(
                "UPDATE reservations SET state = ?, time = ? WHERE charge = ? AND coupon = ?", state.rawValue, time,
                charge, reservation.coupon)
            guard isRedeemed else { continue }
            try transaction.publish(
                Offers.CouponRedeemed(
                    coupon: reservation.coupon, charge: charge, customer: reservation.customer,
                    merchant: reservation.merchant, discount: reservation.discount, time: time),
                at: time, because: context)
        }
        if !reservations.isEmpty { note { $0.end(charge) } }
    }

    /// Adds the reservation of a captured charge if the file lacks it, as a restored older copy may, and one whose host
    /// has failed (ADR 53). It costs a member the stars that the coupon costs now.
    ///
    /// - Parameter known: the charge's reservations.
    func adopt(
        _ published: Payments.ChargeCaptured, beside known: [Reservation], in transaction: Transaction
    ) throws -> Reservation? {
        guard let coupon = published.coupon, let discount = published.discount,
            !known.contains(where: { $0.coupon == coupon })
        else { return nil }
        // A reservation has what was asked for, the fact what was paid.
        let asked = Money(published.amount.amount &+ discount.amount, discount.currency)
        let offer = try offer(coupon, in: transaction)
        let isMember = try index { index throws(Fault) in index.isStar(published.customer, at: published.time) }
        let reservation = Reservation(
            coupon: coupon, charge: published.charge, customer: published.customer, merchant: published.merchant,
            amount: asked, discount: discount, stars: isMember ? offer.map { Target($0).stars } ?? 0 : 0, state: .open)
        try transaction.run(
            """
            INSERT INTO reservations (coupon, charge, customer, merchant, amount, discount, currency,
                stars, title, expires, state, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """, coupon, published.charge, published.customer, published.merchant, asked.amount, discount.amount,
            discount.currency.code, reservation.stars, offer?.terms.title ?? "", published.time, published.time)
        note { $0.count(reservation, 1) }
        return reservation
    }

    /// Open reservations of charges that should have ended long ago, oldest first.
    package func overdue(before time: Timestamp, limit: Int) async throws(Fault) -> [Reservation] {
        try await read { transaction in
            try transaction.all(
                "SELECT * FROM reservations WHERE state = 0 AND expires < ? ORDER BY expires LIMIT ?", time, limit
            ) { try Reservation($0) }
        }
    }
}
