"""Processes are killed and restarted under a stream of payments: nothing is lost, nothing is paid twice."""

import collections
import itertools
import json
import random
import threading

import pytest

from billfold import NAMES, SEED, Threads, until, usd

CUSTOMERS, MERCHANTS = 5, 2
OPENING = 1650


class Done:
    """One keyed act, and the final answer to it."""

    def __init__(self, kind, person, path, body, key, answer, effects):
        self.kind, self.person, self.path, self.body, self.key = kind, person, path, body, key
        self.answer, self.effects = answer, effects


class Stream:
    """People who pay, reload, redeem, approve and refund, and ask on with the same key until the answer is final."""

    def __init__(self, set, customers, merchants, seed):
        self.set, self.merchants = set, merchants
        self.done = collections.deque()
        self.trouble = []
        self.ending = threading.Event()
        self.threads = Threads()
        self.customers = customers
        for number, customer in enumerate(customers):
            self.threads.run(self.act, customer, random.Random(f"{seed}/{number}"))

    def act(self, customer, rng):
        me = customer.twin()
        others = [merchant.twin() for merchant in self.merchants]
        paid = []
        for turn in itertools.count():
            if self.ending.is_set():
                return
            chosen = rng.randrange(len(others))
            merchant, shop = self.merchants[chosen], others[chosen]
            amount = rng.randint(1, 30)
            kind = rng.choices(["pay", "reload", "code", "charge", "refund"], [70, 6, 10, 8, 6])[0]
            key = f"{rng.getrandbits(64):016x}-{turn}"
            if kind == "refund" and not paid:
                kind = "pay"
            if kind == "pay":
                self.ask(me, kind, "/v1/payments", {"merchant": merchant.account, "amount": usd(amount)}, key, paid)
            elif kind == "reload":
                self.ask(me, kind, f"/v1/cards/{customer.card}/reloads", {"amount": usd(500)}, key)
            elif kind == "code":
                code = me.insist("POST", "/v1/pay-codes", {}, trouble=self.trouble)
                assert code.status == 201, code
                body = {"code": code.body["code"], "amount": usd(amount)}
                self.ask(shop, kind, "/v1/code-payments", body, key, paid)
            elif kind == "charge":
                body = {"customer": customer.account, "amount": usd(amount), "memo": "please"}
                charge = shop.insist("POST", "/v1/charges", body, key, trouble=self.trouble)
                assert charge.status == 201, charge
                path = f"/v1/charges/{charge.body['charge']}/approval"
                self.ask(me, kind, path, {}, None, paid)
            else:
                receipt = paid.pop(rng.randrange(len(paid)))
                shop = others[[m.account for m in self.merchants].index(receipt["merchant"])]
                path = f"/v1/charges/{receipt['charge']}/refunds"
                part = rng.randint(1, receipt["amount"]["amount"])
                self.ask(shop, kind, path, {"amount": usd(part)}, key, refunded=receipt)

    def ask(self, person, kind, path, body, key, paid=None, refunded=None):
        answer = person.insist("POST", path, body, key, self.trouble)
        # No money left is a final answer too (and an approval that is repeated after it finds the charge declined).
        refused = kind in ("pay", "code", "charge") and answer.code in (
            "wallet.insufficient_funds", "payments.charge_declined")
        assert answer.status in (200, 201) or refused, (kind, answer)
        if paid is not None and not refused:
            paid.append(answer.body)
        self.done.append(Done(kind, person, path, body, key, answer, refunded))

    def more(self, count):
        """Waits until `count` more acts have had their final answers."""
        goal = len(self.done) + count

        def reached():
            self.threads.check()
            return len(self.done) >= goal

        until(reached, f"{count} more final answers", 120)

    def end(self):
        self.ending.set()
        self.threads.join()
        return list(self.done)


@pytest.fixture(scope="module")
def merchants(billset):
    return [billset.merchant() for _ in range(MERCHANTS)]


@pytest.fixture(scope="module")
def customers(billset):
    return [billset.customer(card=False) for _ in range(CUSTOMERS)]


@pytest.fixture
def stream(request, billset, bus, customers, merchants):
    """A running stream on fresh cards; afterwards everything is checked."""
    for customer in customers:
        customer.with_card()
    billset.await_health()
    before = {merchant.account: merchant.balance for merchant in merchants}
    start = bus.ledger()["sequence"]
    stream = Stream(billset, customers, merchants, f"{SEED}/{request.node.name}")
    try:
        yield stream
    finally:
        done = stream.end()
    billset.await_health()
    check(bus, start, customers, merchants, before, done)
    print(f"{len(done)} acts, trouble: {dict(collections.Counter(stream.trouble))}")


