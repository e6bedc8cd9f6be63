import Bus
import Contracts
import Primitives
import Storage

/// The schema of auth's database, version by version. Forward only: a released migration is never edited.
enum AccountMigrations {
    static let all = [
        Migration("1: accounts, PINs, sessions", version1, Outbox.table),
        Migration("2: profiles, merchants' approval, codes for new passwords", version2),
        Migration("3: printed tables", version3),
        Migration("4: letters to owners, codes for old addresses, held transfers", version4),
        Migration("5: letters wait to be read", announceLetters),
        Migration("6: clients of sessions, forgotten usernames, simulated accounts", version6)
    ]

    private static let version6 = """
        ALTER TABLE sessions ADD COLUMN client TEXT CHECK (length(CAST(client AS BLOB)) BETWEEN 1 AND 200);
        -- Wrong PINs of these cost no delay and no lock.
        ALTER TABLE accounts ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1));

        -- Letters with the usernames of an address that wait to be sent.
        CREATE TABLE reminders (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            email TEXT NOT NULL CHECK (length(email) BETWEEN 3 AND 254 AND email LIKE '%_@_%'),
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reminders_by_expiry ON reminders (expires);
        CREATE INDEX profiles_by_email ON profiles (lower(email)) WHERE email IS NOT NULL;
        """

    /// Publishes letters from before `LetterQueued` existed.
    @Sendable private static func announceLetters(in transaction: Transaction) throws {
        let now = WallClock.system.now()
        for (kind, letters) in [
            (Auth.LetterKind.code, "SELECT id, account, expires FROM resets WHERE sent = 0 ORDER BY expires"),
            (.change, "SELECT id, account, expires FROM letters ORDER BY time")
        ] {
            let queued = try transaction.all(letters) { row in
                Auth.LetterQueued(
                    letter: try row[0], account: try row[1], kind: kind, expires: try row[2], time: now)
            }
            for letter in queued { try transaction.publish(letter, at: now, because: nil) }
        }
        // Letters are looked up by id.
        try transaction.script("DROP INDEX resets_unsent; DROP INDEX letters_by_time")
    }

    /// Times are milliseconds since 1970. Text compares bytewise (BINARY): usernames are case-sensitive.
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

    /// Dates are text, `2001-05-30`. Merchants from before approvals existed stay approved.
    private static let version2 = """
        CREATE TABLE profiles (
            account BLOB PRIMARY KEY REFERENCES accounts (id),
            first_name TEXT CHECK (length(CAST(first_name AS BLOB)) BETWEEN 1 AND 100),
            last_name TEXT CHECK (length(CAST(last_name AS BLOB)) BETWEEN 1 AND 100),
            email TEXT CHECK (length(email) BETWEEN 3 AND 254 AND email LIKE '%_@_%'),
            birthdate TEXT CHECK (birthdate GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
            gender TEXT CHECK (gender IN ('M', 'F')),
            student INTEGER CHECK (student IN (0, 1)),
            business_name TEXT CHECK (length(CAST(business_name AS BLOB)) BETWEEN 1 AND 100),
            address TEXT CHECK (length(CAST(address AS BLOB)) BETWEEN 1 AND 250)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE product_types (
            account BLOB NOT NULL REFERENCES accounts (id),
            place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 19),
            type TEXT NOT NULL CHECK (length(CAST(type AS BLOB)) BETWEEN 1 AND 40),
            PRIMARY KEY (account, place),
            UNIQUE (account, type)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE approvals (
            account BLOB PRIMARY KEY REFERENCES accounts (id),
            status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
            reason TEXT CHECK (length(CAST(reason AS BLOB)) BETWEEN 1 AND 250),
            decided INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX approvals_by_status ON approvals (status, account);
        INSERT INTO approvals (account, status) SELECT id, 'approved' FROM accounts WHERE role = 'merchant';

        -- Codes that can be used. The code itself is nowhere: it follows from the id and a key outside of this file.
        CREATE TABLE resets (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            -- One at a time: a further one replaces it.
            account BLOB NOT NULL UNIQUE REFERENCES accounts (id),
            expires INTEGER NOT NULL,
            -- Whether somebody has taken the letter.
            sent INTEGER NOT NULL CHECK (sent IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX resets_by_expiry ON resets (expires);
        CREATE INDEX resets_unsent ON resets (expires) WHERE sent = 0;
        """

    /// Document 001's tables as printed. Positions are in location's memory only; `timestamp` is the
    /// time of the registration.
    private static let version3 = """
        CREATE VIEW Customers AS
            SELECT username AS userName, password AS pwd, name AS customerName, gender, student,
                NULL AS currentLat, NULL AS currentLon, birthdate AS birthday,
                strftime('%Y-%m-%d %H:%M:%S', created / 1000, 'unixepoch') AS timestamp, 0 AS charged, email
            FROM accounts LEFT JOIN profiles ON profiles.account = accounts.id
            WHERE role = 'customer' ORDER BY accounts.id;
        CREATE VIEW Merchants AS
            SELECT username AS userName, password AS pwd, name AS merchantName, business_name AS businessName
            FROM accounts LEFT JOIN profiles ON profiles.account = accounts.id
            WHERE role = 'merchant' ORDER BY accounts.id;
        """

    /// A code that restores an address is not stored, like a reset's: it is derived from the id and a key outside this
    /// file.
    private static let version4 = """
        CREATE TABLE restorations (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            account BLOB NOT NULL REFERENCES accounts (id),
            -- The address that the account had before.
            email TEXT NOT NULL CHECK (length(email) BETWEEN 3 AND 254 AND email LIKE '%_@_%'),
            changed INTEGER NOT NULL,
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX restorations_of_account ON restorations (account, changed);
        CREATE INDEX restorations_by_expiry ON restorations (expires);

        -- What owners are still to be told by mail; gone once somebody has taken the letter.
        CREATE TABLE letters (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            account BLOB NOT NULL REFERENCES accounts (id),
            email TEXT NOT NULL CHECK (length(email) BETWEEN 3 AND 254 AND email LIKE '%_@_%'),
            credential TEXT NOT NULL
                CHECK (credential IN ('address', 'restoredAddress', 'password', 'resetPassword', 'pin')),
            time INTEGER NOT NULL,
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX letters_by_time ON letters (time);

        -- Accounts that may transfer nothing to others for a while.
        CREATE TABLE holds (
            account BLOB PRIMARY KEY REFERENCES accounts (id),
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX administrators ON accounts (id) WHERE role = 'administrator';
        """
}
