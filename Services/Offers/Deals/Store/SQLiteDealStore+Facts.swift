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
    package func applyPayments(_ facts: [Envelope]) async throws(Fault) {
        try await apply(facts, from: Payments.service) { [self] fact, database in
            switch fact.type {
            case Payments.ChargeCaptured.type.name:
                let told = try Payments.ChargeCaptured(json: fact.data)
                try capture(told, in: database)
                try adopt(told, in: database)
                try settle(
                    told.charge, .captured(told.coupon), at: told.time, AskContext(from: fact), in: database)
            case Payments.ChargeClosed.type.name:
                let told = try Payments.ChargeClosed(json: fact.data)
                try settle(told.charge, .closed, at: told.time, AskContext(from: fact), in: database)
            case Payments.ChargeRefunded.type.name:
                try refund(try Payments.ChargeRefunded(json: fact.data), in: database)
            default: break
            }
        }
    }

    private func capture(_ told: Payments.ChargeCaptured, in database: Database) throws {
        let joined = try market { market throws(Fault) in market.customers[told.customer]?.joined }
        let isStar = joined.map { $0 <= told.time } ?? false
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO purchases (charge, customer, merchant, amount, time, refunded, star)
                VALUES (?, ?, ?, ?, ?, 0, ?)
                """
        ).execute(arguments: [
            told.charge.column, told.customer.column, told.merchant.column, told.amount.amount, told.time.column, isStar
        ])
        guard database.changesCount > 0 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO histories (customer, merchant, visits, last, stars) VALUES (?, ?, 1, ?, ?)
                ON CONFLICT (customer, merchant) DO UPDATE SET visits = visits + 1,
                    last = max(last, excluded.last), stars = stars + excluded.stars
                """
        ).execute(arguments: [told.customer.column, told.merchant.column, told.time.column, isStar ? 1 : 0])
        note {
            $0.changeCustomer(told.customer) { customer in
                var history = customer.histories[told.merchant] ?? History()
                history.visits += 1
                history.last = history.last.map { max($0, told.time) } ?? told.time
                history.stars += isStar ? 1 : 0
                customer.histories[told.merchant] = history
            }
        }
    }

    /// A refund in full takes visit and star back; one in part neither.
    private func refund(_ told: Payments.ChargeRefunded, in database: Database) throws {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM purchases WHERE charge = ?"),
                arguments: [told.charge.column]), row["refunded"] == 0,
            told.refunded.amount >= row["amount"] as Int64
        else { return }
        let (customer, merchant): (PartyID, PartyID) = (
            try row.identifier("customer"), try row.identifier("merchant")
        )
        let stars: Int = row["star"]
        try database.cachedStatement(sql: "UPDATE purchases SET refunded = 1, star = 0 WHERE charge = ?")
            .execute(arguments: [told.charge.column])
        try database.cachedStatement(
            sql: "UPDATE histories SET visits = visits - 1, stars = stars - ? WHERE customer = ? AND merchant = ?"
        ).execute(arguments: [stars, customer.column, merchant.column])
        note {
            $0.changeCustomer(customer) { customer in
                customer.histories[merchant]?.visits -= 1
                customer.histories[merchant]?.stars -= stars
            }
        }
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
