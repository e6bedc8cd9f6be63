"""Hands a service's state over to the program that takes its place, and takes it over: docs/replace-a-service.md.

The tables are those that the service's contract names. What is in memory only is one more table.
"""

import base64
import fcntl
import json
import os
import pathlib
import secrets
import sqlite3
import time

from client import Client, Refused
from worker import Fault, serve

PAGE_BYTES = 62 * 1024  # of an envelope's 64 KiB
HEX_BYTES = 64  # longer ones go over in base64
SEALED_SECONDS = 5.0
COPIED_SECONDS = 1.0  # after its last read a copy counts as given up


def locked(directory):
    """An open file that keeps other processes from the state in a directory. Ends with the process, however it ends."""
    directory.mkdir(parents=True, exist_ok=True)
    lock = open(directory / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another process has the state in {directory} open")
    return lock


class Table:
    """One table: its columns as (name, kind, whether it is part of the key)."""

    def __init__(self, name, *columns):
        self.name = name
        self.columns = [column for column, _, _ in columns]
        self.key = [column for column, _, is_key in columns if is_key]
        self.contract = {"name": name, "columns": [
            {"name": column, "kind": kind, "isKey": is_key} for column, kind, is_key in columns]}

        self.bytes = [column for column, kind, _ in columns if kind == "bytes"]

    def key_of(self, row):
        return tuple(row[column] for column in self.key)

    def given(self, values):
        """A row of the database as a row of the hand-over: here bytes are hex digits, however many."""
        row = dict(zip(self.columns, values))
        for column in self.bytes:
            if row[column] and len(row[column]) > 2 * HEX_BYTES:
                row[column] = {"base64": base64.urlsafe_b64encode(bytes.fromhex(row[column])).decode().rstrip("=")}
        return row

    def taken(self, row):
        """The values of a row of the hand-over, in the order of the columns."""
        row = dict(row)
        for column in self.bytes:
            if isinstance(row[column], dict):
                text = row[column]["base64"]
                row[column] = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).hex()
        return [row[column] for column in self.columns]


class Memory(dict):
    """A table in memory: rows by their keys. `make` makes a row of a key; nil for one that is gone."""

    def __init__(self, table, keys, make):
        super().__init__()
        self.table, self.keys_now, self.make = table, keys, make
        self.last, self.listed = 0, None

    def note(self, *key):
        """The row with this key has changed."""
        if self.listed is not None:
            self.last += 1
            self.pop(key, None)  # the order of the dictionary is that of the changes
            self[key] = self.last

    def follow(self):
        self.clear()
        self.listed = [(key,) for key in self.keys_now()]

    def page(self, after, limit):
        kind, _, number = (after or "memory:0").partition(":")
        if kind == "memory":
            start = int(number)
            keys, place = self.listed[start:start + limit], start + limit
            following = f"memory:{place}" if place < len(self.listed) else "changes:0"
            return {"rows": [row for row in map(self.row, keys) if row], "removed": [], "next": following, "isEnd": False}
        changed = []
        for key in reversed(self):
            if self[key] <= int(number):
                break
            changed.append(key)
        keys = changed[::-1][:limit]
        rows = {key: self.row(key) for key in keys}
        return {
            "rows": [row for row in rows.values() if row],
            "removed": [dict(zip(self.table.key, key)) for key, row in rows.items() if not row],
            "next": f"changes:{self[keys[-1]] if keys else number}", "isEnd": len(keys) == len(changed)}

    def row(self, key):
        return self.make(*key)


