import Storage

/// The schema of storefront's database, version by version. Forward only: a released migration is never edited.
enum PageMigrations {
    static let all = [Migration("1: pages", version1, Outbox.table), Migration("2: logos", version2)]

    private static let version1 = """
        CREATE TABLE pages (
            merchant BLOB PRIMARY KEY CHECK (length(merchant) = 16),
            name TEXT NOT NULL,
            -- JSON, as on the bus.
            page BLOB NOT NULL,
            revision INTEGER NOT NULL CHECK (revision > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pages_by_name ON pages (name, merchant);
        """

    private static let version2 = """
        CREATE TABLE logos (
            merchant BLOB PRIMARY KEY CHECK (length(merchant) = 16),
            kind TEXT NOT NULL CHECK (kind IN ('png', 'jpeg')),
            width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 256),
            height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 256),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 9000)
        ) STRICT, WITHOUT ROWID;
        """
}
