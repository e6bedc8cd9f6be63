"""A set whose services keep their state in PostgreSQL: payments, standbys that take over, moves from files and back."""

import os
import signal

import pytest

from billfold import BINARIES, OWNERS, PATIENCE, Set, ended, new_key, until, usd, verification
from postgres import Postgres, StandingStill


@pytest.fixture(scope="module")
def server():
    made = Postgres()
    yield made
    made.close()


@pytest.fixture(scope="module")
def house(server):
    own = Set(BILLFOLD_STORE=server.address).start()
    try:
        own.await_health()
        yield own
    finally:
        own.close()


def pay(customer, merchant, cents, key=None):
    """A payment whose answer is final: it was refused, or is in the ledger."""
    body = {"merchant": merchant.account, "amount": usd(cents)}
    return customer.insist("POST", "/v1/payments", body, key=key or new_key())


def test_the_set_serves_and_nothing_is_in_files(house, server):
    customer, merchant = house.customer(), house.merchant()
    before = customer.balance
    paid = pay(customer, merchant, 450)
    assert paid.status == 201
    assert customer.balance == before - 450
    schemas = server.query("SELECT nspname FROM pg_namespace WHERE nspname = ANY ('{%s}')" % ",".join(OWNERS))
    assert sorted(schemas) == sorted(OWNERS)
    assert not list(house.data.glob("*/*.sqlite"))
    verified = house.command("verify")
    assert verified.returncode == 0, verified


def test_a_load_proves_every_cent(house):
    loaded = house.command(
        "load", "--mix", "card=3,code=1,charge=2,coupon=1", "--duration", "4s", "--customers", "50", "--in-flight", "16",
        "--quiet")
    assert loaded.returncode == 0, loaded
    assert "money: PASS" in loaded.stdout


def test_a_standby_takes_over_when_the_leader_is_killed(house):
    customer, merchant = house.customer(), house.merchant()
    start = customer.balance
    standby = house.spawn("wallet")
    until(lambda: "another process leads" in house.log("wallet"), "a standby that waits")
    keys = [new_key() for _ in range(5)]
    first = pay(customer, merchant, 10, keys[0])
    house.processes["wallet"].kill()
    house.processes["wallet"].wait(PATIENCE)
    house.processes["wallet"] = standby
    for key in keys[1:]:
        assert pay(customer, merchant, 10, key).status == 201
    again = pay(customer, merchant, 10, keys[0])
    assert again.body == first.body
    assert customer.balance == start - 50


def test_a_leader_that_was_frozen_does_nothing_when_it_wakes(house):
    """Its session is ended by the server; the standby leads, and the one that wakes ends itself."""
    customer, merchant = house.customer(), house.merchant()
    start = customer.balance
    frozen = house.processes["wallet"]
    os.kill(frozen.pid, signal.SIGSTOP)
    house.processes["wallet"] = house.spawn("wallet")
    assert pay(customer, merchant, 10).status == 201
    os.kill(frozen.pid, signal.SIGCONT)
    assert ended(frozen) == 1
    assert pay(customer, merchant, 10).status == 201
    assert customer.balance == start - 20


def test_a_process_that_waits_to_lead_leaves_a_server_that_stands_still(house, server):
    customer, merchant = house.customer(), house.merchant()
    still = StandingStill(server.port)
    try:
        standby = house.spawn(
            "wallet", BILLFOLD_STORE=f"postgres://billfold@127.0.0.1:{still.port},127.0.0.1:{server.port}/billfold")
        until(still.held.is_set, "a look that gets no answer")
        house.processes["wallet"].kill()
        house.processes["wallet"].wait(PATIENCE)
        house.processes["wallet"] = standby
        assert pay(customer, merchant, 10).status == 201
    finally:
        still.close()
        house.stop("wallet")
        house.start("wallet").await_health()


def test_a_server_that_dies_loses_nothing_acknowledged(house, server):
    """All processes end with it, wait for it when they are started again, and go on."""
    customer, merchant = house.customer(), house.merchant()
    start = customer.balance
    receipt = pay(customer, merchant, 25)
    server.kill()
    for name in OWNERS:
        assert ended(house.processes[name]) == 1
    house.start(*OWNERS)
    server.start()
    house.await_health()
    assert customer.balance == start - 25
    read = customer.insist("GET", f"/v1/charges/{receipt.body['charge']}")
    assert read.body["state"] == "captured"
    assert house.command("verify").returncode == 0


