#!/usr/bin/env python3
"""Notifications in Python, in the place of billfold-notifications: `billfold swap notifications --take-over -- python3 notifications.py`.

Consumes facts of five services and keeps an inbox for each account, in one SQLite file; sends the letters that auth queues. Of
the asks of notifications it answers those that others need (docs/conformance.md). It pushes to nobody and calls no web hooks:
registrations, settings and deliveries that it has taken over wait until they are handed over again.
BILLFOLD_RUN names the directory of the bus's sockets, BILLFOLD_DATA the one where it keeps its own.
"""

import hashlib
import json
import os
import pathlib
import re
import sqlite3
import time

import zmq

from client import RUN, Client, Refused, rfc3339
from factlog import PAGE_BYTES, FactLog
from fields import (
    ADMINISTRATORS, ANYONE, SERVICES, asked, boolean, identifier, instant, milliseconds, number, stats, text, within)
from handover import Source, Table, Taker, locked
from kinds import KINDS, derived, notice_id, notices_of
from shown import is_shown
from worker import FAULTS, Fault, leave, read_json, serve, stopped

FAULTS |= {
    "notifications.notice_not_found": (404, "never", "There is no such notice"),
    "notifications.id_reused": (422, "never", "The same id was used for something else"),
    "notifications.address_invalid": (422, "never", "This is not a valid address"),
    "notifications.message_invalid": (422, "never", "The message is not valid"),
}
SOURCES = "payments", "auth", "offers", "ordering", "routines"  # whose facts it consumes
HOME = pathlib.Path(os.environ.get("BILLFOLD_DATA") or pathlib.Path.home() / ".local/share/billfold", "notifications.py")
FILE = HOME / "notifications.sqlite"
LETTERS = HOME / "letters"

DAY = 86_400_000  # milliseconds
LETTER_KEPT, DELIVERED_KEPT, DOUBTFUL = 7 * DAY, 7 * DAY, 7 * DAY
INBOX, UNREAD_OF_SENDER = 1000, 50
SWEEP_SECONDS = 10
FILED_AT_ONCE = 50
PAUSE_SECONDS = 0.1
MAIL = 5  # the type of a delivery that is a letter
QUEUED, DELIVERED, DEAD = 0, 1, 2

ATOM, LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){ATOM}(\.{ATOM})*@{LABEL}(\.{LABEL})*", re.ASCII)
ADDRESS_BYTES, SUBJECT_BYTES, LETTER_BYTES = 254, 200, 16_384

