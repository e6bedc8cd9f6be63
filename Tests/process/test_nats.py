"""A set whose processes ask each other over NATS instead of the broker."""

import contextlib
import pathlib
import signal
import socket
import subprocess
import threading

import pytest

from billfold import BINARIES, NAMES, PATIENCE, ROOT, Set, new_key, until, until_well
from nats import NATS
from test_up import UpSet

SERVED = [name for name in NAMES if name != "broker"]


class NATSSet(Set):
    def __init__(self):
        self.nats = NATS()
        super().__init__(BILLFOLD_BUS=self.nats.url)
        self.run.mkdir()

    def billfold(self, *arguments):
        return subprocess.run(
            [BINARIES / "billfold", *arguments], env=self.environment, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=2 * PATIENCE)

    def close(self):
        statuses = super().close()
        self.nats.kill()
        return statuses


@pytest.fixture
def natsset():
    of = NATSSet()
    try:
        yield of.start(*SERVED).await_health()
    finally:
        of.close()


def paid(of, customer, merchant, minor=100):
    """One payment, asked again under its key while its outcome is unknown or nobody serves."""
    key = new_key()

    def answered():
        answer = customer.pay(merchant, minor, key=key)
        assert answer.status in (200, 201, 503, 504), answer
        return answer if answer.status in (200, 201) else None

    return until(answered, "a payment to be answered")


def test_payments_without_a_broker(natsset):
    assert not (natsset.run / "asks.sock").exists()
    customer, merchant = natsset.customer(), natsset.merchant()
    before = customer.balance
    for _ in range(3):
        paid(natsset, customer, merchant)
    assert customer.balance == before - 300


def test_a_killed_worker_comes_back_and_a_retry_is_answered(natsset):
    customer, merchant = natsset.customer(), natsset.merchant()
    before = customer.balance
    natsset.kill("wallet")
    natsset.start("wallet")
    paid(natsset, customer, merchant)
    assert customer.balance == before - 100


def test_a_restarted_server_is_used_without_being_told(natsset):
    customer, merchant = natsset.customer(), natsset.merchant()
    before = customer.balance
    natsset.nats.kill()
    natsset.nats.start()
    natsset.await_health()
    paid(natsset, customer, merchant)
    assert customer.balance == before - 100


@contextlib.contextmanager
def silence(address, port):
    """An address at which nobody answers: the kernel drops what comes, as its queue of connections is full."""
    with contextlib.ExitStack() as stack:
        full = stack.enter_context(socket.socket(socket.AF_INET6))
        full.bind((address, port))
        full.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket(socket.AF_INET6))
            waiting.setblocking(False)
            waiting.connect_ex((address, port))
        yield


