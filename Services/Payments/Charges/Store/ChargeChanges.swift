import Bus
import Contracts
import Primitives
import Storage

/// One transaction's changes to charges, to the parties' histories and to what is told. Where they begin is read once;
/// `finish` writes where they end.
struct ChargeChanges {
    let statements: ChargeStatements
    private let rowBefore: Int64
    private var row: Int64
    private var node: Int64
    private var sequence: Int64
    /// The newest node of each party that was touched.
    private var newest: [PartyID: Int64] = [:]
    /// Facts, for when they are durable.
    private(set) var told: [PublishedFact] = []

    init(_ statements: ChargeStatements) throws {
        self.statements = statements
        rowBefore = try statements.newestRow()
        row = rowBefore
        statements.rowsEnd(at: row)
        node = try statements.newestNode()
        sequence = try statements.headSequence()
    }

    mutating func request(_ charge: Charge) throws {
        guard try statements.row(of: charge.id) == nil else { throw StoreFailure.constraint("a charge twice") }
        try add(charge)
        if charge.presence != nil { try statements.setPresence(of: charge, in: row) }
    }

    /// - Returns: whether it had been requested, and what its coupon took off.
    mutating func capture(_ charge: Charge) throws -> (wasRequested: Bool, discount: Money?) {
        guard let place = try statements.row(of: charge.id) else {
            try add(charge)
            if charge.coupon != nil { try statements.setCoupon(of: charge, in: row) }
            return (false, nil)
        }
        guard let known = try statements.known(in: place) else { throw StoreFailure.damaged("a charge") }
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
        // It stays in the histories of those for whom it was requested, who are not shown it if they are others.
        if known.merchant != charge.merchant { try remember(charge.merchant, place) }
        if known.customer != charge.customer { try remember(charge.customer, place) }
        return (known.wasRequested, charge.discount)
    }

    private mutating func add(_ charge: Charge) throws {
        row += 1
        try statements.insert(charge, as: row)
        try remember(charge.customer, row)
        if charge.merchant != charge.customer { try remember(charge.merchant, row) }
    }

    private mutating func remember(_ party: PartyID, _ row: Int64) throws {
        node += 1
        let previous = try newest[party] ?? statements.newestNode(of: party)
        try statements.insert(node: node, of: row, behind: previous)
        newest[party] = node
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

    /// - Parameter pause: called between rows, for work that nobody waits for.
    func finish(pausing pause: () -> Void = {}) throws {
        for (party, node) in newest {
            try statements.setNewestNode(of: party, to: node)
            pause()
        }
        if row > rowBefore { try statements.indexRows(added: Int(row - rowBefore)) }
    }
}
