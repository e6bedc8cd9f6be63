"""`billfold up` and its neighbours: the set of docker-compose.yml as local processes, and other processes in their places."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from billfold import BINARIES, NAMES, PATIENCE, ROOT, Set, until
from test_load import Load


class UpSet(Set):
    """A set that `billfold up` runs, from a copy of the project's description."""

    def __init__(self, **environment):
        super().__init__(**environment)
        self.project = self.home / "project"
        (self.project / "deploy/compose").mkdir(parents=True)
        shutil.copy(ROOT / "docker-compose.yml", self.project)
        shutil.copy(ROOT / "deploy/compose/no-secret", self.project / "deploy/compose")
        self.logs = self.project / ".billfold/logs"

    def billfold(self, *arguments, **more):
        return subprocess.run(
            [BINARIES / "billfold", *arguments], cwd=self.project, env=self.environment, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=2 * PATIENCE, **more)

    def spawn_billfold(self, *arguments):
        return subprocess.Popen(
            [BINARIES / "billfold", *arguments], cwd=self.project, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)

    def up(self, *options):
        done = self.billfold("up", "-d", *options)
        assert done.returncode == 0, done
        return self

    def list(self):
        return json.loads(self.billfold("ps", "--json").stdout)

    def processes_now(self):
        return {process["name"]: process for process in self.list()["processes"]}

    def close(self):
        # A set that has ended by itself is the test's own business.
        self.billfold("down")
        return super().close()


@pytest.fixture(scope="module")
def upset():
    made = UpSet()
    try:
        yield made.up()
    finally:
        made.close()


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_set_is_the_description_and_is_there_once(upset):
    listing = upset.list()
    assert [(each["name"], each["state"], each["restarts"]) for each in listing["processes"]] == [
        (name, "healthy", 0) for name in NAMES]
    upset.await_health()
    again = upset.billfold("up", "-d")
    assert again.returncode == 1 and "already" in again.stderr, again
    assert upset.list()["supervisor"] == listing["supervisor"]
    table = upset.billfold("ps")
    assert table.returncode == 0 and len(table.stdout.splitlines()) == 1 + len(NAMES)
    assert oct((upset.run / "up.sock").stat().st_mode)[-3:] == "600"


def test_who_ends_is_started_again(upset):
    before = upset.processes_now()["offers"]["pid"]
    os.kill(before, signal.SIGKILL)
    until(lambda: upset.processes_now()["offers"]["restarts"] == 1, "offers to be started again")
    until(lambda: upset.processes_now()["offers"]["state"] == "healthy", "offers to be healthy again")
    assert upset.processes_now()["offers"]["pid"] != before
    upset.await_health()


def test_logs_are_lines_with_their_service(upset):
    shown = upset.billfold("logs", "--tail", "5", "wallet", "payments")
    assert shown.returncode == 0 and "\x1b" not in shown.stdout
    lines = shown.stdout.splitlines()
    assert all(re.match(r"(wallet  |payments) \| \d\d:\d\d:\d\d\.\d{3} \w+: ", line) for line in lines), lines
    assert any(line.startswith("wallet") and line.endswith("ready") for line in lines)
    raw = upset.billfold("logs", "--json", "wallet").stdout.splitlines()
    assert all(json.loads(line)["service"] == "wallet" for line in raw)
    assert upset.billfold("logs", "nobody").returncode == 1


# MARK: Swaps


def swap(set, service, *words):
    return set.billfold("swap", service, *words)


# It is there, it is quick, and whatever it is asked it answers with nothing.
WRONG_WORKER = """
import json, os, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
socket.send_multipart([b"MDPW02", b"\\x01", b"payments"])
while True:
    frames = socket.recv_multipart()
    if frames[1] == b"\\x02":
        try:
            kind = json.loads(frames[4])["type"] + ".reply"
        except (ValueError, KeyError, TypeError):
            kind = "bus.fault.v1"
        answer = {"specversion": "1.0", "id": "1", "source": "wrong", "type": kind, "data": {}}
        socket.send_multipart([b"MDPW02", b"\\x04", frames[2], b"", json.dumps(answer).encode()])
"""


def test_a_rehearsal_that_fails_changes_nothing(upset):
    before = upset.processes_now()["offers"]["pid"]
    done = swap(upset, "offers", "--", "/bin/false")
    assert done.returncode == 1 and "failed at rehearsal" in done.stderr, done
    assert upset.processes_now()["offers"]["pid"] == before


