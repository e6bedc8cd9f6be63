import Storage

/// The schema of payments, as steps that only go forward.
enum ChargeMigrations {
    static let all = [
        Migration("1 charges", charges, Outbox.table, Cursors.table),
        Migration("2 history", historyChains),
        Migration("3 disabled customers", disabledCustomers),
        Migration("4 members", members),
        Migration("5 coupons and presence", couponsAndPresence),
        Migration("6 printed table", printedTable),
        Migration("7 stars are counted by offers", "DROP TABLE members;"),
        Migration("8 which fact a cursor stands on", Cursors.marks),
        Migration("9 the index of ids follows", idsFollow, printedTable, KeyIndex.schema(rows)),
        Migration("10 histories in the charges", linkedCharges, KeyIndex.schema(parties)),
        Migration("11 requests by their time", requestsByTime),
        Migration("12 facts of captures are whole", KeptCapture.makeWhole),
        Migration("13 requests that were taken back count", requestsTakenBack),
        // The merchant's name in the facts of requested charges, so that consumers need not look it up.
        Migration("14 merchants' names", "ALTER TABLE charges ADD COLUMN merchant_name TEXT;"),
        Migration("15 merchants that may request money", permissions),
        Migration("16 typed codes", typedCodes),
        Migration("17 requests between two parties", requestsBetween),
        Migration("18 requests are indexed behind", requestsFollow),
        Migration("19 which attempt redeemed which code", redemptions),
        // A digest of merchant, amount and memo; null of attempts from before.
        Migration("20 what attempts redeemed codes for", "ALTER TABLE redemptions ADD COLUMN content BLOB;")
    ]

    static let rows = KeyIndex.Columns(index: "charge_rows", of: "charges", key: "id", place: "row")
    static let parties = KeyIndex.Columns(
        index: "newest_charges", of: "histories", key: "party", isUnique: false, place: "row")

    private static let charges = """
        CREATE TABLE charges (
            row INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            -- 0 requested, 1 captured, 2 declined, 3 cancelled, 4 expired
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            amount INTEGER NOT NULL CHECK (amount > 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            memo TEXT NOT NULL,
            requested INTEGER NOT NULL,
            expires INTEGER,
            decided INTEGER,
            card BLOB CHECK (card IS NULL OR length(card) = 16),
            card_balance INTEGER,
            entry INTEGER,
            refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND amount),
            CHECK ((state = 0) = (decided IS NULL)),
            CHECK ((state = 1) = (entry IS NOT NULL AND card IS NOT NULL AND card_balance IS NOT NULL)),
            CHECK (state <> 0 OR expires IS NOT NULL)
        ) STRICT;
        CREATE INDEX charges_of_customer ON charges (customer, row);
        CREATE INDEX charges_of_merchant ON charges (merchant, row);
        CREATE INDEX charges_waiting ON charges (expires) WHERE state = 0;
        """

    /// An index by party touches a page per payment; a chain through the end of one table touches none (ADR 7).
    private static let historyChains = """
        -- Each party's charges as a chain: the newest node is in parties, the one before in previous.
        CREATE TABLE history (
            node INTEGER PRIMARY KEY,
            charge INTEGER NOT NULL REFERENCES charges (row),
            previous INTEGER NOT NULL CHECK (previous >= 0 AND previous < node)
        ) STRICT;
        CREATE TABLE parties (
            party BLOB PRIMARY KEY CHECK (length(party) = 16),
            newest INTEGER NOT NULL REFERENCES history (node)
        ) STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE nodes AS
            SELECT 2 * row - 1 AS node, row AS charge, customer AS party FROM charges
            UNION ALL SELECT 2 * row, row, merchant FROM charges WHERE merchant <> customer;
        INSERT INTO history (node, charge, previous)
            SELECT node, charge, coalesce(lag(node) OVER (PARTITION BY party ORDER BY node), 0)
            FROM nodes ORDER BY node;
        INSERT INTO parties (party, newest) SELECT party, max(node) FROM nodes GROUP BY party;
        DROP TABLE nodes;
        DROP INDEX charges_of_customer;
        DROP INDEX charges_of_merchant;
        """

    private static let disabledCustomers = """
        CREATE TABLE disabled (
            customer BLOB PRIMARY KEY CHECK (length(customer) = 16)
        ) STRICT, WITHOUT ROWID;
        """

