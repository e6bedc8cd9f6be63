#!/usr/bin/env python3
"""What every service in Python needs: the worker's side of 18/MDP, and the envelope around an answer.

As a program it is a service of its own that answers `echo.text.repeat.v1` {"text": …, "times": 1…100} with {"text": …}:

    worker.py            serves until SIGTERM or Ctrl-C
    worker.py --ask WORD asks a running one
"""

import datetime
import json
import os
import re
import signal
import sys
import time

import zmq

from client import RUN, Client, Refused, envelope

# 18/MDP, "MDP/Worker".
WORKER, READY, REQUEST, FINAL, HEARTBEAT, DISCONNECT = b"MDPW02", b"\x01", b"\x02", b"\x04", b"\x05", b"\x06"

HEARTBEAT_SECONDS = 2.5  # the broker believes an idle worker gone after 10 s of silence
BROKER_SILENCE_SECONDS = 10.0  # it says something at least once a second

# code: status, retry, title. Those of the bus that a service gives by itself.
FAULTS = {
    "bus.malformed": (400, "never", "The message is malformed"),
    "bus.too_large": (413, "never", "The message is too large"),
    "bus.unknown_type": (404, "never", "The service does not answer this type"),
    "bus.deadline_exceeded": (504, "later", "The deadline passed before anything was done"),
    "bus.forbidden": (403, "never", "This account may not do this"),
    "bus.unavailable": (503, "same_key", "The service cannot answer at present"),
}


class Fault(Exception):
    """A refusal by its code, one of `FAULTS`."""

    def __init__(self, code, detail=None):
        status, retry, title = FAULTS[code]
        self.problem = {
            "type": f"urn:billfold:fault:{code}", "title": title, "status": status, "code": code, "retry": retry}
        if detail:
            self.problem["detail"] = detail


ENVELOPE_BYTES = 65_536
DEPTH = 32
# A string, with the colon if it is a key; a bracket. Never fails behind a quotation mark, so it reads each byte once.
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"?\s*(:?)|([][{}])', re.DOTALL)


def read_json(text):
    """A JSON text, read as strictly as docs/wire.md says. Raises `ValueError`.

    The depth is counted first: Python's own reader ends with a `RecursionError`. Escaped keys it would not show.
    """
    depth = 0
    for string, colon, bracket in TOKEN.findall(text):
        if "\\" in string:
            plain = json.loads(f'"{string}"')
            plain.encode()  # half of a surrogate pair is a `ValueError`
            if colon or "\0" in plain:
                raise ValueError("a key is written with an escape, or a text has U+0000")
        depth += (bracket in "[{") - (bracket in "]}") if bracket else 0
        if depth > DEPTH:
            raise ValueError(f"nested deeper than {DEPTH}")
    return json.loads(text, object_pairs_hook=no_duplicates, parse_int=whole_number, parse_constant=no_constant)


def no_duplicates(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def whole_number(digits):
    number = int(digits)  # itself a ValueError beyond some thousand digits
    if not -(2**63) <= number < 2**63:
        raise ValueError("a number is beyond 64 bits")
    return number


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


# RFC 3339, with which `fromisoformat` would take more than it has: week dates, dates alone.
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.IGNORECASE)


def moment(text):
    """RFC 3339 as seconds since 1970. Raises `ValueError`."""
    if not RFC3339.fullmatch(text):
        raise ValueError(f"{text!r} is no time")
    return datetime.datetime.fromisoformat(text.upper().replace("Z", "+00:00")).timestamp()


def read_ask(frame):
    """The envelope in a frame. Raises `Fault` for what is none."""
    if len(frame) > ENVELOPE_BYTES:
        raise Fault("bus.too_large")
    try:
        ask = read_json(frame.decode())
        texts = [ask[name] for name in ("id", "source", "type")]
        if ask["specversion"] != "1.0" or not all(isinstance(text, str) and text for text in texts):
            raise ValueError("'specversion', 'id', 'source' and 'type' are needed")
        if not all(isinstance(ask.get(name), (str, type(None))) for name in ("correlationid", "traceparent")):
            raise ValueError("'correlationid' and 'traceparent' are texts")
        for name in ("time", "expirytime"):
            if ask.get(name) is not None:
                moment(ask[name])
        if ask.get("actor") is not None and not re.fullmatch(r"(customer|merchant|administrator):[0-9a-f]{32}", ask["actor"]):
            raise ValueError("an actor is role:id")
        return ask
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Fault("bus.malformed", f"envelope: {error}")