def test_under_load_parts_are_exchanged_and_nobody_notices(upset):
    """Upgrades, candidates that are wrong in their own ways, and a command that is killed midway: no error, no cent lost."""
    load = Load(upset, "--over", "http", "--in-flight", "8", "--duration", "10s", "--warm-up", "0s", "--mix", "card",
                people=["--customers", "8", "--merchants", "2"])
    until(lambda: upset.health()[0] == 200 and busy(upset), "the load to begin")
    binary = lambda name: str(BINARIES / f"billfold-{name}")  # noqa: E731

    for service in ("wallet", "payments"):
        done = swap(upset, service, "--unrehearsed", "--", binary(service))
        assert done.returncode == 0, done
        assert re.search(r"waited for \d+ ms", done.stdout), done
    assert {name for name, each in upset.processes_now().items() if each["swapped"]} == {"wallet", "payments"}

    wrong = swap(upset, "payments", "--unrehearsed", "--", sys.executable, "-c", WRONG_WORKER)
    assert wrong.returncode == 1 and "failed at check: FAILED  payments/" in wrong.stderr, wrong
    at_once = swap(upset, "wallet", "--unchecked", "--", "/bin/false")
    assert at_once.returncode == 1 and "failed at start: it ended with status 1" in at_once.stderr, at_once
    nowhere = swap(upset, "wallet", "--unchecked", "--", "./no-such-wallet")
    assert nowhere.returncode == 1 and "no executable" in nowhere.stderr, nowhere

    # It never says READY, it does not want to end, and whoever asked for it is gone.
    stubborn = upset.spawn_billfold(
        "swap", "payments", "--unchecked", "--", sys.executable, "-c",
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)")
    until(lambda: upset.processes_now()["payments"]["state"] == "swapping", "the swap to begin")
    other = swap(upset, "wallet", "--unchecked", "--", binary("wallet"))
    assert other.returncode == 1 and "payments is being swapped" in other.stderr, other
    stubborn.kill()
    stubborn.communicate()
    until(lambda: upset.processes_now()["payments"]["state"] == "healthy", "the old one to be back")

    back = swap(upset, "payments", "--back", "--unchecked")
    assert back.returncode == 0, back
    assert [name for name, each in upset.processes_now().items() if each["swapped"]] == ["wallet"]
    load.wait().passes()
    # Nobody was told anything but the right answer, not even to ask again.
    assert load.run["overall"]["refused"] == [] and load.run["overall"]["repeated"] == 0, load.out


def busy(set):
    with set.bus() as bus:
        queues = {queue["service"]: queue for queue in bus.ask("broker.queues.read.v1")["services"]}
        return queues["wallet"]["answers"] > 100


@pytest.mark.parametrize("words, status, says", [
    (("broker", "--unchecked", "--", "true"), 1, "every socket"),
    (("gateway", "--unchecked", "--", "true"), 1, "no asks"),
    (("nobody", "--", "true"), 1, "there is no service 'nobody'"),
    (("offers", "--", "no-such-program"), 1, "no executable"),
    (("offers",), 64, "--back"),
    (("offers", "--back", "--", "true"), 64, "--back"),
])
def test_what_cannot_be_swapped_is_said(upset, words, status, says):
    done = swap(upset, *words)
    assert done.returncode == status and says in done.stderr, done
    assert upset.processes_now()["offers"]["state"] == "healthy"


# MARK: Ends


def test_the_end_of_the_supervisor_is_the_end_of_all(upset):
    listing = upset.list()
    os.kill(listing["supervisor"], signal.SIGKILL)
    for process in listing["processes"]:
        until(lambda: not is_alive(process["pid"]), f"{process['name']} to end")
    gone = upset.billfold("ps")
    assert gone.returncode == 1 and "no set" in gone.stderr
    assert upset.billfold("down").returncode == 0
    # What it left is no obstacle; and `down` is quick.
    upset.up()
    began = time.monotonic()
    assert upset.billfold("down").returncode == 0
    # Two seconds are promised; the rest is for a machine that has much else to do.
    assert time.monotonic() - began < 10
    assert upset.billfold("logs", "--tail", "1").stdout.count("\n") == len(NAMES)


def test_in_the_foreground_ctrl_c_ends_all(upset):
    process = upset.spawn_billfold("up")
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "processes are healthy" in line:
            break
    listing = upset.list()
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(PATIENCE) == 0, rest
    assert not any(is_alive(each["pid"]) for each in listing["processes"])
    assert any(line.startswith("gateway       | ") for line in lines) and rest.splitlines()[-1].endswith("stopped")


def test_a_set_that_does_not_become_healthy_is_told_of(upset):
    description = (upset.project / "docker-compose.yml").read_text()
    (upset.project / "broken.yml").write_text(description.replace("command: [billfold-offers]", "command: [false]"))
    done = upset.billfold("up", "-d", "--wait-timeout", "1", "--file", "broken.yml")
    assert done.returncode == 1 and "not healthy after 1 s" in done.stderr and "offers is" in done.stderr, done
    listed = upset.billfold("ps")
    assert listed.returncode == 1 and "offers" in listed.stdout
    assert upset.billfold("down").returncode == 0
    for text, says in (("services: {a: {privileged: true}}", "line 1: services.a.privileged"), ("services: [", "no YAML")):
        (upset.project / "broken.yml").write_text(text)
        done = upset.billfold("up", "--file", "broken.yml")
        assert done.returncode == 1 and says in done.stderr, done
