"""The dialects of the bus, written out from RFC 7, 8, 18 and the project's wire page."""

import json
import struct
import time

import zmq

PATIENCE_MS = 20_000

HEARTBEATS = {
    (b"", b"MDPW01", b"\x04"),
    (b"MDPW02", b"\x05"),
    (b"", b"MDPW02", b"\x05"),
    (b"BFW1\x05\x00\x00\x00",),
}


def receive(socket, patience_ms=PATIENCE_MS):
    """The next message that is no heartbeat."""
    end = time.monotonic() + patience_ms / 1000
    while True:
        left = int((end - time.monotonic()) * 1000)
        if left <= 0 or not socket.poll(left):
            raise AssertionError("no message came")
        frames = socket.recv_multipart()
        if tuple(frames) not in HEARTBEATS:
            return frames


def nothing_waits(socket):
    """Whether no message but heartbeats has arrived."""
    while socket.poll(0):
        if tuple(socket.recv_multipart()) not in HEARTBEATS:
            return False
    return True


def ask(service, body, tag=1, deadline_ms=0, retry=0):
    return [b"BFC1" + struct.pack(">BBHQQ", 1, retry, 0, tag, deadline_ms) + service, body]


def answer(frames):
    """(tag, status, body) of an ANSWER."""
    header, body = frames
    assert len(header) == 16 and header[:4] == b"BFC1"
    command, status, reserved, tag = struct.unpack(">BBHQ", header[4:])
    assert (command, reserved) == (3, 0)
    return tag, status, body


def ready(service, credit):
    return [b"BFW1" + struct.pack(">BBH", 1, 0, credit) + service]


def given(frames):
    """(token, retry, deadline, bodies) of an ASK to a worker."""
    header = frames[0]
    assert len(header) == 32 and header[:4] == b"BFW1"
    command, retry, reserved = struct.unpack(">BBH", header[4:8])
    assert (command, reserved) == (2, 0)
    return header[8:24], retry, struct.unpack(">Q", header[24:])[0], frames[1:]


def reply(token, body):
    return [b"BFW1\x04\x00\x00\x00" + token, body]


def control(command):
    return [b"BFW1" + bytes([command, 0, 0, 0])]


PING = b"BFC1\x05\x00\x00\x00"


def round_trip(socket):
    """Sends PING and waits for PONG: all the socket sent before has been handled. Returns the broker's number."""
    socket.send(PING)
    frames = receive(socket)
    assert len(frames) == 1 and frames[0][:8] == PING and len(frames[0]) == 16, frames
    return frames[0][8:]


def problem(body):
    """The code of a refusal, its envelope checked."""
    envelope = json.loads(body)
    assert envelope["specversion"] == "1.0" and envelope["source"] == "broker"
    assert envelope["type"] == "bus.fault.v1"
    assert envelope["datacontenttype"] == "application/problem+json"
    data = envelope["data"]
    assert data["type"] == "urn:billfold:fault:" + data["code"]
    assert data["retry"] in {"never", "later", "same_key"} and isinstance(data["status"], int)
    return data["code"]


def is_found(client, service):
    """8/MMI over a DEALER: whether the service has a live worker."""
    client.send_multipart([b"", b"MDPC01", b"mmi.service", service])
    frames = receive(client)
    assert frames[:3] == [b"", b"MDPC01", b"mmi.service"], frames
    return frames[3] == b"200"
