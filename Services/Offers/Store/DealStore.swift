import Bus
import Contracts
import Primitives
import Storage
import Synchronization

/// Offers' database and the market in memory, which is its image.
///
/// Each function is one transaction, durable when it returns; only of payments without coupons the file may lack the
/// last seconds, which are consumed again. All that writes runs on the database's one connection, one after
/// the other, and changes the market there, last: so memory has the order of the commits, and a transaction may decide
/// by what is in memory. Where a commit fails, the market is read anew from the file.
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

    package func market<Value: Sendable>(_ body: (borrowing Market) throws(Fault) -> Value) throws(Fault) -> Value {
        let result: Result<Value, Fault> = memory.withLock { image in
            do throws(Fault) { return .success(try body(image.market)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Inside a transaction only, when all is written.
    func note(_ body: (inout Market) -> Void) { memory.withLock { body(&$0.market) } }

    func image<Value: Sendable>(_ body: (inout Image) -> Value) -> Value { memory.withLock { body(&$0) } }

    /// Reads the market from the file: before anything is answered.
    package func load(at now: Timestamp) async throws(Fault) {
        try await read { [self] transaction in
            let market = try Market(transaction, at: now)
            memory.withLock { $0.market = market }
        }
    }

    package func sweep(at now: Timestamp) { memory.withLock { $0.market.sweep(at: now) } }

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
            let market = try Market(transaction, at: Timestamp(milliseconds: .min))
            let cursor = try transaction.position(of: Payments.service).sequence
            memory.withLock { $0.restore(market, cursor: cursor) }
        }
    }
}
