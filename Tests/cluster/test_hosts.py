"""Hosts in namespaces: what reaches whom, what a full disk is, and that nothing is left."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from hosts import Failed, Lab, program, run, until

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or subprocess.run(["unshare", "--net", "--mount", "true"], stderr=subprocess.DEVNULL).returncode,
    reason="network namespaces need root and a machine that lets it make them")

ECHO = """
import socket
listener = socket.create_server(("", 7))
while True:
    taken, _ = listener.accept()
    taken.sendall(b"here")
    taken.close()
"""
ASK = "import socket, sys; print(socket.create_connection((sys.argv[1], 7), 0.4).recv(9).decode())"


def reaches(source, target):
    try:
        return source.inside(sys.executable, "-c", ASK, target.address).strip() == "here"
    except Failed:
        return False


def test_a_process_that_has_ended_runs_nothing():
    process = subprocess.Popen(["sleep", "60"])
    until(lambda: program(process.pid) == "sleep", "its program")
    process.kill()
    process.wait()
    assert program(process.pid) is None


@pytest.fixture
def lab():
    with Lab() as lab:
        for number, name in enumerate("ab", 1):
            lab.host(name, number).start("echo", sys.executable, "-c", ECHO)
        a, b = lab.hosts.values()
        until(lambda: reaches(a, b) and reaches(b, a), "both hosts to answer")
        yield lab


def test_a_link_is_cut_in_one_direction_or_for_some_ports_and_healed(lab):
    a, b = lab.hosts.values()
    b.refuse(a)
    # Without b's answers no connection of a's comes about; without a's answers none of b's does.
    assert not reaches(a, b) and not reaches(b, a)
    b.accept_all()
    assert reaches(a, b) and reaches(b, a)
    b.refuse(a, ports=(2379, 2380))
    assert reaches(a, b)
    b.refuse(a, ports=(7,))
    assert not reaches(a, b)


def test_one_direction_is_left(lab):
    a, b = lab.hosts.values()
    b.refuse(a)
    before = received(a)
    b.inside(sys.executable, "-c", "import socket; socket.socket(2, 2).sendto(b'x', ('%s', 9))" % a.address)
    until(lambda: received(a) > before, "a to receive what b sends", patience=3)


def received(host):
    """UDP datagrams that came to the host, with or without a listener."""
    rows = [line.split() for line in host.inside("cat", "/proc/net/snmp").splitlines() if line.startswith("Udp:")]
    counts = dict(zip(rows[0], rows[1]))
    return int(counts["InDatagrams"]) + int(counts["NoPorts"])


def test_a_full_disk_is_full_for_its_host_alone(lab):
    a, b = lab.hosts.values()
    a.fill()
    with pytest.raises(OSError, match="No space left"):
        (a.disk / "more").write_bytes(bytes(1 << 20))
    (b.disk / "more").write_bytes(bytes(1 << 20))
    a.empty()
    (a.disk / "more").write_bytes(bytes(1 << 20))


def test_a_slow_link(lab):
    a, _ = lab.hosts.values()
    a.slow(kilobits=256)
    assert "rate 256Kbit" in a.inside("tc", "qdisc", "show", "dev", "eth0")
    a.fast()
    assert "tbf" not in a.inside("tc", "qdisc", "show", "dev", "eth0")


def test_a_host_dies_with_the_children_of_its_processes(lab):
    a, _ = lab.hosts.values()
    a.start("parent", "sh", "-c", "sleep 1000 & sleep 1000")
    until(lambda: len(a.pids()) == 4, "the processes to run")
    a.kill()
    assert a.pids() == []


def test_a_host_dies_with_a_process_that_is_not_yet_in_its_namespace(lab):
    a, _ = lab.hosts.values()
    process = a.start("late", "sleep", "1000")
    process.send_signal(signal.SIGSTOP)
    a.kill()
    assert process.poll() == -signal.SIGKILL


def test_nothing_is_left():
    with pytest.raises(ZeroDivisionError), Lab() as lab:
        host = lab.host("a", 1)
        process = host.start("sleep", "sleep", "1000")
        1 / 0
    assert process.poll() is not None
    assert lab.name not in run("ip", "netns", "list")
    assert not lab.home.exists()
    assert str(lab.home) not in pathlib.Path("/proc/mounts").read_text()


def test_a_command_that_fails_says_why():
    with pytest.raises(Failed, match="ended with 3: no"):
        run("sh", "-c", "echo no; exit 3")
