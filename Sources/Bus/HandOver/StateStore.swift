import Contracts

/// What hands a service's state over.
package protocol StateSource: Sendable {
    /// Begins a hand-over, in the place of one that goes on.
    ///
    /// - Parameter memory: what the service has in memory only.
    func follow(_ memory: [any MemoryTable]) async throws(Fault) -> FollowedState
    /// - Throws: `bus.malformed` for a hand-over that has ended and for what there is not.
    func page(of copy: Int64, table: String, after place: String?, limit: Int) async throws(Fault) -> StatePage
    /// Lets nothing be written for some seconds, or again.
    func seal(_ copy: Int64, _ isSealed: Bool) async throws(Fault) -> SealedState
}

/// What takes a service's state over: a new store, until its file is put in its place.
package protocol StateTarget: FactLog {
    var stateTables: [StateTable] { get async throws(Fault) }
    /// Empties all tables.
    func clear() async throws(Fault)
    /// Puts rows in the place of those with their keys, after it has removed others.
    func put(_ rows: [StateRow], removing removed: [StateRow], in table: StateTable) async throws(Fault)
    /// Adds facts that follow those that are there.
    func append(_ facts: [RawJSON], after sequence: Int64) async throws(Fault)
    /// Checks that the rows belong together and are as many as the owner has.
    ///
    /// - Returns: why the state is not whole; nil if it is.
    func obstacle(to sealed: SealedState) async throws(Fault) -> String?
    /// Closes the file, whose name may change then; the store is of no use any more.
    func close() async throws
}
