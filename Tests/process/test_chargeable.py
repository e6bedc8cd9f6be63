"""A96: a merchant requests money from who is near or knows it; and codes that are typed."""

import re

import pytest

from billfold import Client, new_key, until, usd
from test_location import move, shop, walker

ENVIRONMENT = {"BILLFOLD_CHARGE_PRESENCE": "known", "BILLFOLD_LOG": "trace"}


def charge(merchant, customer, key=None, **more):
    body = {"customer": customer.username, "amount": usd(150), **more}
    return merchant.post("/v1/charges", body, key=key or new_key())


def chargeable(merchant, customer):
    answer = merchant.get(f"/v1/chargeable?customer={customer.username}")
    assert answer.status == 200 and answer.body["customer"] == customer.account, answer
    assert answer.body["chargeable"] == ("refusal" not in answer.body), answer
    return answer.body.get("refusal")


def test_a_stranger_is_refused_by_name_of_the_reason(billset):
    """001-51, 001-83: far away, nobody knows where, and a merchant without any place."""
    merchant, person = shop(billset, (0, 0), (1_000, 0)), walker(billset)
    refused = charge(merchant, person)
    assert (refused.status, refused.code) == (409, "location.presence_stale")
    assert "has not paid you before" in refused.body["detail"]
    assert chargeable(merchant, person) == "location.presence_stale"
    move(person, 500)
    refused = charge(merchant, person)
    assert (refused.status, refused.code) == (409, "location.presence_far")
    assert chargeable(merchant, person) == "location.presence_far"
    nowhere = billset.merchant().without_places()
    assert (charge(nowhere, person).code, chargeable(nowhere, person)) == ("location.place_not_found",) * 2
    assert person.get("/v1/charges").body["charges"] == []
    # Near any of its places, without naming one; a repeat is answered though the customer has left.
    move(person, 950)
    assert chargeable(merchant, person) is None
    key = new_key()
    made = charge(merchant, person, key)
    assert made.status == 201 and "presence" not in made.body, made
    assert person.delete("/v1/location").status == 204
    again = charge(merchant, person, key)
    assert (again.status, again.body, again.replayed) == (201, made.body, True)
    assert charge(merchant, person).code == "location.presence_stale"


def test_who_paid_before_is_charged_anywhere(billset):
    merchant, other, person = billset.merchant(), billset.merchant(), billset.customer()
    assert charge(merchant, person).code == "location.presence_stale"
    person.paid(merchant, 150)
    assert charge(merchant, person).status == 201
    assert chargeable(merchant, person) is None
    assert charge(other, person).code == "location.presence_stale"
    # By what is stored, also after a restart, and though location and offers are away.
    billset.restart("payments")
    billset.stop("location", "offers")
    until(lambda: charge(merchant, person).status == 201, "the charge of a known customer")
    billset.start("location", "offers").await_health()


def test_whose_code_was_taken_is_charged_later(billset):
    merchant, person = billset.merchant(), billset.customer()
    code = person.post("/v1/pay-codes", {}).body["code"]
    taken = merchant.post("/v1/code-payments", {"code": code, "amount": usd(100)}, key=new_key())
    assert taken.status == 201, taken
    assert charge(merchant, person).status == 201


def test_who_subscribed_is_charged(billset):
    merchant, person = billset.merchant(), billset.customer(card=False)
    path = f"/v1/subscriptions/{merchant.account}"
    assert person.put(path, {"ads": False, "coupons": True}).status == 200
    assert charge(merchant, person).status == 201
    assert person.delete(path).status == 204
    assert charge(merchant, person).code == "location.presence_stale"


