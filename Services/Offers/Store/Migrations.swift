import Storage

/// The schema of offers' database, version by version. Forward only: a released migration is never edited.
enum DealMigrations {
    static let all = [
        Migration("1: offers, customers, coupons, stars", offers, customers, coupons, Outbox.table, Cursors.table),
        Migration("2: printed tables", printed),
        Migration("3: which fact a cursor stands on", Cursors.marks),
        Migration("4: sums of purchases only", sumsOnly),
        Migration("5: the printed coupons are accepted ones", printedCoupons),
        Migration("6: who has looked at what", looks),
        Migration("7: offers are pushed at their time", pushedAtTheirTime),
        Migration("8: what was approved last", lastApproved),
        Migration("9: nothing is looked through that grows for ever", narrowIndexes),
        Migration("10: stars that were spent are summed from an index", starsInIndex)
    ]

    /// Times are milliseconds since 1970.
    private static let offers = """
        CREATE TABLE offers (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            kind TEXT NOT NULL CHECK (kind IN ('ad', 'coupon')),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            -- JSON, as on the bus.
            terms BLOB NOT NULL,
            accepted TEXT NOT NULL CHECK (accepted IN ('pending', 'accepted', 'rejected')),
            reason TEXT,
            enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
            revision INTEGER NOT NULL CHECK (revision > 0),
            -- SHA-256 of what was submitted first: the same id again has to be the same.
            submission BLOB NOT NULL CHECK (length(submission) = 32),
            submitted INTEGER NOT NULL,
            decided INTEGER,
            expires INTEGER NOT NULL,
            CHECK ((decided IS NULL) = (accepted = 'pending'))
        ) STRICT;
        CREATE INDEX offers_of_merchant ON offers (merchant, number);
        CREATE INDEX offers_pending ON offers (number) WHERE accepted = 'pending';
        CREATE INDEX offers_by_end ON offers (expires);

        -- 001-117: one index a type.
        CREATE TABLE products (
            product_index INTEGER PRIMARY KEY AUTOINCREMENT,
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            type TEXT NOT NULL CHECK (length(CAST(type AS BLOB)) BETWEEN 1 AND 50),
            UNIQUE (merchant, type)
        ) STRICT;

        -- Who was sent what: once.
        CREATE TABLE sends (
            offer BLOB NOT NULL CHECK (length(offer) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            time INTEGER NOT NULL,
            PRIMARY KEY (offer, customer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sends_to_customer ON sends (customer, time);

        CREATE TABLE pushes (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            offer BLOB NOT NULL CHECK (length(offer) = 16),
            place BLOB CHECK (length(place) = 16),
            nearby INTEGER NOT NULL,
            sent INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let customers = """
        -- What auth tells of customers and merchants.
        CREATE TABLE accounts (
            account BLOB PRIMARY KEY CHECK (length(account) = 16),
            role TEXT NOT NULL CHECK (role IN ('customer', 'merchant')),
            username TEXT,
            name TEXT NOT NULL,
            birthdate TEXT,
            gender TEXT CHECK (gender IN ('M', 'F')),
            student INTEGER CHECK (student IN (0, 1)),
            -- A merchant's approval; those from before there was one have none.
            status TEXT CHECK (status IN ('pending', 'approved', 'rejected'))
        ) STRICT, WITHOUT ROWID;

