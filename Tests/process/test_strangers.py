"""What merchants may not do to people whom they do not know: floods, misleading texts, and money without approval."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from billfold import new_key, until, usd
from notices import inbox

WAITING = 10
ENVIRONMENT = {"BILLFOLD_MERCHANT_APPROVAL": "manual"}


@pytest.fixture(scope="module")
def root(billset):
    return billset.administrator()


def approved(billset, root):
    merchant = billset.merchant(pin="1234")
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    return merchant


def ask(merchant, customer, memo="", key=None):
    return merchant.post(
        "/v1/charges", {"customer": customer.account, "amount": usd(100), "memo": memo}, key=key or new_key())


def test_a_stranger_is_not_flooded_with_requests(billset, root):
    """001-83: one merchant's requests with its own text, and another's notice before them."""
    flooder, other, stranger = approved(billset, root), approved(billset, root), billset.customer()
    first = ask(other, stranger, "Two coffees")
    assert first.status == 201, first

    def flood(number):
        twin = flooder.twin()
        return [ask(twin, stranger, f"Buy now {number}.{place}") for place in range(60)]

    with ThreadPoolExecutor(8) as pool:
        answers = [answer for some in pool.map(flood, range(8)) for answer in some]
    made = [answer.body["charge"] for answer in answers if answer.status == 201]
    assert len(made) == WAITING
    for answer in answers:
        if answer.status != 201:
            assert (answer.status, answer.code) == (429, "payments.too_many_requests"), answer
            assert answer.body["retry"] == "later" and 0 < int(answer.headers["Retry-After"]) <= 300
    found = until(
        lambda: (lambda page: page if page["unread"] > WAITING else None)(inbox(stranger)), "the notices to come")
    assert found["unread"] == WAITING + 1
    # The other's request is there, and so is the way to answer it.
    assert len(stranger.get("/v1/charges?state=requested&limit=100").body["charges"]) == WAITING + 1
    # One that is answered makes room for one.
    assert stranger.post(f"/v1/charges/{made[0]}/decline").status == 200
    assert ask(flooder, stranger).status == 201
    assert ask(flooder, stranger).code == "payments.too_many_requests"
    # Others are not concerned.
    assert ask(flooder, billset.customer()).status == 201
    assert ask(other, stranger).status == 201


@pytest.mark.parametrize("decision", [None, "rejection"])
def test_a_merchant_without_approval_receives_no_transfer(billset, root, decision):
    """A36, A40: by username and by account; no money moves, and with approval it does."""
    giver, merchant = billset.customer(), billset.merchant(pin="1234")
    if decision:
        assert root.post(f"/v1/merchants/{merchant.account}/{decision}", {"reason": "Not found"}).status == 200
    whom = [{"username": merchant.username}, {"account": merchant.account, "role": "merchant"}]
    for to in whom:
        refused = giver.post("/v1/transfers", {"to": to, "amount": usd(100)}, key=new_key())
        assert (refused.status, refused.code) == (403, "payments.merchant_not_approved"), refused
    assert (giver.balance, merchant.balance) == (1650, 0)
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    for to in whom:
        assert giver.post("/v1/transfers", {"to": to, "amount": usd(100)}, key=new_key()).status == 201
    assert (giver.balance, merchant.balance) == (1450, 200)


@pytest.mark.parametrize("text", ["evil\u202egpj.exe", "a\u2066b", "\u200bfree", "pay\u200fment", "\ufeffx", "a\u0085b"])
def test_no_text_reorders_or_hides_what_others_read(billset, root, text):
    giver, merchant = billset.customer(), approved(billset, root)
    to = {"to": {"account": merchant.account, "role": "merchant"}, "amount": usd(1), "memo": text}
    for answer in (
        giver.pay(merchant, 1, memo=text), ask(merchant, giver, text), giver.post("/v1/transfers", to, key=new_key()),
    ):
        assert (answer.status, answer.code) == (400, "bus.malformed"), answer
    place = {"name": text, "latitude": 35198284, "longitude": -111651302}
    assert merchant.post("/v1/places", place, key=new_key()).code == "location.name_invalid"
    offer = {"kind": "ad", "title": text, "content": "All day"}
    assert merchant.post("/v1/offers", offer, key=new_key()).code == "offers.offer_invalid"
    # What people write is taken as it is.
    for memo in ("Käse, 咖啡 👩‍🍳", "می‌خواهم", "❤️"):
        assert giver.paid(merchant, 1, memo=memo)["memo"] == memo
