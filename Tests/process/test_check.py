"""`billfold check`: our own services conform, and each wrong one is refused with the case named."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from billfold import BINARIES, OWNERS, PATIENCE, ROOT

MIDDLEMAN = ROOT / "Tests" / "process" / "middleman.py"
EXAMPLES = ROOT / "deploy" / "examples"


def check(*arguments, patience=240):
    """(exit status, the JSON that it printed, what it said on standard error)."""
    done = subprocess.run(
        [BINARIES / "billfold", "check", *arguments[:1], "--json", *arguments[1:]], capture_output=True, text=True,
        timeout=patience, env={**os.environ, "BILLFOLD_BIN": str(BINARIES)})
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def failed(report):
    return {case["name"]: case["why"] for case in report["cases"] if case["outcome"] == "failed"}


def at_once(function, things):
    """What `function` makes of each: some side by side, as each waits most of the time. More sets at once would let a
    service that is stopped run out of time for the asks it has."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(things, pool.map(function, things)))


def test_our_own_services_conform():
    def checked(service):
        return check(service, "--complete", "--", str(BINARIES / f"billfold-{service}"))

    for service, (status, report, said) in at_once(checked, OWNERS).items():
        assert failed(report) == {}, service
        assert (status, said) == (0, ""), service
        assert report["conforms"] and report["notOffered"] == [] and report["passed"] == len(report["cases"])
        assert {f"{service}/{case}" for case in ("drain", "restart", "late", "silence", "told")} <= {
            case["name"] for case in report["cases"]}


@pytest.mark.parametrize("service", OWNERS)
def test_a_running_set_is_asked_what_changes_nothing(billset, bus, service):
    def heads():
        return {name: bus.ask(f"{name}.facts.read.v1", {"after": 0, "limit": 1})["head"] for name in OWNERS}

    before = heads()
    status, report, said = check(service, "--run", str(billset.run), "--live", "--complete")
    assert (status, failed(report), said) == (0, {}, "")
    assert heads() == before, "something was done"


def test_a_paused_service_is_tried_past_its_queue(billset, bus):
    bus.ask("broker.service.pause.v1", {"service": "wallet"})
    try:
        status, report, said = check("wallet", "--run", str(billset.run), "--live", "--try")
    finally:
        bus.ask("broker.service.resume.v1", {"service": "wallet"})
    assert (status, failed(report), said) == (0, {}, "")


def test_a_running_set_may_be_asked_in_earnest(billset):
    status, report, said = check("wallet", "--run", str(billset.run))
    assert (status, failed(report), said) == (0, {}, "")
    assert {"wallet.payment.post.v1/again", "wallet/told"} <= {case["name"] for case in report["cases"]}
    assert not any(case["name"] == "wallet/drain" for case in report["cases"])


def test_what_may_be_left_out_is_told_and_needed_with_complete():
    """All of the Python service is checked where its page is (test_examples.py)."""
    command = ["--", sys.executable, str(EXAMPLES / "notifications.py")]
    status, report, _ = check("notifications", "--case", "notifications.pushkey.read.v1", *command)
    assert status == 0 and report["notOffered"] == ["notifications.pushkey.read.v1"]
    status, report, _ = check("notifications", "--complete", "--case", "notifications.pushkey.read.v1/answered", *command)
    assert status == 1 and "bus.unknown_type" in failed(report)["notifications.pushkey.read.v1/answered"]


WRONG = {
    "pays-twice": "wallet.payment.post.v1/again",
    "ignores-deadline": "wallet.payment.post.v1/deadline",
    "ignores-content": "wallet.payment.post.v1/reused",
    "takes-strays": "wallet.card.read.v1/malformed",
    "takes-versions": "wallet.card.read.v1/version",
    "forgets-causes": "wallet.card.read.v1/nobody",
    "deaf-to-actors": "wallet.card.read.v1/stranger",
    "forgets": "wallet/restart",
    "drops": "wallet/drain",
}


def middleman(bug, *cases):
    words = [word for case in cases for word in ("--case", case)]
    return check("wallet", *words, "--", sys.executable, str(MIDDLEMAN), "wallet", bug)


def test_wrong_ones_are_refused_with_the_case_named_and_the_honest_one_conforms():
    def checked(bug):
        return middleman(bug, *([WRONG[bug]] if bug in WRONG else WRONG.values()))

    results = at_once(checked, ["honest", *WRONG])
    status, report, said = results.pop("honest")
    assert (status, failed(report), said) == (0, {}, "")
    for bug, (status, report, _) in results.items():
        assert (status, list(failed(report))) == (1, [WRONG[bug]]), (bug, report)


def test_what_cannot_be_checked_is_told_in_one_line():
    def said(*arguments):
        done = subprocess.run([BINARIES / "billfold", "check", *arguments], capture_output=True, text=True, timeout=60)
        assert done.stdout == ""
        return done.returncode, done.stderr

    status, line = said("wallet", "--case", "wallet/unheard")
    assert status == 64 and line.count("\n") == 1 and "--list" in line
    status, line = said("wallet", "--run", "/tmp/billfold-check-nobody", "--live")
    assert status == 2 and line.count("\n") == 1, line
    assert "no set runs" in line
    status, text = said("ledger")
    assert status == 64 and "auth, wallet" in text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_whoever_stops_the_check_stops_all_that_it_has_started(number):
    with tempfile.TemporaryDirectory(prefix="bf-") as home:  # short, as pytest's own is not
        words = [BINARIES / "billfold", "check", "wallet", "--case", "wallet/facts", "--case", "wallet/silence", "--"]
        environment = {**os.environ, "TMPDIR": home}
        with subprocess.Popen(
            [*words, BINARIES / "billfold-wallet"], env=environment, stdout=subprocess.PIPE, text=True,
            # Under nohup a hang-up is ignored, and the check does not change that.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)) as process:
            assert "wallet/facts" in process.stdout.readline()
            assert os.listdir(home)
            process.send_signal(number)  # while the wallet is frozen, or about to be
            assert process.wait(PATIENCE) == 128 + number
            assert "FAILED" not in process.stdout.read()
        assert os.listdir(home) == []
        left = [path.parent.name for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if home in environ(path)]
        assert left == []


def environ(cmdline):
    try:
        return (cmdline.parent / "environ").read_bytes().decode(errors="replace")
    except OSError:
        return ""  # gone meanwhile, or another user's


def test_a_command_that_does_not_start_does_not_conform():
    status, report, _ = check("wallet", "--", "false")
    assert status == 1 and "ended with status 1" in failed(report)["wallet/start"]
