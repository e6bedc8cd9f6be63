"""`billfold backup`, `restore` and `verify`: copies while people pay, a set made of them, old copies and damage noticed."""

import json
import shutil
import sqlite3
import threading
from contextlib import closing, contextmanager

import pytest
import zmq

import billfold
from billfold import OWNERS, PATIENCE, Set, Threads, new_id, new_key, post_payment, until, usd, verification


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A backup that was made while three customers paid; and what had been acknowledged when it began."""
    own = Set().start()
    try:
        own.await_health()
        house = type("House", (), {})()
        house.set, house.path = own, tmp_path_factory.mktemp("backups")
        house.merchant = own.merchant()
        customers = [own.customer() for _ in range(3)]
        house.customers = customers
        stop, acknowledged, threads = threading.Event(), [], Threads()
        underway = threading.Semaphore(0)

        def pay(customer):
            twin = customer.twin()
            while not stop.is_set():
                answer = twin.insist(
                    "POST", "/v1/payments", {"merchant": house.merchant.account, "amount": usd(1)}, key=new_key())
                if answer.status == 402:
                    customer.reload(1000)
                    continue
                assert answer.status == 201, answer
                acknowledged.append(answer.body["charge"])
                underway.release()

        for customer in customers:
            threads.run(pay, customer)
        for _ in range(100):
            assert underway.acquire(timeout=PATIENCE)
        house.before = list(acknowledged)
        house.backup, house.keys = house.path / "first", house.path / "vault"
        house.made = own.command("backup", str(house.backup), "--keys", str(house.keys))
        house.verified_under_load = own.command("verify")
        stop.set()
        threads.join()
        house.after = list(acknowledged)
        yield house
    finally:
        own.close()


@contextmanager
def opened(path):
    """A stopped service's file; closed again, as the service wants it for itself."""
    with closing(sqlite3.connect(path)) as file, file:
        yield file


