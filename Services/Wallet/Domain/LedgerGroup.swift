import Contracts
import Primitives
import Wire

/// Operations decided one after another in memory, to be written together in one transaction.
///
/// It reads what it needs once, sees its own changes, and collects them in `changes`. An operation that is refused
/// leaves no trace but, where the refusal is for good, its row in the journal; so no savepoints are needed. Each
/// operation checks everything before it changes anything.
package struct LedgerGroup {
    package let rules: LedgerRules
    /// The time of all that is decided here: the clock's, or the newest row's where the clock is a little behind
    /// it.
    package let now: Timestamp
    package private(set) var changes = LedgerChanges()

    private let reading: any LedgerReading
    private var head: LedgerHead
    private var accountIndexes: [AccountID: Int] = [:]
    private var holdIndexes: [OperationID: Int] = [:]
    private var refundIndexes: [OperationID: Int] = [:]
    private var journalIndexes: [OperationID: Int] = [:]

    /// - Parameters:
    ///   - now: what the clock says; may be behind the ledger's own time.
    ///   - expecting: about how many operations will follow; a hint.
    package init(reading: any LedgerReading, rules: LedgerRules, now: Timestamp, expecting: Int = 1) throws {
        self.reading = reading
        self.rules = rules
        head = try reading.head()
        // A time far ahead was a clock's mistake: the ledger goes on with the true time, or no hold could ever end.
        self.now = head.time <= now + ClockGuard.stepMax ? max(now, head.time) : now
        guard expecting > 8 else { return }
        changes.entries.reserveCapacity(expecting)
        changes.journal.reserveCapacity(expecting)
        changes.accounts.reserveCapacity(expecting + 1)
        accountIndexes.reserveCapacity(expecting + 1)
        journalIndexes.reserveCapacity(expecting)
    }
}

/// Thrown by a rule inside an operation: the operation is refused for good and its id is used up.
struct Decline: Error {
    let fault: Fault

    init(_ code: FaultCode, _ detail: String? = nil) { fault = Fault(code, detail) }
}

/// What an operation did, to be recorded under its id.
struct Done {
    let kind: FactKind
    let body: [UInt8]

    init(_ kind: FactKind, _ fact: some Fact) {
        self.kind = kind
        body = fact.json
    }
}

// MARK: Ids

extension LedgerGroup {
    /// Runs an operation unless its id is known; a known id gets what is recorded.
    ///
    /// - Parameter operate: throws `Decline` before it has changed anything, or does not throw after.
    mutating func keyed<A: Ask>(
        _ operation: OperationID, _ ask: A, fingerprint: Fingerprint, cause: JournaledCause,
        _ operate: (inout LedgerGroup) throws -> Done
    ) throws -> Decision {
        if let known = try recorded(operation) { return known.replay(for: fingerprint) }
        return try first(operation, ask, fingerprint: fingerprint, cause: cause, operate)
    }

    /// The same for an id of which nothing is recorded yet.
    mutating func first<A: Ask>(
        _ operation: OperationID, _ ask: A, fingerprint: Fingerprint, cause: JournaledCause,
        _ operate: (inout LedgerGroup) throws -> Done
    ) throws -> Decision {
        do {
            let done = try operate(&self)
            return .recorded(append(done, operation, fingerprint, cause), replayed: false)
        } catch let decline as Decline {
            let fact = Wallet.OperationDeclined(
                operation: operation, ask: A.type.name, code: decline.fault.code.code, detail: decline.fault.detail,
                time: now)
            return .recorded(append(Done(.operationDeclined, fact), operation, fingerprint, cause), replayed: false)
        }
    }

    /// Looks up what these payments need, many with one statement.
    package func prefetch(_ payments: @autoclosure () -> [Wallet.PostPayment]) throws {
        try reading.prefetch {
            let payments = payments()
            return (
                payments.map { $0.payment.reinterpreted() },
                payments.flatMap { [$0.card?.reinterpreted(), $0.merchant.reinterpreted()].compactMap(\.self) }
            )
        }
    }

