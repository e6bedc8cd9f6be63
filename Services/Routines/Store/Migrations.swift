import Storage

/// The schema of routines's database, version by version. Forward only: a released migration is never edited.
enum NoteMigrations {
    static let all = [Migration("1: notes", version1, Outbox.table)]

    /// Times are milliseconds since 1970.
    private static let version1 = """
        CREATE TABLE notes (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL CHECK (length(account) = 16),
            text TEXT NOT NULL CHECK (length(CAST(text AS BLOB)) BETWEEN 1 AND 200),
            time INTEGER NOT NULL
        ) STRICT;
        """
}
