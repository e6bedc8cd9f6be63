"""Notices in inboxes and over streams, and what notifications sends out of the house, against real receivers."""

import contextlib
import datetime
import email
import email.policy
import json
import os
import re
import socket
import stat
import threading
import time

import http_ece
import pytest
import standardwebhooks
import zmq
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

import billfold
from billfold import PATIENCE, Refused, Set, free_port, new_id, new_key, until, usd
from notices import Stream, await_notice, dead_letter, inbox, register, request_charge
from receivers import APNs, Receiver, b64url, certificate, unb64url
from test_foreign import Worker

ENVIRONMENT = {"BILLFOLD_PUSH_PRIVATE": "1", "BILLFOLD_PUSH_RETRY_MS": "20", "BILLFOLD_PUSH_ATTEMPTS": "3"}
PHONE = "a1" * 32


@pytest.fixture(scope="module")
def admin(billset):
    return billset.administrator()


# MARK: The inbox


def test_a_requested_charge_is_told_at_once(billset):
    """001-83, 001-84, 001-36: the customer learns of the request, the merchant of the answer."""
    customer, merchant = billset.customer(), billset.merchant()
    charge = request_charge(merchant, customer)
    notice = await_notice(customer, "request")
    assert notice["title"] == f"{merchant.username} asks for $4.20"
    assert (notice["link"], notice["number"]) == (f"/charges/{charge}", 1)
    assert notice["text"] == "Two coffees\nNothing is paid until you approve it."
    assert "read" not in notice
    box = inbox(customer)
    assert (box["unread"], box["head"]) == (1, 1)
    assert customer.get(f"/v1/notices/{notice['notice']}").body == notice
    read = customer.post(f"/v1/notices/{notice['notice']}/reading").body
    assert read["read"] and customer.post(f"/v1/notices/{notice['notice']}/reading").body == read
    assert inbox(customer)["unread"] == 0 and inbox(customer, "?unread=true")["notices"] == []

    assert customer.post(f"/v1/charges/{charge}/decline").status == 200
    told = await_notice(merchant, "closing")
    assert (told["title"], told["link"]) == ("The request for $4.20 was declined", f"/charges/{charge}")
    # Who answered is not told what they know.
    assert [one["kind"] for one in inbox(customer)["notices"]] == ["request"]

    receipt = customer.paid(merchant, 150)
    assert merchant.post(f"/v1/charges/{receipt['charge']}/refunds", key=new_key()).status == 201
    assert await_notice(customer, "refund")["title"] == f"{merchant.username} refunded $1.50"
    assert await_notice(merchant, "refund")["title"] == "$1.50 was refunded"


def test_an_inbox_is_its_owners(billset, bus):
    customer, merchant, stranger = billset.customer(), billset.merchant(), billset.customer(card=False)
    request_charge(merchant, customer)
    notice = await_notice(customer, "request")["notice"]
    assert stranger.get(f"/v1/notices/{notice}").code == "notifications.notice_not_found"
    assert stranger.post(f"/v1/notices/{notice}/reading").code == "notifications.notice_not_found"
    assert inbox(stranger)["notices"] == []
    endpoint = register(customer, type=1, registrationId="token-of-" + customer.account)["endpoint"]["endpoint"]
    assert stranger.delete(f"/v1/endpoints/{endpoint}").status == 204
    assert len(customer.get("/v1/endpoints").body["endpoints"]) == 1
    own = {"account": customer.account}
    for type, data in [
        ("notifications.inbox.read.v1", {**own, "limit": 1}),
        ("notifications.notice.read.v1", {**own, "notice": notice}),
        ("notifications.notice.mark.v1", {**own, "notice": notice}), ("notifications.endpoints.read.v1", own),
        ("notifications.endpoint.remove.v1", {**own, "endpoint": endpoint}), ("notifications.settings.read.v1", own),
        ("notifications.settings.set.v1", {**own, "enabled": False, "muted": []}),
        ("notifications.endpoint.add.v1", {**own, "endpoint": new_id(), "type": 1, "address": "x"}),
        ("notifications.notification.send.v1", {"notice": new_id(), "type": 1, "registrationId": "x", "message": "x"}),
        ("notifications.mail.send.v1", {"notice": new_id(), "to": "a@b.c", "subject": "x", "text": "x",
                                        "expires": "2099-01-01T00:00:00.000Z"}),
        ("notifications.deadletters.read.v1", {"limit": 1}), ("notifications.delivery.read.v1", {"delivery": new_id()}),
        ("notifications.delivery.replay.v1", {"delivery": new_id()}),
        ("notifications.delivery.discard.v1", {"delivery": new_id()}),
    ]:
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask(type, data, actor=f"customer:{stranger.account}")


