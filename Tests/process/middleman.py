#!/usr/bin/env python3
"""A service that is wrong in one way: a real one behind a process that alters what passes through it.

    middleman.py SERVICE BUG      a name of `BUGS` below

The real service runs below BILLFOLD_DATA on a bus of its own, whose only peer beside it is this process. It answers for that
service on the bus of BILLFOLD_RUN, in our own dialect with credit for many. What the real one asks of other services is asked
of those of BILLFOLD_RUN; facts are handed on in both directions. For the tests of `billfold check` and of `billfold load`.
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

from billfold import OWNERS

READY, ASK, ANSWER, REPLY, HEARTBEAT, DISCONNECT, GOODBYE = 1, 2, 3, 4, 5, 6, 7
CREDIT = 256
INTERVAL = 50
FAREWELL_SECONDS = 2


class Answered(Exception):
    """What the asker gets at once; the service is not asked."""


class Honest:
    """As right as the service behind it. A bug overrides what it alters, and returns a message of its own for what it was given."""

    forgets = drops = False

    def ask(self, ask):
        """What the service is asked instead. The answer to the first is the asker's; those to others are for nobody."""
        return [ask]

    def answer(self, ask, answer):
        """What the asker gets instead."""
        return answer

    def learn(self, answer):
        """What the service gets instead, as the answer of another service."""
        return answer

    def publish(self, fact):
        """What is published instead of a fact of the service: a fact, or a list of facts."""
        return fact


def keyed(ask):
    """The ask's type and key, of asks that move money; None of others."""
    if ask["type"] not in ("wallet.payment.post.v1", "wallet.card.reload.v1") or not isinstance(ask.get("data"), dict):
        return None
    return ask["type"], next((str(ask["data"][name]) for name in ("operation", "payment") if name in ask["data"]), None)


def with_data(message, **fields):
    return {**message, "data": {**message["data"], **fields}}


def without(message, name):
    return {key: value for key, value in message.items() if key != name}


def answer_to(ask, type, data):
    return {
        "specversion": "1.0", "id": secrets.token_hex(16), "source": "middleman", "type": type,
        "correlationid": ask.get("correlationid", ask["id"]), "causationid": ask["id"], "data": data}


class Fiftieth:
    """Every fiftieth of what it is asked about; what it has said of one is what it says again."""

    def __init__(self):
        self.known = {}

    def __contains__(self, key):
        return self.known.setdefault(key, (len(self.known) + 1) % INTERVAL == 0)


# MARK: What `billfold check` finds: of the wallet


class PaysTwice(Honest):
    """A repeated payment is posted once more, and answered as the first one was."""

    def __init__(self):
        self.answered = set()

    def ask(self, ask):
        if keyed(ask) in self.answered and ask["type"] == "wallet.payment.post.v1":
            return [ask, with_data(ask, payment=secrets.token_hex(16))]
        return [ask]

    def answer(self, ask, answer):
        if keyed(ask) and answer["type"].endswith(".reply"):
            self.answered.add(keyed(ask))
        return answer


class IgnoresDeadline(Honest):
    """expirytime is not looked at."""

    def ask(self, ask):
        return [without(ask, "expirytime")]


class IgnoresContent(Honest):
    """The same key gets the first answer, whatever it says."""

    def __init__(self):
        self.answers = {}

    def ask(self, ask):
        first = self.answers.get(keyed(ask))
        if first:
            raise Answered(answer_to(ask, first["type"], {**first["data"], "replayed": True}))
        return [ask]

    def answer(self, ask, answer):
        if keyed(ask) and answer["type"].endswith(".reply"):
            self.answers.setdefault(keyed(ask), answer)
        return answer


class TakesStrays(Honest):
    """Unknown fields are dropped instead of refused."""

    def ask(self, ask):
        strays = isinstance(ask.get("data"), dict) and "unheard" in ask["data"]
        return [{**ask, "data": without(ask["data"], "unheard")} if strays else ask]


class TakesVersions(Honest):
    """Any version is answered as the first."""

    def ask(self, ask):
        return [{**ask, "type": ask["type"].replace(".v999", ".v1")}]

    def answer(self, ask, answer):
        return {**answer, "type": answer["type"].replace(".v1.", f".{ask['type'].split('.')[-1]}.")}


class ForgetsCauses(Honest):
    """Answers do not say what they answer."""

    def answer(self, ask, answer):
        return without(answer, "causationid")


