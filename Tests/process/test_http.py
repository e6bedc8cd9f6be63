"""HTTP as bytes: what is broken on a connection harms that connection only."""

import contextlib
import json
import pathlib
import re
import signal
import socket

import pytest

from billfold import PATIENCE, Client, Refused, new_id, new_key, registration, until, usd


def talk(set, sent, close=False):
    """Sends bytes and reads what comes until the other side closes."""
    with socket.create_connection(("127.0.0.1", set.port), PATIENCE) as connection:
        connection.settimeout(PATIENCE)
        got = b""
        try:
            connection.sendall(sent)
            if close:
                with contextlib.suppress(OSError):  # the other side may have closed already
                    connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                got += part
        except (ConnectionResetError, BrokenPipeError):
            pass
        return got


def head(method, path, *fields):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *fields, "", ""]).encode("latin-1")


BROKEN = {
    "no HTTP": b"\x00\x01\x02\x03\r\n\r\n",
    "TLS": bytes.fromhex("160301020001000001fc0303") + b"\x00" * 100,
    "no version": b"GET /health\r\n\r\n",
    "length twice": head("POST", "/v1/sessions", "Content-Length: 5", "Content-Length: 6") + b"hello!",
    "length and chunked": head("POST", "/v1/sessions", "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "negative length": head("POST", "/v1/sessions", "Content-Length: -1"),
    "bad chunk": head("POST", "/v1/sessions", "Transfer-Encoding: chunked", "Content-Type: application/json") + b"zz\r\n",
    "large fields": head("GET", "/health", "X: " + "x" * 40_000),
    "many fields": head("GET", "/health", *[f"X-{n}: 1" for n in range(300)]),
    "long path": head("GET", "/" + "x" * 40_000),
    "line break in a field": head("GET", "/health", "X: a\n b\x00"),
    "half a body": head("POST", "/v1/sessions", "Content-Length: 500", "Content-Type: application/json") + b"{",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_request(billset, name):
    got = talk(billset, BROKEN[name], close=True)
    statuses = re.findall(rb"HTTP/1\.1 (\d{3})", got)
    assert statuses or name == "half a body", got
    assert all(status.startswith(b"4") for status in statuses), got
    assert b"Fatal" not in got and b".swift" not in got
    assert Client(billset).get("/openapi.json").status == 200
    billset.all_run()


def test_paths_that_are_no_text(billset):
    for path in ("/v1/charges/%ff%fe", "/v1/charges/%00", "/%", "/v1/charges/..%2f..", "//", "/v1/charges?limit=%zz", "*",
                 "/v1//charges", "/v1/charges/", "http://elsewhere/v1/charges/x?%"):
        got = talk(billset, head("GET", path, "Connection: close"))
        assert re.match(rb"HTTP/1\.1 4\d\d ", got) and b"application/problem+json" in got, (path, got)


@pytest.mark.parametrize("wanted", [
    ("GET", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"),
    ("GET", "Connection: Upgrade", "Upgrade: websocket"), ("CONNECT",)])
def test_a_client_that_offers_another_protocol_goes_on_with_this_one(billset, wanted):
    """The connection ends with the answer, as nothing behind such a request is read."""
    method, *fields = wanted
    got = talk(billset, head(method, "/openapi.json", *fields) + head("GET", "/openapi.json"))
    assert got.startswith(b"HTTP/1.1 405 " if method == "CONNECT" else b"HTTP/1.1 200 "), got
    assert b"connection: close" in got.lower() and got.count(b"HTTP/1.1") == 1, got


def test_a_body_in_chunks_that_never_ends(billset, customer):
    """More than 16 KiB, its length untold: refused before all of it has come."""
    fields = ["Transfer-Encoding: chunked", "Content-Type: application/json", f"Authorization: Bearer {customer.token}",
              f"Idempotency-Key: {new_key()}"]
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", billset.port), PATIENCE) as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(head("POST", "/v1/payments", *fields) + chunk * 5)
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")
    assert customer.get("/v1/cards").status == 200


def test_requests_one_behind_the_other(billset, customer, merchant):
    """Pipelined on one connection: answered in their order, each once."""
    body = json.dumps({"merchant": merchant.account, "amount": usd(1)}).encode()
    keys = [new_key() for _ in range(20)]
    sent = b"".join(
        head("POST", "/v1/payments", f"Authorization: Bearer {customer.token}", f"Idempotency-Key: {key}",
             "Content-Type: application/json", f"Content-Length: {len(body)}") + body for key in keys)
    before = customer.balance
    got = talk(billset, sent + head("GET", "/health", "Connection: close"))
    balances = [int(n) for n in re.findall(rb'"cardBalance":\{"amount":(\d+)', got)]
    assert balances == [before - n - 1 for n in range(20)]
    assert customer.balance == before - 20


def test_a_client_that_leaves_before_the_answer(billset, customer, merchant):
    """The payment is made or not; the same key tells which, and it is made once."""
    body = json.dumps({"merchant": merchant.account, "amount": usd(1)}).encode()
    before, keys = customer.balance, [new_key() for _ in range(20)]
    for key in keys:
        with socket.create_connection(("127.0.0.1", billset.port), PATIENCE) as connection:
            connection.sendall(
                head("POST", "/v1/payments", f"Authorization: Bearer {customer.token}", f"Idempotency-Key: {key}",
                     "Content-Type: application/json", f"Content-Length: {len(body)}") + body)
    for key in keys:
        answer = customer.insist("POST", "/v1/payments", body, key)
        assert answer.status == 201, answer
    assert customer.balance == before - 20


def test_a_crowd_of_idle_connections(billset, customer):
    crowd = [socket.create_connection(("127.0.0.1", billset.port), PATIENCE) for _ in range(500)]
    assert customer.get("/v1/cards").status == 200
    for one in crowd:
        one.close()


def test_it_stops_with_connections_open(billset):
    """Idle ones, and one in the middle of a request, do not keep it from ending."""
    idle = [socket.create_connection(("127.0.0.1", billset.port), PATIENCE) for _ in range(20)]
    used = Client(billset)
    assert used.get("/openapi.json").status == 200
    idle[0].sendall(head("POST", "/v1/sessions", "Content-Length: 500", "Content-Type: application/json") + b"{")
    assert billset.stop("gateway") == {"gateway": 0}
    for one in idle:
        one.close()
    billset.start("gateway")
    billset.await_health()


def test_one_that_waits_for_another_stops_too(billset):
    """payments reads the wallet's facts before it is ready. Without a wallet it waits, and can be told to end."""
    billset.stop("payments", "wallet")
    billset.start("payments")
    status = pathlib.Path(f"/proc/{billset.processes['payments'].pid}/status")

    def minds_signals():
        """Whether SIGTERM is caught or ignored: it is up, then. It is blocked before that, while a thread is being made."""
        masks = re.findall(r"Sig(?:Cgt|Ign):\s*(\w+)", status.read_text())
        return any(int(mask, 16) >> signal.SIGTERM - 1 & 1 for mask in masks)

    until(minds_signals, "payments to be up")
    assert billset.stop("payments") == {"payments": 0}
    billset.start("wallet", "payments")
    billset.await_health()


# MARK: Who may call what

ANY = "0" * 32
EVERYONE = {"GET /health", "GET /v1/categories", "GET /v1/routines/offered", "GET /v1/menus", "GET /v1/menus/{merchant}",
            "GET /v1/shops", "GET /v1/shops/{merchant}", "GET /v1/shops/{merchant}/logo",
            "GET /metrics", "GET /openapi.json",
            "GET /asyncapi.json", "GET /zeromq.md", "POST /v1/customers", "GET /v1/usernames", "POST /v1/merchants",
            "POST /v1/sessions", "POST /v1/password-resets", "POST /v1/password-resets/use",
            "POST /v1/address-restorations"}
ALL = {"GET /v1/settings/account", "PUT /v1/settings/account", "PUT /v1/settings/password"}
ADMINISTRATORS = {"GET /v1/accounts", "GET /v1/accounts/{account}/charges", "GET /v1/charges/{charge}/trace", "GET /v1/books",
                  "POST /v1/books/checks", "GET /v1/merchants", "GET /v1/merchants/{merchant}/places", "POST /v1/merchants/{merchant}/approval", "POST /v1/merchants/{merchant}/rejection"}
BOTH = ALL | {"GET /v1/sessions", "DELETE /v1/sessions", "DELETE /v1/sessions/{session}", "GET /v1/recentActivites",
        "GET /v1/sessions/current", "DELETE /v1/sessions/current", "PUT /v1/pin", "POST /v1/pin/verifications",
        "GET /v1/charges", "GET /v1/charges/{charge}", "GET /v1/receipts/{charge}", "GET /v1/history", "GET /v1/activities",
        "POST /v1/transfers", "GET /v1/transfers/{transfer}", "GET /v1/notices", "GET /v1/notices/events", "GET /v1/notices/{notice}",
        "POST /v1/notices/{notice}/reading", "POST /v1/endpoints", "GET /v1/endpoints",
        "DELETE /v1/endpoints/{endpoint}", "GET /v1/endpoints/{endpoint}/deliveries", "GET /v1/orders", "GET /v1/orders/{order}",
        "GET /v1/push-key", "GET /v1/settings/notices", "PUT /v1/settings/notices"}
CUSTOMERS = {"GET /v1/cards", "POST /v1/cards", "GET /v1/cards/default", "PUT /v1/cards/default", "GET /v1/cards/{card}",
             "POST /v1/cards/{card}/reloads", "GET /v1/cards/{card}/entries", "POST /v1/payments", "POST /v1/pay-codes",
             "POST /v1/charges/{charge}/approval", "POST /v1/charges/{charge}/decline", "PUT /v1/charges/{charge}", "PUT /v1/charges",
             "GET /v1/settings/payments", "GET /v1/settings/charges", "PUT /v1/settings/charges",
             "PUT /v1/settings/charges/{merchant}",
             "PUT /v1/settings/payments", "DELETE /v1/devices/{device}", "GET /v1/devices/{device}/display",
             "GET /v1/devices/{device}/events", "GET /v1/devices/{device}/barcode", "POST /v1/devices/{device}/refresh",
             "POST /v1/devices/{device}/cancel",
             "POST /v1/devices/{device}/touch", "POST /v1/devices/{device}/top-left",
             "POST /v1/devices/{device}/top-right", "PUT /v1/location", "GET /v1/location",
             "DELETE /v1/location", "GET /v1/settings/location", "PUT /v1/settings/location",
             "GET /v1/merchants/nearby", "GET /v1/coupons", "GET /v1/ads", "GET /v1/deals/search",
             "GET /v1/deals/history", "GET /v1/deals/{offer}", "GET /v1/subscriptions",
             "PUT /v1/subscriptions/{merchant}", "DELETE /v1/subscriptions/{merchant}", "GET /v1/settings/offers",
             "PUT /v1/settings/offers", "GET /v1/stars", "PUT /v1/stars"} | {f"POST /v1/devices/{{device}}/menu/{slot}" for slot in range(1, 6)}
CUSTOMERS |= {"GET /v1/routines", "POST /v1/routines", "PUT /v1/routines/{routine}", "DELETE /v1/routines/{routine}", "GET /v1/routines/images",
              "POST /v1/routines/images", "GET /v1/routines/images/{image}", "DELETE /v1/routines/images/{image}",
              "GET /v1/settings/routines", "PUT /v1/settings/routines", "POST /v1/schedules/proposals", "POST /v1/schedules",
              "POST /v1/schedules/copies", "GET /v1/schedules", "GET /v1/schedules/day", "POST /v1/schedules/{day}/marks",
              "POST /v1/schedules/{day}/removals", "DELETE /v1/schedules/{day}"}
CUSTOMERS |= {"GET /v1/menus/{merchant}/screen", "GET /v1/menus/{merchant}/cart", "POST /v1/menus/{merchant}/orders",
              "POST /v1/orders/{order}/items", "DELETE /v1/orders/{order}", "POST /v1/orders/{order}/payment"}
# Who is logged in has to be a customer; who is not may come too.
OPEN = {"POST /v1/devices", "GET /v1/shops/{merchant}/view"}
MERCHANTS = {"POST /v1/charges", "GET /v1/chargeable", "GET /v1/sales.csv", "PUT /v1/shop", "POST /v1/shop/previews", "PUT /v1/shop/logo", "DELETE /v1/shop/logo", "POST /v1/charges/{charge}/cancellation", "POST /v1/charges/{charge}/refunds",
             "POST /v1/code-payments", "GET /v1/account", "GET /v1/account/entries", "POST /v1/places", "GET /v1/places",
             "PUT /v1/places/{place}", "DELETE /v1/places/{place}", "GET /v1/customers/nearby", "GET /v1/customers/nearby/events", "POST /v1/offers",
             "GET /v1/offers", "PUT /v1/offers/{offer}", "POST /v1/offers/{offer}/enabling",
             "POST /v1/offers/{offer}/disabling", "POST /v1/offers/{offer}/pushes", "GET /v1/product-types",
             "PUT /v1/menu", "POST /v1/orders/{order}/ready", "POST /v1/endpoints/{endpoint}/tests"}
# Of those who are logged in here, merchants too.
KEEPERS = {"GET /v1/offers/{offer}", "GET /v1/offers/{offer}/outcome", "GET /v1/offers/{offer}/audience"}
ADMINISTRATORS |= {"GET /v1/offers/pending", "POST /v1/offers/{offer}/approval", "POST /v1/offers/{offer}/rejection",
                  "GET /v1/offers/{offer}/explanation"}

ADMINISTRATORS |= {"GET /v1/ops", "GET /v1/traces/{trace}", "GET /v1/tables", "POST /v1/notifications", "GET /v1/dead-letters", "GET /v1/dead-letters/{delivery}",
                  "POST /v1/dead-letters/{delivery}/replay", "DELETE /v1/dead-letters/{delivery}"}


def test_roles_on_every_route(billset, bus, customer, merchant):
    document = Client(billset).get("/openapi.json").body
    routes = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods
              if method in ("get", "post", "put", "delete")}
    assert routes == EVERYONE | BOTH | CUSTOMERS | MERCHANTS | OPEN | KEEPERS | ADMINISTRATORS
    entries = bus.ledger()["entries"]
    administrator = billset.administrator()
    gone = billset.customer(card=False)
    assert gone.delete("/v1/sessions/current").status == 204
    for route in sorted(routes - EVERYONE):
        method, path = route.split()
        path = re.sub(r"\{\w+\}", ANY, path)
        # A body that no route accepts: what is refused for another reason than the caller is refused later.
        answer = Client(billset).request(method, path, {"x": 1}, key=new_key())
        expected = (401, "gateway.token_missing")
        if route in OPEN:
            expected = (404, "storefront.page_not_found") if method == "GET" else (400, "bus.malformed")
        assert (answer.status, answer.code) == expected, (route, answer)
        for token in ("x", "A" * 43, gone.token, customer.token[:-1], customer.token.swapcase()):
            answer = Client(billset).request(method, path, {"x": 1}, key=new_key(), token=token)
            assert (answer.status, answer.code) == (401, "auth.session_not_found"), (route, token, answer)
        for person, others in ((customer, MERCHANTS | KEEPERS | ADMINISTRATORS),
                               (merchant, CUSTOMERS | OPEN | ADMINISTRATORS),
                               (administrator, CUSTOMERS | MERCHANTS | OPEN)):
            if route in others:
                answer = person.request(method, path, {"x": 1}, key=new_key())
                assert (answer.status, answer.code) == (403, "bus.forbidden"), (route, answer)
    assert bus.ledger()["entries"] == entries
    # A gateway that has served all routes gives its figures, too.
    figures = bus.ask("gateway.stats.read.v1")["metrics"]
    served = sum(one["value"] for one in figures if one["name"] == "http_requests_total")
    assert served > 5 * len(routes - EVERYONE)
    assert served == sum(one["count"] for one in figures if one["name"] == "http_request_seconds")


def test_nobody_becomes_an_administrator(bus, customer):
    for actor in (f"customer:{customer.account}", f"merchant:{new_id()}", f"administrator:{new_id()}"):
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask("auth.account.register.v1", {
                "account": new_id(), "role": "administrator", "username": "root" + new_id()[:6],
                "password": "correct horse", "name": None}, actor=actor)


def test_usernames_that_are_none(billset):
    for name in ("", " ", "a b", "x" * 65, "a\u0000b", "ä", "a/b", "a\nb", "😀"):
        answer = Client(billset).post("/v1/customers", registration("customer", name))
        assert answer.status in (400, 422) and answer.code in ("auth.username_invalid", "bus.malformed"), (name, answer)
    for password in ("", "short", "x" * 129, "a\u0000bcdefgh"):
        answer = Client(billset).post("/v1/customers", {
            **registration("customer", "n" + new_id()[:8]), "password": password, "confirmPassword": password})
        assert answer.code in ("auth.password_invalid", "bus.malformed"), (password, answer)
