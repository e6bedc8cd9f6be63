"""The broker stays within its memory, refuses clearly before it is taken, serves the others meanwhile, and gives it back."""

import itertools
import json
import pathlib
import struct
import sys
import time

import pytest
import zmq

import billfold
from billfold import BINARIES, ROOT, Set, until

LIMIT_MIB = 96
LARGE = b"x" * 60_000  # about what a service takes at most
NO_WORKER, QUEUE_FULL, DEADLINE, WORKER_LOST, UNKNOWN = 1, 2, 3, 4, 7


@pytest.fixture
def small():
    """A broker that may have little memory, with an echo that is asked all the time."""
    made = Set(
        instead={"echo": [sys.executable, ROOT / "deploy" / "examples" / "worker.py"]},
        BILLFOLD_BROKER_MEMORY=str(LIMIT_MIB)).start("broker")
    until((made.run / "asks.sock").exists, "the broker to listen")
    made.start("echo")
    with Watched(made) as watched:
        yield watched
    made.all_run()
    made.stop("echo")
    assert made.close()["broker"] == 0


class Watched:
    """The set, sockets to its broker, and how much memory that has taken at most."""

    def __init__(self, set):
        self.set, self.context = set, zmq.Context()
        self.peak = 0

    def __enter__(self):
        self.bus = self.set.bus()
        self.asked()
        self.before = self.resident()
        return self

    def __exit__(self, *_):
        self.context.destroy(linger=0)
        self.bus.close()

    def socket(self, kind=zmq.DEALER, name="asks", **options):
        socket = self.context.socket(kind)
        socket.linger = 0
        for option, value in options.items():
            setattr(socket, option, value)
        socket.connect(f"ipc://{self.set.run}/{name}.sock")
        return socket

    def resident(self):
        """MiB that the broker has now."""
        status = pathlib.Path(f"/proc/{self.set.processes['broker'].pid}/status").read_text()
        now = int(status.split("VmRSS:")[1].split()[0]) / 1024
        self.peak = max(self.peak, now)
        return now

    def asked(self):
        """Asks the echo, and looks at the memory: what others do meanwhile may not stop it."""
        assert self.bus.ask("echo.text.repeat.v1", {"text": "x", "times": 2}) == {"text": "xx"}
        if hasattr(self, "before"):
            self.resident()

    def asked_again(self):
        """The same where others fill the echo's own queue: an ask that is refused for it is sent again."""
        def answered():
            try:
                self.asked()
            except billfold.Refused as refused:
                assert refused.code == "bus.queue_full", refused
                return False
            return True
        until(answered, "the echo to answer")

    def gives_back(self):
        until(lambda: self.resident() < self.before + 16, lambda: f"memory to be given back: {self.resident()} MiB")

    def figure(self, name, **labels):
        metrics = self.bus.ask("broker.stats.read.v1")["metrics"]
        return next((each["value"] for each in metrics if each["name"] == name and each["labels"].items() >= labels.items()), 0)


def ask(service, tag, seconds):
    deadline = int(1000 * (time.time() + seconds))
    return b"BFC1" + struct.pack(">BBHQQ", 1, 1, 0, tag, deadline) + service.encode()


def flood(small, services, sockets=24, rounds=120):
    """Large asks on many connections; what came of each, by status."""
    flooders = [small.socket() for _ in range(sockets)]
    names, open, statuses = itertools.cycle(services), set(), []

    def take(flooder):
        header, _ = flooder.recv_multipart()
        statuses.append(header[5])
        open.remove((flooder, struct.unpack(">Q", header[8:])[0]))

    for tag in range(rounds):
        for flooder in flooders:
            open.add((flooder, tag))
            flooder.send_multipart([ask(next(names), tag, seconds=4), LARGE], copy=False)
            while flooder.poll(0):
                take(flooder)
        if tag % 10 == 0:
            small.asked()
    for flooder in flooders:
        while any(one == flooder for one, _ in open):
            if flooder.poll(1000):
                take(flooder)
            else:
                small.asked()
    return statuses


def test_a_flood_of_large_asks_for_services_without_a_worker(small):
    statuses = flood(small, [f"nobody{number}" for number in range(8)])
    assert set(statuses) == {NO_WORKER}
    assert small.peak < LIMIT_MIB, f"{small.peak} MiB were taken"
    assert small.figure("broker_drops_total", reason="memory") > 0
    assert 0 < small.figure("broker_memory_limit_bytes", of="asks") < LIMIT_MIB << 20
    small.gives_back()
    assert small.figure("broker_held_bytes") == 0


def test_a_flood_of_large_asks_for_workers_that_do_not_read(small):
    names = [f"stopped{number}" for number in range(8)]
    workers = [small.socket(rcvhwm=1) for _ in names]
    for worker, name in zip(workers, names):
        # Takes thousands of asks by its own word, and reads none.
        worker.send(b"BFW1" + struct.pack(">BBH", 1, 0, 4_096) + name.encode())
    until(lambda: {queue["service"] for queue in small.bus.ask("broker.queues.read.v1")["services"]} >= set(names), "workers")
    statuses = flood(small, names)
    assert set(statuses) <= {NO_WORKER, QUEUE_FULL, DEADLINE, WORKER_LOST, UNKNOWN}
    # Of most, nothing was done: they never left for a worker.
    assert sum(status in (WORKER_LOST, UNKNOWN) for status in statuses) < len(statuses) / 4
    assert QUEUE_FULL in statuses
    assert small.peak < LIMIT_MIB, f"{small.peak} MiB were taken"
    for worker in workers:
        worker.close()
    small.gives_back()


