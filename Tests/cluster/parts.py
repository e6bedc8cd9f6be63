"""What runs on a host of the cluster: etcd, Patroni with PostgreSQL, NATS, and the parts of the service that is tested."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import sys
import threading
import time
import urllib.error
import urllib.request

from hosts import Failed, Lab, program, run, until

HERE = pathlib.Path(__file__).resolve().parent
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
PATRONI = pathlib.Path(sys.executable).parent / "patroni"
NAMES = ("a", "b", "c")
# The port of PostgreSQL, of Patroni's REST interface, and both of etcd and of nats-server.
DATABASE, REST, ETCD, NATS = 5432, 8008, (2379, 2380), (4222, 6222)
# How soon nats-server, and its kernel, count a silent client or server as gone: as deploy/cluster has it.
DEPLOYED = HERE.parents[1] / "deploy/cluster"
NATS_PINGS = re.findall(r"^ping_.*$", (DEPLOYED / "nats.conf").read_text(), re.MULTILINE)
TCP_RETRIES = re.search(r"tcp_retries2: (\d+)", (DEPLOYED / "compose.yml").read_text())[1]


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
                "synchronous_commit": "on", "shared_buffers": "32MB", "max_connections": 100, "wal_log_hints": "on",
                "min_wal_size": "32MB", "max_wal_size": "96MB", "wal_keep_size": "64MB",
                "max_slot_wal_keep_size": "128MB", "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
                "tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 3,
                "tcp_user_timeout": "5s", "log_min_messages": "warning", "log_line_prefix": "%t [%p] ",
            }},
        }


class Cluster:
    """Three hosts and a front. `tend` starts again what has ended, as systemd does, unless its host is down."""

    def __init__(self, lab, settings, service):
        """`service`: wallet.Wallet, model.Model or whole.Whole."""
        self.lab, self.settings, self.service = lab, settings, service
        self.hosts = {name: lab.host(name, number) for number, name in enumerate(NAMES, 1)}
        self.front = lab.host("f", 9)
        self.down, self.closed = set(), threading.Event()
        self.restarts, self.started = {}, {}
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
            host.inside("sh", "-c", f"echo {TCP_RETRIES} >/proc/sys/net/ipv4/tcp_retries2")
            self.start_part(host, "etcd")
        # The first one makes the database; the others copy it.
        for host in self.hosts.values():
            self.start_part(host, "nats")
            self.start_part(host, "patroni")
        until(lambda: self.primary() and len(self.streaming()) == 2, "a primary with two synchronous standbys", 60)
        until(self.messages_pass, "the NATS servers to pass messages on", 20)
        self.service.prepare(self)
        for name in self.service.parts:
            for host in self.hosts_of(name):
                self.start_part(host, name)
        for name in self.service.front_parts:
            self.start_part(self.front, name)
        threading.Thread(target=self.tend, daemon=True).start()
        until(self.leader, f"a {self.service.leading} that leads", 60)
        self.service.open(self)
        return self

    def folder(self, host, name):
        path = host.disk / name
        path.mkdir(exist_ok=True)
        path.chmod(0o700)
        shutil.chown(path, "postgres", "postgres")
        return path

    def start_part(self, host, name):
        own = getattr(self, f"{name}_command", None)
        command, user, environment = own(host) if own else self.service.command(self, host, name)
        host.start(name, *command, user=user, environment=environment)
        self.started[host.name, name] = time.monotonic()

    def hosts_of(self, name):
        """Those on which a part of the service runs."""
        return [self.hosts[each] for each in self.service.placed.get(name, NAMES)]

    def hosts_from(self, host):
        """All hosts, this one first."""
        return [host, *(each for each in self.hosts.values() if each is not host)]

    def clock_of(self, host):
        """The environment of a process whose clock jumps with its host's."""
        return {"LD_PRELOAD": str(self.clock), "CLOCK_AHEAD_FILE": str(host.home / "clock")}

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
        trust = [f"host {what} all 10.77.0.0/24 trust" for what in ("all", "replication")]
        config.write_text(json.dumps({
            "scope": "billfold", "name": host.name,
            "restapi": {"listen": f"{host.address}:{REST}", "connect_address": f"{host.address}:{REST}"},
            "etcd3": {"hosts": [f"{each.address}:2379" for each in self.hosts_from(host)]},
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
        return [PATRONI, config], "postgres", self.clock_of(host)

    def nats_command(self, host):
        routes = ", ".join(f"nats://{each.address}:6222" for each in self.hosts.values() if each is not host)
        config = host.home / "nats.conf"
        config.write_text("\n".join([
            f"listen: {host.address}:4222", *NATS_PINGS,
            f"cluster {{ name: billfold, listen: {host.address}:6222, routes: [{routes}] }}\n"]))
        return ["nats-server", "--config", config], "postgres", None

    def tend(self):
        while not self.closed.wait(0.5):
            with self.lock:
                for host in (*self.hosts.values(), self.front):
                    for name, process in list(host.processes.items()):
                        if host.name not in self.down and process.poll() is not None and not self.closed.is_set():
                            # What ends at once is started again a second later.
                            if time.monotonic() - self.started[host.name, name] < 1:
                                continue
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
        """The host on which the service leads and answers; None if there is none."""
        return self.service.leader(self)

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

    def recovered(self):
        """Whether all that is there again after the faults serves."""
        return self.primary() and self.service.recovered(self)

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
            process = host.processes.get(name)
            if process is None:
                raise Failed(f"{name} does not run on {host.name}")
            if process.poll() is None:
                process.send_signal(number)

    def postgres_pids(self, host):
        """All processes of the host's PostgreSQL; the first is the one that started the others."""
        return sorted(pid for pid in host.pids() if program(pid) == "postgres")

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
        """Makes this one the primary, whatever it lacks, as an operator does when no synchronous standby is known. As long as the
        lost primary has its lease, patronictl asks that one, and waits for it."""
        until(lambda: self.primary() is None, "the lost primary's lease to end", 40)
        return host.inside(
            PATRONI.parent / "patronictl", "-c", host.home / "patroni.json", "failover", "billfold",
            "--candidate", host.name, "--force", check=False)

    def close(self):
        self.closed.set()
        self.service.close()
        with self.lock:
            for host in self.lab.hosts.values():
                for pid in host.pids():
                    try:
                        os.kill(pid, signal.SIGCONT)
                    except ProcessLookupError:
                        pass