@pytest.mark.skipif(not pathlib.Path("/proc/net/if_inet6").exists(), reason="this machine has no IPv6")
def test_the_second_address_of_a_name_is_tried(natsset, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.write_text("::1 twin\n127.0.0.1 twin\n")
    natsset.kill("storefront")
    until(lambda: natsset.health()[1].get("storefront") is False, "storefront to be missed")
    natsset.instead["storefront"] = [
        "unshare", "--mount", "sh", "-c", f'mount --bind {hosts} /etc/hosts && exec "$0"',
        BINARIES / "billfold-storefront"]
    with silence("::1", natsset.nats.port):
        natsset.processes["storefront"] = natsset.spawn(
            "storefront", BILLFOLD_BUS=f"nats://twin:{natsset.nats.port}")
        natsset.await_health()


def test_a_worker_that_is_stopped_drains(natsset):
    customer, merchant = natsset.customer(), natsset.merchant()
    before = customer.balance
    answers = []
    over = threading.Event()

    def pay():
        while not over.is_set():
            answers.append(customer.pay(merchant, 1))

    def paid_count():
        return sum(answer.status == 201 for answer in answers)

    thread = threading.Thread(target=pay)
    thread.start()
    until(lambda: paid_count() > 20, "payments")
    assert natsset.stop("payments") == {"payments": 0}
    natsset.start("payments")
    count = paid_count()
    until(lambda: paid_count() > count + 20, "payments after the restart")
    over.set()
    thread.join(PATIENCE)
    # Nobody serves between the two; no ask that a worker had is lost.
    refused = [answer for answer in answers if answer.status != 201]
    assert all(answer.body.get("retry") == "later" for answer in refused), refused
    assert customer.balance == before - paid_count()


def test_operators_see_the_set(natsset):
    status = until_well(lambda: natsset.billfold("status", "--json"))
    for service in ("auth", "wallet", "payments", "offers"):
        assert f'"{service}"' in status.stdout, status.stdout
    until_well(lambda: subprocess.run([BINARIES / "billfold-wallet", "--health"], env=natsset.environment, timeout=PATIENCE))
    natsset.kill("wallet")
    health = subprocess.run(
        [BINARIES / "billfold-wallet", "--health"], env=natsset.environment, timeout=PATIENCE, capture_output=True)
    assert health.returncode != 0


def test_listen_shows_facts_and_asks(natsset):
    customer, merchant = natsset.customer(), natsset.merchant()
    listener = subprocess.Popen(
        [BINARIES / "billfold", "listen", "--asks", "--json", "payments.*"], env=natsset.environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(listener.stdout), daemon=True)
    reader.start()
    try:
        def seen():
            paid(natsset, customer, merchant, 1)
            text = "".join(lines)
            return "payments.charge.captured.v1" in text and ".reply" in text

        until(seen, lambda: f"a fact and an answer: {lines[-3:]}")
    finally:
        listener.send_signal(signal.SIGTERM)
        listener.wait(PATIENCE)


def test_a_short_load_passes_its_verdict(natsset):
    for over in ("http", "bus"):
        done = natsset.billfold(
            "load", "--over", over, "--warm-up", "500ms", "--duration", "3s", "--in-flight", "16", "--customers", "50",
            "--merchants", "5", "--quiet")
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_up_starts_no_broker():
    nats = NATS()
    of = UpSet(BILLFOLD_BUS=nats.url)
    try:
        of.up("--wait-timeout", "60")
        processes = of.processes_now()
        assert "broker" not in processes
        assert {process["state"] for process in processes.values()} == {"healthy"}
        # Neither is there a queue that could be paused: said before anything is rehearsed.
        for command in (("swap", "location", "--", str(BINARIES / "billfold-location")), ("upgrade", str(BINARIES))):
            refused = of.billfold(*command)
            assert refused.returncode == 1 and "NATS has no queue to pause" in refused.stderr, refused
            assert "rehears" not in refused.stdout, refused
        assert of.billfold("down").returncode == 0
    finally:
        of.billfold("down")
        of.close()
        nats.kill()


def test_a_wrong_password_is_said_and_never_shown():
    nats = NATS("--user", "wallet", "--pass", "right")
    try:
        of = Set(BILLFOLD_BUS=f"nats://wallet:wrong@127.0.0.1:{nats.port}")
        try:
            of.start("wallet")
            until(lambda: of.processes["wallet"].poll() is not None, "the wallet to end")
            assert "NATS at" in of.log("wallet")
            assert "wrong" not in of.log("wallet")
        finally:
            of.close()
    finally:
        nats.kill()


def test_a_second_set_on_one_account_is_refused(natsset):
    """Its wallet has a ledger of its own, and would get half of the payments."""
    customer, merchant = natsset.customer(), natsset.merchant()
    other = Set(BILLFOLD_BUS=natsset.nats.url)
    try:
        other.run.mkdir()
        other.start("wallet", "location")
        for name in ("wallet", "location"):
            until(lambda: other.processes[name].poll() is not None, f"the second {name} to end")
            assert f"another process answers for {name} on this bus" in other.log(name)
            assert '"ready"' not in other.log(name)
        started = subprocess.run(
            [BINARIES / "billfold", "up", "-d"], env=other.environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert started.returncode == 1 and "another set answers for auth, location" in started.stderr, started
        assert "Nothing was started" in started.stderr and not (other.run / "up.sock").exists()
    finally:
        other.close()
    before = customer.balance
    for _ in range(3):
        paid(natsset, customer, merchant)
    assert customer.balance == before - 300


def test_two_that_answer_for_one_service_are_named(natsset):
    """The second begins while the first cannot be heard, as after a partition."""
    other = Set(BILLFOLD_BUS=natsset.nats.url)
    named = "another process answers for it, too: end one of them"
    try:
        other.run.mkdir()
        with natsset.frozen("routines"):
            other.start("routines")
            until(lambda: '"ready"' in other.log("routines"), "the second one to be ready")
        until(lambda: named in natsset.billfold("status").stdout, "the two to be named")
        until(lambda: natsset.health()[0] == 503, "/health to say that something is wrong")
        other.stop("routines")
        until(lambda: named not in natsset.billfold("status").stdout, "one to be alone again")
        natsset.await_health()
    finally:
        other.close()


def test_up_outlives_a_refused_password(tmp_path):
    """Its services end and are started again; what was wrong is put right at the server."""
    config = tmp_path / "nats.conf"

    def users(password):
        config.write_text(f'authorization {{ user: a, password: "{password}" }}')

    users("b")
    nats = NATS("--config", str(config))
    of = UpSet(BILLFOLD_BUS=f"nats://a:b@127.0.0.1:{nats.port}")
    try:
        of.up("--wait-timeout", "60")
        supervisor = of.list()["supervisor"]
        starts = sum(process["restarts"] for process in of.processes_now().values())
        users("other")
        nats.process.send_signal(signal.SIGHUP)
        until(lambda: sum(one["restarts"] for one in of.processes_now().values()) > starts, "services to end")
        status = of.billfold("status")
        assert status.returncode == 2 and "Authorization Violation" in status.stderr, status
        users("b")
        nats.process.send_signal(signal.SIGHUP)
        until(lambda: {one["state"] for one in of.processes_now().values()} == {"healthy"}, "the set to be healthy again")
        until(lambda: of.billfold("status").returncode == 0, "the services to answer again")
        assert of.list()["supervisor"] == supervisor
    finally:
        of.close()
        nats.kill()
