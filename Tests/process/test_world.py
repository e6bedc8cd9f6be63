"""`billfold demo --world`: a small town on a real set, from its first start to its second."""

import signal
import subprocess
from contextlib import contextmanager

import pytest

from billfold import BINARIES, PATIENCE, Client, Set, new_key, until

PASSWORD = "demo-password"


@pytest.fixture(scope="module")
def town():
    """A set that expects many newcomers, with merchants who wait for the clerk."""
    made = Set(
        BILLFOLD_MERCHANT_APPROVAL="manual", BILLFOLD_CHARGE_PRESENCE="known", BILLFOLD_TRIES_PER_ADDRESS="6000").start()
    try:
        made.await_health()
        stop_while_moving_in(made)
        yield made
        made.all_run()
    finally:
        made.close()


def stop_while_moving_in(set):
    """The town's second customer, as a town leaves him that ends between his card and his first purchase."""
    made = Client(set).post("/v1/customers", {
        "username": "ben.hayes", "password": PASSWORD, "confirmPassword": PASSWORD, "name": "Ben Hayes",
        "email": "ben.hayes@flagstaff.example", "birthdate": "1990-05-17", "student": False}, key=new_key())
    assert made.status == 201, made
    ben = Login(set, "ben.hayes")
    assert ben.put("/v1/pin", {"password": PASSWORD, "pin": "1234"}).status == 204
    assert ben.post("/v1/pin/verifications", {"pin": "1234"}).status == 200
    card = {"number": "4000661000000001", "code": "12345678"}
    assert ben.post("/v1/cards", card, key="town-card").status == 201


@contextmanager
def played(set, *options):
    """The town while it is played."""
    process = subprocess.Popen(
        [BINARIES / "billfold", "demo", "--world", "--people", "3", *options], env=set.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
        assert process.poll() is None, process.stdout.read()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        process.stdout.close()


def says(process, words):
    for line in process.stdout:
        if words in line:
            return
    raise AssertionError(f"the town never said {words!r}")


class Login(Client):
    def __init__(self, set, username):
        super().__init__(set)
        answer = self.post("/v1/sessions", {"username": username, "password": PASSWORD})
        assert answer.status == 201, answer
        self.token, self.account = answer.body["token"], answer.body["session"]["account"]


def figures(clerk):
    """All that a second start could double."""
    tables = {name: clerk.get(f"/v1/tables?name={name}&limit=100").body["rows"] for name in (
        "Customers", "Merchants", "merchantLocation", "coupons", "advertisements", "subscribeForCoupons")}
    books = clerk.get("/v1/books").body
    cards = next(kind["count"] for kind in books["accounts"] if kind["kind"] == "card")
    return {name: len(rows) for name, rows in tables.items()}, cards


def test_a_town_is_there_and_a_restart_doubles_nobody(town):
    with played(town) as process:
        says(process, "30 shops are open")
        says(process, "3 people live in the town")
    clerk = Login(town, "clerk")
    before = figures(clerk)
    tables, cards = before
    assert (tables["Merchants"], tables["merchantLocation"], cards) == (30, 30, 3)
    assert tables["coupons"] + tables["advertisements"] >= 30 and tables["subscribeForCoupons"] == 9
    ben = Login(town, "ben.hayes")
    assert len(ben.get("/v1/history").body["charges"]) >= 1 and ben.get("/v1/location").status == 200
    # What people see on their first look: somebody nearby, a purchase, a shop on the map, a coupon.
    ada = Login(town, "ada.abbott")
    activities = ada.get("/v1/activities").body["activities"]
    assert [one["kind"] for one in activities if one["kind"] == "payment"] == ["payment"]
    assert ada.get("/v1/cards/default").body["balance"]["amount"] < 1650
    shop = Login(town, activities[0]["counterpartyUsername"])
    place = shop.get("/v1/places").body["places"][0]
    at = f"latitude={place['latitude']}&longitude={place['longitude']}"
    assert ada.get(f"/v1/coupons?{at}").status == 200
    until(lambda: ada.get("/v1/merchants/nearby").status == 200, "ada to be somewhere")
    assert clerk.get("/v1/books").body["total"]["amount"] == 0

    entries = clerk.get("/v1/books").body["entries"]
    with played(town) as process:
        says(process, "3 people live in the town")
    assert figures(clerk) == before
    # What moved meanwhile are purchases of trips, not a second first one.
    newest = ada.get("/v1/activities").body["activities"]
    assert len(newest) - len(activities) <= clerk.get("/v1/books").body["entries"] - entries


def test_another_machine_gets_no_town(town):
    """Everybody knows the password of its accounts."""
    for other in ("192.0.2.1:8080", "127.0.0.1:1"):
        refused = town.command("demo", "--world", "--http", other)
        assert refused.returncode == 64 and "is not that of the set in" in refused.stderr, refused
    # Nobody here knows where the gateway of a set on another host listens.
    far = town.command("demo", "--world", "--bus", "nats://192.0.2.1:4222", "--http", f"127.0.0.1:{town.port}")
    assert far.returncode == 64 and "says on this host where it listens" in far.stderr, far
    # A gateway that listens on all addresses is in reach of other machines, also where it is named by this one's.
    address = town.run / "gateway.address"
    said = address.read_text()
    address.write_text(f"127.0.0.1:{town.port}\n0.0.0.0:{town.port}\n")
    try:
        open_to_all = town.command("demo", "--world")
        assert open_to_all.returncode == 64 and f"listens on 0.0.0.0:{town.port}" in open_to_all.stderr, open_to_all
    finally:
        address.write_text(said)
    assert town.command("demo", "--world", "--people", "0").returncode == 64


def test_a_username_of_somebody_else_stops_it(town):
    with_other = Set(
        BILLFOLD_MERCHANT_APPROVAL="manual", BILLFOLD_CHARGE_PRESENCE="known", BILLFOLD_TRIES_PER_ADDRESS="6000").start()
    try:
        with_other.await_health()
        made = with_other.command("administrator", "clerk", input="another password\n")
        assert made.returncode == 0, made
        stopped = with_other.command("demo", "--world")
        assert stopped.returncode == 1 and "somebody else has the username clerk" in stopped.stderr
    finally:
        with_other.close()
