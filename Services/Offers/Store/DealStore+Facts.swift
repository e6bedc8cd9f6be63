import Bus
import Contracts
import Primitives
import Storage

// Applies facts of other services, in the transaction that moves the cursor.

extension DealStore: CursorStore {
    /// Accounts and merchants' approvals.
    package func applyAuth(_ facts: [Envelope]) async throws(Fault) {
        try await apply(facts, from: Auth.service) { [self] fact, transaction in
            switch fact.type {
            case Auth.AccountRegistered.type.name:
                let published = try Auth.AccountRegistered(json: fact.data)
                guard published.role != .administrator else { return }
                try put(
                    Account(
                        id: published.account, role: published.role, username: published.username, name: published.name,
                        profile: Profile(
                            birthdate: published.birthdate, gender: published.gender, student: published.student),
                        status: published.status), in: transaction)
                try put(published.productTypes ?? [], of: published.account, in: transaction)
            case Auth.ProfileChanged.type.name:
                let published = try Auth.ProfileChanged(json: fact.data)
                guard published.role != .administrator else { return }
                try put(
                    Account(
                        id: published.account, role: published.role, username: published.username, name: published.name,
                        profile: Profile(
                            birthdate: published.birthdate, gender: published.gender, student: published.student),
                        status: try Self.account(published.account, in: transaction)?.status), in: transaction)
                try put(published.productTypes ?? [], of: published.account, in: transaction)
            case Auth.MerchantDecided.type.name:
                let published = try Auth.MerchantDecided(json: fact.data)
                guard var account = try Self.account(published.merchant, in: transaction) else { return }
                account.status = published.status
                try put(account, in: transaction)
            default: break
            }
        }
    }

    private func put(_ account: Account, in transaction: Transaction) throws {
        try transaction.run(
            """
            INSERT INTO accounts (account, role, username, name, birthdate, gender, student, status)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET role = excluded.role, username = excluded.username,
                name = excluded.name, birthdate = excluded.birthdate, gender = excluded.gender,
                student = excluded.student, status = excluded.status
            """, account.id, account.role.rawValue, account.username, account.name,
            account.profile.birthdate?.description, account.profile.gender?.rawValue, account.profile.student,
            account.status?.rawValue)
        note { $0.note(account) }
    }

    /// Replaces a merchant's product types. A type that stays keeps its index.
    private func put(_ types: [String], of merchant: PartyID, in transaction: Transaction) throws {
        let known = try transaction.values("SELECT type FROM products WHERE merchant = ?", merchant, as: String.self)
        guard known != [] || types != [] else { return }
        for type in Set(known).subtracting(types) {
            try transaction.run("DELETE FROM products WHERE merchant = ? AND type = ?", merchant, type)
        }
        for type in types where !known.contains(type) {
            try transaction.run("INSERT INTO products (merchant, type) VALUES (?, ?)", merchant, type)
        }
        let now = try transaction.all("SELECT * FROM products WHERE merchant = ? ORDER BY product_index", merchant) {
            Offers.ProductType(productIndex: try $0["product_index"], type: try $0["type"])
        }
        note { $0.changeMerchant(merchant) { $0.productTypes = now } }
    }

    private static func account(_ id: PartyID, in transaction: Transaction) throws -> Account? {
        try transaction.first("SELECT * FROM accounts WHERE account = ?", id) { try Account($0) }
    }

    /// Applies charges to reservations, histories and stars.
    ///
    /// Memory has sums at once, and the file a few seconds later with others (`writeSums`, ADR 29). Coupons are settled
    /// in a transaction before; a charge that is read again after a crash is settled already, and stays as it is.
    package func applyPayments(_ facts: [Envelope]) async throws(Fault) {
        guard let last = facts.last, let sequence = last.sequence else { return }
        let through = FactPosition(sequence: sequence, mark: last.mark)
        let unsettled: [PaymentNews]? = try await read { [self] transaction in
            var turns = ShortTurns()
            let news = try facts.map { fact in
                turns.mayEnd()
                return try PaymentNews(fact)
            }
            let cursor = try transaction.position(of: Payments.service).sequence
            return image { image in
                if news.contains(where: image.index.settles) { return news }
                image.keep(zip(facts, news), through: through, cursor: cursor)
                return nil
            }
        }
        if let news = unsettled {
            try await write { [self] transaction in
                for (fact, news) in zip(facts, news) where image({ $0.index.settles(news) }) {
                    try settle(news, AskContext(from: fact), in: transaction)
                }
                let cursor = try transaction.position(of: Payments.service).sequence
                image { $0.keep(zip(facts, news), through: through, cursor: cursor) }
            }
        }
        if image({ $0.unwritten }) >= Self.unwrittenMax { try await writeSums() }
    }

