/// Where a service's state is.
package enum StorePlace: Sendable {
    /// A file of SQLite.
    case file(String)
    /// A schema in a database of PostgreSQL; the address is a connection string or URI of libpq
    /// (postgresql.org/docs/15/libpq-connect.html).
    ///
    /// `keys` has digests of the keys that the data cannot be used without, by their names in a copy: a process with
    /// others does not lead. `file` is where the state would be without PostgreSQL: while it has a file and the schema
    /// is new, the process does not begin an empty state.
    case postgres(address: String, schema: String, keys: [String: [UInt8]] = [:], file: String? = nil)
}
