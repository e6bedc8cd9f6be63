import Bus
import Contracts
import Primitives

/// Reads the books of a running set over the bus. See `Books` for the order, which is what makes them fit together while
/// the set goes on.
package struct BooksReader: Sendable {
    /// Asks at once, so that the audit leaves room for whoever pays meanwhile.
    private static let width = 16
    /// Entries that the wallet looks at in one stroke, in which nobody pays: some 20 ms.
    private static let stretch = 500

    /// How long a service may take to show that it is there.
    private static let rollCallPatience = Duration.seconds(3)

    /// Without one of them there is nothing to hold the others' data against.
    package struct Missing: Error, CustomStringConvertible {
        package let services: [String]
        package var description: String {
            "\(services.joined(separator: ", ")) \(services.count == 1 ? "does" : "do") not answer; the log says why"
        }
    }

    package typealias Progress = (_ what: String) -> Void

    private let bus: Bus
    /// How long a reader may take to have read what there was when the audit began.
    private let patience: Duration
    /// A head that the ledger must have; nil for none but those that the wallet knows.
    private let anchor: Wallet.Anchor?

    package init(_ bus: Bus, patience: Duration = .seconds(10), anchor: Wallet.Anchor? = nil) {
        self.bus = bus
        self.patience = patience
        self.anchor = anchor
    }

    /// - Throws: `Missing`; `Fault` of a service that stops to answer; `WireError` for a fact that cannot be read.
    package func read(progress: Progress = { _ in }) async throws -> Books {
        var books = Books()
        try await rollCall()
        progress("heads")
        books.heads = try await heads()
        let ledger = try await bus.ask(Wallet.ReadLedger(), in: bus.patient)
        books.ledger.entries = ledger.entries
        progress("readers")
        books.readers = try await readers(books.heads)

        progress("notifications")
        let notices = try await facts(Notifications.self, into: &books)
        try readNotices(notices, into: &books)
        progress("offers")
        let offers = try await facts(Offers.self, into: &books)
        try readRedemptions(offers, into: &books)
        books.limits = try await limits(Set(books.redemptions.map(\.coupon)))
        progress("charges")
        let damaged = try await readCharges(into: &books)
        progress("payments")
        let payments = try await facts(Payments.self, into: &books)
        try readCaptures(payments, into: &books)
        progress("location")
        let location = try await facts(Location.self, into: &books)
        try readFences(location, into: &books)
        progress("auth")
        _ = try await facts(Auth.self, into: &books)
        progress("wallet")
        let wallet = try await facts(Wallet.self, into: &books)
        try readMoves(wallet, into: &books)
        try await readCharges(of: damaged, into: &books)
        progress("ledger")
        try await verify(into: &books)
        return books
    }

    // MARK: Heads and readers

    private func rollCall() async throws(Missing) {
        async let auth = isThere(Auth.self)
        async let wallet = isThere(Wallet.self)
        async let payments = isThere(Payments.self)
        async let location = isThere(Location.self)
        async let offers = isThere(Offers.self)
        async let notifications = isThere(Notifications.self)
        let missing = await [
            (Auth.service, auth), (Wallet.service, wallet), (Payments.service, payments), (Location.service, location),
            (Offers.service, offers), (Notifications.service, notifications)
        ].filter { !$0.1 }
        guard missing.isEmpty else { throw Missing(services: missing.map(\.0)) }
    }

    private func isThere<Service: BusService>(_ service: Service.Type) async -> Bool {
        let context = AskContext(deadline: bus.clock.now() + Self.rollCallPatience)
        // Whatever the reason, it does not answer.
        return (try? await bus.ask(ReadStats<Service>(), in: context)) != nil
    }

    private func heads() async throws -> Books.Heads {
        var heads = Books.Heads()
        for (source, head) in try await [
            (Auth.service, head(Auth.self)), (Wallet.service, head(Wallet.self)),
            (Payments.service, head(Payments.self)),
            (Location.service, head(Location.self)), (Offers.service, head(Offers.self)),
            (Notifications.service, head(Notifications.self))
        ] { heads.bySource[source] = head }
        return heads
    }

    private func head<Source: FactSource>(_ source: Source.Type) async throws -> Int64 {
        try await bus.ask(ReadFacts<Source>(after: Int64.max - 1, limit: 1), in: bus.patient).head
    }

    /// How far each has read, once all have read what there was, or time is up.
    private func readers(_ begun: Books.Heads) async throws -> [Books.ReaderBook] {
        let end = bus.clock.now() + patience
        while true {
            let samples =
                try await positions(Payments.self) + positions(Offers.self) + positions(Notifications.self)
            // Behind the positions, so that none of them can be ahead of it.
            let now = try await heads()
            let readers = samples.map { service, sample, isDiverged in
                let source = sample.labels["source"] ?? ""
                return Books.ReaderBook(
                    service: service, source: source, position: sample.value, head: now[source],
                    isDiverged: isDiverged)
            }
            let isDone = readers.allSatisfy { $0.position >= begun[$0.source] }
            if isDone || bus.clock.now() >= end || readers.contains(where: \.isDiverged) { return readers }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func positions<Service: BusService>(
        _ service: Service.Type
    ) async throws -> [(String, ServiceStats.Sample, isDiverged: Bool)] {
        let stats = try await bus.ask(ReadStats<Service>(), in: bus.patient).metrics
        let diverged = stats.filter { $0.name == "facts_diverged" && $0.value > 0 }.compactMap { $0.labels["source"] }
        return stats.filter { $0.name == "facts_position" }.map { sample in
            (Service.service, sample, diverged.contains(sample.labels["source"] ?? ""))
        }
    }

    private func facts<Source: FactSource>(_ source: Source.Type, into books: inout Books) async throws -> [Envelope] {
        let log = try await FactReader<Source>.read(bus, after: 0, through: try await head(source))
        books.logs[Source.service] = Books.LogBook(facts: log.facts.count, faults: log.faults)
        return log.facts.map(\.fact)
    }

    // MARK: The wallet

    private func readMoves(_ facts: [Envelope], into books: inout Books) throws {
        for fact in facts {
            let sequence = fact.sequence ?? 0
            func move(
                _ entry: Int64, _ amount: Money, _ kind: Books.Move.Kind = .other, _ legs: Books.Leg...
            ) -> Books.Move {
                Books.Move(sequence: sequence, entry: entry, kind: kind, amount: amount.amount, legs: legs)
            }
            func leg(_ card: CardID, _ change: Int64, _ balance: Money?) -> Books.Leg {
                Books.Leg(card: card, change: change, balance: balance?.amount)
            }
            switch fact.type {
            case Wallet.PaymentPosted.type.name:
                let told = try Wallet.PaymentPosted(json: fact.data)
                books.moves.append(
                    move(
                        told.entry, told.amount,
                        .payment(told.payment, customer: told.customer, merchant: told.merchant, coupon: told.coupon),
                        leg(told.card, -told.amount.amount, told.cardBalance)))
            case Wallet.CardAdded.type.name:
                let told = try Wallet.CardAdded(json: fact.data)
                // A card may begin with nothing on it, and then no entry made it.
                guard told.entry > 0 else { continue }
                books.moves.append(
                    move(told.entry, told.balance, .other, leg(told.card, told.balance.amount, told.balance)))
            case Wallet.CardReloaded.type.name:
                let told = try Wallet.CardReloaded(json: fact.data)
                books.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, told.amount.amount, told.cardBalance)))
            case Wallet.HoldCaptured.type.name:
                let told = try Wallet.HoldCaptured(json: fact.data)
                books.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, -told.amount.amount, told.cardBalance)))
            case Wallet.RefundPosted.type.name:
                let told = try Wallet.RefundPosted(json: fact.data)
                books.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, told.amount.amount, told.cardBalance)))
                books.refunds.append(
                    Books.Refund(
                        sequence: sequence, charge: told.payment, amount: told.amount.amount,
                        refunded: told.refunded.amount))
            case Wallet.TransferPosted.type.name:
                let told = try Wallet.TransferPosted(json: fact.data)
                var posted = move(told.entry, told.amount)
                if let card = told.from.card { posted.legs.append(leg(card, -told.amount.amount, told.balance)) }
                if let card = told.to.card { posted.legs.append(leg(card, told.amount.amount, nil)) }
                books.moves.append(posted)
            default: continue
            }
        }
    }

    private func verify(into books: inout Books) async throws {
        var after: Int64? = 0
        while let start = after {
            let part = try await bus.ask(
                Wallet.VerifyLedger(after: start, limit: Self.stretch, anchor: anchor), in: bus.patient)
            books.ledger.checked += part.checked
            books.ledger.problems += part.problems
            after = part.next
        }
        books.ledger.total = try await bus.ask(Wallet.ReadLedger(), in: bus.patient).total.amount
    }

    // MARK: Payments

    private func readCaptures(_ facts: [Envelope], into books: inout Books) throws {
        for fact in facts {
            let sequence = fact.sequence ?? 0
            switch fact.type {
            case Payments.ChargeCaptured.type.name:
                let told = try Payments.ChargeCaptured(json: fact.data)
                books.captures.append(
                    Books.Capture(
                        sequence: sequence, charge: told.charge, customer: told.customer, merchant: told.merchant,
                        card: told.card, amount: told.amount.amount, entry: told.entry, coupon: told.coupon))
            case Payments.ChargeRefunded.type.name:
                let told = try Payments.ChargeRefunded(json: fact.data)
                books.refundsTold.append(
                    Books.Refund(
                        sequence: sequence, charge: told.charge, amount: told.amount.amount,
                        refunded: told.refunded.amount))
            default: continue
            }
        }
    }

    /// The lists of all merchants who were ever paid or asked for money.
    ///
    /// - Returns: merchants whose lists cannot be read to their ends.
    private func readCharges(into books: inout Books) async throws -> Set<PartyID> {
        var merchants: Set<PartyID> = []
        let told = try await FactReader<Payments>.read(bus, after: 0, through: books.heads[Payments.service])
        for (fact, _) in told.facts {
            switch fact.type {
            case Payments.ChargeCaptured.type.name:
                merchants.insert(try Payments.ChargeCaptured(json: fact.data).merchant)
            case Payments.ChargeRequested.type.name:
                merchants.insert(try Payments.ChargeRequested(json: fact.data).merchant)
            default: continue
            }
        }
        let lists = try await pipelined(Array(merchants), width: Self.width, on: bus) { merchant in
            (merchant, try await charges(of: merchant))
        }
        var damaged: Set<PartyID> = []
        for (merchant, (charges, trouble)) in lists {
            books.charges += charges
            guard let trouble else { continue }
            books.unreadable.append(trouble)
            damaged.insert(merchant)
        }
        return damaged
    }

    /// What stands behind the damage in those merchants' lists, one by one: so that only what is wrong is named.
    private func readCharges(of damaged: Set<PartyID>, into books: inout Books) async throws {
        let known = Set(books.charges.map(\.charge))
        let missing = books.moves.compactMap { move -> Payments.ReadCharge? in
            guard case .payment(let charge, _, let merchant, _) = move.kind, damaged.contains(merchant),
                !known.contains(charge)
            else { return nil }
            return Payments.ReadCharge(charge: charge, party: merchant)
        }
        let found = try await pipelined(missing, width: Self.width, on: bus) { ask -> Payments.ChargeView? in
            // One that cannot be read is one that is missed.
            try? await bus.ask(ask, in: AskContext(deadline: bus.clock.now() + Self.pagePatience))
        }
        books.charges += found.compactMap { $0.map(Books.Charge.init) }
    }

    /// What can be read of a merchant's list, and what kept the rest from being read.
    private func charges(of merchant: PartyID) async throws -> ([Books.Charge], trouble: String?) {
        var charges: [Books.Charge] = []
        var before: Int64?
        while true {
            let page: Payments.ReadCharges.Reply
            do throws(Fault) {
                page = try await bus.ask(
                    Payments.ReadCharges(party: merchant, state: nil, before: before, limit: 100),
                    in: AskContext(deadline: bus.clock.now() + Self.pagePatience))
            } catch {
                // Damage in the list. The receipts behind it are missed one by one.
                return (charges, "the list of merchant \(merchant.hex) cannot be read: \(error.code)")
            }
            charges += page.charges.map(Books.Charge.init)
            guard let next = page.next else { return (charges, nil) }
            before = next
        }
    }
    /// How long damage is asked for again, as if it were a service in trouble.
    private static let pagePatience = Duration.seconds(3)

    // MARK: Offers, location, notifications

    private func readRedemptions(_ facts: [Envelope], into books: inout Books) throws {
        for fact in facts where fact.type == Offers.CouponRedeemed.type.name {
            let told = try Offers.CouponRedeemed(json: fact.data)
            books.redemptions.append(
                Books.Redemption(sequence: fact.sequence ?? 0, coupon: told.coupon, charge: told.charge))
        }
    }

    private func limits(_ coupons: Set<OfferID>) async throws -> [OfferID: Int] {
        let limits = try await pipelined(Array(coupons), width: Self.width, on: bus) { coupon in
            (coupon, try await bus.ask(Offers.ReadOffer(offer: coupon), in: bus.patient).terms.usesInAll)
        }
        return limits.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    private func readFences(_ facts: [Envelope], into books: inout Books) throws {
        for fact in facts {
            let sequence = fact.sequence ?? 0
            switch fact.type {
            case Location.FenceEntered.type.name:
                let told = try Location.FenceEntered(json: fact.data)
                books.fences.append(
                    Books.Fence(sequence: sequence, kind: .entered, customer: told.customer, place: told.place))
            case Location.FenceDwelled.type.name:
                let told = try Location.FenceDwelled(json: fact.data)
                books.fences.append(
                    Books.Fence(sequence: sequence, kind: .dwelled, customer: told.customer, place: told.place))
            case Location.FenceExited.type.name:
                let told = try Location.FenceExited(json: fact.data)
                books.fences.append(
                    Books.Fence(sequence: sequence, kind: .exited, customer: told.customer, place: told.place))
            default: continue
            }
        }
    }

    private func readNotices(_ facts: [Envelope], into books: inout Books) throws {
        for fact in facts {
            let sequence = fact.sequence ?? 0
            switch fact.type {
            case Notifications.NoticeAdded.type.name:
                books.notices.insert(try Notifications.NoticeAdded(json: fact.data).notice)
            case Notifications.NoticeDelivered.type.name:
                if let notice = try Notifications.NoticeDelivered(json: fact.data).notice {
                    books.deliveries.append((sequence, notice))
                }
            case Notifications.NoticeFailed.type.name:
                if let notice = try Notifications.NoticeFailed(json: fact.data).notice {
                    books.deliveries.append((sequence, notice))
                }
            default: continue
            }
        }
    }
}

extension Books.Charge {
    fileprivate init(_ view: Payments.ChargeView) {
        self.init(
            charge: view.charge, isCaptured: view.state == .captured, customer: view.customer, merchant: view.merchant,
            card: view.card, amount: view.amount.amount, entry: view.entry, refunded: view.refunded.amount,
            coupon: view.coupon)
    }
}