NOTICE = "id", "number", "kind", "title", "text", "link", "time", "read"
# The tables of the contract, so that the state can go over to another program: name, kind and whether it is part of the key.
# Identifiers and other bytes are hex digits here, times milliseconds.
TABLES = [
    Table("inboxes", ("account", "bytes", True), ("newest", "integer", False), ("kept", "integer", False)),
    Table("notices", ("account", "bytes", True), ("number", "integer", True), ("id", "bytes", False),
          ("kind", "integer", False), ("title", "text", False), ("text", "text", False), ("link", "text", False),
          ("time", "integer", False), ("read", "integer", False), ("sender", "bytes", False)),
    # Notices that billfold-notifications had not put into their inboxes yet.
    Table("incoming", ("place", "integer", True), ("account", "bytes", False), ("number", "integer", False),
          ("id", "bytes", False), ("kind", "integer", False), ("title", "text", False), ("text", "text", False),
          ("link", "text", False), ("time", "integer", False), ("sender", "bytes", False)),
    Table("endpoints", ("number", "integer", True), ("id", "bytes", False), ("account", "bytes", False),
          ("type", "integer", False), ("address", "text", False), ("p256dh", "bytes", False), ("auth", "bytes", False),
          ("secret", "bytes", False), ("created", "integer", False), ("gone", "integer", False)),
    Table("settings", ("account", "bytes", True), ("enabled", "integer", False), ("muted", "integer", False),
          ("quiet_from", "integer", False), ("quiet_until", "integer", False), ("quiet_offset", "integer", False),
          ("quiet_zone", "text", False)),
    Table("deliveries", ("number", "integer", True), ("id", "bytes", False), ("notice", "bytes", False),
          ("account", "bytes", False), ("type", "integer", False), ("endpoint", "bytes", False),
          ("address", "text", False), ("lane", "bytes", False), ("kind", "integer", False), ("title", "text", False),
          ("text", "text", False), ("link", "text", False), ("created", "integer", False), ("expires", "integer", False),
          ("state", "integer", False), ("attempts", "integer", False), ("due", "integer", False),
          ("reason", "text", False), ("finished", "integer", False), ("fingerprint", "bytes", False),
          ("simulated", "text", False)),
    Table("quiet_routines", ("account", "bytes", True), ("until", "integer", False)),
    # How far billfold-notifications had read a source whose cursor was set back.
    Table("read_again", ("source", "text", True), ("through", "integer", False)),
    Table("cursors", ("source", "text", True), ("sequence", "integer", False), ("mark", "bytes", False)),
]
SCHEMA = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS inboxes (account PRIMARY KEY, newest, kept);
    CREATE TABLE IF NOT EXISTS notices (account, number, id, kind, title, text, link, time, read, sender,
                                        PRIMARY KEY (account, number), UNIQUE (account, id));
    CREATE TABLE IF NOT EXISTS incoming (
        place INTEGER PRIMARY KEY, account, number, id, kind, title, text, link, time, sender);
    CREATE TABLE IF NOT EXISTS endpoints (
        number INTEGER PRIMARY KEY, id UNIQUE, account, type, address, p256dh, auth, secret, created, gone);
    CREATE TABLE IF NOT EXISTS settings (
        account PRIMARY KEY, enabled, muted, quiet_from, quiet_until, quiet_offset, quiet_zone);
    CREATE TABLE IF NOT EXISTS deliveries (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id UNIQUE, notice, account, type, endpoint, address, lane, kind, title, text,
        link, created, expires, state, attempts, due, reason, finished, fingerprint, simulated);
    CREATE INDEX IF NOT EXISTS deliveries_queued ON deliveries (type) WHERE state = 0;
    CREATE TABLE IF NOT EXISTS quiet_routines (account PRIMARY KEY, until);
    CREATE TABLE IF NOT EXISTS read_again (source PRIMARY KEY, through);
    CREATE TABLE IF NOT EXISTS cursors (source PRIMARY KEY, sequence, mark);
    CREATE TABLE IF NOT EXISTS facts (sequence INTEGER PRIMARY KEY, envelope)"""


def now():
    return time.time_ns() // 1_000_000


def shown(row):
    """A notice as the contract has it."""
    notice = {**dict(zip(NOTICE, row)), "kind": KINDS[row[2]], "time": rfc3339(row[6] / 1000)}
    notice["read"] = row[7] and rfc3339(row[7] / 1000)
    notice["notice"] = notice.pop("id")
    return {name: value for name, value in notice.items() if value is not None}


class Inboxes:
    """Notices, letters, the facts that tell of them, and how far each source has been read."""

    def __init__(self):
        LETTERS.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.db = sqlite3.connect(FILE, isolation_level=None)
        self.db.executescript(SCHEMA)
        self.facts = FactLog("notifications", self.db)
        self.handing = Source(self.db, TABLES)
        self.has_incoming = True
        self.send_letters()

    def value(self, question, *values):
        found = self.db.execute(question, values).fetchone()
        return found and found[0]

    def change(self, body, *values):
        """One transaction, after which its facts are published."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            result = body(*values)
            self.db.execute("COMMIT")
        except BaseException:
            self.db.execute("ROLLBACK")
            self.facts.undo()
            raise
        self.facts.publish()
        return result

    # What follows from facts.

    def cursor(self, source):
        return self.value("SELECT sequence FROM cursors WHERE source = ?", source) or 0

    def apply(self, source, facts, letters):
        """What follows from a source's facts, with the cursor behind them."""
        for fact in facts:
            self.heed(fact)
            for notice in notices_of(fact):
                self.add(fact, notice)
        for letter in letters:
            try:
                self.queue(**letter)
            except Fault:
                continue  # its id is another letter's: no later attempt could keep it
        if facts:
            # Without the digest of the fact, which only a reader of its bytes can make.
            self.db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?, NULL)", (source, int(facts[-1]["sequence"])))

    def heed(self, fact):
        """What a fact changes besides inboxes, in what waits for a program that pushes."""
        data, type = fact["data"], fact["type"]
        if type in ("payments.charge.captured.v1", "payments.charge.closed.v1"):
            self.db.execute(
                "DELETE FROM deliveries WHERE state = ? AND kind = ? AND account = ? AND link = ? AND type < 4",
                (QUEUED, KINDS.index("request"), data["customer"], f"/charges/{data['charge']}"))
        elif type == "offers.quiethours.moved.v1":
            self.db.execute(
                "INSERT INTO settings VALUES (?, 1, 0, ?, ?, ?, NULL) ON CONFLICT (account) DO UPDATE SET "
                "quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, quiet_offset = excluded.quiet_offset "
                "WHERE settings.quiet_from IS NULL", (data["customer"], data["from"], data["until"], data["offset"]))
        elif type == "routines.reminder.due.v1" and data.get("quietUntil"):
            self.db.execute(
                "INSERT INTO quiet_routines VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET "
                "until = max(quiet_routines.until, excluded.until)", (data["account"], milliseconds(data["quietUntil"])))
        elif type == "auth.credential.changed.v1" and data["credential"] in ("resetPassword", "restoredAddress"):
            # Whoever had the account may have registered a device of theirs.
            at = milliseconds(data["time"])
            doubtful = "SELECT id FROM endpoints WHERE gone IS NULL AND account = ? AND created > ?"
            self.db.execute(
                f"DELETE FROM deliveries WHERE state = ? AND endpoint IN ({doubtful})", (QUEUED, data["account"], at - DOUBTFUL))
            self.db.execute(
                "UPDATE endpoints SET gone = ?, address = '', p256dh = NULL, auth = NULL, secret = NULL "
                f"WHERE id IN ({doubtful})", (at, data["account"], at - DOUBTFUL))

    def add(self, fact, notice):
        id = notice_id(fact, notice.account)
        if self.value("SELECT 1 FROM notices WHERE account = ? AND id = ?", notice.account, id):
            return
        moment = milliseconds(fact["data"]["time"])
        number = self.put(notice.account, id, KINDS.index(notice.kind), notice.title, notice.text, notice.link, moment,
                          notice.sender)
        self.facts.add("notifications.notice.added.v1", {
            "notice": id, "account": notice.account, "number": number, "kind": notice.kind,
            "time": rfc3339(moment / 1000)}, ask=fact)

    def put(self, account, id, kind, title, text, link, moment, sender):
        """A notice with the next number of its inbox, which then has no more than it may. Returns the number."""
        number = (self.value("SELECT newest FROM inboxes WHERE account = ?", account) or 0) + 1
        self.db.execute("INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
                        (account, number, id, kind, title, text, link, moment, sender))
        if sender:
            self.db.execute(
                "DELETE FROM notices WHERE account = ?1 AND number IN (SELECT number FROM notices WHERE account = ?1 AND "
                "sender = ?2 AND read IS NULL ORDER BY number DESC LIMIT -1 OFFSET ?3)", (account, sender, UNREAD_OF_SENDER))
        kept = self.value("SELECT count(*) FROM notices WHERE account = ?", account)
        if kept > INBOX:
            self.db.execute(
                "DELETE FROM notices WHERE account = ?1 AND number IN (SELECT number FROM notices WHERE account = ?1 "
                "ORDER BY read IS NULL, number LIMIT ?2)", (account, kept - INBOX))
        self.db.execute("INSERT OR REPLACE INTO inboxes VALUES (?, ?, ?)", (account, number, min(kept, INBOX)))
        return number

    def file_incoming(self, account=None):
        """Puts notices that were taken over into their inboxes: all of one account, or the oldest few.

        There may be thousands, and people wait for the first answers: the others are filed between asks.
        """
        if self.has_incoming:
            self.change(self.file, account)

    def file(self, account):
        rows = self.db.execute(
            "SELECT place, number > coalesce(newest, 0), incoming.account, id, kind, title, text, link, time, sender "
            "FROM incoming LEFT JOIN inboxes ON inboxes.account = incoming.account "
            "WHERE ?1 IS NULL OR incoming.account = ?1 ORDER BY place LIMIT ?2",
            (account, -1 if account else FILED_AT_ONCE)).fetchall()
        for _, is_new, *notice in rows:
            if is_new:
                self.put(*notice)
        self.db.executemany("DELETE FROM incoming WHERE place = ?", [row[:1] for row in rows])
        if account is None:
            self.has_incoming = bool(rows)

    # Letters.

    def queue(self, notice, to, subject, text, expires):
        """A letter to send. Returns whether it was known."""
        at, until = now(), milliseconds(expires)
        fingerprint = hashlib.sha256(f"{to}\0{subject}\0{until}\0{text}".encode()).hexdigest()
        known = self.db.execute("SELECT fingerprint FROM deliveries WHERE id = ?", (notice,)).fetchone()
        if known and known[0] != fingerprint:
            raise Fault("notifications.id_reused")
        if not known:
            self.db.execute(
                "INSERT INTO deliveries (id, notice, type, address, lane, title, text, created, expires, state, attempts, due, "
                "fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
                (notice, notice, MAIL, to, derived(to, "lane", bytes([MAIL])), subject, text, at,
                 min(until, at + LETTER_KEPT), QUEUED, at, fingerprint))
        return known is not None

    def mail(self, **letter):
        checked(letter)
        was_known = self.change(lambda: self.queue(**letter))
        self.send_letters()
        return {"replayed": was_known}

    def send_letters(self):
        """Writes each letter that waits to a file, as billfold-notifications does where no mail server is set."""
        waiting = self.db.execute(
            "SELECT id, address, title, text, expires FROM deliveries WHERE state = ? AND type = ? ORDER BY number",
            (QUEUED, MAIL)).fetchall()
        for id, to, subject, text, expires in waiting:
            is_late = expires <= now()
            if not is_late:
                path = LETTERS / f"{id}.txt"
                path.write_text(f"To: {to}\n{subject}\n\n{text}\n")
                os.utime(path, (expires / 1000, expires / 1000))  # when it goes: it may hold a code
            self.change(self.settle, id, is_late)
        if waiting:
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log still has what they said

    def settle(self, id, is_late):
        at = now()
        self.db.execute(
            "UPDATE deliveries SET state = ?, attempts = attempts + 1, reason = ?, finished = ?, text = '' WHERE id = ?",
            (DEAD if is_late else DELIVERED, "expired" if is_late else None, at, id))
        attempts = self.value("SELECT attempts FROM deliveries WHERE id = ?", id)
        told = {"delivery": id, "notice": id, "channel": MAIL, "attempts": attempts, "time": rfc3339(at / 1000)}
        if is_late:
            self.facts.add("notifications.notice.failed.v1", {**told, "reason": "expired"})
        else:
            self.facts.add("notifications.notice.delivered.v1", told)

    def sweep(self):
        """Removes letters whose time is up, and forgets keys that are past theirs."""
        for path in LETTERS.glob("*.txt"):
            if path.stat().st_mtime <= time.time():
                path.unlink()
        self.change(self.db.execute, "DELETE FROM deliveries WHERE state = ? AND type = ? AND finished < ?",
                    (DELIVERED, MAIL, now() - DELIVERED_KEPT))

    # What is asked.

    def inbox(self, account, limit, before=None, after=None, unread=False):
        within(limit, 1, 100, "limit")
        if before is not None and after is not None:
            raise Fault("bus.malformed", "'before' and 'after' are two directions")
        self.file_incoming(account)
        side, order = ("number > ?", "ASC") if after is not None else ("number < ?", "DESC")
        edge = after if after is not None else before if before is not None else 2**62
        rows = self.db.execute(
            f"SELECT {', '.join(NOTICE)} FROM notices WHERE account = ? AND {side} AND NOT (? AND read IS NOT NULL) "
            f"ORDER BY number {order} LIMIT ?", (account, edge, unread, limit + 1)).fetchall()
        notices, size = [], 0
        for notice in map(shown, rows[:limit]):
            size += len(json.dumps(notice, ensure_ascii=False).encode()) + 1
            if notices and size > PAGE_BYTES:
                break
            notices.append(notice)
        reply = {"notices": notices}
        if len(rows) > len(notices):
            reply["next"] = notices[-1]["number"]
        reply["head"] = self.value("SELECT newest FROM inboxes WHERE account = ?", account) or 0
        reply["unread"] = self.value("SELECT count(*) FROM notices WHERE account = ? AND read IS NULL", account)
        return reply

    def notice(self, account, notice):
        self.file_incoming(account)
        row = self.db.execute(
            f"SELECT {', '.join(NOTICE)} FROM notices WHERE account = ? AND id = ?", (account, notice)).fetchone()
        if row is None:
            raise Fault("notifications.notice_not_found")
        return shown(row)

    def mark(self, account, notice):
        self.file_incoming(account)
        self.change(self.db.execute, "UPDATE notices SET read = ? WHERE account = ? AND id = ? AND read IS NULL",
                    (now(), account, notice))
        return self.notice(account, notice)


