"""What operators do with the bus: trials past a pause, copies of what passes, the list of workers, peers on other hosts."""

import contextlib
import json
import os
import socket as sockets
import stat
import struct
import subprocess
import threading

import pytest
import zmq

import wire
from conftest import BINARIES, Broker, until


def control(client, kind, **data):
    """Asks the broker something and returns the reply's data."""
    event = {"specversion": "1.0", "id": "1", "source": "test", "type": f"broker.{kind}.v1", "data": data}
    client.send_multipart(wire.ask(b"broker", json.dumps(event).encode(), tag=99))
    tag, status, body = wire.answer(wire.receive(client))
    answer = json.loads(body)
    assert (tag, status) == (99, 0) and answer["type"].endswith(".reply"), answer
    return answer["data"]


def test_a_trial_passes_a_pause(peer):
    worker, client, operator = peer(), peer(), peer()
    worker.send_multipart(wire.ready(b"s", 4))
    wire.round_trip(worker)
    assert control(operator, "service.pause", service="s", forMilliseconds=60_000) == {"service": "s", "paused": True}
    client.send_multipart(wire.ask(b"s", b"waits", tag=1))
    wire.round_trip(client)
    operator.send_multipart([b"MDPC02", b"\x01", b"try.s", b"trial"])
    token, _, _, bodies = wire.given(wire.receive(worker))
    assert bodies == [b"trial"]
    worker.send_multipart(wire.reply(token, b"tried"))
    assert wire.receive(operator) == [b"MDPC02", b"\x03", b"try.s", b"tried"]
    assert control(operator, "service.resume", service="s") == {"service": "s", "paused": False}
    assert wire.given(wire.receive(worker))[3] == [b"waits"]


def test_a_pause_ends_by_itself(peer):
    worker, client, operator = peer(), peer(), peer()
    worker.send_multipart(wire.ready(b"s", 4))
    wire.round_trip(worker)
    control(operator, "service.pause", service="s", forMilliseconds=1)
    client.send_multipart(wire.ask(b"s", b"waits", tag=1))
    assert wire.given(wire.receive(worker))[3] == [b"waits"]


def test_workers_are_listed_with_their_processes(peer):
    billfold, foreign, operator = peer(), peer(), peer()
    billfold.send_multipart(wire.ready(b"s", 7))
    wire.round_trip(billfold)  # Two connections have no order between them.
    foreign.send_multipart([b"MDPW02", b"\x01", b"s"])
    wire.round_trip(foreign)
    workers = control(operator, "workers.read", service="s")["workers"]
    assert [(each["dialect"], each["credit"], each["inFlight"], each["draining"]) for each in workers] == [
        ("billfold", 7, 0, False), ("mdp02", 1, 0, False)]
    assert {each["processID"] for each in workers} == {os.getpid()}
    assert {each["service"] for each in control(operator, "workers.read")["workers"]} == {"broker", "s"}


def watch(service, key):
    return b"BFC1\x08\x00\x00\x00" + key + service


def copied(frames):
    """(kind, number, service, body) of a COPY."""
    header, body = frames
    assert header[:5] == b"BFC1\x0a" and header[6:8] == b"\0\0"
    number, microseconds, deadline = struct.unpack(">QQQ", header[8:32])
    assert microseconds > 1_700_000_000_000_000 and deadline == 0
    return header[5], number, header[32:], body


def test_who_reads_the_operators_key_gets_copies(broker, peer):
    path = broker.run / "operator.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and path.stat().st_size == 32
    worker, client, tap, stranger = peer(), peer(), peer(), peer()
    tap.send(watch(b"*", path.read_bytes()))
    assert wire.receive(tap) == [b"BFC1\x09\x00\x00\x00"]
    stranger.send(watch(b"*", bytes(32)))
    assert wire.receive(stranger) == [b"BFC1\x09\x01\x00\x00"]

    worker.send_multipart(wire.ready(b"s", 4))
    client.send_multipart(wire.ask(b"s", b"question", tag=1))
    token, _, _, _ = wire.given(wire.receive(worker))
    worker.send_multipart(wire.reply(token, b"x" * 5_000))
    assert wire.answer(wire.receive(client)) == (1, 0, b"x" * 5_000)
    assert copied(wire.receive(tap)) == (1, 1, b"s", b"question")
    assert copied(wire.receive(tap)) == (2, 1, b"s", b"x" * 5_000)
    wire.round_trip(stranger)


