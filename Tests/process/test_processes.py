"""How the processes start, stop, find their state and keep secrets to themselves."""

import os
import re
import signal
import subprocess
from contextlib import suppress

import pytest

import billfold
from billfold import (
    NAMES, PATIENCE, SERVICES, Client, Set, Threads, contents, new_key, registration, until, usd)


def refused(set, name, **environment):
    """Starts a second one; its exit status and what it said."""
    process = subprocess.run(
        [billfold.BINARIES / f"billfold-{name}"], env={**set.environment, **environment}, capture_output=True,
        timeout=PATIENCE)
    return process.returncode, process.stderr.decode()


@pytest.mark.parametrize("name", SERVICES)
def test_a_second_one_on_the_same_files_refuses(billset, name):
    status, said = refused(billset, name)
    assert status == 1 and "holds" in said, said
    billset.all_run()


def test_a_second_gateway_on_the_same_port_refuses(billset):
    status, said = refused(billset, "gateway")
    assert status == 1 and "in use" in said, said


@pytest.mark.parametrize("variable, value", [
    ("BILLFOLD_LOG", "loud"), ("BILLFOLD_LOG_FORMAT", "xml"), ("BILLFOLD_SCHED", "fifo"), ("BILLFOLD_HTTP", "nowhere"),
    ("BILLFOLD_DEADLINE_MS", "0"), ("DB_HOST", "db.example.org"), ("DB_DATABASE", "../other"),
])
def test_a_setting_that_cannot_be_used_is_named(billset, variable, value):
    process = subprocess.run(
        [billfold.BINARIES / "billfold-gateway"], env={**billset.environment, variable: value}, capture_output=True,
        timeout=PATIENCE)
    assert process.returncode == 1 and variable in process.stderr.decode()


def test_the_database_is_exchanged_by_its_name(tmp_path):
    """001-74, 001-75, A53, A59: the document's names; another DB_DATABASE is another database, the first one is found again."""
    secrets = {"DB_PASSWORD": "planted-secret", "GOOGLE_API_KEY": "planted-key"}
    elsewhere = tmp_path / "elsewhere"
    ada = {"username": "ada", "password": "correct horse"}
    for database, is_known in (("moneyclip", False), (str(elsewhere), False), ("moneyclip", True)):
        own = Set(HOME=str(tmp_path), DB_HOST="localhost", DB_USER="moneyclip", DB_DATABASE=database, **secrets)
        del own.environment["BILLFOLD_DATA"]
        try:
            own.start().await_health()
            client = Client(own)
            assert client.post("/v1/sessions", ada).status == (201 if is_known else 401)
            if not is_known:
                assert client.post("/v1/customers", registration("customer", **ada)).status == 201
            assert not any("planted" in log.read_text() for log in own.logs.glob("*.log"))
        finally:
            own.close()
    assert (tmp_path / ".local/share/moneyclip/auth/auth.sqlite").exists()
    assert (elsewhere / "auth/auth.sqlite").exists()


@pytest.mark.parametrize("name", SERVICES)
def test_health_names_what_is_missing(billset, name):
    billset.kill(name)
    if name == "broker":
        until(lambda: billset.health()[0] == 503, "the gateway to notice")
    else:
        until(lambda: billset.health() == (503, {other: other != name for other in SERVICES}), f"{name} to be missed")
    billset.start(name)
    billset.await_health()


def test_what_is_asked_while_the_broker_is_away_is_done_once_when_it_is_back(billset, customer, merchant):
    answers, threads = [], Threads()

    def log_in(client):
        body = {"username": customer.username, "password": customer.PASSWORD}
        answers.append(client.post("/v1/sessions", body, token=None))

    def pay(payer):
        body = {"merchant": merchant.account, "amount": usd(1)}
        answers.append(payer.post("/v1/payments", body, key=new_key()))

    clients, payers = [Client(billset) for _ in range(4)], [customer.twin() for _ in range(4)]
    billset.kill("broker")
    until(lambda: billset.health()[0] == 503, "the gateway to notice")
    for client, payer in zip(clients, payers, strict=True):
        threads.run(log_in, client)
        threads.run(pay, payer)
    billset.start("broker")
    threads.join()
    assert [(answer.status, answer.replayed) for answer in answers] == [(201, False)] * 8, answers
    billset.await_health()


def health_of(set, name, **environment):
    """Exit status of the executable's own look at the process that runs, and what it said."""
    process = subprocess.run(
        [billfold.BINARIES / f"billfold-{name}", "--health"], env={**set.environment, **environment},
        capture_output=True, timeout=PATIENCE)
    return process.returncode, process.stderr.decode()


def test_each_executable_says_whether_its_process_answers(billset, tmp_path):
    for name in NAMES:
        until(lambda: health_of(billset, name) == (0, ""), f"{name} to answer in time")
    with billset.frozen("wallet"):
        status, said = health_of(billset, "wallet")
        assert status == 1 and "no answer" in said, said
    # The gateway answers for itself, not for the set.
    billset.kill("offers")
    until(lambda: health_of(billset, "gateway") == (0, ""), "the gateway to answer in time")
    billset.start("offers")
    billset.await_health()
    assert health_of(billset, "broker", BILLFOLD_RUN=str(tmp_path / "nobody"))[0] == 1
    assert health_of(billset, "gateway", BILLFOLD_HTTP="127.0.0.1:1")[0] == 1


def test_signals_end_each_with_status_0(billset):
    for number in (signal.SIGTERM, signal.SIGINT):
        assert set(billset.stop(number=number).values()) == {0}
        billset.start().await_health()