        -- subscribeForAds and subscribeForCoupons (001-108, 001-109).
        CREATE TABLE subscriptions (
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            ads INTEGER NOT NULL CHECK (ads IN (0, 1)),
            coupons INTEGER NOT NULL CHECK (coupons IN (0, 1)),
            PRIMARY KEY (customer, merchant),
            CHECK (ads = 1 OR coupons = 1)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE preferences (
            customer BLOB PRIMARY KEY CHECK (length(customer) = 16),
            -- JSON, as on the bus.
            body BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Customers who take part in the stars.
        CREATE TABLE members (
            customer BLOB PRIMARY KEY CHECK (length(customer) = 16),
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE purchases (
            charge BLOB PRIMARY KEY CHECK (length(charge) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            amount INTEGER NOT NULL CHECK (amount > 0),
            time INTEGER NOT NULL,
            -- Refunded in full: no visit any more.
            refunded INTEGER NOT NULL CHECK (refunded IN (0, 1)),
            -- Whether it is one of the customer's stars.
            star INTEGER NOT NULL CHECK (star IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX purchases_with_star ON purchases (customer) WHERE star = 1;

        -- The sums of it.
        CREATE TABLE histories (
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            visits INTEGER NOT NULL CHECK (visits >= 0),
            last INTEGER NOT NULL,
            stars INTEGER NOT NULL CHECK (stars >= 0),
            PRIMARY KEY (customer, merchant)
        ) STRICT, WITHOUT ROWID;
        """

    /// Offers whose time had come before are not sent: their customers have seen them in lists.
    private static let pushedAtTheirTime = """
        ALTER TABLE offers ADD COLUMN send_time INTEGER;
        -- When it was sent by itself to all whom it is for.
        ALTER TABLE offers ADD COLUMN pushed INTEGER;
        UPDATE offers SET send_time = coalesce(
            CAST(round((julianday(json_extract(CAST(terms AS TEXT), '$.sendTime')) - 2440587.5) * 86400000) AS INTEGER),
            submitted);
        UPDATE offers SET pushed = send_time
            WHERE accepted = 'accepted' AND send_time <= CAST(strftime('%s', 'now') AS INTEGER) * 1000;
        CREATE INDEX offers_to_push ON offers (send_time) WHERE accepted = 'accepted' AND pushed IS NULL;
        """

    private static let narrowIndexes = """
        -- Sorted by the end, because an offer that has ended is pushed no more.
        DROP INDEX offers_to_push;
        CREATE INDEX offers_to_push ON offers (expires) WHERE accepted = 'accepted' AND pushed IS NULL;
        DROP INDEX reservations_of_coupon;
        CREATE INDEX reservations_of_coupon ON reservations (coupon, customer) WHERE state = 1;
        CREATE INDEX reservations_with_stars ON reservations (customer) WHERE stars > 0;
        """

    private static let starsInIndex = """
        DROP INDEX reservations_with_stars;
        CREATE INDEX reservations_with_stars ON reservations (customer, merchant, state, stars) WHERE stars > 0;
        """

    private static let lastApproved = """
        -- JSON, as on the bus: the newest revision that was approved, while the offer is not accepted.
        ALTER TABLE offers ADD COLUMN last_approved BLOB;
        """

    private static let printedCoupons = """
        DROP VIEW coupons;
        CREATE VIEW coupons AS
            SELECT coalesce(username, lower(hex(merchant))) AS merchant, json_extract(text, '$.content') AS content,
                json_extract(text, '$.minAge') AS minAge, json_extract(text, '$.maxAge') AS maxAge,
                strftime('%Y-%m-%d %H:%M:%S', coalesce(json_extract(text, '$.sendTime'), submitted)) AS sendTime,
                json_extract(text, '$.targetGender') AS targetGender, json_extract(text, '$.student') AS student,
                json_extract(text, '$.targetLat') AS targetLat, json_extract(text, '$.targetLon') AS targetLon,
                strftime('%Y-%m-%d %H:%M:%S', expires / 1000, 'unixepoch') AS expDate
            FROM terms_of_offers WHERE kind = 'coupon' AND accepted = 'accepted' ORDER BY number;
        """

    /// The index is for what came of one coupon.
    private static let looks = """
        CREATE TABLE looks (
            offer BLOB NOT NULL CHECK (length(offer) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            -- The first time.
            time INTEGER NOT NULL,
            PRIMARY KEY (offer, customer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reservations_of_coupon ON reservations (coupon) WHERE state = 1;
        """

    /// A refund's fact has the amount that was paid (ADR 29), so single purchases are not stored.
    private static let sumsOnly = """
        DROP TABLE purchases;

        -- Charges that were requested and are paid: they take no coupon any more.
        CREATE TABLE paid (
            charge BLOB PRIMARY KEY CHECK (length(charge) = 16)
        ) STRICT, WITHOUT ROWID;
        """

    private static let coupons = """
        CREATE TABLE reservations (
            number INTEGER PRIMARY KEY,
            coupon BLOB NOT NULL CHECK (length(coupon) = 16),
            charge BLOB NOT NULL CHECK (length(charge) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            amount INTEGER NOT NULL,
            discount INTEGER NOT NULL CHECK (discount > 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            stars INTEGER NOT NULL CHECK (stars >= 0),
            -- What the coupon was called when it was bound: what it is called later may not be approved.
            title TEXT NOT NULL,
            expires INTEGER NOT NULL,
            -- 0 open, 1 redeemed, 2 released.
            state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
            time INTEGER NOT NULL,
            UNIQUE (charge, coupon)
        ) STRICT;
        CREATE INDEX reservations_open ON reservations (expires) WHERE state = 0;
        CREATE INDEX reservations_used ON reservations (customer, number) WHERE state = 1;
        """

    /// Document 001's tables as printed. Accounts without a known username are
    /// shown by id. Targets are millionths of a degree.
    private static let printed = """
        CREATE VIEW subscribeForAds AS
            SELECT coalesce(c.username, lower(hex(customer))) AS userName,
                coalesce(m.username, lower(hex(merchant))) AS merchant
            FROM subscriptions LEFT JOIN accounts c ON c.account = customer LEFT JOIN accounts m ON m.account = merchant
            WHERE ads = 1 ORDER BY customer, merchant;
        CREATE VIEW subscribeForCoupons AS
            SELECT coalesce(c.username, lower(hex(customer))) AS userName,
                coalesce(m.username, lower(hex(merchant))) AS merchant
            FROM subscriptions LEFT JOIN accounts c ON c.account = customer LEFT JOIN accounts m ON m.account = merchant
            WHERE coupons = 1 ORDER BY customer, merchant;
        CREATE VIEW merchantProductType AS
            SELECT coalesce(username, lower(hex(merchant))) AS merchant, type, product_index AS productIndex
            FROM products LEFT JOIN accounts ON account = merchant ORDER BY product_index;

        CREATE VIEW terms_of_offers AS
            SELECT number, kind, merchant, username, CAST(terms AS TEXT) AS text, accepted,
                CASE enabled WHEN 1 THEN 'yes' ELSE 'no' END AS enabled, expires,
                strftime('%Y-%m-%dT%H:%M:%fZ', submitted / 1000.0, 'unixepoch') AS submitted
            FROM offers LEFT JOIN accounts ON account = merchant;
        CREATE VIEW coupons AS
            SELECT coalesce(username, lower(hex(merchant))) AS merchant, json_extract(text, '$.content') AS content,
                json_extract(text, '$.minAge') AS minAge, json_extract(text, '$.maxAge') AS maxAge,
                strftime('%Y-%m-%d %H:%M:%S', coalesce(json_extract(text, '$.sendTime'), submitted)) AS sendTime,
                json_extract(text, '$.targetGender') AS targetGender, json_extract(text, '$.student') AS student,
                json_extract(text, '$.targetLat') AS targetLat, json_extract(text, '$.targetLon') AS targetLon,
                strftime('%Y-%m-%d %H:%M:%S', expires / 1000, 'unixepoch') AS expDate
            FROM terms_of_offers WHERE kind = 'coupon' ORDER BY number;
        CREATE VIEW advertisements AS
            SELECT coalesce(username, lower(hex(merchant))) AS merchant, json_extract(text, '$.content') AS content,
                json_extract(text, '$.minAge') AS minAge, json_extract(text, '$.maxAge') AS maxAge,
                strftime('%Y-%m-%d %H:%M:%S', coalesce(json_extract(text, '$.sendTime'), submitted)) AS sendTime,
                json_extract(text, '$.targetGender') AS targetGender, json_extract(text, '$.student') AS student,
                json_extract(text, '$.targetLat') AS targetLat, json_extract(text, '$.targetLon') AS targetLon,
                strftime('%Y-%m-%d %H:%M:%S', expires / 1000, 'unixepoch') AS expDate, accepted, enabled
            FROM terms_of_offers WHERE kind = 'ad' ORDER BY number;
        """
}