    /// What was recorded under an id, here or in the store.
    mutating func recorded(_ operation: OperationID) throws -> JournalRow? {
        if let index = journalIndexes[operation] { return changes.journal[index] }
        return try reading.recorded(operation)
    }

    @discardableResult
    mutating func append(
        _ done: Done, _ operation: OperationID?, _ fingerprint: Fingerprint?, _ cause: JournaledCause
    ) -> JournalRow {
        head.fact += 1
        var row = JournalRow(
            sequence: head.fact, operation: operation, fingerprint: fingerprint, kind: done.kind, time: now,
            cause: cause, body: done.body)
        var evidence = JournalRow.Evidence()
        if let entry = changes.entries.last, entry.operation == operation { evidence.entry = entry.hash }
        if done.kind == .cardAdded { evidence.cardNumber = changes.cards.last?.numberDigest }
        row.hash = row.digest(after: head.chain, key: rules.chainKey, evidence)
        head.chain = row.hash
        if let operation { journalIndexes[operation] = changes.journal.count }
        changes.journal.append(row)
        return row
    }

    /// The sequence that the next fact will have.
    var nextSequence: Int64 { head.fact + 1 }
}

// MARK: Accounts

extension LedgerGroup {
    /// An account's place in the working set; nil when there is no such account.
    mutating func index(_ id: AccountID) throws -> Int? {
        if let index = accountIndexes[id] { return index }
        guard let account = try reading.account(id) else { return nil }
        return insert(account, .stored)
    }

    @discardableResult
    mutating func insert(_ account: LedgerAccount, _ state: LedgerChanges.Record<LedgerAccount>.State) -> Int {
        let index = changes.accounts.count
        changes.accounts.append(.init(value: account, state: state))
        accountIndexes[account.id] = index
        return index
    }

    func account(at index: Int) -> LedgerAccount { changes.accounts[index].value }

    /// The card that pays or is paid: the named one, or the customer's default.
    ///
    /// Someone else's card is as absent as one that does not exist.
    mutating func cardIndex(_ card: CardID?, of customer: PartyID) throws -> Int {
        guard let card = try card ?? defaultCard(of: customer) else { throw Decline(.noCard) }
        guard let index = try index(card.reinterpreted()) else { throw Decline(.cardNotFound) }
        guard account(at: index).kind == .card, account(at: index).owner == customer else {
            throw Decline(.cardNotFound)
        }
        return index
    }

    mutating func merchantIndex(_ merchant: PartyID) throws -> Int {
        guard let index = try index(merchant.reinterpreted()), account(at: index).kind == .merchant else {
            throw Decline(.accountNotFound)
        }
        return index
    }

    /// The ledger's own account of a kind, which `openOwnAccounts` made.
    mutating func ownIndex(_ kind: AccountKind) throws -> Int {
        guard let index = try index(LedgerAccount.ownID(kind, rules.currency)) else { throw Decline(.accountNotFound) }
        return index
    }

    func defaultCard(of customer: PartyID) throws -> CardID? {
        if let chosen = changes.defaultCards[customer] { return chosen }
        return try reading.defaultCard(of: customer)
    }

    mutating func setDefaultCard(_ card: CardID, of customer: PartyID) { changes.defaultCards[customer] = card }

    func cardCount(of customer: PartyID) throws -> Int {
        try reading.cardCount(of: customer) + changes.cards.count { $0.customer == customer }
    }

    func hasCard(numberDigest: [UInt8]) throws -> Bool {
        if changes.cards.contains(where: { $0.numberDigest == numberDigest }) { return true }
        return try reading.hasCard(numberDigest: numberDigest)
    }

    mutating func insert(_ card: CardRecord) { changes.cards.append(card) }

