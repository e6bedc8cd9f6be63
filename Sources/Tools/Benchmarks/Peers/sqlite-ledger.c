// The ledger's statements in a plain loop: what SQLite alone costs for a payment.
//
// Schema, statements and the sizes of all columns are those of Services/Wallet/Store; 1000 cards pay 20
// merchants, drawn evenly. A group is one transaction, durable (WAL, synchronous=FULL). Nothing is parsed, hashed or
// encoded: hash, fingerprint and body are made up at their true length.
//
//   --as plain    the loop that one writes first: random keys, each account read and written for each payment, SQLite's
//                 own cache and checkpoints
//   --as ledger   with what the ledger has learned: keys that begin with their time, each account read and written once
//                 a group, a file of its own, a larger cache, rare checkpoints
#include "peer.h"
#include <sqlite3.h>

static const char *LEDGER_SETTINGS =
    "PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA cache_size = -65536;"
    "PRAGMA wal_autocheckpoint = 20000;";

static const char *SCHEMA =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA foreign_keys = ON;"
    "CREATE TABLE accounts ("
    "    id BLOB PRIMARY KEY CHECK (length(id) = 16),"
    "    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),"
    "    owner BLOB NOT NULL CHECK (length(owner) = 16),"
    "    currency TEXT NOT NULL CHECK (length(currency) = 3),"
    "    balance INTEGER NOT NULL,"
    "    held INTEGER NOT NULL,"
    "    last_entry INTEGER NOT NULL CHECK (last_entry >= 0),"
    "    CHECK (kind NOT IN (1, 2) OR (balance >= 0 AND held >= 0 AND held <= balance)),"
    "    CHECK (kind = 1 OR held = 0)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE entries ("
    "    number INTEGER PRIMARY KEY CHECK (number > 0),"
    "    operation BLOB NOT NULL CHECK (length(operation) = 16),"
    "    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 6),"
    "    debit BLOB NOT NULL CHECK (length(debit) = 16),"
    "    credit BLOB NOT NULL CHECK (length(credit) = 16 AND credit <> debit),"
    "    amount INTEGER NOT NULL CHECK (amount > 0),"
    "    currency TEXT NOT NULL CHECK (length(currency) = 3),"
    "    debit_after INTEGER NOT NULL,"
    "    credit_after INTEGER NOT NULL,"
    "    debit_previous INTEGER NOT NULL CHECK (debit_previous >= 0 AND debit_previous < number),"
    "    credit_previous INTEGER NOT NULL CHECK (credit_previous >= 0 AND credit_previous < number),"
    "    time INTEGER NOT NULL,"
    "    memo TEXT NOT NULL,"
    "    hash BLOB NOT NULL CHECK (length(hash) = 32)"
    ") STRICT;"
    "CREATE TRIGGER entries_keep BEFORE UPDATE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;"
    "CREATE TRIGGER entries_stay BEFORE DELETE ON entries"
    " BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;"
    "CREATE TABLE journal ("
    "    sequence INTEGER PRIMARY KEY CHECK (sequence > 0),"
    "    operation BLOB UNIQUE CHECK (operation IS NULL OR length(operation) = 16),"
    "    fingerprint BLOB CHECK ((fingerprint IS NULL) = (operation IS NULL)),"
    "    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 12),"
    "    time INTEGER NOT NULL,"
    "    correlation TEXT,"
    "    causation TEXT,"
    "    trace BLOB CHECK (trace IS NULL OR length(trace) = 17),"
    "    body BLOB NOT NULL"
    ") STRICT;"
    "CREATE TRIGGER journal_keeps BEFORE UPDATE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;"
    "CREATE TRIGGER journal_stays BEFORE DELETE ON journal"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;";

enum { CARDS = 1000, MERCHANTS = 20, ACCOUNTS = CARDS + MERCHANTS, BODY_BYTES = 352 };

typedef struct {
    unsigned char id[16];
    int64_t balance, held, last_entry;
    uint64_t seen;  // the group that has read it
} account_t;

static sqlite3 *db;
static sqlite3_stmt *begin_group, *commit_group, *head_entry, *head_fact;
static sqlite3_stmt *find_operation, *select_account, *update_account, *insert_entry, *insert_journal;
static account_t accounts[ACCOUNTS];
static int as_ledger;

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    sqlite3_reset(statement);
}

