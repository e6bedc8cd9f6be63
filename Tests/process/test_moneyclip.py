"""Document 001 from end to end, as a client sees it that knows the document and this service's own OpenAPI page."""

import json
import re

import pytest

from billfold import ROOT, Client, new_key, until, usd
from events import EventStream
from test_location import LATITUDE, LONGITUDE, at

FORM = {
    "username": "Ada.L", "password": "Correct-Horse-1", "confirmPassword": "Correct-Horse-1", "email": "ada@example.org",
    "birthdate": "2004-02-29", "student": True, "gender": "F", "firstName": "Ada", "lastName": "Lovelace",
    "regId": "token-of-adas-phone", "type": 1,
}
SHOP = {
    "username": "hermes", "password": "Correct-Horse-2", "confirmPassword": "Correct-Horse-2",
    "email": "till@hermes.example", "address": "1 San Francisco St, Flagstaff", "productTypes": ["coffee", "food"],
    **at(20_000), "name": "MCM", "businessName": "Hermes Commerce Inc.",
}


def logged_in(billset, form):
    client = Client(billset)
    answer = client.post("/v1/sessions", {"username": form["username"], "password": form["password"]})
    assert answer.status == 201, answer
    client.token = answer.body["token"]
    return client


def ok(answer, status=200):
    assert answer.status == status, answer
    return answer.body


@pytest.fixture
def moneyclip():
    """A set as it is by default: merchants wait for an administrator."""
    from billfold import Set

    with_approval = Set(BILLFOLD_MERCHANT_APPROVAL="manual").start().await_health()
    yield with_approval
    with_approval.close()


