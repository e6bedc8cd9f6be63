"""Coupons and money end together, however often offers is killed. Payments is one in Python here, which does what it says."""

import json
import random
import threading

import pytest
import zmq

import billfold
from billfold import PATIENCE, SEED, Refused, Set, Threads, envelope, new_id, preloaded, until, usd
from test_offers import COUPON, Administrator, facts, live, now, shown, subscribe

LIMIT, CHARGES, KILLS = 30, 90, 8


class Payments:
    """A source of facts and a service in 7/MDP: its charges are what it says, and so is what it tells of them."""

    def __init__(self, run):
        self.run = run
        self.log, self.states = [], {}
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join(PATIENCE)

    def tell(self, type, state, charge, **data):
        self.states[charge] = state
        self.log.append(envelope(
            f"payments.charge.{type}.v1", {"charge": charge, **data, "time": now()}, sequence=f"{len(self.log) + 1:020}")
            | {"source": "payments"})

    def answer(self, ask):
        if ask["type"] == "payments.facts.read.v1":
            after = ask["data"]["after"]
            return {"facts": self.log[after:after + ask["data"]["limit"]], "head": len(self.log)}
        if ask["type"] == "payments.charge.read.v1":
            state = self.states.get(ask["data"]["charge"])
            if state is None:
                return None
            return {
                "charge": ask["data"]["charge"], "state": state, "merchant": new_id(), "merchantName": "",
                "customer": ask["data"]["party"], "amount": usd(1), "memo": "", "requested": now(), "refunded": usd(0)}
        return {"service": "payments", "uptimeMilliseconds": 0, "residentKiB": 0, "metrics": []}

    def serve(self):
        with zmq.Context() as context, context.socket(zmq.DEALER) as asks, context.socket(zmq.PUB) as heads:
            asks.linger = heads.linger = 200
            asks.connect(f"ipc://{self.run}/asks.sock")
            heads.connect(f"ipc://{self.run}/facts-in.sock")
            asks.send_multipart([b"", b"MDPW01", b"\1", b"payments"])
            while not self.ending.is_set():
                head = envelope("payments.facts.head.v1", {"head": len(self.log)}) | {"source": "payments"}
                heads.send_multipart([b"payments.facts.head.v1\0", json.dumps(head).encode()])
                if not asks.poll(50):
                    asks.send_multipart([b"", b"MDPW01", b"\4"])
                    continue
                frames = asks.recv_multipart()[1:]
                if frames[1] != b"\2":
                    continue
                ask = json.loads(frames[4])
                data = self.answer(ask)
                fault = {"type": "urn:billfold:fault:payments.charge_not_found", "title": "There is no such charge",
                         "status": 404, "code": "payments.charge_not_found", "retry": "never"}
                reply = envelope(ask["type"] + (".reply" if data else ".fault"), data or fault, causationid=ask["id"])
                asks.send_multipart([b"", b"MDPW01", b"\3", frames[2], b"", json.dumps(reply).encode()])
            asks.send_multipart([b"", b"MDPW01", b"\5"])


@pytest.fixture
def set():
    made = Set(BILLFOLD_RESERVATION_GRACE_SECONDS="1").start(*(name for name in billfold.NAMES if name != "payments"))
    try:
        yield made
        made.all_run()
    finally:
        made.close()


def reserve(bus, data):
    """Asks until it is known: True if reserved, False if used up."""
    while True:
        try:
            assert bus.ask("offers.coupon.reserve.v1", data)["discount"] == usd(500)
            return True
        except Refused as refused:
            if refused.code == "offers.coupon_used_up":
                return False
            assert refused.problem["retry"] != "never", refused.problem


