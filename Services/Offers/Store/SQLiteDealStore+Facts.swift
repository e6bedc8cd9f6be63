import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

// What other services tell, made part of this one in the transaction that moves the cursor behind it.

extension SQLiteDealStore {
    /// Accounts and merchants' approvals.
    package func applyAuth(_ facts: [Envelope]) async throws(Fault) {
        try await apply(facts, from: Auth.service) { [self] fact, database in
            switch fact.type {
            case Auth.AccountRegistered.type.name:
                let told = try Auth.AccountRegistered(json: fact.data)
                guard told.role != .administrator else { return }
                try put(
                    Account(
                        id: told.account, role: told.role, username: told.username, name: told.name,
                        profile: Profile(birthdate: told.birthdate, gender: told.gender, student: told.student),
                        status: told.status), in: database)
                try put(told.productTypes ?? [], of: told.account, in: database)
            case Auth.ProfileChanged.type.name:
                let told = try Auth.ProfileChanged(json: fact.data)
                guard told.role != .administrator else { return }
                try put(
                    Account(
                        id: told.account, role: told.role, username: told.username, name: told.name,
                        profile: Profile(birthdate: told.birthdate, gender: told.gender, student: told.student),
                        status: try Self.account(told.account, in: database)?.status), in: database)
                try put(told.productTypes ?? [], of: told.account, in: database)
            case Auth.MerchantDecided.type.name:
                let told = try Auth.MerchantDecided(json: fact.data)
                guard var account = try Self.account(told.merchant, in: database) else { return }
                account.status = told.status
                try put(account, in: database)
            default: break
            }
        }
    }