def checked(letter):
    """Raises `Fault` for a letter that cannot be sent."""
    if not ADDRESS.fullmatch(letter["to"]) or len(letter["to"]) > ADDRESS_BYTES:
        raise Fault("notifications.address_invalid")
    subject, content = (len(letter[name].encode()) for name in ("subject", "text"))
    if not (1 <= subject <= SUBJECT_BYTES and 1 <= content <= LETTER_BYTES and is_shown(letter["subject"])):
        raise Fault("notifications.message_invalid")  # a second line of subject would be a header of its own


def queued_letters(client, facts):
    """The letters that auth's facts name, and their texts: they are read from auth, as no fact says what is in them."""
    letters = []
    for fact in facts:
        if fact["type"] != "auth.letter.queued.v1" or milliseconds(fact["data"]["expires"]) <= now():
            continue
        try:
            letter = client.ask("auth.letter.read.v1", {"letter": fact["data"]["letter"]}, seconds=2)
            letter = {name: letter[name] for name in ("to", "subject", "text", "expires")}
            checked(letter)
            letters.append({"notice": fact["data"]["letter"], **letter})
        except Fault:
            continue  # no later attempt could send it
        except Refused as refused:
            if refused.problem["code"] != "auth.letter_not_found":
                raise
            # Sent before, or its time is up.
    return letters