def test_a_backup_is_made_of_it_and_restored_into_files(house, tmp_path):
    made = house.command("backup", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"))
    assert made.returncode == 0, made
    back = Set()
    restored = back.command("restore", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"))
    assert restored.returncode == 0, restored
    try:
        back.start().await_health()
        assert back.command("verify").returncode == 0
        with house.bus() as ours, back.bus() as theirs:
            ledgers = [one.ledger() for one in (ours, theirs)]
        for ledger in ledgers:
            ledger.pop("verified", None)  # when it was last verified, if it was
        assert ledgers[0] == ledgers[1]
    finally:
        back.close()


def test_files_move_into_a_database_and_the_set_goes_on_there(tmp_path):
    server, own = Postgres(), Set().start()
    try:
        own.await_health()
        customer, merchant = own.customer(), own.merchant()
        pay(customer, merchant, 300)
        kept = customer.balance
        refused = own.command("move", "--to", server.address)
        assert refused.returncode == 1 and "another process holds" in refused.stderr, refused
        own.stop()
        moved = own.command("move", "--to", server.address)
        assert moved.returncode == 0, moved
        assert moved.stdout.count("rows of") == len(OWNERS)
        again = own.command("move", "--to", server.address)
        assert again.returncode == 0 and again.stdout.count("were in PostgreSQL already") == len(OWNERS), again
        # No service goes on from the file that was moved.
        assert own.spawn("wallet").wait(PATIENCE) == 1
        assert "was moved to PostgreSQL: set BILLFOLD_STORE" in own.log("wallet")
        own.environment["BILLFOLD_STORE"] = server.address
        own.start().await_health()
        assert customer.balance == kept
        assert own.command("verify").returncode == 0
        assert pay(customer, merchant, 100).status == 201
        # And back.
        made = own.command("backup", str(tmp_path / "copy"))
        assert made.returncode == 0, made
        own.stop()
        refused = own.command("restore", str(tmp_path / "copy"), "--replace")
        assert refused.returncode == 64 and "BILLFOLD_STORE names PostgreSQL" in refused.stderr, refused
        del own.environment["BILLFOLD_STORE"]
        restored = own.command("restore", str(tmp_path / "copy"), "--replace")
        assert restored.returncode == 0, restored
        own.start().await_health()
        assert customer.balance == kept - 100
    finally:
        own.close()
        server.close()


def test_a_service_is_checked_apart_from_the_live_data(house, server):
    leaders = "SELECT epoch FROM storefront.leader"
    before = server.query(leaders)
    checked = house.command("check", "storefront", "--first", "--", str(BINARIES / "billfold-storefront"))
    assert checked.returncode == 0, checked
    assert server.query(leaders) == before


def test_a_database_that_lacks_characters_is_refused(house, server):
    server.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    other = house.spawn("auth", BILLFOLD_STORE=server.address.removesuffix("billfold") + "latin")
    assert other.wait(PATIENCE) == 1
    assert "has the encoding LATIN1" in house.log("auth")


def test_a_user_without_rights_is_told_so_and_does_not_wait(house, server):
    server.query("CREATE ROLE guest LOGIN")
    other = house.spawn("auth", BILLFOLD_STORE=server.address.replace("billfold@", "guest@"))
    assert other.wait(PATIENCE) == 1
    assert "PostgreSQL's schema auth cannot be made or used" in house.log("auth")
    assert "needs CREATE on the database" in house.log("auth")


@pytest.mark.parametrize("address", ["postgres://billfold@host:port/billfold", "mysql://billfold@host/billfold"])
def test_an_address_that_cannot_be_read_is_a_usage_error_of_move(house, tmp_path, address):
    (tmp_path / "wallet").mkdir()
    for name in ("ledger.sqlite", "card-number.key.digest"):
        (tmp_path / "wallet" / name).touch()
    done = house.command("move", "--to", address, "--data", str(tmp_path))
    assert done.returncode == 64 and "PostgreSQL" in done.stderr and "BILLFOLD_STORE" not in done.stderr, done


def test_a_host_with_another_key_does_not_lead(house, tmp_path):
    other = house.spawn("auth", BILLFOLD_DATA=str(tmp_path))
    assert other.wait(PATIENCE) == 1
    told = "the key auth.key is not the one that PostgreSQL's schema auth was written with"
    assert told in house.log("auth")


def test_a_commit_without_its_standbys_is_refused_and_then_known():
    """The server waits for a standby that is not there: nobody is told that money moved."""
    server = Postgres()
    own = Set(BILLFOLD_STORE=server.address).start()
    try:
        own.await_health()
        customer, merchant = own.customer(), own.merchant()
        start = customer.balance
        server.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        server.query("SELECT pg_reload_conf()")
        paid, key = 0, new_key()
        while (answer := customer.pay(merchant, 10, key)).status == 201:
            # The server's processes take the setting over one after the other.
            paid, key = paid + 10, new_key()
        assert answer.status in (503, 504), answer
        # Somebody cancels the wait: PostgreSQL answers success with a warning, which is no success.
        server.query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'billfold wallet' AND wait_event = 'SyncRep'")
        assert own.processes["wallet"].wait(PATIENCE) != 0
        assert "COMMIT came with a warning" in own.log("wallet")
        server.query("ALTER SYSTEM RESET synchronous_standby_names")
        server.query("SELECT pg_reload_conf()")
        own.start("wallet")
        assert pay(customer, merchant, 10, key).status == 201
        assert customer.balance == start - paid - 10
    finally:
        own.close()
        server.close()


def test_an_older_copy_that_is_promoted_moves_no_money():
    """A standby that does not have the last payment takes the primary's place, against all advice."""
    primary = Postgres()
    standby = primary.standby()
    own = Set(BILLFOLD_STORE=f"postgres://billfold@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/billfold").start()
    try:
        own.await_health()
        customer, merchant = own.customer(), own.merchant()
        assert pay(customer, merchant, 100).status == 201
        standby.catch_up(primary)
        standby.stop()
        assert pay(customer, merchant, 10).status == 201
        primary.kill()
        for name in OWNERS:
            assert own.processes[name].wait(PATIENCE) == 1
        standby.start()
        standby.promote()
        own.start(*OWNERS)
        until(lambda: "its ledger lacks a head that was written down elsewhere" in own.command("status", "--over", "0.1").stdout,
              "the wallet to say what is wrong")
        # The others may still be starting.
        answers = []
        until(lambda: answers.append(customer.pay(merchant, 10)) or answers[-1].status == 503,
              lambda: f"a payment to be refused: {answers[-3:]}, {own.log_text()[-4000:]}")
        done = verification(own)
        assert done.returncode == 1 and "facts are missing at its end" in done.stdout + done.stderr, done
    finally:
        own.close()
        standby.close()
        primary.close()
