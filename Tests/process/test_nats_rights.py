"""A set on a NATS server with TLS, where each process has a user with the rights of deploy/cluster/rights.conf."""

import subprocess

import pytest

from billfold import BINARIES, PATIENCE, Set, until_well
from nats import SecuredNATS
from test_nats import SERVED, paid


class SecuredSet(Set):
    """Each process has its own user; commands have the operator's."""

    def __init__(self):
        self.nats = SecuredNATS()
        super().__init__(**self.nats.access("operator"))
        self.run.mkdir()

    def spawn(self, name, **environment):
        return super().spawn(name, **{**self.nats.access(name), **environment})

    def close(self):
        statuses = super().close()
        self.nats.close()
        return statuses


@pytest.fixture(scope="module")
def house():
    of = SecuredSet()
    try:
        yield of.start(*SERVED).await_health()
    finally:
        of.close()


@pytest.fixture
def server():
    made = SecuredNATS()
    try:
        yield made
    finally:
        made.close()


def ended(name, **environment):
    """What a process says that cannot use its server; it ends by itself."""
    done = subprocess.run(
        [BINARIES / f"billfold-{name}"], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE)
    assert done.returncode == 1, done
    return done.stderr


def environment(server, user, home, **more):
    return {"BILLFOLD_RUN": str(home / "run"), "BILLFOLD_DATA": str(home / "data"), "BILLFOLD_LOG_FORMAT": "json",
            **server.access(user), **more}


def test_the_rights_are_enough_for_a_set_and_its_operators(house):
    customer, merchant = house.customer(), house.merchant()
    before = customer.balance
    charges = [paid(house, customer, merchant).body["charge"] for _ in range(3)]
    assert customer.balance == before - 300
    for words in (["demo"], ["verify"], ["status", "--json"], ["trace", charges[0]], ["check", "storefront"]):
        done = house.command(*words)
        assert done.returncode == 0, done
    loaded = house.command(
        "load", "--shared-set", "--warm-up", "500ms", "--duration", "3s", "--in-flight", "16", "--customers", "50",
        "--merchants", "5", "--quiet")
    assert loaded.returncode == 0, loaded.stdout[-4000:] + loaded.stderr[-2000:]
    for name in SERVED:
        until_well(lambda: subprocess.run(
            [BINARIES / f"billfold-{name}", "--health"], env={**house.environment, **house.nats.access(name)},
            timeout=PATIENCE), name)
    house.all_run()
    assert house.nats.violations() == []


def test_an_encrypted_connection_is_made_again(house):
    customer, merchant = house.customer(), house.merchant()
    before = customer.balance
    for count in range(1, 4):
        house.nats.kill()
        house.nats.start()
        house.await_health()
        paid(house, customer, merchant)
        assert customer.balance == before - 100 * count
    house.all_run()


def test_who_may_not_answer_for_the_wallet_ends_and_says_so(house, tmp_path):
    """The gateway's user, as a thief of its password would use it."""
    house.kill("wallet")  # one that answers would be in the way before
    said = ended("wallet", **environment(house.nats, "gateway", tmp_path))
    house.start("wallet").await_health()
    assert 'Permissions Violation for Subscription to "billfold.ask.wallet"' in said, said


def test_asks_of_others_are_not_shown_to_an_operator_without_the_right(house):
    done = house.command("listen", "--asks")
    assert done.returncode == 1, done
    assert "does not let this user see what others ask" in done.stderr, done


def test_a_server_of_another_authority_is_not_trusted(server, house, tmp_path):
    access = {**server.access("wallet"), "BILLFOLD_NATS_CA_FILE": str(house.nats.secrets / "wallet/bus-ca.crt")}
    assert "NATS at" in ended("wallet", **{**environment(server, "wallet", tmp_path), **access})


def test_a_server_with_anothers_certificate_is_not_trusted(server, tmp_path):
    access = {"BILLFOLD_BUS": f"tls://127.0.0.1:{server.port}"}
    assert "NATS at" in ended("wallet", **{**environment(server, "wallet", tmp_path), **access})


def test_a_wrong_password_is_said_and_never_shown(server, tmp_path):
    (tmp_path / "login").write_text("wallet:guessed\n")
    said = ended("wallet", **environment(server, "wallet", tmp_path, BILLFOLD_NATS_CREDENTIALS=str(tmp_path / "login")))
    assert "NATS at" in said and "guessed" not in said
