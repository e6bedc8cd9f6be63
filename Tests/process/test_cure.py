"""`billfold cure`: readers of a log that is another one than they have read, and of one with a gap, are seen and put right."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from billfold import ROOT, Refused, Set, new_key, post_payment, until, until_well, usd
from test_metrics import metrics, samples
from test_offers import AD, Administrator, live, submit
from test_up import UpSet


def head(set, service):
    with set.bus() as bus:
        return bus.ask(f"{service}.facts.read.v1", {"after": 0, "limit": 1})["head"]


def diverged(set):
    return {(labels["service"], labels["source"]) for name, labels, value in samples(metrics(set))
            if name == "billfold_facts_diverged" and value}


def position(set, service, source):
    """How far it has read, by its figures; nothing where it missed the look."""
    found = [value for name, labels, value in samples(metrics(set))
             if name == "billfold_facts_position" and (labels["service"], labels["source"]) == (service, source)]
    return found[0] if found else None


def pay(customer, merchant):
    return customer.post("/v1/payments", {"merchant": merchant.account, "amount": usd(1)}, key=new_key())


def well(set):
    return set.health()[0] == 200


@pytest.fixture(scope="module")
def house():
    """A set whose wallet and offers went on from an older copy of their data: each has a log of another history."""
    own = UpSet()
    try:
        own.up().await_health()
        own.person, own.shop = own.customer(), own.merchant()
        assert pay(own.person, own.shop).status == 201
        submit(own.shop, AD)
        until(lambda: own.billfold("verify").returncode == 0, "all facts to be read")
        copy = own.home / "copy"
        assert own.billfold("backup", str(copy)).returncode == 0
        own.old = {service: head(own, service) for service in ("wallet", "offers")}
        root = Administrator(own)
        for _ in range(3):
            assert pay(own.person, own.shop).status == 201
            live(own.shop, root, AD)  # the decision leads to a notice, with which the cursor is stored
        until(lambda: own.billfold("verify").returncode == 0, "all facts to be read")
        own.known = {service: head(own, service) for service in own.old}
        assert own.billfold("down").returncode == 0
        restored = own.billfold("restore", str(copy), "--only", "wallet", "--only", "offers", "--replace")
        assert restored.returncode == 0, restored
        # Ends with 1 where it sees already what is wrong.
        own.billfold("up", "-d")
        own.gateways += 1
        # Both logs grow past what was read: the numbers are there again, of other facts.
        with own.bus() as bus:
            posted = bus.pipeline([
                post_payment(own.person, own.shop, 2) for _ in range(own.known["wallet"] - own.old["wallet"] + 2)])
            assert all(answer["type"].endswith(".reply") for answer in posted), posted
        for _ in range(own.known["offers"] - own.old["offers"] + 2):
            submit(own.shop, AD)
        yield own
    finally:
        own.close()


def test_a_diverged_reader_is_seen_everywhere(house):
    readers = {("payments", "wallet"), ("notifications", "offers")}
    until(lambda: diverged(house) == readers, lambda: f"both to be seen, not {diverged(house)}")
    # The alert is of this figure.
    rules = (ROOT / "deploy" / "observability" / "alerts.yml").read_text()
    assert re.search(r"alert: BillfoldFactsDiverged\n +expr: billfold_facts_diverged > 0\n", rules)

    def unwell():
        status, services = house.health()
        return status == 503 and {name for name, isWell in services.items() if not isWell} == {"payments", "notifications"}
    until(unwell, "both to be unwell in /health")
    for command in ("status", "ps"):
        shown = until(lambda: (lambda done: all(f"it reads no more facts of {source}" in done.stdout for _, source in readers)
                               and done)(house.billfold(command)), f"{command} to say why")
        assert shown.returncode == 1 and "unwell" in shown.stdout, shown
    verified = house.billfold("verify")
    assert verified.returncode != 0, verified


def test_whoever_needs_the_facts_does_nothing_without_them(house):
    """Payments answers operators only, says why, and no money moves."""
    before = house.person.balance
    # On a busy machine the deadline may pass before the refusal comes: nothing moves then either.
    while (refused := pay(house.person, house.shop)).code == "bus.deadline_exceeded":
        pass
    assert (refused.status, refused.code) == (503, "bus.unavailable"), refused
    assert house.person.balance == before
    with house.bus() as bus, pytest.raises(Refused) as reason:
        bus.ask("payments.charges.read.v1", {"party": house.person.account, "limit": 1})
    assert "wallet's facts are not those that were read" in str(reason.value.problem), reason.value.problem


def test_a_cure_is_told_before_it_is_done(house):
    known, newest = house.known["offers"], head(house, "offers")
    planned = house.billfold("cure", "notifications")
    assert planned.returncode == 0, planned
    assert f"the cursor is at {known}, offers's log ends at {newest}; the cursor moves to {newest}" in planned.stdout
    assert f"left out: facts 1 to {newest}" in planned.stdout and "Nobody gets a notice" in planned.stdout
    assert "no money is moved" in planned.stdout and "nothing was changed" in planned.stdout
    until(lambda: ("notifications", "offers") in diverged(house), "it to be as it was")
    for words, status, says in (
        (("notifications", "--source", "auth"), 1, "nothing to cure"),
        (("notifications", "--source", "wallet"), 64, "does not read the facts of 'wallet'"),
        (("notifications", "--to", str(newest + 1)), 64, f"at most {newest}"),
        (("wallet",), 64, "no service that reads facts"),
    ):
        done = house.billfold("cure", *words, "--yes")
        assert done.returncode == status and says in done.stderr, done
    until(lambda: ("notifications", "offers") in diverged(house), "it to be as it was")
    # The cursor has moved since the operator read it.
    with house.bus() as bus, pytest.raises(Refused) as reason:
        bus.ask("notifications.cursor.move.v1", {"source": "offers", "from": known - 1, "to": newest}, retry="once")
    assert reason.value.code == "bus.malformed"


def test_a_reader_is_cured(house):
    """From the end of what both histories share, so that all facts of the new one are read."""
    shared = house.old["offers"]
    cured = house.billfold("cure", "notifications", "--to", str(shared), "--yes")
    assert cured.returncode == 0 and f"the cursor is at {shared}" in cured.stdout, cured
    assert f"left out: fact {shared} of" in cured.stdout, cured
    until(lambda: diverged(house) == {("payments", "wallet")}, "notifications to read again")
    submit(house.shop, AD)
    until(lambda: position(house, "notifications", "offers") == head(house, "offers"), "notifications to have read all")


def test_a_service_that_waits_is_cured_and_serves(house):
    shared = house.old["wallet"]
    cured = house.billfold("cure", "payments", "--source", "wallet", "--to", str(shared), "--yes")
    assert cured.returncode == 0, cured
    until(lambda: well(house), "all to be well")
    paid = pay(house.person, house.shop)
    assert paid.status == 201, paid
    # The payments of the new history have their receipts.
    charges = house.person.pages("/v1/charges", of="charges")
    assert len([charge for charge in charges if charge["amount"] == usd(2)]) == (
        house.known["wallet"] - house.old["wallet"] + 2)
    for command in ("status", "ps"):
        until_well(lambda: house.billfold(command), f"{command} to find all well")


def test_what_reads_is_not_moved(house):
    until(lambda: well(house), "all to be well")
    done = house.billfold("cure", "payments", "--yes")
    assert done.returncode == 1 and "nothing to cure" in done.stderr and "nothing was changed" in done.stderr, done
    with house.bus() as bus:
        with pytest.raises(Refused) as reason:
            bus.ask("payments.cursor.move.v1", {"source": "wallet", "from": head(house, "wallet"), "to": 0}, retry="once")
        assert reason.value.code == "bus.malformed" and "nothing to cure" in str(reason.value.problem)
        for role in ("customer", "administrator"):
            with pytest.raises(Refused) as reason:
                bus.ask("payments.cursor.move.v1", {"source": "wallet", "from": 0, "to": 0}, retry="once",
                        actor=f"{role}:{house.person.account}")
            assert reason.value.code == "bus.forbidden"


def test_a_reader_gets_past_a_fact_that_is_gone():
    own = Set().start()
    try:
        own.await_health()
        shop = own.merchant()
        until(lambda: own.command("verify").returncode == 0, "all facts to be read")
        own.stop("notifications")
        known = head(own, "offers")
        for _ in range(3):
            submit(shop, AD)
        own.stop("offers")
        with closing(sqlite3.connect(own.data / "offers" / "offers.sqlite")) as file, file:
            assert file.execute("DELETE FROM facts WHERE sequence = ?", (known + 1,)).rowcount == 1
        own.start("offers", "notifications")
        status = until(lambda: (lambda done: "it stands still behind the facts of offers" in done.stdout and done)(
            own.command("status")), "notifications to have stopped")
        assert status.returncode == 1, status
        until(lambda: own.health()[1].get("notifications") is False, "its health to say so")
        planned = own.command("cure", "notifications")
        assert planned.returncode == 0 and f"the cursor moves to {known + 1}" in planned.stdout, planned
        assert f"left out: fact {known + 1} of the log" in planned.stdout, planned
        assert own.command("cure", "notifications", "--yes").returncode == 0
        until(lambda: position(own, "notifications", "offers") == head(own, "offers"), "notifications to have read all")
        until(lambda: well(own), "all to be well")
        assert json.loads(own.command("verify", "--json").stdout)["checks"]
    finally:
        own.close()
