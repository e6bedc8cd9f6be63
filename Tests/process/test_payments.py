"""A customer and a merchant over HTTP, from registration to the last cent."""

import time
from datetime import datetime

import pytest

from billfold import Person, new_id, new_key, registration, until, usd

ENVIRONMENT = {"BILLFOLD_CODE_SECONDS": "5", "BILLFOLD_APPROVAL_SECONDS": "5"}


def expire(text):
    """Waits until the millisecond that a service named has passed."""
    moment = datetime.fromisoformat(text).timestamp()
    until(lambda: time.time() >= moment + 0.001, f"{text} to pass")


@pytest.fixture
def payer(billset):
    return billset.customer()


def request_charge(merchant, customer, minor, memo="2 coffees", key=None):
    answer = merchant.post(
        "/v1/charges", {"customer": customer.username, "amount": usd(minor), "memo": memo}, key=key or new_key())
    assert answer.status == 201, answer
    return answer.body


def issue_code(customer, **body):
    answer = customer.post("/v1/pay-codes", body)
    assert answer.status == 201, answer
    return answer.body


def redeem(merchant, code, minor, key=None, **more):
    return merchant.post("/v1/code-payments", {"code": code, "amount": usd(minor), **more}, key=key or new_key())


def state(person, charge):
    answer = person.get(f"/v1/charges/{charge}")
    assert answer.status == 200, answer
    return answer.body["state"]


def test_registration_log_in_and_log_out(billset):
    person = Person(billset, "customer", pin=None)
    assert person.post("/v1/customers", registration("customer", person.username)).code == "auth.username_taken"
    wrong = person.post("/v1/sessions", {"username": person.username, "password": "wrong horse"}, token=None)
    assert (wrong.status, wrong.code) == (401, "auth.wrong_credentials")
    session = person.get("/v1/sessions/current")
    assert session.status == 200 and session.body["account"] == person.account and session.body["role"] == "customer"
    assert "pinVerifiedUntil" not in session.body
    assert person.delete("/v1/sessions/current").status == 204
    assert person.get("/v1/sessions/current").code == "auth.session_not_found"
    assert person.log_in().get("/v1/sessions/current").status == 200


def test_a_registration_that_is_repeated(billset):
    client = Person(billset, "customer", pin=None)
    key, body = new_key(), registration("customer", "r" + new_id()[:10], name="Ada")
    first = client.post("/v1/customers", body, key=key, token=None)
    again = client.post("/v1/customers", body, key=key, token=None)
    assert first.status == again.status == 201 and first.body == again.body
    assert not first.replayed and again.replayed
    other = client.post("/v1/customers", {**body, "name": "Bob"}, key=key, token=None)
    assert (other.status, other.code) == (422, "auth.id_reused")


def test_pin(billset, merchant):
    person = Person(billset, "customer", pin=None).with_card()
    assert person.pay(merchant, 100).code == "auth.pin_required"
    assert person.post("/v1/pin/verifications", {"pin": "4711"}).code == "auth.pin_not_set"
    assert person.put("/v1/pin", {"password": "wrong horse", "pin": "4711"}).code == "auth.wrong_credentials"
    assert person.put("/v1/pin", {"password": Person.PASSWORD, "pin": "471"}).code == "auth.pin_invalid"
    assert person.put("/v1/pin", {"password": Person.PASSWORD, "pin": "4711"}).status == 204
    wrong = person.post("/v1/pin/verifications", {"pin": "4712"})
    assert (wrong.status, wrong.code, wrong.body["title"]) == (401, "auth.pin_wrong", "Invalid Pin")
    assert person.pay(merchant, 100).code == "auth.pin_required"
    person.pin = "4711"
    person.enter_pin()
    assert person.paid(merchant, 100)["cardBalance"] == usd(1550)
    # Another session of the same person has not entered it.
    assert person.log_in().pay(merchant, 100).code == "auth.pin_required"


