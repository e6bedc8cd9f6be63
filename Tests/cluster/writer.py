"""The model of the wallet's leader: decides in memory, writes groups to PostgreSQL, one of several leads.

    writer.py ADDRESS:PORT HOST,HOST,… [--without fence|warning|reads]

The fence: an advisory lock on the session that commits; a new epoch, committed before anything is read; the head row
compared and set in each group. A COMMIT with a warning, or without an answer, is unknown: nobody is answered, and the
process ends. Reads and refusals ride on a group, so that a deposed leader answers nothing.
"""

import http.server
import json
import os
import queue
import sys
import threading
import time

import psycopg

GROUP = 256
# A session that is silent this long is ended by PostgreSQL, or a frozen leader would keep the lock: its kernel answers
# keep-alives. An empty group goes out each second.
SILENCE, BEAT = "5s", 1.0
LOCK = 27


def end(why):
    print("ends:", why, file=sys.stderr, flush=True)
    os._exit(1)


class Ask:
    def __init__(self, body):
        self.body, self.answer, self.done = body, None, threading.Event()


class Writer:
    def __init__(self, hosts, without):
        self.hosts, self.without = hosts, without
        self.asks = queue.Queue(4096)
        self.ready, self.committed = False, 0.0
        self.keys, self.balances = {}, {}

    def connect(self):
        while True:
            try:
                return psycopg.connect(
                    host=self.hosts, user="postgres", dbname="postgres", target_session_attrs="read-write",
                    autocommit=True, connect_timeout=2, tcp_user_timeout=5000, keepalives_idle=2, keepalives_interval=1,
                    keepalives_count=3, options=f"-c idle_session_timeout={SILENCE} "
                    f"-c idle_in_transaction_session_timeout={SILENCE} -c synchronous_commit=on")
            except psycopg.OperationalError:
                time.sleep(0.3)

    def elected(self):
        """The session that holds the lock. Each try is a new connection: the server of the one before may have been deposed
        and not know it, and there the lock would be free for nobody, or for us in vain."""
        while True:
            session = self.connect()
            try:
                if self.without == "fence" or session.execute("select pg_try_advisory_lock(%s)", [LOCK]).fetchone()[0]:
                    return session
                session.close()
            except psycopg.OperationalError:
                pass
            time.sleep(0.7)

    def run(self):
        try:
            self.lead(self.elected())
        except psycopg.Error as error:
            end(f"the session failed: {error}")

    def lead(self, session):
        warnings = []
        session.add_notice_handler(
            lambda notice: warnings.append(notice.message_primary) if notice.severity_nonlocalized == "WARNING" else None)

        def commit():
            session.execute("commit")
            if warnings and self.without != "warning":
                end(f"COMMIT came with a warning: {warnings}")

        if self.without != "fence":
            session.execute("begin")
            epoch, sequence = session.execute(
                "update head set epoch = epoch + 1, time = now() returning epoch, sequence").fetchone()
            commit()
        else:
            epoch, sequence = session.execute("select epoch, sequence from head").fetchone()
        for key, number, payer, payee, minor in session.execute(
                "select key, sequence, payer, payee, minor from entries where sequence <= %s", [sequence]):
            self.keys[key] = number
            self.apply(payer, payee, minor)
        print(f"leads: epoch {epoch}, sequence {sequence}", file=sys.stderr, flush=True)
        self.committed, self.ready = time.monotonic(), True
        while True:
            group = self.gather()
            # Nothing more is decided until this group is known, so memory is never behind what it answers.
            fresh = []
            answers = [self.decide(ask.body, sequence, fresh) for ask in group]
            session.execute("begin")
            fence = " where epoch = %s and sequence = %s" if self.without != "fence" else ""
            changed = session.execute(
                "update head set sequence = %s, time = now()" + fence,
                [sequence + len(fresh), *([epoch, sequence] if fence else [])]).rowcount
            if changed != 1:
                end(f"deposed: the head is not at {epoch}, {sequence}")
            if fresh:
                session.execute(
                    "insert into entries select * from unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], "
                    "%s::text[], %s::bigint[])", [list(column) for column in zip(*(
                        (number, epoch, key, payer, payee, minor) for number, key, payer, payee, minor in fresh))])
            commit()
            sequence += len(fresh)
            self.committed = time.monotonic()
            for ask, answer in zip(group, answers):
                ask.answer = answer
                ask.done.set()

    def gather(self):
        try:
            group = [self.asks.get(timeout=BEAT)]
        except queue.Empty:
            return []
        while len(group) < GROUP:
            try:
                group.append(self.asks.get_nowait())
            except queue.Empty:
                break
        return group

    def decide(self, ask, sequence, fresh):
        """(status, body). Memory changes at once: if the group fails, the process ends with it."""
        if "read" in ask:
            return 200, {"balance": self.balances.get(ask["read"], 0)}
        key, payer, payee, minor = ask["key"], ask["payer"], ask["payee"], ask["minor"]
        if key in self.keys:
            return 200, {"number": self.keys[key]}
        if self.balances.get(payer, 0) < minor:
            return 409, {"code": "poor"}
        number = sequence + len(fresh) + 1
        fresh.append((number, key, payer, payee, minor))
        self.keys[key] = number
        self.apply(payer, payee, minor)
        return 200, {"number": number}

    def apply(self, payer, payee, minor):
        self.balances[payer] = self.balances.get(payer, 0) - minor
        self.balances[payee] = self.balances.get(payee, 0) + minor


def handler(writer):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_GET(self):
            if self.path == "/health":
                lives = writer.ready and time.monotonic() - writer.committed < 3
                self.say(200 if lives else 503, {"leads": lives})
            else:
                self.ask({"read": self.path.removeprefix("/balance/")})

        def do_POST(self):
            self.ask(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def ask(self, body):
            if not writer.ready:
                return self.say(503, {"code": "standby"})
            if "read" in body and writer.without == "reads":
                return self.say(200, {"balance": writer.balances.get(body["read"], 0)})
            ask = Ask(body)
            try:
                writer.asks.put_nowait(ask)
            except queue.Full:
                return self.say(503, {"code": "busy"})
            if not ask.done.wait(25):
                # No answer is the answer: the outcome is unknown.
                self.close_connection = True
                return None
            return self.say(*ask.answer)

        def say(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def main(arguments):
    address, port = arguments[0].rsplit(":", 1)
    without = arguments[3] if arguments[2:3] == ["--without"] else None
    writer = Writer(arguments[1], without)
    http.server.ThreadingHTTPServer.daemon_threads = True
    http.server.ThreadingHTTPServer.request_queue_size = 128
    server = http.server.ThreadingHTTPServer((address, int(port)), handler(writer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    writer.run()


if __name__ == "__main__":
    main(sys.argv[1:])
