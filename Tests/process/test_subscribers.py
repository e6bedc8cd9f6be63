"""Publication may lose facts; a subscriber that was frozen, or came late, ends as one that heard everything."""

import json
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest

from billfold import Refused, post_payment, until, usd

# More than the broker keeps for a subscriber that does not read (10,000) and what sockets hold.
MANY = 14_000


@pytest.fixture(scope="module")
def rich(billset):
    customer = billset.customer()
    assert customer.reload(100_000_000).status == 201
    return customer


def post_many(bus, customer, merchant, count):
    asks = [post_payment(customer, merchant, 1 + n % 3, memo=f"no. {n}") for n in range(count)]
    answers = bus.pipeline(asks)
    assert {answer["type"] for answer in answers} == {"wallet.payment.post.v1.reply"}
    return [answer["data"]["result"] for answer in answers]


def charges_of(bus, party):
    """All captured charges of a party, newest first, straight from payments."""
    found, before = [], None
    while True:
        page = bus.ask("payments.charges.read.v1", {"party": party, "state": "captured", "before": before, "limit": 100})
        found += page["charges"]
        before = page.get("next")
        if before is None:
            return found


def told(bus):
    """The wallet's payments, newest first, from its log: what payments has to know."""
    facts = [json.loads(fact) for fact in bus.facts("wallet")]
    assert [int(fact["sequence"]) for fact in facts] == list(range(1, len(facts) + 1))
    return [fact["data"] for fact in facts if fact["type"] == "wallet.payment.posted.v1"][::-1]


def assert_knows_all(bus, merchant, customer):
    expected = told(bus)
    for party in (merchant, customer):
        charges = charges_of(bus, party.account)
        assert [(c["charge"], c["amount"], c["memo"], c["entry"], c["card"], c["decided"]) for c in charges] == [
            (p["payment"], p["amount"], p["memo"], p["entry"], p["card"], p["time"]) for p in expected]
    return charges


@pytest.fixture(scope="module")
def history(billset, rich, merchant):
    """Freezes payments while the wallet tells more than anybody keeps for it. Returns what payments knows then."""
    assert rich.paid(merchant, 1)
    with billset.bus() as bus:
        with billset.frozen("payments"):
            results = post_many(bus, rich, merchant, MANY)
            head = bus.ledger()["sequence"]
        assert head >= MANY
        until(lambda: position(bus, rich, results[-1]["payment"]), "payments to come up to the wallet")
        return assert_knows_all(bus, merchant, rich)


def position(bus, customer, payment):
    try:
        return bus.ask("payments.receipt.read.v1", {"charge": payment, "party": customer.account})
    except Refused as refused:
        # Lost for the broker while it was frozen, perhaps; then it comes back.
        assert refused.code in ("payments.charge_not_found", "bus.worker_lost", "bus.no_worker"), refused
        return None


def test_a_frozen_subscriber_misses_nothing(billset, history, bus, rich, merchant):
    assert len(history) == MANY + 1
    # It hears what comes now, too.
    receipt = rich.paid(merchant, 2)
    assert rich.get(f"/v1/receipts/{receipt['charge']}").body == receipt
    assert [charge["charge"] for charge in charges_of(bus, rich.account)] == (
        [receipt["charge"]] + [charge["charge"] for charge in history])


def test_a_late_subscriber_ends_in_the_same_state(billset, history, bus, rich, merchant):
    before = charges_of(bus, merchant.account)
    own = [json.loads(fact) for fact in bus.facts("payments")]
    assert billset.stop("payments") == {"payments": 0}
    shutil.rmtree(billset.data / "payments")
    # As payments is away, the wallet goes on.
    result = post_many(bus, rich, merchant, 1)[0]
    billset.start("payments")
    billset.await_health()
    after = assert_knows_all(bus, merchant, rich)
    assert after[0]["charge"] == result["payment"]
    assert after[1:] == before
    # So are the facts that follow from the wallet's.
    anew = [json.loads(fact) for fact in bus.facts("payments")]
    assert [fact["data"] for fact in anew[: len(own)]] == [fact["data"] for fact in own]


class Foreign:
    """subscriber.py as a process of its own."""

    def __init__(self, set, name):
        self.path = set.home / f"{name}.sqlite"
        script = pathlib.Path(__file__).with_name("subscriber.py")
        self.process = subprocess.Popen([sys.executable, script, set.run, self.path], stderr=subprocess.PIPE)

    def query(self, sql):
        assert self.process.poll() is None, self.process.stderr.read().decode()
        try:
            with sqlite3.connect(self.path) as file:
                return file.execute(sql).fetchall()
        except sqlite3.OperationalError:
            return []

    def await_head(self, head):
        until(lambda: self.query("SELECT max(sequence) FROM facts") == [(head,)], f"the subscriber to reach {head}")

    def facts(self):
        return [bytes for _, bytes in self.query("SELECT sequence, bytes FROM facts ORDER BY sequence")]

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


def test_a_foreign_subscriber_frozen_and_another_late(billset, bus, rich, merchant):
    log = bus.facts("wallet")
    frozen = Foreign(billset, "frozen")
    late = None
    try:
        frozen.await_head(len(log))
        # It hears what is published, without asking.
        gaps = len(frozen.query("SELECT * FROM gaps"))
        post_many(bus, rich, merchant, 50)
        frozen.await_head(len(log) + 50)
        frozen.process.send_signal(signal.SIGSTOP)
        post_many(bus, rich, merchant, MANY)
        head = bus.ledger()["sequence"]
        frozen.process.send_signal(signal.SIGCONT)
        late = Foreign(billset, "late")
        post_many(bus, rich, merchant, 100)
        frozen.await_head(head + 100)
        late.await_head(head + 100)
        assert len(frozen.query("SELECT * FROM gaps")) > gaps, "nothing was lost: the test tests nothing"
        log = bus.facts("wallet")
        assert len(log) == head + 100
        assert [int(json.loads(fact)["sequence"]) for fact in log] == list(range(1, len(log) + 1))
        assert frozen.facts() == log
        assert late.facts() == log
    finally:
        for subscriber in (frozen, late):
            if subscriber:
                subscriber.end()


def test_a_subscriber_survives_the_broker(billset, bus, rich, merchant):
    """The broker is killed: subscribers connect again, and what was published meanwhile is read from the log."""
    subscriber = Foreign(billset, "survivor")
    try:
        subscriber.await_head(bus.ledger()["sequence"])
        billset.kill("broker")
        billset.start("broker")
        billset.await_health()
        paid = [rich.paid(merchant, 1)["charge"] for _ in range(20)]
        head = bus.ledger()["sequence"]
        subscriber.await_head(head)
        assert subscriber.facts() == bus.facts("wallet")
        assert [c["charge"] for c in rich.get("/v1/history?limit=20").body["charges"]] == paid[::-1]
    finally:
        subscriber.end()


def test_the_ledger_is_sound_after_it(bus):
    assert bus.check_ledger()["total"] == usd(0)
