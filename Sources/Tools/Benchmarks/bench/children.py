"""Processes that are started here and gone when this ends, in whatever way."""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path


class Failed(Exception):
    """A figure cannot be measured; the text says why. The others still can."""


def need(program):
    """The path of a program; it may be in /usr/sbin, which is not on everybody's PATH."""
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if path is None:
        raise Failed(f"{program} is not installed")
    return path


@contextmanager
def running(command, *, log, on_death="TERM", stop=signal.SIGTERM, as_user=None, env=None):
    """A process that lives as long as the block: asked to stop at its end, killed when it does not.

    In a session of its own, so that Ctrl-C reaches it only through here; and told by the kernel when this process dies.
    """
    with open(log, "ab") as output:
        child = subprocess.Popen(
            ["setpriv", "--pdeathsig", on_death, *user_options(as_user), *command],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=env, start_new_session=True, cwd="/")
    try:
        yield child
    finally:
        end(child, stop)


def end(child, how=signal.SIGTERM, patience=5):
    if child.poll() is None:
        child.send_signal(how)
        try:
            child.wait(patience)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def output(command, *, seconds, as_user=None, cwd="/", env=None):
    """What a command that ends by itself prints. Its output is no part of ours unless it fails."""
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *user_options(as_user), *command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=env,
        start_new_session=True)
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"{os.path.basename(command[0])} did not end within {seconds:.0f} s") from None
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()
    if child.returncode != 0:
        raise Failed(f"{os.path.basename(command[0])} failed: {last_line(err) or last_line(out) or child.returncode}")
    return out


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def user_options(name):
    return ["--reuid", name, "--regid", name, "--clear-groups"] if name else []


def await_fact(is_true, what, child, *, seconds=20, every=0.005):
    """Returns once `is_true()`; fails when the process ends before, or the time is up."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if child.poll() is not None:
            raise Failed(f"{what}: the process has ended")
        if time.monotonic() > deadline:
            raise Failed(f"{what}: not within {seconds} s")
        time.sleep(every)


def free_port():
    """A port that the kernel gives to no client, where it leaves any: a client that asks until a server starts may be
    connected to itself."""
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    every = range(10_000, 65_536)
    ports = [port for port in every if not low <= port <= high] or every
    for port in random.sample(ports, len(ports)):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise Failed("no port is free")


def accepts(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def directory(parent, prefix):
    path = tempfile.mkdtemp(prefix=prefix, dir=parent)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
