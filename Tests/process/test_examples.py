"""The page of the examples, executed: every block of it, in one shell, on a set of its own. And what a stranger may send them."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import pytest

import billfold
from billfold import BINARIES, PATIENCE, ROOT, Refused, Set, envelope, free_port

PAGE = ROOT / "deploy" / "examples" / "README.md"


@pytest.fixture
def environment():
    """What the page's first block, the only one that is not run, would have made: binaries and Python on the PATH."""
    # Not pytest's own directory: a Unix socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="bf-") as home:
        address = f"127.0.0.1:{free_port()}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("BILLFOLD_")}
        yield {
            **inherited, "BILLFOLD_RUN": f"{home}/run", "BILLFOLD_DATA": f"{home}/data", "BILLFOLD_HTTP": address,
            "PATH": f"{pathlib.Path(sys.executable).parent}:{BINARIES}:{os.environ['PATH']}", "HOME": home,
        }


def blocks():
    return re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_page_does_what_it_says(environment):
    script = "\n".join(f"echo '=== {number}'\n{block}" for number, block in enumerate(blocks()))
    script = script.replace(".billfold/paid.json", f"{environment['HOME']}/paid.json")
    shell = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        said, _ = shell.communicate(timeout=240)
    finally:
        subprocess.run(
            [BINARIES / "billfold", "down"], cwd=ROOT, env=environment, capture_output=True, timeout=60)
        try:
            os.killpg(shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    parts = dict(enumerate(re.split(r"^=== \d+\n", said, flags=re.MULTILINE)[1:]))
    assert shell.returncode == 0 and len(parts) == len(blocks()), said
    said_at = lambda words: next((number for number, part in parts.items() if words in part), None)  # noqa: E731
    paid, counted, echoed = (said_at(words) for words in ("replayed = True", "was paid 150", "hellohellohello"))
    conforms, swapped, told = (
        said_at(words) for words in ("notifications conforms", "notifications is swapped", '"kind":"request"'))
    assert None not in (paid, counted, echoed, conforms, swapped, told), said
    assert paid < counted < echoed < conforms < swapped < told
    assert "You are asked for 4.25 USD" in parts[told], "another service than the Python one has told it"


EXAMPLES = ROOT / "deploy" / "examples"


@pytest.fixture(scope="module")
def echo():
    """A broker with the echo of `worker.py`; `echo.set` starts it and stops it as any process."""
    made = Set(instead={"echo": [sys.executable, EXAMPLES / "worker.py"]}).start("broker")
    billfold.until((made.run / "asks.sock").exists, "the broker to listen")
    made.start("echo")
    yield made
    assert made.processes["echo"].poll() is None, made.log("echo")
    made.processes["echo"].send_signal(signal.SIGTERM)
    assert made.processes["echo"].wait(PATIENCE) == 0
    made.close()


def echoed(text, times=1):
    """An ask of the echo as text, so that a test can put anything into it."""
    return json.dumps(envelope("echo.text.repeat.v1", {"text": text, "times": times}))


@pytest.mark.parametrize("ask", [
    echoed("TEXT").replace("TEXT", "\\ud800"),
    echoed("TEXT").replace("TEXT", "a\\u0000b"),
    echoed("TEXT").replace('"TEXT"', "[" * 30_000 + "]" * 30_000),
    echoed("TEXT").replace('"TEXT"', '{"a":' * 6_000 + "1" + "}" * 6_000),
    echoed("x", 2**70),
    echoed("x").replace('"times": 1', '"times": ' + "9" * 5_000),
    echoed("x").replace('"times": 1', '"times": NaN'),
    echoed("x").replace('"times"', '"t\\u0069mes"'),
    echoed("x").replace('"times": 1', '"times": 1, "times": 1'),
    echoed("x").replace('"id"', '"i\\u0064"'),
    echoed("x").replace('"data"', '"id": "twice", "data"'),
    echoed("x").replace('"data"', '"expirytime": "tomorrow", "data"'),
    echoed("x").replace('"data"', '"expirytime": "2126-01-01", "data"'),
    echoed("x").replace('"data"', '"expirytime": "2126-W01-1", "data"'),
    echoed("x").replace('"data"', '"time": "now", "data"'),
    echoed("x").replace('"data"', '"correlationid": 7, "data"'),
    echoed("x")[:-1],
    echoed("x").replace('"x"', '"' + "\\\\" * 20_000),
    echoed("x").replace('"x"', '"' + '\\"' * 20_000),
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"",
])
def test_what_breaks_the_rules_is_malformed_and_the_worker_lives(echo, ask):
    process = echo.processes["echo"].pid
    with echo.bus() as bus:
        answer = bus.raw(ask if isinstance(ask, bytes) else ask.encode(), service="echo")
        assert answer["data"]["code"] == "bus.malformed", answer
        assert bus.ask("echo.text.repeat.v1", {"text": "é\U0001f600", "times": 2}) == {"text": "é\U0001f600" * 2}
    assert echo.processes["echo"].pid == process and echo.processes["echo"].poll() is None


def test_a_text_may_be_escaped_where_it_is_no_key(echo):
    with echo.bus() as bus:
        answer = bus.raw(echoed("TEXT").replace("TEXT", "\\ud83d\\ude00 \\u00e9 : {[\\\"").encode(), service="echo")
        assert answer["data"] == {"text": '\U0001f600 é : {["'}
        with pytest.raises(Refused) as refused:
            bus.ask("echo.text.repeat.v1", {"text": "x" * 65_536, "times": 1})
        assert refused.value.code == "bus.too_large"


def test_an_answer_that_no_envelope_holds_is_refused_and_the_worker_lives(echo):
    with echo.bus() as bus:
        with pytest.raises(Refused) as refused:
            bus.ask("echo.text.repeat.v1", {"text": "x" * 60_000, "times": 100})
        assert refused.value.code == "bus.too_large"
        assert bus.ask("echo.text.repeat.v1", {"text": "x", "times": 1}) == {"text": "x"}


def test_a_worker_that_is_told_to_stop_does_so_at_once():
    """Not at the end of its turn: a swap waits for it. The bound is generous; what decides is that no turn has to end."""
    made = Set().start("broker")
    try:
        billfold.until((made.run / "asks.sock").exists, "the broker to listen")
        # A turn of an hour: only a signal ends it.
        program = (EXAMPLES / "worker.py").read_text().replace(
            "poller.poll(500 if wait is None else wait)", "poller.poll(3_600_000)")
        assert "3_600_000" in program
        environment = {**made.environment, "PYTHONPATH": str(EXAMPLES)}
        for number in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([sys.executable, "-c", program], env=environment) as worker, made.bus() as bus:
                assert bus.ask("echo.text.repeat.v1", {"text": "x", "times": 1}) == {"text": "x"}
                worker.send_signal(number)
                assert worker.wait(PATIENCE) == 0
    finally:
        made.close()


def test_a_published_head_that_is_none_does_not_end_the_notifications(environment):
    sys.path.insert(0, str(EXAMPLES))
    try:
        import notifications
    finally:
        sys.path.remove(str(EXAMPLES))
    head = json.dumps(envelope("payments.facts.head.v1", {"head": 7})).encode()
    assert notifications.head_of(head) == 7
    for broken in (b"", b"\xff", b"{}", b"[]", head.replace(b"7", b"NaN"), head.replace(b"7", b"[" * 5_000)):
        assert notifications.head_of(broken) == 0


@pytest.mark.parametrize("cents", ["1.50", "$2", "", "-5", "0", "1e3", "9" * 40, "\u0661"])
def test_the_client_says_what_an_amount_is(environment, cents):
    ended = subprocess.run(
        [sys.executable, EXAMPLES / "client.py", "demo", "coffee", cents], env=environment, capture_output=True, text=True,
        timeout=PATIENCE)
    assert ended.returncode == 64 and ended.stdout == ""
    assert f"CENTS is a whole number from 1, such as 150 for 1.50 USD, not '{cents}'. Nothing was paid." in ended.stderr
    assert "Traceback" not in ended.stderr
