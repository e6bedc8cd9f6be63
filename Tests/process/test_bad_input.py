"""Whatever is wrong with an ask, it gets a clear refusal with a stable code, and no money moves."""

import json
import random
import time

import pytest

from billfold import Client, OWNERS, Refused, SEED, SERVICES, envelope, new_id, new_key, post_payment, usd

PAY = "/v1/payments"


# Tests that set something up with money of their own, and count for themselves.
MOVING = (
    "test_a_key_of_any_visible_characters", "test_a_key_with_other_content", "test_what_belongs_to_somebody_else",
    "test_roles_and_tokens")


@pytest.fixture(autouse=True)
def nothing_moves(request, billset, bus, customer, merchant):
    """Around each test: no entry more, no sum changed, no process gone."""
    before = bus.check_ledger()
    yield
    if request.node.originalname in MOVING:
        return
    after = bus.check_ledger()
    assert (after["entries"], after["accounts"]) == (before["entries"], before["accounts"])
    billset.all_run()


def body(merchant, **changes):
    return {"merchant": merchant.account, "amount": usd(150), **changes}


MALFORMED = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"merchant":"\xc3\x28"}', b"{'merchant':1}", b"{} {}", b"[" * 5000,
]


@pytest.mark.parametrize("text", MALFORMED, ids=repr)
def test_http_bodies_that_are_no_message(customer, text):
    answer = customer.request("POST", PAY, text, key=new_key())
    assert answer.status in (400, 415) and answer.code in ("bus.malformed", "gateway.media_type_unsupported"), answer


AMOUNTS = [
    "0", "-1", "1.5", "100.0", "1e2", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "99999999999999999999999", '"150"', "null", "true", "[]", "{}", "NaN", "0x10", "01",
]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_amounts(customer, merchant, amount):
    text = '{"merchant":"%s","amount":{"amount":%s,"currency":"USD"}}' % (merchant.account, amount)
    answer = customer.request("POST", PAY, text.encode(), key=new_key())
    assert answer.status in (400, 422), answer
    assert answer.code in ("bus.malformed", "wallet.amount_invalid", "payments.amount_too_large"), answer


@pytest.mark.parametrize("currency", ['"EUR"', '"usd"', '"US"', '""', "840", "null"])
def test_currencies(customer, merchant, currency):
    text = '{"merchant":"%s","amount":{"amount":150,"currency":%s}}' % (merchant.account, currency)
    answer = customer.request("POST", PAY, text.encode(), key=new_key())
    assert answer.code == ("wallet.currency_mismatch" if currency == '"EUR"' else "bus.malformed"), answer


def test_fields_that_are_unknown_doubled_missing_or_of_the_wrong_type(customer, merchant):
    good = json.dumps(body(merchant))
    for text in (
        good[:-1] + ',"tip":1}', good[:-1] + ',"amount":{"amount":1,"currency":"USD"}}',
        good[:-1] + ',"memo":7}', good[:-1] + ',"memo":"a\\u0000b"}', good[:-1] + ',"m\\u0065mo":"x"}',
        good[:-1] + ',"card":"ABC"}', '{"amount":{"amount":1,"currency":"USD"}}',
        good.replace('"USD"', '"USD","currency":"USD"'),
    ):
        answer = customer.request("POST", PAY, text.encode(), key=new_key())
        assert (answer.status, answer.code) == (400, "bus.malformed"), (text, answer)
        assert "detail" in answer.body


def test_texts_that_are_too_long(customer, merchant):
    assert customer.post(PAY, body(merchant, memo="x" * 257), key=new_key()).code == "payments.memo_too_long"
    assert customer.post(PAY, body(merchant, memo="x" * 20_000), key=new_key()).status == 413


def test_keys(customer, merchant):
    assert customer.post(PAY, body(merchant)).code == "gateway.key_missing"
    for key in ("", " ", "x" * 256, "caf\u00e9"):
        answer = customer.request("POST", PAY, body(merchant), headers={"Idempotency-Key": key.encode("latin-1")})
        assert answer.code in ("gateway.key_invalid", "gateway.key_missing"), (key, answer)


def test_a_key_of_any_visible_characters(billset, merchant):
    """Also of those that JSON writes with two."""
    payer = billset.customer()
    for key in ("x" + "\"" * 254, "\\" * 255):
        first, again = (payer.post(PAY, body(merchant), key=key) for _ in range(2))
        assert first.status == 201 and again.body == first.body, (key, first, again)