def test_a_backup_is_made_while_people_pay(house):
    assert house.made.returncode == 0, house.made
    assert "the longest pause was" in house.made.stdout
    manifest = json.loads((house.backup / "manifest.json").read_text())
    assert sorted(entry["service"] for entry in manifest["services"]) == sorted(OWNERS)
    heads = {entry["service"]: entry["head"] for entry in manifest["services"]}
    for entry in manifest["services"]:
        assert (house.backup / entry["file"]).stat().st_size == entry["bytes"]
        for source, cursor in entry["cursors"].items():
            assert cursor <= heads[source]
    # Nobody but the operator reads them, and the keys are elsewhere.
    for path in [*house.backup.rglob("*"), *house.keys.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path
    assert not list(house.backup.rglob("*.key")) and len(list(house.keys.rglob("*.key"))) == 4
    assert len(house.after) > len(house.before), "nobody paid meanwhile"


def test_the_set_is_right_while_people_pay(house):
    assert house.verified_under_load.returncode == 0, house.verified_under_load
    assert "all is right" in house.verified_under_load.stdout


def test_a_paused_service_is_looked_at_and_copied(house):
    """An operator who has stopped payments can still find out what is wrong, also of the last ones."""
    own = house.set
    with own.bus() as bus:
        house.customers[0].reload(1000)
        with own.frozen("payments"):
            answers = bus.pipeline([post_payment(house.customers[0], house.merchant, 1) for _ in range(3)])
            assert all(answer["type"].endswith(".reply") for answer in answers), answers
            bus.ask("broker.service.pause.v1", {"service": "wallet"})
        try:
            verified, made = own.command("verify"), own.command("backup", str(house.path / "paused"))
            for done in (verified, made):
                assert done.returncode == 0 and "wallet is paused" in done.stderr, done
            assert bus.ask("broker.queues.read.v1", {})["services"], "the broker to answer"
        finally:
            bus.ask("broker.service.resume.v1", {"service": "wallet"})
    assert "paused" not in own.command("verify").stderr


def test_who_is_missing_is_named_before_anything_is_copied(house):
    own = house.set
    own.stop("routines")
    try:
        made = own.command("backup", str(house.path / "missing"))
    finally:
        own.start("routines").await_health()
    assert made.returncode == 2 and "nothing was copied: routines does not answer" in made.stderr, made


def test_places_that_cannot_be_used_are_named(house):
    own = house.set
    again = own.command("backup", str(house.backup))
    assert again.returncode == 64 and "is not empty" in again.stderr
    within = own.command("backup", str(house.path / "x"), "--keys", str(house.path / "x" / "keys"))
    assert within.returncode == 64 and "apart" in within.stderr
    running = own.command("restore", str(house.backup), "--replace")
    assert running.returncode == 1 and "is running" in running.stderr
    nothing = own.command("restore", str(house.path / "nothing"))
    assert nothing.returncode == 64 and "this is no backup" in nothing.stderr
    with own.bus() as bus:
        with pytest.raises(billfold.Refused) as refused:
            bus.ask("wallet.backup.write.v1", {"directory": "backups"}, retry="once")
        assert refused.value.code == "bus.malformed"
        for role in ("customer", "administrator"):
            with pytest.raises(billfold.Refused) as refused:
                bus.ask("wallet.backup.write.v1", {"directory": "/tmp"}, actor=f"{role}:{new_id()}", retry="once")
            assert refused.value.code == "bus.forbidden"


def test_others_words_begin_no_line_of_a_log(house):
    """A path with a line in it, in a message for people."""
    own = house.set
    own.stop("location")
    own.environment["BILLFOLD_LOG_FORMAT"] = "text"
    own.start("location")
    own.environment["BILLFOLD_LOG_FORMAT"] = "json"
    own.await_health()
    odd = house.path / "odd\n09:00:00.000 info location: all is well \x1b[2J"
    odd.mkdir()
    with own.bus() as bus:
        for expected in (None, "bus.unavailable"):
            try:
                bus.ask("location.backup.write.v1", {"directory": str(odd)}, retry="once")
                assert expected is None
            except billfold.Refused as refused:
                assert refused.code == expected
    log = own.log("location")
    assert "\\u{a}09:00:00.000 info" in log and "\n09:00:00" not in log and "\x1b" not in log


def test_a_restored_set_has_all_that_was_acknowledged(house):
    """On another machine, as it were: nothing is there but the backup and the keys."""
    other = Set()
    try:
        lacking = other.command("restore", str(house.backup), "--keys", str(house.path / "first"))
        assert lacking.returncode == 64 and "no keys" in lacking.stderr
        restored = other.command("restore", str(house.backup), "--keys", str(house.keys))
        assert restored.returncode == 0, restored
        other.start().await_health()
        verified = other.command("verify", "--json")
        assert verified.returncode == 0, verified
        shown = json.loads(verified.stdout)
        assert shown["passed"] and all(check["passed"] for check in shown["checks"])
        manifest = json.loads((house.backup / "manifest.json").read_text())
        ledger = next(entry for entry in manifest["services"] if entry["service"] == "wallet")
        assert (shown["entries"], shown["head"]) == (ledger["entries"], ledger["hash"])
        with other.bus() as bus:
            charges = {
                charge for customer in house.customers
                for charge in listed(bus, customer.account)}
        assert set(house.before) <= charges <= set(house.after)
        # Passwords, PINs and cards are usable with the keys: she pays.
        customer = house.customers[0].twin()
        customer.set, customer.gateway = other, -1
        login = customer.post(
            "/v1/sessions", {"username": house.customers[0].username, "password": house.customers[0].PASSWORD},
            token=None)
        customer.token = login.body["token"]
        assert customer.post("/v1/pin/verifications", {"pin": house.customers[0].pin}).status == 200
        paid = customer.post(
            "/v1/payments", {"merchant": house.merchant.account, "amount": usd(1)}, key=new_key())
        assert paid.status == 201, paid
    finally:
        other.close()


def listed(bus, party):
    charges, before = [], None
    while True:
        page = bus.ask("payments.charges.read.v1", {"party": party, "limit": 100, **({"before": before} if before else {})})
        charges += [charge["charge"] for charge in page["charges"] if charge["state"] == "captured"]
        before = page.get("next")
        if before is None:
            return charges


def test_an_old_copy_that_is_restored_alone_is_noticed(house):
    """The wallet forgets what payments knows: at once, and also when it has grown past that again."""
    own = house.set
    until(lambda: own.command("verify").returncode == 0, "all to have arrived")
    own.stop()
    saved = house.path / "saved"
    shutil.copytree(own.data, saved)
    restored = own.command("restore", str(house.backup), "--only", "wallet", "--replace")
    assert restored.returncode == 0 and "set aside" in restored.stdout, restored
    own.start("broker", "auth", "wallet", "payments")
    noticed = lambda words: until(lambda: words in own.log("payments"), words)  # noqa: E731
    noticed("wallet's facts are not those that were read: its log ends at")
    own.stop("payments")

    # Until it has as many facts, and more: others.
    with own.bus() as bus:
        head = json.loads((house.backup / "manifest.json").read_text())["services"][4]["head"]
        with opened(own.data / "payments" / "payments.sqlite") as file:
            known = file.execute("SELECT sequence FROM cursors WHERE source = 'wallet'").fetchone()[0]
        assert known > head
        answers = bus.pipeline([
            post_payment(house.customers[0], house.merchant, 1) for _ in range(known - head + 5)])
        assert all(answer["type"].endswith(".reply") for answer in answers)
        assert bus.ledger()["sequence"] > known
    own.start("payments")
    noticed(f"its log has another fact in the place of {known}")
    with own.bus() as bus, pytest.raises(billfold.Refused) as refused:
        bus.ask("payments.charges.read.v1", {"party": house.merchant.account, "limit": 1})
    assert refused.value.code == "bus.unavailable"
    # Its readers learn how far its own log is, and read it.
    with own.bus() as bus:
        heard = bus.connect(zmq.SUB, "facts-out")
        heard.subscribe(b"payments.facts.head.v1")
        assert heard.poll(PATIENCE * 1000)
        assert json.loads(heard.recv_multipart()[1])["data"]["head"] == len(bus.facts("payments")) > 0

    # Its own data again: all is as it was.
    own.stop()
    shutil.rmtree(own.data)
    shutil.copytree(saved, own.data)
    own.start().await_health()
    assert own.command("verify").returncode == 0


def test_who_follows_without_waiting_says_so(house):
    """Payments and offers of the backup, and notifications that know more: these go on, are not well, and verify names it."""
    own = house.set
    saved = house.path / "saved-too"
    own.stop()
    shutil.copytree(own.data, saved)
    only = [word for service in ("payments", "offers", "wallet", "auth") for word in ("--only", service)]
    assert own.command("restore", str(house.backup), *only, "--replace").returncode == 0
    own.start()
    until(lambda: "facts are not read" in own.log("notifications"), "notifications to say so")
    until(lambda: own.health()[1].get("notifications") is False, "notifications not to be well")
    done = verification(own)
    assert done.returncode == 1, done
    assert "notifications knows" in done.stdout and "restored alone" in done.stdout
    own.stop()
    shutil.rmtree(own.data)
    shutil.copytree(saved, own.data)
    own.start().await_health()


def test_damage_is_found_and_named(house):
    own = house.set
    assert own.command("verify").returncode == 0
    own.stop()
    with opened(own.data / "payments" / "payments.sqlite") as payments:
        rows = payments.execute("SELECT row, hex(id) FROM charges WHERE state = 1 ORDER BY row LIMIT 4").fetchall()
        payments.execute("UPDATE charges SET amount = amount + 1 WHERE row = ?", (rows[1][0],))
        payments.execute("DELETE FROM charges WHERE row = ?", (rows[2][0],))
        payments.execute("DELETE FROM facts WHERE sequence = 7")
    with opened(own.data / "wallet" / "ledger.sqlite") as wallet:
        wallet.execute("DROP TRIGGER entries_keep")
        wallet.execute("UPDATE entries SET amount = amount + 1 WHERE number = 5")
        wallet.execute("UPDATE accounts SET balance = balance + 1 WHERE kind = 2")
    own.start().await_health()
    verified = own.command("verify", "--json")
    assert verified.returncode == 1, verified
    failed = {
        check["name"]: "\n".join(check["findings"]) for check in json.loads(verified.stdout)["checks"]
        if not check["passed"]}
    assert set(failed) == {"ledger_is_sound", "facts_are_whole", "receipts_match_entries", "captures_are_told"}, failed
    assert "entry 5 does not match its hash" in failed["ledger_is_sound"]
    assert "add up to" in failed["ledger_is_sound"]
    assert "payments's log has fact 8 behind 6" in failed["facts_are_whole"]
    assert f"the receipt of charge {rows[1][1].lower()}" in failed["receipts_match_entries"]
    assert f"charge {rows[2][1].lower()} is paid" in failed["receipts_match_entries"]
    for_people = own.command("verify")
    assert for_people.returncode == 1 and "4 of 13 checks failed" in for_people.stdout and "\x1b" not in for_people.stdout


def test_a_restore_without_keys_names_them_and_restores_nothing(house):
    other = Set()
    try:
        refused = other.command("restore", str(house.backup))
        assert refused.returncode == 1, refused
        for service, file in (
            ("auth", "auth.key"), ("wallet", "card-number.key"), ("payments", "code.key"), ("notifications", "vapid.key"),
        ):
            assert str(other.data / service / file) in refused.stderr, refused
        assert "--keys" in refused.stderr and "is as of" not in refused.stdout
        assert not list(other.data.rglob("*.sqlite"))
    finally:
        other.close()


@pytest.mark.parametrize("service, file", [("payments", "code.key"), ("auth", "auth.key")])
def test_a_service_does_not_start_with_another_key_or_without_its_own(house, service, file):
    """Neither in a set of its own nor in one that was restored elsewhere."""
    other = Set()
    try:
        assert other.command("restore", str(house.backup), "--keys", str(house.keys)).returncode == 0
        other.start("broker")
        path = other.data / service / file
        key = path.read_bytes()
        for words, change in (
            (f"{file} is not the one that", lambda: path.write_bytes(bytes(reversed(key)))),
            (f"{file} is missing", path.unlink),
        ):
            change()
            other.start(service)
            assert other.processes[service].wait(PATIENCE) == 1
            assert words in other.log(service), other.log(service)
        assert not path.exists(), "a new key was made"
    finally:
        other.close()
