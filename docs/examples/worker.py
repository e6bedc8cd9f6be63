#!/usr/bin/env python3
"""A service of its own in 18/MDP: answers `echo.text.repeat.v1` {"text": …, "times": 1…100} with {"text": …}.

    worker.py            serves until SIGTERM or Ctrl-C
    worker.py --ask WORD asks a running one
"""

import datetime
import json
import signal
import sys
import time

import zmq

from client import RUN, Client, Refused, envelope

SERVICE = b"echo"

# 18/MDP, "MDP/Worker".
WORKER, READY, REQUEST, FINAL, HEARTBEAT, DISCONNECT = b"MDPW02", b"\x01", b"\x02", b"\x04", b"\x05", b"\x06"

HEARTBEAT_SECONDS = 2.5  # the broker believes an idle worker gone after 10 s of silence
BROKER_SILENCE_SECONDS = 10.0  # it says something at least once a second


def problem(code, status, retry, title, detail=None):
    fault = {"type": f"urn:billfold:fault:{code}", "title": title, "status": status, "code": code, "retry": retry}
    return {**fault, "detail": detail} if detail else fault


class Malformed(Exception):
    pass


def repeat(data):
    if not isinstance(data, dict) or set(data) != {"text", "times"}:
        raise Malformed("the fields are 'text' and 'times'")
    text, times = data["text"], data["times"]
    if not isinstance(text, str) or type(times) is not int or not 1 <= times <= 100:
        raise Malformed("'text' is a string, 'times' is 1 to 100")
    return {"text": text * times}


def answer(frame):
    """The envelope to answer with, whatever the frame holds."""
    try:
        ask = json.loads(frame)
        kind, identifier, data = ask["type"], ask["id"], ask.get("data", {})
        expires = ask.get("expirytime")
        late = expires is not None and datetime.datetime.fromisoformat(
            expires.replace("Z", "+00:00")
        ) <= datetime.datetime.now(datetime.timezone.utc)
    except (ValueError, KeyError, TypeError, AttributeError):
        return envelope("bus.fault.v1", problem("bus.malformed", 400, "never", "The message is malformed"))
    about = {
        "correlationid": ask.get("correlationid", identifier),
        "causationid": identifier,
        "traceparent": ask.get("traceparent"),
    }

    def fault(*words):
        return envelope(f"{kind}.fault", problem(*words), **about)

    if kind != "echo.text.repeat.v1":
        return fault("bus.unknown_type", 404, "never", "The service does not answer this type")
    if late:  # before anything is done: the asker has given up
        return fault("bus.deadline_exceeded", 504, "later", "The deadline passed before anything was done")
    try:
        return envelope(f"{kind}.reply", repeat(data), **about)
    except Malformed as error:
        return fault("bus.malformed", 400, "never", "The message is malformed", str(error))


class Stopped(Exception):
    pass


def serve():
    """One connection to the broker, from READY until it falls silent, says DISCONNECT, or this process is stopped."""
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.linger = 500
        socket.connect(f"ipc://{RUN}/asks.sock")
        socket.send_multipart([WORKER, READY, SERVICE])
        heard = beat = time.monotonic()
        try:
            while time.monotonic() - heard < BROKER_SILENCE_SECONDS:
                if time.monotonic() - beat >= HEARTBEAT_SECONDS:
                    beat = time.monotonic()
                    socket.send_multipart([WORKER, HEARTBEAT])
                if not socket.poll(500):
                    continue
                frames = socket.recv_multipart()
                heard = time.monotonic()
                if frames[:2] == [WORKER, DISCONNECT]:
                    return  # it does not know this worker (any more): READY again, on a new socket
                if frames[:2] == [WORKER, REQUEST]:
                    # The token stands for the client; an empty frame; then what the client sent.
                    token, _empty, *body = frames[2:]
                    socket.send_multipart([WORKER, FINAL, token, b"", answer(body[0])])
        except Stopped:
            socket.send_multipart([WORKER, DISCONNECT])
            raise


def stop(_number, _frame):
    raise Stopped


def main():
    if sys.argv[1:2] == ["--ask"]:
        print(Client().ask("echo.text.repeat.v1", {"text": " ".join(sys.argv[2:]) or "echo ", "times": 3})["text"])
        return
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        while True:
            serve()
            time.sleep(0.1)
    except Stopped:
        pass


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
