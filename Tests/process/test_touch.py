"""The touch app in a terminal: scripts and their transcripts, and a keyboard on a pseudo-terminal."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time

import pytest

from billfold import BINARIES, PATIENCE, ROOT

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
    assert ended.returncode == 1
    assert ended.stdout == b""
    assert said in ended.stderr


def test_an_expectation_that_is_not_met_fails():
    ended = run("--in-memory", input="menu5\nexpect My Cards \u2013 Main\n".encode())
    assert ended.returncode == 1
    assert b"1 of the script's expectations were not met" in ended.stderr
    assert ended.stdout.endswith(b"(not this screen)\nPin Screen\nEnter Pin\n[ ][ ][ ][ ]\n")


def test_a_missing_script():
    ended = run("--in-memory", "--script", "no-such-script.txt")
    assert ended.returncode == 1 and b"no-such-script.txt cannot be read" in ended.stderr


class Terminal:
    """`billfold touch` at a terminal of its own."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.process = subprocess.Popen(
            [BILLFOLD, "touch", "--in-memory"], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def keys(self, keys):
        os.write(self.master, keys)

    def until(self, text):
        """Waits for `text`, and forgets what came up to it."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < deadline, (text, self.seen)
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 1 << 16)
        self.seen = self.seen[self.seen.index(text) + len(text):]

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
    terminal.keys(b"\x1b[C\x1b[A\x1b[A\r")  # From (2,5) to (3,3), and Enter.
    terminal.until(b"Scan Now")
    terminal.keys(b"v")
    terminal.until(b"paid $1.50)")
    terminal.keys(b"\x1bOP")
    terminal.until(b"$15.00")
    terminal.keys(b"q")
    assert terminal.process.wait(PATIENCE) == 0
    assert terminal.attributes() == terminal.before


@pytest.mark.parametrize("end", [b"q", b"\x03", b"\x04", signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV])
def test_the_terminal_is_given_back_on_every_way_out(terminal, end):
    raw = terminal.attributes()
    assert not raw[3] & (termios.ICANON | termios.ECHO)
    if isinstance(end, bytes):
        terminal.keys(end)
        assert terminal.process.wait(PATIENCE) == 0
    else:
        terminal.process.send_signal(end)
        assert terminal.process.wait(PATIENCE) == -end
    assert terminal.attributes() == terminal.before
    terminal.until(b"\x1b[?25h\x1b[?1049l")  # The cursor and the screen are back.
