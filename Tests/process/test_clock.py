"""A clock that is wrong for a while: nothing is written while it is ahead, and nothing of it stays when it is right again."""

import json
import struct
import time

import pytest

from billfold import PATIENCE, Refused, Set, new_id, post_payment, preloaded, until, usd

DAY = 86_400


class SetWithClock(Set):
    """A set whose machine has a clock of its own, as long as it runs; the time since boot is the real one."""

    def __init__(self):
        super().__init__()
        library = preloaded("wrongclock.c", self.home)
        self.clock = self.home / "clock"
        self.clock.write_bytes(bytes(8))
        self.ahead = 0
        self.environment |= {"LD_PRELOAD": str(library), "CLOCK_AHEAD_FILE": str(self.clock)}

    def set_clock(self, ahead):
        with open(self.clock, "r+b") as clock:
            clock.write(struct.pack("=q", ahead))
        self.ahead = ahead

    def now(self, after=0):
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + self.ahead + after))

    def ask(self, bus, type, data=None):
        return bus.data(self.raw(bus, {"specversion": "1.0", "id": new_id(), "source": "tests", "type": type,
                                       "data": data or {}}))

    def raw(self, bus, message):
        return bus.raw(message, deadline_ms=int((time.time() + self.ahead + PATIENCE) * 1000))

    def log_in(self, person):
        answer = person.post(
            "/v1/sessions", {"username": person.username, "password": person.PASSWORD}, token=None)
        assert answer.status == 201, answer
        person.token = answer.body["token"]


@pytest.fixture(scope="module")
def own():
    made = SetWithClock().start()
    try:
        made.await_health()
        yield made
        made.all_run()
    finally:
        made.close()


@pytest.fixture(scope="module")
def customer(own):
    return own.customer()


@pytest.fixture(scope="module")
def merchant(own):
    return own.merchant()


def place_hold(own, bus, customer, merchant, seconds):
    hold = new_id()
    own.ask(bus, "wallet.hold.place.v1", {
        "hold": hold, "customer": customer.account, "merchant": merchant.account, "amount": usd(10),
        "expires": own.now(seconds)})
    return hold


def capture(own, bus, hold):
    return own.ask(bus, "wallet.hold.capture.v1", {"operation": new_id(), "hold": hold})


def refuses(own, bus, customer, merchant):
    """Waits until the wallet is not well; a payment is refused so that it can be tried again, and nothing is written."""
    before = own.ask(bus, "wallet.ledger.read.v1")
    until(lambda: own.health()[1].get("wallet") is False, "the wallet not to be well")
    with pytest.raises(Refused) as refused:
        bus.data(own.raw(bus, post_payment(customer, merchant, 1)))
    assert refused.value.code == "bus.unavailable" and refused.value.problem["retry"] == "same_key"
    assert "wrote nothing" in refused.value.problem["detail"]
    until(lambda: 'billfold_clock_refusing{service="wallet"} 1' in customer.twin().get("/metrics", token=None).raw.decode(),
          "the wallet's figure")
    assert own.ask(bus, "wallet.ledger.read.v1") == before


def test_nothing_is_written_while_the_clock_is_ahead_and_all_goes_on_when_it_is_right(own, customer, merchant):
    with own.bus() as bus:
        hold = place_hold(own, bus, customer, merchant, 600)
        own.set_clock(10 * DAY)
        refuses(own, bus, customer, merchant)
        assert "the clock is ahead of what the ledger knows" in own.log("wallet")
        own.set_clock(0)
        own.await_health()
        assert "the clock is right again" in own.log("wallet")
        taken = capture(own, bus, hold)["result"]
        paid = bus.data(own.raw(bus, post_payment(customer, merchant, 1)))["result"]
        for moment in (taken["time"], paid["time"]):
            assert moment < own.now(60)
    verified = own.command("verify")
    assert verified.returncode == 0, verified


def test_a_start_with_a_clock_that_cannot_be_right_writes_nothing(own, customer, merchant):
    own.stop()
    own.set_clock(100 * DAY)
    own.start()
    with own.bus() as bus:
        until(lambda: own.health()[1].get("wallet") is False, "the wallet not to be well")
        refuses(own, bus, customer, merchant)
        own.set_clock(0)
        own.await_health()
        bus.data(own.raw(bus, post_payment(customer, merchant, 1)))


def test_times_of_the_future_that_are_in_the_ledger_stop_nothing_and_are_named(own, customer, merchant):
    own.stop()
    own.set_clock(10 * DAY)
    own.start().await_health()
    own.log_in(customer)
    with own.bus() as bus:
        hold = place_hold(own, bus, customer, merchant, 600)
        future = bus.data(own.raw(bus, post_payment(customer, merchant, 1)))["result"]["time"]
        assert future > own.now(-DAY)
        for _ in range(5):
            wrong = customer.post("/v1/pin/verifications", {"pin": "9999"})
        assert wrong.code == "auth.pin_wrong" and wrong.headers["Retry-After"] == "30"
    own.stop()
    own.set_clock(0)
    own.start().await_health()

    # The wait after wrong PINs is no longer than its rule.
    own.log_in(customer)
    delayed = customer.post("/v1/pin/verifications", {"pin": customer.pin})
    assert delayed.code == "auth.pin_delayed" and int(delayed.headers["Retry-After"]) <= 30, delayed
    with own.bus() as bus:
        # Holds can be captured, and end when they are to.
        assert capture(own, bus, hold)["result"]["time"] < own.now(60)
        available = own.ask(bus, "wallet.card.read.v1", {"customer": customer.account})["available"]
        place_hold(own, bus, customer, merchant, 6)

        def is_free():
            return own.ask(bus, "wallet.card.read.v1", {"customer": customer.account})["available"] == available

        until(is_free, "the hold to expire")
        assert bus.data(own.raw(bus, post_payment(customer, merchant, 1)))["result"]["time"] < own.now(60)
        bus.check_ledger()
    # Times stay as they are. They are told, and are no reason to stop payments.
    verified = own.command("verify")
    assert verified.returncode == 0, verified
    assert "in the future (up to " + future[:10] in verified.stdout
    assert "a clock was wrong" in verified.stdout and verified.stdout.rstrip().endswith("all is right")
    times = json.loads(own.command("verify", "--json").stdout)["wrongTimes"]
    assert times and all(each.endswith(": a clock was wrong") for each in times)