def check(bus, start, customers, merchants, before, done):
    """What was acknowledged is there exactly once, nothing else is, and the money adds up."""
    paid = {d.answer.body["charge"]: d.answer.body for d in done if d.kind != "reload" and d.kind != "refund"
            and d.answer.status in (200, 201)}
    payments = [d for d in done if d.kind in ("pay", "code", "charge") and d.answer.status in (200, 201)]
    refunds = [d.answer.body for d in done if d.kind == "refund"]
    reloads = [d.answer.body for d in done if d.kind == "reload"]
    assert len(paid) == len(payments), "two acts have one charge"

    # The ledger's facts since the start are exactly what was acknowledged.
    posted, refunded, reloaded = {}, {}, {}
    for fact in map(json.loads, bus.facts("wallet", start)):
        data = fact["data"]
        if fact["type"] == "wallet.payment.posted.v1":
            assert data["payment"] not in posted
            posted[data["payment"]] = data
        elif fact["type"] == "wallet.refund.posted.v1":
            refunded[data["operation"]] = data
        elif fact["type"] == "wallet.card.reloaded.v1":
            reloaded[data["operation"]] = data
    assert set(posted) == set(paid)
    redeemed = {d.answer.body["charge"] for d in payments if d.kind == "code"}
    for charge, receipt in paid.items():
        # A merchant is not told what is left on the card.
        fact = {name: value for name, value in posted[charge].items() if name != "cardBalance" or charge not in redeemed}
        assert all(receipt[name] == fact[name] for name in fact if name != "payment"), (receipt, fact)
        assert ("cardBalance" in receipt) == ("cardBalance" in fact)
    assert {(r["refund"], r["entry"]) for r in refunds} == {(o, f["entry"]) for o, f in refunded.items()}
    assert {(r["operation"], r["entry"]) for r in reloads} == {(o, f["entry"]) for o, f in reloaded.items()}

    # History, receipts, entries and balances of everyone.
    for person in customers:
        mine = {r["charge"] for r in paid.values() if r["card"] == person.card}
        charges = person.pages("/v1/charges?state=captured", "charges")
        of_card = [c["charge"] for c in charges if c["card"] == person.card]
        assert len(of_card) == len(set(of_card)) and set(of_card) == mine
        history = [c["charge"] for c in person.pages("/v1/history", "charges") if c["card"] == person.card]
        assert history == of_card
        entries = person.pages(f"/v1/cards/{person.card}/entries", "entries")
        assert sorted(e["operation"] for e in entries if e["kind"] == "payment") == sorted(mine)
        back = sum(f["amount"]["amount"] for f in refunded.values() if f["card"] == person.card)
        came = sum(f["amount"]["amount"] for f in reloaded.values() if f["card"] == person.card)
        went = sum(paid[charge]["amount"]["amount"] for charge in mine)
        assert person.balance == OPENING + came + back - went
        assert entries[0]["balance"]["amount"] == person.balance
    for merchant in merchants:
        mine = {r["charge"] for r in paid.values() if r["merchant"] == merchant.account}
        charges = [c["charge"] for c in merchant.pages("/v1/charges?state=captured", "charges")]
        assert len(charges) == len(set(charges)) and mine <= set(charges)
        went = sum(f["amount"]["amount"] for f in refunded.values() if f["merchant"] == merchant.account)
        came = sum(paid[charge]["amount"]["amount"] for charge in mine)
        assert merchant.balance == before[merchant.account] + came - went
    owner = {customer.account: customer for customer in customers}
    for receipt in paid.values():
        answer = owner[receipt["customer"]].get(f"/v1/receipts/{receipt['charge']}")
        whole = {**receipt, "cardBalance": posted[receipt["charge"]]["cardBalance"]}
        assert answer.status == 200 and answer.body == whole, (answer, receipt)

    # The same key has the same answer, and moves nothing.
    entries = bus.ledger()["entries"]
    for act in done[:: max(1, len(done) // 100)]:
        again = act.person.request("POST", act.path, act.body, key=act.key)
        if act.kind == "charge" and act.answer.status == 402:
            assert again.code == "payments.charge_declined"
            continue
        assert (again.status, again.body | {"replayed": True}) == (
            act.answer.status, act.answer.body | {"replayed": True}), (again, act.answer)
        assert again.replayed or again.status >= 400, again
    assert bus.check_ledger()["entries"] == entries


@pytest.mark.parametrize("name", NAMES)
def test_killed_in_the_middle_of_payments(billset, stream, name):
    stream.more(120)
    billset.kill(name)
    billset.start(name)
    stream.more(120)


@pytest.mark.parametrize("name", NAMES)
def test_restarted_in_the_middle_of_payments(billset, stream, name):
    """SIGTERM drains: behind the gateway, no client even notices. The gateway answers what it has taken."""
    stream.more(120)
    assert billset.stop(name) == {name: 0}
    billset.start(name)
    stream.more(120)
    noticed = set(stream.trouble)
    if name == "gateway":
        # Nobody listens, or an idle connection was closed: nothing that was taken got lost.
        assert noticed <= {"ConnectionRefusedError", "RemoteDisconnected", "ConnectionResetError", "BrokenPipeError"}
    else:
        assert not noticed


@pytest.mark.parametrize("pair", [("wallet", "payments"), ("broker", "wallet"), ("gateway", "payments")], ids="+".join)
def test_two_killed_at_once(billset, stream, pair):
    stream.more(120)
    billset.kill(*pair)
    billset.start(*pair)
    stream.more(120)


def test_random_faults(billset, stream):
    print(f"BILLFOLD_SEED={SEED}")
    rng = random.Random(SEED)
    for _ in range(8):
        stream.more(rng.randint(5, 60))
        names = rng.sample(NAMES, rng.choice([1, 1, 2, 3]))
        fault = rng.choice(["kill", "kill", "stop", "freeze"])
        print(fault, *names)
        if fault == "freeze":
            with billset.frozen(names[0]):
                # Whether anyone gets on meanwhile depends on who is frozen.
                goal = len(stream.done) + 10
                try:
                    until(lambda: len(stream.done) >= goal, "progress", rng.uniform(0, 1))
                except AssertionError:
                    pass
        else:
            (billset.kill if fault == "kill" else billset.stop)(*names)
            rng.shuffle(names)
            billset.start(*names)
    stream.more(120)
