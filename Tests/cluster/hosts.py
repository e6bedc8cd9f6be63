"""Hosts as network namespaces: each has an address, a disk of a fixed size, and processes that die with it.

The bridge between them is in a namespace of its own, so the machine's network is left as it is. Needs root.
"""

import contextlib
import ctypes
import os
import pathlib
import signal
import subprocess
import tempfile
import time

# Room for a PostgreSQL with its log, an etcd and their logs: bytes.
DISK = "640m"


class Failed(Exception):
    """The cluster could not be brought to where the test needs it."""


def program(pid):
    """The short name of what a process runs; None where it has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()


def run(*command, check=True, **options):
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, **options)
    if check and done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout[-800:]}")
    return done.stdout


def until(condition, what, patience=60.0, every=0.1):
    """Polls `condition` until it holds; its value is returned."""
    end = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"waited {patience:.0f} s in vain for {what}")
        time.sleep(every)


class Host:
    """One namespace. `start` starts a process in it; `kill` ends all of them at once."""

    def __init__(self, lab, name, number):
        self.lab, self.name, self.address = lab, name, f"10.77.0.{number}"
        self.space = f"{lab.name}{name}"
        self.home = lab.home / name
        self.disk = self.home / "disk"
        self.disk.mkdir(parents=True)
        run("mount", "-t", "tmpfs", "-o", f"size={DISK},mode=755", "billfold-cluster", self.disk)
        run("ip", "netns", "add", self.space)
        end, port = f"{self.space}e", f"{self.space}p"
        run("ip", "-n", lab.space, "link", "add", port, "type", "veth", "peer", "name", end, "netns", self.space)
        run("ip", "-n", lab.space, "link", "set", port, "master", "bridge", "up")
        run("ip", "-n", self.space, "link", "set", end, "name", "eth0")
        run("ip", "-n", self.space, "address", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", self.space, "link", "set", "eth0", "up")
        run("ip", "-n", self.space, "link", "set", "lo", "up")
        self.inside("nft", "add table inet faults; add chain inet faults input "
                           "{ type filter hook input priority 0; policy accept; }")
        self.processes = {}

    def inside(self, *command, **options):
        """Runs a command in the namespace to its end; its output."""
        return run("ip", "netns", "exec", self.space, *command, **options)

    @contextlib.contextmanager
    def entered(self):
        """This thread is in the host's namespace: its new sockets are the host's."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as home, open(f"/run/netns/{self.space}") as there:
            if libc.setns(there.fileno(), 0) != 0:
                raise OSError(ctypes.get_errno(), f"cannot enter {self.space}")
            try:
                yield
            finally:
                libc.setns(home.fileno(), 0)

    def start(self, name, *command, user=None, environment=None):
        """Starts a process under a name; what it writes is in `<name>.log` of the host's folder, outside its disk."""
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []
        with open(self.home / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                ["ip", "netns", "exec", self.space, *as_user, *map(str, command)],
                env={**os.environ, **(environment or {})}, cwd=self.disk, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        return self.processes[name]

    def pids(self):
        """All processes of the namespace, those that processes of ours have started among them."""
        return [int(word) for word in run("ip", "netns", "pids", self.space, check=False).split() if word.isdigit()]

    def kill(self):
        # A process that was just started may not have entered the namespace, where `pids` would find it.
        for process in self.processes.values():
            process.kill()
        for _ in range(3):
            for pid in self.pids():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for process in self.processes.values():
                process.wait(10)
            if not self.pids():
                return
            time.sleep(0.05)

    # Links.

    def refuse(self, source, ports=()):
        """Drops what comes from `source`: of all ports, or of these at either end."""
        if ports:
            listed = "{ " + ", ".join(map(str, ports)) + " }"
            for side in ("dport", "sport"):
                self.inside("nft", f"add rule inet faults input ip saddr {source.address} tcp {side} {listed} drop")
        else:
            self.inside("nft", f"add rule inet faults input ip saddr {source.address} drop")

    def accept_all(self):
        self.inside("nft", "flush chain inet faults input")

    def slow(self, kilobits=512):
        """Sends at most so much a second, with at most 400 ms of queue; what is beyond is dropped."""
        self.inside("tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", f"{kilobits}kbit", "burst", "16kb",
                    "latency", "400ms")

    def fast(self):
        self.inside("tc", "qdisc", "del", "dev", "eth0", "root", check=False)

    # The disk.

    def fill(self):
        """Takes all that is left of the disk, as another program's log would."""
        with open(self.disk / "ballast", "wb", buffering=0) as ballast, contextlib.suppress(OSError):
            while True:
                ballast.write(bytes(1 << 20))

    def empty(self):
        (self.disk / "ballast").unlink(missing_ok=True)

    def close(self):
        self.kill()
        run("ip", "netns", "del", self.space, check=False)
        run("umount", "-l", self.disk, check=False)


class Lab:
    """The bridge and its hosts. Use as a context: everything is gone afterwards, whatever happened."""

    def __init__(self):
        if os.geteuid() != 0:
            raise Failed("namespaces need root: run this with sudo, on a machine for tests")
        self.name = f"bf{os.getpid() % 100_000}"
        self.space = f"{self.name}lan"
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="billfold-cluster-"))
        self.home.chmod(0o755)
        self.hosts = {}

    def __enter__(self):
        run("ip", "netns", "add", self.space)
        try:
            run("ip", "-n", self.space, "link", "add", "bridge", "type", "bridge")
            run("ip", "-n", self.space, "link", "set", "bridge", "up")
        except BaseException:
            self.close()
            raise
        return self

    def host(self, name, number):
        self.hosts[name] = Host(self, name, number)
        return self.hosts[name]

    def __exit__(self, *_):
        self.close()

    def close(self):
        for host in self.hosts.values():
            with contextlib.suppress(Failed, OSError, subprocess.TimeoutExpired):
                host.close()
        run("ip", "netns", "del", self.space, check=False)
        if os.environ.get("BILLFOLD_KEEP"):
            print("kept", self.home, flush=True)
        else:
            run("rm", "-rf", "--one-file-system", self.home, check=False)