def test_the_key_is_another_after_each_start(broker):
    before = (broker.run / "operator.key").read_bytes()
    broker.stop()
    assert not (broker.run / "operator.key").exists()
    broker.start()
    assert (broker.run / "operator.key").read_bytes() != before


@pytest.fixture
def remote(run_directory, tmp_path, free_ports):
    """A broker that listens to other hosts, and the keys that the command has made."""
    keys = tmp_path / "keys"
    make = [BINARIES / "billfold", "keys", keys, "shop", "till"]
    assert subprocess.run(make, capture_output=True, text=True, check=True).stdout.count("made") == 3
    assert subprocess.run(make, capture_output=True, text=True, check=True).stdout == "all of them are there already\n"
    listen = f"tcp://127.0.0.1:{free_ports}"
    broker = Broker(run_directory, BILLFOLD_LISTEN=listen, BILLFOLD_KEYS=str(keys / "broker")).start()
    yield broker, keys, free_ports
    assert broker.stop() == 0


@pytest.fixture
def free_ports():
    """The first of three ports that nobody listens on."""
    for first in range(20_000, 60_000, 3):
        try:
            for port in range(first, first + 3):
                with sockets.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise AssertionError("no ports")


def socket_of(context, kind, keys=None, broker=None):
    socket = context.socket(kind)
    socket.linger = 0
    if keys:
        socket.curve_publickey, socket.curve_secretkey = keys
        socket.curve_serverkey = broker
    return socket


def connect(context, kind, port, keys=None, broker=None):
    socket = socket_of(context, kind, keys, broker)
    socket.connect(f"tcp://127.0.0.1:{port}")
    return socket


class Stranger:
    """A worker that wants to come in, and what becomes of its first connection."""

    def __init__(self, context, port, service, *keys):
        self.socket = socket_of(context, zmq.DEALER, *keys)
        self.monitor = self.socket.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
            | zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
        self.socket.connect(f"tcp://127.0.0.1:{port}")
        self.socket.send_multipart(wire.ready(service, 4))

    def is_turned_away(self):
        assert self.monitor.poll(20_000), "the broker neither let it in nor turned it away"
        assert struct.unpack("=Hi", self.monitor.recv_multipart()[0])[0] != zmq.EVENT_HANDSHAKE_SUCCEEDED

    def close(self):
        self.socket.disable_monitor()
        self.socket.close()


def at_home(context, broker):
    """A peer on the broker's own Unix socket."""
    socket = context.socket(zmq.DEALER)
    socket.linger = 0
    socket.connect(broker.asks)
    return socket


def keys_of(directory, name):
    secret = (directory / name / "secret.key").read_bytes().strip()
    return (zmq.curve_public(secret), secret), (directory / name / "broker.key").read_bytes().strip()


