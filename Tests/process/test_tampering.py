"""Somebody with write access to the ledger's file changes it while the wallet is stopped: the check of the ledger says so."""

import json
import shutil
import sqlite3
import time
from contextlib import closing

import pytest

from billfold import Refused, Set, new_id, new_key, post_payment, until, usd

UNLOCKED = """
    DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; DROP TRIGGER journal_keeps; DROP TRIGGER journal_stays;
    PRAGMA ignore_check_constraints = ON;
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A ledger with cards, payments, a refund and holds, as a stopped set has left it; a backup, and a newer one."""
    own = Set().start()
    try:
        own.await_health()
        house = type("House", (), {})()
        house.set, house.path = own, tmp_path_factory.mktemp("tampering")
        house.merchant, house.victim, house.thief = own.merchant(), own.customer(), own.customer()
        paid = house.victim.paid(house.merchant, 300)
        house.paid = paid["charge"]
        refunded = house.merchant.post(
            f"/v1/charges/{house.paid}/refunds", {"amount": usd(100)}, key=new_key())
        assert refunded.status in (200, 201), refunded
        with own.bus() as bus:
            house.hold = new_id()
            bus.ask("wallet.hold.place.v1", {
                "hold": house.hold, "customer": house.victim.account, "merchant": house.merchant.account,
                "amount": usd(50), "expires": later()})
            bus.ask("wallet.hold.capture.v1", {"operation": new_id(), "hold": house.hold})
            house.declined = new_id()
            with pytest.raises(Refused):
                bus.data(bus.raw(post_payment(house.thief, house.merchant, 99_999_99, house.declined)))
            house.victim.paid(house.merchant, 1)
        assert own.command("backup", str(house.path / "first")).returncode == 0
        own.stop()
        shutil.copytree(own.data, house.path / "old")
        own.start().await_health()
        for _ in range(3):
            house.victim.paid(house.merchant, 2)
        assert own.command("backup", str(house.path / "second")).returncode == 0
        until(lambda: own.command("verify").returncode == 0, "all to have arrived")
        own.stop()
        shutil.copytree(own.data, house.path / "new")
        yield house
    finally:
        own.close()


def later():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 3600))


def put(house, name):
    house.set.stop()
    shutil.rmtree(house.set.data)
    shutil.copytree(house.path / name, house.set.data)


def tamper(house, sql):
    with closing(sqlite3.connect(house.set.data / "wallet" / "ledger.sqlite")) as file:
        file.executescript(UNLOCKED)
        before = list(file.iterdump())
        file.executescript(sql)
        assert list(file.iterdump()) != before, "nothing was changed"
        file.commit()


def problems(bus):
    found, after = [], 0
    while after is not None:
        part = bus.ask("wallet.ledger.verify.v1", {"after": after, "limit": 10})
        found += part["problems"]
        after = part.get("next")
    return found


def attacks(house):
    thief = f"x'{house.thief.account}'"
    card = f"x'{house.victim.card}'"
    return {
        "a card's owner": f"UPDATE accounts SET owner = {thief} WHERE id = {card}",
        "a card's owner in all tables": f"""
            UPDATE accounts SET owner = {thief} WHERE id = {card};
            UPDATE cards SET customer = {thief}, position = 9999 WHERE card = {card};""",
        "a deleted refund": f"DELETE FROM refunds WHERE payment = x'{house.paid}'",
        "a smaller refund": f"UPDATE refunds SET refunded = 1 WHERE payment = x'{house.paid}'",
        "a hold that is open again": f"UPDATE holds SET state = 0, captured = 0, ended = NULL WHERE id = x'{house.hold}'",
        "a hold's amount": f"UPDATE holds SET amount = 5000 WHERE id = x'{house.hold}'",
        "an operation's key": f"UPDATE journal SET operation = x'{new_id()}' WHERE operation = x'{house.paid}'",
        "a key that is forgotten everywhere": f"""
            UPDATE journal SET operation = x'{"0" * 32}' WHERE operation = x'{house.declined}';
            UPDATE operations SET key = x'{"0" * 32}' WHERE key = x'{house.declined}';""",
        "an operation's fingerprint": f"UPDATE journal SET fingerprint = zeroblob(16) WHERE operation = x'{house.paid}'",
        "an operation's outcome": f"""
            UPDATE journal SET kind = 5, body = (SELECT body FROM journal WHERE kind = 4 LIMIT 1)
            WHERE operation = x'{house.declined}'""",
        "a balance": f"UPDATE accounts SET balance = balance + 1 WHERE id = {card}",
        "two balances as they were before": f"""
            UPDATE accounts SET through_entry = entry.number, balance = entry.debit_after
            FROM entries AS entry WHERE entry.operation = x'{house.paid}' AND accounts.id = entry.debit;
            UPDATE accounts SET through_entry = entry.number, balance = entry.credit_after
            FROM entries AS entry WHERE entry.operation = x'{house.paid}' AND accounts.id = entry.credit;""",
        "the last entries": "DELETE FROM entries WHERE number > (SELECT max(number) - 2 FROM entries)",
    }