class Forgets(Honest):
    """Nothing is left after a restart."""

    forgets = True


class Drops(Honest):
    """What it has when it is told to stop is never answered."""

    drops = True


class DeafToActors(Honest):
    """Whoever asks may act for anybody."""

    def ask(self, ask):
        return [without(ask, "actor")]


# MARK: What `billfold load` finds


class Payments(Honest):
    """Knows every fiftieth payment that the wallet is asked for."""

    def __init__(self):
        self.unlucky = Fiftieth()

    def is_unlucky(self, ask):
        return ask["type"] == "wallet.payment.post.v1" and ask["id"] in self.unlucky

    @staticmethod
    def under_another_id(ask):
        return with_data(ask, payment=f"{int(ask['data']['payment'], 16) ^ (2**128 - 1):032x}")


class DoubleCapture(Payments):
    """Every 50th payment is posted a second time, under another id."""

    def ask(self, ask):
        return [ask, self.under_another_id(ask)] if self.is_unlucky(ask) else [ask]


class WrongBalance(Payments):
    """The card of the 50th payment is shown with a cent too much."""

    card = None

    def ask(self, ask):
        if self.is_unlucky(ask):
            self.card = self.card or ask["data"]["card"]
        return [ask]

    def answer(self, ask, answer):
        if answer["type"] != "wallet.cards.read.v1.reply":
            return answer
        return with_data(answer, cards=[
            {**card, "balance": {**card["balance"], "amount": card["balance"]["amount"] + 1}} if card["card"] == self.card
            else card for card in answer["data"]["cards"]])


class NeedlessRefusal(Payments):
    """Every 50th payment is refused, whatever the card has."""

    def ask(self, ask):
        if not self.is_unlucky(ask):
            return [ask]
        code = "wallet.insufficient_funds"
        raise Answered(answer_to(ask, f"{ask['type']}.fault", {
            "type": f"urn:billfold:fault:{code}", "title": "Insufficient funds", "status": 402, "code": code,
            "retry": "never"}))


class ForgottenKey(Payments):
    """A payment that is asked for again is posted again, under another id."""

    def __init__(self):
        self.posted = set()

    def ask(self, ask):
        if ask["type"] != "wallet.payment.post.v1":
            return [ask]
        if ask["data"]["payment"] in self.posted:
            return [self.under_another_id(ask)]
        self.posted.add(ask["data"]["payment"])
        return [ask]


class Lost(Honest):
    """Every 50th ask of a type is answered as the one before was, with its own key, and never done."""

    type = None

    def __init__(self):
        self.unlucky = Fiftieth()
        self.last = None

    def ask(self, ask):
        if ask["type"] != self.type or ask["id"] not in self.unlucky or not self.last:
            return [ask]
        given = ask["data"]
        result = {**self.last["data"]["result"], "operation": given["operation"]}
        result |= {name: given[name] for name in ("amount", "from", "to") if name in given}
        raise Answered(answer_to(ask, self.last["type"], {**self.last["data"], "result": result, "replayed": False}))

    def answer(self, ask, answer):
        if answer["type"] == f"{self.type}.reply":
            self.last = answer
        return answer


class Doubled(Honest):
    """Every 50th ask of a type is done a second time, under another key."""

    type = None

    def __init__(self):
        self.unlucky = Fiftieth()

    def ask(self, ask):
        if ask["type"] != self.type or ask["id"] not in self.unlucky:
            return [ask]
        return [ask, with_data(ask, operation=secrets.token_hex(16))]


class LostRefund(Lost):
    type = "wallet.refund.post.v1"


class LostTransfer(Lost):
    type = "wallet.transfer.post.v1"


class LostReload(Lost):
    type = "wallet.card.reload.v1"


class DoubleRefund(Doubled):
    type = "wallet.refund.post.v1"


class DoubleTransfer(Doubled):
    type = "wallet.transfer.post.v1"


class DoubleReload(Doubled):
    type = "wallet.card.reload.v1"


class LosesFacts(Honest):
    """Some facts have a type that nobody knows."""

    type = None

    def __init__(self):
        self.unlucky = Fiftieth()

    def concerns(self, fact):
        return fact["type"] == self.type

    def altered(self, fact):
        if not self.concerns(fact) or fact["sequence"] not in self.unlucky:
            return fact
        service, noun, _ = fact["type"].split(".", 2)
        return {**fact, "type": f"{service}.{noun}.unheard.v1"}

    def altered_page(self, answer):
        if answer["type"] != f"{self.type.split('.')[0]}.facts.read.v1.reply":
            return answer
        return with_data(answer, facts=[self.altered(fact) for fact in answer["data"]["facts"]])


