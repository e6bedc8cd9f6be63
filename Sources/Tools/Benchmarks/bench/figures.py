"""What can be measured, and in which rows it is compared. A new figure is an entry in FIGURES, a row one in ROWS."""

import resource
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Callable

import peers
from billfold import billfold_set, own_bench
from children import Failed, directory
from disk import syncs_at


@dataclass(frozen=True)
class Metric:
    """A field of a figure."""

    key: str
    name: str
    unit: str
    more_is_better: bool
    digits: int = 0

    def text(self, value):
        return f"{value:,.{self.digits}f}{self.unit}"


RATE = Metric("perSecond", "rate", "/s", True)
P50 = Metric("p50Micros", "p50", " µs", False)
P99 = Metric("p99Micros", "p99", " µs", False)
START = Metric("milliseconds", "time", " ms", False)
MEMORY = Metric("largestMebibytes", "memory", " MiB", False, 1)
EACH = Metric("kibibytesEach", "memory of each", " KiB", False, 1)
COUNT = Metric("streams", "open", " open", True)
METRICS = [RATE, P50, P99, START, MEMORY, EACH, COUNT]


class Sources:
    """What figures are measured with: started when first needed, stopped at the end of the block."""

    def __init__(self, setting):
        self.setting, self.opened, self.stack = setting, {}, ExitStack()
        self.databases = {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stack.close()

    def __call__(self, name):
        if name not in self.opened:
            try:
                self.opened[name] = self.stack.enter_context(SOURCES[name](self))
            except Failed as failure:
                self.opened[name] = failure
        if isinstance(self.opened[name], Failed):
            raise self.opened[name]
        return self.opened[name]

    def new_set(self, data, **settings):
        setting = self.setting
        return billfold_set(setting.program, setting.services, data, setting.work, self.store(data), **settings)

    def store(self, data):
        """The address of the database that belongs to a set's data; None where that is in files."""
        if self.setting.options.store == "sqlite":
            return None
        if data not in self.databases:
            self.databases[data] = self("postgresql").database(f"set{len(self.databases)}")
        return self.databases[data]

    def new_data(self):
        return directory(self.setting.work, "data-")


SOURCES = {
    "data": lambda s: s.new_data(),
    "set": lambda s: s.new_set(s("data")),
    "grown-set": lambda s: s.new_set(s.stack.enter_context(s.new_data())),
    "wrk": lambda s: peers.wrk(s("set")),
    "broker-load": lambda s: peers.broker_load(s.setting.peers, s("set")),
    "c-broker": lambda s: peers.c_broker(s.setting.peers),
    "nats": lambda s: peers.nats(s.setting.peers, s.setting.work),
    "redis": lambda s: peers.redis(s.setting.peers, s.setting.work),
    "sqlite": lambda s: peers.sqlite(s.setting.peers, s.setting.work),
    "postgresql": lambda s: peers.postgresql(s.setting.work, s.setting.options.scale),
}


# Of the set alone

def start_on_new_data(s, o):
    with s.new_data() as data, s.new_set(data) as billfold:
        return {"milliseconds": billfold.seconds_to_health * 1000}


def start_again(s, o):
    """On the data of a set that has taken payments."""
    data = s("data")
    if "again" not in s.opened:
        with s.new_set(data) as billfold:
            over_http(billfold, o)
        s.opened["again"] = True
    with s.new_set(data) as billfold:
        return {"milliseconds": billfold.seconds_to_health * 1000}


def memory(s, o, loaded):
    with s.new_data() as data, s.new_set(data) as billfold:
        if loaded:
            over_http(billfold, o)
        by_process = billfold.memory()
        return {"mebibytes": by_process, "largestMebibytes": max(by_process.values())}


# Streams of a customer, as many as a gateway allows by default.
STREAMS_EACH = 8
# Files that a gateway needs beside its streams: connections for requests and those being closed, and its own.
FILES_BESIDE = 2048
GATEWAYS_MAX = 16


def streams(s, o):
    """Open event streams, a tenth of them told of a charge each second, at as many gateways as it takes where one may not
    have so many files open."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    each = o.streams if most == resource.RLIM_INFINITY else most - FILES_BESIDE
    if each < STREAMS_EACH or o.streams > GATEWAYS_MAX * each:
        raise Failed(f"{o.streams} event streams need more open files than the {most} that a process may have")
    gateways = -(-o.streams // each)
    count = o.streams - o.streams % STREAMS_EACH
    with s.new_data() as data, s.new_set(data, gateways=gateways, BILLFOLD_HTTP_CONNECTIONS=str(count + 512)) as billfold:
        run = billfold.load_run(
            max(10, o.seconds), "--over", "http", "--mix", "charge", "--customers", count // STREAMS_EACH, "--streams",
            count, "--rate", count / 10 / STREAMS_EACH, "--verify", "run", patience=900)
    told = run["streams"]
    return {
        "streams": told["count"] if told["broken"] == 0 else 0, "perSecond": told["pushesPerSecond"],
        **{name: told["latency"][name] for name in ["p50Micros", "p99Micros", "maxMicros"]},
        "kibibytesEach": told["gatewayBytesEach"] / 1024}


@dataclass(frozen=True)
class Figure:
    """`measure(sources, options)` gives a dictionary with the fields that METRICS name."""

    title: str
    measure: Callable
    durable: bool = False
    ours: bool = False
    # Loaded by another's program, which is there with --compare-peers only.
    by_other: bool = False
    shown: list = field(default_factory=lambda: [RATE, P50, P99])


def echo(s, o, in_flight):
    return s("set").bench(o.seconds, "--only", "echo", "--body", o.body, "--in-flight", in_flight)


def echo_on_nats(s, o, callers):
    return own_bench(
        s.setting.program, s.setting.work, o.seconds, "--only", "echo", "--body", o.body, "--in-flight", o.in_flight,
        "--callers", callers, "--nats", s("nats").address)


# Payments, by billfold load, which proves them afterwards.

def over_http(billfold, o):
    return billfold.load(o.seconds, "--over", "http", "--in-flight", o.connections, "--verify", "run")


def over_bus(billfold, o, *arguments):
    return billfold.load(o.seconds, "--in-flight", o.pipelined, "--verify", "run", *arguments)


# Cards, pay codes, charges, coupons and walks, as often as a town has them.
TOWN = "card=6,code=1,charge=2,coupon=1,walk=2"


def by_way(s, o, mix):
    """Scenarios of `billfold load` over HTTP; a rate counts whole flows."""
    return s("set").load(o.seconds, "--over", "http", "--in-flight", o.connections, "--verify", "run", "--mix", mix)


def at_half(s, o):
    """At a constant rate, half of the highest at that moment; latency counts from when each payment was due."""
    # Measured before each run: a shared machine is a quarter faster or slower some minutes later.
    s.opened["half"] = round(over_http(s("set"), o)["perSecond"] / 2)
    figure = s("set").load(o.seconds, "--over", "http", "--rate", s.opened["half"], "--verify", "run")
    s.opened["half-micros"] = sum(figure["processorMicros"].values())
    return figure


def way_at_half(s, o, mix):
    """The same of whole flows of another way to pay."""
    rate = round(by_way(s, o, mix)["perSecond"] / 2)
    return s("set").load(o.seconds, "--over", "http", "--rate", rate, "--verify", "run", "--mix", mix)


# What each row of a way at half its highest rate is called, and its mix.
WAYS_AT_HALF = {
    "half-charge": ("charges requested and approved", "charge"),
    "half-code": ("pay codes issued and redeemed", "code"),
    "half-coupon": ("charges with a coupon", "coupon"),
    "half-mix": ("what a town does", TOWN),
    "half-touch": ("whole pay flows of touch devices", "touch"),
}


# Scenarios that move money and are no payments, and what their figures are called.
MOVEMENTS = {
    "refund": "payments paid back in part or in full", "transfer": "transfers from customer to customer",
    "reload": "cards reloaded",
}


def cores_at_half(s, o):
    """As many arrivals, each of which needs the processor that a payment has just taken in all processes, and nothing else."""
    return s.setting.peers.figure("cores", o.seconds, "--rate", s.opened["half"], "--micros", s.opened["half-micros"])


def grown(s, o):
    """On a set that has many cards and many entries, made once for all runs."""
    if "grown" not in s.opened:
        people = ["--population", "grown", "--customers", max(1, o.grown_cards // 100), "--cards", o.grown_cards]
        s.opened["grown"] = people
        s("grown-set").prepare(*people, "--entries", o.grown_entries)
    return over_bus(s("grown-set"), o, *s.opened["grown"])


def ledger(s, o):
    work = s.setting.work
    return own_bench(s.setting.program, work, o.seconds, "--only", "ledger", "--group", o.group, "--scratch", work)


def alone(s, o, subject):
    """One part of the set in the bench's own process."""
    return own_bench(s.setting.program, s.setting.work, o.seconds, "--only", subject, "--group", o.group)


FIGURES = {
    "http": Figure(
        "payments over HTTP, {connections} connections",
        lambda s, o: over_http(s("set"), o), True, True),
    "wrk": Figure("payments over HTTP by wrk, {connections} connections", lambda s, o: s("wrk")(o), True, True, True),
    "bus": Figure(
        "payments over the bus, {pipelined} in flight",
        lambda s, o: over_bus(s("set"), o), True, True),
    "half": Figure(
        "payments over HTTP at half the highest rate", at_half, True, True, shown=[P99, P50, RATE]),
    "disk": Figure(
        "the disk alone at that rate", lambda s, o: syncs_at(s.opened["half"], o.seconds, s.setting.work), True,
        shown=[P99, P50, RATE]),
    "cores": Figure("the cores alone at that rate", cores_at_half, shown=[P99, P50, RATE]),
    "grown": Figure(
        "payments over the bus, {grown_cards:,} cards and {grown_entries:,} entries", grown, True, True),
    "charge-http": Figure(
        "charges requested and approved over HTTP, {connections} connections",
        lambda s, o: by_way(s, o, "charge"), True, True),
    "charge": Figure(
        "charges requested and approved over the bus, {pipelined} in flight",
        lambda s, o: over_bus(s("set"), o, "--mix", "charge"), True, True),
    **{name: Figure(
        f"{title} over the bus, {{pipelined}} in flight",
        lambda s, o, mix=name: over_bus(s("set"), o, "--mix", mix), True, True) for name, title in MOVEMENTS.items()},
    "code": Figure("pay codes issued and redeemed over HTTP", lambda s, o: by_way(s, o, "code"), True, True),
    "coupon": Figure("charges with a coupon over HTTP", lambda s, o: by_way(s, o, "coupon"), True, True),
    "mix": Figure("what a town does, over HTTP", lambda s, o: by_way(s, o, TOWN), True, True),
    "touch": Figure(
        "whole pay flows of touch devices, three requests each", lambda s, o: by_way(s, o, "touch"), True, True),
    **{name: Figure(
        f"{title}, over HTTP at half the highest rate", lambda s, o, mix=mix: way_at_half(s, o, mix), True, True,
        shown=[P99, P50, RATE]) for name, (title, mix) in WAYS_AT_HALF.items()},
    "postgresql-charge": Figure(
        "the same in two transactions of PostgreSQL 15, {clients} clients",
        lambda s, o: s("postgresql").charges(o), True),
    "pgbench": Figure("PostgreSQL 15 pgbench, {clients} clients", lambda s, o: s("postgresql").default(o), True),
    "asks": Figure(
        "broker asks by the same C load, {body} bytes, {in_flight} in flight",
        lambda s, o: s("broker-load")(o, o.in_flight), ours=True, by_other=True),
    "asks-own": Figure(
        "broker asks by our bus library, {body} bytes, {in_flight} in flight", lambda s, o: echo(s, o, o.in_flight),
        ours=True),
    "asks-c": Figure("plain C broker", lambda s, o: s("c-broker")(o, o.in_flight)),
    "asks-on-nats": Figure(
        "asks through nats-server by our bus library, {body} bytes, {in_flight} in flight",
        lambda s, o: echo_on_nats(s, o, "tasks"), ours=True, by_other=True),
    "asks-on-nats-calls": Figure(
        "the same, asked without tasks, as asks that are forwarded", lambda s, o: echo_on_nats(s, o, "calls"),
        ours=True, by_other=True),
    "asks-nats": Figure("nats-server, C on plain sockets", lambda s, o: s("nats").asks_by("nats-load", o)),
    "asks-libnats": Figure("nats-server, its own client in C", lambda s, o: s("nats").asks_by("libnats-load", o)),
    "ask": Figure("one ask at a time, {body} bytes", lambda s, o: echo(s, o, 1), ours=True),
    "ask-c": Figure("plain C broker", lambda s, o: s("c-broker")(o, 1)),
    "ledger": Figure("ledger alone, groups of {group}", ledger, True, True),
    "sqlite": Figure("SQLite in C", lambda s, o: s("sqlite")(o, "plain"), True),
    "sqlite-tuned": Figure("SQLite in C, tuned as the ledger", lambda s, o: s("sqlite")(o, "ledger"), True),
    "positions": Figure(
        "location alone: positions of 1,000,000 customers, {group} at a time", lambda s, o: alone(s, o, "location"),
        ours=True),
    "positions-bus": Figure(
        "positions over the bus, 400 an ask, answered by location",
        lambda s, o: s("set").bench(o.seconds, "--only", "location-bus"), ours=True),
    "redis-add": Figure("Redis GEOADD over loopback, pipelined likewise", lambda s, o: s("redis")(o, "updates")),
    "nearby": Figure(
        "location alone: searches of 100 m among them, {group} at a time",
        lambda s, o: alone(s, o, "location-searches"), ours=True),
    "redis-search": Figure(
        "Redis GEOSEARCH over loopback, pipelined likewise", lambda s, o: s("redis")(o, "searches")),
    "offers": Figure(
        "offers alone: for one of 50 merchants' subscribers, among 100,000 of 10,000 merchants",
        lambda s, o: alone(s, o, "offers"), ours=True, shown=[P50, P99, RATE]),
    "offers-many": Figure(
        "offers alone: the same for one of 1,000 merchants' subscribers",
        lambda s, o: alone(s, o, "offers-many"), ours=True, shown=[P50, P99, RATE]),
    "streams": Figure(
        "open event streams, a tenth of them told each second ({streams:,} wanted)", streams, True, True,
        shown=[COUNT, EACH, P99, P50, RATE]),
    "start": Figure("start of the set until healthy, new data", start_on_new_data, ours=True, shown=[START]),
    "start-again": Figure("start of the set until healthy, its data there", start_again, ours=True, shown=[START]),
    "memory": Figure(
        "largest process of an idle set", lambda s, o: memory(s, o, False), ours=True, shown=[MEMORY]),
    "memory-loaded": Figure(
        "largest process after payments over HTTP", lambda s, o: memory(s, o, True), ours=True, shown=[MEMORY]),
}


@dataclass(frozen=True)
class Row:
    """One figure of ours, beside another's (`target` is a ratio) or alone (`target` is in the metric's unit).

    Figures of one group are measured in turn, again and again, so that the machine's moods meet all of them.
    """

    group: str
    ours: str
    metric: Metric
    beside: str | None = None
    target: float | None = None
    # Takes so long that it is measured only when --only names it.
    slow: bool = False
    # The target of a set whose state is in PostgreSQL.
    on_postgres: float | None = None

    def is_met(self, value):
        if self.target is None:
            return None
        return value >= self.target if self.metric.more_is_better else value <= self.target


ROWS = [
    Row("payments", "http", RATE, "pgbench", 2, on_postgres=1.2),
    Row("payments", "wrk", RATE, "pgbench", 2),
    Row("payments", "bus", RATE, "pgbench", 5, on_postgres=2),
    Row("charges", "charge-http", RATE, "pgbench", 0.8),
    Row("charges", "charge-http", RATE, "postgresql-charge"),
    Row("charges", "charge", RATE, "pgbench", 1.5),
    Row("charges", "charge", RATE, "postgresql-charge"),
    *[Row("movements", name, RATE, "pgbench", 2) for name in MOVEMENTS],
    Row("ways", "code", RATE, "pgbench", 1.3),
    Row("ways", "coupon", RATE, "pgbench", 0.6),
    Row("ways", "mix", RATE, "pgbench", 0.7),
    Row("ways", "touch", RATE, target=5000),
    Row("half", "half", P99, target=10_000),
    Row("half", "half", P99, "disk"),
    Row("half", "half", P99, "cores"),
    *[Row("ways-half", name, P99, target=15_000) for name in WAYS_AT_HALF],
    Row("growth", "grown", RATE, "bus", 0.8, slow=True),
    Row("asks", "asks", RATE, "asks-c", 0.8),
    # Each with its lightest client: a nats-server has one in C on plain sockets, we our bus library.
    Row("asks", "asks-own", RATE, "asks-nats", 0.8),
    Row("asks", "asks-own", RATE, "asks-c"),
    Row("asks", "asks-on-nats", RATE, "asks-nats", 0.7),
    Row("asks", "asks-on-nats", RATE, "asks-libnats"),
    Row("asks", "asks-on-nats-calls", RATE, "asks-nats"),
    Row("asks", "asks", RATE, "asks-nats"),
    Row("ask", "ask", P50, "ask-c", 1.2),
    Row("ledger", "ledger", RATE, "sqlite", 1),
    Row("ledger", "ledger", RATE, "sqlite-tuned"),
    Row("positions", "positions", RATE, "redis-add", 1),
    Row("positions", "positions-bus", RATE, "redis-add", 1),
    Row("nearby", "nearby", RATE, "redis-search", 1),
    Row("offers", "offers", P50, target=1000),
    Row("offers", "offers-many", P50),
    # Thousands of customers log in first, which takes minutes.
    Row("streams", "streams", COUNT, target=20_000, slow=True),
    Row("streams", "streams", P99, target=100_000, slow=True),
    Row("streams", "streams", EACH, target=16, slow=True),
    Row("set", "start", START, target=1000),
    Row("set", "start-again", START, target=1000),
    Row("set", "memory", MEMORY, target=40),
    Row("set", "memory-loaded", MEMORY),
]
