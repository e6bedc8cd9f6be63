import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Wire

/// Charges in one SQLite file; all writes go through one group committer, off the reactor's thread.
package final class SQLiteChargeStore: ChargeStore {
    package typealias Publish = @Sendable ([PublishedFact]) -> Void

    private let committer: GroupCommitter
    private let publish: Publish

    /// - Parameter publish: gets the facts of each transaction once they are durable.
    package init(path: String, publish: @escaping Publish = { _ in }) throws {
        committer = GroupCommitter(try SQLiteFile(path: path, migrator: ChargeMigrations.all))
        self.publish = publish
    }

    /// For tests of what the store does, not of what survives.
    package init(inMemory publish: @escaping Publish) throws {
        committer = GroupCommitter(try SQLiteFile(inMemory: ChargeMigrations.all))
        self.publish = publish
    }

    package func request(
        _ charge: Charge, causedBy context: AskContext
    ) async throws -> (charge: Charge, existed: Bool) {
        let (known, told): (Charge?, [PublishedFact]) = try await committer.write { database in
            if let known = try Self.find(charge.id, in: database) { return (known, []) }
            try Self.insert(charge, in: database)
            guard let expires = charge.expires else { return (nil, []) }
            var teller = try FactTeller(database)
            try teller.tell(
                Payments.ChargeRequested(
                    charge: charge.id, merchant: charge.merchant, customer: charge.customer, amount: charge.amount,
                    memo: charge.memo, expires: expires, time: charge.requested),
                at: charge.requested, context)
            return (nil, teller.told)
        }
        publish(told)
        return (known ?? charge, known != nil)
    }

    package func charge(_ id: ChargeID) async throws -> Charge? {
        try await committer.read { try Self.find(id, in: $0) }
    }

    package func charges(
        of party: PartyID, state: Payments.ChargeState?, before: Int64?, limit: Int
    ) async throws -> (charges: [Charge], next: Int64?) {
        try await committer.read { database in
            // Two index walks of at most one page each, merged: SQLite's OR would sort all of a party's charges.
            let page = """
                SELECT * FROM (SELECT * FROM charges
                WHERE %@ = ?1 AND row < ?2 AND (?3 IS NULL OR state = ?3) ORDER BY row DESC LIMIT ?4)
                """
            let sql = """
                \(page.replacingOccurrences(of: "%@", with: "customer"))
                UNION \(page.replacingOccurrences(of: "%@", with: "merchant"))
                ORDER BY row DESC LIMIT ?4
                """
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: sql),
                arguments: [Data(party.bytes), before ?? Int64.max, state.map(Self.number), limit + 1])
            let charges = try rows.prefix(limit).map(Self.charge)
            return (charges, rows.count > limit ? rows[limit - 1]["row"] : nil)
        }
    }

    package func overdue(at now: Timestamp, limit: Int) async throws -> [ChargeID] {
        try await committer.read { database in
            try Data.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id FROM charges WHERE state = 0 AND expires <= ? ORDER BY expires LIMIT ?"),
                arguments: [now.milliseconds, limit]
            ).compactMap { ChargeID(bytes: $0) }
        }
    }

    package func walletPosition() async throws -> Int64 {
        try await committer.read { try Cursors.read($0, source: Wallet.service) }
    }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await committer.read { database in
            FactsPage(
                facts: try Outbox.read(database, after: sequence, limit: limit, bytesMax: FactsPage.bytesMax)
                    .map(RawJSON.init),
                head: try Outbox.head(database))
        }
    }

    // MARK: The wallet's facts

    package func apply(_ facts: [Envelope]) async throws {
        let told = try await committer.write { database in
            var position = try Cursors.read(database, source: Wallet.service)
            var teller = try FactTeller(database)
            for fact in facts {
                // Told again, as after a commit of which nobody heard: it has left its mark, and its fact, already.
                guard let sequence = fact.sequence, sequence > position else { continue }
                try Self.apply(fact, in: database, &teller)
                position = sequence
            }
            try Cursors.write(database, source: Wallet.service, sequence: position)
            return teller.told
        }
        publish(told)
    }

    private static func apply(_ fact: Envelope, in database: Database, _ teller: inout FactTeller) throws {
        switch try ChargeProjection(fact) {
        case .captured(let posted): try capture(posted, fact, in: database, &teller)
        case .closed(let id, let reason, let time): try close(id, reason, at: time, fact, in: database, &teller)
        case .refunded(let refund): try refunded(refund, fact, in: database, &teller)
        case .nothing: break
        }
    }

    private static func capture(
        _ posted: Wallet.PaymentPosted, _ cause: Envelope, in database: Database, _ teller: inout FactTeller
    ) throws {
        let charge = Charge(posted)
        // What was paid stands, whatever was requested under the same id.
        try database.cachedStatement(
            sql: """
                INSERT INTO charges (id, state, merchant, customer, amount, currency, memo, requested, expires, decided,
                    card, card_balance, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, merchant = excluded.merchant,
                    customer = excluded.customer, amount = excluded.amount, currency = excluded.currency,
                    memo = excluded.memo, decided = excluded.decided, card = excluded.card,
                    card_balance = excluded.card_balance, entry = excluded.entry
                """
        ).execute(arguments: arguments(charge))
        try teller.tell(
            Payments.ChargeCaptured(
                charge: posted.payment, merchant: posted.merchant, customer: posted.customer, card: posted.card,
                amount: posted.amount, memo: posted.memo, entry: posted.entry, time: posted.time),
            at: posted.time, AskContext(from: cause))
    }

    private static func close(
        _ id: ChargeID, _ reason: Wallet.CloseReason, at time: Timestamp, _ cause: Envelope, in database: Database,
        _ teller: inout FactTeller
    ) throws {
        // A payment that needed no approval and was refused was never a charge of ours.
        guard let charge = try find(id, in: database), charge.state == .requested else { return }
        try database.cachedStatement(sql: "UPDATE charges SET state = ?, decided = ? WHERE id = ?")
            .execute(arguments: [number(Payments.ChargeState(reason)), time.milliseconds, Data(id.bytes)])
        try teller.tell(
            Payments.ChargeClosed(
                charge: id, merchant: charge.merchant, customer: charge.customer, amount: charge.amount,
                reason: reason, time: time),
            at: time, AskContext(from: cause))
    }

    private static func refunded(
        _ refund: Wallet.RefundPosted, _ cause: Envelope, in database: Database, _ teller: inout FactTeller
    ) throws {
        guard let charge = try find(refund.payment, in: database) else { return }
        try database.cachedStatement(sql: "UPDATE charges SET refunded = ? WHERE id = ?")
            .execute(arguments: [refund.refunded.amount, Data(refund.payment.bytes)])
        try teller.tell(
            Payments.ChargeRefunded(
                charge: refund.payment, merchant: charge.merchant, customer: charge.customer, amount: refund.amount,
                refunded: refund.refunded, time: refund.time),
            at: refund.time, AskContext(from: cause))
    }

    // MARK: Rows

    private static func find(_ id: ChargeID, in database: Database) throws -> Charge? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM charges WHERE id = ?"), arguments: [Data(id.bytes)]
        ).map(charge)
    }

    private static func insert(_ charge: Charge, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO charges (id, state, merchant, customer, amount, currency, memo, requested, expires, decided,
                    card, card_balance, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: arguments(charge))
    }

    private static func arguments(_ charge: Charge) -> StatementArguments {
        [
            Data(charge.id.bytes), number(charge.state), Data(charge.merchant.bytes), Data(charge.customer.bytes),
            charge.amount.amount, charge.amount.currency.code, charge.memo, charge.requested.milliseconds,
            charge.expires?.milliseconds, charge.decided?.milliseconds, charge.card.map { Data($0.bytes) },
            charge.cardBalance?.amount, charge.entry
        ]
    }

    private struct UnreadableRow: Error {}

    private static func charge(_ row: Row) throws -> Charge {
        guard let id = ChargeID(bytes: row["id"] as Data), let merchant = PartyID(bytes: row["merchant"] as Data),
            let customer = PartyID(bytes: row["customer"] as Data), let currency = Currency(row["currency"] as String),
            let state = state(row["state"])
        else { throw UnreadableRow() }
        func time(_ column: String) -> Timestamp? { (row[column] as Int64?).map(Timestamp.init(milliseconds:)) }
        return Charge(
            id: id, merchant: merchant, customer: customer, amount: Money(row["amount"], currency), memo: row["memo"],
            requested: Timestamp(milliseconds: row["requested"]), expires: time("expires"), state: state,
            decided: time("decided"), card: (row["card"] as Data?).flatMap { CardID(bytes: $0) },
            cardBalance: (row["card_balance"] as Int64?).map { Money($0, currency) }, entry: row["entry"],
            refunded: Money(row["refunded"], currency))
    }

    /// Numbers in the file; never renumbered.
    private static let states: [Payments.ChargeState] = [.requested, .captured, .declined, .cancelled, .expired]
    private static func number(_ state: Payments.ChargeState) -> Int? { states.firstIndex(of: state) }
    private static func state(_ number: Int) -> Payments.ChargeState? {
        states.indices.contains(number) ? states[number] : nil
    }
}

extension AskContext {
    /// What a fact hands on to the facts that follow from it.
    fileprivate init(from fact: Envelope) {
        self.init(
            deadline: Timestamp(milliseconds: .max), correlationID: fact.correlationID, causationID: fact.id,
            traceparent: fact.traceparent)
    }
}
