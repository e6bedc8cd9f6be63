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

    package let disabled: DisabledCustomers
    private let committer: GroupCommitter
    private let statements: ChargeStatements
    private let publish: Publish

    /// - Parameters:
    ///   - publish: gets the facts of each transaction once they are durable.
    ///   - rowsAheadMax: see `KeysAhead.placesMax`.
    package convenience init(
        path: String, rowsAheadMax: Int = KeysAhead.placesMax, publish: @escaping Publish = { _ in }
    ) throws {
        try self.init(SQLiteFile(path: path, migrator: ChargeMigrations.all), rowsAheadMax, publish)
    }

    /// For tests of what the store does, not of what survives.
    package convenience init(rowsAheadMax: Int = KeysAhead.placesMax, inMemory publish: @escaping Publish) throws {
        try self.init(SQLiteFile(inMemory: ChargeMigrations.all), rowsAheadMax, publish)
    }

    private init(_ file: SQLiteFile, _ rowsAheadMax: Int, _ publish: @escaping Publish) throws {
        statements = try file.queue.writeWithoutTransaction { try ChargeStatements($0, rowsAheadMax: rowsAheadMax) }
        disabled = DisabledCustomers(try file.queue.read(Self.disabledCustomers))
        committer = GroupCommitter(file) { [statements] in statements.undone($0) }
        self.publish = publish
    }

    package func request(
        _ charge: Charge, causedBy context: AskContext
    ) async throws -> (charge: Charge, existed: Bool) {
        let (known, told): (Charge?, [PublishedFact]) = try await committer.write { [statements] database in
            if let known = try Self.find(charge.id, statements, in: database) { return (known.charge, []) }
            guard let expires = charge.expires else { throw StoreFailure.constraint("a request without an end") }
            var changes = try ChargeChanges(statements)
            try changes.request(charge)
            try changes.tell(
                Payments.ChargeRequested(
                    charge: charge.id, merchant: charge.merchant, customer: charge.customer, amount: charge.amount,
                    memo: charge.memo, expires: expires, time: charge.requested),
                at: charge.requested, context)
            try changes.finish()
            return (nil, changes.told)
        }
        publish(told)
        return (known ?? charge, known != nil)
    }

    package func charge(_ id: ChargeID) async throws -> Charge? {
        try await committer.read { [statements] in try Self.find(id, statements, in: $0)?.charge }
    }

    package func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int
    ) async throws -> (charges: [Charge], next: Int64?) {
        try await committer.read { [statements] database in
            var row: Int64
            if let before, before != 0 {
                guard let older = try statements.link(of: party, in: before) else { return ([], nil) }
                row = older
            } else {
                row = try statements.newestRow(of: party)
            }
            var charges: [Charge] = []
            var last = before
            for _ in 0..<Self.linksPerPage {
                guard row != 0 else { return (charges, nil) }
                guard let older = try statements.link(of: party, in: row),
                    let charge = try Self.find(row: row, in: database)
                else { throw StoreFailure.damaged("row \(row) of a history") }
                // They stand in the order in which they began, but for a charge that was paid by others than it was requested of. What
                // is behind one that is too old is asked for on from there, whatever it is.
                if let since, charge.requested < since { return (charges, last ?? 0) }
                if charge.isParty(party), state == nil || charge.state == state {
                    if charges.count == limit { return (charges, last) }
                    charges.append(charge)
                }
                (last, row) = (row, older)
            }
            return (charges, last)
        }
    }

    /// Links of a history that one page follows, so that looking for a rare state keeps nobody else waiting for long.
    /// The page is short then, and has a next one.
    private static let linksPerPage = 10_000

    package func overdue(at now: Timestamp, limit: Int) async throws -> [ChargeID] {
        try await committer.read { database in
            try Data.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id FROM charges WHERE state = 0 AND expires <= ? ORDER BY expires LIMIT ?"),
                arguments: [now.milliseconds, limit]
            ).compactMap { ChargeID(bytes: $0) }
        }
    }

    package func enable(_ customer: PartyID, _ enabled: Bool) async throws {
        try await committer.write { [disabled] database in
            let sql =
                enabled
                ? "DELETE FROM disabled WHERE customer = ?" : "INSERT OR IGNORE INTO disabled (customer) VALUES (?)"
            try database.cachedStatement(sql: sql).execute(arguments: [Data(customer.bytes)])
            // Here, so that memory has the order of the commits. One that fails tells whoever asked.
            disabled.note(customer, enabled: enabled)
        }
    }

    private static func disabledCustomers(_ database: Database) throws -> [PartyID] {
        try Data.fetchAll(database, sql: "SELECT customer FROM disabled").map { bytes in
            guard let customer = PartyID(bytes: bytes) else { throw StoreFailure.damaged("a disabled customer") }
            return customer
        }
    }

    /// A copy of the file, made while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.file.copy(to: path) }

    /// A page of the printed table (A30).
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws -> TablePage {
        try await committer.read { database in
            let page = try PrintedView.page(
                database, table.rawValue, after: after, limit: limit, bytesMax: FactsPage.bytesMax)
            return TablePage(rows: page.rows.map(RawJSON.init), next: page.next)
        }
    }

    package func walletPosition() async throws -> FactPosition {
        try await committer.read { database in
            FactPosition(
                sequence: try Cursors.read(database, source: Wallet.service),
                mark: try Cursors.mark(database, source: Wallet.service))
        }
    }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await committer.read { database in
            FactsPage(
                facts: try Outbox.read(
                    database, after: sequence, limit: limit, bytesMax: FactsPage.bytesMax,
                    whole: { try KeptCapture($1)?.fact($0) ?? $1 }
                ).map(RawJSON.init),
                head: try Outbox.head(database))
        }
    }

    // MARK: The wallet's facts

    package func apply(_ facts: [Envelope]) async throws {
        let told = try await committer.write { [statements] database in
            let position = try Cursors.read(database, source: Wallet.service)
            var last: (sequence: Int64, fact: Envelope)?
            var changes = try ChargeChanges(statements)
            var turns = ShortTurns()
            for fact in facts {
                // Told again, as after a commit of which nobody heard: it has left its mark, and its fact, already.
                guard let sequence = fact.sequence, sequence > last?.sequence ?? position else { continue }
                try Self.apply(fact, in: database, &changes)
                last = (sequence, fact)
                turns.mayEnd()
            }
            try changes.finish { turns.mayEnd() }
            if let last {
                try Cursors.write(
                    database, source: Wallet.service, sequence: last.sequence, mark: last.fact.mark)
            }
            return changes.told
        }
        publish(told)
    }

    private static func apply(_ fact: Envelope, in database: Database, _ changes: inout ChargeChanges) throws {
        switch try ChargeProjection(fact) {
        case .captured(let posted): try capture(posted, fact, &changes)
        case .closed(let id, let reason, let time): try close(id, reason, at: time, fact, in: database, &changes)
        case .refunded(let refund): try refunded(refund, fact, in: database, &changes)
        case .nothing: break
        }
    }

    private static func capture(
        _ posted: Wallet.PaymentPosted, _ cause: Envelope, _ changes: inout ChargeChanges
    ) throws {
        let (wasRequested, discount) = try changes.capture(Charge(posted))
        let captured = Payments.ChargeCaptured(
            charge: posted.payment, merchant: posted.merchant, customer: posted.customer, card: posted.card,
            amount: posted.amount, memo: posted.memo, entry: posted.entry, time: posted.time, coupon: posted.coupon,
            discount: discount, requested: wasRequested ? true : nil)
        try changes.tell(KeptCapture(captured, causedBy: AskContext(from: cause)))
    }

    private static func close(
        _ id: ChargeID, _ reason: Wallet.CloseReason, at time: Timestamp, _ cause: Envelope, in database: Database,
        _ changes: inout ChargeChanges
    ) throws {
        // A payment that needed no approval and was refused was never a charge of ours.
        guard let (row, charge) = try find(id, changes.statements, in: database), charge.state == .requested
        else { return }
        try database.cachedStatement(sql: "UPDATE charges SET state = ?, decided = ? WHERE row = ?")
            .execute(arguments: [Payments.ChargeState(reason).stored, time.milliseconds, row])
        try changes.tell(
            Payments.ChargeClosed(
                charge: id, merchant: charge.merchant, customer: charge.customer, amount: charge.amount,
                reason: reason, time: time),
            at: time, AskContext(from: cause))
    }

    private static func refunded(
        _ refund: Wallet.RefundPosted, _ cause: Envelope, in database: Database, _ changes: inout ChargeChanges
    ) throws {
        guard let (row, charge) = try find(refund.payment, changes.statements, in: database) else { return }
        try database.cachedStatement(sql: "UPDATE charges SET refunded = ? WHERE row = ?")
            .execute(arguments: [refund.refunded.amount, row])
        try changes.tell(
            Payments.ChargeRefunded(
                charge: refund.payment, merchant: charge.merchant, customer: charge.customer, amount: refund.amount,
                refunded: refund.refunded, time: refund.time, paid: charge.amount, captured: charge.decided),
            at: refund.time, AskContext(from: cause))
    }

    // MARK: Rows

    private static func find(
        _ id: ChargeID, _ statements: ChargeStatements, in database: Database
    ) throws -> (row: Int64, charge: Charge)? {
        guard let row = try statements.row(of: id) else { return nil }
        guard let charge = try find(row: row, in: database), charge.id == id else {
            throw StoreFailure.damaged("the index of charges")
        }
        return (row, charge)
    }

    private static func find(row: Int64, in database: Database) throws -> Charge? {
        try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM charges WHERE row = ?"), arguments: [row])
            .map(charge)
    }

    private static func charge(_ row: Row) throws -> Charge {
        guard let id = ChargeID(bytes: row["id"] as Data), let merchant = PartyID(bytes: row["merchant"] as Data),
            let customer = PartyID(bytes: row["customer"] as Data), let currency = Currency(row["currency"] as String),
            let state = Payments.ChargeState(stored: row["state"])
        else { throw StoreFailure.damaged("a charge") }
        func time(_ column: String) -> Timestamp? { (row[column] as Int64?).map(Timestamp.init(milliseconds:)) }
        var presence: Location.Presence?
        if let place = (row["place"] as Data?).flatMap({ PlaceID(bytes: $0) }), let time = time("place_time") {
            presence = Location.Presence(place: place, distanceMetres: row["place_metres"], time: time)
        }
        return Charge(
            id: id, merchant: merchant, customer: customer, amount: Money(row["amount"], currency), memo: row["memo"],
            requested: Timestamp(milliseconds: row["requested"]), expires: time("expires"), state: state,
            decided: time("decided"), card: (row["card"] as Data?).flatMap { CardID(bytes: $0) },
            cardBalance: (row["card_balance"] as Int64?).map { Money($0, currency) }, entry: row["entry"],
            refunded: Money(row["refunded"], currency), presence: presence,
            coupon: (row["coupon"] as Data?).flatMap { OfferID(bytes: $0) },
            discount: (row["discount"] as Int64?).map { Money($0, currency) })
    }
}