def test_a_key_with_other_content(billset, bus, merchant):
    payer = billset.customer()
    key = new_key()
    assert payer.pay(merchant, 150, key=key).status == 201
    entries = bus.ledger()["entries"]
    for answer in (
        payer.pay(merchant, 151, key=key), payer.pay(merchant, 150, key=key, memo="other"),
        payer.pay(billset.merchant(), 150, key=key),
    ):
        assert (answer.status, answer.code) == (422, "wallet.id_reused"), answer
    again = payer.pay(merchant, 150, key=key)
    assert again.status == 201 and again.replayed
    assert bus.ledger()["entries"] == entries and payer.balance == 1500


@pytest.mark.parametrize("number, code", [
    ("123", "12345678"), ("1" * 17, "12345678"), ("1" * 16, "1234567"), ("1" * 16, "123456789"),
    ("12345678901234ab", "12345678"), ("１" * 16, "12345678"), ("", ""), ("1" * 16, "1234567 "),
])
def test_card_digits(customer, number, code):
    """000-87, 000-88, A14"""
    answer = customer.post("/v1/cards", {"number": number, "code": code}, key=new_key())
    assert answer.status in (400, 422) and answer.code in ("wallet.card_invalid", "bus.malformed"), answer


def test_pay_codes_that_are_none(customer, merchant):
    code = customer.post("/v1/pay-codes", {}).body["code"]
    for bad in ("", "x", code[:-1], code + "A", code[:-2] + ("AA" if code[-2:] != "AA" else "BB"), code.swapcase(), "A" * 4000):
        answer = merchant.post("/v1/code-payments", {"code": bad, "amount": usd(1)}, key=new_key())
        assert answer.code in ("payments.code_invalid", "bus.malformed"), (bad, answer)


def test_what_belongs_to_somebody_else(billset, customer, merchant):
    stranger, shop = billset.customer(), billset.merchant()
    before = customer.balance, stranger.balance, merchant.balance
    charge = merchant.post(
        "/v1/charges", {"customer": customer.account, "amount": usd(5)}, key=new_key()).body["charge"]
    assert stranger.get(f"/v1/cards/{customer.card}").status == 404
    assert stranger.post(f"/v1/cards/{customer.card}/reloads", {"amount": usd(5)}, key=new_key()).status == 404
    assert stranger.post(PAY, body(merchant, card=customer.card), key=new_key()).code == "wallet.card_not_found"
    for other in (stranger, shop):
        for path in (f"/v1/charges/{charge}", f"/v1/receipts/{charge}"):
            answer = other.get(path)
            assert (answer.status, answer.code) == (404, "payments.charge_not_found"), answer
    assert stranger.post(f"/v1/charges/{charge}/approval", {}).code == "payments.charge_not_found"
    assert stranger.post(f"/v1/charges/{charge}/decline").code == "payments.charge_not_found"
    assert shop.post(f"/v1/charges/{charge}/cancellation").code == "payments.charge_not_found"
    assert shop.post(f"/v1/charges/{charge}/refunds", {}, key=new_key()).code == "payments.charge_not_found"
    assert customer.post(PAY, body(customer), key=new_key()).code == "payments.merchant_not_found"
    assert customer.post(PAY, {"merchant": new_id(), "amount": usd(5)}, key=new_key()).code == "payments.merchant_not_found"
    assert merchant.post(f"/v1/charges/{charge}/cancellation").status == 200
    assert (customer.balance, stranger.balance, merchant.balance) == before


def test_roles_and_tokens(billset, customer, merchant):
    assert merchant.post(PAY, body(merchant), key=new_key()).status == 403
    assert customer.post("/v1/charges", {"customer": "x", "amount": usd(1)}, key=new_key()).status == 403
    assert customer.get("/v1/account").status == 403
    nobody = Client(billset)
    for token in (None, "x", "A" * 43, "Bearer", "é"):
        fields = {} if token is None else {"Authorization": f"Bearer {token}".encode("latin-1")}
        answer = nobody.request("POST", PAY, body(merchant), key=new_key(), headers=fields)
        assert answer.status == 401 and answer.headers["WWW-Authenticate"], (token, answer)
    gone = billset.customer()
    assert gone.delete("/v1/sessions/current").status == 204
    assert gone.pay(merchant, 1).status == 401
    without_pin = billset.customer(pin=None, card=False)
    assert without_pin.pay(merchant, 1).code == "auth.pin_required"


