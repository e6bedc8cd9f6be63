import Storage

/// The schema of notifications' database, version by version. Forward only: a released migration is never edited.
enum NoticeMigrations {
    static let all = [
        Migration("1: inboxes, endpoints, deliveries", version1, Outbox.table, Cursors.table),
        Migration("2: which fact a cursor stands on", Cursors.marks),
        Migration(
            "3: letters by their end",
            "CREATE INDEX deliveries_letters ON deliveries (expires) WHERE type = 5 AND text <> ''"),
        Migration(
            "4: who caused a notice",
            """
            ALTER TABLE notices ADD COLUMN sender BLOB CHECK (sender IS NULL OR length(sender) = 16);
            DROP INDEX notices_unread;
            CREATE INDEX notices_unread ON notices (account, sender) WHERE read IS NULL;
            """),
        Migration(
            "5: deliveries by endpoint",
            "CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint, number) WHERE endpoint IS NOT NULL"),
        Migration(
            "6: routines that quiet ads",
            """
            CREATE TABLE quiet_routines (
                account BLOB PRIMARY KEY CHECK (length(account) = 16),
                until INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """),
        // Keeping an inbox and each sender's share of it short reads no more rows than it deletes.
        Migration(
            "7: how many notices an inbox has",
            """
            ALTER TABLE inboxes ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
            UPDATE inboxes SET kept = (SELECT count(*) FROM notices WHERE notices.account = inboxes.account);
            CREATE INDEX notices_read ON notices (account) WHERE read IS NOT NULL;
            """),
        // With a zone, quiet_offset is what its offset was when the settings were made.
        Migration("8: quiet hours by a time zone's name", "ALTER TABLE settings ADD COLUMN quiet_zone TEXT"),
        Migration("9: new notices before they are in their inboxes", incoming),
        Migration("10: notices without an index of their ids", withoutIDs),
        Migration(
            "11: web hooks, and what is past its time, without a look at the rest",
            """
            CREATE INDEX endpoints_hooks ON endpoints (account) WHERE type = 4 AND gone IS NULL;
            DROP INDEX deliveries_finished;
            CREATE INDEX deliveries_delivered ON deliveries (finished) WHERE state = 1;
            CREATE INDEX deliveries_dead_since ON deliveries (finished) WHERE state = 2;
            """),
        // The account that registered a phone last has it.
        Migration(
            "12: device tokens in one spelling",
            """
            UPDATE endpoints SET gone = created, address = '' WHERE type = 2 AND gone IS NULL AND number < (
                SELECT max(later.number) FROM endpoints AS later
                WHERE later.type = 2 AND later.gone IS NULL AND lower(later.address) = lower(endpoints.address));
            DELETE FROM deliveries
                WHERE state = 0 AND endpoint IN (SELECT id FROM endpoints WHERE type = 2 AND gone IS NOT NULL);
            UPDATE endpoints SET address = lower(address) WHERE type = 2 AND gone IS NULL;
            CREATE INDEX endpoints_removed ON endpoints (account) WHERE gone IS NOT NULL;
            """)
    ]

    /// Facts are applied once: only those up to `read_again` may have made a notice before.
    private static let withoutIDs = """
        CREATE TABLE read_again (source TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE notices_anew (
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- From 1, without a gap; the oldest are forgotten.
            number INTEGER NOT NULL CHECK (number > 0),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind INTEGER NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            time INTEGER NOT NULL,
            read INTEGER,
            sender BLOB CHECK (sender IS NULL OR length(sender) = 16),
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO notices_anew (account, number, id, kind, title, text, link, time, read, sender)
            SELECT account, number, id, kind, title, text, link, time, read, sender FROM notices
            ORDER BY account, number;
        DROP TABLE notices;
        ALTER TABLE notices_anew RENAME TO notices;
        CREATE INDEX notices_unread ON notices (account, sender) WHERE read IS NULL;
        CREATE INDEX notices_read ON notices (account) WHERE read IS NOT NULL;
        """