def test_streams_go_on_where_they_were(billset):
    """Each notice once, over broken connections, a killed gateway and a killed service."""
    customer, merchant = billset.customer(), billset.merchant()
    stream = Stream(customer)
    assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
    first = request_charge(merchant, customer, memo="first")
    number, event, notice = stream.next()
    assert (number, event, notice["link"]) == (1, "notice", f"/charges/{first}")
    stream.close()
    for minor in (200, 300):
        request_charge(merchant, customer, minor)
    await_notice(customer, "request", 3)
    stream = Stream(customer, last=1)
    assert [stream.next()[0] for _ in range(2)] == [2, 3]
    billset.kill("notifications")
    charges = [request_charge(merchant, customer, minor) for minor in (400, 500)]
    billset.start("notifications")
    # The same stream: its gateway looks again when word comes.
    assert [stream.next()[2]["link"] for _ in range(2)] == [f"/charges/{charge}" for charge in charges]
    billset.kill("gateway")
    stream.close()
    billset.start("gateway")
    billset.await_health()
    request_charge(merchant, customer, 600)
    stream = Stream(customer, last=3)
    assert [stream.next()[0] for _ in range(3)] == [4, 5, 6]
    # From now on only.
    late = Stream(customer)
    request_charge(merchant, customer, 700)
    assert late.next()[0] == 7 and stream.next()[0] == 7
    assert Stream(customer, query="?after=6").next()[0] == 7
    assert Stream(customer, last="x").status == 400
    # A session's end ends its streams.
    assert customer.delete("/v1/sessions/current").status == 204
    assert stream.next()[1] == "closed"


def test_offers_are_told_when_their_service_comes_late():
    """001-13, 001-15: facts of a source that was not there at the start; read twice they are told once."""
    # A set of its own: a log of offers that is read here is another than the real service's (ADR 26).
    made = Set(**ENVIRONMENT).start()
    try:
        made.await_health()
        made.stop("offers")
        offers_come_late(made)
    finally:
        made.close()


def offers_come_late(billset):
    customer, merchant = billset.customer(card=False), billset.merchant()
    offer = new_id()
    fact = json.dumps({
        "specversion": "1.0", "id": new_id(), "source": "offers", "type": "offers.offer.sent.v1",
        "time": "2026-11-21T09:30:00.000Z", "sequence": "1".zfill(20), "data": {
            "offer": offer, "kind": "coupon", "merchant": merchant.account, "merchantName": "Blue Bottle",
            "customer": customer.account, "title": "Half price", "content": "All filter coffee", "occasion": "entered",
            "expires": "2026-12-21T09:30:00.000Z", "time": "2026-11-21T09:30:00.000Z"}})

    def answer(ask):
        facts = [json.loads(fact)] if ask["data"].get("after", 1) < 1 else []
        return {"facts": facts, "head": 1}

    head = billfold.envelope("offers.facts.head.v1", {"head": 1})
    head["source"] = "offers"
    with billset.bus() as bus, Worker(billset.run, "offers", answer, "MDPW01"):
        publisher = bus.connect(zmq.PUB, "facts-in")

        def told():
            publisher.send_multipart([b"offers.facts.head.v1\0", json.dumps(head).encode()])
            return inbox(customer)["notices"]

        notice = until(told, "the offer's notice")[0]
        assert (notice["kind"], notice["title"], notice["text"], notice["link"]) == (
            "offer", "Blue Bottle: Half price", "All filter coffee", f"/deals/{offer}")
        billset.kill("notifications")
        billset.start("notifications")
        until(lambda: billset.health()[1].get("notifications"), "notifications to be back")
        request_charge(merchant, customer)
        await_notice(customer, "request")
        assert [one["kind"] for one in inbox(customer)["notices"]] == ["request", "offer"]


# MARK: Web hooks


def hook(merchant, receiver, path="/hook"):
    made = register(merchant, type=4, url=receiver.url + path)
    return made["endpoint"]["endpoint"], standardwebhooks.Webhook(made["secret"])


def test_a_web_hook_is_told_of_payments_and_verifies(billset):
    customer, merchant, other = billset.customer(), billset.merchant(), billset.merchant()
    with Receiver() as receiver:
        key = new_key()
        made = register(merchant, key, type=4, url=receiver.url + "/hook?a=1")
        again = merchant.post("/v1/endpoints", {"type": 4, "url": receiver.url + "/hook?a=1"}, key=key)
        assert again.replayed and again.body["secret"] == made["secret"]
        assert made["secret"].encode() not in merchant.get("/v1/endpoints").raw
        customer.paid(other, 100)
        receipt = customer.paid(merchant, 150, memo="Two “coffees”")
        got = receiver.next()
        assert got.path == "/hook?a=1" and got.headers["content-type"] == "application/json"
        told = standardwebhooks.Webhook(made["secret"]).verify(got.body, got.headers)
        assert told["type"] == "payments.charge.captured.v1"
        assert (told["data"]["charge"], told["data"]["amount"], told["data"]["memo"]) == (
            receipt["charge"], usd(150), "Two “coffees”")
        assert "card" not in told["data"]
        assert merchant.post(f"/v1/charges/{receipt['charge']}/refunds", key=new_key()).status == 201
        got = receiver.next()
        assert standardwebhooks.Webhook(made["secret"]).verify(got.body, got.headers)["type"] == (
            "payments.charge.refunded.v1")
        with pytest.raises(standardwebhooks.WebhookVerificationError):
            standardwebhooks.Webhook(made["secret"]).verify(got.body + b" ", got.headers)
        assert customer.post("/v1/endpoints", {"type": 4, "url": receiver.url}, key=new_key()).code == "bus.forbidden"
        assert merchant.delete(f"/v1/endpoints/{made['endpoint']['endpoint']}").status == 204
        customer.paid(merchant, 150)
        assert merchant.get("/v1/endpoints").body == {"endpoints": []}
        again = merchant.post("/v1/endpoints", {"type": 4, "url": receiver.url + "/hook?a=1"}, key=key)
        assert again.code == "notifications.id_reused"
    assert len(receiver.all) == 2