def policies(set, name):
    found = []
    for thread in os.listdir(f"/proc/{set.processes[name].pid}/task"):
        with suppress(ProcessLookupError):  # an idle thread ends
            found.append(os.sched_getscheduler(int(thread)))
    return {*found}


def test_the_wallet_alone_takes_its_core_from_others(billset):
    """Whoever waits for its commit waits for all threads of it; the others gather what comes."""
    assert {name: policies(billset, name) for name in NAMES} == {
        name: {os.SCHED_OTHER if name == "wallet" else os.SCHED_BATCH} for name in NAMES}
    billset.stop("wallet")
    billset.processes["wallet"] = billset.spawn("wallet", BILLFOLD_SCHED="batch")
    billset.await_health()
    # The gateway may have looked at the set before.
    until(lambda: policies(billset, "wallet") == {os.SCHED_BATCH}, "all threads to be of that policy")
    billset.restart("wallet")
    billset.await_health()


def test_a_restarted_set_finds_its_state(billset, customer, merchant):
    before = customer.paid(merchant, 150)
    billset.stop()
    billset.start().await_health()
    assert customer.get(f"/v1/receipts/{before['charge']}").body == before
    assert customer.balance == before["cardBalance"]["amount"]


@pytest.mark.parametrize("name, key", [
    ("auth", "auth.key"), ("wallet", "card-number.key"), ("notifications", "vapid.key"),
])
def test_a_lost_key_is_not_made_anew(billset, name, key):
    """A new one would make every secret in the database worthless, silently."""
    billset.stop(name)
    path = billset.data / name / key
    kept = path.rename(path.with_suffix(".kept"))
    try:
        status, said = refused(billset, name)
        assert status == 1 and key in said and not path.exists(), said
    finally:
        kept.rename(path)
        billset.start(name)
    billset.await_health()


@pytest.mark.parametrize("name, variable", [
    ("auth", "BILLFOLD_AUTH_KEY_FILE"), ("wallet", "BILLFOLD_CARD_KEY_FILE"), ("notifications", "BILLFOLD_VAPID_KEY_FILE"),
])
def test_another_key_than_the_datas_is_refused(billset, tmp_path, name, variable):
    """Every PIN would be refused, and every try counted."""
    billset.stop(name)
    other, none = tmp_path / "other", tmp_path / "none"
    other.write_bytes(bytes(range(32)))
    none.write_bytes(b"")
    status, said = refused(billset, name, **{variable: str(other)})
    assert status == 1 and "is not the one that" in said and str(other) in said, said
    # A file that is empty stands for none: compose has to name one.
    billset.processes[name] = billset.spawn(name, **{variable: str(none)})
    billset.await_health()


def test_a_clean_run_complains_of_nothing_and_tells_no_secret():
    secrets = {
        "password": "planted-password-8261", "pin": "8261", "number": "4929123482618261", "code": "82618261",
    }
    own = Set(BILLFOLD_LOG="trace").start().await_health()
    try:
        person = billfold.Person(own, "customer", pin=None)
        person.post("/v1/customers", registration("customer", "planted", secrets["password"]))
        person.put("/v1/pin", {"password": person.PASSWORD, "pin": secrets["pin"]})
        person.post("/v1/pin/verifications", {"pin": secrets["pin"]})
        person.post("/v1/cards", {"number": secrets["number"], "code": secrets["code"]}, key="k")
        merchant = own.merchant()
        assert person.pay(merchant, 150).status == 201
        tokens = [person.token, merchant.token]
    finally:
        statuses = own.stop()
        log, complaints = own.log_text(), own.complaints()
        files = b"".join(contents(own.data).values())
        own.close()
    assert set(statuses.values()) == {0}
    assert complaints == []
    for secret in [*secrets.values(), person.PASSWORD, *tokens]:
        # Four digits also stand in times and identifiers; alone they do not.
        assert not re.search(rf"(?<![0-9a-f]){re.escape(secret)}(?![0-9a-f])", log), secret
        if len(secret) > 8:
            assert secret.encode() not in files, secret


def test_metrics_and_operators_figures(billset, bus):
    from billfold import Client

    text = Client(billset).get("/metrics").raw.decode()
    for service in (*SERVICES, "gateway"):
        assert f'service="{service}"' in text
    assert "# TYPE billfold_asks_seconds histogram" in text and "billfold_http_requests_total" in text
    queues = bus.ask("broker.queues.read.v1")
    assert {"wallet", "auth", "payments"} <= {service["service"] for service in queues["services"]}
    assert bus.ask("broker.service.pause.v1", {"service": "auth"}) == {"service": "auth", "paused": True}
    waiting = bus.send(billfold.envelope("auth.facts.read.v1", {"after": 0, "limit": 1}))
    until(lambda: [s for s in bus_queues(billset) if s["service"] == "auth" and s["queued"] == 1], "an ask to wait")
    with billset.bus() as other:
        assert other.ask("broker.service.resume.v1", {"service": "auth"})["paused"] is False
    assert bus.receive()[0] == waiting
    # A misspelt name would stop nothing.
    for order in ("pause", "resume"):
        with pytest.raises(billfold.Refused) as refused:
            bus.ask(f"broker.service.{order}.v1", {"service": "walet"})
        assert "there is no service 'walet'; is 'wallet' meant" in refused.value.problem["detail"]


def bus_queues(billset):
    with billset.bus() as bus:
        return bus.ask("broker.queues.read.v1")["services"]


def test_all_names_are_served():
    assert {path.name for path in billfold.BINARIES.glob("billfold-*") if path.suffix == ""} >= {
        f"billfold-{name}" for name in NAMES}
