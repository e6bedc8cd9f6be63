import Storage

/// The schema of location's database, version by version. Forward only: a released migration is never edited.
enum PlaceMigrations {
    static let all = [
        Migration("1: places, sharing, visits", version1, Outbox.table),
        Migration("2: printed table", version2)
    ]

    /// Times are milliseconds since 1970, coordinates millionths of a degree.
    private static let version1 = """
        CREATE TABLE places (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 100),
            latitude INTEGER NOT NULL CHECK (latitude BETWEEN -90000000 AND 90000000),
            longitude INTEGER NOT NULL CHECK (longitude BETWEEN -180000000 AND 180000000)
        ) STRICT;
        CREATE INDEX places_of_merchant ON places (merchant);

        -- Who shares a position. Whoever does not is not here.
        CREATE TABLE sharing (
            customer BLOB PRIMARY KEY CHECK (length(customer) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Visits that were published as entered, and not yet as exited.
        CREATE TABLE visits (
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            place BLOB NOT NULL CHECK (length(place) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            entered INTEGER NOT NULL,
            dwelled INTEGER NOT NULL CHECK (dwelled IN (0, 1)),
            PRIMARY KEY (customer, place)
        ) STRICT, WITHOUT ROWID;

        -- When the process was there for the last time, to a minute.
        CREATE TABLE alive (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            time INTEGER NOT NULL
        ) STRICT;
        """

    /// Document 001's table as printed. A merchant with two places has two rows. Accounts are ids, as
    /// location stores no usernames.
    private static let version2 = """
        CREATE VIEW merchantLocation AS
            SELECT lower(hex(merchant)) AS merchantUserName, latitude, longitude FROM places ORDER BY number;
        """
}
