"""A nats-server of the test's own, on a free port of the loopback network."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from billfold import PATIENCE, ROOT, free_port, until

CLUSTER = ROOT / "deploy/cluster"


class NATS:
    def __init__(self, *options):
        self.program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        assert self.program, "nats-server is not installed: Debian's package is nats-server"
        self.port = free_port()
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

    close = kill


class SecuredNATS(NATS):
    """With certificates, passwords and the rights of `deploy/cluster`. `secrets` has a folder for each user."""

    def __init__(self):
        # As deep as the images have it: rights.conf names the passwords' file by its own place.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="bf-nats-"))
        self.secrets = self.home / "secrets"
        subprocess.run([CLUSTER / "make-secrets", self.secrets], check=True, stdin=subprocess.DEVNULL)
        server = self.secrets / "nats-a"
        shutil.copy(server / "passwords.conf", self.secrets)
        config = self.home / "etc/billfold"
        config.mkdir(parents=True)
        shutil.copy(CLUSTER / "rights.conf", config)
        (config / "nats.conf").write_text(f"""
            log_file: "{self.home}/log"
            tls {{ cert_file: "{server}/bus.crt", key_file: "{server}/bus.key" }}
            include ./rights.conf
        """)
        super().__init__("--config", str(config / "nats.conf"))

    @property
    def url(self):
        return f"tls://localhost:{self.port}"

    def access(self, user):
        """The settings of a process of this user."""
        own = self.secrets / user
        return {"BILLFOLD_BUS": self.url, "BILLFOLD_NATS_CREDENTIALS": str(own / "bus.login"),
                "BILLFOLD_NATS_CA_FILE": str(own / "bus-ca.crt")}

    def violations(self):
        """Lines of the server's log about what the rights did not allow."""
        return [line for line in (self.home / "log").read_text().splitlines() if "Violation" in line]

    def close(self):
        self.kill()
        shutil.rmtree(self.home, ignore_errors=True)
