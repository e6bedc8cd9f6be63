"""One rule for all commands of `billfold`: 0 yes, 1 no, 2 nothing answers, 64 usage. The commands are the parser's own list."""

import json
import os
import re
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from billfold import BINARIES, PATIENCE, ROOT, new_id

HERE = ROOT / "Tests/process"


def parsed():
    """What the parser says of the command and all of its commands, with their texts as they were written."""
    shown = subprocess.run(
        [BINARIES / "billfold", "--experimental-dump-help"], capture_output=True, check=True, timeout=PATIENCE).stdout
    return json.loads(shown)["command"]


def commands(parent, names=()):
    """All that do something, by their names: `status`, or `administrator list` where a command has commands of its own."""
    for each in parent.get("subcommands", []):
        own = (*names, each["commandName"])
        if each["commandName"] == "help":
            continue
        below = dict(commands(each, own))
        yield from below.items() if below else [(" ".join(own), each)]


COMMANDS = dict(commands(parsed()))

# A value that a command cannot use, by command.
WRONG = {
    "up": ["--wait-timeout", "0"], "down": ["unwanted"], "ps": ["unwanted"], "logs": ["--tail=-1"], "keys": ["keys", "UPPER"],
    "administrator add": ["one", "another"], "administrator list": ["unwanted"], "administrator password": [],
    "administrator remove": ["--even"], "check": ["ledger"], "shadow": ["gateway", "--", "true"], "swap": ["wallet"], "upgrade": ["a", "b"],
    "contracts": ["--schema", "nobody.is.this.v1"], "new": ["Ordering"], "demo": ["--http", "nowhere"],
    "touch": ["--profile", "rich"], "load": ["--duration", "5"], "status": ["--over", "0"], "listen": ["--count", "0"],
    "call": ["nobody.is.this.v1"], "trace": ["019a9c3d2c40…"], "verify": ["unwanted"], "backup": ["one", "another"],
    "cure": ["wallet"], "restore": ["there-is-nothing"], "move": ["--to", "mysql://localhost"],
}

# How a command is used that needs a set.
NEEDING = {
    "ps": [], "logs": [], "administrator add": ["somebody"], "administrator list": [],
    "administrator password": ["somebody"], "administrator remove": ["somebody"], "check": ["wallet"], "shadow": ["wallet", "--", "true"],
    "swap": ["wallet", "--back"], "upgrade": ["."], "demo": [], "touch": [], "load": [], "status": [], "listen": [],
    "call": ["wallet.ledger.read.v1"], "trace": ["019a9c3d2c40a1a1a1a1a1a1a1a1a1a1"], "verify": [], "backup": ["copies"],
    "cure": ["payments"],
}
# Those that need none; `down` has nothing left to do then.
NEEDING_NONE = {"up", "down", "keys", "contracts", "new", "restore", "move"}

# A true no, by command: what leads to it here, or the test of another file that does.
NO = {
    "check": ["wallet", "--", "false"], "contracts": ["nobody"], "administrator add": ["x" * 65],
    "administrator password": ["nobody"], "administrator remove": ["nobody"],
    "call": ["payments.charge.read.v1", json.dumps({"charge": new_id()})], "trace": [new_id()],
    "load": ("test_load", "test_a_fault_that_never_happened_is_no_pass"),
    "touch": ["--in-memory", "--script", "-"], "status": ("test_watch", "test_a_service_that_is_missing_or_paused_or_foreign_is_told"),
    "up": ("test_up", "test_a_set_with_a_process_that_cannot_start_is_stopped_and_the_cause_is_said_once"),
    "ps": ("test_up", "test_a_set_that_is_late_is_told_of_and_goes_on"),
    "swap": ("test_up", "test_a_rehearsal_that_fails_changes_nothing"),
    "upgrade": ("test_up", "test_a_release_takes_the_places_of_all_services_under_load"),
    "shadow": ("test_shadow", "test_a_difference_is_named_and_nothing_is_done"),
    "new": ("test_new", "test_what_cannot_be_done_is_refused_in_a_line"),
    "verify": ("test_backup", "test_damage_is_found_and_named"),
    "cure": ("test_cure", "test_what_reads_is_not_moved"),
    "restore": ("test_backup", "test_places_that_cannot_be_used_are_named"),
    "move": ("test_postgres", "test_files_move_into_a_database_and_the_set_goes_on_there"),
    "listen": ("test_watch", "test_asks_are_private_and_shown_without_secrets"),
}
# Commands that do what they are told, or were told wrongly, or did not reach anybody; and one whose no is a wrong set.
WITHOUT_NO = {"down", "keys", "logs", "backup", "demo", "administrator list"}
INPUT = {"administrator add": "a long password\n", "administrator password": "a long password\n", "touch": "menu5\nexpect My Cards - Main\n"}


