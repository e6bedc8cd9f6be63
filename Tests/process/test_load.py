"""`billfold load` against sets of real processes: clean runs pass, faults are survived, services wrong on purpose are found by name."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from billfold import BINARIES, NAMES, PATIENCE, ROOT, Set, answers, free_port, until

MIDDLEMAN = ROOT / "Tests" / "process" / "middleman.py"
# As in a set of people: merchants charge only whom they may.
ENVIRONMENT = {"BILLFOLD_CHARGE_PRESENCE": "known"}
# Small: each account costs two password hashes.
PEOPLE = ["--customers", "6", "--merchants", "3"]
CHECKS = {
    "acknowledged_once", "nothing_else_moved", "refused_never_moved", "all_settled", "sum_is_zero", "chain_intact",
    "facts_match_entries", "balances_add_up", "balances_follow_entries", "receipts_are_true", "receipts_match_entries",
    "receipts_can_be_read", "merchants_told", "refused_for_a_reason", "asked_again",
}
OF_WALKS = {"fences_told", "visits_in_order", "positions_kept"}
OF_APPS = {"streams_told"}
OF_ORDERS = {"orders_paid"}
OF_REFUNDS = {"refunds_add_up", "refunds_told"}
OF_COUPONS = {"coupons_redeemed", "discounts_right", "coupon_limits_kept", "customers_told"}


class Load:
    """One run of the command: its exit status, its words and its figures."""

    def __init__(self, set, *options, people=PEOPLE, within=()):
        """`within`: a command that runs this one, such as prlimit."""
        self.set = set
        self.json, self.html = set.home / "load.json", set.home / "load.html"
        self.process = subprocess.Popen(
            [*within, BINARIES / "billfold", "load", "--run", set.run, "--http", f"127.0.0.1:{set.port}", "--json", self.json,
             "--html", self.html, *people, *options],
            env=set.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        set.beside.append(self.process)

    def end(self):
        """Ends a load that has to be under way still."""
        assert self.process.poll() is None, self.process.communicate()
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self):
        self.out, self.err = self.process.communicate(timeout=4 * PATIENCE)
        self.status = self.process.returncode
        self.run = json.loads(self.json.read_text()) if self.json.exists() else None
        return self

    @property
    def failed(self):
        """Checks that failed, with all that they found."""
        return {check["name"]: "\n".join(check["findings"])
                for check in self.run["verdict"]["checks"] if not check["passed"]}

    def passes(self):
        assert self.status == 0, f"{self.out}\n{self.err}\n{self.set.log_text()[-3000:]}"
        played = {part["name"] for part in self.run["weights"]}
        further = (OF_WALKS if "walk" in played else set()) | (OF_COUPONS if "coupon" in played else set())
        further |= OF_APPS if "app" in played else set()
        further |= OF_ORDERS if "order" in played else set()
        further |= OF_REFUNDS if "refund" in played else set()
        if any(setting["name"] == "faults" for setting in self.run["settings"]):
            further.add("faults_happened")
        checks = {check["name"]: check for check in self.run["verdict"]["checks"]}
        assert set(checks) == CHECKS | further
        assert all(checks[name]["examined"] > 0 for name in further)
        assert self.failed == {} and self.run["verdict"]["passed"] is True
        assert self.run["overall"]["ok"] > 0 and self.run["overall"]["errors"] == []
        return self


def load(set, *options, **more):
    return Load(set, *options, **more).wait()


def processes(set):
    """Process ids by name of all that run in the set's directory, whoever has started them."""
    found = {}
    for path in pathlib.Path("/proc").iterdir():
        try:
            if not path.name.isdigit() or f"BILLFOLD_RUN={set.run}".encode() not in (path / "environ").read_bytes().split(b"\0"):
                continue
            name = os.readlink(path / "exe").split("/")[-1]
            if name.startswith("billfold-"):
                found[name.removeprefix("billfold-")] = int(path.name)
        except OSError:
            continue
    return found


def captured(bus):
    """How far payments' log has come: nothing but the load makes facts there."""
    return bus.ask("payments.facts.read.v1", {"after": 2**62, "limit": 1})["head"]


@pytest.fixture
def fragile():
    """A set whose processes the load test may kill and start again."""
    made = Set(**ENVIRONMENT).start()
    try:
        made.await_health()
        yield made
    finally:
        for process in processes(made).values():
            os.kill(process, signal.SIGKILL)
        made.close()


