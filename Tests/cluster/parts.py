"""What runs on a host of the cluster: etcd, Patroni with PostgreSQL, NATS, a wallet's model; HAProxy in front."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import sys
import threading
import urllib.error
import urllib.request

from hosts import Failed, Lab, run, until

HERE = pathlib.Path(__file__).resolve().parent
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
PATRONI = pathlib.Path(sys.executable).parent / "patroni"
NAMES = ("a", "b", "c")
# The port of the model writers, of PostgreSQL, of Patroni's REST interface, and of both of etcd.
WRITER, DATABASE, REST, ETCD = 7000, 5432, 8008, (2379, 2380)


class Settings:
    """The settings on which safety depends. `without` names the one that is left out."""

    NAMES = ("strict", "all-standbys", "fence", "warning", "reads")

    def __init__(self, without=None):
        self.without = without

    def __getitem__(self, name):
        return name != self.without

    def patroni(self):
        every = self["all-standbys"]
        return {
            "ttl": 20, "loop_wait": 5, "retry_timeout": 5, "maximum_lag_on_failover": 1 << 20,
            "synchronous_mode": True if every else "quorum", "synchronous_mode_strict": self["strict"],
            "synchronous_node_count": 2 if every else 1,
            "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": {
                "synchronous_commit": "on", "shared_buffers": "32MB", "max_connections": 40, "wal_log_hints": "on",
                "min_wal_size": "32MB", "max_wal_size": "96MB", "wal_keep_size": "64MB",
                "max_slot_wal_keep_size": "128MB", "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
                "tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 3,
                "tcp_user_timeout": "5s", "log_min_messages": "warning", "log_line_prefix": "%t [%p] ",
            }},
        }


class Cluster:
    """Three hosts and a front. `tend` starts again what has ended, as systemd does, unless its host is down."""

    def __init__(self, lab, settings):
        self.lab, self.settings = lab, settings
        self.hosts = {name: lab.host(name, number) for number, name in enumerate(NAMES, 1)}
        self.front = lab.host("f", 9)
        self.down, self.closed = set(), threading.Event()
        self.restarts = {}
        self.lock = threading.RLock()
        self.clock = self.build_clock()

    def build_clock(self):
        library = self.lab.home / "wrongclock.so"
        source = HERE.parent / "process/wrongclock.c"
        run("cc", "-shared", "-fPIC", "-O1", "-o", library, source)
        library.chmod(0o755)
        return library

    def start(self):
        for host in self.hosts.values():
            host.disk.chmod(0o755)
            for name in ("etcd", "postgres", "sockets"):
                self.folder(host, name)
            self.set_clock(host, 0)
            self.start_part(host, "etcd")
        # The first one makes the database; the others copy it.
        for host in self.hosts.values():
            self.start_part(host, "nats")
            self.start_part(host, "patroni")
        until(lambda: self.primary() and len(self.streaming()) == 2, "a primary with two synchronous standbys", 60)
        until(self.messages_pass, "the NATS servers to pass messages on", 20)
        self.primary_sql((HERE / "model.sql").read_text())
        for host in self.hosts.values():
            self.start_part(host, "writer")
        self.start_part(self.front, "haproxy")
        threading.Thread(target=self.tend, daemon=True).start()
        until(self.leader, "a writer that leads", 60)
        return self

    def folder(self, host, name):
        path = host.disk / name
        path.mkdir(exist_ok=True)
        path.chmod(0o700)
        shutil.chown(path, "postgres", "postgres")
        return path

    def start_part(self, host, name):
        command, user, environment = getattr(self, f"{name}_command")(host)
        host.start(name, *command, user=user, environment=environment)

    def etcd_command(self, host):
        peers = ",".join(f"{each.name}=http://{each.address}:2380" for each in self.hosts.values())
        return ([
            "etcd", "--name", host.name, "--data-dir", host.disk / "etcd", "--initial-cluster", peers,
            "--listen-peer-urls", f"http://{host.address}:2380",
            "--initial-advertise-peer-urls", f"http://{host.address}:2380",
            "--listen-client-urls", f"http://{host.address}:2379,http://127.0.0.1:2379",
            "--advertise-client-urls", f"http://{host.address}:2379",
            "--heartbeat-interval", "200", "--election-timeout", "2000", "--log-level", "warn",
        ], "postgres", None)

    def patroni_command(self, host):
        config = host.home / "patroni.json"
        order = [host, *(each for each in self.hosts.values() if each is not host)]
        trust = [f"host {what} all 10.77.0.0/24 trust" for what in ("all", "replication")]
        config.write_text(json.dumps({
            "scope": "billfold", "name": host.name,
            "restapi": {"listen": f"{host.address}:{REST}", "connect_address": f"{host.address}:{REST}"},
            "etcd3": {"hosts": [f"{each.address}:2379" for each in order]},
            "bootstrap": {
                "dcs": self.settings.patroni(),
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"]},
            "postgresql": {
                "listen": f"{host.address}:{DATABASE}", "connect_address": f"{host.address}:{DATABASE}",
                "data_dir": str(host.disk / "postgres"), "bin_dir": str(POSTGRES),
                "pgpass": str(host.disk / "sockets/pgpass"), "basebackup": [{"checkpoint": "fast"}],
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                "parameters": {"unix_socket_directories": str(host.disk / "sockets")},
                "pg_hba": ["local all all trust", *trust]},
            "log": {"level": "INFO"},
        }))
        return [PATRONI, config], "postgres", {"LD_PRELOAD": str(self.clock), "CLOCK_AHEAD_FILE": str(host.home / "clock")}

    def nats_command(self, host):
        routes = ",".join(f"nats://{each.address}:6222" for each in self.hosts.values() if each is not host)
        return ([
            "nats-server", "-a", host.address, "-p", "4222", "--cluster_name", "billfold",
            "--cluster", f"nats://{host.address}:6222", "--routes", routes], "postgres", None)

    def writer_command(self, host):
        """Each prefers the PostgreSQL of its own host: the hardest case when that one is no longer the primary."""
        order = [host, *(each for each in self.hosts.values() if each is not host)]
        without = ["--without", self.settings.without] if self.settings.without in ("fence", "warning", "reads") else []
        return ([
            sys.executable, "-B", HERE / "writer.py", f"{host.address}:{WRITER}",
            ",".join(each.address for each in order), *without], "postgres",
            {"LD_PRELOAD": str(self.clock), "CLOCK_AHEAD_FILE": str(host.home / "clock")})

    def haproxy_command(self, front):
        servers = "\n".join(
            f"  server {host.name} {host.address}:{WRITER} check inter 500ms fall 2 rise 1"
            for host in self.hosts.values())
        config = front.home / "haproxy.cfg"
        # A request is given to another server only if the first one did not accept the connection.
        config.write_text(f"""defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retry-on conn-failure
  option redispatch
