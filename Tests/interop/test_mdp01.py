"""7/MDP, exact bytes, and clients and workers in the shape of the Guide's."""

import zmq

import wire


def test_client_and_worker_exact_bytes(peer):
    worker, client = peer(), peer()
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    client.send_multipart([b"", b"MDPC01", b"echo", b"one", b"", b"two"])
    request = wire.receive(worker)
    token = request[3]
    assert request == [b"", b"MDPW01", b"\x02", token, b"", b"one", b"", b"two"]
    assert len(token) == 16
    worker.send_multipart([b"", b"MDPW01", b"\x03", token, b"", b"reply", b"more"])
    assert wire.receive(client) == [b"", b"MDPC01", b"echo", b"reply", b"more"]


def test_heartbeats_come_to_an_idle_worker(peer):
    worker = peer()
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    assert worker.poll(wire.PATIENCE_MS)
    assert worker.recv_multipart() == [b"", b"MDPW01", b"\x04"]


def test_a_worker_that_is_not_known_is_disconnected(peer):
    worker = peer()
    worker.send_multipart([b"", b"MDPW01", b"\x04"])
    assert wire.receive(worker) == [b"", b"MDPW01", b"\x05"]


def test_req_client_and_many_asks(peer):
    """A REQ socket makes and strips the empty frame itself."""
    worker, client = peer(), peer(zmq.REQ)
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    for number in range(50):
        client.send_multipart([b"MDPC01", b"echo", b"%d" % number])
        request = wire.receive(worker)
        worker.send_multipart([b"", b"MDPW01", b"\x03", request[3], b""] + request[5:])
        assert wire.receive(client) == [b"MDPC01", b"echo", b"%d" % number]


def test_asynchronous_client_keeps_many_asks_open(peer):
    workers = [peer() for _ in range(3)]
    client = peer()
    for worker in workers:
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    for number in range(300):
        client.send_multipart([b"", b"MDPC01", b"echo", b"%d" % number])
    answers = set()
    poller = zmq.Poller()
    for socket in [client, *workers]:
        poller.register(socket, zmq.POLLIN)
    while len(answers) < 300:
        ready = dict(poller.poll(wire.PATIENCE_MS))
        assert ready, f"{len(answers)} answers, then nothing"
        for socket in ready:
            frames = socket.recv_multipart()
            if socket is client:
                answers.add(frames[3])
            elif frames[2] == b"\x02":
                socket.send_multipart([b"", b"MDPW01", b"\x03", frames[3], b"", *frames[5:]])
    assert answers == {b"%d" % number for number in range(300)}


def test_ask_before_any_worker_waits_for_one(peer):
    client, worker = peer(), peer()
    client.send_multipart([b"", b"MDPC01", b"late", b"x"])
    wire.round_trip(client)
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"late"])
    assert wire.receive(worker)[5] == b"x"


def test_unknown_service_is_answered_when_its_time_is_up(peer):
    client = peer(zmq.REQ)
    client.send_multipart([b"MDPC01", b"nobody", b"x"])
    frames = wire.receive(client, 30_000)
    assert frames[:2] == [b"MDPC01", b"nobody"]
    assert wire.problem(frames[2]) == "bus.no_worker"


def test_mmi(peer):
    client, worker = peer(zmq.REQ), peer()

    def asked(service, body):
        client.send_multipart([b"MDPC01", service, body])
        frames = wire.receive(client)
        assert frames[:2] == [b"MDPC01", service]
        return frames[2:]

    assert asked(b"mmi.service", b"echo") == [b"404"]
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    wire.round_trip(worker)
    assert asked(b"mmi.service", b"echo") == [b"200"]
    assert asked(b"mmi.broker", b"echo") == [b"501"]
    worker.send_multipart([b"", b"MDPW01", b"\x05"])
    wire.round_trip(worker)
    assert asked(b"mmi.service", b"echo") == [b"404"]


def test_a_reserved_service_is_refused_to_workers(peer):
    worker = peer()
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"mmi.service"])
    assert wire.receive(worker) == [b"", b"MDPW01", b"\x05"]


def test_client_and_worker_with_long_routing_ids(peer):
    worker, client = peer(routing_id=b"w" * 255), peer(routing_id=b"c" * 200)
    worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
    for _ in range(20):
        client.send_multipart([b"", b"MDPC01", b"echo", b"x"])
        request = wire.receive(worker)
        assert b"c" * 200 not in request
        worker.send_multipart([b"", b"MDPW01", b"\x03", request[3], b"", b"y"])
        assert wire.receive(client) == [b"", b"MDPC01", b"echo", b"y"]


def test_least_recently_used_worker_is_next(peer):
    workers = [peer() for _ in range(3)]
    client = peer(zmq.REQ)
    for worker in workers:
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"echo"])
        wire.round_trip(worker)
    for turn in range(9):
        client.send_multipart([b"MDPC01", b"echo", b"x"])
        worker = workers[turn % 3]
        request = wire.receive(worker)
        worker.send_multipart([b"", b"MDPW01", b"\x03", request[3], b"", b"y"])
        wire.receive(client)