def test_eleven_payments_and_the_twelfth_is_refused(payer, merchant):
    """000-101: after k payments the balance is 16.50 - 1.50 k; the twelfth is refused and changes nothing (A17)."""
    assert payer.balance == 1650
    before, receipts = merchant.balance, []
    for k in range(1, 12):
        receipt = payer.paid(merchant, 150, memo=f"coffee {k}")
        assert receipt["cardBalance"] == usd(1650 - 150 * k)
        assert payer.balance == 1650 - 150 * k
        receipts.append(receipt)
    key = new_key()
    twelfth = payer.pay(merchant, 150, key=key)
    assert (twelfth.status, twelfth.code, twelfth.body["title"]) == (
        402, "wallet.insufficient_funds", "Insufficient funds")
    assert (payer.balance, merchant.balance) == (0, before + 1650)
    # Final: the same key never debits later, not even when there is money again.
    assert payer.reload(500).status == 201
    assert payer.pay(merchant, 150, key=key).code == "wallet.insufficient_funds"
    assert payer.balance == 500
    assert [c["charge"] for c in payer.get("/v1/history").body["charges"]] == [r["charge"] for r in receipts[::-1]]


def test_receipt_and_history(payer, merchant):
    receipt = payer.paid(merchant, 425, memo="Bücher & Tee 📚 \"zwei\" \\ / <b>")
    assert receipt["merchantName"] == merchant.username and receipt["amount"] == usd(425)
    for person in (payer, merchant):
        answer = person.get(f"/v1/receipts/{receipt['charge']}")
        # The customer alone is told what is left on the card.
        shown = {key: value for key, value in receipt.items() if key != "cardBalance" or person is payer}
        assert answer.status == 200 and answer.body == shown
        charge = person.get("/v1/history?limit=1").body["charges"][0]
        assert charge["charge"] == receipt["charge"] and charge["memo"] == receipt["memo"]
        assert charge["state"] == "captured" and charge["refunded"] == usd(0) and charge["entry"] == receipt["entry"]
    entry = payer.get(f"/v1/cards/{payer.card}/entries?limit=1").body["entries"][0]
    assert (entry["operation"], entry["kind"], entry["amount"], entry["balance"]) == (
        receipt["charge"], "payment", usd(-425), usd(1225))
    assert merchant.get("/v1/account/entries?limit=1").body["entries"][0]["amount"] == usd(425)


def test_pages_of_history(payer, merchant):
    charges = [payer.paid(merchant, 1 + n)["charge"] for n in range(7)][::-1]
    first = payer.get("/v1/history?limit=3").body
    second = payer.get(f"/v1/history?limit=3&before={first['next']}").body
    third = payer.get(f"/v1/history?limit=3&before={second['next']}").body
    assert [c["charge"] for page in (first, second, third) for c in page["charges"]] == charges
    assert third.get("next") is None


def test_histories_are_newest_first_by_when_each_was_decided(billset, merchant):
    """000-19, 001-81: a request moves to the front when it is answered, whatever was paid meanwhile."""
    payer = billset.customer()
    asked = [request_charge(merchant, payer, 100 + n)["charge"] for n in range(3)]
    paid = payer.paid(merchant, 1)["charge"]
    assert payer.post(f"/v1/charges/{asked[0]}/approval", {}).status == 200
    receipt = payer.paid(merchant, 2)
    last = receipt["charge"]
    expire(receipt["time"])
    assert payer.post(f"/v1/charges/{asked[2]}/decline").status == 200
    def seen():
        return [
            [one["charge"] for one in payer.pages(path, "charges")]
            for path in ("/v1/history", "/v1/charges?state=captured", "/v1/charges")]
    history, captured, charges = seen()
    assert history == captured == [last, asked[0], paid]
    assert charges in ([asked[2], last, asked[0], paid, asked[1]], [asked[1], asked[2], last, asked[0], paid])
    times = [one["decided"] for one in payer.pages("/v1/charges", "charges") if one.get("decided")]
    assert times == sorted(times, reverse=True)
    page = payer.get("/v1/charges?limit=2").body
    rest = payer.get(f"/v1/charges?limit=2&before={page['next']}").body
    assert len({one["charge"] for one in page["charges"] + rest["charges"]}) == 4
    billset.restart("payments")
    billset.await_health()
    assert seen()[:2] == [history, captured]