class LostNotice(LosesFacts):
    """Of payments: every 50th posted payment is not understood, so that its charge is never told as captured."""

    type = "wallet.payment.posted.v1"

    def learn(self, answer):
        return self.altered_page(answer)


class LostRefundNotice(LosesFacts):
    """Of payments: every 50th posted refund is not understood, so that it is never told, nor shown with its charge."""

    type = "wallet.refund.posted.v1"

    def learn(self, answer):
        return self.altered_page(answer)


class LostRedemption(LosesFacts):
    """Of offers: every 50th charge captured with a coupon is not heard of, so that its coupon is never redeemed."""

    type = "payments.charge.captured.v1"

    def concerns(self, fact):
        return super().concerns(fact) and fact["data"].get("coupon") is not None

    def learn(self, answer):
        return self.altered_page(answer)


class LosesOwnFacts(LosesFacts):
    """Facts of the service itself, as it publishes them and as its log has them."""

    def answer(self, ask, answer):
        return self.altered_page(answer)

    def publish(self, fact):
        return self.altered(fact)


class LostExit(LosesOwnFacts):
    """Of location: every 50th exit is never told."""

    type = "location.fence.exited.v1"


class LostOrder(LosesOwnFacts):
    """Of ordering: every 50th order is never published as paid."""

    type = "ordering.order.paid.v1"


BUGS = {
    "honest": Honest,
    "pays-twice": PaysTwice, "ignores-deadline": IgnoresDeadline, "ignores-content": IgnoresContent,
    "takes-strays": TakesStrays, "takes-versions": TakesVersions, "forgets-causes": ForgetsCauses, "forgets": Forgets,
    "drops": Drops, "deaf-to-actors": DeafToActors,
    "double_capture": DoubleCapture, "wrong_balance": WrongBalance, "needless_refusal": NeedlessRefusal,
    "forgotten_key": ForgottenKey, "lost_notice": LostNotice, "lost_redemption": LostRedemption, "lost_exit": LostExit,
    "lost_order": LostOrder, "lost_refund": LostRefund, "lost_transfer": LostTransfer, "lost_reload": LostReload,
    "double_refund": DoubleRefund, "double_transfer": DoubleTransfer, "double_reload": DoubleReload,
    "lost_refund_notice": LostRefundNotice,
}


# MARK: What passes


def altered(frame, change):
    """The frame, or the message that `change` makes of it; as it was where it cannot be read or nothing is changed."""
    try:
        message = json.loads(frame)
        made = change(message)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return frame
    return frame if made is message else encoded(made)


def encoded(message):
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


class Relay:
    """Takes the asks for a service on one bus, and asks them of the service of that name on another."""

    def __init__(self, service, here, there, bug=None, learn=None):
        self.service, self.bug, self.learn = service, bug, learn
        self.taking, self.asking = (connected(zmq.DEALER, bus, "asks") for bus in (here, there))
        self.open = {}  # tag to the asker's token, None for what is asked for nobody, and its ask
        self.tags = iter(range(1, 2**62))
        self.is_stopping = self.may_go = False
        self.dropped = 0
        self.ready()

    def ready(self):
        self.taking.send(b"BFW1" + struct.pack(">BBH", READY, 0, CREDIT) + self.service.encode())

    def tell(self, command):
        self.taking.send(b"BFW1" + bytes([command, 0, 0, 0]))

    def take(self, header, *body):
        command = header[4]
        if command == DISCONNECT:
            self.ready()
        elif command == GOODBYE:
            self.may_go = True
        elif command == ASK and self.is_stopping and self.bug.drops:
            self.dropped += 1  # taken, and never answered
        elif command == ASK:
            self.forward(header[5], struct.unpack(">Q", header[24:32])[0], header[8:24], body)

    def forward(self, retry, deadline, token, body):
        asks, ask = [body], None
        if self.bug and len(body) == 1:
            try:
                ask = json.loads(body[0])
                asks = [body if made is ask else [encoded(made)] for made in self.bug.ask(ask)]
            except Answered as answered:
                return self.reply(token, [encoded(answered.args[0])])
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                ask = None  # unreadable: the service will say so
        for frames in asks:
            tag = next(self.tags)
            self.open[tag] = (token, ask)
            header = b"BFC1" + struct.pack(">BBHQQ", 1, retry, 0, tag, deadline) + self.service.encode()
            self.asking.send_multipart([header, *frames])
            token = None

    def answered(self, header, *body):
        if header[4] != ANSWER:
            return
        token, ask = self.open.pop(struct.unpack(">Q", header[8:16])[0])
        if token is None:
            return
        if self.learn:
            body = [altered(body[0], self.learn)]
        elif ask is not None:
            body = [altered(body[0], lambda answer: self.bug.answer(ask, answer))]
        self.reply(token, body)

    def reply(self, token, body):
        self.taking.send_multipart([b"BFW1" + bytes([REPLY, 0, 0, 0]) + token, *body])


