import Storage

/// The schema of the ledger, forward only. The constraints guard a second time, after the rules of `Domain/`: what they
/// refuse is a bug.
enum LedgerMigrations {
    /// - Parameter rules: with the key of the chain.
    static func all(_ rules: LedgerRules) -> [Migration] {
        [
            Migration("1 ledger", first),
            Migration("2 accounts follow", accountsFollow),
            Migration("3 operations follow", operationsFollow, KeyIndex.schema(operations)),
            Migration(chain) { try JournalSealing.seal($0, rules) },
            Migration("5 open holds by card", holdsByCard)
        ]
    }

    /// The migration that seals the journal of an older file.
    static let chain = "4 chain over the journal"

    private static let holdsByCard = """
        CREATE INDEX holds_of_card ON holds (card, expires) WHERE state = 0;
        """

    /// Identifiers are 16-byte BLOBs, times milliseconds since 1970, amounts minor units. The codes of kinds and states
    /// are those of `AccountKind`, `Wallet.EntryKind.storedCode`, `FactKind` and `Hold.State`.
    private static let first = """
        CREATE TABLE meta (
            key TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What each account has. Follows from the entries; kept because it is asked for all the time.
        CREATE TABLE accounts (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
            owner BLOB NOT NULL CHECK (length(owner) = 16),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            balance INTEGER NOT NULL,
            held INTEGER NOT NULL,
            last_entry INTEGER NOT NULL CHECK (last_entry >= 0),
            CHECK (kind NOT IN (1, 2) OR (balance >= 0 AND held >= 0 AND held <= balance)),
            CHECK (kind = 1 OR held = 0)
        ) STRICT, WITHOUT ROWID;

        -- The number of a card is known by its keyed digest only.
        CREATE TABLE cards (
            card BLOB PRIMARY KEY REFERENCES accounts (id),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            number_digest BLOB NOT NULL UNIQUE CHECK (length(number_digest) = 32),
            last_four TEXT NOT NULL CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),
            position INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX cards_by_customer ON cards (customer, position);

        CREATE TABLE customers (
            owner BLOB PRIMARY KEY CHECK (length(owner) = 16),
            default_card BLOB NOT NULL REFERENCES cards (card)
        ) STRICT, WITHOUT ROWID;

        -- Money that moved: debit is the account it left, credit the one it reached.
        CREATE TABLE entries (
            number INTEGER PRIMARY KEY CHECK (number > 0),
            operation BLOB NOT NULL CHECK (length(operation) = 16),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 6),
            debit BLOB NOT NULL CHECK (length(debit) = 16),
            credit BLOB NOT NULL CHECK (length(credit) = 16 AND credit <> debit),
            amount INTEGER NOT NULL CHECK (amount > 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            debit_after INTEGER NOT NULL,
            credit_after INTEGER NOT NULL,
            debit_previous INTEGER NOT NULL CHECK (debit_previous >= 0 AND debit_previous < number),
            credit_previous INTEGER NOT NULL CHECK (credit_previous >= 0 AND credit_previous < number),
            time INTEGER NOT NULL,
            memo TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT;
        CREATE TRIGGER entries_keep BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
        CREATE TRIGGER entries_stay BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;

        -- What became of each operation: idempotency record, outbox and replay in one.
        CREATE TABLE journal (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            operation BLOB UNIQUE CHECK (operation IS NULL OR length(operation) = 16),
            fingerprint BLOB CHECK ((fingerprint IS NULL) = (operation IS NULL)),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 12),
            time INTEGER NOT NULL,
            correlation TEXT,
            causation TEXT,
            trace BLOB CHECK (trace IS NULL OR length(trace) = 17),
            body BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER journal_keeps BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
        CREATE TRIGGER journal_stays BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

        CREATE TABLE holds (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            card BLOB NOT NULL REFERENCES accounts (id),
            customer BLOB NOT NULL CHECK (length(customer) = 16),
            merchant BLOB NOT NULL REFERENCES accounts (id),
            amount INTEGER NOT NULL CHECK (amount > 0),
            expires INTEGER NOT NULL,
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
            captured INTEGER NOT NULL,
            CHECK (captured BETWEEN 0 AND amount AND (captured > 0) = (state = 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX holds_open ON holds (expires) WHERE state = 0;

        CREATE TABLE refunds (
            payment BLOB PRIMARY KEY CHECK (length(payment) = 16),
            captured INTEGER NOT NULL,
            refunded INTEGER NOT NULL CHECK (refunded > 0 AND refunded <= captured)
        ) STRICT, WITHOUT ROWID;
        """

    /// Rows of accounts are written after their entries (ADR 31). The constraint against a balance below zero moves to
    /// the entries. The column is renamed, so that an older program, which would trust an outdated row, does not open
    /// the file.
    private static let accountsFollow = """
        ALTER TABLE accounts RENAME COLUMN last_entry TO through_entry;

        -- Up to which entry the rows of all accounts are written; those behind it are applied when the file is opened.
        CREATE TABLE accounts_follow (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            through INTEGER NOT NULL CHECK (through >= 0)
        ) STRICT;
        INSERT INTO accounts_follow (one, through) SELECT 1, coalesce(max(number), 0) FROM entries;

        ALTER TABLE entries RENAME TO entries_before;
        CREATE TABLE entries (
            number INTEGER PRIMARY KEY CHECK (number > 0),
            operation BLOB NOT NULL CHECK (length(operation) = 16),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 6),
            debit BLOB NOT NULL CHECK (length(debit) = 16),
            credit BLOB NOT NULL CHECK (length(credit) = 16 AND credit <> debit),
            amount INTEGER NOT NULL CHECK (amount > 0),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            -- Opening balances and reloads leave the ledger's own accounts, which may be below zero.
            debit_after INTEGER NOT NULL CHECK (kind IN (1, 2) OR debit_after >= 0),
            credit_after INTEGER NOT NULL CHECK (credit_after >= 0),
            debit_previous INTEGER NOT NULL CHECK (debit_previous >= 0 AND debit_previous < number),
            credit_previous INTEGER NOT NULL CHECK (credit_previous >= 0 AND credit_previous < number),
            time INTEGER NOT NULL,
            memo TEXT NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT;
        INSERT INTO entries SELECT * FROM entries_before ORDER BY number;
        DROP TABLE entries_before;
        CREATE TRIGGER entries_keep BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
        CREATE TRIGGER entries_stay BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
        """

    static let operations = KeyIndex.Columns(
        index: "operations", of: "journal", key: "operation", place: "sequence")

    /// Replaces the journal's index of operations, which wrote a page for nearly every payment (ADR 32).
    private static let operationsFollow = """
        ALTER TABLE journal RENAME TO journal_before;
        CREATE TABLE journal (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            -- Once only: `operations` says where each is.
            operation BLOB CHECK (operation IS NULL OR length(operation) = 16),
            fingerprint BLOB CHECK ((fingerprint IS NULL) = (operation IS NULL)),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 12),
            time INTEGER NOT NULL,
            correlation TEXT,
            causation TEXT,
            trace BLOB CHECK (trace IS NULL OR length(trace) = 17),
            body BLOB NOT NULL
        ) STRICT;
        INSERT INTO journal SELECT * FROM journal_before ORDER BY sequence;
        DROP TABLE journal_before;
        CREATE TRIGGER journal_keeps BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
        CREATE TRIGGER journal_stays BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
        """
}