def test_over_the_bus(billset):
    run = load(billset, "--mix", "card=8,code=1,charge=1", "--warm-up", "500ms", "--duration", "2s").passes().run
    assert {scenario["name"] for scenario in run["scenarios"]} == {"card", "code", "charge"}
    assert all(scenario["ok"] > 0 for scenario in run["scenarios"])
    assert {"broker", "wallet", "payments", "load"} <= {process["name"] for process in run["processes"]}
    assert {"wallet", "payments"} <= {queue["service"] for queue in run["queues"]}
    assert any(setting["name"] == "generator's CPU per request" for setting in run["settings"])


def test_over_http_at_a_constant_rate(billset):
    found = load(
        billset, "--over", "http", "--rate", "200", "--mix", "card=8,code=1,charge=1", "--warm-up", "500ms",
        "--duration", "2s", "--merchants-by", "hot:0.5").passes()
    assert found.run["driver"] == "http"
    assert abs(found.run["overall"]["planned"] - 400) <= 1
    assert found.html.read_text().lower().count("<html") == 1


def test_a_ramp_ends_at_the_limit(billset):
    # No set answers within a microsecond: the search goes down and gives up. Timing decides nothing here.
    ramp = load(
        billset, "--ramp", "--from", "4", "--p99", "1us", "--step", "500ms", "--warm-up", "0s").passes().run["ramp"]
    assert len(ramp["steps"]) > 2 and not any(step["metLimit"] for step in ramp["steps"])
    rates = [step["ratePerSecond"] for step in ramp["steps"]]
    assert rates == sorted(rates, reverse=True)
    assert ramp.get("highestPerSecond") is None


def test_what_was_paid_to_make_entries_is_not_taken_for_the_runs(billset):
    # Payments hears of it some seconds later.
    with billset.bus() as bus:
        entries = bus.ask("wallet.ledger.read.v1", {})["entries"]
    load(billset, "--entries", str(entries + 20_000), "--warm-up", "0s", "--duration", "500ms", "--verify", "run").passes()


def test_ctrl_c_ends_early_and_still_proves(billset):
    started = Load(billset, "--warm-up", "0s", "--duration", "10m", "--rate", "100")
    with billset.bus() as bus:
        # Cards and reloads come before; payments' facts tell that the load itself has begun.
        before = captured(bus)
        until(lambda: captured(bus) > before + 20, "payments to be made")
    started.process.send_signal(signal.SIGINT)
    found = started.wait().passes()
    assert "the load was ended early" in found.run["warnings"]


def test_ctrl_c_before_the_load_begins_ends_at_once(billset):
    # Payments of a cent until the ledger has as many entries as it never gets here.
    started = Load(billset, "--entries", "100000000", "--duration", "1s")
    with billset.bus() as bus:
        before = captured(bus)
        until(lambda: captured(bus) > before + 20, "entries to be made")
    started.process.send_signal(signal.SIGINT)
    assert started.process.wait(PATIENCE) == 130
    assert "nothing was measured" in started.process.stderr.read()


def test_a_wallet_that_is_killed_and_a_broker_that_is_stopped(fragile):
    before = processes(fragile)
    found = load(
        fragile, "--warm-up", "0s", "--duration", "4s", "--kill", "wallet", "--every", "1500ms", "--grace", "0s",
        "--fault", "stop broker for 400ms at 700ms").passes()
    kinds = [(each["kind"], each["process"]) for each in found.run["disturbances"]]
    assert kinds.count(("kill", "wallet")) == kinds.count(("start", "wallet")) == 2
    assert ("stop", "broker") in kinds
    after = processes(fragile)
    assert after["wallet"] != before["wallet"] and after["broker"] == before["broker"]


def test_ctrl_c_lets_a_process_go_on_that_the_load_has_stopped(fragile):
    started = Load(fragile, "--warm-up", "0s", "--duration", "10m", "--rate", "100", "--fault", "stop payments for 9m at 500ms")
    stat = pathlib.Path(f"/proc/{processes(fragile)['payments']}/stat")
    until(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "T", "payments to be stopped")
    started.process.send_signal(signal.SIGINT)
    started.wait().passes()
    assert stat.read_text().rsplit(")", 1)[1].split()[0] != "T"