def test_what_fails_is_tried_again_under_the_same_key_and_can_be_replayed(billset, admin):
    customer, merchant = billset.customer(), billset.merchant()
    statuses = iter([500, 503])
    with Receiver(lambda _: next(statuses, 200)) as receiver:
        _, secret = hook(merchant, receiver)
        customer.paid(merchant, 100)
        tries = [receiver.next() for _ in range(3)]
        assert len({one.headers["webhook-id"] for one in tries}) == 1 and len({one.body for one in tries}) == 1
        for one in tries:
            secret.verify(one.body, one.headers)

        receiver.answer = lambda _: 500
        customer.paid(merchant, 200)
        tries = [receiver.next() for _ in range(3)]
        letter = dead_letter(admin, lambda one: one["account"] == merchant.account)
        assert (letter["attempts"], letter["reason"], letter["type"], letter["state"]) == (3, "HTTP 500", 4, "dead")
        path = f"/v1/dead-letters/{letter['delivery']}"
        shown = admin.get(path).body
        assert json.loads(shown["text"])["amount"] == usd(200)
        receiver.answer = lambda _: 200
        assert admin.post(path + "/replay").body["state"] == "queued"
        again = receiver.next()
        assert again.headers["webhook-id"] == tries[0].headers["webhook-id"] == letter["delivery"]
        assert again.body == tries[0].body
        until(lambda: admin.get(path).body["delivery"]["state"] == "delivered", "the letter to be known as delivered")
        assert admin.post(path + "/replay").code == "notifications.delivery_not_replayable"

        # A hook is tried again whatever it says: a wrong way of the receiver's own may be mended.
        receiver.answer = lambda _: 404
        customer.paid(merchant, 300)
        letter = dead_letter(admin, lambda one: one["account"] == merchant.account and one["reason"] == "HTTP 404")
        assert letter["attempts"] == 3
        assert {receiver.next().headers["webhook-id"] for _ in range(3)} == {letter["delivery"]}
        assert admin.delete(f"/v1/dead-letters/{letter['delivery']}").status == 204
        assert admin.get(f"/v1/dead-letters/{letter['delivery']}").code == "notifications.delivery_not_found"

        # A receiver may ask for time.
        receiver.answer = lambda _: (429, {"Retry-After": "3600"}, b"")
        customer.paid(merchant, 350)
        delivery = receiver.next().headers["webhook-id"]

        def waits():
            shown = admin.get(f"/v1/dead-letters/{delivery}").body["delivery"]
            return shown if shown["attempts"] == 1 else None

        shown = until(waits, "the first attempt to be recorded")
        due, created = (datetime.datetime.fromisoformat(shown[name]) for name in ("due", "created"))
        assert shown["state"] == "queued" and due - created >= datetime.timedelta(seconds=3600)

        # Who says that it is gone is asked no more.
        receiver.answer = lambda _: 410
        customer.paid(merchant, 400)
        until(lambda: merchant.get("/v1/endpoints").body == {"endpoints": []}, "the hook to be removed")
    for person in (customer, merchant):
        assert person.get("/v1/dead-letters").code == "bus.forbidden"


def test_one_who_hangs_delays_nobody(billset):
    customer, slow, quick = billset.customer(), billset.merchant(), billset.merchant()
    hanging = threading.Event()
    with Receiver(lambda _: hanging.wait(PATIENCE) and 200 or 200) as black_hole, Receiver() as receiver:
        hook(slow, black_hole)
        hook(quick, receiver)
        customer.paid(slow, 100)
        black_hole.next()
        for _ in range(3):
            customer.paid(slow, 100)
        charges = [customer.paid(quick, 10)["charge"] for _ in range(5)]
        assert [receiver.next().json["data"]["charge"] for _ in charges] == charges
        # Of one receiver one at a time is asked, however many wait.
        assert len(black_hole.all) == 1
        hanging.set()
        assert [black_hole.next() for _ in range(3)]


def test_an_answer_without_end_is_no_trap(billset, admin):
    """Of an answer some KiB are read, then the connection is closed."""
    customer, merchant = billset.customer(), billset.merchant()
    closed = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                try:
                    while True:
                        connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
                except OSError:
                    closed.set()

        threading.Thread(target=serve, daemon=True).start()
        register(merchant, type=4, url=f"http://localhost:{listener.getsockname()[1]}/")
        customer.paid(merchant, 100)
        assert closed.wait(PATIENCE), "the answer was read on and on"
        with billset.bus() as bus:
            until(lambda: any(
                fact["type"] == "notifications.notice.delivered.v1" and fact["data"].get("account") == merchant.account
                for fact in map(json.loads, bus.facts("notifications"))), "the delivery to be told of")


