#!/usr/bin/env python3
"""A wallet that is wrong in one way: a real one behind a worker that alters what passes through it.

    middleman.py BUG      honest, or one of the bugs below

Has a broker and a wallet of its own below BILLFOLD_DATA, and takes the wallet's asks on the bus of BILLFOLD_RUN, in our
own dialect with credit for many. For the tests of `billfold check`.
"""

import json
import os
import pathlib
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import time

import zmq

BUGS = {
    "honest": "none: as right as the wallet behind it",
    "pays-twice": "a repeated payment is posted once more, and answered as the first one was",
    "ignores-deadline": "expirytime is not looked at",
    "ignores-content": "the same key gets the first answer, whatever it says",
    "takes-strays": "unknown fields are dropped instead of refused",
    "takes-versions": "any version is answered as the first",
    "forgets-causes": "answers do not say what they answer",
    "forgets": "nothing is left after a restart",
    "drops": "what it has when it is told to stop is never answered",
    "deaf-to-actors": "whoever asks may act for anybody",
}

bug = sys.argv[1] if len(sys.argv) > 1 else "honest"
assert bug in BUGS, f"no such bug: {', '.join(BUGS)}"
inner = pathlib.Path(os.environ["BILLFOLD_DATA"]) / "inner"
binaries = pathlib.Path(os.environ["BILLFOLD_BIN"])
if bug == "forgets":
    shutil.rmtree(inner, ignore_errors=True)

environment = {**os.environ, "BILLFOLD_RUN": str(inner / "run"), "BILLFOLD_DATA": str(inner)}
# In sessions of their own, so that they outlive a SIGTERM to this one for as long as it needs them.
behind = [
    subprocess.Popen([binaries / f"billfold-{name}"], env=environment, start_new_session=True)
    for name in ("broker", "wallet")
]
# Killed with kill -9, this one cannot end them: they look after themselves.
watchdog = subprocess.Popen(
    ["/bin/sh", "-c", 'while kill -0 "$0" 2>/dev/null; do sleep 0.05; done; kill -9 "$@"', str(os.getpid()),
     *(str(process.pid) for process in behind)], start_new_session=True)

context = zmq.Context()
front, back = context.socket(zmq.DEALER), context.socket(zmq.DEALER)
front.linger = back.linger = 500
front.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
back.connect(f"ipc://{inner}/run/asks.sock")

READY, HEARTBEAT, GOODBYE, DISCONNECT = 1, 5, 7, 6


def tell(command):
    front.send(b"BFW1" + bytes([command, 0, 0, 0]))


def ready():
    front.send(b"BFW1" + struct.pack(">BBH", READY, 0, 64) + b"wallet")


stopping = False


def stop(*_):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)

tokens = {}  # tag to token, and what may be done to its answer
first_answers = {}  # key to the answer given first
tags = iter(range(1, 2**62))


def keyed(ask):
    data = ask.get("data")
    if not isinstance(data, dict) or ask["type"] not in ("wallet.payment.post.v1", "wallet.card.reload.v1"):
        return None
    return ask["type"], next((str(data[name]) for name in ("operation", "payment") if name in data), None)


def forward(frame, token, **about):
    tag = next(tags)
    tokens[tag] = (token, about)
    header = b"BFC1" + struct.pack(">BBHQQ", 1, 1, 0, tag, int(time.time() * 1000) + 20_000) + b"wallet"
    back.send_multipart([header, frame])


def taken(frame, token):
    """Alters an ask, or answers it at once."""
    try:
        ask = json.loads(frame)
        key = keyed(ask)
    except (ValueError, KeyError, TypeError, AttributeError):
        return forward(frame, token)
    if bug == "ignores-deadline":
        ask.pop("expirytime", None)
    if bug == "deaf-to-actors":
        ask.pop("actor", None)
    if bug == "takes-versions":
        about = ask["type"]
        ask["type"] = ask["type"].replace(".v999", ".v1")
        return forward(json.dumps(ask).encode(), token, type=about)
    if bug == "takes-strays" and isinstance(ask.get("data"), dict):
        ask["data"].pop("unheard", None)
    if bug == "pays-twice" and key in first_answers:
        again = {**ask, "data": {**ask["data"], "payment": secrets.token_hex(16)}}
        if key[0] == "wallet.payment.post.v1":
            forward(json.dumps(again).encode(), None)
    if bug == "ignores-content" and key in first_answers:
        answer = first_answers[key]
        data = {**answer["data"], "replayed": True}
        return reply(token, {**answer, "id": secrets.token_hex(16), "causationid": ask["id"],
                             "correlationid": ask.get("correlationid", ask["id"]), "data": data})
    untouched = bug in ("honest", "forgets", "drops", "forgets-causes", "pays-twice", "ignores-content", "takes-strays")
    unheard = bug == "takes-strays" and b'"unheard"' in frame
    forward(frame if untouched and not unheard else json.dumps(ask).encode(), token, key=key)


def answered(frame, token, key=None, type=None):
    if token is None:
        return
    answer = json.loads(frame)
    if key and answer["type"].endswith(".reply"):
        first_answers.setdefault(key, answer)
    if bug == "forgets-causes":
        answer.pop("causationid", None)
    if type and "type" in answer:
        answer["type"] = answer["type"].replace(".v1.", f".{type.split('.')[-1]}.")
    reply(token, answer if bug in ("forgets-causes", "takes-versions") else frame)


def reply(token, answer):
    frame = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    front.send_multipart([b"BFW1" + bytes([4, 0, 0, 0]) + token, frame])


poller = zmq.Poller()
for socket in (front, back):
    poller.register(socket, zmq.POLLIN)
ready()
beat = time.monotonic()
said_goodbye = may_go = False
held = 0
while True:
    if stopping and bug != "drops" and not said_goodbye:
        said_goodbye = True
        tell(GOODBYE)
    if may_go and not tokens:
        break
    if stopping and bug == "drops" and held >= 2:
        os._exit(0)
    if time.monotonic() - beat > 1:
        beat = time.monotonic()
        tell(HEARTBEAT)
    ready_now = dict(poller.poll(50))
    if back in ready_now:
        header, *body = back.recv_multipart()
        if header[4] == 3:
            token, about = tokens.pop(struct.unpack(">Q", header[8:16])[0])
            answered(body[0], token, **about)
    if front in ready_now:
        header, *body = front.recv_multipart()
        if header[4] == 2 and stopping and bug == "drops":
            held += 1  # taken, and never answered
        elif header[4] == 2:
            taken(body[0], header[8:24])
        elif header[4] == DISCONNECT:
            ready()
        elif header[4] == GOODBYE:
            may_go = True
tell(DISCONNECT)
context.destroy(linger=500)
for process in reversed(behind):
    process.terminate()
    process.wait(5)
