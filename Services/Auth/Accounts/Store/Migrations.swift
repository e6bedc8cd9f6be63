import GRDB
import Storage

/// The schema of auth's file, version by version. Forward only: a released migration is never edited.
enum AccountMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: accounts, PINs, sessions") { database in
            try database.execute(sql: version1)
            try Outbox.create(in: database)
        }
        return migrator
    }

    /// Times are milliseconds since 1970. Text compares bytewise (BINARY): usernames are case-sensitive (A41).
    private static let version1 = """
        CREATE TABLE accounts (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            role TEXT NOT NULL CHECK (role IN ('customer', 'merchant', 'administrator')),
            username TEXT NOT NULL UNIQUE COLLATE BINARY
                CHECK (length(username) BETWEEN 1 AND 64 AND username NOT GLOB '*[^a-zA-Z0-9._@+-]*'),
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 100),
            -- Argon2id's text form.
            password TEXT NOT NULL CHECK (password GLOB '$argon2id$*'),
            -- SHA-256 over what was registered, without the password.
            fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE pins (
            account BLOB PRIMARY KEY REFERENCES accounts (id),
            hash TEXT NOT NULL CHECK (hash GLOB '$argon2id$*'),
            failures INTEGER NOT NULL CHECK (failures >= 0),
            next_try INTEGER,
            locked INTEGER NOT NULL CHECK (locked IN (0, 1))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            -- SHA-256 of the token, which itself is nowhere.
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL REFERENCES accounts (id),
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL CHECK (expires > created),
            pin_verified_until INTEGER CHECK (pin_verified_until <= expires)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_of_account ON sessions (account, created);
        CREATE INDEX sessions_by_expiry ON sessions (expires);

        -- Wrong passwords by keyed digest of the username that was typed, whether or not it exists.
        CREATE TABLE logins (
            name BLOB PRIMARY KEY CHECK (length(name) = 32),
            failures INTEGER NOT NULL CHECK (failures > 0),
            next_try INTEGER,
            last_try INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX logins_by_age ON logins (last_try);
        """
}