    private static let permissions = """
        CREATE TABLE permissions (
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            -- 16 zero bytes are every merchant.
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            PRIMARY KEY (customer, merchant)
        ) STRICT, WITHOUT ROWID;
        """

    private static let typedCodes = """
        -- Pay codes that can be typed. What is typed is not stored.
        CREATE TABLE typed_codes (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 16),
            id BLOB NOT NULL CHECK (length(id) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            card BLOB NOT NULL CHECK (length(card) = 16),
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX typed_codes_by_end ON typed_codes (expires);
        """

    private static let redemptions = """
        -- Codes by the attempts to redeem them: one attempt redeems one code.
        CREATE TABLE redemptions (
            attempt BLOB PRIMARY KEY CHECK (length(attempt) = 16),
            code BLOB NOT NULL CHECK (length(code) = 16),
            time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX redemptions_by_time ON redemptions (time);
        """

    private static let members = """
        -- Customers who take part in the stars.
        CREATE TABLE members (
            customer BLOB PRIMARY KEY CHECK (length(customer) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let couponsAndPresence = """
        ALTER TABLE charges ADD COLUMN coupon BLOB CHECK (coupon IS NULL OR length(coupon) = 16);
        -- Minor units; so much more was asked for than amount says.
        ALTER TABLE charges ADD COLUMN discount INTEGER CHECK (discount IS NULL OR discount > 0);
        -- The place where the customer was when it was requested, how far from it, and when that was seen.
        ALTER TABLE charges ADD COLUMN place BLOB CHECK (place IS NULL OR length(place) = 16);
        ALTER TABLE charges ADD COLUMN place_metres INTEGER;
        ALTER TABLE charges ADD COLUMN place_time INTEGER;
        """

    private static let printedTable = """
        -- Document 001's table as printed (001-110 … 001-116). A charge's row is its index (A32); accounts
        -- are ids, as payments knows no usernames; cost has its cents (A34).
        CREATE VIEW customerTransactions AS
            SELECT lower(hex(merchant)) AS merchant, row AS productIndex,
                strftime('%Y-%m-%d %H:%M:%S', coalesce(decided, requested) / 1000, 'unixepoch')
                    AS purchaseTime,
                lower(hex(customer)) AS customer,
                printf('%d.%02d', amount / 100, amount % 100) AS cost,
                state = 1 AS paid, state > 1 AS cancelled
            FROM charges ORDER BY row;
        """

    /// Replaces the index of random ids, which wrote a page for nearly every payment (ADR 32).
    private static let idsFollow = """
        DROP VIEW customerTransactions;
        CREATE TABLE charges_anew (
            row INTEGER PRIMARY KEY,
            -- Once only: `charge_rows` says where each is.
            id BLOB NOT NULL CHECK (length(id) = 16),
            -- 0 requested, 1 captured, 2 declined, 3 cancelled, 4 expired
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            amount INTEGER NOT NULL CHECK (amount > 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            memo TEXT NOT NULL,
            requested INTEGER NOT NULL,
            expires INTEGER,
            decided INTEGER,
            card BLOB CHECK (card IS NULL OR length(card) = 16),
            card_balance INTEGER,
            entry INTEGER,
            refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND amount),
            coupon BLOB CHECK (coupon IS NULL OR length(coupon) = 16),
            -- Minor units; so much more was asked for than amount says.
            discount INTEGER CHECK (discount IS NULL OR discount > 0),
            -- The place where the customer was when it was requested, how far from it, and when that was seen.
            place BLOB CHECK (place IS NULL OR length(place) = 16),
            place_metres INTEGER,
            place_time INTEGER,
            CHECK ((state = 0) = (decided IS NULL)),
            CHECK ((state = 1) = (entry IS NOT NULL AND card IS NOT NULL AND card_balance IS NOT NULL)),
            CHECK (state <> 0 OR expires IS NOT NULL)
        ) STRICT;
        INSERT INTO charges_anew SELECT * FROM charges ORDER BY row;
        DROP TABLE charges;
        ALTER TABLE charges_anew RENAME TO charges;
        CREATE INDEX charges_waiting ON charges (expires) WHERE state = 0;
        """

    /// Replaces the table of histories by links between rows (ADR 34).
    private static let linkedCharges = """
        -- The row before in the history of each party; 0 where there is none, and for a merchant who is the customer.
        ALTER TABLE charges ADD COLUMN customer_before INTEGER NOT NULL DEFAULT 0 CHECK (customer_before >= 0);
        ALTER TABLE charges ADD COLUMN merchant_before INTEGER NOT NULL DEFAULT 0 CHECK (merchant_before >= 0);
        CREATE TEMP TABLE links (row INTEGER PRIMARY KEY, customer_before INTEGER, merchant_before INTEGER);
        INSERT INTO links (row, customer_before, merchant_before)
            SELECT row, max(iif(is_customer, before, 0)), max(iif(is_customer, 0, before))
            FROM (
                SELECT row, is_customer, lag(row, 1, 0) OVER (PARTITION BY party ORDER BY row) AS before
                FROM (
                    SELECT row, customer AS party, TRUE AS is_customer FROM charges
                    UNION ALL SELECT row, merchant, FALSE FROM charges WHERE merchant <> customer
                ) AS parties
            ) AS befores
            GROUP BY row ORDER BY row;
        UPDATE charges SET customer_before = links.customer_before, merchant_before = links.merchant_before
            FROM links WHERE links.row = charges.row;
        DROP TABLE links;
        DROP TABLE parties;
        DROP TABLE history;
        -- In whose histories a charge stays that was requested by them, or of them, and is others' now.
        CREATE TABLE former_parties (
            charge INTEGER NOT NULL REFERENCES charges (row),
            party BLOB NOT NULL CHECK (length(party) = 16),
            before INTEGER NOT NULL CHECK (before >= 0),
            PRIMARY KEY (charge, party)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW histories AS
            SELECT customer AS party, row FROM charges
            UNION ALL SELECT merchant, row FROM charges
            UNION ALL SELECT party, charge FROM former_parties;
        """

    /// For requested charges only: other payments write no page of an index.
    private static let requestsByTime = """
        CREATE INDEX requests_of_customer ON charges (customer, coalesce(decided, requested)) WHERE expires IS NOT NULL;
        CREATE INDEX requests_of_merchant ON charges (merchant, coalesce(decided, requested)) WHERE expires IS NOT NULL;
        CREATE INDEX charges_waiting_between ON charges (customer, merchant) WHERE state = 0;
        """

    private static let requestsTakenBack = """
        DROP INDEX charges_waiting_between;
        CREATE INDEX requests_between ON charges (customer, merchant, expires) WHERE state IN (0, 3);
        """

    /// Says which requests of a merchant wait for a customer, and whether the customer has paid one, without reading
    /// the customer's others.
    private static let requestsBetween = """
        DROP INDEX requests_between;
        CREATE INDEX requests_between ON charges (customer, merchant, state, expires) WHERE expires IS NOT NULL;
        """

    /// Replaces the indexes that wrote pages at random places for each request and its decision (ADR 50).
    private static let requestsFollow = """
        -- Decided requests in the histories of their parties.
        CREATE TABLE requests (
            party BLOB NOT NULL CHECK (length(party) = 16),
            moment INTEGER NOT NULL,
            charge INTEGER NOT NULL,
            PRIMARY KEY (party, moment, charge)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO requests (party, moment, charge)
            SELECT party, moment, charge FROM (
                SELECT customer AS party, decided AS moment, row AS charge FROM charges
                WHERE expires IS NOT NULL AND decided IS NOT NULL
                UNION ALL
                SELECT merchant, decided, row FROM charges
                WHERE expires IS NOT NULL AND decided IS NOT NULL AND merchant <> customer
            ) AS entries
            ORDER BY party, moment, charge;
        -- The row up to which it has all of them; those behind it are read when the file is opened.
        CREATE TABLE requests_follow (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            through INTEGER NOT NULL CHECK (through >= 0)
        ) STRICT;
        INSERT INTO requests_follow (one, through) SELECT 1, coalesce(max(row), 0) FROM charges;
        -- Customers who have paid a request of a merchant.
        CREATE TABLE paid_requests (
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            PRIMARY KEY (customer, merchant)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO paid_requests (customer, merchant)
            SELECT DISTINCT customer, merchant FROM charges WHERE expires IS NOT NULL AND state = 1
            ORDER BY customer, merchant;
        DROP INDEX requests_of_customer;
        DROP INDEX requests_of_merchant;
        DROP INDEX requests_between;
        CREATE INDEX requests_cancelled ON charges (customer, merchant, expires) WHERE state = 3;
        """
}