def test_who_allowed_it_is_charged(billset):
    """In the settings, one merchant or every one, until that is taken back."""
    merchant, other, person = billset.merchant(), billset.merchant(), billset.customer(card=False)
    assert person.get("/v1/settings/charges").body == {"everyone": False, "merchants": []}
    one = f"/v1/settings/charges/{merchant.account}"
    for _ in range(2):
        assert person.put(one, {"allowed": True}).body == {"allowed": True}
    assert person.get("/v1/settings/charges").body == {
        "everyone": False, "merchants": [{"merchant": merchant.account, "name": merchant.username}]}
    assert charge(merchant, person).status == 201
    assert charge(other, person).code == "location.presence_stale"
    assert person.put(one, {"allowed": False}).body == {"allowed": False}
    assert charge(merchant, person).code == "location.presence_stale"
    assert person.put("/v1/settings/charges", {"everyone": True}).body == {"everyone": True}
    billset.kill("payments")
    billset.start("payments").await_health()
    assert charge(other, person).status == 201
    assert person.put("/v1/settings/charges", {"everyone": False}).status == 200
    assert charge(other, person).code == "location.presence_stale"
    assert person.put(f"/v1/settings/charges/{person.account}", {"allowed": True}).code == "payments.merchant_not_found"


def test_nobody_asks_about_strangers(billset):
    merchant = billset.merchant()
    assert merchant.get("/v1/chargeable?customer=nobody").code == "payments.customer_not_found"
    assert merchant.get("/v1/chargeable").code == "bus.malformed"
    assert Client(billset).get("/v1/chargeable?customer=nobody").status == 401


@pytest.fixture
def shown(billset):
    person = billset.customer()

    def issue():
        made = person.post("/v1/pay-codes", {"typed": True})
        assert made.status == 201, made
        return made.body

    person.issue = issue
    return person


def take(merchant, code, key=None):
    return merchant.post("/v1/code-payments", {"code": code, "amount": usd(275)}, key=key or new_key())


def test_a_typed_code_pays_once(billset, shown):
    """Ten characters without look-alikes, in capitals or not; the picture and what is typed are one code."""
    merchant = billset.merchant()
    made = shown.issue()
    assert re.fullmatch("[2-9A-HJKMNP-Z]{10}", made["typed"])
    key = new_key()
    typed = f"{made['typed'][:5].lower()} {made['typed'][5:]}"
    paid = take(merchant, typed, key)
    assert (paid.status, paid.body["customer"]) == (201, shown.account), paid
    again = take(merchant, typed, key)
    assert (again.status, again.body, again.replayed) == (201, paid.body, True)
    assert take(merchant, made["code"]).code == take(merchant, made["typed"]).code == "payments.code_used"
    assert shown.balance == 1650 - 275
    # None is made for those who do not ask for one.
    assert "typed" not in shown.post("/v1/pay-codes", {}).body
    # It outlives the process that made it.
    later = shown.issue()["typed"]
    billset.kill("payments")
    billset.start("payments").await_health()
    assert take(merchant, later).status == 201


def test_guesses_are_limited(billset, shown):
    merchant, other = billset.merchant(), billset.merchant()
    right = shown.issue()["typed"]
    # A slip of the finger is found by the check character, and is no guess.
    slips = [right[:place] + ("2" if right[place] != "2" else "3") + right[place + 1:] for place in range(10)]
    for slip in slips + [right[1] + right[0] + right[2:]] * 5:
        if slip != right:
            assert take(merchant, slip).code == "payments.code_invalid"
    codes = []
    for guess in guessed(1000):
        answer = take(merchant, guess)
        codes.append(answer.code)
        if answer.code != "payments.code_invalid":
            break
    assert codes[-1] == "payments.too_many_guesses" and len(codes) > 10, codes
    assert int(answer.headers["Retry-After"]) in range(1, 7)
    assert take(other, right).status == 201


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def guessed(count):
    """Codes that nobody was given, with the right check character."""
    for number in range(count):
        free = [(number * 7 + place * 11) % 31 for place in range(9)]
        check = -sum((place + 1) * digit for place, digit in enumerate(free)) * 28 % 31
        yield "".join(ALPHABET[digit] for digit in [*free, check])