def test_a_full_page_of_long_texts_can_be_read(billset, merchant):
    """A page is as long as was asked for, or shorter; it is never refused for being too large."""
    payer = billset.customer()
    memo = "\"\\" * 128
    charges = [payer.paid(merchant, 1, memo=memo)["charge"] for _ in range(100)][::-1]
    for path, of, name in (
        ("/v1/history", "charges", "charge"), ("/v1/charges", "charges", "charge"),
        (f"/v1/cards/{payer.card}/entries", "entries", "operation"),
    ):
        found, before = [], ""
        while before is not None:
            answer = payer.get(f"{path}?limit=100{before}")
            assert answer.status == 200, (path, answer)
            found += [item[name] for item in answer.body[of]]
            before = f"&before={answer.body['next']}" if answer.body.get("next") is not None else None
        assert found[:100] == charges


def test_the_same_key_pays_once(payer, merchant):
    key = new_key()
    first = payer.pay(merchant, 300, key=key, memo="once")
    again = payer.pay(merchant, 300, key=f'"{key}"', memo="once")
    assert first.status == again.status == 201 and first.body == again.body
    assert not first.replayed and again.replayed
    for other in ({"minor": 301, "memo": "once"}, {"minor": 300, "memo": "twice"}):
        refused = payer.pay(merchant, other.pop("minor"), key=key, **other)
        assert (refused.status, refused.code) == (422, "wallet.id_reused")
        assert refused.body["detail"].startswith("This request did nothing.")
    assert payer.balance == 1350


def test_pay_code(payer, merchant):
    code = issue_code(payer)
    key = new_key()
    first = redeem(merchant, code["code"], 700, key=key, memo="lunch")
    assert first.status == 201 and first.body["customer"] == payer.account
    charge = first.body["charge"]
    assert "cardBalance" not in first.body and "cardBalance" not in merchant.get(f"/v1/receipts/{charge}").body
    assert payer.get(f"/v1/receipts/{charge}").body["cardBalance"] == usd(950)
    again = redeem(merchant, code["code"], 700, key=key, memo="lunch")
    assert again.status == 201 and again.body == first.body and again.replayed
    second = redeem(merchant, code["code"], 700, memo="lunch")
    assert (second.status, second.code) == (409, "payments.code_used")
    other = redeem(merchant, code["code"], 1, key=key)
    assert (other.status, other.code) == (422, "payments.id_reused")
    assert "send that one again" in other.body["detail"]
    assert payer.balance == 950
    # What came of it can be heard after its time, too.
    expire(code["expires"])
    late = redeem(merchant, code["code"], 700, key=key, memo="lunch")
    assert late.status == 201 and late.body == first.body
    assert redeem(merchant, code["code"], 700, memo="lunch").code == "payments.code_used"
    assert payer.balance == 950


def test_pay_code_of_a_second_card_and_expired(payer, merchant):
    first_card, second_card = payer.card, payer.add_card()
    code = issue_code(payer, card=first_card)
    assert redeem(merchant, code["code"], 50).body["card"] == first_card
    code = issue_code(payer)
    expire(code["expires"])
    late = redeem(merchant, code["code"], 50)
    assert (late.status, late.code) == (410, "payments.code_expired")
    assert payer.get(f"/v1/cards/{second_card}").body["balance"] == usd(1650)


def test_pay_code_without_the_money(payer, merchant):
    code, key = issue_code(payer), new_key()
    refused = redeem(merchant, code["code"], 1651, key=key)
    assert (refused.status, refused.code) == (402, "wallet.insufficient_funds")
    assert refused.body["detail"].startswith("No money was moved,") and "a new code" in refused.body["detail"]
    assert redeem(merchant, code["code"], 1651, key=key).code == "wallet.insufficient_funds"
    # The code is spent, whatever came of it.
    assert redeem(merchant, code["code"], 1).code == "payments.code_used"
    assert payer.balance == 1650


