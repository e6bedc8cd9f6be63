"""`billfold up` and its neighbours: the set of docker-compose.yml as local processes, and other processes in their places."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager

import pytest

from billfold import BINARIES, NAMES, PATIENCE, ROOT, Person, Set, free_port, new_id, until, until_well
from test_load import Load

# A swap's limits of time.
TOO_SLOW = re.compile("the check took longer than|was not READY and answering within|had not read the rest within")


class UpSet(Set):
    """A set that `billfold up` runs, from a copy of the project's description."""

    def __init__(self, beside=None, **environment):
        super().__init__(**environment)
        self.logs = self.data / "logs"
        # Two sets of one checkout have one description.
        self.project = beside.project if beside else self.home / "project"
        if beside:
            return
        (self.project / "deploy/compose").mkdir(parents=True)
        shutil.copy(ROOT / "docker-compose.yml", self.project)
        shutil.copy(ROOT / "deploy/compose/no-secret", self.project / "deploy/compose")

    def billfold(self, *arguments, timeout=2 * PATIENCE, **more):
        """A swap that a busy machine was too slow for, and that put the old program back, is tried again."""
        for _ in range(3):
            done = subprocess.run(
                [BINARIES / "billfold", *arguments], env=self.environment, capture_output=True, text=True,
                stdin=subprocess.DEVNULL, timeout=timeout, **{"cwd": self.project, **more})
            if not TOO_SLOW.search(done.stderr) or not re.search("serves again|all services run as before", done.stderr):
                break
        return done

    def without(self, *names, **more):
        """Its environment without some of its settings, for commands that have to find the set without them."""
        return {**{key: value for key, value in self.environment.items() if key not in names}, **more}

    def spawn_billfold(self, *arguments):
        return subprocess.Popen(
            [BINARIES / "billfold", *arguments], cwd=self.project, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)

    def up(self, *options):
        done = self.billfold("up", "-d", *options)
        # Its last look may miss a process that is busy.
        if "the set goes on" in done.stderr:
            done = until_well(lambda: self.billfold("ps"))
        assert done.returncode == 0, done
        return self

    def ledger_entries(self):
        return json.loads(self.billfold("verify", "--json").stdout)["entries"]

    def list(self):
        return json.loads(self.billfold("ps", "--json").stdout)

    def processes_now(self):
        return {process["name"]: process for process in self.list()["processes"]}

    @contextmanager
    def closing(self):
        try:
            yield self
        finally:
            self.close()

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
    table = until_well(lambda: upset.billfold("ps"))
    assert len(table.stdout.splitlines()) == 1 + len(NAMES)
    assert oct((upset.run / "up.sock").stat().st_mode)[-3:] == "600"


