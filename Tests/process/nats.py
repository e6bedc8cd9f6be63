"""A nats-server of the test's own, on a free port of the loopback network."""

import os
import shutil
import signal
import socket
import subprocess

from billfold import PATIENCE, until


class NATS:
    def __init__(self, *options):
        self.program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        assert self.program, "nats-server is not installed: Debian's package is nats-server"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.options = options
        self.start()

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "-a", "127.0.0.1", "-p", str(self.port), *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._accepts, "nats-server to listen")

    def _accepts(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
