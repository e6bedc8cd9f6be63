#!/usr/bin/env python3
"""Notifications in Python, in the place of billfold-notifications: `billfold swap notifications -- python3 notifications.py`.

Consumes what becomes of charges and keeps an inbox for each account, in one SQLite file; sends the letters that auth queues. Of
the asks of notifications it
answers those that others need (docs/conformance.md); pushes, web hooks and their settings are not offered.
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
from factlog import FactLog
from fields import ADMINISTRATORS, ANYONE, SERVICES, asked, boolean, identifier, instant, number, stats, text, within
from worker import FAULTS, Fault, read_json, serve

FAULTS |= {
    "notifications.notice_not_found": (404, "never", "There is no such notice"),
    "notifications.id_reused": (422, "never", "The same id was used for something else"),
    "notifications.address_invalid": (422, "never", "This is not a valid address"),
    "notifications.message_invalid": (422, "never", "The message is not valid"),
}
SOURCES = "payments", "auth"  # whose facts it consumes
NOTICE = "notice, number, kind, title, text, link, time, read"
HOME = pathlib.Path(os.environ.get("BILLFOLD_DATA") or pathlib.Path.home() / ".local/share/billfold", "notifications.py")


class Inboxes:
    """Notices, the facts told of them, and how far each source has been read: each change is one transaction."""

    def __init__(self):
        (HOME / "letters").mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(HOME / "inboxes.sqlite")
        self.db.row_factory = sqlite3.Row
        self.db.executescript("""
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE IF NOT EXISTS notices (account, notice UNIQUE, number, kind, title, text, link, time, read,
                                                PRIMARY KEY (account, number));
            CREATE TABLE IF NOT EXISTS letters (notice PRIMARY KEY, content);
            CREATE TABLE IF NOT EXISTS heard (source PRIMARY KEY, cursor)""")
        self.facts = FactLog("notifications", self.db)

    def value(self, question, *values):
        return self.db.execute(question, values).fetchone()[0]

    def cursor(self, source):
        return self.value("SELECT coalesce(max(cursor), 0) FROM heard WHERE source = ?", source)

    def apply(self, source, facts):
        """What follows from a source's facts, with the cursor behind them."""
        try:
            with self.db:
                for fact in facts:
                    for notice in notices_of(fact):
                        self.add(fact, *notice)
                self.db.execute("INSERT OR REPLACE INTO heard VALUES (?, ?)", (source, int(facts[-1]["sequence"])))
        except BaseException:
            self.facts.undo()
            raise
        self.facts.publish()

    def add(self, fact, account, kind, title, text):
        # The id follows from the fact: one that is read twice is told once.
        notice = hashlib.sha256(f"{fact['source']} {fact['sequence']} {account}".encode()).hexdigest()[:32]
        if self.value("SELECT count(*) FROM notices WHERE notice = ?", notice):
            return
        number = self.value("SELECT coalesce(max(number), 0) + 1 FROM notices WHERE account = ?", account)
        moment, link = fact["time"], f"/charges/{fact['data']['charge']}"
        self.db.execute("INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                        (account, notice, number, kind, title, text, link, moment))
        self.facts.add("notifications.notice.added.v1",
                       {"notice": notice, "account": account, "number": number, "kind": kind, "time": moment}, ask=fact)

    # What is asked.

    def inbox(self, account, limit, before=None, after=None, unread=False):
        within(limit, 1, 100, "limit")
        if before is not None and after is not None:
            raise Fault("bus.malformed", "'before' and 'after' are two directions")
        side, order = ("number > ?", "ASC") if after is not None else ("number < ?", "DESC")
        edge = after if after is not None else before if before is not None else 2**62
        rows = self.db.execute(
            f"SELECT {NOTICE} FROM notices WHERE account = ? AND {side} AND NOT (? AND read IS NOT NULL) "
            f"ORDER BY number {order} LIMIT ?", (account, edge, unread, limit + 1)).fetchall()
        reply = {"notices": [shown(row) for row in rows[:limit]]}
        if len(rows) > limit:
            reply["next"] = rows[limit - 1]["number"]
        reply["head"] = self.value("SELECT coalesce(max(number), 0) FROM notices WHERE account = ?", account)
        reply["unread"] = self.value("SELECT count(*) FROM notices WHERE account = ? AND read IS NULL", account)
        return reply

    def notice(self, account, notice):
        row = self.db.execute(f"SELECT {NOTICE} FROM notices WHERE account = ? AND notice = ?", (account, notice)).fetchone()
        if row is None:
            raise Fault("notifications.notice_not_found")
        return shown(row)

    def mark(self, account, notice):
        with self.db:
            self.db.execute("UPDATE notices SET read = ? WHERE account = ? AND notice = ? AND read IS NULL",
                            (rfc3339(time.time()), account, notice))
        return self.notice(account, notice)

    def mail(self, notice, **letter):
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", letter["to"]) or len(letter["to"].encode()) > 254:
            raise Fault("notifications.address_invalid")
        lengths = {name: len(letter[name].encode()) for name in ("subject", "text")}
        if not (1 <= lengths["subject"] <= 200 and 1 <= lengths["text"] <= 16_384) or not letter["subject"].isprintable():
            raise Fault("notifications.message_invalid")  # a second line of subject would be a header of its own
        content = json.dumps(letter, sort_keys=True)
        known = self.db.execute("SELECT content FROM letters WHERE notice = ?", (notice,)).fetchone()
        if known and known["content"] != content:
            raise Fault("notifications.id_reused")
        if not known:
            # A file, as the letters of billfold-notifications are where no mail server is set.
            (HOME / "letters" / f"{notice}.txt").write_text(f"To: {letter['to']}\n{letter['subject']}\n\n{letter['text']}\n")
            with self.db:
                self.db.execute("INSERT INTO letters VALUES (?, ?)", (notice, content))
        return {"replayed": known is not None}


def notices_of(fact):
    """(account, kind, title, text) for each account that a fact concerns."""
    kind, charge = fact["type"].removeprefix("payments.charge.").removesuffix(".v1"), fact["data"]
    if kind not in ("requested", "captured", "closed", "refunded"):
        return []  # types that one does not know are passed over
    amount = f"{charge['amount']['amount'] / 100:.2f} {charge['amount']['currency']}"
    customer, merchant, memo = charge["customer"], charge["merchant"], charge.get("memo", "")
    if kind == "requested":
        return [(customer, "request", f"You are asked for {amount}", memo)]
    if kind == "captured":
        return [(merchant, "payment", f"{amount} was paid", memo)] if charge.get("requested") else []
    if kind == "refunded":
        return [(party, "refund", f"{amount} was paid back", memo) for party in (merchant, customer)]
    told = {"declined": [merchant], "cancelled": [customer], "expired": [merchant, customer]}[charge["reason"]]
    return [(party, "closing", f"The request for {amount} was {charge['reason']}", memo) for party in told]


def send_letters(inboxes, client, facts):
    """Sends the letters that auth's facts name: they are read from auth, as no fact says what is in them."""
    for fact in facts:
        if fact["type"] != "auth.letter.queued.v1":
            continue
        letter = fact["data"]["letter"]
        try:
            inboxes.mail(letter, **client.ask("auth.letter.read.v1", {"letter": letter}, seconds=2))
        except Refused as refused:
            if refused.problem["code"] == "auth.letter_not_found":
                continue  # sent before, or its time is up
            raise
        client.ask("auth.letter.confirm.v1", {"letter": letter}, seconds=2)


def head_of(frame):
    """The newest fact that a published head tells of; 0 of what is none, as anybody may publish it."""
    try:
        head = read_json(frame.decode())["data"]["head"]
        return head if number(head) else 0
    except (ValueError, KeyError, TypeError):
        return 0


def shown(row):
    return {name: row[name] for name in row.keys() if row[name] is not None}


def main():
    inboxes, client = Inboxes(), Client()
    heads = zmq.Context.instance().socket(zmq.SUB)
    heads.connect(f"ipc://{RUN}/facts-out.sock")
    for source in SOURCES:
        heads.subscribe(f"{source}.facts.head.v1\0".encode())
    heads.linger = 0

    def turn():
        """Between asks: reads what the sources have published since, and publishes what follows from it."""
        newest = {source: inboxes.cursor(source) for source in SOURCES}
        while heads.poll(0):
            topic, *_, head = heads.recv_multipart()
            source = topic.decode(errors="replace").partition(".")[0]
            newest[source] = max(newest[source], head_of(head))
        try:
            for source in SOURCES:
                while (after := inboxes.cursor(source)) < newest[source]:
                    page = client.ask(f"{source}.facts.read.v1", {"after": after, "limit": 500}, seconds=2)["facts"]
                    send_letters(inboxes, client, page)
                    inboxes.apply(source, page)
        except Refused:
            pass  # the next head tells again
        inboxes.facts.publish()

    own = {"customer": "account", "merchant": "account"}
    serve("notifications", {
        "notifications.inbox.read.v1": asked(
            inboxes.inbox, own, account=identifier, limit=number, before_=number, after_=number, unread_=boolean),
        "notifications.notice.read.v1": asked(inboxes.notice, own, account=identifier, notice=identifier),
        "notifications.notice.mark.v1": asked(inboxes.mark, own, account=identifier, notice=identifier),
        "notifications.mail.send.v1": asked(
            inboxes.mail, SERVICES, notice=identifier, to=text, subject=text, text=text, expires=instant),
        "notifications.facts.read.v1": asked(inboxes.facts.read, ADMINISTRATORS, after=number, limit=number),
        "notifications.stats.read.v1": asked(stats("notifications"), ANYONE),
    }, turn, also=[heads])


if __name__ == "__main__":
    main()
