"""Clients and workers that know ZeroMQ and JSON and nothing else, on the whole set."""

import json
import threading

import pytest
import zmq

import billfold
from billfold import PATIENCE, envelope, post_payment, until, usd


def reply_to(ask, data):
    return {
        "specversion": "1.0", "id": billfold.new_id(), "source": "foreign", "type": ask["type"] + ".reply",
        "causationid": ask["id"], "data": data,
    }


class Worker:
    """Answers a service on a thread of its own in 7/MDP or 18/MDP; `answer` makes the reply's data of the ask, or None: no reply."""

    def __init__(self, run, service, answer, dialect):
        self.run, self.service, self.answer, self.dialect = run, service, answer, dialect
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join(PATIENCE)

    def serve(self):
        old = self.dialect == "MDPW01"
        start = [b""] if old else []
        name = self.dialect.encode()
        request, final, beat, goodbye = (b"\2", b"\3", b"\4", b"\5") if old else (b"\2", b"\4", b"\5", b"\6")
        with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
            socket.linger = 200
            socket.connect(f"ipc://{self.run}/asks.sock")
            socket.send_multipart([*start, name, b"\1", self.service.encode()])
            while not self.ending.is_set():
                if not socket.poll(100):
                    socket.send_multipart([*start, name, beat])
                    continue
                frames = socket.recv_multipart()[len(start):]
                if frames[1] == request:
                    ask = json.loads(frames[4])
                    data = self.answer(ask)
                    if data is None:
                        continue
                    body = json.dumps(reply_to(ask, data)).encode()
                    socket.send_multipart([*start, name, final, frames[2], b"", body])
            socket.send_multipart([*start, name, goodbye])


def mdp01(run, message):
    with zmq.Context() as context, context.socket(zmq.REQ) as socket:
        socket.linger = 0
        socket.connect(f"ipc://{run}/asks.sock")
        socket.send_multipart([b"MDPC01", message["type"].split(".")[0].encode(), json.dumps(message).encode()])
        assert socket.poll(PATIENCE * 1000)
        header, _, body = socket.recv_multipart()
        assert header == b"MDPC01"
        return json.loads(body)


def mdp02(run, message):
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(f"ipc://{run}/asks.sock")
        socket.send_multipart([b"MDPC02", b"\1", message["type"].split(".")[0].encode(), json.dumps(message).encode()])
        assert socket.poll(PATIENCE * 1000)
        header, command, _, body = socket.recv_multipart()
        assert (header, command) == (b"MDPC02", b"\3")
        return json.loads(body)


def majortomo_client(run, message):
    from majortomo import Client

    with Client(f"ipc://{run}/asks.sock") as client:
        client.send(message["type"].split(".")[0].encode(), json.dumps(message).encode())
        return json.loads(client.recv_all_as_list(timeout=PATIENCE)[0])


CLIENTS = [mdp01, mdp02, majortomo_client]


@pytest.mark.parametrize("ask", CLIENTS)
def test_a_foreign_client_pays_once(billset, bus, merchant, ask):
    payer = billset.customer()
    payer.paid(merchant, 1)  # opens the merchant's account
    payment = post_payment(payer, merchant, 149)
    first = ask(billset.run, payment)
    again = ask(billset.run, payment)
    assert first["type"] == "wallet.payment.post.v1.reply" and first["causationid"] == payment["id"]
    assert again["data"] == {**first["data"], "replayed": True}
    assert payer.balance == 1500

    def receipt():
        """Payments was not the one to ask, and hears of it when it reads the wallet's facts."""
        return ask(billset.run, envelope(
            "payments.receipt.read.v1", {"charge": payment["data"]["payment"], "party": payer.account}))["data"]

    assert until(lambda: "amount" in receipt(), "payments to hear of it") and receipt()["amount"] == usd(149)
    bus.check_ledger()


@pytest.mark.parametrize("ask", CLIENTS)
@pytest.mark.parametrize("dialect", ["MDPW01", "MDPW02"])
def test_a_foreign_worker_serves_any_client(billset, ask, dialect):
    with Worker(billset.run, "echo", lambda ask: {"said": ask["data"]["text"]}, dialect):
        answer = ask(billset.run, envelope("echo.text.repeat.v1", {"text": "grüße"}))
    assert answer["data"] == {"said": "grüße"}


def test_a_service_is_replaced_by_a_foreign_one_while_the_gateway_runs(billset, bus, customer, merchant):
    """Nobody else notices, but for what the other one answers."""
    receipt = customer.paid(merchant, 150)
    head = bus.ask("payments.facts.read.v1", {"after": 2**62, "limit": 1})["head"]
    log = bus.ask("payments.facts.read.v1", {"after": max(0, head - 10), "limit": 10})["facts"]
    billset.stop("payments")

    def answer(ask):
        if ask["type"] == "payments.facts.read.v1":  # others of the set read the log now and then
            after, limit = ask["data"]["after"], ask["data"].get("limit", 64)
            return {"facts": [fact for fact in log if int(fact["sequence"]) > after][:limit], "head": head}
        assert ask["type"] == "payments.receipt.read.v1" and ask["actor"] == f"customer:{customer.account}"
        return {**receipt, "memo": "from elsewhere"}

    with Worker(billset.run, "payments", answer, "MDPW02"):
        answered = customer.get(f"/v1/receipts/{receipt['charge']}")
    assert answered.status == 200 and answered.body["memo"] == "from elsewhere"
    billset.start("payments")
    billset.await_health()
    assert customer.get(f"/v1/receipts/{receipt['charge']}").body == receipt