def test_a_kill_in_the_middle_loses_nothing(billset):
    """What was being sent is sent again under the same key; what waited is sent."""
    customer, merchant = billset.customer(), billset.merchant()
    go = threading.Event()
    with Receiver(lambda _: go.wait(PATIENCE) and 200 or 200) as receiver:
        _, secret = hook(merchant, receiver)
        charges = [customer.paid(merchant, minor)["charge"] for minor in (100, 200, 300)]
        first = receiver.next()
        billset.kill("notifications")
        charges.append(customer.paid(merchant, 400)["charge"])
        go.set()
        billset.start("notifications")
        again = receiver.next()
        assert again.headers["webhook-id"] == first.headers["webhook-id"]
        got = [again, *(receiver.next() for _ in charges[1:])]
        assert [one.json["data"]["charge"] for one in got] == charges
        for one in got:
            secret.verify(one.body, one.headers)
        assert len({one.headers["webhook-id"] for one in got}) == 4
    billset.await_health()


def test_urls_do_not_lead_inside():
    """Users' URLs: nothing of ours can be reached by them, by name, by number, or by way of a redirect."""
    with Receiver() as inside:
        made = Set(BILLFOLD_PUSH_RETRY_MS="20", BILLFOLD_PUSH_ATTEMPTS="2").start()
        try:
            made.await_health()
            customer, merchant = made.customer(), made.merchant()
            for url in ("http://example.com/", "https://127.0.0.1/", "https://10.1.2.3/x", "https://[::1]/",
                        "https://[::ffff:192.168.0.1]/", "https://169.254.169.254/latest", "https://user@example.com/",
                        "ftp://example.com/", "https://example.com/#x", "https:///x", "https://0.0.0.0/"):
                answer = merchant.post("/v1/endpoints", {"type": 4, "url": url}, key=new_key())
                assert answer.code == "notifications.endpoint_invalid", (url, answer)
            # Names and unusual spellings are found out when something is to be sent.
            for url in (f"https://localhost:{inside.port}/", f"https://127.1:{inside.port}/",
                        f"https://2130706433:{inside.port}/", f"https://0x7f.1:{inside.port}/"):
                register(merchant, type=4, url=url)
            customer.paid(merchant, 100)
            root = made.administrator()
            letters = until(
                lambda: (lambda found: found if len(found) == 4 else None)(
                    root.get("/v1/dead-letters").body["deliveries"]), "four dead letters")
            assert {(one["reason"], one["attempts"]) for one in letters} == {("address_not_public", 1)}
            assert inside.all == []
        finally:
            made.close()
    with Receiver() as target, Receiver(lambda _: (307, {"Location": target.url}, b"")) as receiver:
        made = Set(**ENVIRONMENT).start()
        try:
            made.await_health()
            customer, merchant = made.customer(), made.merchant()
            hook(merchant, receiver)
            customer.paid(merchant, 100)
            receiver.next()
            assert dead_letter(made.administrator(), lambda _: True)["reason"] == "HTTP 307"
            assert target.all == []
        finally:
            made.close()


# MARK: Web Push


class Browser:
    """A subscription, and the keys that only the browser has."""

    def __init__(self, url):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": url, "expirationTime": None,
                             "keys": {"p256dh": b64url(self.public), "auth": b64url(self.auth)}}

    def decrypt(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def check_jwt(token, public_key):
    """Header and claims of an ES256 token."""
    head, claims, signature = token.split(".")
    raw = unb64url(signature)
    assert len(raw) == 64
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public_key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(unb64url(head)), json.loads(unb64url(claims))


def test_a_browser_is_pushed_and_can_read_it(billset):
    """RFC 8030, 8291, 8292, decrypted by another implementation."""
    customer, merchant = billset.customer(), billset.merchant()
    with Receiver(lambda _: 201) as service:
        browser = Browser(service.url + "/push/abc")
        register(customer, type=3, subscription=browser.subscription)
        charge = request_charge(merchant, customer, memo="déjà vu ☕")
        got = service.next()
        told = browser.decrypt(got.body)
        assert told == {
            "title": f"{merchant.username} asks for $4.20", "body": "déjà vu ☕\nNothing is paid until you approve it.",
            "tag": inbox(customer)["notices"][0]["notice"], "link": f"/charges/{charge}"}
        assert got.path == "/push/abc" and got.headers["content-encoding"] == "aes128gcm"
        assert int(got.headers["ttl"]) > 0 and got.headers["urgency"] == "high"
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", got.headers["topic"])
        scheme, parameters = got.headers["authorization"].split(" ", 1)
        parameters = dict(part.strip().split("=", 1) for part in parameters.split(","))
        assert scheme == "vapid" and parameters["k"] == customer.get("/v1/push-key").body["publicKey"]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64url(parameters["k"]))
        head, claims = check_jwt(parameters["t"], public)
        assert head == {"typ": "JWT", "alg": "ES256"}
        assert claims["aud"] == service.url and claims["sub"].startswith("mailto:")
        assert time.time() < claims["exp"] < time.time() + 86_400

        # A subscription that is no more is forgotten.
        service.answer = lambda _: 410
        request_charge(merchant, customer)
        until(lambda: customer.get("/v1/endpoints").body == {"endpoints": []}, "the subscription to be removed")
    for keys in ({"p256dh": b64url(os.urandom(65)), "auth": b64url(os.urandom(16))},
                 {"p256dh": b64url(browser.public), "auth": b64url(os.urandom(15))}):
        body = {"type": 3, "subscription": {"endpoint": "https://push.example.com/x", "keys": keys}}
        assert customer.post("/v1/endpoints", body, key=new_key()).code == "notifications.endpoint_invalid"