def test_the_whole_of_moneyclip(moneyclip):
    billset, anyone = moneyclip, Client(moneyclip)
    administrator = billset.administrator()

    # Registration (001-25, 001-42, 001-43, 001-56, 001-72, A37, A38).
    ok(anyone.post("/v1/customers", FORM), 201)
    assert anyone.post("/v1/customers", FORM).code == "auth.username_taken"
    assert anyone.post("/v1/customers", {**FORM, "username": "ada2", "confirmPassword": "other"}).status == 422
    assert anyone.post("/v1/customers", {**FORM, "username": "ada2", "birthdate": "2003-02-29"}).status in (400, 422)
    assert anyone.post("/v1/customers", {**FORM, "username": "ada2", "email": "nowhere"}).status == 422
    shop_id = ok(anyone.post("/v1/merchants", SHOP), 201)["account"]
    # validateLogin is exact in its case (001-87).
    for wrong in ({"username": "ada.l"}, {"password": "correct-horse-1"}):
        body = {"username": FORM["username"], "password": FORM["password"], **wrong}
        assert anyone.post("/v1/sessions", body).code == "auth.wrong_credentials"
    ada, shop = logged_in(billset, FORM), logged_in(billset, SHOP)
    assert [(one["type"], one["address"]) for one in ok(ada.get("/v1/endpoints"))["endpoints"]] == [
        (1, "token-of-adas-phone")]

    # An unapproved merchant may log in, and not charge (A36).
    body = {"customer": "Ada.L", "amount": usd(500), "memo": "1 large coffee"}
    assert shop.post("/v1/charges", body, key=new_key()).code == "payments.merchant_not_approved"
    assert [one["merchant"] for one in ok(administrator.get("/v1/merchants?status=pending"))["merchants"]] == [shop_id]
    ok(administrator.post(f"/v1/merchants/{shop_id}/approval"))

    # Places and positions (001-85, 001-86, 001-90); a card and a PIN to pay with.
    place = ok(shop.post("/v1/places", {"name": "Hermes", **at()}, key=new_key()), 201)["place"]
    ok(shop.post("/v1/places", {"name": "Hermes 2", **at(5_000)}, key=new_key()), 201)
    assert ok(ada.put("/v1/settings/location", {"sharing": True}))["sharing"]
    watching = EventStream(shop, "/v1/customers/nearby/events")
    ok(ada.put("/v1/location", at(40)))
    near = watching.await_event(lambda name, data: name == "nearby" and data["total"] == 1)["customers"][0]
    assert (near["username"], near["place"]) == ("Ada.L", place)
    (hermes,) = ok(ada.get("/v1/merchants/nearby"))["merchants"]
    assert (hermes["username"], hermes["subscription"]) == ("hermes", {"ads": False, "coupons": False})
    ok(ada.put("/v1/pin", {"password": FORM["password"], "pin": "1234"}), 204)
    ok(ada.post("/v1/pin/verifications", {"pin": "1234"}))
    ok(ada.post("/v1/cards", {"number": "4111111111111111", "code": "12345678"}, key=new_key()), 201)

    # A coupon: submitted on the website, approved, wanted by the customer, found nearby (001-65, 001-78, A33, A35).
    coupon = {
        "kind": "coupon", "title": "Half a dollar off", "content": "on any coffee", "minAge": 18, "maxAge": 99,
        "targetGender": "F", "studentTarget": True, "discount": {"amount": usd(50)},
    }
    made = ok(shop.post("/v1/offers", coupon, key=new_key()), 201)["offer"]
    here = f"latitude={LATITUDE}&longitude={LONGITUDE}"
    ok(ada.put(f"/v1/subscriptions/{shop_id}", {"ads": True, "coupons": True}))
    (hermes,) = ok(ada.get("/v1/merchants/nearby"))["merchants"]
    assert hermes["subscription"] == {"ads": True, "coupons": True}
    assert ok(ada.get(f"/v1/coupons?{here}"))["deals"] == []
    ok(administrator.post(f"/v1/offers/{made}/approval"))
    assert [deal["offer"] for deal in ok(ada.get(f"/v1/coupons?{here}"))["deals"]] == [made]
    assert [deal["offer"] for deal in ok(ada.get("/v1/deals/search?product=Coffee"))["deals"]] == [made]
    assert [deal["offer"] for deal in ok(ada.get("/v1/deals/search?merchant=herm"))["deals"]] == [made]

    # chargeUser where the customer is, updatePayment with the coupon, both sides told (001-53, 001-83, 001-84, A32).
    key = new_key()
    charge = ok(shop.post("/v1/charges", {**body, "place": place}, key=key), 201)
    assert charge["presence"]["place"] == place
    assert ok(shop.post("/v1/charges", {**body, "place": place}, key=key), 201) == charge
    pending = ok(ada.get("/v1/charges?state=requested"))["charges"]
    assert [(one["charge"], one["memo"]) for one in pending] == [(charge["charge"], "1 large coffee")]
    path = f"/v1/charges/{charge['charge']}"
    for paid, cancelled in ((True, True), (False, False)):
        assert ada.put(path, {"paid": paid, "cancelled": cancelled}).code == "bus.malformed"
    receipt = ok(ada.put(path, {"paid": True, "cancelled": False, "coupon": made}))["receipt"]
    assert (receipt["amount"], receipt["discount"], receipt["cardBalance"]) == (usd(450), usd(50), usd(1200))
    assert ok(ada.put(path, {"paid": True, "cancelled": False}))["receipt"] == receipt
    assert ada.put(path, {"paid": False, "cancelled": True}).code == "payments.charge_captured"
    assert ok(shop.get("/v1/account"))["balance"] == usd(450)

    # Both sides are told: who is asked when it is asked, who asked when it is answered (001-83, 001-84).
    def told(person, kind):
        return [one for one in ok(person.get("/v1/notices"))["notices"] if one["kind"] == kind]

    (asked,) = until(lambda: told(ada, "request"), "the customer to be told of the request")
    assert asked["link"] == f"/charges/{charge['charge']}" and "$5.00" in asked["title"]
    (answered,) = until(lambda: told(shop, "payment"), "the merchant to be told of the payment")
    assert answered["link"] == f"/charges/{charge['charge']}"

    # From a position to a push: an ad for who comes by, once, opening on that deal (001-4, 001-15, 001-19).
    ad = {"kind": "ad", "title": "Cake is ready", "content": "Still warm", "sendOnEntry": True}
    ad_id = ok(shop.post("/v1/offers", ad, key=new_key()), 201)["offer"]
    ok(administrator.post(f"/v1/offers/{ad_id}/approval"))
    inbox = EventStream(ada, "/v1/notices/events")
    for metres in (2_000, 2_000, 30):
        ok(ada.put("/v1/location", at(metres)))
    pushed = inbox.await_event(lambda name, data: name == "notice" and data["kind"] == "offer")
    assert pushed["link"] == f"/deals/{ad_id}"
    assert ok(ada.get(f"/v1{pushed['link']}"))["deal"]["title"] == "Cake is ready"

    # History, of the money, which nobody takes a fee of (001-1, 001-81, A46), and of the deal (001-22, 001-23, A47).
    for person in (ada, shop):
        (one,) = ok(person.get("/v1/history"))["charges"]
        assert (one["state"], one["amount"], one["discount"]) == ("captured", usd(450), usd(50))
    until(lambda: ok(ada.get("/v1/deals/history"))["used"], "the coupon to be told of as used")
    assert ok(ada.get(f"/v1/coupons?{here}"))["deals"] == []

    # The nine tables as printed (001-92, 001-118 ... 001-130, A30).
    def rows(table):
        return ok(administrator.get(f"/v1/tables?name={table}"))["rows"]

    assert rows("Customers")[0]["userName"] == "Ada.L" and rows("Customers")[0]["pwd"] is None
    assert rows("Merchants") == [
        {"userName": "hermes", "pwd": None, "merchantName": "MCM", "businessName": "Hermes Commerce Inc."}]
    for table in ("subscribeForAds", "subscribeForCoupons"):
        assert rows(table) == [{"userName": "Ada.L", "merchant": "hermes"}]
    # The place of the registration, and two more.
    assert [row["merchantUserName"] for row in rows("merchantLocation")] == ["hermes"] * 3
    (sold,) = rows("customerTransactions")
    assert (sold["merchant"], sold["customer"], sold["cost"]) == ("hermes", "Ada.L", "4.50")
    assert (sold["paid"], sold["cancelled"]) == (1, 0)
    (advertised,) = rows("advertisements")
    assert (advertised["content"], advertised["accepted"], advertised["enabled"]) == ("Still warm", "accepted", "yes")
    (offered,) = rows("coupons")
    assert list(advertised) == [*offered, "accepted", "enabled"]
    assert list(offered) == [
        "merchant", "content", "minAge", "maxAge", "sendTime", "targetGender", "student", "targetLat", "targetLon",
        "expDate"]
    assert (offered["merchant"], offered["minAge"], offered["targetGender"]) == ("hermes", 18, "F")
    assert [(row["merchant"], row["type"]) for row in rows("merchantProductType")] == [
        ("hermes", "coffee"), ("hermes", "food")]
    assert json.dumps(rows("Customers")).find("argon2") == -1


def test_the_map_names_what_there_is(billset):
    """docs/moneyclip.md: each route and each message that it names exists."""
    text = (ROOT / "docs" / "moneyclip.md").read_text()
    paths = Client(billset).get("/openapi.json").body["paths"]
    routes = re.findall(r"`(GET|POST|PUT|DELETE) (/v1/[^`?]*)`", text)
    assert len(routes) > 80
    for method, path in routes:
        assert method.lower() in paths.get(path, {}), (method, path)
    types = {path.name.removesuffix(".json") for path in (ROOT / "Tests" / "ContractTests" / "Golden").glob("*.json")}
    for name in re.findall(r"`((?:auth|location|offers|payments|wallet|notifications)\.[a-z.]+\.v\d)`", text):
        assert name in types, name