def test_what_was_changed_in_the_file_is_found(house):
    unnoticed = []
    for name, sql in attacks(house).items():
        put(house, "new")
        tamper(house, sql)
        house.set.start("broker", "wallet")
        with house.set.bus() as bus:
            if not problems(bus):
                unnoticed.append(name)
    assert unnoticed == []
    put(house, "new")
    house.set.start("broker", "wallet")
    with house.set.bus() as bus:
        assert problems(bus) == []


CUT = """
    DELETE FROM entries WHERE operation IN (SELECT operation FROM journal WHERE sequence > {0});
    DELETE FROM operations WHERE place > {0};
    DELETE FROM journal WHERE sequence > {0};
    UPDATE operations_follow SET through = min(through, {0});
    UPDATE accounts_follow SET through = min(through, (SELECT max(number) FROM entries));
    UPDATE accounts SET through_entry = newest.number, balance = newest.balance
    FROM (
        SELECT account, balance, max(number) AS number FROM (
            SELECT debit AS account, debit_after AS balance, number FROM entries
            UNION ALL SELECT credit, credit_after, number FROM entries)
        GROUP BY account
    ) AS newest WHERE newest.account = accounts.id;
"""


def test_an_end_that_was_cut_off_is_found_and_no_money_moves(house):
    put(house, "new")
    head = json.loads((house.set.data / "wallet" / "ledger.sqlite.head.json").read_text())["services"][0]["head"]
    tamper(house, CUT.format(head - 2))
    house.set.start("broker", "wallet")
    with house.set.bus() as bus:
        found = problems(bus)
        assert len(found) == 1 and "facts are missing at its end" in found[0], found
        with pytest.raises(Refused) as refused:
            bus.data(bus.raw(post_payment(house.victim, house.merchant, 1)))
        assert refused.value.code == "bus.unavailable"
        assert "not whole" in refused.value.problem["detail"]
    assert "the ledger is not whole" in house.set.log("wallet")


def test_a_head_that_is_gone_is_noticed(house):
    """Whoever cuts off the end can take the head away too."""
    put(house, "new")
    head = house.set.data / "wallet" / "ledger.sqlite.head.json"
    kept = head.read_bytes()
    head.unlink()
    house.set.start()
    try:
        with house.set.bus() as bus:
            with pytest.raises(Refused) as refused:
                bus.data(bus.raw(post_payment(house.victim, house.merchant, 1)))
            assert refused.value.code == "bus.unavailable"
        assert "head.json is missing" in house.set.log("wallet")
        # Services that still start are not read: nothing is known then, with status 2.
        until(lambda: house.set.command("verify").returncode != 2, "the set to be read")
        verified = house.set.command("verify")
        assert verified.returncode == 1 and "head.json is missing" in verified.stdout, verified
    finally:
        house.set.stop()
        head.write_bytes(kept)


def test_an_older_state_of_everything_is_found_by_a_manifest_kept_elsewhere(house):
    put(house, "old")
    house.set.start().await_health()
    # All of it fits together.
    assert house.set.command("verify").returncode == 0
    assert house.set.command("verify", "--backup", str(house.path / "first")).returncode == 0
    verified = house.set.command("verify", "--backup", str(house.path / "second"))
    assert verified.returncode == 1 and "facts are missing at its end" in verified.stdout, verified
    # The wallet knows by itself where it is told of the manifest.
    house.set.stop("wallet")
    house.set.environment["BILLFOLD_LEDGER_ANCHOR"] = str(house.path / "second" / "manifest.json")
    try:
        house.set.start("wallet")
        until(lambda: house.set.health()[1].get("wallet") is False, "the wallet not to be well")
        assert "the ledger is not whole" in house.set.log("wallet")
    finally:
        del house.set.environment["BILLFOLD_LEDGER_ANCHOR"]


def test_a_restore_of_an_older_backup_takes_the_head_back_with_it(house):
    put(house, "new")
    restored = house.set.command("restore", str(house.path / "first"), "--replace")
    assert restored.returncode == 0 and "the ledger goes back from fact" in restored.stdout, restored
    house.set.start().await_health()
    verified = house.set.command("verify", "--json")
    assert verified.returncode == 0, verified
    manifest = json.loads((house.path / "first" / "manifest.json").read_text())
    ledger = next(entry for entry in manifest["services"] if entry["service"] == "wallet")
    shown = json.loads(verified.stdout)
    assert (shown["sequence"], shown["chain"]) == (ledger["head"], ledger["chain"])
    house.victim.paid(house.merchant, 1)
    # Forward again, to what went on otherwise from there.
    house.set.stop()
    restored = house.set.command("restore", str(house.path / "second"), "--replace")
    assert restored.returncode == 0 and "goes back" not in restored.stdout, restored