    /// The unique index of all ids is gone: it wrote a page at a random place for each notice.
    private static let incoming = """
        CREATE TABLE incoming (
            place INTEGER PRIMARY KEY,
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- What is not above the newest of its inbox has been filed there.
            number INTEGER NOT NULL CHECK (number > 0),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind INTEGER NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            time INTEGER NOT NULL,
            sender BLOB CHECK (sender IS NULL OR length(sender) = 16)
        ) STRICT;
        CREATE TABLE notices_anew (
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- From 1, without a gap; the oldest are forgotten.
            number INTEGER NOT NULL CHECK (number > 0),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind INTEGER NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            time INTEGER NOT NULL,
            read INTEGER,
            sender BLOB CHECK (sender IS NULL OR length(sender) = 16),
            PRIMARY KEY (account, number),
            UNIQUE (account, id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO notices_anew (account, number, id, kind, title, text, link, time, read, sender)
            SELECT account, number, id, kind, title, text, link, time, read, sender FROM notices
            ORDER BY account, number;
        DROP TABLE notices;
        ALTER TABLE notices_anew RENAME TO notices;
        CREATE INDEX notices_unread ON notices (account, sender) WHERE read IS NULL;
        CREATE INDEX notices_read ON notices (account) WHERE read IS NOT NULL;
        """

    /// Times are milliseconds since 1970.
    private static let version1 = """
        CREATE TABLE inboxes (
            account BLOB PRIMARY KEY CHECK (length(account) = 16),
            newest INTEGER NOT NULL CHECK (newest > 0)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE notices (
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- From 1, without a gap; the oldest are forgotten.
            number INTEGER NOT NULL CHECK (number > 0),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            kind INTEGER NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            time INTEGER NOT NULL,
            read INTEGER,
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notices_unread ON notices (account) WHERE read IS NULL;

        CREATE TABLE endpoints (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account BLOB NOT NULL CHECK (length(account) = 16),
            -- 1 Android, 2 iOS, 3 website, 4 web hook
            type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 4),
            address TEXT NOT NULL,
            p256dh BLOB CHECK (p256dh IS NULL OR length(p256dh) = 65),
            auth BLOB CHECK (auth IS NULL OR length(auth) = 16),
            secret BLOB,
            created INTEGER NOT NULL,
            -- Removed; kept a while so that a late repeat does not bring it back.
            gone INTEGER,
            CHECK (type <> 3 OR gone IS NOT NULL OR (p256dh IS NOT NULL AND auth IS NOT NULL)),
            CHECK (type <> 4 OR gone IS NOT NULL OR secret IS NOT NULL)
        ) STRICT;
        CREATE INDEX endpoints_of_account ON endpoints (account) WHERE gone IS NULL;
        CREATE UNIQUE INDEX endpoints_by_address ON endpoints (type, address) WHERE gone IS NULL AND type < 4;
        CREATE INDEX endpoints_gone ON endpoints (gone) WHERE gone IS NOT NULL;

        -- Whoever is not here has the defaults.
        CREATE TABLE settings (
            account BLOB PRIMARY KEY CHECK (length(account) = 16),
            enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
            -- One bit a kind.
            muted INTEGER NOT NULL,
            quiet_from INTEGER,
            quiet_until INTEGER,
            quiet_offset INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE deliveries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            notice BLOB CHECK (notice IS NULL OR length(notice) = 16),
            account BLOB CHECK (account IS NULL OR length(account) = 16),
            -- 1 Android, 2 iOS, 3 website, 4 web hook, 5 mail
            type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 5),
            endpoint BLOB CHECK (endpoint IS NULL OR length(endpoint) = 16),
            -- Where it goes when it is to no endpoint.
            address TEXT,
            -- The endpoint, or what stands for the address.
            lane BLOB NOT NULL CHECK (length(lane) = 16),
            kind INTEGER,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            link TEXT,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            -- 0 queued, 1 delivered, 2 dead
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
            attempts INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL,
            reason TEXT,
            finished INTEGER,
            -- Of keyed asks: what tells other content under the same key.
            fingerprint BLOB,
            simulated TEXT,
            CHECK ((state = 0) = (finished IS NULL)),
            CHECK (endpoint IS NOT NULL OR address IS NOT NULL)
        ) STRICT;
        CREATE INDEX deliveries_queued ON deliveries (lane) WHERE state = 0;
        CREATE INDEX deliveries_dead ON deliveries (number) WHERE state = 2;
        CREATE INDEX deliveries_finished ON deliveries (finished) WHERE state > 0;
        """
}
