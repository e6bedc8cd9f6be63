import Bus
import Contracts
import Primitives
import Storage
import Synchronization

/// Offers’ database, and the offer index in memory that mirrors it.
///
/// Each function is one transaction, durable when it returns; only of payments without coupons the file may lack the
/// last seconds, which are consumed again. All that writes runs on the database's one connection, one after
/// the other, and changes the index there, last: so memory has the order of the commits, and a transaction may decide
/// by what is in memory. Where a commit fails, the index is read anew from the file.
///
/// The only fault that is not a decision is `bus.unavailable` (the disk).
package final class DealStore: Sendable {
    package let store: Store
    private let memory = Mutex(Image())

    /// To be followed by `load`.
    ///
    /// - Throws: as `Store.init`.
    package init(path: String) throws { store = try Store(path: path, migrations: DealMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(inMemory: DealMigrations.all) }

    // MARK: Memory

    package func index<Value: Sendable>(_ body: (borrowing OfferIndex) throws(Fault) -> Value) throws(Fault) -> Value {
        let result: Result<Value, Fault> = memory.withLock { image in
            do throws(Fault) { return .success(try body(image.index)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Inside a transaction only, when all is written.
    func note(_ body: (inout OfferIndex) -> Void) { memory.withLock { body(&$0.index) } }

    func image<Value: Sendable>(_ body: (inout Image) -> Value) -> Value { memory.withLock { body(&$0) } }

    /// Reads the index from the file: before anything is answered.
    package func load(at now: Timestamp) async throws(Fault) {
        try await read { [self] transaction in
            let index = try OfferIndex(transaction, at: now)
            memory.withLock { $0.index = index }
        }
    }

    package func sweep(at now: Timestamp) { memory.withLock { $0.index.sweep(at: now) } }

    // MARK: Transactions

    /// - Throws: a `Fault` of the body as it is, with nothing written; `bus.unavailable` for any other error.
    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await store.write(body) } catch {
            if error.code == .unavailable { await recover() }
            throw error
        }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value { try await store.read(body) }

    /// Replaces what memory has, which may not have been committed, by what the database has. Where that cannot be
    /// read, the next failure tries again.
    private func recover() async {
        try? await store.read { [self] transaction in
            let index = try OfferIndex(transaction, at: Timestamp(milliseconds: .min))
            let cursor = try transaction.position(of: Payments.service).sequence
            memory.withLock { $0.restore(index, cursor: cursor) }
        }
    }
}
