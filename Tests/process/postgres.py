"""PostgreSQL servers that a test starts and breaks by itself: unprivileged, in a directory of their own."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from billfold import free_port, until

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class StandingStill:
    """A way to a server that stands still as soon as a client asks who leads: it stays open, and nothing comes any more."""

    def __init__(self, port):
        self.server, self.held = port, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.server))
            except OSError:
                return
            for way in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=way, daemon=True).start()

    def forward(self, source, target):
        while data := source.recv(65536):
            if b"pg_try_advisory_lock" in data:
                self.held.set()
            if self.held.is_set():
                continue
            try:
                target.sendall(data)
            except OSError:
                return

    def close(self):
        self.listener.close()


class Postgres:
    """A server with an empty database `billfold`. Durable, as a server in use is. `of`: the primary whose standby it is."""

    def __init__(self, of=None, **settings):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="bf-pg-"))
        self.port = free_port()
        self.data = self.home / "data"
        # PostgreSQL does not run as root.
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            shutil.chown(self.home, self.user, self.user)
        if of:
            self._run("pg_basebackup", "-D", self.data, "-R", "-c", "fast", "-h", "127.0.0.1", "-p", of.port, "-U", "billfold")
        else:
            self._run("initdb", "-D", self.data, "-A", "trust", "-U", "billfold", "--no-locale", "-E", "UTF8",
                      "--data-checksums")
        with open(self.data / "postgresql.conf", "a") as conf:
            for key, value in {"port": self.port, "listen_addresses": "'127.0.0.1'",
                               "unix_socket_directories": f"'{self.home}'", "max_connections": 200, **settings}.items():
                print(f"{key} = {value}", file=conf)
        self.start()
        if not of:
            self.query("CREATE DATABASE billfold", database="postgres")

    def standby(self):
        """Another server, which follows this one and takes no writes."""
        return Postgres(of=self)

    def catch_up(self, primary):
        """Waits until this standby has all that the primary has now."""
        position = primary.query("SELECT pg_current_wal_lsn()")[0]
        until(lambda: self.query(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == ["t"], "the standby to catch up")

    def promote(self):
        self._run("pg_ctl", "-w", "-D", self.data, "promote")

    @property
    def address(self):
        return f"postgres://billfold@127.0.0.1:{self.port}/billfold"

    def _run(self, program, *arguments):
        subprocess.run(
            [PROGRAMS / program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, cwd=self.home, user=self.user,
            group=pwd.getpwnam(self.user).pw_gid if self.user else None, extra_groups=[] if self.user else None)

    def start(self):
        try:
            self._run("pg_ctl", "-w", "-D", self.data, "-l", self.home / "log", "start")
        except subprocess.CalledProcessError as error:
            raise AssertionError((self.home / "log").read_text()[-2000:]) from error

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-w", "-D", self.data, "-m", mode, "stop")

    def kill(self):
        """As a machine that loses power: no process of it ends in order."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
        all_of_it = [pid, *map(int, children)]
        for one in all_of_it:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        until(lambda: not any(map(self._runs, all_of_it)), "the end of the server's processes")
        # The numbers of dead processes stay taken until somebody collects them.
        for taken in [self.data / "postmaster.pid", *self.home.glob(".s.PGSQL.*")]:
            taken.unlink()

    @staticmethod
    def _runs(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def query(self, sql, database="billfold"):
        """The rows of a statement's answer, as text."""
        done = subprocess.run(
            [PROGRAMS / "psql", "-X", "-A", "-t", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "billfold",
             "-d", database, "-c", sql], capture_output=True, text=True, check=True)
        return done.stdout.split("\n")[:-1]

    def close(self):
        try:
            self.stop("immediate")
        except subprocess.CalledProcessError:
            pass  # it was killed
        shutil.rmtree(self.home)
