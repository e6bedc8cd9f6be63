"""`billfold shadow`: a candidate answers copies of live asks, and what it would do goes nowhere."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import textwrap

import pytest

from billfold import BINARIES, ROOT, Refused, new_id, until, usd


# Asks after which a correct program is believed; more take some seconds for each thousand.
ENOUGH = int(os.environ.get("BILLFOLD_SHADOW_ASKS", "200"))


class Shadow:
    """A running `billfold shadow` that says when its candidate serves."""

    def __init__(self, billset, service, *words, command):
        self.process = subprocess.Popen(
            [BINARIES / "billfold", "shadow", service, "--run", str(billset.run), *words, "--", *command],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def await_start(self):
        line = self.process.stderr.readline()
        assert "serves" in line, line + self.process.stderr.read()
        return self

    def end(self):
        """(status, output)"""
        out, err = self.process.communicate(timeout=60 + ENOUGH / 20)
        return self.process.returncode, out, err


def own(name):
    return [str(BINARIES / f"billfold-{name}")]


# Answers whatever it is asked with a product that nobody has, and would have the wallet pay each time.
WRONG = textwrap.dedent("""
    import json, os, zmq
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
    socket.send_multipart([b"MDPW02", b"\\x01", b"offers"])
    asks = zmq.Context().socket(zmq.DEALER)
    asks.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
    while True:
        _, command, *rest = socket.recv_multipart()
        if command != b"\\x02":
            continue
        ask = json.loads(rest[2])
        theirs = dict(ask, id="w", type="wallet.transfer.post.v1", data={})
        asks.send_multipart([b"MDPC02", b"\\x01", b"wallet", json.dumps(theirs).encode()])
        refused = json.loads(asks.recv_multipart()[-1])
        assert refused["data"]["code"] == "bus.forbidden", refused
        data = dict(ask["data"], types=[])
        answer = dict(ask, id="a", source="wrong", type=ask["type"] + ".reply", data=data)
        socket.send_multipart([b"MDPW02", b"\\x04", rest[0], b"", json.dumps(answer).encode()])