def described(directory):
    """A directory with a description of a set, and no set."""
    (directory / "run").mkdir(parents=True)
    shutil.copy(ROOT / "docker-compose.yml", directory)
    return directory


@pytest.fixture
def place(tmp_path):
    return described(tmp_path)


def billfold(place, *arguments, input="", **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BILLFOLD_")}
    return subprocess.run(
        [BINARIES / "billfold", *arguments], cwd=place, input=input, capture_output=True, text=True, timeout=3 * PATIENCE,
        env={**kept, "BILLFOLD_RUN": str(place / "run"), **environment})


def test_every_command_is_in_the_tables():
    assert set(WRONG) == set(COMMANDS)
    assert set(NEEDING) | NEEDING_NONE == set(COMMANDS) and not set(NEEDING) & NEEDING_NONE
    assert set(NO) | WITHOUT_NO == set(COMMANDS) and not set(NO) & WITHOUT_NO
    for elsewhere in NO.values():
        if isinstance(elsewhere, tuple):
            file, name = elsewhere
            assert f"def {name}(" in (HERE / f"{file}.py").read_text(), elsewhere


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_is_usage_of_that_command(place, command):
    ended = billfold(place, *command.split(), "--no-such-option")
    assert (ended.returncode, ended.stdout) == (64, ""), ended
    assert ended.stderr.startswith("billfold: ") and f"\nUsage: billfold {command}" in ended.stderr


@pytest.mark.parametrize("named, words", [
    ("statsu", "there is no command 'statsu'. Did you mean 'status'?\n"), ("pay-all", "there is no command 'pay-all'.\n")])
def test_an_unknown_command_is_named(place, named, words):
    ended = billfold(place, named)
    assert (ended.returncode, ended.stdout) == (64, ""), ended
    assert ended.stderr.startswith(f"billfold: {words}Usage: billfold <subcommand>"), ended


@pytest.mark.parametrize("command", WRONG)
def test_a_wrong_value_is_usage(place, command):
    ended = billfold(place, *command.split(), *WRONG[command])
    assert (ended.returncode, ended.stdout) == (64, ""), ended
    assert ended.stderr.startswith("billfold: ")
    # The usage, where there is one, is the command's own.
    assert "Usage: " not in ended.stderr or f"Usage: billfold {command}" in ended.stderr


@pytest.mark.parametrize("command", NEEDING)
def test_without_a_set_nothing_answers(place, command):
    ended = billfold(place, *command.split(), *NEEDING[command], input=INPUT.get(command, ""))
    assert (ended.returncode, ended.stdout) == (2, ""), ended
    assert ended.stderr.startswith("billfold: ") and ended.stderr.count("\n") == 1


def test_behind_sockets_that_nobody_serves_nothing_answers(tmp_path):
    """What a broker leaves that was killed. Each command waits for it in a directory of its own, all at the same time."""

    def ended(command):
        # A short name: the path of a socket has 107 characters at most.
        place = described(tmp_path / str(list(NEEDING).index(command)))
        for name in ("asks.sock", "facts-in.sock", "facts-out.sock"):
            with socket.socket(socket.AF_UNIX) as left:
                left.bind(str(place / "run" / name))
        return billfold(place, *command.split(), *NEEDING[command], input=INPUT.get(command, ""))

    with ThreadPoolExecutor(len(NEEDING)) as together:
        for one in together.map(ended, NEEDING):
            assert (one.returncode, one.stdout) == (2, ""), one
            assert one.stderr.startswith("billfold: "), one


def test_a_set_that_is_down_needs_no_end(place):
    assert billfold(place, "down").returncode == 0


def test_a_set_that_somebody_else_runs_is_not_taken_for_none(billset):
    def as_other(*arguments):
        return subprocess.run(
            ["setpriv", "--reuid=nobody", "--clear-groups", BINARIES / "billfold", *arguments], capture_output=True, text=True)

    if as_other("--help").returncode != 0:
        pytest.skip("another user may not run the programs here")
    ended = as_other("down", "--run", str(billset.run))
    assert ended.returncode == 2 and "may not be read by this user" in ended.stderr, ended
    billset.all_run()


@pytest.mark.parametrize("arguments", [
    ["--mix", "card=1e300"], ["--mix", "card=1e308,code=1e308"], ["--cards", str((1 << 63) - 1)], ["--rate", "1e-12"]])
def test_a_load_of_numbers_without_sense_is_refused(place, arguments):
    ended = billfold(place, "load", *arguments)
    assert ended.returncode == 64, ended


def test_what_does_not_fit_on_the_disk_was_not_printed():
    with open("/dev/full", "w") as full:
        ended = subprocess.run([BINARIES / "billfold", "contracts"], stdout=full, stderr=subprocess.PIPE, text=True)
    # Not 1, which would say of `verify` that the money is wrong.
    assert ended.returncode == 2 and ended.stderr.startswith("billfold: what was printed could not be written"), ended


@pytest.mark.parametrize("command", [name for name, how in NO.items() if isinstance(how, list)])
def test_a_true_no(billset, command):
    ended = billset.command(*command.split(), *NO[command], input=INPUT.get(command))
    assert ended.returncode == 1, ended


def test_what_was_checked_late_has_the_usage_of_its_command(place):
    """Values that only the command itself can judge."""
    for command, arguments in (("load", ["--mix", "nothing"]), ("touch", ["--in-memory", "--http", "127.0.0.1:1"]), ("call", ["no type"]), ("call", ["wallet.ledger.read.v1", "[]"])):
        ended = billfold(place, command, *arguments)
        assert ended.returncode == 64 and f"\nUsage: billfold {command} " in ended.stderr, ended
        assert f"'billfold {command} --help'" in ended.stderr


@pytest.mark.parametrize("text", [None, "services: [", "services: {}", "services: { a: { foo: 1 } }"])
def test_a_description_of_the_set_that_cannot_be_used_is_usage(place, text):
    file = place / "other.yml"
    if text is not None:
        file.write_text(text)
    ended = billfold(place, "up", "-d", "--file", str(file))
    assert (ended.returncode, ended.stdout) == (64, ""), ended
    assert ended.stderr.startswith("billfold: ") and "other.yml" in ended.stderr


# MARK: Help


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_says_what_the_statuses_mean(command):
    lines = COMMANDS[command]["discussion"].splitlines()
    said = lines[lines.index("Exit status:") + 1:]
    statuses = [line[2:5].strip() for line in said[:4] if re.match(r"  (0|1|2|64) +\S", line)]
    assert statuses[0] == "0" and statuses[-1] == "64", statuses
    assert ("1" in statuses) == (command not in WITHOUT_NO - {"backup", "demo", "down"}), statuses
    assert ("2" in statuses) == (command in NEEDING or command == "down"), statuses


@pytest.mark.parametrize("command", ["billfold", *COMMANDS])
def test_what_the_help_shows_can_be_pasted(command):
    """The parser wraps a line of 80 columns wherever it likes: what is indented has to be shorter."""
    text = (parsed() if command == "billfold" else COMMANDS[command])["discussion"]
    for line in text.splitlines():
        if line.startswith("  "):
            assert len(line) < 80, line
        else:
            # Spaces within a line are columns of a table, or strays.
            assert "  " not in line or len(line) <= 80, line
    commands = re.findall(r"^  ((?:.*\\\n)*.*\bbillfold .*)$", text, re.M)
    for shown in commands:
        assert subprocess.run(["bash", "-n", "-c", shown], capture_output=True).returncode == 0, shown
    words = [] if command == "billfold" else command.split()
    for columns in ("80", "200"):
        shown = subprocess.run(
            [BINARIES / "billfold", *words, "--help"], env={**os.environ, "COLUMNS": columns}, capture_output=True,
            text=True, timeout=PATIENCE).stdout
        for line in text.splitlines():
            assert not line.startswith("  ") or line in shown.splitlines(), line


@pytest.mark.parametrize("command", ["check", "shadow", "swap"])
def test_the_usage_has_the_terminator_at_the_end(place, command):
    usage = re.search(r"USAGE: (.*)", billfold(place, command, "--help").stdout)[1]
    assert re.search(r"\[<options>\] \[?-- <command> \.\.\.\]?$", usage), usage
