/// Where a service's state is.
package enum StorePlace: Sendable {
    /// A file of SQLite.
    case file(String)
    /// A schema in a database of PostgreSQL; the address is a connection string or URI of libpq
    /// (postgresql.org/docs/15/libpq-connect.html).
    case postgres(address: String, schema: String)
}