def test_the_plug_is_pulled(fragile):
    started = Load(fragile, "--over", "http", "--warm-up", "0s", "--duration", "10m", "--in-flight", "16")
    with fragile.bus() as bus:
        until(lambda: captured(bus) > 300, "payments to be made")
    fragile.kill()
    fragile.start().await_health()
    with fragile.bus() as bus:
        before = captured(bus)
        until(lambda: captured(bus) > before + 300, "more payments to be made")
    started.process.send_signal(signal.SIGINT)
    found = started.wait().passes()
    assert found.run["overall"]["repeated"] > 0


def test_touches_survive_all_that_is_killed(fragile):
    found = load(
        fragile, "--over", "http", "--mix", "touch=3,card=1", "--warm-up", "0s", "--duration", "5s", "--in-flight", "12",
        "--devices", "60", "--grace", "0s", "--fault", "kill wallet at 1s", "--fault", "kill payments at 2s",
        "--fault", "kill gateway at 3s", "--fault", "stop broker for 300ms at 4s").passes()
    assert found.run["overall"]["repeated"] > 0
    assert [each["kind"] for each in found.run["disturbances"]].count("kill") == 3


def test_walks_beside_payments(billset):
    run = load(billset, "--mix", "walk=1,card=1", "--warm-up", "500ms", "--duration", "2s").passes().run
    assert all(scenario["ok"] > 0 for scenario in run["scenarios"])
    assert "location" in {process["name"] for process in run["processes"]}


def test_walks_over_http(billset):
    load(billset, "--over", "http", "--mix", "walk", "--warm-up", "0s", "--duration", "2s", "--in-flight", "4").passes()


def test_walks_survive_a_location_that_is_killed_and_a_broker_that_is_stopped(fragile):
    found = load(
        fragile, "--mix", "walk=4,card=1", "--warm-up", "0s", "--duration", "5s", "--kill", "location", "--every", "1500ms",
        "--grace", "0s", "--fault", "stop broker for 400ms at 700ms", people=["--customers", "100", "--merchants", "3"]
    ).passes()
    assert found.run["overall"]["repeated"] > 0
    assert [each["kind"] for each in found.run["disturbances"] if each["process"] == "location"].count("kill") == 3


def test_positions_that_a_restart_has_forgotten_are_excused_by_it_alone(fragile):
    # One walk each, then nobody is heard of; the last thing that happens is that location is killed.
    found = load(
        fragile, "--mix", "walk", "--warm-up", "0s", "--duration", "4s", "--rate", "10", "--fault", "kill location at 3s",
        "--grace", "0s", people=["--customers", "1000", "--merchants", "3"]).passes()
    told = next(check for check in found.run["verdict"]["checks"] if check["name"] == "positions_kept")
    assert told["examined"] == found.run["overall"]["ok"]
    assert "not known, which a restart of location excuses" in told["question"]


def test_a_set_without_location_cannot_be_walked_in():
    made = Set().start("broker", "auth", "wallet", "payments", "gateway")
    try:
        until(lambda: {"wallet", "payments", "auth"} <= set(processes(made)), "the processes to be there")
        found = load(made, "--mix", "walk")
        assert found.status == 2
        assert "location does not answer" in found.err
    finally:
        made.close()


def test_coupons(billset):
    # Of one merchant, so that some come too late for the coupon that 25 may use: each of them is asked again.
    run = load(
        billset, "--mix", "coupon=4,charge=1", "--warm-up", "0s", "--duration", "4s",
        people=["--customers", "6", "--merchants", "1"]).passes().run
    assert all(scenario["ok"] > 0 for scenario in run["scenarios"])
    assert next(each["repeated"] for each in run["scenarios"] if each["name"] == "coupon") > 0


def test_coupons_over_http(billset):
    load(billset, "--over", "http", "--mix", "coupon", "--warm-up", "0s", "--duration", "2s", "--in-flight", "6").passes()


def test_coupons_survive_whatever_is_killed(fragile):
    found = load(
        fragile, "--mix", "coupon=3,card=1", "--warm-up", "0s", "--duration", "7s", "--in-flight", "32", "--kill", "offers",
        "--every", "1500ms", "--grace", "0s", "--fault", "kill payments at 2s", "--fault", "kill wallet at 4s").passes()
    assert found.run["overall"]["repeated"] > 0


def test_orders_and_shops(billset):
    run = load(billset, "--mix", "order=4,shop=2,card=1", "--in-flight", "12", "--warm-up", "0s", "--duration", "2s").passes().run
    assert all(scenario["ok"] > 0 for scenario in run["scenarios"])
    # What an earlier run has left open at a shop is thrown away, and nobody's order is in the way of another's.
    load(billset, "--over", "http", "--mix", "order=2,shop=1", "--in-flight", "6", "--warm-up", "0s", "--duration", "2s").passes()


