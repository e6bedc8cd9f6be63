"""The touch app in a terminal: scripts and their transcripts, and a keyboard on a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

from billfold import BINARIES, PATIENCE, ROOT
from touchpage import decoded

BILLFOLD = BINARIES / "billfold"
SCRIPTS = ROOT / "Tests" / "TouchAppTests" / "Scripts"
NAMES = sorted(path.stem for path in SCRIPTS.glob("*.txt") if not path.stem.endswith(".transcript"))


def run(*options, **more):
    return subprocess.run([BILLFOLD, "touch", *options], capture_output=True, timeout=PATIENCE, **more)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by", ["file", "standard input"])
def test_a_script_has_its_transcript(name, by):
    profile = "no-card" if name == "no-card" else "demo"
    script = SCRIPTS / f"{name}.txt"
    if by == "file":
        ended = run("--in-memory", "--profile", profile, "--script", script)
    else:
        ended = run("--in-memory", "--profile", profile, input=script.read_bytes())
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == (SCRIPTS / f"{name}.transcript.txt").read_bytes()


@pytest.mark.parametrize(("script", "said"), [
    (b"menu1\nmenu6\n", b"standard input, line 2: menu6 is no command"),
    (b"\xff\n", b"The script is not UTF-8."),
])
def test_a_wrong_script_is_refused_before_anything_runs(script, said):
    ended = run("--in-memory", input=script)
    assert ended.returncode == 64
    assert ended.stdout == b""
    assert said in ended.stderr


def test_an_expectation_that_is_not_met_fails():
    ended = run("--in-memory", input="menu5\nexpect My Cards \u2013 Main\n".encode())
    assert ended.returncode == 1
    assert b"1 of the script's expectations were not met" in ended.stderr
    assert ended.stdout.endswith(b"(not this screen)\nPin Screen\nEnter Pin\n[ ][ ][ ][ ]\n")


def test_a_missing_script():
    ended = run("--in-memory", "--script", "no-such-script.txt")
    assert ended.returncode == 64 and b"no-such-script.txt cannot be read" in ended.stderr


def without_numbers(transcript):
    """A transcript without what differs from set to set: codes, cards' numbers, times, rewards and stores."""
    # In memory the customer takes part in the rewards from the start, and is near two stores.
    transcript = re.sub(r"Stars \d|Not joined", "…", transcript)
    transcript = re.sub(r"No stores near you|Market Street, 120 m\nStation, 450 m", "…", transcript)
    transcript = re.sub(r"(Code|scanned) [\w-]+", r"\1 …", transcript)
    transcript = re.sub(r"Card \d{4}", "Card …", transcript)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "…", transcript)


# Without services that are put into a condition, which only those in memory can be.
@pytest.mark.parametrize("name", [name for name in NAMES if "service " not in (SCRIPTS / f"{name}.txt").read_text()])
def test_a_running_set_gives_the_same_transcript(billset, name):
    profile = "no-card" if name == "no-card" else "demo"
    shown = billset.command("touch", "--profile", profile, "--script", str(SCRIPTS / f"{name}.txt"))
    assert shown.returncode == 0, shown
    expected = (SCRIPTS / f"{name}.transcript.txt").read_text()
    assert without_numbers(shown.stdout) == without_numbers(expected)