def test_charge_and_approval(payer, merchant):
    charge = request_charge(merchant, payer, 999)
    assert charge["state"] == "requested" and charge["memo"] == "2 coffees"
    waiting = payer.get("/v1/charges?state=requested").body["charges"]
    assert [c["charge"] for c in waiting] == [charge["charge"]]
    path = f"/v1/charges/{charge['charge']}/approval"
    assert payer.post(path, {"amount": usd(998)}).code == "wallet.amount_invalid"
    assert payer.get(f"/v1/receipts/{charge['charge']}").code == "payments.charge_not_captured"
    paid = payer.post(path, {"amount": usd(999)})
    assert paid.status == 200 and paid.body["cardBalance"] == usd(651) and not paid.replayed
    again = payer.post(path)
    assert again.status == 200 and again.body == paid.body and again.replayed
    assert state(merchant, charge["charge"]) == "captured"
    del paid.body["cardBalance"]
    assert merchant.get(f"/v1/receipts/{charge['charge']}").body == paid.body
    assert payer.post(f"/v1/charges/{charge['charge']}/decline").code == "payments.charge_captured"
    assert merchant.post(f"/v1/charges/{charge['charge']}/cancellation").code == "payments.charge_captured"


def test_charge_and_decline(payer, merchant):
    charge = request_charge(merchant, payer, 100)["charge"]
    assert payer.post(f"/v1/charges/{charge}/decline").body["state"] == "declined"
    again = payer.post(f"/v1/charges/{charge}/decline")
    assert again.status == 200 and again.replayed
    assert payer.post(f"/v1/charges/{charge}/approval").code == "payments.charge_declined"
    assert merchant.post(f"/v1/charges/{charge}/cancellation").code == "payments.charge_declined"
    assert (state(merchant, charge), payer.balance) == ("declined", 1650)


def test_charge_and_cancellation(payer, merchant):
    charge = request_charge(merchant, payer, 100)["charge"]
    assert merchant.post(f"/v1/charges/{charge}/cancellation").body["state"] == "cancelled"
    again = merchant.post(f"/v1/charges/{charge}/cancellation")
    assert again.status == 200 and again.replayed
    assert payer.post(f"/v1/charges/{charge}/approval").code == "payments.charge_cancelled"
    assert payer.post(f"/v1/charges/{charge}/decline").code == "payments.charge_cancelled"
    assert (state(payer, charge), payer.balance) == ("cancelled", 1650)


def test_charge_that_expires(payer, merchant):
    charge = request_charge(merchant, payer, 100)
    expire(charge["expires"])
    assert payer.post(f"/v1/charges/{charge['charge']}/approval").code == "payments.charge_expired"
    until(lambda: state(merchant, charge["charge"]) == "expired", "the charge to expire")
    assert payer.post(f"/v1/charges/{charge['charge']}/approval").code == "payments.charge_expired"
    assert payer.post(f"/v1/charges/{charge['charge']}/decline").code == "payments.charge_expired"
    assert merchant.post(f"/v1/charges/{charge['charge']}/cancellation").code == "payments.charge_expired"
    assert payer.balance == 1650


def test_a_charge_request_that_is_repeated(payer, merchant):
    key = new_key()
    body = {"customer": payer.username, "amount": usd(5)}
    first, again = (merchant.post("/v1/charges", body, key=key) for _ in range(2))
    assert first.status == again.status == 201 and first.body == again.body and again.replayed
    assert merchant.post("/v1/charges", {**body, "amount": usd(6)}, key=key).code == "payments.id_reused"


def test_an_approval_without_the_money(payer, merchant):
    """A56: the charge is spent; the merchant has to ask anew."""
    charge = request_charge(merchant, payer, 1651)["charge"]
    assert payer.post(f"/v1/charges/{charge}/approval").code == "wallet.insufficient_funds"
    until(lambda: state(merchant, charge) == "declined", "the charge to be declined")
    assert payer.reload(1000).status == 201
    assert payer.post(f"/v1/charges/{charge}/approval").status in (402, 409)
    assert payer.balance == 2650