# MARK: Preferences


def test_who_wants_no_pushes_gets_none(billset):
    """A69, A85: off, muted kinds, quiet hours; the inbox has everything."""
    customer, merchant = billset.customer(), billset.merchant()
    assert customer.get("/v1/settings/notices").body == {"enabled": True, "muted": []}
    with Receiver(lambda _: 201) as service:
        browser = Browser(service.url)
        register(customer, type=3, subscription=browser.subscription)

        def set(**settings):
            answer = customer.put("/v1/settings/notices", settings)
            assert answer.status == 200, answer
            return answer.body

        set(enabled=False)
        request_charge(merchant, customer, 100)
        await_notice(customer, "request", 1)
        assert await_notice(merchant, "request")["title"] == "The customer was not notified: off"
        assert set(enabled=True, muted=["request"]) == {"enabled": True, "muted": ["request"]}
        request_charge(merchant, customer, 200)
        await_notice(customer, "request", 2)
        now = time.gmtime()
        minute = now.tm_hour * 60 + now.tm_min
        quiet = {"from": (minute - 60) % 1440, "until": (minute + 600) % 1440, "offset": 0}
        assert set(enabled=True, quiet=quiet)["quiet"] == quiet
        request_charge(merchant, customer, 300)
        await_notice(customer, "request", 3)
        # A99: by the zone's name, wherever it is night now.
        zone = {"from": quiet["from"], "until": quiet["until"], "zone": "Etc/UTC"}
        assert set(enabled=True, quiet=zone)["quiet"] == {**quiet, "zone": "Etc/UTC"}
        request_charge(merchant, customer, 350)
        await_notice(customer, "request", 4)
        assert set(enabled=True, muted=[]) == {"enabled": True, "muted": []}
        request_charge(merchant, customer, 400)
        # Those that wait for the end of quiet hours that are no more keep their time; the next one comes at once.
        assert browser.decrypt(service.next().body)["title"].endswith("asks for $4.00")
        assert len(service.all) == 1
    for wrong in ({"offset": 0, "zone": "Mars/Olympus"}, {"zone": "CET"}):
        answer = customer.put("/v1/settings/notices", {"enabled": True, "quiet": {"from": 5, "until": 6, **wrong}})
        assert answer.code == "notifications.quiet_hours_invalid" and "'zone'" in answer.body["detail"], answer
    assert customer.put("/v1/settings/notices", {"enabled": True, "quiet": {"from": 5, "until": 6}}).code == "bus.malformed"
    summer = {"from": 1320, "until": 420, "zone": "Europe/Berlin"}
    shown = customer.put("/v1/settings/notices", {"enabled": True, "quiet": summer}).body["quiet"]
    assert shown.pop("offset") in (60, 120) and shown == summer
    bad = {"enabled": True, "quiet": {"from": 5, "until": 5, "offset": 0}}
    assert customer.put("/v1/settings/notices", bad).code == "notifications.quiet_hours_invalid"


# MARK: Phones


def test_send_notification_without_accounts(billset, bus, admin):
    """001-77, A51: the simulator keeps what it would have sent; keyed, for operators."""
    customer = billset.customer(card=False)
    register(customer, type=2, registrationId=PHONE)
    key = new_key()
    body = {"type": 2, "registrationId": PHONE, "message": "Closed on Sunday"}
    answer = admin.post("/v1/notifications", body, key=key)
    assert (answer.status, answer.body["result"], answer.body["replayed"]) == (200, "sent", False)
    again = admin.post("/v1/notifications", body, key=key)
    assert again.replayed and again.body["result"] == "sent"
    other = admin.post("/v1/notifications", {**body, "message": "Closed"}, key=key)
    assert (other.status, other.code) == (422, "notifications.id_reused")
    notice = inbox(customer)["notices"][0]
    assert (notice["kind"], notice["text"]) == ("message", "Closed on Sunday")
    simulated = json.loads(admin.get(f"/v1/dead-letters/{notice['notice']}").body["simulated"])
    assert simulated["payload"]["aps"]["alert"] == {"title": "Billfold", "body": "Closed on Sunday"}
    unregistered = bus.ask("notifications.notification.send.v1", {
        "notice": new_id(), "type": 1, "registrationId": "nobody", "message": "x"})
    assert unregistered == {"result": "sent", "replayed": False}
    assert customer.put("/v1/settings/notices", {"enabled": False}).status == 200
    off = bus.ask("notifications.notification.send.v1", {
        "notice": new_id(), "type": 2, "registrationId": PHONE, "message": "x"})
    assert off["result"] == "failed:notifications_off" and len(inbox(customer)["notices"]) == 2
    for wrong in ({**body, "type": 4}, {**body, "type": 9}, {**body, "registrationId": "x"}, {**body, "message": ""}):
        assert admin.post("/v1/notifications", wrong, key=new_key()).status == 422
    assert customer.post("/v1/notifications", body, key=new_key()).code == "bus.forbidden"


