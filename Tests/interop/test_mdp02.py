"""18/MDP, exact bytes, and PyPI's majortomo with its own classes."""

import threading

import majortomo
import zmq
from majortomo.client import Client
from majortomo.worker import Worker

import wire
from conftest import until


def test_client_and_worker_exact_bytes(peer):
    worker, client = peer(), peer()
    worker.send_multipart([b"MDPW02", b"\x01", b"echo"])
    client.send_multipart([b"MDPC02", b"\x01", b"echo", b"one", b"two"])
    request = wire.receive(worker)
    token = request[2]
    assert request == [b"MDPW02", b"\x02", token, b"", b"one", b"two"]
    assert len(token) == 16
    worker.send_multipart([b"MDPW02", b"\x03", token, b"", b"part 1"])
    worker.send_multipart([b"MDPW02", b"\x03", token, b"", b"part 2", b"more"])
    worker.send_multipart([b"MDPW02", b"\x04", token, b"", b"end"])
    assert wire.receive(client) == [b"MDPC02", b"\x02", b"echo", b"part 1"]
    assert wire.receive(client) == [b"MDPC02", b"\x02", b"echo", b"part 2", b"more"]
    assert wire.receive(client) == [b"MDPC02", b"\x03", b"echo", b"end"]


def test_heartbeat_and_disconnect_exact_bytes(peer):
    worker = peer()
    worker.send_multipart([b"MDPW02", b"\x05"])
    assert wire.receive(worker) == [b"MDPW02", b"\x06"]
    worker.send_multipart([b"MDPW02", b"\x01", b"echo"])
    assert worker.poll(wire.PATIENCE_MS)
    assert worker.recv_multipart() == [b"MDPW02", b"\x05"]
    worker.send_multipart([b"MDPW02", b"\x01", b"echo"])
    assert wire.receive(worker) == [b"MDPW02", b"\x06"]


def test_partial_after_final_is_dropped(peer):
    worker, client = peer(), peer()
    worker.send_multipart([b"MDPW02", b"\x01", b"echo"])
    client.send_multipart([b"MDPC02", b"\x01", b"echo", b"x"])
    token = wire.receive(worker)[2]
    worker.send_multipart([b"MDPW02", b"\x04", token, b"", b"end"])
    worker.send_multipart([b"MDPW02", b"\x03", token, b"", b"late"])
    worker.send_multipart([b"MDPW02", b"\x04", token, b"", b"again"])
    wire.round_trip(worker)
    assert wire.receive(client) == [b"MDPC02", b"\x03", b"echo", b"end"]
    wire.round_trip(client)
    assert wire.nothing_waits(client) and wire.nothing_waits(worker)


class MajortomoWorker(threading.Thread):
    """Answers with what it was sent, in two parts and an end, until it is disconnected."""

    def __init__(self, endpoint, service):
        super().__init__(daemon=True)
        self.context = zmq.Context()
        self.worker = Worker(endpoint, service, zmq_context=self.context)
        self.worker.connect()

    def run(self):
        try:
            while True:
                client, frames = self.worker.wait_for_request()
                if frames == [b"stop"]:
                    self.worker.send_reply_final(client, [b"stopped"])
                    self.worker.close()
                    return
                self.worker.send_reply_from_iterable(client, [[b"part 1"], [b"part 2"]], final=frames)
        except (majortomo.error.Disconnected, zmq.error.ContextTerminated):
            pass


def test_majortomos_own_client_and_worker(broker, peer):
    worker = MajortomoWorker(broker.asks, "tomo")
    worker.start()
    with Client(broker.asks, zmq_context=zmq.Context()) as client:
        for number in range(20):
            client.send("tomo", b"%d" % number, b"second")
            parts = client.recv_all_as_list(timeout=20)
            assert parts == [b"part 1", b"part 2", b"%d" % number, b"second"]
        client.send("tomo", b"stop")
        assert client.recv_all_as_list(timeout=20) == [b"stopped"]
    worker.join(20)
    assert not worker.is_alive()
    probe = peer()
    wire.round_trip(probe)
    until(lambda: not wire.is_found(probe, b"tomo"), "the worker to be gone")


def test_majortomos_client_with_a_worker_of_ours(broker, peer):
    worker = peer()
    worker.send_multipart(wire.ready(b"ours", 16))
    with Client(broker.asks, zmq_context=zmq.Context()) as client:
        client.send("ours", b"question")
        token, _, _, bodies = wire.given(wire.receive(worker))
        assert bodies == [b"question"]
        worker.send_multipart(wire.reply(token, b"answer"))
        assert client.recv_all_as_list(timeout=20) == [b"answer"]


def test_majortomos_worker_with_clients_of_every_dialect(broker, peer):
    MajortomoWorker(broker.asks, "tomo").start()
    old, strict, ours = peer(zmq.REQ), peer(), peer()
    old.send_multipart([b"MDPC01", b"tomo", b"x"])
    assert wire.receive(old) == [b"MDPC01", b"tomo", b"x"]
    strict.send_multipart([b"MDPC02", b"\x01", b"tomo", b"x"])
    assert wire.receive(strict) == [b"MDPC02", b"\x02", b"tomo", b"part 1"]
    assert wire.receive(strict) == [b"MDPC02", b"\x02", b"tomo", b"part 2"]
    assert wire.receive(strict) == [b"MDPC02", b"\x03", b"tomo", b"x"]
    ours.send_multipart(wire.ask(b"tomo", b"x", tag=5))
    assert wire.answer(wire.receive(ours)) == (5, 0, b"x")
    ours.send_multipart(wire.ask(b"tomo", b"stop", tag=6))
    assert wire.answer(wire.receive(ours)) == (6, 0, b"stopped")
