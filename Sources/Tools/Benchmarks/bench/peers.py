"""The yardsticks: each a context that starts what it needs and gives a function that measures once."""

import json
import os
import pwd
import re
import shutil
import signal
import time
from contextlib import contextmanager
from types import SimpleNamespace

from children import Failed, accepts, await_fact, directory, free_port, need, output, running

PEERS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Peers")


class CPrograms:
    """Programs of Sources/Tools/Benchmarks/Peers, compiled by deploy/bench; each prints one line of JSON."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        path = f"{self.folder}/{name}"
        if not os.access(path, os.X_OK):
            raise Failed(f"{name} could not be compiled")
        return path

    def figure(self, name, seconds, *arguments):
        command = [self.path(name), *map(str, arguments), "--seconds", str(seconds)]
        return json.loads(output(command, seconds=seconds + 30))


@contextmanager
def c_broker(programs):
    """A plain ROUTER-ROUTER broker in C."""
    with directory("/tmp", "billfold-peer-") as run:
        with running([programs.path("broker"), "--run", run], log=f"{run}/log") as child:
            await_fact(lambda: os.path.exists(f"{run}/back.sock"), "the C broker", child)
            yield lambda options, in_flight: programs.figure(
                "broker-load", options.seconds, "--run", run, "--body", options.body, "--in-flight", in_flight)


@contextmanager
def broker_load(programs, billfold):
    """The same client and worker as the plain broker's, on our own broker: what differs is the broker alone."""
    yield lambda options, in_flight: programs.figure(
        "broker-load", options.seconds, "--broker", "billfold", "--run", billfold.run, "--body", options.body,
        "--in-flight", in_flight)


@contextmanager
def nats(programs, work):
    """nats-server: where it listens, and how asks are measured: by C on plain sockets, and by NATS's own client in C."""
    port = free_port()
    command = [need("nats-server"), "-a", "127.0.0.1", "-p", str(port)]
    with running(command, log=f"{work}/nats.log") as child:
        await_fact(lambda: accepts(port), "nats-server", child)
        yield SimpleNamespace(
            address=f"nats://127.0.0.1:{port}",
            asks_by=lambda program, options: programs.figure(
                program, options.seconds, "--port", port, "--body", options.body, "--in-flight", options.in_flight))


@contextmanager
def sqlite(programs, work):
    """The ledger's statements in a C loop, each time on a new file."""

    def measure(options, style):
        with directory(work, "sqlite-") as place:
            return programs.figure(
                "sqlite-ledger", options.seconds, "--directory", place, "--group", options.group, "--as", style)

    yield measure


