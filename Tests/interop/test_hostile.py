"""Peers that break every rule; after each the broker still serves."""

import contextlib
import os
import random
import socket
import struct
import threading

import pytest
import zmq

import wire
from conftest import until


def serves(peer):
    """One ask through a new worker and a new client."""
    service = b"alive-%d" % random.getrandbits(48)
    worker, client = peer(), peer()
    worker.send_multipart(wire.ready(service, 1))
    client.send_multipart(wire.ask(service, b"ping", tag=1))
    token = wire.given(wire.receive(worker))[0]
    worker.send_multipart(wire.reply(token, b"pong"))
    assert wire.answer(wire.receive(client)) == (1, 0, b"pong")
    return True


HOSTILE = {
    "one empty frame": [b""],
    "only empty frames": [b""] * 40,
    "unknown header": [b"", b"XXXXXX", b"\x01", b"s"],
    "a header too short": [b"", b"MDPW0", b"\x01", b"s"],
    "7/MDP without empty frame": [b"MDPW01", b"\x01", b"s"],
    "truncated client": [b"", b"MDPC01"],
    "client without body": [b"", b"MDPC01", b"s"],
    "worker without command": [b"", b"MDPW01"],
    "worker with empty command": [b"", b"MDPW01", b""],
    "worker with long command": [b"", b"MDPW01", b"\x01\x01", b"s"],
    "READY without service": [b"", b"MDPW01", b"\x01"],
    "READY of an empty service": [b"", b"MDPW01", b"\x01", b""],
    "READY of a huge service": [b"", b"MDPW01", b"\x01", b"x" * 100_000],
    "READY of control characters": [b"", b"MDPW01", b"\x01", b"a\x00b"],
    "reply without address": [b"", b"MDPW01", b"\x03"],
    "reply without delimiter": [b"", b"MDPW01", b"\x03", b"a" * 16, b"body"],
    "forged reply": [b"", b"MDPW01", b"\x03", b"\x00" * 16, b"", b"body"],
    "forged partial": [b"MDPW02", b"\x03", b"\xff" * 16, b"", b"body"],
    "unknown command": [b"MDPW02", b"\xff"],
    "reserved service": [b"MDPW02", b"\x01", b"mmi.service"],
    "ours, truncated": [b"BFC1\x01"],
    "ours, 8 bytes": [b"BFC1\x01\x00\x00\x00"],
    "ours, 23 bytes": [b"BFC1\x01" + bytes(18), b"body"],
    "ours, unknown command": [b"BFC1\xff\x00\x00\x00", b"body"],
    "ours, no credit": [b"BFW1\x01\x00\x00\x00s"],
    "ours, endless credit": [b"BFW1\x01\x00\xff\xffs"],
    "ours, short token": [b"BFW1\x04\x00\x00\x00abc", b"body"],
    "ours, reply without body": [b"BFW1\x04\x00\x00\x00" + bytes(16)],
    "33 body frames": [b"", b"MDPC01", b"s"] + [b"x"] * 33,
    "20,000 frames": [b"", b"MDPC01", b"s"] + [b"x"] * 20_000,
    "body of 1 MiB and a byte in two frames": [b"", b"MDPC01", b"s", b"x" * (1 << 20), b"x"],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_message(peer, name):
    hostile = peer()
    for _ in range(5):
        hostile.send_multipart(HOSTILE[name])
    wire_after(hostile)
    assert serves(peer)


def wire_after(hostile):
    """Waits until all the peer sent has been handled; what came back meanwhile is its own affair."""
    hostile.send(wire.PING)
    until(lambda: any(frames[0][:5] == b"BFC1\x05" for frames in drain(hostile)), "a PONG")


def drain(hostile):
    while hostile.poll(50):
        yield hostile.recv_multipart()


def test_a_frame_above_the_bound_closes_only_its_own_connection(peer):
    hostile = peer()
    hostile.send_multipart([b"", b"MDPC01", b"s", b"x" * ((1 << 20) + 1)])
    assert serves(peer)
    hostile.send_multipart([b"", b"MDPC01", b"mmi.service", b"s"])
    assert wire.receive(hostile)[3] == b"404"


def test_bytes_that_are_no_zeromq(broker, peer):
    for junk in [b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(10_000), b"\xff" + bytes(8) + b"\x7f\x03" + os.urandom(99)]:
        with socket.socket(socket.AF_UNIX) as raw:
            raw.connect(str(broker.run / "asks.sock"))
            raw.sendall(junk)
    assert serves(peer)


GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31)


def zmtp_ready(kind, identity):
    body = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    body += b"\x08Identity" + len(identity).to_bytes(4, "big") + identity
    return b"\x04" + bytes([len(body)]) + body


def test_names_that_libzmq_makes_up_cannot_be_claimed(peer):
    """libzmq's ROUTER would abort when it came to give a name that is taken."""
    first = 0x6B8B4567
    claims = [peer(routing_id=b"\x00" + struct.pack(">I", first + number)) for number in range(30)]
    monitors = [claim.get_monitor_socket(
        zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL)
        for claim in claims]
    for claim in claims:
        claim.send(wire.PING)
    assert all(monitor.poll(20_000) for monitor in monitors), "a connection is not closed"
    assert not any(claim.poll(0) for claim in claims)
    for claim in claims:
        claim.disable_monitor()
    assert serves(peer)


