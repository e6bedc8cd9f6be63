import GRDB
import Storage

/// The schema of payments, as steps that only go forward.
enum ChargeMigrations {
    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 charges") { database in
            try database.execute(
                sql: """
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
                    """)
            try Outbox.create(in: database)
            try Cursors.create(in: database)
        }
        return migrator
    }
}
