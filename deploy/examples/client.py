#!/usr/bin/env python3
"""Reads a card's balance and pays a merchant from it, over the bus, in 18/MDP.

    client.py [CUSTOMER] [MERCHANT] [CENTS]      defaults: demo coffee 150

Needs Python 3.9 or later and pyzmq. BILLFOLD_RUN names the directory of the bus's sockets.
"""

import datetime
import json
import os
import re
import secrets
import sys
import time

import zmq

RUN = os.environ.get("BILLFOLD_RUN") or f"/tmp/billfold-{os.getuid()}"
SOURCE = "example"  # what this program calls itself: the `source` of its envelopes

# 18/MDP, "MDP/Client".
CLIENT, REQUEST, PARTIAL, FINAL = b"MDPC02", b"\x01", b"\x02", b"\x03"


class Refused(Exception):
    """A problem (RFC 9457): `problem["code"]` is stable, `problem["retry"]` is never, later or same_key."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem.get('detail') or problem.get('title', '')}")
        self.problem = problem


def new_id():
    """32 lowercase hexadecimal digits: what every identifier looks like."""
    return secrets.token_hex(16)


def rfc3339(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def envelope(type, data, **attributes):
    """A CloudEvents 1.0 envelope as the bytes of one frame; attributes that are None are left out."""
    event = {"specversion": "1.0", "id": new_id(), "source": SOURCE, "type": type, "time": rfc3339(time.time())}
    event.update({name: value for name, value in attributes.items() if value is not None})
    event["data"] = data
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()


class Client:
    """Asks one thing at a time."""

    def __init__(self, run=RUN):
        self.context = zmq.Context.instance()
        self.endpoint = f"ipc://{run}/asks.sock"

    def ask(self, type, data, seconds=5.0, repeatable=True, of=None):
        """The reply's `data`. Raises Refused. `of`: the name to ask, if it is not the type's first part.

        `repeatable`: whether the ask's class is keyed or idempotent. The envelope of a repeat is the same, so the key
        and the deadline are the same too.
        """
        deadline = time.time() + seconds
        frame = envelope(type, data, expirytime=rfc3339(deadline))
        pause = 0.01
        while True:
            problem = self.once(of or type.split(".")[0], frame, deadline)
            if "reply" in problem:
                return problem["reply"]
            may_repeat = problem["retry"] == "later" or (problem["retry"] == "same_key" and repeatable)
            # A service's own refusal is its answer; only troubles of the bus are worth a repeat.
            is_trouble = problem["code"] in ("bus.no_worker", "bus.queue_full", "bus.worker_lost", "bus.unavailable")
            if not (may_repeat and is_trouble and time.time() + pause < deadline):
                raise Refused(problem)
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def once(self, service, frame, deadline):
        """{"reply": data}, or the problem."""
        # A socket for each try: an answer to an earlier one, come late, cannot be taken for this one's.
        with self.context.socket(zmq.DEALER) as socket:
            socket.linger = 0
            socket.connect(self.endpoint)
            socket.send_multipart([CLIENT, REQUEST, service.encode(), frame])
            while socket.poll(max(0, 1000 * (deadline - time.time()))):
                header, command, _service, *body = socket.recv_multipart()
                if header != CLIENT or command == PARTIAL:
                    continue  # no service of Billfold answers in parts
                event = json.loads(body[0])
                return {"reply": event["data"]} if event["type"].endswith(".reply") else event["data"]
        return {"code": "bus.outcome_unknown", "retry": "same_key", "title": "No answer before the deadline"}


def usage(what):
    """Ends with EX_USAGE of sysexits.h."""
    print(f"client.py: {what}. Nothing was paid.\n{__doc__.splitlines()[2].strip()}", file=sys.stderr)
    sys.exit(64)


def main():
    if len(sys.argv) > 4 or "--help" in sys.argv:
        usage("CUSTOMER, MERCHANT and CENTS are all that it takes")
    customer_name, merchant_name, cents = (sys.argv[1:] + ["demo", "coffee", "150"][len(sys.argv) - 1 :])[:3]
    if not re.fullmatch("0*[1-9][0-9]{0,17}", cents):
        usage(f"CENTS is a whole number from 1, such as 150 for 1.50 USD, not '{cents}'")
    client = Client()
    customer = client.ask("auth.account.read.v1", {"username": customer_name})["account"]
    merchant = client.ask("auth.account.read.v1", {"username": merchant_name})["account"]

    card = client.ask("wallet.card.read.v1", {"customer": customer})
    print("card", card["card"], "has", card["balance"]["amount"], card["balance"]["currency"], "cents")

    # The id is chosen here and kept: whatever happens to the answer, asking again with it pays once.
    payment = {
        "payment": new_id(),
        "customer": customer,
        "merchant": merchant,
        "amount": {"amount": int(cents), "currency": "USD"},
        "memo": "From another language",
    }
    paid = client.ask("wallet.payment.post.v1", payment)
    print("paid in entry", paid["result"]["entry"], "- left:", paid["result"]["cardBalance"]["amount"])
    again = client.ask("wallet.payment.post.v1", payment)
    print("asked again: replayed =", again["replayed"], "- the same entry:", again["result"] == paid["result"])


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