def test_a_claimed_name_that_comes_byte_by_byte(broker, peer):
    for identity, is_closed in [(b"\x00\x01\x02\x03\x04", True), (b"name", False)]:
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(20)
            raw.connect(str(broker.run / "asks.sock"))
            try:
                for byte in GREETING + zmtp_ready(b"DEALER", identity):
                    raw.send(bytes([byte]))
                # Messages come after both READYs (RFC 23): libzmq closes a connection on which one comes before its own.
                received = b""
                for awaited, message in [(b"READY", b"\x00\x08" + wire.PING), (b"BFC1\x05", b"")]:
                    while awaited not in received and (chunk := raw.recv(4_096)):
                        received += chunk
                    raw.sendall(message)
                closed = b"BFC1\x05" not in received
            except (BrokenPipeError, ConnectionResetError):
                closed = True
            assert closed == is_closed
    assert serves(peer)


def test_a_message_that_never_ends(broker, peer):
    with socket.socket(socket.AF_UNIX) as raw, pytest.raises((BrokenPipeError, ConnectionResetError)):
        raw.settimeout(20)
        raw.connect(str(broker.run / "asks.sock"))
        raw.sendall(GREETING + zmtp_ready(b"DEALER", b""))
        # 100 MB: far more than a connection's buffers hold.
        for _ in range(1_000):
            raw.sendall(b"\x01\x08endless " * 10_000)
    assert serves(peer)


def test_random_bytes_after_a_handshake(broker, peer):
    seed = int(os.environ.get("BILLFOLD_SEED", random.getrandbits(32)))
    print(f"seed {seed}")
    dice = random.Random(seed)
    for _ in range(300):
        name, kind = dice.choice([("asks", b"DEALER"), ("facts-in", b"PUB"), ("facts-out", b"SUB"), ("asks", b"REQ")])
        with socket.socket(socket.AF_UNIX) as raw, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            raw.connect(str(broker.run / f"{name}.sock"))
            raw.sendall(GREETING + zmtp_ready(kind, b""))
            for _ in range(dice.randint(1, 6)):
                body = dice.choice([b"", b"\x01topic", b"\x09SUBSCRIBEx", b"\x04PING\x00\x01", dice.randbytes(40)])
                flags = dice.choice([0, 1, 4, 5, dice.randint(0, 255)])
                raw.sendall(bytes([flags, dice.choice([len(body), len(body), dice.randint(0, 255)])]) + body)
    assert serves(peer)


def test_many_connections_that_say_nothing(broker, peer):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(200)]
    for raw in silent:
        raw.connect(str(broker.run / "asks.sock"))
    assert serves(peer)
    for raw in silent:
        raw.close()


def test_random_frames(peer):
    seed = int(os.environ.get("BILLFOLD_SEED", random.getrandbits(32)))
    print(f"seed {seed}")
    dice = random.Random(seed)
    pieces = [
        b"", b"MDPC01", b"MDPW01", b"MDPC02", b"MDPW02", b"BFC1", b"BFW1", b"s", b"mmi.service", b"x" * 16, b"x" * 300,
        *[bytes([command]) for command in range(9)],
    ]  # fmt: skip
    hostile = [peer() for _ in range(5)]
    for _ in range(5_000):
        message = []
        for _ in range(dice.randint(1, 8)):
            piece = dice.choice(pieces)
            if dice.random() < 0.2:
                piece += struct.pack(">BBH", dice.randint(0, 8), dice.randint(0, 2), dice.randint(0, 300))
            if dice.random() < 0.1:
                piece += dice.randbytes(dice.randint(0, 60))
            message.append(piece)
        dice.choice(hostile).send_multipart(message)
    for one in hostile:
        wire_after(one)
    assert serves(peer)


def test_a_client_that_never_reads(peer):
    worker, hostile = peer(), peer()
    hostile.rcvhwm = 1
    worker.send_multipart(wire.ready(b"s", 64))
    for tag in range(2_000):
        hostile.send_multipart(wire.ask(b"s", b"x" * 10_000, tag=tag))
    for _ in range(2_000):
        token = wire.given(wire.receive(worker))[0]
        worker.send_multipart(wire.reply(token, b"y" * 10_000))
    assert serves(peer)


def test_a_flood_does_not_stop_others(peer):
    flood = peer()
    done = threading.Event()
    served = []

    def serve():
        try:
            served.append(serves(peer))
        finally:
            done.set()

    server = threading.Thread(target=serve)
    server.start()
    while not done.is_set():
        flood.send_multipart([b"", b"MDPC01", b"flood", b"x" * 1_000])
        if flood.poll(0):
            flood.recv_multipart()
    server.join()
    assert served == [True]


def test_a_busy_worker_that_disconnects_and_comes_back(peer):
    client, worker = peer(), peer()
    for _ in range(20):
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"s"])
        client.send_multipart([b"", b"MDPC01", b"s", b"x"])
        wire.receive(worker)
        worker.send_multipart([b"", b"MDPW01", b"\x05"])
        assert wire.problem(wire.receive(client)[3]) == "bus.worker_lost"
    assert serves(peer)