    /// The accounts behind reloads and opening balances. Once, when a store is opened.
    package mutating func openOwnAccounts() throws {
        for kind in [AccountKind.funding, .issuing] {
            let id = LedgerAccount.ownID(kind, rules.currency)
            guard try index(id) == nil else { continue }
            insert(LedgerAccount(id: id, kind: kind, owner: id.reinterpreted(), currency: rules.currency), .added)
        }
    }
}

// MARK: Movements

extension LedgerGroup {
    /// Refuses a movement that would take an account out of its range. What is enough to spend is for the caller.
    func checkRange(_ amount: Int64, from debit: Int, to credit: Int) throws {
        guard account(at: debit).balance(adding: -amount) != nil, account(at: credit).balance(adding: amount) != nil
        else { throw Decline(.amountInvalid, "The account cannot hold so much") }
    }

    /// Moves money and writes the entry. All has been checked; an overflow here is a bug and stops the process.
    @discardableResult
    mutating func move(
        _ amount: Int64, from debit: Int, to credit: Int, _ kind: Wallet.EntryKind, _ operation: OperationID,
        memo: String = ""
    ) -> LedgerEntry {
        let payer = account(at: debit)
        let payee = account(at: credit)
        var entry = LedgerEntry(
            number: head.entry + 1, operation: operation, kind: kind, debit: payer.id, credit: payee.id,
            amount: amount, currency: payer.currency, debitAfter: payer.balance - amount,
            creditAfter: payee.balance + amount, debitPrevious: payer.lastEntry, creditPrevious: payee.lastEntry,
            time: now, memo: memo)
        entry.hash = entry.digest(after: head.hash)
        head.entry = entry.number
        head.hash = entry.hash
        changes.entries.append(entry)
        changes.accounts[debit].change {
            $0.balance = entry.debitAfter
            $0.lastEntry = entry.number
        }
        changes.accounts[credit].change {
            $0.balance = entry.creditAfter
            $0.lastEntry = entry.number
        }
        return entry
    }

    /// Sets money aside, or frees it (below zero).
    mutating func setAside(_ amount: Int64, on index: Int) { changes.accounts[index].change { $0.held += amount } }

    func money(_ amount: Int64) -> Money { Money(amount, rules.currency) }
}

// MARK: Holds and refunds

extension LedgerGroup {
    mutating func holdIndex(_ id: OperationID) throws -> Int? {
        if let index = holdIndexes[id] { return index }
        guard let hold = try reading.hold(id) else { return nil }
        return insert(hold, .stored)
    }

    @discardableResult
    mutating func insert(_ hold: Hold, _ state: LedgerChanges.Record<Hold>.State) -> Int {
        let index = changes.holds.count
        changes.holds.append(.init(value: hold, state: state))
        holdIndexes[hold.id] = index
        return index
    }

    func hold(at index: Int) -> Hold { changes.holds[index].value }

    mutating func changeHold(at index: Int, _ body: (inout Hold) -> Void) { changes.holds[index].change(body) }

    func holdsDue(limit: Int) throws -> [Hold] { try reading.holdsDue(at: now, limit: limit) }

    func holdsDue(of card: AccountID, skip: Int, limit: Int) throws -> [Hold] {
        try reading.holdsDue(of: card, at: now, skip: skip, limit: limit)
    }

    mutating func refundIndex(_ payment: OperationID) throws -> Int? {
        if let index = refundIndexes[payment] { return index }
        guard let total = try reading.refundTotal(of: payment) else { return nil }
        return insert(total, .stored)
    }

    @discardableResult
    mutating func insert(_ total: RefundTotal, _ state: LedgerChanges.Record<RefundTotal>.State) -> Int {
        let index = changes.refunds.count
        changes.refunds.append(.init(value: total, state: state))
        refundIndexes[total.payment] = index
        return index
    }

    func refundTotal(at index: Int) -> RefundTotal { changes.refunds[index].value }

    /// The next fact of the journal ends it.
    mutating func addRefund(_ amount: Int64, at index: Int) {
        let sequence = nextSequence
        changes.refunds[index].change {
            $0.refunded += amount
            $0.newest = sequence
        }
    }
}