def test_peers_with_a_known_key_come_in_from_other_hosts(remote):
    broker, keys, port = remote
    assert stat.S_IMODE((keys / "shop" / "secret.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((keys / "shop").stat().st_mode) == 0o700
    with zmq.Context() as context:
        worker = connect(context, zmq.DEALER, port, *keys_of(keys, "shop"))
        worker.send_multipart(wire.ready(b"s", 4))
        # On the Unix socket beside it, as ever.
        local = at_home(context, broker)
        local.send_multipart(wire.ask(b"s", b"question", tag=1))
        token, _, _, bodies = wire.given(wire.receive(worker))
        assert bodies == [b"question"]
        worker.send_multipart(wire.reply(token, b"answer"))
        assert wire.answer(wire.receive(local)) == (1, 0, b"answer")

        hears = connect(context, zmq.SUB, port + 2, *keys_of(keys, "till"))
        hears.subscribe(b"some.fact.v1\0")
        tells = connect(context, zmq.PUB, port + 1, *keys_of(keys, "shop"))

        def heard():
            tells.send_multipart([b"some.fact.v1\0", b"fact"])
            return hears.poll(20)

        until(heard, "a fact to come through")
        assert hears.recv_multipart() == [b"some.fact.v1\0", b"fact"]
        for socket in (worker, local, hears, tells):
            socket.close()


def test_peers_without_a_known_key_do_not(remote):
    broker, keys, port = remote
    (_, _), broker_key = keys_of(keys, "shop")
    with zmq.Context() as context:
        strangers = [
            Stranger(context, port, b"s", zmq.curve_keypair(), broker_key),
            Stranger(context, port, b"s"),
            Stranger(context, port, b"s", keys_of(keys, "shop")[0], zmq.curve_keypair()[0]),
        ]
        for stranger in strangers:
            stranger.is_turned_away()
        # A peer that is taken off the list is not let in again, and one that is put on it is, without a restart.
        till = keys / "broker" / "known" / "till.key"
        aside = keys / "till.key"
        till.rename(aside)
        out = Stranger(context, port, b"late", *keys_of(keys, "till"))
        out.is_turned_away()
        local = at_home(context, broker)
        assert {each["service"] for each in control(local, "workers.read")["workers"]} == {"broker"}
        aside.rename(till)
        until(lambda: "late" in {each["service"] for each in control(local, "workers.read")["workers"]}, "till to come in")
        assert "s" not in {each["service"] for each in control(local, "workers.read")["workers"]}
        for stranger in (*strangers, out):
            stranger.close()
        local.close()


def test_peers_from_other_hosts_do_not_speak_as_a_connection_of_the_brokers_own_host(remote):
    broker, keys, port = remote

    def dropped():
        drops = [one for one in control(local, "stats.read")["metrics"] if one["name"] == "broker_drops_total"]
        return next((one["value"] for one in drops if one["labels"]["reason"] == "malformed"), 0)

    with zmq.Context() as context:
        worker, local = at_home(context, broker), at_home(context, broker)
        worker.send_multipart(wire.ready(b"s", 4))
        wire.round_trip(worker)
        names = [b"\0" + number.to_bytes(3, "little") + b"\0\0" for number in range(3, 64)]
        for name in names:
            peer = socket_of(context, zmq.DEALER, *keys_of(keys, "shop"))
            peer.routing_id = name
            peer.connect(f"tcp://127.0.0.1:{port}")
            peer.send_multipart(wire.control(6))  # DISCONNECT
            until(lambda: dropped() > names.index(name), "the broker to drop it")
            peer.close()
        local.send_multipart(wire.ask(b"s", b"question", tag=1))
        assert wire.given(wire.receive(worker))[3] == [b"question"]
        worker.close()
        local.close()


class Way:
    """A way to a port that can be cut."""

    def __init__(self, port):
        self.target, self.ends = port, []
        self.listener = sockets.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                here, _ = self.listener.accept()
                there = sockets.create_connection(("127.0.0.1", self.target))
                self.ends += [here, there]
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=self.forward, args=pair, daemon=True).start()

    @staticmethod
    def forward(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)

    def cut(self):
        for end in self.ends:
            end.shutdown(sockets.SHUT_RDWR)
        self.ends = []

    def close(self):
        self.listener.close()


def test_an_ask_whose_connection_is_lost_ends_when_another_one_is_there(remote):
    """Its answer can come to nobody. It does not wait for its deadline, which is far away."""
    broker, keys, port = remote
    with zmq.Context() as context, contextlib.closing(Way(port)) as way:
        worker = at_home(context, broker)
        worker.send_multipart(wire.ready(b"s", 4))
        wire.round_trip(worker)
        call = subprocess.Popen(
            [BINARIES / "billfold", "call", "s.thing.v1", "--service", "s", "--retry", "once", "--deadline", "300", "--json",
             "--bus", f"tcp://127.0.0.1:{way.port}", "--bus-keys", keys / "shop"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        token = wire.given(wire.receive(worker))[0]
        way.cut()
        said = call.communicate(timeout=60)[0]
        assert call.returncode == 2 and "bus.worker_lost" in said, said
        worker.send_multipart(wire.reply(token, b"late"))
        wire.round_trip(worker)
        worker.close()


@pytest.mark.parametrize("environment, complaint", [
    ({"BILLFOLD_LISTEN": "tcp://127.0.0.1:7700"}, "BILLFOLD_KEYS"),
    ({"BILLFOLD_LISTEN": "127.0.0.1", "BILLFOLD_KEYS": "/nowhere"}, "is not tcp://HOST:PORT"),
    ({"BILLFOLD_LISTEN": "tcp://127.0.0.1:7700", "BILLFOLD_KEYS": "/nowhere"}, "/nowhere/secret.key cannot be read"),
])
def test_a_broker_that_cannot_be_reached_safely_does_not_start(run_directory, environment, complaint):
    process = Broker(run_directory, **environment).spawn()
    assert process.wait(20) == 1
    assert complaint in process.stderr.read().decode()