@contextmanager
def redis(programs, work):
    """redis-server on a loopback port of its own, with nothing written to a disk: positions are not, on our side either."""
    port = free_port()
    command = [need("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
               "--dir", work]
    with running(command, log=f"{work}/redis.log") as child:
        await_fact(lambda: accepts(port), "redis-server", child)
        yield lambda options, deed: programs.figure(
            "redis-load", options.seconds, "--port", port, "--deed", deed, "--group", options.group)


# PostgreSQL

@contextmanager
def postgresql(work, scale):
    """A cluster of its own, on a Unix socket, with the settings that Debian's initdb gives it: every commit synced."""
    binaries = "/usr/lib/postgresql/15/bin"
    if not os.path.exists(f"{binaries}/initdb"):
        raise Failed("postgresql-15 is not installed")
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root

    def tool(name, *arguments, seconds=300):
        return output([f"{binaries}/{name}", *map(str, arguments)], seconds=seconds, as_user=user)

    def measure(options, *script):
        text = tool(
            "pgbench", "-h", home, "-M", "prepared", "-c", options.clients, "-j", min(2, options.clients),
            "-T", whole(options.seconds), *script, "bench", seconds=options.seconds + 60)
        return pgbench_figure(text)

    def charges(options):
        return measure(options, "-n", "-f", f"{home}/charge-flow.sql")

    def database(name):
        """A new database for a set, and its address."""
        tool("createdb", "-h", home, name)
        return f"postgres://{user or ''}{'@' if user else ''}/{name}?host={home}"

    def is_ready():
        try:
            tool("pg_isready", "-q", "-h", home)
        except Failed:
            return False
        return True

    with directory(postgres_place(work, user), "billfold-postgres-") as home:
        if user:
            os.chown(home, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        tool("initdb", "-D", f"{home}/data", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        command = [f"{binaries}/postgres", "-D", f"{home}/data", "-k", home, "-c", "listen_addresses="]
        with running(
            command, log=f"{work}/postgres.log", as_user=user, on_death="INT", stop=signal.SIGINT
        ) as server:
            await_fact(is_ready, "PostgreSQL", server)
            tool("createdb", "-h", home, "bench")
            tool("pgbench", "-h", home, "-i", "-s", scale, "-q", "bench")
            for file in ["charge-schema.sql", "charge-flow.sql"]:
                shutil.copyfile(f"{PEERS}/{file}", f"{home}/{file}")
                os.chmod(f"{home}/{file}", 0o644)
            tool("psql", "-h", home, "-q", "-v", "ON_ERROR_STOP=1", "-f", f"{home}/charge-schema.sql", "bench")
            yield SimpleNamespace(default=measure, charges=charges, database=database)


def postgres_place(work, user):
    """A directory on the disk where our own data is, if the unprivileged user can get there."""
    if user is None:
        return work
    try:
        account = pwd.getpwnam(user)
    except KeyError:
        raise Failed("there is no user postgres, and PostgreSQL does not run as root") from None
    parent = next((path for path in (work, "/var/tmp", "/tmp") if can_enter(path, account)), None)
    if parent is None:
        raise Failed("the user postgres can enter no directory")
    if os.stat(parent).st_dev != os.stat(work).st_dev:
        print(f"note: PostgreSQL's data is in {parent}, on another disk than ours", flush=True)
    return parent


def can_enter(path, account):
    """Whether the user can go through every directory of the path."""
    path = os.path.realpath(path)
    while True:
        status = os.stat(path)
        own, group = status.st_uid == account.pw_uid, status.st_gid == account.pw_gid
        if not status.st_mode & (0o100 if own else 0o010 if group else 0o001):
            return False
        if path == "/":
            return True
        path = os.path.dirname(path)


def pgbench_figure(text):
    rate = re.search(r"^tps = ([0-9.]+)", text, re.M)
    latency = re.search(r"^latency average = ([0-9.]+) ms", text, re.M)
    count = re.search(r"actually processed: ([0-9]+)", text)
    if not (rate and latency and count):
        raise Failed("pgbench printed no rate")
    return {"count": int(count[1]), "perSecond": float(rate[1]), "meanMicros": float(latency[1]) * 1000}


# wrk

@contextmanager
def wrk(billfold):
    """A second load on our own gateway, so that the figure is not only our own load's word."""
    program = need("wrk")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pay.lua")
    run = f"wrk-{os.getpid()}-{time.monotonic_ns()}"
    merchant = log_in(billfold, "merchants", f"{run}-m")["session"]["account"]
    tokens = [new_payer(billfold, f"{run}-{index}") for index in range(4)]

    def measure(options):
        text = output(
            [program, "-t", "1", "-c", str(options.connections), "-d", f"{whole(options.seconds)}s", "-s", script,
             f"http://{billfold.address}", "--", f"{run}-{time.monotonic_ns()}", merchant, *tokens],
            seconds=options.seconds + 30)
        figure = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
        if figure["errors"]:
            raise Failed(f"wrk: {figure['errors']} payments were refused or lost")
        return figure

    yield measure


def log_in(billfold, role, name):
    credentials = {"username": name, "password": "bench-password"}
    more = {"birthdate": "1990-05-17", "student": False} if role == "customers" else {
        "address": "1 Aspen Avenue", "productTypes": ["coffee"], "latitude": 35_198_284, "longitude": -111_651_302}
    billfold.request("POST", f"/v1/{role}", {
        **credentials, **more, "confirmPassword": credentials["password"], "email": f"{name}@example.com"})
    return billfold.request("POST", "/v1/sessions", credentials)


def new_payer(billfold, name):
    """The token of a customer with a PIN entered and a card with money on it."""
    token = log_in(billfold, "customers", name)["token"]
    billfold.request("PUT", "/v1/pin", {"password": "bench-password", "pin": "1234"}, token)
    billfold.request("POST", "/v1/pin/verifications", {"pin": "1234"}, token)
    number = f"{time.monotonic_ns() % 10**16:016}"
    card = billfold.request("POST", "/v1/cards", {"number": number, "code": "12345678"}, token, "card")["card"]
    money = {"amount": {"amount": 100_000_000, "currency": "USD"}}
    billfold.request("POST", f"/v1/cards/{card}/reloads", money, token, "reload")
    return token


def whole(seconds):
    """pgbench and wrk take whole seconds."""
    return max(1, round(seconds))
