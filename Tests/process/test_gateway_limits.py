"""Clients that take what they can get of the gateway: connections, time, memory, its services' answers. Others go on."""

import json
import os
import pathlib
import re
import resource
import select
import socket
import threading
import time
from contextlib import ExitStack

import pytest

from billfold import PATIENCE, Client, Set, Threads, free_port, new_id, until
from test_foreign import Worker
from test_http import head, talk

CONNECTIONS = 128
TOKEN = "a-token-of-the-metrics"
# A proxy's address, as the gateway is told. Clients get theirs from 127.0.0.2 on, far from it.
PROXY = "127.9.0.1"
ENVIRONMENT = {
    "BILLFOLD_HTTP_CONNECTIONS": str(CONNECTIONS), "BILLFOLD_HTTP_HEAD_SECONDS": "1", "BILLFOLD_HTTP_REQUEST_SECONDS": "2",
    "BILLFOLD_HTTP_HELD_MIB": "2", "BILLFOLD_TRUSTED_PROXIES": f"{PROXY}, 192.0.2.0/24", "BILLFOLD_METRICS_TOKEN": TOKEN,
    "BILLFOLD_TRIES_PER_ADDRESS": "6",
}


@pytest.fixture(scope="module", autouse=True)
def files():
    """Each connection is a file here too."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def connect(billset, address):
    made = socket.socket()
    made.settimeout(PATIENCE)
    made.bind((address, 0))
    made.connect(("127.0.0.1", billset.port))
    return made


def ended(connection):
    """What came until the other side closed."""
    got = b""
    try:
        while part := connection.recv(65536):
            got += part
    except ConnectionResetError:
        pass
    return got


# MARK: Connections


@pytest.mark.parametrize("addresses", [1, 20])
def test_silent_connections_give_way(billset, customer, merchant, addresses):
    """More than there are places, from one address and from many: who asks is answered, on a new connection each."""
    with ExitStack() as stack:
        for number in range(2 * CONNECTIONS):
            stack.enter_context(connect(billset, f"127.8.0.{1 + number % addresses}"))
            if number % 16 == 0:
                customer.close()
                customer.paid(merchant, 1)
        # One that was used stays, whoever says nothing beside it.
        customer.paid(merchant, 1)
        kept = customer.connection
        for number in range(CONNECTIONS):
            stack.enter_context(connect(billset, f"127.8.0.{1 + number % addresses}"))
        customer.paid(merchant, 1)
        assert customer.connection is kept


@pytest.mark.parametrize("beginning", [
    b"GET /health HTTP/1.1\r\nHost: x\r\nX: ",
    head("POST", "/v1/sessions", "Content-Type: application/json", "Content-Length: 9000"),
    head("POST", "/v1/sessions", "Content-Type: application/json", "Transfer-Encoding: chunked") + b"1000\r\n",
    head("POST", "/v1/nothing", "Content-Length: 900000"),
], ids=["head", "body", "chunk", "body of nothing"])
def test_what_comes_a_byte_at_a_time_has_an_end(billset, customer, merchant, beginning):
    """Bytes do not renew the time that a request has."""
    connections = [connect(billset, "127.8.1.1") for _ in range(CONNECTIONS // 2)]
    for connection in connections:
        connection.sendall(beginning)
    ending = threading.Event()

    def drip():
        open_ones = list(connections)
        while open_ones and not ending.wait(0.1):
            for connection in list(open_ones):
                try:
                    connection.send(b"x")
                except OSError:
                    open_ones.remove(connection)

    dripping = Threads()
    dripping.run(drip)
    try:
        customer.paid(merchant, 1)
        for connection in connections:
            assert re.match(rb"(HTTP/1\.1 (408|404) |$)", ended(connection))
        customer.paid(merchant, 1)
    finally:
        ending.set()
        dripping.join()
        for connection in connections:
            connection.close()


@pytest.mark.parametrize("when", ["together", "behind an answer that waits"])
def test_answers_that_nobody_takes_give_way(billset, customer, merchant, when):
    """A document is longer than what the kernel keeps for a client that does not read."""
    assert Client(billset).get("/openapi.json").status == 200
    with ExitStack() as stack:
        for number in range(2 * CONNECTIONS):
            connection = socket.socket()
            connection.settimeout(PATIENCE)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind(("127.8.3.1", 0))
            connection.connect(("127.0.0.1", billset.port))
            stack.enter_context(connection)
            if when == "together":
                connection.sendall(head("GET", "/openapi.json") * 8)
            else:
                connection.sendall(head("GET", "/openapi.json"))
                connection.recv(1, socket.MSG_PEEK)  # the answer is on its way, and cannot end
                connection.sendall(head("GET", "/openapi.json"))
            if number % 16 == 0:
                customer.close()
                customer.paid(merchant, 1)


def test_the_gateway_takes_the_files_that_its_connections_need(billset):
    limit = re.search(
        r"Max open files\s+(\d+)\s+(\d+)", pathlib.Path(f"/proc/{billset.processes['gateway'].pid}/limits").read_text())
    assert int(limit[1]) >= min(int(limit[2]), CONNECTIONS + 512)


# MARK: Memory


def resident(billset):
    pages = pathlib.Path(f"/proc/{billset.processes['gateway'].pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE")


def test_large_heads_have_a_bound_and_their_memory_comes_back(billset, customer):
    own = Set(BILLFOLD_HTTP_HELD_MIB="2", BILLFOLD_HTTP_CONNECTIONS="2000").start("broker", "gateway")
    try:
        until(lambda: own.health()[0] != 0, "the gateway to serve")
        before = resident(own)
        beginning = b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"".join(
            b"X-%d: %s\r\n" % (number, b"x" * 240) for number in range(60))
        connections = [connect(own, "127.8.2.1") for _ in range(1500)]
        for connection in connections:
            connection.sendall(beginning)
        # All of them have been read by the time another one, on each of the event loops, is answered.
        for _ in range(8):
            assert Client(own).get("/zeromq.md").status == 200
        # 2 MiB hold some 190 of these heads; whoever comes with one more is turned away.
        answers = select.poll()
        for connection in connections:
            answers.register(connection, select.POLLIN)
        assert len(answers.poll(0)) > 1000
        assert resident(own) - before < 100 << 20
        for connection in connections:
            connection.close()
        until(lambda: resident(own) - before < 30 << 20, lambda: f"memory to come back: {resident(own) - before}")
    finally:
        own.close()


# MARK: Health and figures


def looks(bus):
    stats = bus.ask("wallet.stats.read.v1")
    return sum(sample["count"] for sample in stats["metrics"]
               if sample["name"] == "asks_seconds" and sample["labels"].get("type") == "wallet.stats.read.v1")


def test_the_set_is_looked_at_once_for_all_who_ask(billset, bus):
    """Health and figures cost the services one look a second each, whoever asks how often."""
    before, began = looks(bus), time.monotonic()
    threads = Threads()

    def ask(path):
        client = Client(billset)
        for _ in range(40):
            # A service that takes a second is missed by a look, and by /health then.
            assert client.get(path).status in ((200, 503) if path == "/health" else (200,))
        client.close()

    for number in range(16):
        threads.run(ask, "/metrics" if number % 4 == 0 else "/health")
    threads.join()
    seconds = time.monotonic() - began
    # One a second of each, the look of this test, and what had begun.
    assert looks(bus) - before <= 2 * (seconds + 1) + 1


def test_figures_are_for_this_machine_or_for_the_tokens_bearer(billset):
    client = Client(billset)
    assert client.get("/metrics").status == 200
    for field in ("X-Forwarded-For", "Forwarded", "Via"):
        answer = client.get("/metrics", headers={field: "203.0.113.9"})
        assert (answer.status, answer.code) == (401, "gateway.token_missing")
    answer = client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}, token="another-token-of-no-use")
    assert (answer.status, answer.code) == (403, "bus.forbidden")
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}, token=TOKEN).status == 200
    until(lambda: client.get("/health", headers={"X-Forwarded-For": "203.0.113.9"}).status == 200, "all to be well")


def test_a_service_that_cannot_store_is_not_well(billset, bus):
    stats = bus.ask("location.stats.read.v1")
    billset.await_health()
    billset.stop("location")
    refusing = {"name": "store_refusing", "kind": "gauge", "labels": {}, "value": 1}

    def answer(_):
        return {**stats, "metrics": [*stats["metrics"], refusing]}

    try:
        with Worker(billset.run, "location", answer, "MDPW01"):
            until(lambda: "billfold_store_refusing" in Client(billset).get("/metrics").raw.decode(), "the figure to be told")
            missing = {**dict.fromkeys(billset.health()[1], True), "location": False}
            until(lambda: billset.health() == (503, missing), lambda: f"location alone to be missed: {billset.health()}")
            refusing["value"] = 0
            billset.await_health()
    finally:
        billset.start("location").await_health()


def test_figures_on_a_listener_of_their_own(billset):
    port = free_port()
    own = Set(BILLFOLD_METRICS_HTTP=f"127.0.0.1:{port}").start("broker", "gateway")
    try:
        until(lambda: own.health()[0] != 0, "the gateway to serve")
        main, own.port = own.port, port
        client = Client(own)
        # To whoever can reach it.
        until(lambda: b'billfold_up{service="broker"} 1' in client.get("/metrics", headers={"Via": "x"}).raw, "the broker")
        for path in ("/health", "/v1/ops", "/", "/openapi.json"):
            assert client.get(path).status == 404
        own.port = main
    finally:
        assert set(own.close().values()) == {0}


# MARK: The start


def test_a_port_that_is_taken_ends_the_gateway_with_one_line(billset):
    own = Set(BILLFOLD_HTTP=f"127.0.0.1:{billset.port}").start("broker", "gateway")
    try:
        assert own.processes["gateway"].wait(PATIENCE) == 1
        lines = own.log("gateway").splitlines()
        assert len(lines) == 1, lines
        assert lines[0].startswith(f"billfold-gateway: cannot listen on 127.0.0.1:{billset.port}: Address already in use.")
        assert "BILLFOLD_HTTP" in lines[0]
    finally:
        own.close()


def test_settings_that_cannot_be_used_end_the_gateway(billset, tmp_path):
    short = tmp_path / "short"
    short.write_text("abc\n")
    for setting, value, said in (
            ("BILLFOLD_TRUSTED_PROXIES", "10.0.0.0/33", "BILLFOLD_TRUSTED_PROXIES has '10.0.0.0/33'"),
            ("BILLFOLD_FORWARDED_FIELD", "x-real-ip", "it can be x-forwarded-for or forwarded"),
            ("BILLFOLD_METRICS_TOKEN_FILE", "/nowhere", "this file cannot be read"),
            ("BILLFOLD_METRICS_TOKEN_FILE", str(short), "the metrics token has to be"),
            ("BILLFOLD_METRICS_HTTP", "9000", "BILLFOLD_METRICS_HTTP is '9000'"),
            ("BILLFOLD_MAP_TILES", "tiles.example.com", "it has to be an address such as https://"),
            ("BILLFOLD_HTTP_HEAD_SECONDS", "0", "BILLFOLD_HTTP_HEAD_SECONDS is '0'")):
        process = billset.spawn("gateway", **{setting: value})
        assert process.wait(PATIENCE) == 1
        assert said in billset.log("gateway").splitlines()[-1]


# MARK: HTTP that can be read in two ways

G, P = "GET /health HTTP/1.1", "POST /v1/sessions HTTP/1.1"
UNSOUND = {
    "no host": [G], "two hosts": [G, "Host: x", "Host: x"], "a list of hosts": [G, "Host: x, y"],
    "a host with a space": [G, "Host: x y"], "two hosts in 1.0": ["GET /health HTTP/1.0", "Host: x", "Host: y"],
    "chunked in 1.0": ["POST /v1/sessions HTTP/1.0", "Host: x", "Transfer-Encoding: chunked"],
    "another coding": [P, "Host: x", "Transfer-Encoding: gzip, chunked"],
    "codings in two fields": [P, "Host: x", "Transfer-Encoding: identity", "Transfer-Encoding: chunked"],
    "chunked twice": [P, "Host: x", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    "length, chunked": [P, "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked"],
    "chunked, length": [P, "Host: x", "Transfer-Encoding: chunked", "Content-Length: 5"],
    "the same length twice": [P, "Host: x", "Content-Length: 1", "Content-Length: 1"],
    "a list of lengths": [P, "Host: x", "Content-Length: 1, 1"], "a signed length": [P, "Host: x", "Content-Length: +1"],
    "a folded line": [G, "Host: x", "X: a", " b"], "a folded coding": [P, "Host: x", "Transfer-Encoding:", " chunked"],
    "a space before the colon": [P, "Host: x", "Transfer-Encoding : chunked"],
    "a bare line feed": [G, "Host: x\nX: y"], "a bare carriage return": [G, "Host: x\rX: y"],
}


def refused(got):
    """Status and code of the one answer that came before the connection was closed."""
    fields, body = got.split(b"\r\n\r\n")
    first, *fields = fields.decode().split("\r\n")
    assert "Connection: close" in fields and "Content-Type: application/problem+json" in fields, got
    assert f"Content-Length: {len(body)}" in fields, got
    told = json.loads(body)
    assert told["status"] == int(first.split()[1]), got
    return told["status"], told["code"]


@pytest.mark.parametrize("name", UNSOUND)
def test_what_can_be_read_in_two_ways_is_refused_and_nothing_behind_it_is_read(billset, name):
    got = talk(billset, "\r\n".join([*UNSOUND[name], "", "1\r\nx\r\n0\r\n\r\n"]).encode() + head("GET", "/health"))
    assert refused(got) == (400, "gateway.request_unreadable")


def test_a_head_over_the_limits_is_refused_as_such(billset):
    for fields in (["X: " + "x" * 20_000], [f"X-{number}: x" for number in range(200)]):
        got = talk(billset, "\r\n".join(["GET /health HTTP/1.1", "Host: x", *fields, "", ""]).encode())
        assert refused(got) == (431, "gateway.head_too_large")


# MARK: Behind a proxy


def log_in(billset, address, name, forwarded=None, password="wrong wrong"):
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    client = Client(billset, address)
    try:
        return client.post("/v1/sessions", {"username": name, "password": password}, headers=headers).status
    finally:
        client.close()


def test_clients_of_a_trusted_proxy_are_counted_apart(billset):
    """BILLFOLD_TRIES_PER_ADDRESS is 6."""
    for number in range(6):
        assert log_in(billset, PROXY, f"n{new_id()[:9]}", "203.0.113.1") == 401
    assert log_in(billset, PROXY, f"n{new_id()[:9]}", "203.0.113.1") == 429
    # What a client writes before its proxy does is not read.
    assert log_in(billset, PROXY, f"n{new_id()[:9]}", "198.51.100.7, 203.0.113.1") == 429
    assert log_in(billset, PROXY, f"n{new_id()[:9]}", "203.0.113.1, 192.0.2.5") == 429
    assert log_in(billset, PROXY, f"n{new_id()[:9]}", "203.0.113.2") == 401
    # Nobody else can say that they are another one.
    for number in range(6):
        assert log_in(billset, "127.9.0.2", f"n{new_id()[:9]}", f"203.0.113.{10 + number}") == 401
    assert log_in(billset, "127.9.0.2", f"n{new_id()[:9]}", "203.0.113.99") == 429


def test_demo_customers_are_counted_whoever_asks_for_them(billset):
    person = billset.customer(card=False)
    statuses = [person.post("/v1/devices", {"profile": "demo"}).status for _ in range(7)]
    assert statuses[0] == 201 and statuses[-1] == 429, statuses


def test_one_who_guesses_does_not_shut_out_those_at_the_same_address(billset):
    person = billset.customer(card=False)
    for number in range(8):
        log_in(billset, person.address, f"n{new_id()[:9]}")
    assert log_in(billset, person.address, f"n{new_id()[:9]}") == 429
    assert log_in(billset, person.address, person.username, password=person.PASSWORD) == 201
    person.enter_pin()
