"""Starts the real broker for each test, and what the tests wait with."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

import pytest
import zmq

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("BILLFOLD_BIN", ROOT / ".build" / "release"))

# How long anything may take before a test fails. Never how long a test waits for something not to happen.
PATIENCE = 20.0


def until(condition, what, patience=PATIENCE):
    """Polls `condition` until it holds; its value is returned."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError(f"waited {patience} s in vain for: {what}")


class Broker:
    """One billfold-broker process in a run directory of its own."""

    def __init__(self, run_directory, **environment):
        self.run = pathlib.Path(run_directory)
        self.asks = f"ipc://{self.run}/asks.sock"
        self.environment = {**os.environ, "BILLFOLD_RUN": str(self.run), **environment}
        self.process = None

    def start(self, **options):
        """Returns when the broker says that it is ready; what it logged before that is in `log`."""
        self.process = self.spawn(**options)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line.decode())
            if '"ready"' in self.log[-1]:
                return self
        raise AssertionError("the broker ended: " + "".join(self.log))

    def spawn(self, **options):
        environment = {**self.environment, "BILLFOLD_LOG_FORMAT": "json"}
        return subprocess.Popen([BINARIES / "billfold-broker"], env=environment, stderr=subprocess.PIPE, **options)

    def stop(self, number=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)
        return self.process.returncode if self.process else None


@pytest.fixture
def run_directory():
    # Not pytest's own: a Unix socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="billfold-") as path:
        yield pathlib.Path(path) / "run"


@pytest.fixture
def broker(run_directory):
    broker = Broker(run_directory).start()
    yield broker
    assert broker.process.poll() is None, "the broker died: " + broker.process.stderr.read().decode()
    assert broker.stop() == 0


@pytest.fixture
def peer(broker):
    """Makes sockets connected to the broker and closes them."""
    context = zmq.Context()
    sockets = []

    def connect(kind=zmq.DEALER, routing_id=None, endpoint=None, **options):
        socket = context.socket(kind)
        socket.linger = 0
        for name, value in options.items():
            setattr(socket, name, value)
        if routing_id is not None:
            socket.routing_id = routing_id
        socket.connect(endpoint or broker.asks)
        sockets.append(socket)
        return socket

    yield connect
    for socket in sockets:
        socket.close()
    context.term()
