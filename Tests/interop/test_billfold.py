"""Our own dialect: credit, tags, deadlines, refusals, goodbye."""

import json
import time

import pytest
import zmq

import wire


def test_credit_window(peer):
    worker, client = peer(), peer()
    worker.send_multipart(wire.ready(b"s", 4))
    for tag in range(10):
        client.send_multipart(wire.ask(b"s", b"%d" % tag, tag=tag, retry=tag % 3))
    window = [wire.given(wire.receive(worker)) for _ in range(4)]
    assert [(retry, bodies) for _, retry, _, bodies in window] == [
        (tag % 3, [b"%d" % tag]) for tag in range(4)
    ]
    wire.round_trip(client)
    wire.round_trip(worker)
    assert wire.nothing_waits(worker)
    for done in range(10):
        token, _, _, bodies = window.pop()
        worker.send_multipart(wire.reply(token, b"re " + bodies[0]))
        if done < 6:
            window.append(wire.given(wire.receive(worker)))
    answers = sorted(wire.answer(wire.receive(client)) for _ in range(10))
    assert answers == [(tag, 0, b"re %d" % tag) for tag in range(10)]


def test_one_socket_is_client_and_worker(peer):
    both = peer()
    both.send_multipart(wire.ready(b"self", 1))
    both.send_multipart(wire.ask(b"self", b"x", tag=3))
    token, _, _, bodies = wire.given(wire.receive(both))
    both.send_multipart(wire.reply(token, b"y"))
    assert wire.answer(wire.receive(both)) == (3, 0, b"y")


def test_deadline_travels_and_a_passed_one_is_refused(peer):
    worker, client = peer(), peer()
    worker.send_multipart(wire.ready(b"s", 2))
    deadline = int(time.time() * 1000) + 60_000
    client.send_multipart(wire.ask(b"s", b"x", deadline_ms=deadline))
    assert wire.given(wire.receive(worker))[2] == deadline
    client.send_multipart(wire.ask(b"s", b"x", tag=2, deadline_ms=1))
    tag, status, body = wire.answer(wire.receive(client))
    assert (tag, status, wire.problem(body)) == (2, 3, "bus.deadline_exceeded")


def test_deadline_that_passes_in_flight_is_an_unknown_outcome(peer):
    worker, client = peer(), peer()
    worker.send_multipart(wire.ready(b"s", 1))
    client.send_multipart(wire.ask(b"s", b"x", tag=1, deadline_ms=int(time.time() * 1000) + 3000))
    token = wire.given(wire.receive(worker))[0]
    tag, status, body = wire.answer(wire.receive(client))
    assert (tag, status, wire.problem(body)) == (1, 7, "bus.outcome_unknown")
    worker.send_multipart(wire.reply(token, b"too late"))
    client.send_multipart(wire.ask(b"s", b"next", tag=2))
    token = wire.given(wire.receive(worker))[0]
    worker.send_multipart(wire.reply(token, b"in time"))
    assert wire.answer(wire.receive(client)) == (2, 0, b"in time")


def test_full_queue(peer):
    """10,000 asks wait for a service, 5,000 of them of one client; who comes then is refused at once."""
    greedy, second, third = peer(), peer(), peer()
    deadline = int(time.time() * 1000) + 200_000
    for tag in range(5_001):
        greedy.send_multipart(wire.ask(b"nobody", b"x", tag=tag, deadline_ms=deadline))
    assert wire.answer(wire.receive(greedy))[:2] == (5_000, 1)
    for tag in range(5_000):
        second.send_multipart(wire.ask(b"nobody", b"x", tag=tag, deadline_ms=deadline))
    wire.round_trip(second)
    third.send_multipart(wire.ask(b"nobody", b"x", tag=3, deadline_ms=deadline))
    tag, status, body = wire.answer(wire.receive(third))
    assert (tag, status, wire.problem(body)) == (3, 1, "bus.no_worker")


def test_goodbye_finishes_and_gets_no_more(peer):
    worker, other, client = peer(), peer(), peer()
    worker.send_multipart(wire.ready(b"s", 2))
    for tag in (1, 2, 3):
        client.send_multipart(wire.ask(b"s", b"x", tag=tag))
    tokens = [wire.given(wire.receive(worker))[0] for _ in range(2)]
    worker.send_multipart(wire.control(7))
    assert wire.receive(worker) == wire.control(7)
    for token in tokens:
        worker.send_multipart(wire.reply(token, b"done"))
    assert {wire.answer(wire.receive(client))[0] for _ in range(2)} == {1, 2}
    worker.send_multipart(wire.control(6))
    wire.round_trip(worker)
    assert wire.nothing_waits(worker)
    other.send_multipart(wire.ready(b"s", 2))
    wire.given(wire.receive(other))