def connected(kind, run, name):
    socket = zmq.Context.instance().socket(kind)
    socket.linger = 500
    socket.sndhwm = socket.rcvhwm = 10_000
    socket.connect(f"ipc://{run}/{name}.sock")
    return socket


def facts(services, source, target, change):
    """Hands facts of some services on from one bus to another; returns the socket they come in by, and what takes them."""
    heard, out = connected(zmq.SUB, source, "facts-out"), connected(zmq.PUB, target, "facts-in")
    for service in services:
        heard.subscribe(f"{service}.")

    def hand_on(_topic, frame):
        fact = json.loads(frame)
        made = change(fact)
        for one in made if isinstance(made, list) else [made]:
            out.send_multipart([one["type"].encode() + b"\0", frame if one is fact else encoded(one)])

    return heard, hand_on


def started(names, inner):
    """Processes on a bus of their own: in sessions of their own, to outlive a SIGTERM to this one for as long as it needs them."""
    environment = {**os.environ, "BILLFOLD_RUN": str(inner / "run"), "BILLFOLD_DATA": str(inner)}
    binaries = pathlib.Path(os.environ.get("BILLFOLD_BIN", pathlib.Path(__file__).parents[2] / ".build" / "release"))
    behind = [subprocess.Popen([binaries / f"billfold-{name}"], env=environment, start_new_session=True) for name in names]
    # Killed with kill -9, this one cannot end them: they look after themselves.
    subprocess.Popen(
        ["/bin/sh", "-c", 'while kill -0 "$0" 2>/dev/null; do sleep 0.05; done; kill -9 "$@"', str(os.getpid()),
         *(str(process.pid) for process in behind)], start_new_session=True)
    return behind


def main(service, bug):
    run, inner = os.environ["BILLFOLD_RUN"], pathlib.Path(os.environ["BILLFOLD_DATA"]) / "inner"
    if bug.forgets:
        shutil.rmtree(inner, ignore_errors=True)
    behind = started(("broker", service), inner)
    others = [other for other in OWNERS if other != service]
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(time.monotonic()))

    inward = Relay(service, run, inner / "run", bug=bug)
    outward = [Relay(other, inner / "run", run, learn=bug.learn) for other in others]
    takers = {relay.taking: relay.take for relay in [inward, *outward]}
    takers |= {relay.asking: relay.answered for relay in [inward, *outward]}
    takers |= [facts([service], inner / "run", run, bug.publish), facts(others, run, inner / "run", lambda fact: fact)]
    poller = zmq.Poller()
    for socket in takers:
        poller.register(socket, zmq.POLLIN)
    beat = time.monotonic()
    while not (inward.may_go and not inward.open):
        if stopping and not bug.drops and time.monotonic() - stopping[0] > FAREWELL_SECONDS:
            break  # the broker has gone first
        if stopping and not inward.is_stopping:
            inward.is_stopping = True
            if not bug.drops:
                inward.tell(GOODBYE)
        if inward.dropped >= 2:
            os._exit(0)
        if time.monotonic() - beat > 1:
            beat = time.monotonic()
            for relay in [inward, *outward]:
                relay.tell(HEARTBEAT)
        for socket, _ in poller.poll(50):
            takers[socket](*socket.recv_multipart())
    inward.tell(DISCONNECT)
    for process in reversed(behind):
        process.terminate()
        process.wait(5)
    zmq.Context.instance().destroy(linger=500)


if __name__ == "__main__":
    main(sys.argv[1], BUGS[sys.argv[2]]())