def head_of(frame):
    """The newest fact that a published fact or head tells of; 0 of what is neither, as anybody may publish it."""
    try:
        told = read_json(frame.decode())
        head = int(told["sequence"]) if told.get("sequence") else told["data"]["head"]
        return head if number(head) else 0
    except (ValueError, KeyError, TypeError, AttributeError):
        return 0


class Reader:
    """Reads what the sources have published, from each one's cursor on."""

    def __init__(self, inboxes):
        self.inboxes, self.client = inboxes, Client()
        self.newest = dict.fromkeys(SOURCES, 0)
        self.heads = zmq.Context.instance().socket(zmq.SUB)
        self.heads.linger = 0
        self.heads.connect(f"ipc://{RUN}/facts-out.sock")
        for source in SOURCES:
            self.heads.subscribe(f"{source}.".encode())

    def read(self):
        """One page of each source that has news. Returns whether there may be more."""
        told = {}  # the last of each source, which has the greatest number
        while self.heads.poll(0):
            topic, *_, frame = self.heads.recv_multipart()
            told[topic.decode(errors="replace").partition(".")[0]] = frame
        for source in told.keys() & self.newest.keys():
            self.newest[source] = max(self.newest[source], head_of(told[source]))
        return any([self.read_page(source) for source in SOURCES])

    def read_page(self, source):
        """The next facts of a source. Returns whether there may be more."""
        after = self.inboxes.cursor(source)
        if after >= self.newest[source]:
            return False
        try:
            page = self.client.ask(f"{source}.facts.read.v1", {"after": after, "limit": 500}, seconds=2)
            letters = queued_letters(self.client, page["facts"]) if source == "auth" else []
        except Refused:
            return False  # the next head tells again
        self.inboxes.change(self.inboxes.apply, source, page["facts"], letters)
        self.inboxes.send_letters()
        self.confirm(letters)
        self.newest[source] = page["head"]
        return bool(page["facts"])

    def confirm(self, letters):
        """Lets auth delete what is kept here now. What it is not told of stays there until its end."""
        try:
            for letter in letters:
                self.client.ask("auth.letter.confirm.v1", {"letter": letter["notice"]}, seconds=2)
        except Refused:
            return