def test_orders_survive_whatever_is_killed(fragile):
    run = load(
        fragile, "--mix", "order=3,card=1", "--in-flight", "12", "--warm-up", "0s", "--duration", "6s", "--grace", "0s",
        "--kill", "ordering", "--every", "2s", "--fault", "kill payments at 3s", "--fault", "kill wallet at 5s").passes().run
    assert len(run["disturbances"]) >= 4


MOVEMENTS = ["refund", "transfer", "reload"]


@pytest.mark.parametrize("name", MOVEMENTS)
def test_a_movement_alone(billset, name):
    run = load(billset, "--mix", name, "--in-flight", "16", "--warm-up", "0s", "--duration", "1s").passes().run
    assert [scenario["name"] for scenario in run["scenarios"]] == [name]


def test_movements_over_http(billset):
    run = load(
        billset, "--over", "http", "--mix", "refund=2,transfer=2,reload=1,card=1", "--in-flight", "6", "--warm-up", "0s",
        "--duration", "2s").passes().run
    assert all(scenario["ok"] > 0 for scenario in run["scenarios"])


def test_movements_survive_whatever_is_killed(fragile):
    found = load(
        fragile, "--mix", "refund=2,transfer=2,reload=1,card=1", "--in-flight", "32", "--warm-up", "0s", "--duration", "7s",
        "--kill", "wallet", "--every", "2s", "--grace", "0s", "--fault", "kill payments at 3s",
        "--fault", "stop broker for 300ms at 5s").passes()
    assert found.run["overall"]["repeated"] > 0
    assert [each["kind"] for each in found.run["disturbances"]].count("kill") == 4


def test_apps_with_open_streams(billset):
    """What an app's user does: each request for money also arrives over every stream of the customer."""
    run = load(
        billset, "--over", "http", "--mix", "app", "--warm-up", "0s", "--duration", "2s", "--in-flight", "6", "--streams", "12"
    ).passes().run
    assert run["scenarios"][0]["name"] == "app"
    assert {"name": "event streams", "value": "12, broken off 0 times"} in run["settings"]


def test_streams_and_connections_are_spread_over_the_gateways_that_are_named(billset):
    """Also more streams than files may be open in one table of files."""
    port = free_port()
    second = billset.spawn("gateway", BILLFOLD_HTTP=f"127.0.0.1:{port}")
    try:
        until(lambda: answers(port), "the second gateway")
        run = load(
            billset, "--http", f"127.0.0.1:{billset.port},127.0.0.1:{port}", "--over", "http", "--mix", "app", "--warm-up", "0s",
            "--duration", "2s", "--in-flight", "6", "--streams", "96",
            people=["--population", "spread", "--customers", "12", "--merchants", "3"], within=["prlimit", "--nofile=64:64"]
        ).passes().run
    finally:
        second.kill()
        second.wait()
    assert {"name": "event streams", "value": "96, broken off 0 times"} in run["settings"]
    spent = {process["name"]: process["cpuMicrosPerOperation"] for process in run["processes"]}
    assert spent["gateway"] > 0 and spent["gateway-2"] > 0


def test_apps_survive_whatever_is_killed(fragile):
    """Streams break with the gateway and go on behind what they have told."""
    found = load(
        fragile, "--over", "http", "--mix", "app", "--warm-up", "0s", "--duration", "6s", "--in-flight", "6", "--grace", "0s",
        "--fault", "kill gateway at 2s", "--fault", "kill notifications at 4s").passes()
    broken = next(setting["value"] for setting in found.run["settings"] if setting["name"] == "event streams")
    assert not broken.endswith("broken off 0 times"), broken


@contextmanager
def wrong(service, bug):
    """A set whose service is wrong on purpose."""
    made = Set(instead={service: [sys.executable, MIDDLEMAN, service, bug]}, BILLFOLD_BIN=str(BINARIES)).start()
    try:
        yield made.await_health()
    finally:
        made.close()