class Terminal:
    """`billfold touch` at a terminal of its own."""

    def __init__(self, *options, columns=80, rows=24, environment=None):
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.process = subprocess.Popen(
            [BILLFOLD, "touch", *(options or ["--in-memory"])], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            env=environment, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def keys(self, keys):
        os.write(self.master, keys)

    def until(self, text):
        """Waits for `text`, and forgets what came up to it."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, (text, self.seen)
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 1 << 16)
        self.before_last, _, self.seen = self.seen.partition(text)

    def attributes(self):
        return termios.tcgetattr(self.slave)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal():
    made = Terminal()
    try:
        made.until(b"Enter Pin")
        yield made
    finally:
        made.close()


def test_keys_touch_pay_and_scan(terminal):
    terminal.keys(b"1234")
    terminal.until(b"$16.50")
    terminal.keys(b"\r")  # On Pay already.
    terminal.until(b"Scan Now")
    terminal.keys(b"v")
    terminal.until(b"paid $1.50)")
    terminal.keys(b"\x1bOP")
    terminal.until(b"$15.00")
    terminal.keys(b"q")
    assert terminal.process.wait(PATIENCE) == 0
    assert terminal.attributes() == terminal.before


def test_a_terminal_that_is_too_small_says_what_is_needed():
    terminal = Terminal(columns=40, rows=12)
    try:
        terminal.until(b"This terminal has 40 columns and 12 rows")
        terminal.until(b"80 and 24")
        terminal.resize(80, 24)
        terminal.until(b"Enter Pin")
        terminal.keys(b"?")
        terminal.until(b"a merchant scans the pay code")
        terminal.keys(b"x")
        terminal.until(b"Enter Pin")
        terminal.keys(b"q")
        assert terminal.process.wait(PATIENCE) == 0
    finally:
        terminal.close()


def test_a_scanner_reads_the_pay_code_off_the_terminal(billset, tmp_path):
    terminal = Terminal("--http", f"127.0.0.1:{billset.port}", environment=billset.environment)
    try:
        terminal.until(b"Enter Pin")
        terminal.keys(b"1234")
        terminal.until(b"$16.50")
        terminal.keys(b"\r")
        start = b"\x1b[H\x1b[2J"
        terminal.until(b"Scan Now")
        terminal.until(start)  # The next screen is whole when one more has begun.
        terminal.until(start)
        screen = terminal.before_last
        rows = [line.partition("\x1b[30;107m")[2].partition("\x1b[0m")[0] for line in screen.decode().split("\r\n")]
        rows = [row for row in rows if row]
        # Two modules to a character, eight pixels to a module.
        halves = [[("█▀", "█▄")[half].count(block) for block in row] for row in rows for half in (0, 1)]
        pixels = [[0 if dark else 255 for dark in half for _ in range(8)] for half in halves for _ in range(8)]
        picture = tmp_path / "code.pgm"
        picture.write_bytes(b"P5 %d %d 255\n" % (len(pixels[0]), len(pixels)) + bytes(sum(pixels, [])))
        code = decoded(picture)
        shop = billset.merchant()
        paid = shop.post("/v1/code-payments", {"code": code, "amount": {"amount": 150, "currency": "USD"}}, key="till")
        assert paid.status == 201, (code, paid)
    finally:
        terminal.close()


def test_a_gateway_that_stands_still_is_told_and_left_at_once(billset):
    terminal = Terminal("--http", f"127.0.0.1:{billset.port}", environment=billset.environment)
    try:
        terminal.until(b"Enter Pin")
        with billset.frozen("gateway"):
            terminal.until(b"may be out of date")
            terminal.keys(b"1")  # It is sent until it is answered.
            terminal.keys(b"\x03")
            assert terminal.process.wait(PATIENCE) == -signal.SIGINT
        assert terminal.attributes() == terminal.before
    finally:
        terminal.close()


@pytest.mark.parametrize("end", [b"q", b"\x03", b"\x04", signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV])
def test_the_terminal_is_given_back_on_every_way_out(terminal, end):
    raw = terminal.attributes()
    assert not raw[3] & (termios.ICANON | termios.ECHO)
    if isinstance(end, bytes):
        terminal.keys(end)
        # The terminal makes a signal of Ctrl-C, also while an answer is awaited.
        assert terminal.process.wait(PATIENCE) == (-signal.SIGINT if end == b"\x03" else 0)
    else:
        terminal.process.send_signal(end)
        assert terminal.process.wait(PATIENCE) == -end
    assert terminal.attributes() == terminal.before
    terminal.until(b"\x1b[?25h\x1b[?1049l")  # The cursor and the screen are back.
