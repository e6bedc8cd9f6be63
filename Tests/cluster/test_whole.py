"""The whole set of the cluster is what `deploy/cluster` has, and its clients ask another gateway when one does not serve."""

import http.client
import http.server
import json
import random
import threading

import pytest

from faults import SERVICES
from visitors import Doors, Visitor
from whole import PLACED
from billfold import OWNERS


def test_each_service_runs_on_two_hosts():
    assert set(PLACED) == {*OWNERS, "gateway"} == {*SERVICES, "gateway"}
    assert {len(set(letters)) for letters in PLACED.values()} == {2}
    # Gateways start behind those that they ask.
    assert list(PLACED)[-1] == "gateway"


@pytest.fixture
def gateways():
    """Three that answer with a status each: one cannot serve, one hangs up, one serves."""
    servers = []

    def gateway(status):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                asked.append((status, self.headers["Idempotency-Key"]))
                body = json.dumps({}).encode()
                if status:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"127.0.0.1:{server.server_port}"

    asked = []
    yield [gateway(status) for status in (503, 0, 201)], asked
    for server in servers:
        server.shutdown()
        server.server_close()


def test_what_one_gateway_does_not_serve_is_asked_of_another_under_the_same_key(gateways):
    places, asked = gateways
    person = Visitor.known(Doors(places, random.Random(1)), {"role": "customer", "token": "secret"})
    statuses = []
    while 201 not in statuses:
        before = person.set.chosen
        try:
            statuses.append(person.post("/v1/payments", {}, key="one").status)
        except (OSError, http.client.HTTPException):
            statuses.append(0)
        # It stays with one that serves, and leaves each other one.
        assert (person.set.chosen == before) == (statuses[-1] == 201)
    assert [status for status, _ in asked] == statuses
    assert {key for _, key in asked} == {"one"}
    person.close()


def test_another_connection_of_a_person_is_the_same_person(gateways):
    places, _ = gateways
    person = Visitor.known(Doors(places, random.Random(1)), {"role": "merchant", "token": "secret", "account": "a"})
    assert person.twin().kept() == person.kept()