def test_a_peer_that_pings_stays_connected(peer):
    """ZMTP's own heartbeats (ZMQ_HEARTBEAT_IVL): libzmq leaves a peer that lets one go unanswered."""
    worker = peer(heartbeat_ivl=50, heartbeat_timeout=5000)
    with worker.get_monitor_socket(zmq.EVENT_DISCONNECTED) as monitor:
        worker.send_multipart(wire.ready(b"s", 1))
        # The broker's heartbeats are a second apart: more of them than one unanswered ping would allow.
        for _ in range(7):
            assert worker.poll(20_000) and worker.recv_multipart() == wire.control(5)
        assert not monitor.poll(0)
        worker.disable_monitor()


@pytest.mark.parametrize("kind", ["disconnect", "close"])
def test_worker_lost_with_asks_in_flight(peer, kind):
    worker, client = peer(), peer()
    worker.send_multipart(wire.ready(b"s", 8))
    for tag in range(5):
        client.send_multipart(wire.ask(b"s", b"x", tag=tag))
    for _ in range(5):
        wire.given(wire.receive(worker))
    if kind == "disconnect":
        worker.send_multipart(wire.control(6))
    else:
        worker.close()
    answers = [wire.answer(wire.receive(client)) for _ in range(5)]
    assert [(tag, status) for tag, status, _ in answers] == [(tag, 4) for tag in range(5)]
    assert {wire.problem(body) for _, _, body in answers} == {"bus.worker_lost"}


CLIENTS = {
    "7/MDP": ([b"", b"MDPC01", b"s", b"ask"], [b"", b"MDPC01", b"s", b"reply"]),
    "18/MDP": ([b"MDPC02", b"\x01", b"s", b"ask"], [b"MDPC02", b"\x03", b"s", b"reply"]),
    "majortomo": ([b"", b"MDPC02", b"\x02", b"s", b"ask"], [b"", b"MDPC02", b"\x04", b"reply"]),
    "billfold": (wire.ask(b"s", b"ask", tag=7), [b"BFC1\x03\x00\x00\x00" + (7).to_bytes(8, "big"), b"reply"]),
}
WORKERS = {
    "7/MDP": ([b"", b"MDPW01", b"\x01", b"s"], lambda r: [b"", b"MDPW01", b"\x03", r[3], b"", b"reply"]),
    "18/MDP": ([b"MDPW02", b"\x01", b"s"], lambda r: [b"MDPW02", b"\x04", r[2], b"", b"reply"]),
    "majortomo": ([b"", b"MDPW02", b"\x01", b"s"], lambda r: [b"", b"MDPW02", b"\x04", r[3], b"", b"reply"]),
    "billfold": (wire.ready(b"s", 5), lambda r: wire.reply(r[0][8:24], b"reply")),
}


@pytest.mark.parametrize("worker_dialect", WORKERS)
@pytest.mark.parametrize("client_dialect", CLIENTS)
def test_every_client_with_every_worker(peer, client_dialect, worker_dialect):
    worker, client = peer(), peer()
    ready, reply = WORKERS[worker_dialect]
    ask, answer = CLIENTS[client_dialect]
    worker.send_multipart(ready)
    client.send_multipart(ask)
    request = wire.receive(worker)
    assert request[-1] == b"ask"
    worker.send_multipart(reply(request))
    assert wire.receive(client) == answer


def test_tcp_endpoint(run_directory):
    from conftest import Broker, until

    broker = Broker(run_directory, BILLFOLD_ASKS_TCP="tcp://127.0.0.1:*").start()
    serving = next(json.loads(line) for line in broker.log if "serving" in line)
    endpoint = next(word for word in serving["asks"].split() if word.startswith("tcp://"))
    with zmq.Context() as context, context.socket(zmq.DEALER) as client:
        client.linger = 0
        client.connect(endpoint)
        wire.round_trip(client)
    assert broker.stop() == 0
    until(lambda: not (broker.run / "asks.sock").exists(), "the socket to be removed")