@pytest.mark.parametrize("service, bug, check, words", [
    ("wallet", "double_capture", "acknowledged_once", "captured twice: entries "),
    ("payments", "lost_notice", "merchants_told", "lost notice: merchant #"),
    ("wallet", "wrong_balance", "balances_follow_entries", "is shown a balance of "),
    ("wallet", "needless_refusal", "refused_for_a_reason", "was refused (wallet.insufficient_funds): $"),
    ("wallet", "forgotten_key", "asked_again", "asked again, was done again"),
])
def test_a_wrong_service_is_found_by_name(service, bug, check, words):
    with wrong(service, bug) as made:
        found = load(made, "--warm-up", "0s", "--duration", "1s", "--rate", "300")
        assert found.status == 1, found.out
        assert check in found.failed, found.failed
        assert words in found.failed[check]
        assert words in found.out, "what is wrong is not printed"
        # What is right is not accused.
        assert not {"refused_never_moved", "all_settled", "chain_intact"} & set(found.failed)


@pytest.mark.parametrize("service, bug, mix, check, words", [
    ("wallet", "lost_refund", "refund", "acknowledged_once", "and is not in the ledger"),
    ("wallet", "lost_transfer", "transfer", "acknowledged_once", "and is not in the ledger"),
    ("wallet", "lost_reload", "reload", "acknowledged_once", "and is not in the ledger"),
    ("wallet", "double_refund", "refund", "nothing_else_moved", "which this run did not ask for"),
    ("wallet", "double_transfer", "transfer", "acknowledged_once", "posted twice: entries "),
    ("wallet", "double_reload", "reload", "nothing_else_moved", "which this run did not ask for"),
    ("payments", "lost_refund_notice", "refund", "refunds_told", "lost notice: nobody was told of the refund of charge "),
])
def test_a_movement_that_is_lost_or_doubled_is_found_by_name(service, bug, mix, check, words):
    with wrong(service, bug) as made:
        found = load(made, "--mix", mix, "--warm-up", "0s", "--duration", "1s", "--rate", "300", "--in-flight", "16")
        assert found.status == 1, found.out
        assert check in found.failed, found.failed
        assert words in found.failed[check]
        assert not {"refused_never_moved", "all_settled", "chain_intact"} & set(found.failed)


@pytest.mark.parametrize("service", ["wallet", "payments", "offers", "location"])
def test_a_service_behind_an_honest_middleman_is_right(service):
    with wrong(service, "honest") as made:
        load(
            made, "--mix", "card=4,coupon=1,walk=1,refund=1,transfer=1", "--warm-up", "0s", "--duration", "1s",
            "--rate", "100").passes()


def test_wrong_offers_are_found_by_name():
    with wrong("offers", "lost_redemption") as made:
        found = load(made, "--mix", "coupon", "--warm-up", "0s", "--duration", "2s", "--rate", "60")
        assert found.status == 1, found.out
        assert set(found.failed) == {"coupons_redeemed"}
        assert "lost redemption: charge " in found.failed["coupons_redeemed"]
        assert "The money is right, the coupons are not" in found.out


def test_orders_that_are_never_published_are_found_by_name():
    with wrong("ordering", "lost_order") as made:
        found = load(made, "--mix", "order", "--warm-up", "0s", "--duration", "2s", "--rate", "60", "--in-flight", "12")
        assert found.status == 1, found.out
        assert set(found.failed) == {"orders_paid"}
        assert "lost order: order " in found.failed["orders_paid"]


def test_a_wrong_location_is_found_by_name():
    with wrong("location", "lost_exit") as made:
        found = load(
            made, "--mix", "walk=3,card=1", "--warm-up", "0s", "--duration", "1s", "--rate", "300", "--in-flight", "100",
            people=["--customers", "100", "--merchants", "3"])
        assert found.status == 1, found.out
        # The money is not accused, nor are positions.
        assert set(found.failed) == {"fences_told", "visits_in_order"}
        assert "lost exit: walk of customer #" in found.failed["fences_told"]
        assert "The money is right, the walks are not" in found.out


def test_no_setting_makes_a_service_wrong():
    """What tests need to be wrong is under Tests/: nothing of it is in what is installed."""
    for name in ("billfold", *(f"billfold-{name}" for name in NAMES)):
        words = (BINARIES / name).read_bytes().lower()
        assert b"planted.bug" not in words and b"planted_bug" not in words, name
    made = Set(BILLFOLD_PLANTED_BUG="double_capture").start()
    try:
        made.await_health()
        load(made, "--warm-up", "0s", "--duration", "1s", "--rate", "300").passes()
    finally:
        made.close()


