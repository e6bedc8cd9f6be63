"""The page of the examples, executed: every block of it, in one shell, on a set of its own."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

import pytest

from billfold import BINARIES, ROOT

PAGE = ROOT / "deploy" / "examples" / "README.md"


@pytest.fixture
def environment():
    """What the page's first block, the only one that is not run, would have made: binaries and Python on the PATH."""
    # Not pytest's own directory: a Unix socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="bf-") as home, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
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