def test_a_registration_follows_the_phone(billset):
    first, second = billset.customer(), billset.customer()
    phone = new_id() + new_id()
    register(first, type=2, registrationId=phone)
    register(second, type=2, registrationId=phone)
    assert first.get("/v1/endpoints").body == {"endpoints": []}
    assert [one["address"] for one in second.get("/v1/endpoints").body["endpoints"]] == [phone]


@pytest.fixture(scope="module")
def accounts(tmp_path_factory):
    """A set with accounts of everybody, and who they are with."""
    home = tmp_path_factory.mktemp("accounts")
    certificate_file, tls = certificate(home)
    apns_key, fcm_key = ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65_537, 2048)

    def pem(key):
        return key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    (home / "apns.p8").write_text(pem(apns_key))
    apns = APNs(tls())
    with Receiver(tls=tls()) as fcm:
        tokens = []

        def answer(received):
            if received.path == "/token":
                tokens.append(received)
                return 200, {}, json.dumps({"access_token": f"ya29.{len(tokens)}", "expires_in": 3599}).encode()
            return fcm.say(received)

        fcm.answer, fcm.say, fcm.tokens = answer, lambda _: 200, tokens
        (home / "fcm.json").write_text(json.dumps({
            "type": "service_account", "project_id": "billfold-test", "private_key_id": "key-1",
            "private_key": pem(fcm_key), "client_email": "push@billfold-test.example",
            "token_uri": fcm.url + "/token"}))
        made = Set(**{
            **ENVIRONMENT, "BILLFOLD_PUSH_CA_FILE": str(certificate_file),
            "BILLFOLD_APNS_KEY_FILE": str(home / "apns.p8"), "BILLFOLD_APNS_KEY_ID": "KEY1234567",
            "BILLFOLD_APNS_TEAM_ID": "TEAM123456", "BILLFOLD_APNS_TOPIC": "example.billfold",
            "BILLFOLD_APNS_URL": apns.url, "BILLFOLD_FCM_ACCOUNT_FILE": str(home / "fcm.json"),
            "BILLFOLD_FCM_URL": fcm.url}).start()
        try:
            made.await_health()
            made.apns, made.apns_key, made.fcm, made.fcm_key = apns, apns_key, fcm, fcm_key
            yield made
            made.all_run()
        finally:
            statuses = made.close()
            apns.close()
    assert set(statuses.values()) == {0}, statuses


def test_an_iphone_is_pushed_over_http2(accounts):
    customer, merchant = accounts.customer(), accounts.merchant()
    phone = new_id() + new_id()
    register(customer, type=2, registrationId=phone)
    charge = request_charge(merchant, customer)
    got = accounts.apns.next()
    assert accounts.apns.protocols[-1] == "h2" and got.path == f"/3/device/{phone}"
    assert got.json["aps"]["alert"] == {
        "title": f"{merchant.username} asks for $4.20", "body": "Two coffees\nNothing is paid until you approve it."}
    assert got.json["link"] == f"/charges/{charge}"
    assert (got.headers["apns-topic"], got.headers["apns-push-type"]) == ("example.billfold", "alert")
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", got.headers["apns-id"])
    bearer, token = got.headers["authorization"].split(" ")
    head, claims = check_jwt(token, accounts.apns_key.public_key())
    assert bearer == "bearer" and head == {"typ": "JWT", "alg": "ES256", "kid": "KEY1234567"}
    assert claims["iss"] == "TEAM123456" and abs(claims["iat"] - time.time()) < 600

    # The same delivery has the same id, and the same token, which is good for more than one.
    accounts.apns.answer = lambda _: (503, {"reason": "ServiceUnavailable"})
    request_charge(merchant, customer)
    tries = [accounts.apns.next() for _ in range(3)]
    assert len({one.headers["apns-id"] for one in tries}) == 1
    assert {one.headers["authorization"] for one in tries} == {got.headers["authorization"]}
    accounts.apns.answer = lambda _: (410, {"reason": "Unregistered"})
    request_charge(merchant, customer)
    until(lambda: customer.get("/v1/endpoints").body == {"endpoints": []}, "the registration to be removed")
    with accounts.bus() as bus:
        accounts.apns.answer = lambda _: (400, {"reason": "PayloadEmpty"})
        failed = bus.ask("notifications.notification.send.v1", {
            "notice": new_id(), "type": 2, "registrationId": PHONE, "message": "x"})
    assert failed["result"] == "failed:PayloadEmpty"
    accounts.apns.answer = lambda _: (200, None)


