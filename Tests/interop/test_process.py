"""The process: one broker per directory, restart, signals, facts."""

import resource
import signal
import socket
import subprocess
import sys

import pytest
import zmq

import wire
from conftest import BINARIES, PATIENCE, Broker, until


def test_a_second_broker_is_refused(broker, peer):
    second = broker.spawn()
    assert second.wait(PATIENCE) == 1
    assert "another broker holds" in second.stderr.read().decode()
    wire.round_trip(peer())


def test_a_foreign_broker_on_the_socket_is_left_alone(run_directory):
    run_directory.mkdir()
    with zmq.Context() as context, context.socket(zmq.ROUTER) as foreign:
        foreign.bind(f"ipc://{run_directory}/asks.sock")
        broker = Broker(run_directory)
        process = broker.spawn()
        assert process.wait(PATIENCE) == 1
        assert "another broker holds" in process.stderr.read().decode()
        assert (run_directory / "asks.sock").exists()


def test_a_killed_brokers_sockets_are_replaced(run_directory):
    broker = Broker(run_directory).start()
    broker.stop(signal.SIGKILL)
    assert (broker.run / "asks.sock").exists()
    (broker.run / "facts-out.sock").unlink()
    broker.start()
    with zmq.Context() as context, context.socket(zmq.DEALER) as client:
        client.linger = 0
        client.connect(broker.asks)
        wire.round_trip(client)
    assert broker.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_and_removes_the_sockets(run_directory, number):
    broker = Broker(run_directory).start()
    assert broker.stop(number) == 0
    assert [path.name for path in broker.run.iterdir()] == ["broker.lock"]


def test_modes_of_directory_and_sockets(broker):
    assert broker.run.stat().st_mode & 0o777 == 0o770
    assert (broker.run / "asks.sock").stat().st_mode & 0o007 == 0


def test_a_path_too_long_is_a_clear_error(tmp_path):
    process = subprocess.run(
        [BINARIES / "billfold-broker"],
        env={"BILLFOLD_RUN": str(tmp_path / ("x" * 100))},
        capture_output=True,
        timeout=PATIENCE,
    )
    assert process.returncode == 1
    assert b"107" in process.stderr


@pytest.mark.parametrize("endpoint", ["tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://10.0.0.1:5555", "udp://127.0.0.1:1"])
def test_an_open_endpoint_is_refused(run_directory, endpoint):
    process = Broker(run_directory, BILLFOLD_ASKS_TCP=endpoint).spawn()
    assert process.wait(PATIENCE) == 1
    assert "loopback" in process.stderr.read().decode()


def test_restart_is_noticed_and_workers_register_again(run_directory):
    broker = Broker(run_directory).start()
    with zmq.Context() as context, context.socket(zmq.DEALER) as worker, context.socket(zmq.DEALER) as client:
        for one in (worker, client):
            one.linger = 0
            one.connect(broker.asks)
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"s"])
        first = wire.round_trip(client)
        broker.stop(signal.SIGKILL)
        (broker.run / "facts-out.sock").unlink()
        broker.start()
        assert wire.round_trip(client) != first
        # Its heartbeat is unknown to the new broker: DISCONNECT tells it to register again.
        worker.send_multipart([b"", b"MDPW01", b"\x04"])
        assert wire.receive(worker) == [b"", b"MDPW01", b"\x05"]
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"s"])
        client.send_multipart(wire.ask(b"s", b"x", tag=4))
        request = wire.receive(worker)
        worker.send_multipart([b"", b"MDPW01", b"\x03", request[3], b"", b"y"])
        assert wire.answer(wire.receive(client)) == (4, 0, b"y")
    assert broker.stop() == 0


def test_a_worker_process_that_is_killed(broker, peer):
    client = peer()
    script = (
        "import sys, zmq; w = zmq.Context().socket(zmq.DEALER); w.connect(sys.argv[1]);"
        "w.send(b'BFW1\\x01\\x00\\x00\\x08s');"
        "w.recv_multipart(); print('has it', flush=True);\n"
        "while True: w.recv_multipart()"
    )
    worker = subprocess.Popen([sys.executable, "-c", script, broker.asks], stdout=subprocess.PIPE)
    client.send_multipart(wire.ask(b"s", b"x", tag=1))
    assert worker.stdout.readline() == b"has it\n"
    worker.kill()
    worker.wait(PATIENCE)
    tag, status, _ = wire.answer(wire.receive(client))
    assert (tag, status) == (1, 4)


def test_a_crowd_of_connections_does_not_stop_it(run_directory):
    """libzmq's listener would abort the process when it has no file descriptor left."""
    broker = Broker(run_directory).start(
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
    )
    with zmq.Context() as context, context.socket(zmq.DEALER) as client:
        client.linger = 0
        client.connect(broker.asks)
        wire.round_trip(client)
        crowd = [socket.socket(socket.AF_UNIX) for _ in range(400)]
        for one in crowd:
            one.connect(str(broker.run / "asks.sock"))
        wire.round_trip(client)
        for one in crowd:
            one.close()
    assert broker.process.poll() is None
    assert broker.stop() == 0


def test_facts_reach_their_subscribers_only(broker, peer):
    publisher = peer(zmq.PUB, endpoint=f"ipc://{broker.run}/facts-in.sock")
    subscriber = peer(zmq.SUB, endpoint=f"ipc://{broker.run}/facts-out.sock")
    subscriber.subscribe(b"wallet.transfer.posted.v1\x00")

    def relayed():
        publisher.send_multipart([b"wallet.card.added.v1\x00", b"other"])
        publisher.send_multipart([b"wallet.transfer.posted.v1\x00", b"fact"])
        return subscriber.poll(20)

    until(relayed, "a fact")
    assert subscriber.recv_multipart() == [b"wallet.transfer.posted.v1\x00", b"fact"]


def test_a_subscriber_that_sends_junk_does_not_stop_the_relay(broker, peer):
    hostile = peer(zmq.XSUB, endpoint=f"ipc://{broker.run}/facts-out.sock")
    for junk in (b"", b"\x01" + b"x" * 10_000, b"\x02junk", b"junk"):
        hostile.send(junk)
    hostile.send_multipart([b"\x01a", b"b", b"c", b"d", b"e", b"f"])
    test_facts_reach_their_subscribers_only(broker, peer)