@pytest.mark.parametrize("options, words", [
    (["--duration", "5"], "a duration is written"),
    (["--mix", "tap=1"], "there is no scenario 'tap'"),
    (["--over", "pigeon"], "http or bus"),
    (["--stop", "broker"], "for how long"),
    (["--every", "5s"], "belong to --kill and --stop"),
    (["--merchants-by", "normal"], "uniform, zipf"),
    (["--ramp", "--rate", "5"], "leave --rate away"),
    (["--amount", "7-3"], "1-100"),
    (["--mix", "touch"], "touch cannot be played over bus"),
    (["--over", "http", "--mix", "touch", "--customers", "2", "--devices", "33"], "16 devices at most"),
    (["--over", "http", "--mix", "touch", "--devices", "63"], "as many devices as operations in flight"),
    (["--mix", "transfer", "--customers", "1"], "a transfer needs two customers"),
    (["--mix", "walk", "--customers", "5", "--in-flight", "6"], "as many customers as operations in flight"),
    (["--mix", "order", "--customers", "6", "--merchants", "3", "--in-flight", "19"], "as many pairs as operations in flight"),
    (["--mix", "coupon", "--customers", "64", "--merchants", "2000"], "subscribes to each merchant's coupons"),
    (["--kill", "purse"], "there is no process 'purse'"),
    (["--fault", "kill wallet at 1s", "--fault", "stop ledger for 1s"], "there is no process 'ledger'"),
    (["--kill", "wallet", "--every", "1m"], "never happens"),
    (["--stop", "broker", "--for", "1s", "--at", "12s"], "never happens"),
    (["--over", "http", "--http", "somewhere"], "is not an IPv4 address and a port"),
    (["--over", "http", "--http", ","], "names no gateway"),
    (["--over", "http", "--http", "127.0.0.1:1,127.0.0.1:2", "--mix", "touch"], "belongs to one gateway"),
    (["--html", "no-such-folder/load.html"], "the folder does not exist"),
    (["--json", "/"], "--json cannot be written to /"),
])
def test_options_that_cannot_be_used(billset, options, words):
    found = load(billset, *options, people=[])
    assert (found.status, found.out) == (64, "")
    assert words in found.err and found.err.startswith("billfold: ")


def test_every_process_can_be_named_and_the_help_names_it(billset):
    shown = billset.command("load", "--help").stdout
    for name in NAMES:
        assert re.search(rf"\b{name}\b", shown[shown.index("--kill <process>"):shown.index("--stop <process>")]), name


def test_no_set(billset):
    found = load(billset, "--run", str(billset.home / "nowhere"), people=[])
    assert found.status == 2
    assert "no set of Billfold answers" in found.err


def test_a_gateway_that_is_not_there_is_said_before_anything_is_played(billset):
    with billset.bus() as bus:
        before = captured(bus)
        found = load(billset, "--over", "http", "--http", "127.0.0.1:1", "--duration", "10m", "--settle", "10m")
        assert (found.status, found.out) == (2, "") and found.err.count("\n") == 1
        assert "no gateway answers at 127.0.0.1:1" in found.err and "no money moved" in found.err
        assert captured(bus) == before


def test_a_fault_that_never_happened_is_no_pass(billset):
    """A process that was given by its number, and is another one after the first fault."""
    till = subprocess.Popen(["sleep", "30"])
    billset.beside.append(till)
    found = load(
        billset, "--processes", f"till={till.pid}", "--fault", "kill till at 100ms", "--fault",
        "stop till for 50ms at 400ms", "--grace", "0s", "--warm-up", "0s", "--duration", "500ms")
    assert found.status == 1 and list(found.failed) == ["faults_happened"]
    assert found.failed["faults_happened"] == "'stop till for 50ms at 400ms' never happened"
    assert "The money is right, the faults are not" in found.out


def test_a_fault_of_a_process_that_does_not_run_is_refused(billset):
    ended = subprocess.Popen(["true"])
    ended.wait()
    found = load(billset, "--processes", f"till={ended.pid}", "--kill", "till", "--duration", "500ms")
    assert found.status == 64 and "no process 'till' was found" in found.err


def test_a_report_that_cannot_be_written_leaves_the_old_one(billset):
    old = billset.home / "old.json"
    old.write_text("{}")
    found = load(billset, "--json", str(old), "--html", "no-such-folder/load.html", people=[])
    assert found.status == 64 and old.read_text() == "{}"
    # A file that was made for nothing is not left behind.
    missing = billset.home / "new.json"
    assert load(billset, "--run", str(billset.home / "nowhere"), "--json", str(missing), people=[]).status == 2
    assert not missing.exists()