def main():
    _lock = locked(HOME)
    if os.environ.get("BILLFOLD_TAKE_OVER") == "1":
        inboxes = Taker("notifications", FILE, SCHEMA, TABLES).run(Inboxes)
    else:
        inboxes = Inboxes()
    if stopped():
        return
    reader, handing = Reader(inboxes), inboxes.handing
    swept = read = 0.0

    def turn():
        """Between asks."""
        nonlocal swept, read
        is_behind = False
        if not handing.is_sealed:
            inboxes.file_incoming()
            # The notices of new facts come behind those that were there.
            is_behind = inboxes.has_incoming
            # Each fact changes rows, which would have to be copied again. The log keeps it for the program that takes over.
            if not is_behind and not (handing.is_copied and time.monotonic() - read < PAUSE_SECONDS):
                read = time.monotonic()
                is_behind = reader.read()
            if time.monotonic() - swept >= SWEEP_SECONDS:
                swept = time.monotonic()
                inboxes.sweep()
        inboxes.facts.publish()
        return 0 if is_behind else None

    def handler(function, access, **kinds):
        handle = asked(function, access, **kinds)

        def answer(data, ask):
            if handing.is_sealed:
                raise Fault("bus.unavailable", "the state goes over to another program")
            return handle(data, ask)
        return answer

    own = {"customer": "account", "merchant": "account"}
    serve("notifications", {
        "notifications.inbox.read.v1": handler(
            inboxes.inbox, own, account=identifier, limit=number, before_=number, after_=number, unread_=boolean),
        "notifications.notice.read.v1": handler(inboxes.notice, own, account=identifier, notice=identifier),
        "notifications.notice.mark.v1": handler(inboxes.mark, own, account=identifier, notice=identifier),
        "notifications.mail.send.v1": handler(
            inboxes.mail, SERVICES, notice=identifier, to=text, subject=text, text=text, expires=instant),
        "notifications.facts.read.v1": asked(inboxes.facts.read, ADMINISTRATORS, after=number, limit=number),
        "notifications.state.follow.v1": asked(handing.follow, SERVICES),
        "notifications.state.read.v1": asked(handing.read, SERVICES, copy=number, table=text, after_=text, limit=number),
        "notifications.state.seal.v1": asked(handing.seal, SERVICES, copy=number, isSealed=boolean),
        "notifications.stats.read.v1": asked(stats("notifications"), ANYONE),
    }, turn, also=[reader.heads])
    inboxes.db.close()
    leave()


if __name__ == "__main__":
    main()
