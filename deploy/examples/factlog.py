"""The facts of a service in Python: kept in its own database, read by number, published on the bus."""

import json
import time

import zmq

from client import RUN, envelope
from worker import Fault

PAGE_BYTES = 62 * 1024  # of an envelope's 64 KiB


class FactLog:
    """Appends in the transaction of the change that a fact tells of; publishes after it is committed."""

    def __init__(self, service, db):
        self.service, self.db, self.waiting, self.published = service, db, [], 0.0
        db.execute("CREATE TABLE IF NOT EXISTS facts (sequence INTEGER PRIMARY KEY, envelope)")
        self.out = zmq.Context.instance().socket(zmq.PUB)
        self.out.linger = 0
        self.out.connect(f"ipc://{RUN}/facts-in.sock")
        self.head = db.execute("SELECT coalesce(max(sequence), 0) FROM facts").fetchone()[0]

    def add(self, type, data, ask=None, **attributes):
        """To be called within a transaction. `ask`: the envelope that led to the fact."""
        ask = ask or {}
        self.head += 1
        frame = envelope(
            type, data, source=self.service, sequence=f"{self.head:020}", causationid=ask.get("id"),
            correlationid=ask.get("correlationid", ask.get("id")), traceparent=ask.get("traceparent"), **attributes)
        self.db.execute("INSERT INTO facts VALUES (?, ?)", (self.head, frame.decode()))
        self.waiting.append((type, frame))

    def undo(self):
        """After a transaction that failed: its facts were not."""
        self.waiting.clear()
        self.head = self.db.execute("SELECT coalesce(max(sequence), 0) FROM facts").fetchone()[0]

    def publish(self):
        """What waits, and the head when it has moved and once a second at least."""
        is_news = bool(self.waiting)
        for type, frame in self.waiting:
            self.out.send_multipart([f"{type}\0".encode(), frame])
        self.waiting.clear()
        if is_news or time.monotonic() - self.published >= 0.5:
            self.published, type = time.monotonic(), f"{self.service}.facts.head.v1"
            self.out.send_multipart([f"{type}\0".encode(), envelope(type, {"head": self.head}, source=self.service)])

    def read(self, after, limit):
        """`<service>.facts.read.v1`."""
        if not 1 <= limit <= 1000 or after < 0:
            raise Fault("bus.malformed", "'limit' is 1 to 1000, 'after' from 0")
        facts, size = [], 0
        for (text,) in self.db.execute(
                "SELECT envelope FROM facts WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, limit)):
            size += len(text.encode()) + 1
            if facts and size > PAGE_BYTES:
                break
            facts.append(json.loads(text))
        return {"facts": facts, "head": self.head}