def test_an_android_phone_is_pushed_by_fcm(accounts):
    customer, merchant = accounts.customer(), accounts.merchant()
    phone = "fcm-" + new_id()
    register(customer, type=1, registrationId=phone)
    request_charge(merchant, customer)
    until(lambda: len(accounts.fcm.all) >= 2, "token and message")
    token, got = accounts.fcm.all[0], accounts.fcm.all[1]
    assert token.path == "/token"
    form = dict(part.split("=") for part in token.body.decode().split("&"))
    assert form["grant_type"] == "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    head, claims, signature = form["assertion"].split(".")
    accounts.fcm_key.public_key().verify(
        unb64url(signature), f"{head}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256())
    claims = json.loads(unb64url(claims))
    assert claims["iss"] == "push@billfold-test.example" and claims["aud"] == accounts.fcm.url + "/token"
    assert claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
    assert 0 < claims["exp"] - claims["iat"] <= 3600
    assert got.path == "/v1/projects/billfold-test/messages:send"
    assert got.headers["authorization"] == "Bearer ya29.1"
    message = got.json["message"]
    assert message["token"] == phone and message["notification"]["body"].startswith("Two coffees\n")
    assert message["data"]["link"].startswith("/charges/")

    # The account may lose its right to send and get it back; a token of another sender will never be pushed to.
    answers = iter([403])
    accounts.fcm.say = lambda _: next(answers, 200)
    count = len(accounts.fcm.all)
    request_charge(merchant, customer)
    until(lambda: len(accounts.fcm.all) == count + 2, "a second attempt")
    wrong = json.dumps({"error": {"code": 403, "details": [{"errorCode": "SENDER_ID_MISMATCH"}]}})
    accounts.fcm.say = lambda _: (403, {}, wrong.encode())
    with accounts.bus() as bus:
        failed = bus.ask("notifications.notification.send.v1", {
            "notice": new_id(), "type": 1, "registrationId": phone, "message": "x"})
    assert failed["result"] == "failed:HTTP 403", failed
    accounts.fcm.say = lambda _: 200

    # A token that is refused is replaced; a phone that is no more is forgotten.
    answers = iter([(401, {}, b"{}")])
    accounts.fcm.say = lambda _: next(answers, 200)
    request_charge(merchant, customer)
    until(lambda: accounts.fcm.all[-1].headers.get("authorization") == "Bearer ya29.2", "a new token to be used")
    gone = json.dumps({"error": {"code": 404, "status": "NOT_FOUND", "details": [{"errorCode": "UNREGISTERED"}]}})
    accounts.fcm.say = lambda _: (404, {}, gone.encode())
    request_charge(merchant, customer)
    until(lambda: customer.get("/v1/endpoints").body == {"endpoints": []}, "the registration to be removed")


# MARK: Mail


class Letters:
    def __init__(self):
        self.letters, self.arrived = [], threading.Condition()
        self.refuse = None

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        with self.arrived:
            self.letters.append((session, envelope))
            self.arrived.notify_all()
        return "250 OK"

    def await_letter(self, count=1):
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.letters) >= count, PATIENCE), "no letter came"
            session, envelope = self.letters[count - 1]
        return session, envelope, email.message_from_bytes(envelope.original_content, policy=email.policy.default)


def mail(text="Your code is 4711.\n.\n..and a dot\n", **more):
    return {"notice": new_id(), "to": "ada@example.com", "subject": "Your code", "text": text,
            "expires": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 600)), **more}


def test_letters_wait_in_the_outbox_without_a_server(billset, bus):
    """A42."""
    letter = mail(subject="Ihr Schlüssel")
    assert bus.ask("notifications.mail.send.v1", letter) == {"replayed": False}
    assert bus.ask("notifications.mail.send.v1", letter) == {"replayed": True}
    with pytest.raises(Refused, match="notifications.id_reused"):
        bus.ask("notifications.mail.send.v1", {**letter, "text": "another"})
    outbox = billset.data / "notifications" / "outbox"
    until(lambda: [f for f in outbox.glob("*.eml") if letter["notice"] in f.name], "the letter")
    [file] = [f for f in outbox.glob("*.eml") if letter["notice"] in f.name]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(outbox.stat().st_mode) == 0o700
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert (message["to"], message["subject"]) == ("ada@example.com", "Ihr Schlüssel")
    assert message.get_content() == letter["text"].replace("\n", "\r\n") or message.get_content() == letter["text"]
    until(lambda: bus.ask("notifications.delivery.read.v1", {"delivery": letter["notice"]})["delivery"]["state"]
          == "delivered", "the letter to be done")
    shown = bus.ask("notifications.delivery.read.v1", {"delivery": letter["notice"]})
    assert "4711" not in json.dumps(shown)
    for wrong in ({"to": "ada"}, {"to": "a@b\r\nRCPT TO:<x@y>"}, {"to": "ä@example.com"}):
        with pytest.raises(Refused, match="notifications.address_invalid"):
            bus.ask("notifications.mail.send.v1", mail(**wrong))
    for wrong in ({"subject": "two\r\nlines"}, {"subject": ""}, {"text": ""}):
        with pytest.raises(Refused, match="notifications.message_invalid"):
            bus.ask("notifications.mail.send.v1", mail(**wrong))
    # What a letter says is nowhere in the log, nor is whom it is for.
    assert "4711" not in billset.log_text() and "ada@example.com" not in billset.log_text()