frontend all
  bind {front.address}:{WRITER}
  default_backend writers
backend writers
  option httpchk GET /health
{servers}
""")
        return ["haproxy", "-db", "-f", config], None, None

    def tend(self):
        while not self.closed.wait(0.5):
            with self.lock:
                for host in (*self.hosts.values(), self.front):
                    for name, process in list(host.processes.items()):
                        if host.name not in self.down and process.poll() is not None and not self.closed.is_set():
                            self.restarts[name] = self.restarts.get(name, 0) + 1
                            self.start_part(host, name)

    # Questions.

    def get(self, address, path, patience=1.0):
        """(status, body) as the front sees it; (0, None) if nobody answers."""
        try:
            with self.front.entered(), urllib.request.urlopen(f"http://{address}{path}", timeout=patience) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, None

    def members(self):
        for host in self.living():
            status, body = self.get(f"{host.address}:{REST}", "/cluster")
            if status == 200:
                return json.loads(body)["members"]
        return []

    def living(self):
        return [host for host in self.hosts.values() if host.name not in self.down]

    def primary(self):
        """The host that Patroni calls the leader."""
        names = [each["name"] for each in self.members() if each["role"] == "leader" and each["state"] == "running"]
        return self.hosts[names[0]] if names else None

    def standbys(self):
        primary = self.primary()
        return [host for host in self.living() if host is not primary]

    def streaming(self):
        return [each for each in self.members()
                if each["role"] in ("sync_standby", "quorum_standby") and each["state"] in ("streaming", "running")]

    def leader(self):
        """The host whose writer says that it leads."""
        for host in self.living():
            if self.get(f"{host.address}:{WRITER}", "/health")[0] == 200:
                return host
        return None

    def messages_pass(self):
        """Whether a message that the first host's nats-server takes reaches a subscriber at each other one."""
        first, *others = self.hosts.values()
        with self.front.entered(), contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            def connected(host, words):
                link = stack.enter_context(socket.create_connection((host.address, 4222), timeout=1))
                link.sendall(b'CONNECT {"verbose":false}\r\n' + words + b"PING\r\n")
                heard = b""
                while b"PONG" not in heard:
                    heard += link.recv(4096) or b"PONG"
                return link

            links = [connected(host, b"SUB drill 1\r\n") for host in others]
            connected(first, b"PUB drill 2\r\nhi\r\n")
            return all(b"hi" in link.recv(4096) for link in links)
        return False

    def sql(self, host, text):
        return host.inside(
            POSTGRES / "psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", host.address, "-U", "postgres",
            "-c", text)

    def primary_sql(self, text):
        host = self.primary()
        if host is None:
            raise Failed("there is no primary")
        return self.sql(host, text)

    # Deeds.

    def set_clock(self, host, seconds):
        path = host.home / "clock"
        with open(path, "r+b" if path.exists() else "w+b") as file:
            file.write(struct.pack("<q", seconds))

    def signal(self, host, name, number):
        with self.lock:
            process = host.processes[name]
            if process.poll() is None:
                process.send_signal(number)

    def postgres_pids(self, host):
        """All processes of the host's PostgreSQL; the first is the one that started the others."""
        found = [pid for pid in host.pids() if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"]
        return sorted(found)

    def signal_postgres(self, host, number, all=True):
        for pid in self.postgres_pids(host)[:None if all else 1]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill_host(self, host):
        with self.lock:
            self.down.add(host.name)
            # Before the kernel says goodbye for the processes, as it cannot when power is cut.
            host.inside("ip", "link", "set", "eth0", "down")
            host.kill()

    def start_host(self, host):
        with self.lock:
            host.inside("ip", "link", "set", "eth0", "up")
            (host.disk / "postgres/postmaster.pid").unlink(missing_ok=True)
            for name in list(host.processes):
                self.start_part(host, name)
            self.down.discard(host.name)

    def promote(self, host):
        """Makes this one the primary, whatever it lacks, as an operator does when no synchronous standby is known."""
        return host.inside(
            PATRONI.parent / "patronictl", "-c", host.home / "patroni.json", "failover", "billfold",
            "--candidate", host.name, "--force", check=False)

    def close(self):
        self.closed.set()
        with self.lock:
            for host in self.lab.hosts.values():
                for pid in host.pids():
                    try:
                        os.kill(pid, signal.SIGCONT)
                    except ProcessLookupError:
                        pass
