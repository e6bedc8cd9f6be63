"""A set with people, charges and coupons moves from one host into a cluster's database and bus, goes on there, and comes back."""

import pytest

from billfold import NAMES, Set, free_port, new_key, usd
from nats import NATS
from postgres import Postgres

SERVED = [name for name in NAMES if name != "broker"]
COUPON = {"kind": "coupon", "title": "Half price", "content": "All day", "discount": {"percent": 50}}


class History:
    """Answers to what was asked under a key: asked again, it is answered so again."""

    def __init__(self):
        self.asked = []

    def ask(self, person, path, body):
        key = new_key()
        answer = person.insist("POST", path, body, key=key)
        assert answer.status == 201, answer
        self.asked.append((person, path, body, key, answer.body))
        return answer.body

    def check(self):
        for person, path, body, key, before in self.asked:
            again = person.insist("POST", path, body, key=key)
            assert again.replayed, (path, again)
            # Of a request the answer says what came of it since.
            same = ("charge", "merchant", "requested") if path == "/v1/charges" else before.keys()
            assert {name: again.body[name] for name in same} == {name: before[name] for name in same}, (path, again)


def balances(people):
    return {person.username: person.balance for person in people}


def verified(of):
    done = of.command("verify")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def cluster():
    """The settings of two routed nats-servers, and of a PostgreSQL whose standby is named before it."""
    parts = []
    try:
        parts.append(primary := Postgres())
        parts.append(standby := primary.standby())
        routes = [free_port() for _ in range(2)]
        servers = [NATS(
            "--cluster_name", "test", "--cluster", f"nats://127.0.0.1:{own}",
            "--routes", ",".join(f"nats://127.0.0.1:{each}" for each in routes)) for own in routes]
        parts += servers
        yield {
            "BILLFOLD_STORE": f"postgres://billfold@127.0.0.1:{standby.port},127.0.0.1:{primary.port}/billfold",
            "BILLFOLD_BUS": ",".join(each.url for each in servers)}
    finally:
        for part in reversed(parts):
            part.close()


def live_coupon(root, merchant, customers):
    """A coupon that these customers may use once each."""
    offer = merchant.insist("POST", "/v1/offers", COUPON, key=new_key()).body["offer"]
    assert root.post(f"/v1/offers/{offer}/approval").status == 200
    for customer in customers:
        assert customer.put(f"/v1/subscriptions/{merchant.account}", {"ads": True, "coupons": True}).status == 200
    return offer


def test_a_set_moves_into_a_cluster_and_back(cluster, tmp_path):
    own = Set().start()
    try:
        own.await_health()
        root, merchant, ada, bob = own.administrator(), own.merchant(), own.customer(), own.customer()
        people = (merchant, ada, bob)
        coupon = live_coupon(root, merchant, (ada, bob))
        history = History()

        def pay(customer, minor):
            history.ask(customer, "/v1/payments", {"merchant": merchant.account, "amount": usd(minor)})

        def charge(customer, minor):
            return history.ask(merchant, "/v1/charges", {"customer": customer.account, "amount": usd(minor)})["charge"]

        def approve(customer, charge, **more):
            return customer.insist("POST", f"/v1/charges/{charge}/approval", more)

        pay(ada, 300)
        assert approve(ada, charge(ada, 200), coupon=coupon).body["amount"] == usd(100)
        history.ask(ada, "/v1/transfers", {"to": {"username": bob.username}, "amount": usd(50)})
        assert approve(bob, charge(bob, 70)).status == 200
        waiting = charge(bob, 80)
        before = balances(people)
        own.stop()

        own.environment.update(cluster)
        moved = own.command("move")
        assert moved.returncode == 0, moved
        own.start(*SERVED).await_health()
        assert not (own.run / "asks.sock").exists()
        assert balances(people) == before
        history.check()
        verified(own)
        # What was begun there is ended here.
        assert approve(bob, waiting).status == 200
        assert approve(bob, charge(bob, 200), coupon=coupon).body["amount"] == usd(100)
        assert approve(ada, charge(ada, 200), coupon=coupon).code == "offers.coupon_used_up"
        pay(bob, 25)
        assert bob.balance == before[bob.username] - 80 - 100 - 25
        before = balances(people)
        verified(own)

        saved = own.command("backup", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"))
        assert saved.returncode == 0, saved
        own.stop()
        for name in cluster:
            del own.environment[name]
        restored = own.command("restore", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"), "--replace")
        assert restored.returncode == 0, restored
        own.start().await_health()
        assert balances(people) == before
        history.check()
        pay(ada, 10)
        verified(own)
    finally:
        own.close()