    /// Rows in one write. Bounds how long the file is busy.
    private static let unwrittenMax = 16_384

    private func settle(_ news: PaymentNews, _ context: AskContext, in transaction: Transaction) throws {
        switch news {
        case .captured(let published):
            var reservations = try Self.reservations(of: published.charge, in: transaction)
            if let lacking = try adopt(published, beside: reservations, in: transaction) {
                reservations.append(lacking)
            }
            try settle(
                reservations, of: published.charge, .captured(published.coupon), at: published.time, context,
                in: transaction)
        case .closed(let published):
            let reservations = try Self.reservations(of: published.charge, in: transaction)
            try settle(reservations, of: published.charge, .closed, at: published.time, context, in: transaction)
        case .refunded, .nothing: break
        }
    }

    /// Writes the sums that the file lacks, with the cursor. Call it every few seconds and at the end; after a restart,
    /// facts whose sums were not written are consumed again.
    package func writeSums() async throws(Fault) {
        guard image({ $0.isAhead }) else { return }
        try await write { [self] in try writeSums(in: $0) }
    }

    package func setPosition(of source: String, to position: FactPosition) async throws(Fault) {
        // Sums in memory are of facts up to the old position.
        if source == Payments.service { try await writeSums() }
        try await store.setPosition(of: source, to: position)
        if source == Payments.service { image { $0.forgetWritten() } }
    }

    func writeSums(in transaction: Transaction) throws {
        let cursor = try transaction.position(of: Payments.service).sequence
        if let due = image({ $0.due(cursor: cursor) }) { try write(due, in: transaction) }
    }

    private func write(_ tally: Tally, in transaction: Transaction) throws {
        for (pair, change) in tally.changes {
            if let last = change.last {
                try transaction.postRow(
                    """
                    INSERT INTO histories (customer, merchant, visits, last, stars) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (customer, merchant) DO UPDATE SET visits = histories.visits + excluded.visits,
                        last = max(histories.last, excluded.last), stars = histories.stars + excluded.stars
                    """, pair.customer, pair.merchant, max(0, change.visits), last, max(0, change.stars))
            }
            // Refunds may take away more than was added, and never more than there is.
            let less = change.last == nil ? change : change.losses
            guard less.visits != 0 || less.stars != 0 else { continue }
            try transaction.run(
                """
                UPDATE histories SET visits = max(0, visits + ?3), stars = max(0, stars + ?4)
                WHERE customer = ?1 AND merchant = ?2
                """, pair.customer, pair.merchant, less.visits, less.stars)
        }
        // In their order, so that neighbours in time share a page.
        for charge in tally.paid.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
            try transaction.postRow("INSERT INTO paid (charge) VALUES (?) ON CONFLICT DO NOTHING", charge)
        }
        _ = try transaction.advance(Payments.service, to: tally.through)
    }

    /// Sends merchants' offers to customers who have entered their fences.
    ///
    /// - Parameter positions: known positions of the customers whose offers depend on one.
    package func applyLocation(
        _ facts: [Envelope], positions: [PartyID: Coordinate], rules: DealRules, at now: Timestamp
    ) async throws(Fault) {
        try await apply(facts, from: Location.service) { [self] fact, transaction in
            guard let entered = try Self.fresh(fact, rules, at: now) else { return }
            let offers = try index { index throws(Fault) in index.sentOnEntry(by: entered.merchant) }
            let candidate = Candidate(
                customer: entered.customer, place: entered.place, position: positions[entered.customer])
            for offer in offers {
                _ = try send(
                    offer, to: candidate, because: .entered, at: now, AskContext(from: fact), in: transaction)
            }
        }
    }

    /// The customer who came; nil if that was too long ago, as after an outage.
    package static func fresh(
        _ fact: Envelope, _ rules: DealRules, at now: Timestamp
    ) throws -> Location.FenceEntered? {
        guard fact.type == Location.FenceEntered.type.name else { return nil }
        let entered = try Location.FenceEntered(json: fact.data)
        return now - entered.time <= rules.entryFreshness ? entered : nil
    }

    private func apply(
        _ facts: [Envelope], from source: String, _ body: @escaping @Sendable (Envelope, Transaction) throws -> Void
    ) async throws(Fault) {
        try await write { transaction in
            for fact in try transaction.take(facts, from: source) { try body(fact, transaction) }
        }
    }
}