class Source:
    """Answers `state.follow`, `state.read` and `state.seal` for the tables of a database and for what is in memory."""

    def __init__(self, db, tables, memory=()):
        self.db, self.tables, self.memory = db, {table.name: table for table in tables}, {one.table.name: one for one in memory}
        self.copy, self.sealed_until, self.copied_at = None, 0.0, 0.0

    @property
    def is_copied(self):
        """Whether another program reads the state at present."""
        return time.monotonic() - self.copied_at < COPIED_SECONDS

    @property
    def is_sealed(self):
        return time.monotonic() < self.sealed_until

    def follow(self):
        """Notes from now on, in a temporary table, which rows change."""
        script = "PRAGMA recursive_triggers = ON; DROP TABLE IF EXISTS temp.followed;" + "".join(
            f"DROP TRIGGER IF EXISTS temp.followed_{name}_{event};"
            for name in self.tables for event in ("INSERT", "UPDATE", "DELETE"))
        script += "CREATE TEMP TABLE followed (number INTEGER PRIMARY KEY AUTOINCREMENT, place, key, UNIQUE (place, key));"
        for table in self.tables.values():
            for event, rows in (("INSERT", ["NEW"]), ("UPDATE", ["OLD", "NEW"]), ("DELETE", ["OLD"])):
                script += f"CREATE TEMP TRIGGER followed_{table.name}_{event} AFTER {event} ON main.{table.name} BEGIN "
                for row in rows:
                    key = f"json_array({', '.join(f'{row}.{column}' for column in table.key)})"
                    script += (f"DELETE FROM followed WHERE place = '{table.name}' AND key = {key};"
                               f"INSERT INTO followed (place, key) VALUES ('{table.name}', {key});")
                script += "END;"
        self.db.executescript(script)
        for memory in self.memory.values():
            memory.follow()
        self.copy = secrets.randbelow(2**53) + 1
        return {"copy": self.copy, "tables": [
            table.contract for table in [*self.tables.values(), *(one.table for one in self.memory.values())]]}

    def check(self, copy):
        if copy != self.copy:
            raise Fault("bus.malformed", f"the hand-over {copy} has ended, or never was: begin anew")

    def read(self, copy, table, limit, after=None):
        self.check(copy)
        self.copied_at = time.monotonic()
        if not 1 <= limit <= 1000 or table not in {*self.tables, *self.memory}:
            raise Fault("bus.malformed", "'limit' is 1 to 1000, 'table' one of the hand-over's")
        try:
            if table in self.memory:
                return self.memory[table].page(after, min(limit, 250))
            return self.page(self.tables[table], after, limit)
        except (ValueError, sqlite3.Error):
            raise Fault("bus.malformed", f"'{after}' is no place in {table}")

    def page(self, table, after, limit):
        kind, _, place = (after or "rows:").partition(":")
        columns, keys = ", ".join(table.columns), ", ".join(table.key)
        rows, removed, size = [], [], 0
        if kind == "rows":
            behind = f"WHERE ({keys}) > ({', '.join('?' * len(table.key))})" if place else ""
            found = self.db.execute(
                f"SELECT {columns} FROM {table.name} {behind} ORDER BY {keys} LIMIT ?",
                (*(json.loads(place) if place else ()), limit)).fetchall()
            for values in found:
                row = table.given(values)
                size += len(json.dumps(row, ensure_ascii=False).encode())
                if rows and size > PAGE_BYTES:
                    break
                rows.append(row)
            is_over = len(rows) == len(found) < limit
            following = "changes:0" if is_over or not rows else "rows:" + json.dumps(table.key_of(rows[-1]))
            return {"rows": rows, "removed": [], "next": following, "isEnd": False}
        changed = self.db.execute(
            "SELECT number, key FROM temp.followed WHERE place = ? AND number > ? ORDER BY number LIMIT ?",
            (table.name, int(place), limit + 1)).fetchall()
        for number, key in changed[:limit]:
            key = json.loads(key)
            values = self.db.execute(
                f"SELECT {columns} FROM {table.name} WHERE ({keys}) = ({', '.join('?' * len(key))})", key).fetchone()
            row = table.given(values) if values else dict(zip(table.key, key))
            size += len(json.dumps(row, ensure_ascii=False).encode())
            if (rows or removed) and size > PAGE_BYTES:
                break
            (rows if values else removed).append(row)
            place = number
        is_end = not changed or changed[-1][0] == place
        return {"rows": rows, "removed": removed, "next": f"changes:{place}", "isEnd": is_end}

    def seal(self, copy, isSealed):
        """From now on, for some seconds, nothing may be written: whoever writes looks at `is_sealed`."""
        self.check(copy)
        self.sealed_until = time.monotonic() + SEALED_SECONDS if isSealed else 0.0

        def counted(table):
            rows = self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            last = last_number(self.db, table)
            return {"name": table, "rows": rows} | ({} if last is None else {"last": last})
        return {"tables": [counted(name) for name in self.tables],
                "facts": self.db.execute("SELECT coalesce(max(sequence), 0) FROM facts").fetchone()[0]}