def test_coupons_follow_the_money_through_kills(set):
    rng = random.Random(SEED)
    with Payments(set.run) as payments, set.bus() as bus:
        set.await_health()
        root, merchant = Administrator(set), set.merchant()
        customers = [set.customer(card=False) for _ in range(3)]
        for one in customers:
            subscribe(one, merchant)
        coupon, other = (live(merchant, root, {**COUPON, "usesPerCustomer": 1000, "usesInAll": LIMIT}) for _ in "12")

        done = threading.Event()

        def killer():
            kills = 0
            while not done.is_set() or kills < KILLS:
                done.wait(rng.uniform(0.05, 0.4))
                set.kill("offers")
                set.start("offers")
                kills += 1

        threads = Threads()
        threads.run(killer)
        redeemed, left = {}, []
        for _ in range(CHARGES):
            charge, customer = new_id(), rng.choice(customers)
            end = rng.choice(["with", "with", "without", "declined", "expired", "never"])
            data = {"coupon": coupon, "charge": charge, "customer": customer.account, "merchant": merchant.account,
                    "amount": usd(1000), "expires": now(0.5 if end == "never" else 600)}
            if not reserve(bus, data):
                left.append(charge)
                continue
            if rng.random() < 0.3:
                reserve(bus, data)  # again, as who did not hear the answer
            if rng.random() < 0.3:
                reserve(bus, {**data, "coupon": other})  # another one was tried for the same charge
            parties = {"merchant": merchant.account, "customer": customer.account}
            if end == "with":
                redeemed[charge] = customer.account
                payments.tell("captured", "captured", charge, **parties, card=new_id(), amount=usd(500), memo="", entry=1,
                              coupon=coupon, discount=usd(500))
            elif end == "without":
                payments.tell("captured", "captured", charge, **parties, card=new_id(), amount=usd(1000), memo="", entry=1)
            elif end != "never":
                payments.tell("closed", end, charge, **parties, amount=usd(1000), reason=end)
        done.set()
        threads.join()
        set.await_health()

        until(lambda: len(facts(bus, "offers.coupon.redeemed.v1")) >= len(redeemed), "all redemptions to be told")
        told = facts(bus, "offers.coupon.redeemed.v1")
        assert {one["charge"]: one["customer"] for one in told} == redeemed
        assert len(told) == len(redeemed) <= LIMIT
        assert {one["coupon"] for one in told} == {coupon} and all(one["discount"] == usd(500) for one in told)

        # Whatever was not redeemed is free again: so many uses are left, and not one more.
        def free(of):
            """Whether all that are not redeemed can be reserved; gives them back."""
            uses = LIMIT - (len(redeemed) if of == coupon else 0)
            person, taken = customers[0].account, []
            for _ in range(uses + 1):
                charge = new_id()
                data = {"coupon": of, "charge": charge, "customer": person, "merchant": merchant.account,
                        "amount": usd(1000), "expires": now(600)}
                if not reserve(bus, data):
                    break
                taken.append(charge)
            assert len(taken) <= uses
            for charge in taken:
                payments.tell("closed", "declined", charge, merchant=merchant.account, customer=person,
                              amount=usd(1000), reason="declined")
            return len(taken) == uses

        until(lambda: free(coupon), "what was released to be free again")
        until(lambda: free(other), "what was tried in vain to be free again")
        assert [deal["offer"] for deal in customers[0].get("/v1/deals/history").body["used"]] == [coupon] * min(
            20, sum(owner == customers[0].account for owner in redeemed.values()))
        if len(redeemed) < LIMIT:
            until(lambda: coupon in shown(customers[0]), "the coupon to be shown")


def test_a_sync_that_fails_behind_a_reservation_ends_offers_and_loses_nothing(set, tmp_path):
    """The kernel reports a failed write once: what was answered without a sync is brought to the disk by the next start."""
    library, mark = preloaded("failingdisk.c", tmp_path), tmp_path / "fails"
    with Payments(set.run), set.bus() as bus:
        set.await_health()
        root, merchant, customer = Administrator(set), set.merchant(), set.customer(card=False)
        subscribe(customer, merchant)
        coupon = live(merchant, root, {**COUPON, "usesInAll": 1})
        set.stop("offers")
        set.processes["offers"] = set.spawn("offers", LD_PRELOAD=str(library), DISK_FAILS_FILE=str(mark))
        set.await_health()
        data = {"coupon": coupon, "charge": new_id(), "customer": customer.account, "merchant": merchant.account,
                "amount": usd(1000), "expires": now(600)}
        assert reserve(bus, data)
        mark.touch()
        assert customer.put(f"/v1/subscriptions/{merchant.account}", {"ads": False, "coupons": True}).status == 503
        assert set.processes["offers"].wait(PATIENCE) == 1
        assert "the process ends: the disk has failed" in set.log("offers")
        mark.unlink()
        set.start("offers")
        set.await_health()
        assert not reserve(bus, {**data, "charge": new_id()})
        assert reserve(bus, data)