def test_a_set_without_data_of_its_own_keeps_and_gets_it_beside_its_description(tmp_path):
    """Whoever sets nothing, or sets it in `.env`, restores into the directory that the set reads."""
    made = UpSet()
    with made.closing() as own:
        own.environment = own.without("BILLFOLD_DATA", "BILLFOLD_HTTP")
        settings = f"BILLFOLD_HTTP=127.0.0.1:{own.port}\n"
        (own.project / ".env").write_text(settings + "BILLFOLD_KEYS=elsewhere\n")
        misplaced = own.billfold("up", "-d")
        assert misplaced.returncode == 64 and "BILLFOLD_KEYS in .env" in misplaced.stderr, misplaced
        (own.project / ".env").write_text(settings)
        own.up()
        own.await_health()
        assert own.billfold("backup", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys")).returncode == 0
        running = own.billfold("restore", str(tmp_path / "copy"), "--replace")
        assert running.returncode == 1 and "nothing was restored. 'billfold down' ends it" in running.stderr, running
        entries = own.ledger_entries()
        assert own.billfold("demo").returncode == 0 and own.ledger_entries() > entries
        assert own.billfold("down").returncode == 0
        restored = own.billfold("restore", str(tmp_path / "copy"), "--replace")
        assert restored.returncode == 0 and f"{own.project}/.billfold/data is as of" in restored.stdout, restored
        own.up()
        assert own.ledger_entries() == entries


def test_who_ends_is_started_again(upset):
    before = upset.processes_now()["offers"]["pid"]
    os.kill(before, signal.SIGKILL)
    until(lambda: upset.processes_now()["offers"]["restarts"] == 1, "offers to be started again")
    until(lambda: upset.processes_now()["offers"]["state"] == "healthy", "offers to be healthy again")
    assert upset.processes_now()["offers"]["pid"] != before
    upset.await_health()


def test_ps_names_a_process_that_runs_and_does_not_answer(upset):
    frozen = upset.processes_now()["storefront"]["pid"]
    os.kill(frozen, signal.SIGSTOP)
    try:
        # The broker gives up a silent worker after 10 s.
        until(lambda: "storefront: it does not answer" in upset.billfold("ps").stdout, "ps to name it", patience=30)
        table = upset.billfold("ps")
        assert table.returncode == 1 and re.search(r"storefront +unwell", table.stdout), table
    finally:
        os.kill(frozen, signal.SIGCONT)
    until(lambda: upset.billfold("ps").returncode == 0, "all to be healthy again")
    assert upset.processes_now()["storefront"]["pid"] == frozen


def test_status_and_ps_say_why_a_service_is_missing(upset):
    """Its data is in the way: it ends whenever it is started."""
    path = upset.data / "storefront"
    until(lambda: path.is_dir(), "storefront's data")
    mode = path.stat().st_mode
    kept = path.rename(path.with_name("kept"))
    path.write_text("no directory")
    reason = f"cannot make the directory {path}: something else has that name"
    try:
        os.kill(upset.processes_now()["storefront"]["pid"], signal.SIGKILL)
        until(lambda: upset.processes_now()["storefront"]["state"] == "backing-off", "storefront to end again")
        until(lambda: reason in upset.billfold("status", "--over", "0.1").stdout, "the reason")
        status = upset.billfold("status", "--over", "0.1", "--json")
        assert status.returncode == 1, status
        told = {each["service"]: each for each in json.loads(status.stdout)["services"]}["storefront"]
        assert told["state"] == "missing" and any(reason in line for line in told["troubles"]), told
        listed = upset.billfold("ps")
        assert listed.returncode == 1 and reason in listed.stdout, listed
    finally:
        path.unlink()
        kept.rename(path)
        assert path.stat().st_mode == mode
    until(lambda: upset.processes_now()["storefront"]["state"] == "healthy", "storefront to be back")
    upset.await_health()


def test_logs_are_lines_with_their_service(upset):
    shown = upset.billfold("logs", "--tail", "5", "wallet", "payments")
    assert shown.returncode == 0 and "\x1b" not in shown.stdout
    lines = shown.stdout.splitlines()
    assert all(re.match(r"(wallet  |payments) \| \d\d:\d\d:\d\d\.\d{3} \w+: ", line) for line in lines), lines
    assert any(line.startswith("wallet") and line.endswith("ready") for line in lines)
    raw = upset.billfold("logs", "--json", "wallet").stdout.splitlines()
    assert raw and all(json.loads(line)["service"] == "wallet" for line in raw)
    assert upset.billfold("logs", "nobody").returncode == 64


# MARK: Swaps


def swap(set, service, *words):
    return set.billfold("swap", service, *words)


def test_an_operators_pause_outlives_a_swap(upset):
    """Whether it succeeds or fails; and a swap that a stop of the set ends says so."""
    def is_paused():
        return next(each["paused"] for each in bus.ask("broker.queues.read.v1", {})["services"]
                    if each["service"] == "storefront")

    with upset.bus() as bus:
        bus.ask("broker.service.pause.v1", {"service": "storefront"})
        try:
            done = swap(upset, "storefront", "--unrehearsed", "--", BINARIES / "billfold-storefront")
            assert done.returncode == 0 and "THE QUEUE STAYS PAUSED" in done.stdout, done
            assert is_paused()
            failed = swap(upset, "storefront", "--unrehearsed", "--", "/bin/true")
            assert failed.returncode == 1 and "THE QUEUE STAYS PAUSED" in failed.stdout, failed
            assert is_paused()
        finally:
            assert bus.ask("broker.service.resume.v1", {"service": "storefront"})["paused"] is False
        assert not is_paused()
    assert swap(upset, "storefront", "--back").returncode == 0


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
    load = Load(upset, "--over", "http", "--in-flight", "8", "--duration", "10m", "--warm-up", "0s", "--mix", "card",
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
    assert nowhere.returncode == 64 and "cannot be executed" in nowhere.stderr, nowhere

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
    assert back.returncode == 0 and "payments is swapped back: the compose file's own" in back.stdout, back
    # Each step is a line of its own, also into a pipe.
    assert [line for line in back.stdout.splitlines() if line.startswith("  pausing")], back
    assert [name for name, each in upset.processes_now().items() if each["swapped"]] == ["wallet"]
    load.end().passes()
    # Nobody was told anything but the right answer, not even to ask again.
    assert load.run["overall"]["refused"] == [] and load.run["overall"]["repeated"] == 0, load.out


def busy(set):
    with set.bus() as bus:
        queues = {queue["service"]: queue for queue in bus.ask("broker.queues.read.v1")["services"]}
        return queues["wallet"]["answers"] > 100


@pytest.mark.parametrize("words, status, says", [
    (("broker", "--", "true"), 1, "every socket"),
    (("gateway", "--", "true"), 1, "it is the only one"),
    (("gateway", "--take-over", "--", "true"), 64, "no state"),
    (("nobody", "--", "true"), 64, "there is no service 'nobody'"),
    (("offers", "--", "no-such-program"), 64, "no executable"),
    (("offers",), 64, "--back"),
    (("offers", "--back", "--", "true"), 64, "--back"),
    (("offers", "--back", "--empty"), 64, "--empty is for a command"),
    (("offers", "--forget", "--", "true"), 64, "--forget for --back"),
])
def test_what_cannot_be_swapped_is_said_before_a_rehearsal_begins(upset, words, status, says):
    done = swap(upset, *words)
    assert done.returncode == status and says in done.stderr and "rehears" not in done.stdout, done
    assert upset.processes_now()["offers"]["state"] == "healthy"


def test_a_program_without_the_log_is_not_put_in_its_place(upset):
    """Its store is empty, and the old one's log is not: the old one comes back, unless an empty store is meant."""
    command = ("--unrehearsed", "--", sys.executable, str(ROOT / "deploy" / "examples" / "location.py"))
    with upset.bus() as bus:
        def places():
            return bus.ask("location.places.read.v1", {"merchant": shop.account})["places"]

        shop, guest, place = upset.merchant().without_places(), upset.customer(card=False), new_id()
        bus.ask("location.place.put.v1", {
            "place": place, "merchant": shop.account, "name": "Corner", "latitude": 35_198_284, "longitude": -111_651_302})
        bus.ask("location.sharing.set.v1", {"customer": guest.account, "sharing": True})
        bus.ask("location.position.update.v1", {
            "customer": guest.account, "latitude": 35_198_284, "longitude": -111_651_302})
        head = bus.ask("location.facts.read.v1", {"after": 0, "limit": 1})["head"]
        assert head > 0
        refused = swap(upset, "location", *command)
        assert refused.returncode == 1, refused
        assert f"its log of facts is empty, and the old one's ends at {head}" in refused.stderr, refused
        assert "--empty" in refused.stderr and "the old location serves again" in refused.stderr, refused
        assert [each["place"] for each in places()] == [place]

        meant = swap(upset, "location", "--empty", *command)
        assert meant.returncode == 0, meant
        assert places() == []
        bus.ask("location.sharing.set.v1", {"customer": guest.account, "sharing": True})
        bus.ask("location.place.put.v1", {
            "place": place, "merchant": shop.account, "name": "Corner", "latitude": 35_198_284, "longitude": -111_651_302})
        bus.ask("location.position.update.v1", {
            "customer": guest.account, "latitude": 35_198_284, "longitude": -111_651_302})
        back = swap(upset, "location", "--back")
        assert back.returncode == 1 and "--back --forget" in back.stderr, back
        forgetting = swap(upset, "location", "--back", "--forget")
        assert forgetting.returncode == 0, forgetting
        assert [each["place"] for each in places()] == [place]


# MARK: Ends


def test_the_end_of_the_supervisor_is_the_end_of_all(upset):
    listing = upset.list()
    os.kill(listing["supervisor"], signal.SIGKILL)
    for process in listing["processes"]:
        until(lambda: not is_alive(process["pid"]), f"{process['name']} to end")
    gone = upset.billfold("ps")
    assert gone.returncode == 2 and "no set" in gone.stderr
    assert upset.billfold("down").returncode == 0
    # A set starts over what the old one left.
    upset.up()
    assert upset.billfold("down").returncode == 0
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


def write_late(upset):
    """A description of which one process runs, and answers nothing."""
    description = (upset.project / "docker-compose.yml").read_text()
    (upset.project / "late.yml").write_text(
        description.replace("command: [billfold-offers]", 'command: ["sleep", "600"]'))


def test_ctrl_c_before_a_set_in_the_background_is_healthy_ends_it(upset):
    write_late(upset)
    process = upset.spawn_billfold("up", "-d", "--file", "late.yml")
    listing = until(lambda: upset.billfold("ps").returncode == 1 and upset.list(), "the set to start")
    process.send_signal(signal.SIGINT)
    said = process.stdout.read()
    assert process.wait(PATIENCE) == 1 and "interrupted: the set was stopped" in said, said
    assert upset.billfold("ps").returncode == 2
    assert not any(is_alive(each["pid"]) for each in listing["processes"] if "pid" in each)


def test_a_set_that_is_late_is_told_of_and_goes_on(upset):
    write_late(upset)
    done = upset.billfold("up", "-d", "--wait-timeout", "8", "--file", "late.yml")
    assert done.returncode == 1 and "not healthy after 8 s" in done.stderr and "offers is starting" in done.stderr, done
    listed = upset.billfold("ps")
    assert listed.returncode == 1 and "offers" in listed.stdout
    assert upset.billfold("down").returncode == 0
    for text, says in (("services: {a: {privileged: true}}", "line 1: services.a.privileged"), ("services: [", "no YAML")):
        (upset.project / "broken.yml").write_text(text)
        done = upset.billfold("up", "--file", "broken.yml")
        assert done.returncode == 64 and says in done.stderr, done


def test_a_set_with_a_process_that_cannot_start_is_stopped_and_the_cause_is_said_once(upset):
    description = (upset.project / "docker-compose.yml").read_text()
    (upset.project / "broken.yml").write_text(
        description.replace("      BILLFOLD_ENTRY_SECONDS:\n", "      BILLFOLD_ENTRY_SECONDS: never\n"))
    done = upset.billfold("up", "-d", "--file", "broken.yml")
    assert done.returncode == 1, done
    assert "offers cannot be started; the set was stopped" in done.stderr and "last status 1" in done.stderr, done
    assert done.stderr.count("BILLFOLD_ENTRY_SECONDS is 'never'") == 1, done
    assert upset.billfold("ps").returncode == 2


# MARK: Two sets beside each other


@pytest.fixture(scope="module")
def pair():
    """Two sets of one checkout."""
    first = UpSet()
    second = UpSet(beside=first)
    try:
        yield first.up(), second.up()
    finally:
        second.close()
        first.close()


def test_the_links_are_those_of_the_set_that_was_started(pair):
    for one in pair:
        assert one.billfold("down").returncode == 0
        done = one.billfold("up", "-d")
        links = re.findall(r"http://(\S+?)(/\S*)", done.stdout)
        assert [path for _, path in links] == [
            "/", "/wallet", "/till", "/desk", "/touch", "/ops", "/openapi.json", "/health"], done
        assert {address for address, _ in links} == {f"127.0.0.1:{one.port}"}, done
    # Where the system chooses the port, nobody but the gateway knows it.
    first = pair[0]
    assert first.billfold("down").returncode == 0
    first.environment["BILLFOLD_HTTP"] = "127.0.0.1:0"
    done = first.billfold("up", "-d")
    first.environment["BILLFOLD_HTTP"] = f"127.0.0.1:{first.port}"
    assert done.returncode == 0 and "127.0.0.1:0/" not in done.stdout, done
    (address,) = set(re.findall(r"http://([^/\s]+)", done.stdout))
    with urllib.request.urlopen(f"http://{address}/openapi.json", timeout=PATIENCE) as answer:
        assert answer.status == 200
    assert first.billfold("down").returncode == 0 and first.billfold("up", "-d").returncode == 0


def test_two_sets_of_one_checkout_have_logs_of_their_own(pair):
    for one in pair:
        listing = one.list()
        assert listing["logs"] == str(one.data / "logs")
        lines = [json.loads(line) for line in one.billfold("logs", "--json", "gateway").stdout.splitlines()]
        addresses = {line["address"] for line in lines if "address" in line}
        assert f"http://127.0.0.1:{one.port}" in addresses
        other = pair[0] if one is pair[1] else pair[1]
        assert f"http://127.0.0.1:{other.port}" not in addresses
    # The same data, and with it the same logs, for two sets: refused, and nothing of the first is touched.
    third = UpSet(beside=pair[0], BILLFOLD_DATA=str(pair[0].data))
    try:
        before = pair[0].list()["supervisor"]
        done = third.billfold("up", "-d")
        assert done.returncode == 1 and f"has its data in {pair[0].data}" in done.stderr, done
        assert third.billfold("ps").returncode == 2 and pair[0].list()["supervisor"] == before
    finally:
        third.close()


def test_commands_find_the_gateway_of_the_set_that_is_meant(pair):
    for one in pair:
        asked = one.without("BILLFOLD_HTTP")
        name = f"c{new_id()[:12]}"
        one.customer(name, card=False)
        for command in (["touch", "--username", name, "--script", "-"], ["demo"]):
            ended = subprocess.run(
                [BINARIES / "billfold", *command], env={**asked, "BILLFOLD_PASSWORD": Person.PASSWORD},
                input="display()", capture_output=True, text=True, timeout=PATIENCE)
            assert ended.returncode == 0, ended
    first, second = pair
    # What is named explicitly is meant: this customer is of the other set.
    ended = subprocess.run(
        [BINARIES / "billfold", "touch", "--username", name, "--script", "-"],
        env=second.without(BILLFOLD_PASSWORD=Person.PASSWORD, BILLFOLD_HTTP=f"127.0.0.1:{first.port}"),
        input="display()", capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1 and ended.stdout == "", ended


def test_no_command_takes_a_gateway_that_has_ended_for_one(pair):
    one = pair[1]
    address = one.run / "gateway.address"
    assert address.read_text() == f"127.0.0.1:{one.port}\n" * 2 and oct(address.stat().st_mode)[-3:] == "640"
    os.kill(one.processes_now()["gateway"]["pid"], signal.SIGKILL)
    until(lambda: one.processes_now()["gateway"]["state"] == "healthy"
          and one.processes_now()["gateway"]["restarts"] > 0, "the gateway to be back")
    # Whatever has ended without a word is not taken for a gateway.
    assert one.billfold("down").returncode == 0 and not address.exists()
    address.write_text(f"127.0.0.1:{pair[0].port}\n" * 2)
    for what in ("has ended", "no gateway serves in"):
        ended = subprocess.run(
            [BINARIES / "billfold", "demo"], env=one.without("BILLFOLD_HTTP"), capture_output=True, text=True,
            timeout=PATIENCE)
        assert ended.returncode == 2 and what in ended.stderr, ended
        address.unlink(missing_ok=True)
    one.up()


def test_a_port_that_is_taken_is_said_before_anything_is_started(pair):
    first, _ = pair
    with UpSet(beside=first, BILLFOLD_HTTP=f"127.0.0.1:{first.port}").closing() as third:
        holder = first.processes_now()["gateway"]["pid"]
        for options in (["-d"], []):
            done = third.billfold("up", *options)
            assert done.returncode == 1, done
            said = f"127.0.0.1:{first.port} is taken by the gateway {holder} of the set in {first.run}"
            assert f"{said}; nothing was started" in done.stderr, done
            assert "healthy" not in done.stdout and not (third.run / "asks.sock").exists()
            assert third.billfold("ps").returncode == 2
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with UpSet(beside=first, BILLFOLD_HTTP=f"127.0.0.1:{port}").closing() as third:
            done = third.billfold("up", "-d")
            assert done.returncode == 1 and f"127.0.0.1:{port} is taken by process {os.getpid()} (" in done.stderr, done


def test_a_file_of_settings_that_cannot_be_read_is_not_passed_over(pair):
    with UpSet(beside=pair[0]).closing() as third:
        for text, says in (("BILLFOLD_OPENING_BALANCE 0\n", ".env: line 1 is not NAME=value"), (None, ".env cannot be read")):
            file = third.project / ".env"
            if text is None:
                file.unlink()
                file.mkdir()
            else:
                file.write_text(text)
            for words in (("up", "-d"), ("logs",), ("restore", "/nowhere"), ("move", "--to", "postgres://a@b/c")):
                done = third.billfold(*words)
                assert done.returncode == 64 and says in done.stderr, done
        file.rmdir()
        assert third.billfold("ps").returncode == 2


def test_misspelt_settings_are_refused_with_the_one_that_was_meant(pair):
    with UpSet(beside=pair[0], BILLFOLD_DEADLIN_MS="500").closing() as third:
        done = third.billfold("up", "-d")
        assert done.returncode == 64, done
        assert "BILLFOLD_DEADLIN_MS is not a setting; did you mean BILLFOLD_DEADLINE_MS?" in done.stderr, done
        assert third.billfold("ps").returncode == 2
        # A process that is started by itself says it and runs.
        third.logs = third.home / "logs"
        third.start("broker")
        line = until(
            lambda: [line for line in third.log("broker").splitlines() if "not known" in line], "the warning")[0]
        assert json.loads(line)["level"] == "warning" and json.loads(line)["nearest"] == "BILLFOLD_DEADLINE_MS"
        third.stop()


# MARK: Several gateways


class Passers:
    """Asks each gateway in turn, in a thread; a pass in which none answers is noted."""

    def __init__(self, ports):
        self.ports, self.passes, self.dark, self.stopping = ports, 0, 0, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join(20)

    def run(self):
        while not self.stopping.is_set():
            # The first may have begun to serve since it was asked, and the last have ended.
            self.dark += not (any([answers(port) for port in self.ports]) or answers(self.ports[0]))
            self.passes += 1


def answers(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_gateways_are_replaced_one_after_the_other_and_one_serves_always(tmp_path):
    port = free_port(following=1)
    ports = (port, port + 1)
    binary = str(BINARIES / "billfold-gateway")
    once = tmp_path / "gateway"  # starts in the place of the second gateway only
    once.write_text(f'#!/bin/sh\ncase "$BILLFOLD_HTTP" in *:{port}) exit 3;; esac\nexec {binary}\n')
    once.chmod(0o755)
    several = UpSet(BILLFOLD_GATEWAYS="2", BILLFOLD_HTTP=f"127.0.0.1:{port}")
    several.port = port
    with several.closing():
        several.up()

        def gateways():
            return {name: each["swapped"] for name, each in several.processes_now().items() if "gateway" in name}

        assert gateways() == {"gateway": False, "gateway-2": False}
        assert all(answers(one) for one in ports)
        refused = several.billfold("swap", "gateway-2", "--", binary)
        assert refused.returncode == 1 and "swap gateway" in refused.stderr, refused
        with Passers(ports) as passers:
            before = {name: several.processes_now()[name]["pid"] for name in gateways()}
            wrong = several.billfold("swap", "gateway", "--", "/bin/false")
            assert wrong.returncode == 1 and "gateway-2: it ended with status 1" in wrong.stderr, wrong
            now = {name: several.processes_now()[name]["pid"] for name in gateways()}
            assert now["gateway"] == before["gateway"] and now["gateway-2"] != before["gateway-2"]
            half = several.billfold("swap", "gateway", "--", str(once))
            assert half.returncode == 1 and "gateway: it ended with status 3" in half.stderr, half
            assert gateways() == {"gateway": False, "gateway-2": False}
            done = several.billfold("swap", "gateway", "--", binary)
            assert done.returncode == 0 and "at each address" in done.stdout, done
            assert gateways() == {"gateway": True, "gateway-2": True}
            back = several.billfold("swap", "gateway", "--back")
            assert back.returncode == 0 and gateways() == {"gateway": False, "gateway-2": False}, back
            whole = several.billfold("upgrade", str(BINARIES), "--unrehearsed")
            assert whole.returncode == 0 and "gateway: serves, at each address" in whole.stdout, whole
            assert gateways() == {"gateway": True, "gateway-2": True}
            last = passers.passes
            until(lambda: passers.passes > last + 1, "a pass over all gateways")
        assert passers.passes > 10 and passers.dark == 0, (passers.passes, passers.dark)
        assert all(answers(one) for one in ports)


def test_a_share_of_the_gateways_tries_a_new_program_and_goes_back_if_it_is_worse(tmp_path):
    port = free_port(following=1)
    binary = str(BINARIES / "billfold-gateway")
    late = tmp_path / "gateway"  # nobody answers in time
    late.write_text(f"#!/bin/sh\nBILLFOLD_RUN={tmp_path} BILLFOLD_DEADLINE_MS=500 exec {binary}\n")
    late.chmod(0o755)
    several = UpSet(BILLFOLD_GATEWAYS="2", BILLFOLD_HTTP=f"127.0.0.1:{port}")
    several.port = port
    with several.closing():
        several.up()
        token = several.customer().token

        def gateways():
            return {name: each["swapped"] for name, each in several.processes_now().items() if "gateway" in name}

        def share(*words):
            return several.billfold("swap", "gateway", "--share", "5%", *words)

        assert "one writer" in several.billfold("swap", "offers", "--share", "5%", "--", "true").stderr
        assert several.billfold("swap", "gateway", "--share", "100%", "--", "true").returncode == 64
        silent = share("--for", "1s", "--", binary)
        assert silent.returncode == 1 and "each needs 100 to be compared" in silent.stderr, silent
        with Callers((port, port + 1), token):
            worse = share("--for", "1m", "--", str(late))
            assert worse.returncode == 1 and "of its requests failed" in worse.stderr, worse
            assert "failed at share" in worse.stderr and gateways() == {"gateway": False, "gateway-2": False}, worse
            # The same program may be the slower one by chance, while others have the processors.
            good = next(filter(lambda one: one.returncode == 0, (share("--for", "2s", "--", binary) for _ in range(10))))
            assert "1 of 2 run the new one" in good.stdout, good
            assert "as good as the old one" in good.stdout and gateways() == {"gateway": True, "gateway-2": True}, good


class Callers:
    """Asks each gateway who is logged in, all the time, in some threads for each."""

    def __init__(self, ports, token):
        self.token, self.stopping = token, threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(port,), daemon=True) for port in ports * 6]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join(20)

    def run(self, port):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/sessions/current", headers={"Authorization": f"Bearer {self.token}"})
        while not self.stopping.wait(0.02):
            try:
                urllib.request.urlopen(request, timeout=5).close()
            except OSError:
                pass  # while it is replaced, and from one that fails


# MARK: Upgrades


@pytest.fixture(scope="module")
def release():
    """A set of its own: afterwards all of its services are swapped."""
    made = UpSet()
    try:
        yield made.up()
    finally:
        made.close()


def test_a_release_takes_the_places_of_all_services_under_load(release):
    """One by one; back at the first that is wrong; no error, no cent lost."""
    services = [name for name in release.processes_now() if name not in ("broker", "gateway")]
    broken = release.home / "broken"
    broken.mkdir()
    for name in services:
        (broken / f"billfold-{name}").symlink_to("/bin/false" if name == "location" else BINARIES / f"billfold-{name}")
    load = Load(release, "--over", "http", "--in-flight", "8", "--duration", "10m", "--warm-up", "0s", "--mix", "card",
                people=["--customers", "8", "--merchants", "2"])
    until(lambda: release.health()[0] == 200 and busy(release), "the load to begin")
    before = {name: each["swapped"] for name, each in release.processes_now().items()}

    wrong = release.billfold("upgrade", str(broken), "--unrehearsed")
    assert wrong.returncode == 1 and "location cannot be upgraded: failed at start" in wrong.stderr, wrong
    assert "all services run as before" in wrong.stderr, wrong
    assert {name: each["swapped"] for name, each in release.processes_now().items()} == before

    done = release.billfold("upgrade", str(BINARIES), "--unrehearsed")
    assert done.returncode == 0, done
    upgraded = re.findall(r"^  (\w+): serves; asks waited for \d+ ms$", done.stdout, re.MULTILINE)
    assert sorted(upgraded) == sorted(services) and upgraded[0] == "auth" and upgraded[-1] == "notifications", done
    assert {name for name, each in release.processes_now().items() if each["swapped"]} >= set(services)
    load.end().passes()


def test_what_was_swapped_from_elsewhere_goes_back_there(release):
    """Its command is as it was given, in the directory where it was given."""
    swapped = release.billfold("swap", "location", "--unrehearsed", "--", "./billfold-location", cwd=BINARIES)
    assert swapped.returncode == 0, swapped
    wrong = release.billfold("upgrade", str(release.home / "late"), "--unrehearsed")
    assert wrong.returncode == 64, wrong
    late = release.home / "late"
    late.mkdir()
    for name in release.processes_now():
        (late / f"billfold-{name}").symlink_to(
            "/bin/false" if name == "notifications" else BINARIES / f"billfold-{name}")
    wrong = release.billfold("upgrade", str(late), "--unrehearsed")
    assert wrong.returncode == 1 and "notifications cannot be upgraded: failed at start" in wrong.stderr, wrong
    assert "all services run as before" in wrong.stderr, wrong
    assert release.processes_now()["location"]["command"] == ["./billfold-location"]


def test_who_reads_answers_late_gets_all_of_them(release):
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(PATIENCE)
        control.connect(str(release.run / "up.sock"))
        control.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(200):
            control.sendall(b'{"do":"list"}\n')
        with control.makefile("rb") as answers:
            assert all(json.loads(answers.readline())["processes"] for _ in range(200))


def test_what_is_no_release_is_said_before_anything_is_changed(release, tmp_path):
    nothing = release.billfold("upgrade", str(tmp_path))
    assert nothing.returncode == 64 and "billfold-auth' cannot be executed" in nothing.stderr, nothing