def test_clients_that_do_not_read_lose_their_own_answers(small):
    text = "x" * 50_000
    message = json.dumps(billfold.envelope("echo.text.repeat.v1", {"text": text, "times": 1})).encode()
    deaf = [small.socket(rcvhwm=1) for _ in range(4)]
    tags = itertools.count()

    def dropped():
        # Asks that the broker refuses, as too many wait, have small answers: how many fill the buffers is not known before.
        for tag in itertools.islice(tags, 100):
            for client in deaf:
                client.send_multipart([ask("echo", tag, seconds=30), message], copy=False)
            small.asked_again()
        return any(small.figure("broker_drops_total", reason=reason) for reason in ("clientFull", "clientGone"))

    until(dropped, "answers to be dropped")
    small.asked_again()
    assert small.peak < LIMIT_MIB, f"{small.peak} MiB were taken"
    for client in deaf:
        client.close()
    small.gives_back()


def test_messages_that_never_end(small):
    """Half a message on each of many connections."""
    opened = []
    for _ in range(100):
        raw = billfold.socket.socket(billfold.socket.AF_UNIX)
        raw.connect(str(small.set.run / "asks.sock"))
        raw.setblocking(False)
        greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\0" + bytes(31)
        ready = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
        raw.sendall(greeting + ready[:1] + bytes([len(ready) - 2]) + ready[2:])
        opened.append(raw)
    # A frame of 1 MiB, of which the last byte never comes.
    half = b"\x02" + struct.pack(">Q", 1 << 20) + bytes((1 << 20) - 1)
    sent = dict.fromkeys(opened, 0)
    gone = set()
    for _ in range(12):
        for raw in opened:
            try:
                if raw not in gone:
                    sent[raw] += raw.send(half[sent[raw]:])
            except BlockingIOError:
                pass
            except OSError:
                gone.add(raw)
        small.asked()
    assert small.peak < LIMIT_MIB, f"{small.peak} MiB were taken"
    assert gone, "nobody was disconnected"
    for raw in opened:
        raw.close()
    small.gives_back()


def test_a_subscriber_that_does_not_read_costs_no_more_than_the_facts_share(small):
    deaf = small.socket(zmq.SUB, "facts-out", rcvhwm=1)
    deaf.subscribe(b"")
    reader = small.socket(zmq.SUB, "facts-out")
    reader.subscribe(b"tests.")
    publisher = small.socket(zmq.PUB, "facts-in", sndhwm=100_000)

    def publish(topic, fact):
        publisher.send_multipart([topic + b"\0", fact])

    def heard(topic):
        while reader.poll(0):
            if reader.recv_multipart()[0] == topic + b"\0":
                return True
        publish(topic, b"{}")

    until(lambda: heard(b"tests.facts.head.v1"), "the subscriptions to be there")
    for _ in range(40):
        for _ in range(50):
            publish(b"large.fact.told.v1", LARGE)
        small.asked()
    until(lambda: small.figure("broker_facts_dropped_total") > 0, "facts to be dropped")
    # What is small passes still: a reader learns by the head what it has missed.
    until(lambda: heard(b"tests.more.told.v1"), "a small fact to pass")
    assert small.peak < LIMIT_MIB, f"{small.peak} MiB were taken"
    deaf.close()
    until(lambda: small.figure("broker_facts_bytes") < 1 << 20, "the facts to be given back")
    small.gives_back()


@pytest.mark.parametrize("setting, ulimit, expected", [
    ("128", "unlimited", "128 MiB"), ("", str(2 << 20), "512 MiB"), ("128", str(2 << 20), "128 MiB"),
])
def test_the_smallest_limit_counts(setting, ulimit, expected):
    shell = ["sh", "-c", f"ulimit -v {ulimit}; exec {BINARIES / 'billfold-broker'}"]
    made = Set(instead={"broker": shell}, BILLFOLD_BROKER_MEMORY=setting).start("broker")
    try:
        until(lambda: '"ready"' in made.log("broker"), "the broker to be ready")
        assert f'"{expected}"' in made.log("broker")
    finally:
        assert made.close() == {"broker": 0}


@pytest.mark.parametrize("setting", ["63", "65537", "-1", "256m", "1e3"])
def test_a_setting_that_is_no_size_is_refused_at_the_start(setting):
    made = Set(BILLFOLD_BROKER_MEMORY=setting).start("broker")
    assert made.processes["broker"].wait(billfold.PATIENCE) != 0
    assert f"BILLFOLD_BROKER_MEMORY {setting} is not a number of MiB from 64 to 65536" in made.log("broker")
    made.close()
