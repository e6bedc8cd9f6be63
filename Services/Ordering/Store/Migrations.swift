import Storage

/// The schema of ordering's database, version by version. Forward only: a released migration is never edited.
enum OrderMigrations {
    static let all = [
        Migration("1: menus, orders, items", version1, Outbox.table),
        Migration("2: orders that wait, and when one was closed", version2),
        Migration("3: a customer's orders by their payments", version3)
    ]

    private static let version3 = """
        DROP INDEX orders_of_customer;
        DROP INDEX orders_waiting_of_customer;
        CREATE INDEX orders_of_customer ON orders (customer, entry) WHERE number IS NOT NULL;
        CREATE INDEX orders_waiting_of_customer ON orders (customer, entry) WHERE state = 'paid';
        """

    private static let version2 = """
        CREATE INDEX orders_waiting_at_merchant ON orders (merchant, number) WHERE state = 'paid';
        CREATE INDEX orders_waiting_of_customer ON orders (customer, place) WHERE state = 'paid';
        -- Orders of before do not have it.
        ALTER TABLE orders ADD COLUMN closed INTEGER;
        CREATE INDEX orders_closed ON orders (closed) WHERE state = 'closed';
        """

    /// Times are milliseconds since 1970, amounts minor units.
    private static let version1 = """
        CREATE TABLE menus (
            merchant BLOB PRIMARY KEY CHECK (length(merchant) = 16),
            name TEXT NOT NULL,
            -- JSON, as on the bus.
            menu BLOB NOT NULL,
            revision INTEGER NOT NULL CHECK (revision > 0),
            changed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX menus_by_name ON menus (name, merchant);

        CREATE TABLE orders (
            place INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            customer_name TEXT,
            merchant BLOB NOT NULL CHECK (length(merchant) = 16),
            merchant_name TEXT NOT NULL,
            -- JSON, as in the menu.
            country BLOB NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('open', 'paying', 'paid', 'ready', 'closed')),
            begun INTEGER NOT NULL,
            -- The outcome of its payment is found out from then on.
            settles INTEGER,
            number INTEGER CHECK (number > 0),
            paid INTEGER,
            ready INTEGER,
            entry INTEGER,
            successor BLOB CHECK (length(successor) = 16),
            UNIQUE (merchant, number),
            CHECK ((state = 'paying') = (settles IS NOT NULL)),
            CHECK ((state IN ('paid', 'ready')) = (number IS NOT NULL)),
            CHECK ((number IS NULL) = (paid IS NULL) AND (paid IS NULL) = (entry IS NULL)),
            CHECK ((state = 'ready') = (ready IS NOT NULL)),
            CHECK (state = 'closed' OR successor IS NULL)
        ) STRICT;
        CREATE UNIQUE INDEX one_order_at_a_time ON orders (customer, merchant) WHERE state IN ('open', 'paying');
        CREATE INDEX orders_to_settle ON orders (settles) WHERE state = 'paying';
        CREATE INDEX orders_of_customer ON orders (customer, place) WHERE number IS NOT NULL;

        CREATE TABLE items (
            place INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            -- A refused payment moves the items to another order.
            ordered BLOB NOT NULL CHECK (length(ordered) = 16),
            owner BLOB NOT NULL REFERENCES orders (id),
            -- JSON, as on the bus.
            line BLOB NOT NULL
        ) STRICT;
        CREATE INDEX items_of_order ON items (owner, place);
        """
}