def last_number(db, table):
    """The greatest number that a table with AUTOINCREMENT has given; None for another table, and where none was given."""
    if not db.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
        return None
    found = db.execute("SELECT seq FROM main.sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return found and found[0]


class Taker:
    """Takes a state over: reads it into a new file while the old process serves, and answers `billfold swap` meanwhile.

    `follower` gets each row too, by `put_row(table, row)` and `remove_row(table, key)`: memory that grows with the copy is
    there when the copy is complete.
    """

    def __init__(self, service, path, schema, tables, memory=(), follower=None):
        self.service, self.path, self.follower = service, pathlib.Path(path), follower
        self.tables = {table.name: table for table in tables}
        self.memory = {table.name: table for table in memory}
        self.incoming = self.path.with_name(self.path.name + ".incoming")
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(f"{self.incoming}{ending}").unlink(missing_ok=True)
        self.db = sqlite3.connect(self.incoming, isolation_level=None)
        self.db.executescript(schema)
        self.places, self.phase, self.rows, self.head, self.copy = {}, "copying", 0, 0, None
        # Tables of the round that have not been read to their ends, and the pages that it has taken.
        self.unread, self.pages = [], 0
        self.rest_until = 0.0

    def ask(self, verb, **data):
        """Of the process that serves, also while its queue is paused."""
        asked = time.monotonic()
        reply = Client().ask(f"{self.service}.{verb}.v1", data, of=f"try.{self.service}")
        # While it copies, it leaves that process as much time as the answer took: people wait for it, too.
        answered = time.monotonic()
        self.rest_until = answered + (answered - asked)
        return reply

    def run(self, prepare):
        """Returns what `prepare` makes of the state, once this process may serve: it is called while the old one ends."""
        self.copy, prepared = self.begin(), []

        def turn():
            if self.phase == "complete" and not prepared:
                prepared.append(prepare())
            if self.phase in ("copying", "following") and time.monotonic() >= self.rest_until:
                self.step()
                if self.phase == "following":
                    self.rest_until = time.monotonic() + 0.01
            # Not longer than it rests: what is left of a millisecond is not waited for.
            return max(0, int(1000 * (self.rest_until - time.monotonic()))) if self.phase == "copying" else 10

        def advance(data, _ask):
            if self.phase == "copying" and data["to"] != "following":
                raise Fault("bus.unavailable", "the state is still being copied")
            if data["to"] == "complete" and self.phase == "following":
                self.complete()
            if data["to"] == "serving":
                if self.phase == "following":
                    raise Fault("bus.unavailable", "the state is not complete")
                self.phase = "serving"
            return {"phase": self.phase, "rows": self.rows, "facts": self.head}
        serve(f"next.{self.service}", {f"{self.service}.takeover.advance.v1": advance}, turn,
              until=lambda: self.phase == "serving")
        return prepared[0] if prepared else None

    def begin(self):
        followed = self.ask("state.follow")
        names = {table["name"] for table in followed["tables"]}
        known = {**self.tables, **self.memory}
        if names != set(known):
            raise SystemExit(f"the state cannot be taken over: its tables are {sorted(names)}, not {sorted(known)}")
        for table in followed["tables"]:
            theirs, own = (
                sorted((column["name"], column["kind"], column["isKey"]) for column in one["columns"])
                for one in (table, known[table["name"]].contract))
            if theirs != own:
                raise SystemExit(f"the state cannot be taken over: the columns of {table['name']} are {theirs}, not {own}")
        self.places, self.unread = dict.fromkeys(names), list(names)
        return followed["copy"]

    def step(self):
        """One page while it copies, so that `swap` is answered between them; all that is new once it follows.

        It follows when all tables and facts were read anew within few pages: what changes while a million facts are read is
        much, too.
        """
        if self.phase == "following":
            return self.catch_up()
        self.pages += 1
        if self.unread:
            if self.page(self.unread[0]):
                self.unread.pop(0)
        elif not self.facts():
            if self.pages <= 2 * len(self.places) + 2:
                self.phase = "following"
            self.unread, self.pages = list(self.places), 0

    def catch_up(self):
        for name in self.places:
            while not self.page(name):
                pass
        while self.facts():
            pass

    def page(self, name):
        after = {"after": self.places[name]} if self.places[name] else {}
        page = self.ask("state.read", copy=self.copy, table=name, limit=1000, **after)
        if name in self.tables:
            self.apply(self.tables[name], page)
        if self.follower:
            for row in page["removed"]:
                self.follower.remove_row(name, row)
            for row in page["rows"]:
                self.follower.put_row(name, row)
        self.rows += len(page["rows"])
        self.places[name] = page["next"]
        return page["isEnd"]

    def apply(self, table, page):
        self.db.execute("BEGIN")
        keys = f"({', '.join(table.key)}) = ({', '.join('?' * len(table.key))})"
        for row in page["removed"]:
            self.db.execute(f"DELETE FROM {table.name} WHERE {keys}", table.key_of(row))
        self.db.executemany(
            f"INSERT OR REPLACE INTO {table.name} ({', '.join(table.columns)}) VALUES ({', '.join('?' * len(table.columns))})",
            map(table.taken, page["rows"]))
        self.db.execute("COMMIT")

    def facts(self):
        """The next facts, as they are. Returns whether there may be more."""
        page = self.ask("facts.read", after=self.head, limit=1000)
        self.db.execute("BEGIN")
        for fact in page["facts"]:
            self.head += 1
            if int(fact["sequence"]) != self.head:
                raise SystemExit(f"fact {self.head} is missing")
            self.db.execute("INSERT INTO facts VALUES (?, ?)",
                            (self.head, json.dumps(fact, separators=(",", ":"), ensure_ascii=False)))
        self.db.execute("COMMIT")
        return bool(page["facts"]) and self.head < page["head"]

    def complete(self):
        """The rest, of a state that changes no more; then the new file takes the place of the one before."""
        try:
            sealed = self.ask("state.seal", copy=self.copy, isSealed=True)
            self.catch_up()
            counted = {table["name"]: table["rows"] for table in sealed["tables"]}
            own = {name: self.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in self.tables}
            for table in sealed["tables"]:
                if table.get("last") is not None:
                    self.db.execute("DELETE FROM main.sqlite_sequence WHERE name = ?", (table["name"],))
                    self.db.execute("INSERT INTO main.sqlite_sequence VALUES (?, ?)", (table["name"], table["last"]))
            if own != counted or self.head != sealed["facts"]:
                raise Fault("bus.unavailable", f"{own} rows and {self.head} facts are not {counted} and {sealed['facts']}")
        except BaseException:
            self.ask("state.seal", copy=self.copy, isSealed=False)
            raise
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.db.close()
        if self.path.exists():
            # A log that a killed process has left goes into its file: beside another one it would be applied to that.
            before = sqlite3.connect(self.path)
            before.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            before.close()
            for ending in ("-wal", "-shm"):
                pathlib.Path(f"{self.path}{ending}").unlink(missing_ok=True)
        os.replace(self.incoming, self.path)
        self.phase = "complete"