static uint64_t random_word(void) {
    static uint64_t state = 88172645463325252ull;  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// With its time in front, an index of them grows at its end.
static void make_id(unsigned char id[16], uint64_t milliseconds) {
    uint64_t words[2] = {random_word(), random_word()};
    if (as_ledger) words[0] = __builtin_bswap64(milliseconds << 16 | (words[0] & 0xffff));
    memcpy(id, words, 16);
}

static void add_accounts(uint64_t time) {
    check(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    sqlite3_stmt *insert = prepare(
        "INSERT INTO accounts (id, kind, owner, currency, balance, held, last_entry) VALUES (?, ?, ?, 'USD', ?, 0, 0)");
    for (int i = 0; i < ACCOUNTS; i++) {
        make_id(accounts[i].id, time);
        sqlite3_bind_blob(insert, 1, accounts[i].id, 16, SQLITE_STATIC);
        sqlite3_bind_int(insert, 2, i < CARDS ? 1 : 2);
        sqlite3_bind_blob(insert, 3, accounts[i].id, 16, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 4, i < CARDS ? 1000000000000 : 0);
        run(insert);
    }
    sqlite3_finalize(insert);
    check(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
}

static void read_account(account_t *account) {
    sqlite3_bind_blob(select_account, 1, account->id, 16, SQLITE_STATIC);
    int code = sqlite3_step(select_account);
    check(code);
    if (code != SQLITE_ROW) {
        fprintf(stderr, "sqlite: an account is missing\n");
        exit(1);
    }
    account->balance = sqlite3_column_int64(select_account, 4);
    account->held = sqlite3_column_int64(select_account, 5);
    account->last_entry = sqlite3_column_int64(select_account, 6);
    sqlite3_reset(select_account);
}

static void write_account(const account_t *account) {
    sqlite3_bind_int64(update_account, 1, account->balance);
    sqlite3_bind_int64(update_account, 2, account->held);
    sqlite3_bind_int64(update_account, 3, account->last_entry);
    sqlite3_bind_blob(update_account, 4, account->id, 16, SQLITE_STATIC);
    run(update_account);
}

typedef struct {
    unsigned char operation[16];
    int card, merchant;
    int64_t number, card_after, merchant_after, card_previous, merchant_previous;
} payment_t;

static void write_entry(const payment_t *payment, uint64_t time) {
    unsigned char hash[32] = {0};
    memcpy(hash, payment->operation, 16);
    sqlite3_bind_int64(insert_entry, 1, payment->number);
    sqlite3_bind_blob(insert_entry, 2, payment->operation, 16, SQLITE_STATIC);
    sqlite3_bind_int(insert_entry, 3, 3);
    sqlite3_bind_blob(insert_entry, 4, accounts[payment->card].id, 16, SQLITE_STATIC);
    sqlite3_bind_blob(insert_entry, 5, accounts[payment->merchant].id, 16, SQLITE_STATIC);
    sqlite3_bind_int64(insert_entry, 6, 1);
    sqlite3_bind_text(insert_entry, 7, "USD", 3, SQLITE_STATIC);
    sqlite3_bind_int64(insert_entry, 8, payment->card_after);
    sqlite3_bind_int64(insert_entry, 9, payment->merchant_after);
    sqlite3_bind_int64(insert_entry, 10, payment->card_previous);
    sqlite3_bind_int64(insert_entry, 11, payment->merchant_previous);
    sqlite3_bind_int64(insert_entry, 12, (int64_t)time);
    sqlite3_bind_text(insert_entry, 13, "Coffee at the corner", 20, SQLITE_STATIC);
    sqlite3_bind_blob(insert_entry, 14, hash, 32, SQLITE_STATIC);
    run(insert_entry);
}

static void write_journal(const payment_t *payment, uint64_t time) {
    static char body[BODY_BYTES], correlation[32];
    if (!body[0]) memset(body, '{', sizeof body), memset(correlation, 'c', sizeof correlation);
    sqlite3_bind_int64(insert_journal, 1, payment->number);
    sqlite3_bind_blob(insert_journal, 2, payment->operation, 16, SQLITE_STATIC);
    sqlite3_bind_blob(insert_journal, 3, payment->operation, 16, SQLITE_STATIC);
    sqlite3_bind_int(insert_journal, 4, 4);
    sqlite3_bind_int64(insert_journal, 5, (int64_t)time);
    sqlite3_bind_text(insert_journal, 6, correlation, 32, SQLITE_STATIC);
    sqlite3_bind_text(insert_journal, 7, correlation, 32, SQLITE_STATIC);
    sqlite3_bind_null(insert_journal, 8);
    sqlite3_bind_blob(insert_journal, 9, body, sizeof body, SQLITE_STATIC);
    run(insert_journal);
}

// Reads, checks, and moves one unit in memory; returns the payment that is to be written.
static payment_t decide(int64_t number, uint64_t group, uint64_t time) {
    payment_t payment = {.number = number, .card = (int)(random_word() % CARDS)};
    payment.merchant = CARDS + (int)(random_word() % MERCHANTS);
    make_id(payment.operation, time);
    sqlite3_bind_blob(find_operation, 1, payment.operation, 16, SQLITE_STATIC);
    if (sqlite3_step(find_operation) != SQLITE_DONE) fail("an operation is known before it was made");
    sqlite3_reset(find_operation);

    account_t *card = &accounts[payment.card], *merchant = &accounts[payment.merchant];
    if (!as_ledger || card->seen != group) read_account(card);
    if (!as_ledger || merchant->seen != group) read_account(merchant);
    card->seen = merchant->seen = group;
    if (card->balance - card->held < 1) fail("a card is empty");
    payment.card_previous = card->last_entry;
    payment.merchant_previous = merchant->last_entry;
    payment.card_after = --card->balance;
    payment.merchant_after = ++merchant->balance;
    card->last_entry = merchant->last_entry = number;
    return payment;
}

int main(int argc, char **argv) {
    const char *directory = option(argc, argv, "--directory", ".");
    int size = (int)number(argc, argv, "--group", "256", 1);
    as_ledger = strcmp(option(argc, argv, "--as", "plain"), "ledger") == 0;
    double seconds = number(argc, argv, "--seconds", "2", 0.01);

    char path[1024];
    snprintf(path, sizeof path, "%s/peer-ledger.sqlite", directory);
    check(sqlite3_open(path, &db));
    if (as_ledger) check(sqlite3_exec(db, LEDGER_SETTINGS, NULL, NULL, NULL));
    check(sqlite3_exec(db, SCHEMA, NULL, NULL, NULL));
    add_accounts(1);

    begin_group = prepare("BEGIN IMMEDIATE");
    commit_group = prepare("COMMIT");
    head_entry = prepare("SELECT number, hash, time FROM entries ORDER BY number DESC LIMIT 1");
    head_fact = prepare("SELECT sequence, time FROM journal ORDER BY sequence DESC LIMIT 1");
    find_operation = prepare(
        "SELECT sequence, operation, fingerprint, kind, time, correlation, causation, trace, body FROM journal"
        " WHERE operation = ?");
    select_account =
        prepare("SELECT id, kind, owner, currency, balance, held, last_entry FROM accounts WHERE id = ?");
    update_account = prepare("UPDATE accounts SET balance = ?, held = ?, last_entry = ? WHERE id = ?");
    insert_entry = prepare(
        "INSERT INTO entries (number, operation, kind, debit, credit, amount, currency, debit_after, credit_after,"
        " debit_previous, credit_previous, time, memo, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert_journal = prepare(
        "INSERT INTO journal (sequence, operation, fingerprint, kind, time, correlation, causation, trace, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

    payment_t *payments = calloc((size_t)size, sizeof *payments);
    samples_t commits = {0};
    int64_t posted = 0;
    uint64_t start = now_ns(), end = start + (uint64_t)(seconds * 1e9), now = start;
    for (uint64_t group = 1; now < end; group++) {
        uint64_t group_start = now, time = now / 1000000;
        run(begin_group);
        run(head_entry);
        run(head_fact);
        for (int i = 0; i < size; i++) {
            payments[i] = decide(posted + i + 1, group, time);
            if (as_ledger) continue;
            write_account(&accounts[payments[i].card]);
            write_account(&accounts[payments[i].merchant]);
            write_entry(&payments[i], time);
            write_journal(&payments[i], time);
        }
        if (as_ledger) {
            for (int i = 0; i < ACCOUNTS; i++)
                if (accounts[i].seen == group) write_account(&accounts[i]);
            for (int i = 0; i < size; i++) write_entry(&payments[i], time);
            for (int i = 0; i < size; i++) write_journal(&payments[i], time);
        }
        run(commit_group);
        posted += size;
        now = now_ns();
        add_sample(&commits, now - group_start);
    }
    report(as_ledger ? "SQLite in C, tuned as the ledger" : "SQLite in C", (uint64_t)posted, now - start, &commits);
    return 0;
}
