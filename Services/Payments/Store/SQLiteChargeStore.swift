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
        _ charge: Charge, waitingMax: Int, causedBy context: AskContext
    ) async throws -> Requesting {
        let (outcome, told): (Requesting, [PublishedFact]) = try await committer.write { [statements] database in
            if let known = try Self.find(charge.id, statements, in: database) { return (.existed(known.charge), []) }
            guard let expires = charge.expires else { throw StoreFailure.constraint("a request without an end") }
            let waiting = try Self.waiting(charge.merchant, charge.customer, at: charge.requested, in: database)
            if waiting.count >= waitingMax { return (.tooManyWait(until: waiting.firstEnd ?? expires), []) }
            var changes = try ChargeChanges(statements)
            try changes.request(charge)
            try changes.tell(
                Payments.ChargeRequested(
                    charge: charge.id, merchant: charge.merchant, customer: charge.customer, amount: charge.amount,
                    memo: charge.memo, expires: expires, time: charge.requested, merchantName: charge.merchantName),
                at: charge.requested, context)
            try changes.finish()
            return (.recorded, changes.told)
        }
        publish(told)
        return outcome
    }

    /// How many requests of a merchant wait for a customer, and when the first of them ends.
    private static func waiting(
        _ merchant: PartyID, _ customer: PartyID, at now: Timestamp, in database: Database
    ) throws -> (count: Int, firstEnd: Timestamp?) {
        let statement = try database.cachedStatement(
            sql: """
                SELECT count(*), min(expires) FROM charges INDEXED BY charges_waiting_between
                WHERE state = 0 AND customer = ? AND merchant = ? AND expires > ?
                """)
        let row = try Row.fetchOne(
            statement, arguments: [Data(customer.bytes), Data(merchant.bytes), now.milliseconds])
        return (row?[0] ?? 0, (row?[1] as Int64?).map(Timestamp.init(milliseconds:)))
    }

    package func charge(_ id: ChargeID) async throws -> Charge? {
        try await committer.read { [statements] in try Self.find(id, statements, in: $0)?.charge }
    }

    package func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int
    ) async throws -> (charges: [Charge], next: Int64?) {
        try await committer.read { [statements] database in
            var page = Page(of: party, statements)
            if let before, before != 0 {
                guard try page.goOn(behind: before, in: database) else { return ([], nil) }
            } else {
                page.begin(at: try statements.newestRow(of: party))
            }
            let requests = try Self.requests(of: party, before: page.last?.place, in: database)
            var request = try requests.next().map(Self.rowAndCharge)
            var charges: [Charge] = []
            for _ in 0..<Self.chargesPerPage {
                let moment = request.map { HistoryPlace($0.charge, in: $0.row).moment }
                let payment = try page.payment(notBefore: moment, in: database)
                let isPayment = payment.map { payment in
                    request.map { HistoryPlace($0.charge, in: $0.row) < HistoryPlace(payment.charge, in: payment.row) }
                        ?? true
                }
                guard let (row, charge) = isPayment == true ? payment : request else { return (charges, nil) }
                // What is behind one that is too old is asked for on from there, whatever it is.
                if let since, HistoryPlace(charge, in: row).moment < since { return (charges, page.next ?? 0) }
                if charge.isParty(party), state == nil || charge.state == state {
                    if charges.count == limit { return (charges, page.next) }
                    charges.append(charge)
                }
                if isPayment == true {
                    page.takePayment(row, charge)
                } else {
                    page.takeRequest(row, charge)
                    request = try requests.next().map(Self.rowAndCharge)
                }
            }
            return (charges, page.next)
        }
    }

    /// Charges that one page looks at, so that looking for a rare state keeps nobody else waiting for long.
    /// The page is short then, and has a next one.
    private static let chargesPerPage = 10_000

    /// Where one page is in a party's history.
    private struct Page {
        private let party: PartyID
        private let statements: ChargeStatements
        private var walk: PaymentWalk
        /// The last charge that was taken, or behind which the page begins.
        private(set) var last: (place: HistoryPlace, isWaiting: Bool, isPayment: Bool)?
        /// What payments have to stand behind; nil where the walk begins behind what was given.
        private var bound: HistoryPlace?

        init(of party: PartyID, _ statements: ChargeStatements) {
            self.party = party
            self.statements = statements
            walk = PaymentWalk(of: party, from: 0)
        }

        mutating func begin(at row: Int64) { walk = PaymentWalk(of: party, from: row) }

        /// - Returns: false where the number is no cursor of this party's.
        mutating func goOn(behind number: Int64, in database: Database) throws -> Bool {
            guard let cursor = HistoryCursor(number), let older = try statements.link(of: party, in: cursor.row),
                let charge = try SQLiteChargeStore.find(row: cursor.row, in: database)
            else { return false }
            let isPayment = charge.expires == nil
            let place = HistoryPlace(charge, in: cursor.row, asWaiting: cursor.isWaiting)
            last = (place, cursor.isWaiting, isPayment)
            switch cursor.start {
            case .end: begin(at: 0)
            case .newest:
                begin(at: try statements.newestRow(of: party))
                bound = place
            case .row(cursor.row):
                begin(at: isPayment ? older : cursor.row)
                if !isPayment { bound = place }
            case .row(let row):
                guard try statements.link(of: party, in: row) != nil else { return false }
                begin(at: row)
            }
            return true
        }

        mutating func payment(
            notBefore time: Timestamp?, in database: Database
        ) throws -> (row: Int64, charge: Charge)? {
            try walk.peek(notBefore: time, before: bound, statements) {
                try SQLiteChargeStore.find(row: $0, in: database)
            }
        }

        mutating func takePayment(_ row: Int64, _ charge: Charge) {
            walk.take()
            last = (HistoryPlace(charge, in: row), false, true)
        }

        mutating func takeRequest(_ row: Int64, _ charge: Charge) {
            last = (HistoryPlace(charge, in: row), charge.state == .requested, false)
        }

        /// The cursor of the next page; nil before the first charge.
        var next: Int64? {
            last.map { last in
                let row = last.place.row
                return HistoryCursor(
                    row: row, isWaiting: last.isWaiting, start: last.isPayment ? .row(row) : walk.place
                ).number
            }
        }
    }

    /// A party's charges that were requested, newest first.
    private static func requests(
        of party: PartyID, before place: HistoryPlace?, in database: Database
    ) throws -> RowCursor {
        func select(_ index: String, _ condition: String) -> String {
            """
            SELECT *, coalesce(decided, requested) AS moment FROM charges INDEXED BY \(index)
            WHERE \(condition) AND expires IS NOT NULL AND coalesce(decided, requested) <= ?2
                AND (coalesce(decided, requested) < ?2 OR row < ?3)
            """
        }
        let both = [
            select("requests_of_customer", "customer = ?1"),
            select("requests_of_merchant", "merchant = ?1 AND customer <> ?1")
        ].joined(separator: " UNION ALL ")
        return try Row.fetchCursor(
            database.cachedStatement(sql: both + " ORDER BY moment DESC, row DESC"),
            arguments: [Data(party.bytes), place?.moment.milliseconds ?? .max, place?.row ?? .max])
    }

    private static func rowAndCharge(_ row: Row) throws -> (row: Int64, charge: Charge) {
        (row["row"], try charge(row))
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
                reason: reason, time: time, merchantName: charge.merchantName),
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
                refunded: refund.refunded, time: refund.time, paid: charge.amount, captured: charge.decided,
                merchantName: charge.merchantName),
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

    fileprivate static func find(row: Int64, in database: Database) throws -> Charge? {
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
            discount: (row["discount"] as Int64?).map { Money($0, currency) }, merchantName: row["merchant_name"])
    }
}