    private func put(_ account: Account, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO accounts (account, role, username, name, birthdate, gender, student, status)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            account.id.column, account.role.rawValue, account.username, account.name,
            account.profile.birthdate?.description, account.profile.gender?.rawValue, account.profile.student,
            account.status?.rawValue
        ])
        note { $0.note(account) }
    }

    /// A merchant's kinds of products in the place of those before; one that stays keeps its index.
    private func put(_ types: [String], of merchant: PartyID, in database: Database) throws {
        let known = try String.fetchAll(
            database.cachedStatement(sql: "SELECT type FROM products WHERE merchant = ?"), arguments: [merchant.column])
        guard known != [] || types != [] else { return }
        for type in Set(known).subtracting(types) {
            try database.execute(
                sql: "DELETE FROM products WHERE merchant = ? AND type = ?", arguments: [merchant.column, type])
        }
        for type in types where !known.contains(type) {
            try database.execute(
                sql: "INSERT INTO products (merchant, type) VALUES (?, ?)", arguments: [merchant.column, type])
        }
        let now = try Row.fetchAll(
            database, sql: "SELECT * FROM products WHERE merchant = ? ORDER BY product_index",
            arguments: [merchant.column]
        ).map { Offers.ProductType(productIndex: $0["product_index"], type: $0["type"]) }
        note { $0.changeMerchant(merchant) { $0.productTypes = now } }
    }

    private static func account(_ id: PartyID, in database: Database) throws -> Account? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM accounts WHERE account = ?"), arguments: [id.column]
        ).map { try Account($0) }
    }

    /// Charges: histories, stars, and the coupons that were bound to them.
    ///
    /// Most have no coupon and change sums only: memory has them at once, and the file with all others of some seconds
    /// (`writeSums`, ADR 29). Where one has more to say, all of them are one transaction.
    package func applyPayments(_ facts: [Envelope]) async throws(Fault) {
        guard let last = facts.last, let sequence = last.sequence else { return }
        let through = FactPosition(sequence: sequence, mark: last.mark)
        let others: [PaymentNews]? = try await read { [self] database in
            var turns = ShortTurns()
            let news = try facts.map { fact in
                turns.mayEnd()
                return try PaymentNews(fact)
            }
            let cursor = try Cursors.read(database, source: Payments.service)
            return image { image in
                guard news.allSatisfy(image.market.isOfSumsOnly) else { return news }
                image.keep(zip(facts, news), through: through, cursor: cursor)
                return nil
            }
        }
        guard let news = others else {
            if image({ $0.unwritten }) >= Self.unwrittenMax { try await writeSums() }
            return
        }
        try await write { [self] database in
            let heard = try writeSums(in: database)
            guard sequence > heard else { return }
            let tally = image { $0.tally(zip(facts, news), through: through, cursor: heard) }
            for (fact, news) in zip(facts, news) where fact.sequence ?? 0 > heard {
                try settle(news, AskContext(from: fact), in: database)
            }
            try write(tally, in: database)
            note { $0.add(tally) }
        }
    }

    /// So many customers' sums at merchants are written at once: some 30 ms in which the file is not there for others.
    private static let unwrittenMax = 16_384

    private func settle(_ news: PaymentNews, _ context: AskContext, in database: Database) throws {
        switch news {
        case .captured(let told):
            if told.requested == true {
                try database.cachedStatement(sql: "INSERT OR IGNORE INTO paid (charge) VALUES (?)")
                    .execute(arguments: [told.charge.column])
            }
            try adopt(told, in: database)
            try settle(told.charge, .captured(told.coupon), at: told.time, context, in: database)
        case .closed(let told): try settle(told.charge, .closed, at: told.time, context, in: database)
        case .refunded, .nothing: break
        }
    }

    /// Writes what memory has of sums beyond the file, with the cursor behind it. To be called every few seconds, and at
    /// the end; what was not written is heard again after a restart.
    package func writeSums() async throws(Fault) {
        guard image({ $0.isAhead }) else { return }
        try await write { [self] database in _ = try writeSums(in: database) }
    }

    /// - Returns: up to which of payments' facts the file has them then.
    @discardableResult
    func writeSums(in database: Database) throws -> Int64 {
        let cursor = try Cursors.read(database, source: Payments.service)
        guard let due = image({ $0.due(cursor: cursor) }) else { return cursor }
        try write(due, in: database)
        return due.through.sequence
    }

    private func write(_ tally: Tally, in database: Database) throws {
        try statements.write(tally)
        try Cursors.write(
            database, source: Payments.service, sequence: tally.through.sequence, mark: tally.through.mark)
    }

    /// Customers who came to a merchant's place: what the merchant wants to be sent then is sent.
    ///
    /// - Parameter positions: of customers for whom it matters where they are, as far as they are known.
    package func applyLocation(
        _ facts: [Envelope], positions: [PartyID: Coordinate], rules: DealRules, at now: Timestamp
    ) async throws(Fault) {
        try await apply(facts, from: Location.service) { [self] fact, database in
            guard let entered = try Self.fresh(fact, rules, at: now) else { return }
            let offers = try market { market throws(Fault) in market.sentOnEntry(by: entered.merchant) }
            let candidate = Candidate(
                customer: entered.customer, place: entered.place, position: positions[entered.customer])
            for offer in offers {
                _ = try send(
                    offer, to: candidate, because: .entered, at: now, AskContext(from: fact), in: database)
            }
        }
    }

    /// Who came, unless that is old news: after an outage nobody is called back to where they were.
    package static func fresh(
        _ fact: Envelope, _ rules: DealRules, at now: Timestamp
    ) throws -> Location.FenceEntered? {
        guard fact.type == Location.FenceEntered.type.name else { return nil }
        let entered = try Location.FenceEntered(json: fact.data)
        return now - entered.time <= rules.entryFreshness ? entered : nil
    }

    private func apply(
        _ facts: [Envelope], from source: String,
        _ body: @escaping @Sendable (Envelope, Database) throws -> Void
    ) async throws(Fault) {
        try await write { database in
            let position = try Cursors.read(database, source: source)
            var last: (sequence: Int64, fact: Envelope)?
            for fact in facts {
                // Told again, as after a commit of which nobody heard: it has left its mark already.
                guard let sequence = fact.sequence, sequence > last?.sequence ?? position else { continue }
                try body(fact, database)
                last = (sequence, fact)
            }
            if let last {
                try Cursors.write(database, source: source, sequence: last.sequence, mark: last.fact.mark)
            }
        }
    }
}
