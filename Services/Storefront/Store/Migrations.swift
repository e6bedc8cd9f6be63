import Storage

/// The schema of storefront's database, version by version. Forward only: a released migration is never edited.
enum PageMigrations {
    static let all = [Migration("1: pages", version1, Outbox.table)]

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
}
