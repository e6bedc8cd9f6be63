"""A subscriber as anyone could write it: hears the wallet's facts, keeps a durable cursor, and asks for what it missed.

    python subscriber.py RUN_DIRECTORY FILE

Facts are kept in FILE (SQLite) as the bytes that came; the cursor is the last of them.
"""

import json
import sqlite3
import sys

import zmq

import billfold

SOURCE = "wallet"


class Subscriber:
    def __init__(self, run, path):
        self.bus = billfold.Bus(run)
        self.heard = self.bus.connect(zmq.SUB, "facts-out")
        # Little room of its own, so that a slow subscriber is the publisher's matter.
        self.heard.subscribe(f"{SOURCE}.".encode())
        self.file = sqlite3.connect(path, isolation_level=None)
        self.file.execute("CREATE TABLE IF NOT EXISTS facts (sequence INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
        self.file.execute("CREATE TABLE IF NOT EXISTS gaps (after INTEGER NOT NULL, facts INTEGER NOT NULL)")
        self.cursor = self.file.execute("SELECT coalesce(max(sequence), 0) FROM facts").fetchone()[0]

    def run(self):
        self.read_missing()
        while True:
            frames = [self.heard.recv_multipart()]
            while len(frames) < 500 and self.heard.poll(0):
                frames.append(self.heard.recv_multipart())
            self.hear([fact for _, fact in frames])

    def hear(self, facts):
        following = []
        for fact in facts:
            told = json.loads(fact)
            if told["type"] == f"{SOURCE}.facts.head.v1":
                missing = told["data"]["head"] > self.cursor + len(following)
            else:
                expected = self.cursor + len(following) + 1
                if int(told["sequence"]) == expected:
                    following.append(fact)
                missing = int(told["sequence"]) > expected
            if missing:
                self.apply(following)
                following = []
                self.read_missing()
        self.apply(following)

    def read_missing(self):
        after = self.cursor
        facts = self.bus.facts(SOURCE, after)
        self.apply(facts)
        if facts:
            self.file.execute("INSERT INTO gaps VALUES (?, ?)", (after, len(facts)))

    def apply(self, facts):
        if not facts:
            return
        self.file.execute("BEGIN")
        for fact in facts:
            sequence = int(json.loads(fact)["sequence"])
            assert sequence == self.cursor + 1, (sequence, self.cursor)
            self.file.execute("INSERT INTO facts VALUES (?, ?)", (sequence, fact))
            self.cursor = sequence
        self.file.execute("COMMIT")


if __name__ == "__main__":
    Subscriber(sys.argv[1], sys.argv[2]).run()
