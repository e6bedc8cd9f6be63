import Storage

/// The schema of routines' database, version by version. Forward only: a released migration is never edited.
enum RoutineMigrations {
    static let all = [
        Migration("1: routines, days, images", version1, Outbox.table),
        Migration("2: languages of days", "ALTER TABLE days ADD COLUMN language TEXT CHECK (language IN ('en', 'de'))")
    ]

    /// Times are milliseconds since 1970; `start` and `minutes` are minutes of the day. Of what is `gone` a row stays,
    /// so that a late repeat does not bring it back.
    private static let version1 = """
        CREATE TABLE routines (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- From 1 in each account, in the order of creation.
            place INTEGER NOT NULL CHECK (place >= 1),
            -- What names are compared by.
            name TEXT NOT NULL,
            text TEXT,
            emoji TEXT,
            -- Names and ids, with spaces between them.
            images TEXT,
            tag TEXT NOT NULL,
            quiet INTEGER NOT NULL CHECK (quiet IN (0, 1)),
            -- What tells other content under the same id.
            fingerprint BLOB NOT NULL,
            created INTEGER NOT NULL,
            gone INTEGER,
            UNIQUE (account, place)
        ) STRICT;
        CREATE UNIQUE INDEX routines_by_name ON routines (account, name) WHERE gone IS NULL;

        CREATE TABLE actions (
            routine INTEGER NOT NULL REFERENCES routines (number),
            number INTEGER NOT NULL CHECK (number >= 1),
            text TEXT,
            emoji TEXT,
            images TEXT,
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 240),
            priority TEXT NOT NULL CHECK (priority IN ('high', 'normal', 'low')),
            PRIMARY KEY (routine, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE days (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL CHECK (length(account) = 16),
            date TEXT NOT NULL CHECK (length(date) = 10),
            zone TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            created INTEGER NOT NULL,
            gone INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX days_by_date ON days (account, date) WHERE gone IS NULL;

        CREATE TABLE entries (
            day INTEGER NOT NULL REFERENCES days (number),
            number INTEGER NOT NULL CHECK (number >= 1),
            routine BLOB CHECK (routine IS NULL OR length(routine) = 16),
            text TEXT,
            emoji TEXT,
            images TEXT,
            tag TEXT,
            quiet INTEGER NOT NULL CHECK (quiet IN (0, 1)),
            start INTEGER NOT NULL CHECK (start BETWEEN 0 AND 1439),
            minutes INTEGER NOT NULL CHECK (minutes >= 1 AND start + minutes <= 1440),
            begins INTEGER NOT NULL,
            ends INTEGER NOT NULL,
            until INTEGER NOT NULL,
            -- Whether its reminder was published, or is not to be.
            reminded INTEGER NOT NULL CHECK (reminded IN (0, 1)),
            PRIMARY KEY (day, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entries_due ON entries (begins) WHERE reminded = 0;

        CREATE TABLE day_actions (
            day INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 1),
            text TEXT,
            emoji TEXT,
            images TEXT,
            minutes INTEGER NOT NULL,
            priority TEXT NOT NULL CHECK (priority IN ('high', 'normal', 'low')),
            done INTEGER,
            PRIMARY KEY (day, entry, number),
            FOREIGN KEY (day, entry) REFERENCES entries (day, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE images (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL CHECK (length(account) = 16),
            kind TEXT NOT NULL CHECK (kind IN ('png', 'jpeg')),
            width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 256),
            height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 256),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 9000),
            fingerprint BLOB NOT NULL,
            gone INTEGER
        ) STRICT;
        CREATE INDEX images_of_account ON images (account, number) WHERE gone IS NULL;

        -- Whoever is not here has the defaults.
        CREATE TABLE profiles (
            account BLOB PRIMARY KEY CHECK (length(account) = 16),
            colour TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
