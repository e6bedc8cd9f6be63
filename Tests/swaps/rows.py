"""Rows for the files of services, so that a hand-over has something to copy: written while no set runs."""

import contextlib
import secrets
import sqlite3

THEN = 1_700_000_000_000
INBOX = 100  # notices of one account
HASH = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$" + "A" * 43


def ids(count):
    return (secrets.token_bytes(16) for _ in range(count))


def auth(db, count):
    db.executemany(
        "INSERT INTO accounts (id, role, username, name, password, fingerprint, created) VALUES (?, 'customer', ?, 'Ada', ?, ?, ?)",
        ((one, f"row-{number}", HASH, bytes(32), THEN) for number, one in enumerate(ids(count))))


def location(db, count):
    db.executemany("INSERT INTO sharing VALUES (?, ?)", ((one, THEN) for one in ids(count)))


def offers(db, count):
    """Customers whom auth has told of, half of them with a history at a merchant."""
    merchant = secrets.token_bytes(16)
    customers = sorted(ids(count // 2))
    db.executemany(
        "INSERT INTO accounts (account, role, username, name) VALUES (?, 'customer', ?, 'Ada')",
        ((one, f"row-{number}") for number, one in enumerate(customers)))
    db.executemany("INSERT INTO histories VALUES (?, ?, 1, ?, 0)", ((one, merchant, THEN) for one in customers))


def notifications(db, count):
    accounts = sorted(ids(count // INBOX))
    db.executemany("INSERT INTO inboxes (account, newest, kept) VALUES (?, ?, ?)", ((one, INBOX, INBOX) for one in accounts))
    db.executemany(
        "INSERT INTO notices (account, number, id, kind, title, text, time) VALUES (?, ?, ?, 1, 'Paid', 'You paid 4.25 USD', ?)",
        ((account, number, secrets.token_bytes(16), THEN) for account in accounts for number in range(1, INBOX + 1)))


# Payments and the wallet get theirs by payments.
OF = {"auth": auth, "location": location, "offers": offers, "notifications": notifications}


# Statements that give the ids of accounts about which the service can be asked.
KNOWN = {
    "auth": "SELECT id FROM accounts WHERE username LIKE 'row-%'", "location": "SELECT customer FROM sharing",
    "notifications": f"SELECT account FROM inboxes WHERE newest = {INBOX}",
}


def some(data, service, count):
    """The ids of so many, by chance."""
    if service not in KNOWN:
        return []
    with contextlib.closing(sqlite3.connect(data / service / f"{service}.sqlite")) as db:
        found = [one.hex() for (one,) in db.execute(f"{KNOWN[service]} ORDER BY random() LIMIT ?", (count,))]
    assert found, f"{service} has no rows: more --rows are needed"
    return found


def fill(data, service, count):
    with contextlib.closing(sqlite3.connect(data / service / f"{service}.sqlite")) as db, db:
        OF[service](db, count)
