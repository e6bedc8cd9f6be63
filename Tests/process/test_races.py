"""Many at once: whoever is first decides, nothing is spent twice, and nobody spends what is not there."""

import collections
import json
import time

import pytest

from billfold import Threads, new_key, post_payment, usd

CROWD = 12


def together(acts):
    """Does all of it at once; the answers in the order of the acts."""
    answers, threads = [None] * len(acts), Threads()

    def act(place, body):
        answers[place] = body()

    for place, body in enumerate(acts):
        threads.run(act, place, body)
    threads.join()
    return answers


@pytest.fixture
def payer(billset):
    return billset.customer()


def codes(answers):
    return collections.Counter(answer.code or answer.status for answer in answers)


def test_one_card_and_many_payments(bus, payer, merchant):
    """A17: 16.50 allows exactly 11 payments of 1.50, in whatever order they come."""
    merchant.balance  # the account is open
    twins = [payer.twin() for _ in range(CROWD * 2)]
    answers = together([
        lambda twin=twin: twin.insist("POST", "/v1/payments", {"merchant": merchant.account, "amount": usd(150)}, new_key())
        for twin in twins])
    assert codes(answers) == {201: 11, "wallet.insufficient_funds": CROWD * 2 - 11}
    assert payer.balance == 0
    assert sorted(a.body["cardBalance"]["amount"] for a in answers if a.status == 201) == list(range(0, 1650, 150))
    bus.check_ledger()


def test_one_key_and_many_requests(payer, merchant):
    key, body = new_key(), {"merchant": merchant.account, "amount": usd(150)}
    answers = together([
        lambda twin=payer.twin(): twin.insist("POST", "/v1/payments", body, key) for _ in range(CROWD)])
    assert {answer.raw for answer in answers if answer.status == 201} == {answers[0].raw}
    assert codes(answers) == {201: CROWD} and sum(not answer.replayed for answer in answers) == 1
    assert payer.balance == 1500


def test_one_pay_code_and_many_merchants(billset, payer, merchant):
    code = payer.post("/v1/pay-codes", {}).body["code"]
    shops = [merchant.twin() for _ in range(CROWD - 2)] + [billset.merchant() for _ in range(2)]
    answers = together([
        lambda shop=shop: shop.insist("POST", "/v1/code-payments", {"code": code, "amount": usd(100)}, new_key())
        for shop in shops])
    assert codes(answers) == {201: 1, "payments.code_used": CROWD - 1}
    assert payer.balance == 1550


def test_one_payment_and_many_refunds(bus, payer, merchant):
    receipt = payer.paid(merchant, 1000)
    path = f"/v1/charges/{receipt['charge']}/refunds"
    answers = together([
        lambda twin=merchant.twin(): twin.insist("POST", path, {"amount": usd(300)}, new_key()) for _ in range(CROWD)])
    assert codes(answers) == {201: 3, "wallet.refund_too_large": CROWD - 3}
    assert payer.balance == 1550
    bus.check_ledger()


@pytest.mark.parametrize("round", range(6))
def test_a_charge_that_all_decide_at_once(bus, payer, merchant, round):
    before = merchant.balance
    charge = merchant.post(
        "/v1/charges", {"customer": payer.account, "amount": usd(50)}, key=new_key()).body["charge"]
    kinds = ["approval", "decline", "cancellation"] * 4
    answers = together([
        lambda kind=kind, twin=(merchant if kind == "cancellation" else payer).twin(): twin.insist(
            "POST", f"/v1/charges/{charge}/{kind}")
        for kind in kinds])
    state = payer.get(f"/v1/charges/{charge}").body["state"]
    winner = {"captured": "approval", "declined": "decline", "cancelled": "cancellation"}[state]
    for kind, answer in zip(kinds, answers):
        if kind == winner:
            assert answer.status == 200, (kind, answer)
        else:
            assert (answer.status, answer.code) == (409, f"payments.charge_{state}"), (kind, answer)
    assert sum(kind == winner and not answer.replayed for kind, answer in zip(kinds, answers)) == 1
    paid = 50 if state == "captured" else 0
    assert (payer.balance, merchant.balance) == (1650 - paid, before + paid)
    assert merchant.get(f"/v1/charges/{charge}").body["state"] == state


def test_what_was_refused_as_late_never_happens(billset, bus, payer, merchant):
    """The wallet is frozen until the askers have given up. Then it finds their asks, and leaves them."""
    payer.paid(merchant, 1)
    entries = bus.ledger()["entries"]
    asks = [post_payment(payer, merchant, 1) for _ in range(50)]
    with billset.frozen("wallet"):
        deadline = int(time.time() * 1000) + 300
        for ask in asks:
            bus.send(ask, deadline_ms=deadline)
        answers = [json.loads(bus.receive()[2]) for _ in asks]
        assert {a["data"]["code"] for a in answers} <= {"bus.outcome_unknown", "bus.deadline_exceeded"}
    # Asks of one peer are handled in their order: the frozen ones are behind this one's answer.
    assert bus.ledger()["entries"] == entries
    # Nothing was recorded under their ids; asked again in time, they are done.
    again = bus.pipeline(asks)
    assert {a["type"] for a in again} == {"wallet.payment.post.v1.reply"}
    assert not any(a["data"]["replayed"] for a in again)
    assert bus.check_ledger()["entries"] == entries + 50


def test_an_outcome_that_is_unknown_is_known_later(billset, payer, merchant):
    """A frozen wallet: the gateway gives up first. The same key then has one answer, for good."""
    key = new_key()
    with billset.frozen("wallet"):
        answer = payer.pay(merchant, 150, key=key)
        assert answer.status in (503, 504) and answer.body["retry"] in ("same_key", "later"), answer
    answer = payer.insist("POST", "/v1/payments", {"merchant": merchant.account, "amount": usd(150)}, key)
    assert answer.status == 201 and payer.balance == 1500
    again = payer.pay(merchant, 150, key=key)
    assert again.replayed and again.body == answer.body


def test_what_payments_tells_is_without_gap_and_told_once(billset, bus, payer, merchant):
    """Its facts before and after a kill: numbered from 1 on, one capture for each charge."""
    for _ in range(20):
        payer.paid(merchant, 1)
    billset.kill("payments")
    billset.start("payments")
    billset.await_health()
    last = payer.paid(merchant, 1)
    assert payer.get(f"/v1/receipts/{last['charge']}").status == 200
    facts = [json.loads(fact) for fact in bus.facts("payments")]
    assert [int(fact["sequence"]) for fact in facts] == list(range(1, len(facts) + 1))
    captured = [fact["data"]["charge"] for fact in facts if fact["type"] == "payments.charge.captured.v1"]
    posted = [json.loads(fact)["data"]["payment"] for fact in bus.facts("wallet")
              if b'"type":"wallet.payment.posted.v1"' in fact]
    assert captured == posted
    assert len(set(captured)) == len(captured)