def test_paths_methods_and_types(billset, customer, merchant):
    assert customer.get("/v1/nothing").code == "gateway.not_found"
    refused = customer.put(PAY, body(merchant), key=new_key())
    assert refused.code == "gateway.method_not_allowed" and refused.headers["Allow"] == "POST"
    answer = customer.request("POST", PAY, b"{}", key=new_key(), headers={"Content-Type": "text/plain"})
    assert answer.code == "gateway.media_type_unsupported"
    assert customer.get("/v1/charges/zz").status == 400
    assert customer.get("/v1/charges?limit=0").status == 400
    assert customer.get("/v1/charges?limit=101").status == 400
    assert customer.get("/v1/charges?before=x").status == 400


@pytest.mark.parametrize("target", [
    "/v1/shops?%00", "/v1/categories?%00", "/health?%00", "/openapi.json?%00", "/v1/menus?a%00b=1", "/v1/menus?limit=%00",
    "/v1/deals/search?merchant=%00", "/v1/chargeable?customer=%00", "/v1/accounts?username=%00", "/v1/charges/%00",
    "/v1/shops?%ff", "/v1/shops?%e2%80", "/v1/shops?%ED%A0%80=1", "/v1/shops?%0",
])
def test_texts_in_a_query_that_no_message_may_have(billset, customer, target):
    for client in (Client(billset), customer):
        assert client.get(target).status in (400, 401, 403, 404), target
    assert Client(billset).get("/openapi.json").status == 200


# MARK: Over the bus


def test_envelopes_that_are_none(bus):
    for text in (b"", b"{}", b"[1]", b"\xff", b'{"specversion":"2.0"}', b"{" * 1000, json.dumps(
            {**envelope("wallet.ledger.read.v1", {}), "specversion": "0.3"}).encode()):
        answer = bus.raw(text, service="wallet")
        assert answer["data"]["code"] == "bus.malformed", (text, answer)
    assert bus.raw(b" " * 65_537, service="wallet")["data"]["code"] == "bus.too_large"
    assert bus.raw(envelope("wallet.nothing.do.v1", {}))["data"]["code"] == "bus.unknown_type"
    doubled = json.dumps(envelope("wallet.ledger.read.v1", {}))[:-1] + ',"type":"wallet.ledger.read.v1"}'
    assert bus.raw(doubled.encode(), service="wallet")["data"]["code"] == "bus.malformed"


def test_an_expired_ask_does_nothing_then_or_later(bus, customer, merchant):
    ask = post_payment(customer, merchant, 1, expirytime="2020-01-01T00:00:00Z")
    assert bus.raw(ask)["data"]["code"] == "bus.deadline_exceeded"
    late = post_payment(customer, merchant, 1)
    assert bus.raw(late, deadline_ms=int(time.time() * 1000) - 1)["data"]["code"] in (
        "bus.deadline_exceeded", "bus.no_worker")


def test_actors(bus, customer, merchant):
    for actor in (f"customer:{new_id()}", f"merchant:{merchant.account}", f"administrator:{new_id()}"):
        answer = bus.raw(post_payment(customer, merchant, 1, actor=actor))
        assert answer["data"]["code"] == "bus.forbidden", (actor, answer)
    assert bus.raw(post_payment(customer, merchant, 1, actor="root"))["data"]["code"] == "bus.malformed"
    for source in OWNERS:
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask(f"{source}.facts.read.v1", {"after": 0, "limit": 1}, actor=f"customer:{customer.account}")


def test_random_bytes_over_the_bus_stop_nobody(bus, customer, merchant):
    rng = random.Random(SEED)
    good = json.dumps(post_payment(customer, merchant, 0)).encode()
    for service in SERVICES:
        for _ in range(100):
            text = bytearray(good)
            for _ in range(rng.randint(1, 6)):
                text[rng.randrange(len(text))] = rng.randrange(256)
            answer = bus.raw(bytes(text[: rng.randint(0, len(text))]), service=service)
            assert answer["type"].endswith((".fault", ".fault.v1")), answer
