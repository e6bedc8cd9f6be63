import Bus
import Contracts
import Primitives
import Storage
import Synchronization

/// Offers’ database, and the offer index in memory that mirrors it.
///
/// Each function is one transaction, durable when it returns, but for two: the file may lack the last seconds of the
/// sums of payments, which are consumed again; and reservations survive the process, not the host (ADR 53).
///
/// Transactions run one after another on one connection and change the index with the file, so a transaction may decide
/// by it. After a rollback of such changes, the index is read again from the file before anything is decided.
///
/// The only fault that is not a decision is `bus.unavailable` (the disk).
package final class DealStore: Sendable {
    package let store: Store
    private let memory = Mutex(Image())

    /// Call `load` next.
    ///
    /// - Throws: as `Store.init`.
    package convenience init(_ place: StorePlace) throws {
        self.init(try Store(place, migrations: DealMigrations.all))
    }

    /// A store that ends with the process: for tests.
    package convenience init() throws { self.init(try Store(forTests: DealMigrations.all)) }

    private init(_ store: Store) {
        self.store = store
        store.afterRollback { [weak self] undone in
            self?.memory.withLock { $0.rolledBack(onlyPiece: undone == .piece) }
        }
    }

    // MARK: Memory

    package func index<Value: Sendable>(_ body: (borrowing OfferIndex) throws(Fault) -> Value) throws(Fault) -> Value {
        let result: Result<Value, Fault> = memory.withLock { image in
            do throws(Fault) { return .success(try body(image.index)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Call it only within a transaction, after its writes.
    func note(_ body: (inout OfferIndex) -> Void) { memory.withLock { $0.change(body) } }

    func image<Value: Sendable>(_ body: (inout Image) -> Value) -> Value { memory.withLock { body(&$0) } }

    /// Loads the index from the file. Call it before the first answer.
    ///
    /// - Parameter copied: what was copied from the process whose place this one takes; nil where it takes none.
    package func load(at now: Timestamp, from copied: CopiedDeals? = nil) async throws(Fault) {
        if let index = copied?.take() { return memory.withLock { $0.index = index } }
        try await read { [self] transaction in
            let index = try OfferIndex(transaction, at: now)
            memory.withLock { $0.index = index }
        }
    }

    /// Forgets offers that have ended. Where the clock was set back, those that have not ended after all are read
    /// again.
    package func sweep(at now: Timestamp) async throws(Fault) {
        // Between two transactions: none decides by an index that is swept meanwhile.
        try await read { [self] transaction in
            if now < image({ $0.index.start }) {
                try reread(transaction, from: now)
            } else {
                image { $0.index.sweep(at: now) }
            }
        }
    }

    // MARK: Transactions

    /// - Throws: the body's `Fault`, with nothing written; `bus.unavailable` for any other error.
    @discardableResult
    package func write<Value: Sendable>(
        surviving survives: Durability = .host, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        do throws(Fault) {
            return try await store.write(surviving: survives) { [self] transaction in
                try renew(transaction)
                memory.withLock { $0.begin() }
                return try body(transaction)
            }
        } catch {
            // For those who read memory meanwhile. If it fails too, the next transaction does it.
            if error.code == .unavailable { try? await store.read { [self] in try renew($0) } }
            throw error
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value { try await store.read(body) }

    /// Reads the index again from the file if memory has changes that were rolled back.
    private func renew(_ transaction: Transaction) throws {
        guard image({ $0.isStale }) else { return }
        try reread(transaction, from: image { $0.index.start })
    }

    private func reread(_ transaction: Transaction, from start: Timestamp) throws {
        let index = try OfferIndex(transaction, at: start)
        let cursor = try transaction.position(of: Payments.service).sequence
        memory.withLock { $0.restore(index, cursor: cursor) }
    }
}
