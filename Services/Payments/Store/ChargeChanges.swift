import Bus
import Contracts
import Primitives
import Storage

/// One transaction's changes to charges, to the parties' histories and to what is told. Where they begin is read once.
struct ChargeChanges {
    let statements: ChargeStatements
    private let rowBefore: Int64
    private var row: Int64
    private var sequence: Int64
    /// Facts, for when they are durable.
    private(set) var told: [PublishedFact] = []

    init(_ statements: ChargeStatements) throws {
        self.statements = statements
        try statements.begin()
        rowBefore = try statements.newestRow()
        row = rowBefore
        sequence = try statements.headSequence()
    }

    mutating func request(_ charge: Charge) throws {
        guard try statements.row(of: charge.id) == nil else { throw StoreFailure.constraint("a charge twice") }
        try add(charge)
        if charge.presence != nil { try statements.setPresence(of: charge, in: row) }
        if charge.merchantName != nil { try statements.setMerchantName(of: charge, in: row) }
    }

    /// - Returns: whether it had been requested, and what its coupon took off.
    mutating func capture(_ charge: Charge) throws -> (wasRequested: Bool, discount: Money?) {
        guard let place = try statements.row(of: charge.id) else {
            try add(charge)
            if charge.coupon != nil { try statements.setCoupon(of: charge, in: row) }
            return (false, nil)
        }
        guard let known = try statements.known(in: place) else { throw StoreFailure.damaged("a charge") }
        try relink(place, from: known, to: charge)
        try statements.update(charge, in: place)
        var charge = charge
        if charge.coupon != nil {
            let discount = known.asked - charge.amount.amount
            // Whoever pays under the id of a charge in another currency, or pays more, had no discount on it.
            if discount > 0, known.currency == charge.amount.currency.code {
                charge.discount = Money(discount, charge.amount.currency)
            }
            try statements.setCoupon(of: charge, in: place)
        }
        return (known.wasRequested, charge.discount)
    }

    private mutating func add(_ charge: Charge) throws {
        row += 1
        var links = HistoryLinks(customer: try statements.newestRow(of: charge.customer))
        if charge.merchant != charge.customer { links.merchant = try statements.newestRow(of: charge.merchant) }
        try statements.insert(charge, as: row, links)
    }

    /// For a charge whose parties are not those for whom it was requested. It stays in the histories of those, who are not shown
    /// it any more, and is in those of the others from now on.
    private func relink(_ row: Int64, from known: ChargeStatements.Known, to charge: Charge) throws {
        guard known.customer != charge.customer || known.merchant != charge.merchant else { return }
        let former = Set([known.customer, known.merchant])
        let parties = Set([charge.customer, charge.merchant])
        var links: [PartyID: Int64] = [known.merchant: known.links.merchant]
        links[known.customer] = known.links.customer
        for party in former.subtracting(parties) {
            try statements.addFormer(party, in: row, before: links[party] ?? 0)
        }
        for party in parties.subtracting(former) { links[party] = try join(party, row) }
        try statements.setLinks(
            in: row,
            to: HistoryLinks(
                customer: links[charge.customer] ?? 0,
                merchant: charge.merchant == charge.customer ? 0 : links[charge.merchant] ?? 0))
    }

    /// Takes a row that is there already into a party's history, where the newest one may be newer: it stands right behind that.
    ///
    /// - Returns: the row before it there.
    private func join(_ party: PartyID, _ row: Int64) throws -> Int64 {
        let newest = try statements.newestRow(of: party)
        guard newest != row else { throw StoreFailure.damaged("a history") }
        guard newest > row else {
            try statements.setNewestRow(of: party, to: row)
            return newest
        }
        guard let before = try statements.link(of: party, in: newest) else { throw StoreFailure.damaged("a history") }
        try statements.setLink(of: party, in: newest, to: row)
        return before
    }

    mutating func tell<F: Fact>(_ fact: F, at time: Timestamp, _ context: AskContext) throws {
        sequence += 1
        let envelope = Envelope.told(
            fact, as: sequence, at: time, context.correlationID, context.causationID, context.traceparent)
        try keep(envelope, envelope, F.type)
    }

    mutating func tell(_ capture: KeptCapture) throws {
        sequence += 1
        let envelope = capture.fact(sequence)
        try keep(capture.bytes ?? envelope, envelope, Payments.ChargeCaptured.type)
    }

    private mutating func keep(_ bytes: [UInt8], _ envelope: [UInt8], _ type: MessageType) throws {
        try statements.append(bytes, as: sequence)
        told.append(PublishedFact(type: type.name, sequence: sequence, envelope: envelope))
    }

    /// To be called behind the last change.
    ///
    /// - Parameter pause: called between rows, for work that nobody waits for.
    func finish(pausing pause: () -> Void = {}) throws {
        if row > rowBefore { try statements.indexRows(added: Int(row - rowBefore), pausing: pause) }
    }
}
