"""`billfold shadow`: a candidate answers copies of live asks, and what it would do goes nowhere."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import textwrap

import pytest

from billfold import BINARIES, Refused, new_id, until


class Shadow:
    """A running `billfold shadow` that says when its candidate serves."""

    def __init__(self, billset, service, *words, command):
        self.process = subprocess.Popen(
            [BINARIES / "billfold", "shadow", service, "--run", str(billset.run), *words, "--", *command],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def await_start(self):
        line = self.process.stderr.readline()
        assert "serves" in line, line + self.process.stderr.read()
        return self

    def end(self):
        """(status, output)"""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def own(name):
    return [str(BINARIES / f"billfold-{name}")]


# Answers whatever it is asked with a product that nobody has, and would have the wallet pay each time.
WRONG = textwrap.dedent("""
    import json, os, zmq
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
    socket.send_multipart([b"MDPW02", b"\\x01", b"offers"])
    asks = zmq.Context().socket(zmq.DEALER)
    asks.connect(f"ipc://{os.environ['BILLFOLD_RUN']}/asks.sock")
    while True:
        _, command, *rest = socket.recv_multipart()
        if command != b"\\x02":
            continue
        ask = json.loads(rest[2])
        theirs = dict(ask, id="w", type="wallet.transfer.post.v1", data={})
        asks.send_multipart([b"MDPC02", b"\\x01", b"wallet", json.dumps(theirs).encode()])
        refused = json.loads(asks.recv_multipart()[-1])
        assert refused["data"]["code"] == "bus.forbidden", refused
        data = dict(ask["data"], types=[])
        answer = dict(ask, id="a", source="wrong", type=ask["type"] + ".reply", data=data)
        socket.send_multipart([b"MDPW02", b"\\x04", rest[0], b"", json.dumps(answer).encode()])
""")


def read_products(bus, merchant):
    return bus.ask("offers.products.read.v1", {"merchant": merchant.account})


def asks_until_done(shadow, ask):
    """Keeps the live service busy until the shadow has seen enough."""
    until(lambda: (ask(), shadow.process.poll() is not None)[1], "the shadow to have seen enough")


def test_the_same_service_answers_the_same(billset, bus, merchant):
    shadow = Shadow(billset, "offers", "--asks", "20", command=own("offers")).await_start()
    asks_until_done(shadow, lambda: read_products(bus, merchant))
    status, out, err = shadow.end()
    compared = re.match(r"offers: (\d+) asks compared, 0 answered differently", out)
    assert status == 0 and compared and int(compared[1]) >= 20, out + err
    assert "offers.products.read.v1" in out


def test_a_difference_is_named_and_nothing_is_done(billset, bus, merchant):
    before = bus.ask("wallet.ledger.read.v1", {})["entries"]
    shadow = Shadow(billset, "offers", "--asks", "30", "--json", command=[sys.executable, "-c", WRONG])

    def ask():
        read_products(bus, merchant)
        # What would change something is not for the candidate, whatever comes of it.
        with contextlib.suppress(Refused):
            bus.ask("offers.subscription.set.v1", {"customer": new_id(), "merchant": new_id(), "ads": False, "coupons": False})

    asks_until_done(shadow, ask)
    status, out, err = shadow.end()
    report = json.loads(out)
    assert status == 1 and report["different"] >= 3, out + err
    # Others ask it too, such as who reads its facts.
    assert [(each["path"], each["live"], each["shadow"]) for each in report["differences"]
            if each["type"] == "offers.products.read.v1"] == [("data.types.count", "1", "0")], report
    assert report["withheld"].get("offers.subscription.set.v1", 0) >= 1, report
    assert report["prevented"].get("wallet.transfer.post.v1", 0) >= 3, report
    assert bus.ask("wallet.ledger.read.v1", {})["entries"] == before


@pytest.mark.parametrize("service, command, status, says", [
    ("offers", ["/bin/false"], 2, "ended with status 1"),
    ("offers", ["no-such-program"], 64, "no executable 'no-such-program'"),
    ("nobody", ["/bin/true"], 2, "nobody serves nobody"),
])
def test_what_cannot_be_done_is_said_in_a_line(billset, service, command, status, says):
    ended, out, err = Shadow(billset, service, command=command).end()
    assert (ended, out) == (status, "") and says in err and err.startswith("billfold: "), err


@pytest.mark.parametrize("option", ["--data", "--operator-key"])
def test_a_path_that_is_not_there_is_said_before_anything_is_started(billset, tmp_path, option):
    status, out, err = Shadow(billset, "offers", option, str(tmp_path / "nothing"), command=own("offers")).end()
    assert (status, out) == (64, "") and err.startswith(f"billfold: {option} cannot be read"), err


def test_who_cannot_read_the_key_watches_nothing(billset, tmp_path):
    key = tmp_path / "operator.key"
    key.write_bytes(bytes(32))
    status, out, err = Shadow(billset, "offers", "--operator-key", str(key), command=own("offers")).end()
    assert status == 2 and "its key is another" in err, err


def test_ctrl_c_ends_it_with_its_report(billset, bus):
    shadow = Shadow(billset, "offers", command=own("offers")).await_start()
    shadow.process.send_signal(signal.SIGINT)
    status, out, err = shadow.end()
    assert status == 0 and "0 asks compared" in out, out + err
