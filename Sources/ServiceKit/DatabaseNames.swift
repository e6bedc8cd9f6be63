import Configuration
import Foundation

/// The configuration names of document 001: `DB_HOST`, `DB_USER`, `DB_PASSWORD`, `DB_DATABASE` and
/// `GOOGLE_API_KEY`. All are strings, and all may be absent.
///
/// Data is in files of each service's own, so that `DB_DATABASE` says which files: another name is another database,
/// by configuration alone. The others are accepted where they ask for nothing that such files are not.
struct DatabaseNames {
    /// The directory of all data, where `BILLFOLD_DATA` does not say.
    let dataDirectory: String

    /// - Parameter shared: below which the directory is, unless it is named from the root on.
    /// - Throws: `ConfigError` for a database elsewhere, and for a name that no directory can have.
    init(_ reader: ConfigReader, shared: String) throws(ConfigError) {
        let host = reader.string(forKey: "db.host", default: "")
        guard ["", "localhost", "127.0.0.1", "::1"].contains(host) else {
            throw ConfigError(
                "DB_HOST is '\(host)'; data is kept in files of this machine, so that it can be localhost only")
        }
        // DB_USER and DB_PASSWORD: whoever may read the files is the database's user. GOOGLE_API_KEY: no map of others
        // is ever asked. Naming them is no mistake.
        let database = reader.string(forKey: "db.database", default: "billfold")
        if database.hasPrefix("/") {
            dataDirectory = database
        } else {
            guard database.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.\-]{0,63}/) != nil else {
                throw ConfigError(
                    "DB_DATABASE is '\(database)'; it can be 1 to 64 letters, digits and '_.-', or a path from / on")
            }
            dataDirectory = "\(shared)/\(database)"
        }
    }
}