def answer_frame(frame, handlers):
    """The envelope to answer with, whatever the frame holds. `handlers`: what makes the reply's data, by type.

    A handler gets the ask's `data` and its envelope, and raises `Fault` to refuse.
    """
    try:
        ask = read_ask(frame)
    except Fault as fault:
        return envelope("bus.fault.v1", fault.problem)
    about = {
        "correlationid": ask.get("correlationid", ask["id"]), "causationid": ask["id"],
        "traceparent": ask.get("traceparent")}
    try:
        if ask["type"] not in handlers:
            raise Fault("bus.unknown_type")
        if ask.get("expirytime") and moment(ask["expirytime"]) <= time.time():
            raise Fault("bus.deadline_exceeded")  # before anything is done: the asker has given up
        reply = envelope(f"{ask['type']}.reply", handlers[ask["type"]](ask.get("data", {}), ask), **about)
        if len(reply) > ENVELOPE_BYTES:
            raise Fault("bus.too_large", "the answer is too large; ask for less")
        return reply
    except Fault as fault:
        return envelope(f"{ask['type']}.fault", fault.problem, **about)
    except Exception as error:  # a mistake of ours in one ask is no reason to answer no other
        print(f"{ask['type']}: {error!r}", file=sys.stderr, flush=True)
        return envelope(f"{ask['type']}.fault", Fault("bus.unavailable").problem, **about)


stopping = False
# What a signal's arrival is written to: `poll` wakes, whatever it waits for.
woken, waking = os.pipe()
os.set_blocking(waking, False)


def serve(service, handlers, turn=lambda: None, also=(), until=lambda: False):
    """Answers a service's asks until SIGTERM or SIGINT, or `until` says so; calls `turn` between them.

    `turn` returns after how many milliseconds it is called again at the latest; nothing is half a second. `also`: sockets
    that it reads; when one has something, it is called at once.
    """
    signal.set_wakeup_fd(waking)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not stopping and not until():
        serve_once(service.encode(), handlers, turn, also, until)


def serve_once(service, handlers, turn, also, until):
    """One connection to the broker, from READY until it falls silent, says DISCONNECT, or this process is stopped."""
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.linger = 500
        socket.connect(f"ipc://{RUN}/asks.sock")
        socket.send_multipart([WORKER, READY, service])
        poller = zmq.Poller()
        for one in (socket, woken, *also):
            poller.register(one, zmq.POLLIN)
        heard = beat = time.monotonic()
        # A stop is looked for between asks: what was taken is answered.
        while not stopping and not until() and time.monotonic() - heard < BROKER_SILENCE_SECONDS:
            wait = turn()
            if time.monotonic() - beat >= HEARTBEAT_SECONDS:
                beat = time.monotonic()
                socket.send_multipart([WORKER, HEARTBEAT])
            ready = dict(poller.poll(500 if wait is None else wait))
            if socket not in ready:
                continue
            if any(one in ready for one in also):
                turn()  # what came before the ask counts for its answer
            frames = socket.recv_multipart()
            heard = time.monotonic()
            if frames[:2] == [WORKER, DISCONNECT]:
                return time.sleep(0.1)  # it does not know this worker (any more): READY again, on a new socket
            if frames[:2] == [WORKER, REQUEST]:
                # The token stands for the client; an empty frame; then what the client sent.
                token, _empty, *body = frames[2:]
                # More than one frame is no envelope.
                socket.send_multipart([WORKER, FINAL, token, b"", answer_frame(body[0] if len(body) == 1 else b"", handlers)])
        socket.send_multipart([WORKER, DISCONNECT])


def stopped():
    """Whether a signal has told this process to end."""
    return stopping


def leave():
    """Ends the process at once, with all sent: what it has in memory is not taken apart object by object."""
    zmq.Context.instance().destroy(linger=500)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def stop(_number, _frame):
    global stopping
    stopping = True


def repeat(data, _ask):
    if not isinstance(data, dict) or set(data) != {"text", "times"}:
        raise Fault("bus.malformed", "the fields are 'text' and 'times'")
    text, times = data["text"], data["times"]
    if not isinstance(text, str) or type(times) is not int or not 1 <= times <= 100:
        raise Fault("bus.malformed", "'text' is a string, 'times' is 1 to 100")
    return {"text": text * times}


def main():
    if sys.argv[1:2] == ["--ask"]:
        print(Client().ask("echo.text.repeat.v1", {"text": " ".join(sys.argv[2:]) or "echo ", "times": 3})["text"])
        return
    serve("echo", {"echo.text.repeat.v1": repeat})


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