""")


def read_products(bus, merchant):
    return bus.ask("offers.products.read.v1", {"merchant": merchant.account})


def asks_until_done(shadow, ask):
    """Keeps the live service busy until the shadow has seen enough."""
    until(lambda: (ask(), shadow.process.poll() is not None)[1], "the shadow to have seen enough", 40 + ENOUGH / 20)


def test_the_same_service_answers_the_same(billset, bus, merchant):
    shadow = Shadow(billset, "offers", "--asks", "20", command=own("offers")).await_start()
    asks_until_done(shadow, lambda: read_products(bus, merchant))
    status, out, err = shadow.end()
    compared = re.match(r"offers: (\d+) asks compared, 0 answered differently", out)
    assert status == 0 and compared and int(compared[1]) >= 20, out + err
    assert "offers.products.read.v1" in out


def test_a_difference_is_named_and_nothing_is_done(billset, bus, merchant):
    before = bus.ask("wallet.ledger.read.v1", {})["entries"]
    shadow = Shadow(billset, "offers", "--asks", "30", "--json", command=[sys.executable, "-c", WRONG])

    def ask():
        read_products(bus, merchant)
        # Asks that change something are given too.
        bus.ask("offers.subscription.set.v1", {
            "customer": new_id(), "merchant": merchant.account, "subscription": {"ads": False, "coupons": False}})

    asks_until_done(shadow, ask)
    status, out, err = shadow.end()
    report = json.loads(out)
    assert status == 1 and report["different"] >= 3, out + err
    # Others ask it too, such as who reads its facts.
    assert [(each["path"], each["live"], each["shadow"]) for each in report["differences"]
            if each["type"] == "offers.products.read.v1"] == [("data.types.count", "1", "0")], report
    assert any(each["type"] == "offers.subscription.set.v1" for each in report["types"]), report
    assert report["prevented"].get("wallet.transfer.post.v1", 0) >= 3, report
    assert bus.ask("wallet.ledger.read.v1", {})["entries"] == before


EXAMPLES = ROOT / "deploy" / "examples"


def example(name, **instead):
    """An example in Python as a command, with other texts in the place of some of its own."""
    source = (EXAMPLES / name).read_text()
    for old, new in instead.values():
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n{source}"]


def walk(bus, merchant, customers, place, latitude, steps):
    """Everybody walks to a place and away; what location then says of them is read after each step."""
    for step in steps:
        # None is as far away as another: of those the rules give no order.
        for number, customer in enumerate(customers):
            bus.ask("location.position.update.v1", {
                "customer": customer, "latitude": latitude + 180 * step + 45 * number, "longitude": -111_651_302})
            bus.ask("location.position.read.v1", {"customer": customer})
            bus.ask("location.merchants.find.v1", {"customer": customer, "limit": 10})
            with contextlib.suppress(Refused):
                bus.ask("location.presence.prove.v1", {"customer": customer, "merchant": merchant})
        bus.ask("location.customers.find.v1", {"merchant": merchant, "place": place, "limit": 100})
        bus.ask("location.places.read.v1", {"merchant": merchant})


def walks(bus):
    """Some hundred asks about people and places that are not known before, a kilometre or more from others."""
    latitude = random.randrange(-6_000, 6_000) * 10_000
    merchant, place, customers = new_id(), new_id(), [new_id() for _ in range(4)]
    bus.ask("location.place.put.v1", {
        "place": place, "merchant": merchant, "name": "Aspen", "latitude": latitude, "longitude": -111_651_302})
    for customer in customers:
        bus.ask("location.sharing.set.v1", {"customer": customer, "sharing": True})
    walk(bus, merchant, customers, place, latitude, range(0, 24, 2))
    bus.ask("location.sharing.set.v1", {"customer": customers[0], "sharing": False})
    with pytest.raises(Refused):
        bus.ask("location.position.read.v1", {"customer": customers[0]})


def same(shadow, service):
    """The report of a shadow that has seen enough and no difference."""
    status, out, err = shadow.end()
    compared = re.match(rf"{service}: (\d+) asks compared, 0 answered differently", out)
    assert status == 0 and compared and int(compared[1]) >= ENOUGH, out + err
    assert " missed" not in out, out
    return out


def test_a_correct_location_in_another_language_differs_in_nothing(billset, bus):
    shadow = Shadow(billset, "location", "--asks", str(ENOUGH), command=example("location.py")).await_start()
    asks_until_done(shadow, lambda: walks(bus))
    assert "not offered" not in same(shadow, "location")


class Neighbours:
    """Customers and merchants who ask each other for money, and read what they were told."""

    def __init__(self, billset, bus):
        self.bus, self.rounds = bus, 0
        self.customers, self.merchants = [billset.customer() for _ in range(3)], [billset.merchant() for _ in range(3)]
        for customer in self.customers:
            for merchant in self.merchants:
                bus.ask("payments.permission.set.v1", {
                    "customer": customer.account, "merchant": merchant.account, "allowed": True})
        self.seen, self.told = self.ask("facts.read", after=0, limit=1)["head"], 0

    def charge(self, customer, merchant):
        charge, amount = new_id(), usd(1)
        self.bus.ask("payments.charge.request.v1", {
            "charge": charge, "merchant": merchant.account, "customer": customer.account, "amount": amount, "memo": "Tea"})
        if self.rounds % 64 == 0:
            self.bus.ask("payments.charge.decline.v1", {"charge": charge, "customer": customer.account})
            return self.await_notices(3)
        self.bus.ask("payments.charge.approve.v1", {
            "charge": charge, "customer": customer.account, "card": customer.card, "amount": amount})
        # What is paid comes back, so that the cards never run empty.
        self.bus.ask("payments.charge.refund.v1", {
            "refund": new_id(), "charge": charge, "merchant": merchant.account, "amount": amount})
        self.await_notices(5)

    def await_notices(self, count):
        """Until so many more were told."""
        before = self.told

        def are_told():
            page = self.ask("facts.read", after=self.seen, limit=1000)
            self.seen += len(page["facts"])
            self.told += sum(fact["type"] == "notifications.notice.added.v1" for fact in page["facts"])
            return self.told >= before + count
        until(are_told, "notices")

    def round(self):
        customer, merchant = self.customers[self.rounds % 3], self.merchants[self.rounds // 3 % 3]
        self.charge(customer, merchant)
        for party in (customer, merchant):
            self.read(party.account)
        self.write(customer)
        self.rounds += 1

    def ask(self, kind, **data):
        return self.bus.ask(f"notifications.{kind}.v1", data)

    def read(self, account):
        newest = self.ask("inbox.read", account=account, limit=5)
        for notice in newest["notices"][:2]:
            self.ask("notice.read", account=account, notice=notice["notice"])
            self.ask("notice.mark", account=account, notice=notice["notice"])
        self.ask("inbox.read", account=account, limit=3, after=max(0, newest["head"] - 4))
        self.ask("inbox.read", account=account, limit=3, before=max(1, newest["head"] - 2))
        self.ask("inbox.read", account=account, limit=20, unread=True)
        with pytest.raises(Refused):
            self.ask("notice.read", account=account, notice=new_id())

    def write(self, customer):
        letter = {"notice": new_id(), "to": f"{customer.username}@example.com", "subject": "Tea", "text": "It is ready",
                  "expires": "2126-01-01T00:00:00.000Z"}
        assert [self.ask("mail.send", **letter)["replayed"] for _ in range(2)] == [False, True]
        for wrong in ({"text": "It is cold"}, {"notice": new_id(), "to": "nobody"}, {"notice": new_id(), "subject": "a\nb"}):
            with pytest.raises(Refused):
                self.ask("mail.send", **{**letter, **wrong})


def test_a_correct_notifications_in_another_language_differs_in_nothing(billset, bus):
    """Asked between the facts: of inboxes that change while they are read, the time decides what they say."""
    shadow = Shadow(billset, "notifications", "--asks", str(ENOUGH), command=example("notifications.py")).await_start()
    asks_until_done(shadow, Neighbours(billset, bus).round)
    same(shadow, "notifications")


def test_one_that_rounds_otherwise_is_shown_with_the_values(billset, bus):
    wrong = example("location.py", step=("SURELY_LEFT, MERCHANTS_WITHIN, STEP = 100, 150, 300, 200, 25",
                                         "SURELY_LEFT, MERCHANTS_WITHIN, STEP = 100, 150, 300, 200, 20"))
    shadow = Shadow(billset, "location", "--asks", "200", command=wrong).await_start()
    walks(bus)
    status, out, err = shadow.end()
    found = re.findall(r"^  (\S+)  (data\S+)  \d+×, first: live (\S+), shadow (\S+)$", out, re.MULTILINE)
    assert status == 1 and found, out + err
    distances = [(int(live), int(shadow)) for _, path, live, shadow in found if path.endswith("istanceMetres")]
    assert distances and all(live % 25 == 0 and shadow % 20 == 0 for live, shadow in distances), found


def test_the_live_data_are_copied_for_a_program_that_can_read_them(billset, bus, merchant):
    customer = new_id()
    bus.ask("offers.subscription.set.v1", {
        "customer": customer, "merchant": merchant.account, "subscription": {"ads": False, "coupons": True}})
    shadow = Shadow(billset, "offers", "--copy", "--asks", "20", command=own("offers")).await_start()
    read = lambda: bus.ask("offers.subscriptions.read.v1", {"customer": customer, "limit": 10})  # noqa: E731
    assert read()["subscriptions"], "there is something to know from before"
    asks_until_done(shadow, read)
    status, out, err = shadow.end()
    assert status == 0 and ", 0 answered differently" in out, out + err


@pytest.mark.parametrize("service, command, status, says", [
    ("offers", ["/bin/false"], 2, "ended with status 1"),
    ("offers", ["no-such-program"], 64, "no executable 'no-such-program'"),
    ("nobody", ["/bin/true"], 2, "nobody serves nobody"),
])
def test_what_cannot_be_done_is_said_in_a_line(billset, service, command, status, says):
    ended, out, err = Shadow(billset, service, command=command).end()
    assert (ended, out) == (status, "") and says in err and err.startswith("billfold: "), err


@pytest.mark.parametrize("option", ["--data", "--operator-key"])
def test_a_path_that_is_not_there_is_said_before_anything_is_started(billset, tmp_path, option):
    status, out, err = Shadow(billset, "offers", option, str(tmp_path / "nothing"), command=own("offers")).end()
    assert (status, out) == (64, "") and err.startswith(f"billfold: {option} cannot be read"), err


def test_who_cannot_read_the_key_watches_nothing(billset, tmp_path):
    key = tmp_path / "operator.key"
    key.write_bytes(bytes(32))
    status, out, err = Shadow(billset, "offers", "--operator-key", str(key), command=own("offers")).end()
    assert status == 2 and "its key is another" in err, err


def test_ctrl_c_ends_it_with_its_report(billset, bus):
    shadow = Shadow(billset, "offers", command=own("offers")).await_start()
    shadow.process.send_signal(signal.SIGINT)
    status, out, err = shadow.end()
    assert status == 2 and "0 asks compared" in out and "no ask was answered by both" in err, out + err