def test_what_comes_behind_the_consent_to_tls_is_no_answer():
    """Whoever is between here and the mail server could otherwise take letters and say that they were delivered."""
    sentences = [b"220 mail\r\n", b"250-mail\r\n250 STARTTLS\r\n",
                 b"220 go\r\n250 x\r\n250 ok\r\n250 ok\r\n354 go\r\n250 done\r\n"]
    heard, listener = [], socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                with listener.accept()[0] as client:
                    for sentence in sentences:
                        client.sendall(sentence)
                        heard.append(client.recv(4096))

    threading.Thread(target=serve, daemon=True).start()
    made = Set(**{
        **ENVIRONMENT, "BILLFOLD_SMTP": f"localhost:{listener.getsockname()[1]}", "BILLFOLD_SMTP_TLS": "required",
        "BILLFOLD_SMTP_FROM": "wallet@billfold.example"}).start("broker", "notifications")
    try:
        with made.bus() as bus:
            letter = mail()
            bus.ask("notifications.mail.send.v1", letter)

            def state():
                return bus.ask("notifications.delivery.read.v1", {"delivery": letter["notice"]})["delivery"]

            until(lambda: state()["state"] == "dead", "the letter to be given up")
            assert (state()["attempts"], state()["reason"]) == (3, "starttls")
            assert any(b"STARTTLS" in line for line in heard)
    finally:
        made.close()
        listener.close()


@pytest.mark.parametrize("tls", [False, True])
def test_letters_go_by_smtp(tls, tmp_path):
    """Plain to this machine; with STARTTLS and a log-in where they are asked for."""
    certificate_file, context = certificate(tmp_path)
    letters = Letters()
    options = {}
    if tls:
        options = {"tls_context": context(), "require_starttls": True, "auth_required": True,
                   "authenticator": lambda server, session, envelope, mechanism, data: AuthResult(
                       success=(data.login, data.password) == (b"billfold", b"s3cret"))}
    port = free_port()
    controller = Controller(letters, hostname="127.0.0.1", port=port, **options)
    controller.start()
    (tmp_path / "password").write_text("s3cret\n")
    environment = {**ENVIRONMENT, "BILLFOLD_SMTP": f"localhost:{port}", "BILLFOLD_SMTP_FROM": "wallet@billfold.example"}
    if tls:
        environment |= {"BILLFOLD_PUSH_CA_FILE": str(certificate_file), "BILLFOLD_SMTP_TLS": "required",
                        "BILLFOLD_SMTP_USER": "billfold", "BILLFOLD_SMTP_PASSWORD_FILE": str(tmp_path / "password")}
    made = Set(**environment).start("broker", "notifications")
    try:
        with made.bus() as bus:
            plain = mail()
            assert bus.ask("notifications.mail.send.v1", plain) == {"replayed": False}
            session, envelope, message = letters.await_letter()
            assert (envelope.mail_from, envelope.rcpt_tos) == ("wallet@billfold.example", ["ada@example.com"])
            assert message.get_content().replace("\r\n", "\n") == plain["text"]
            assert plain["notice"] in message["message-id"]
            assert (session.ssl is not None) == tls
            long = mail(subject="Ünïcödé " * 12, text="Ein längerer Text: “" + "ß" * 3000 + "”\n.\n")
            bus.ask("notifications.mail.send.v1", long)
            _, envelope, message = letters.await_letter(2)
            assert all(len(line) <= 998 for line in envelope.original_content.split(b"\r\n"))
            assert message["subject"].strip() == long["subject"].strip()
            assert message.get_content().replace("\r\n", "\n") == long["text"]

            # For now is not for ever: 4xx is tried again, 5xx is not.
            letters.refuse = "451 later"
            waits = mail()
            bus.ask("notifications.mail.send.v1", waits)

            def state(letter):
                return bus.ask("notifications.delivery.read.v1", {"delivery": letter["notice"]})["delivery"]

            until(lambda: state(waits)["state"] == "dead", "the letter to be given up")
            assert (state(waits)["attempts"], state(waits)["reason"]) == (3, "SMTP 451")
            letters.refuse = "550 nobody"
            bad = mail()
            bus.ask("notifications.mail.send.v1", bad)
            until(lambda: state(bad)["state"] == "dead", "the letter to be refused")
            assert (state(bad)["attempts"], state(bad)["reason"]) == (1, "SMTP 550")
            letters.refuse = None
            bus.ask("notifications.delivery.replay.v1", {"delivery": waits["notice"]})
            letters.await_letter(3)
            late = mail(expires="2020-01-01T00:00:00.000Z")
            bus.ask("notifications.mail.send.v1", late)
            until(lambda: state(late)["state"] == "dead", "the late letter to be given up")
            assert state(late)["reason"] == "expired" and len(letters.letters) == 3
    finally:
        made.close()
        controller.stop()