def test_refunds(payer, merchant):
    before = merchant.balance
    receipt = payer.paid(merchant, 1000)
    path = f"/v1/charges/{receipt['charge']}/refunds"
    key = new_key()
    part = merchant.post(path, {"amount": usd(300)}, key=key)
    assert part.status == 201 and (part.body["amount"], part.body["refunded"]) == (usd(300), usd(300))
    again = merchant.post(path, {"amount": usd(300)}, key=key)
    assert again.status == 201 and again.body == part.body and again.replayed
    assert merchant.post(path, {"amount": usd(301)}, key=key).code == "wallet.id_reused"
    assert merchant.post(path, {"amount": usd(701)}, key=new_key()).code == "wallet.refund_too_large"
    assert (payer.balance, merchant.balance) == (950, before + 700)
    rest = merchant.post(path, key=new_key())
    assert rest.status == 201 and (rest.body["amount"], rest.body["refunded"]) == (usd(700), usd(1000))
    assert merchant.post(path, {"amount": usd(1)}, key=new_key()).code == "wallet.refund_too_large"
    assert (payer.balance, merchant.balance) == (1650, before)
    charge = payer.get(f"/v1/charges/{receipt['charge']}").body
    assert charge["state"] == "captured" and charge["refunded"] == usd(1000)


def test_reload_and_the_default_card(payer, merchant):
    key = new_key()
    answer = payer.reload(2500, key=key)
    assert answer.status == 201 and answer.body["cardBalance"] == usd(4150)
    assert payer.reload(2500, key=key).body == answer.body
    first, second = payer.card, payer.add_card()
    assert payer.get("/v1/cards/default").body["card"] == second
    assert payer.paid(merchant, 50)["card"] == second
    assert payer.put("/v1/cards/default", {"card": first}).body["isDefault"] is True
    assert payer.paid(merchant, 150)["cardBalance"] == usd(4000)
    cards = payer.get("/v1/cards").body["cards"]
    assert [(c["card"], c["balance"], c["isDefault"]) for c in cards] == [
        (first, usd(4000), True), (second, usd(1600), False)]


def test_transfers(billset, payer):
    friend, shop = billset.customer(), billset.merchant(pin="1234")
    key, body = new_key(), {"to": {"username": friend.username}, "amount": usd(650), "memo": "rent"}
    sent, again = (payer.post("/v1/transfers", body, key=key) for _ in range(2))
    assert sent.status == again.status == 201 and sent.body == again.body and again.replayed
    assert (payer.balance, friend.balance) == (1000, 2300)
    to_shop = {"to": {"account": shop.account, "role": "merchant"}, "amount": usd(1000)}
    assert payer.post("/v1/transfers", to_shop, key=new_key()).status == 201
    assert payer.post("/v1/transfers", to_shop, key=new_key()).code == "wallet.insufficient_funds"
    back = {"to": {"username": payer.username}, "amount": usd(1)}
    assert shop.post("/v1/transfers", back, key=new_key()).status == 201
    assert (payer.balance, friend.balance, shop.balance) == (1, 2300, 999)
    self = payer.post("/v1/transfers", {"to": {"username": payer.username}, "amount": usd(1)}, key=new_key())
    assert self.code == "wallet.self_transfer"


def test_a_merchant_who_registered_while_the_wallet_was_away_is_sent_money_and_sees_it(billset, payer):
    billset.stop("wallet")
    paid, reads = billset.merchant(), billset.merchant()
    billset.start("wallet").await_health()
    sent = payer.post("/v1/transfers", {"to": {"username": paid.username}, "amount": usd(50)}, key=new_key())
    assert sent.status == 201, sent
    assert (paid.balance, reads.balance) == (50, 0)


def test_the_sum_over_all_accounts_is_zero(bus):
    """Last: the ledger after everything above."""
    assert bus.check_ledger()["entries"] > 100
