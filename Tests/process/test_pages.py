"""What pages need behind them: names, activities, typed amounts, numbers of charges, sessions, tables."""

import csv
import email
import email.policy
import io

import pytest

from billfold import Client, Person, new_id, new_key, registration, until, usd
from device import Device
from test_location import LATITUDE, LONGITUDE, at

ENVIRONMENT = {"BILLFOLD_LOG": "trace"}


def ok(answer, status=200):
    assert answer.status == status, answer
    return answer.body


def charged(merchant, customer, amount, **more):
    return ok(merchant.post("/v1/charges", {"customer": customer.username, "amount": amount, **more}, key=new_key()), 201)


def test_amounts_as_they_are_typed(billset, customer, merchant):
    """A34, A50, 001-52: a point or a comma, at most two decimals; anything else is an invalid text."""
    for text, minor in (("4.50", 450), ("4,50", 450), ("4", 400), ("4.5", 450)):
        assert charged(merchant, customer, text)["amount"] == usd(minor)
    for text in ("", "abc", "4.505", "-4", "4.5.0", "1e3"):
        refused = merchant.post("/v1/charges", {"customer": customer.username, "amount": text}, key=new_key())
        assert (refused.status, "'amount' is an invalid text" in refused.body["detail"]) == (400, True), text
    nothing = merchant.post("/v1/charges", {"customer": customer.username, "amount": "0"}, key=new_key())
    assert nothing.code == "wallet.amount_invalid"


def test_a_charge_has_names_and_a_number_that_is_its_second_address(billset, customer, merchant):
    """A32, 001-84; a refusal needs no PIN in either form."""
    made = charged(merchant, customer, "3.00", memo="Tea")
    assert (made["merchantName"], made["customerName"]) == (merchant.username, customer.username)
    number = made["productIndex"]
    for person in (customer, merchant):
        (found,) = ok(person.get(f"/v1/charges?productIndex={number}"))["charges"]
        assert (found["charge"], found["productIndex"]) == (made["charge"], number)
    stranger = billset.customer()
    assert ok(stranger.get(f"/v1/charges?productIndex={number}"))["charges"] == []
    answer = {"paid": False, "cancelled": True}
    assert stranger.put(f"/v1/charges?productIndex={number}", answer).code == "payments.charge_not_found"
    careless = Client(billset)
    careless.token = ok(
        careless.post("/v1/sessions", {"username": customer.username, "password": Person.PASSWORD}), 201)["token"]
    path = f"/v1/charges?productIndex={number}"
    assert careless.put(path, {"paid": True, "cancelled": False}).code == "auth.pin_required"
    assert ok(careless.put(path, answer))["charge"]["state"] == "declined"
    # The printed table has the same number.
    rows = ok(billset.administrator().get("/v1/tables?name=customerTansactions&limit=100"))["rows"]
    assert [row["cancelled"] for row in rows if row["productIndex"] == number] == [1]


def test_a_username_of_32_hexadecimal_digits_can_be_charged(billset, merchant):
    person = billset.customer(name=new_id())
    assert charged(merchant, person, "1.00")["customer"] == person.account
    by_id = merchant.post("/v1/charges", {"customer": person.account, "amount": "1.00"}, key=new_key())
    assert ok(by_id, 201)["customer"] == person.account


def test_activities_are_what_moved_and_a_receiver_is_told(billset, merchant):
    """A91, A46, A60, 001-39, 001-49."""
    ada, bob = billset.customer(), billset.customer()
    paid = ada.paid(merchant, 150, memo="Coffee")
    assert ada.reload(1000).status == 201
    body = {"to": {"username": bob.username}, "amount": "2,50", "memo": "Lunch"}
    sent = ok(ada.post("/v1/transfers", body, key=new_key()), 201)
    assert sent["toName"] == bob.username
    ok(merchant.post(f"/v1/charges/{paid['charge']}/refunds", {"amount": "0.50"}, key=new_key()), 201)
    ok(bob.post("/v1/transfers", {"to": {"username": ada.username}, "amount": "1"}, key=new_key()), 201)

    def seen(person, path="/v1/activities"):
        page = ok(person.get(path))
        return [(one["kind"], one["amount"]["amount"], one.get("counterpartyName")) for one in page["activities"]]

    expected = [("transfer", 100, bob.username), ("refund", 50, merchant.username), ("transfer", -250, bob.username),
                ("reload", 1000, None), ("payment", -150, merchant.username)]
    assert seen(ada) == seen(ada, "/v1/recentActivites") == expected
    assert seen(bob) == [("transfer", -100, ada.username), ("transfer", 250, ada.username)]
    # A second card of the same customer is in the same list; pages follow each other without a gap.
    ada.add_card()
    for _ in range(9):
        ada.paid(merchant, 1)
    first = ok(ada.get("/v1/activities"))
    assert len(first["activities"]) == 10
    older = ok(ada.get(f"/v1/activities?before={first['next']}"))["activities"]
    assert len(first["charges"]) == len([one for one in first["activities"] if one["kind"] == "payment"])
    assert [one["kind"] for one in first["activities"] + older] == ["payment"] * 9 + [kind for kind, _, _ in expected]

    (told,) = until(
        lambda: [one for one in ok(bob.get("/v1/notices"))["notices"] if one["kind"] == "transfer"],
        "the receiver to be told")
    assert told["title"] == f"{ada.username} sent you $2.50" and told["text"] == "Lunch"


def test_the_card_that_last_paid_is_the_one_that_pays(billset, merchant):
    """A93, 000-13."""
    ada = billset.customer()
    second = ada.add_card()
    assert ok(ada.get("/v1/cards/default"))["card"] == second
    ada.paid(merchant, 100, card=ada.card)
    assert ok(ada.get("/v1/cards/default"))["card"] == ada.card
    assert ada.paid(merchant, 100)["card"] == ada.card


def test_sessions_are_listed_and_ended(billset):
    ada = billset.customer()
    phone = Client(billset)
    body = {"username": ada.username, "password": Person.PASSWORD}
    opened = ok(phone.post("/v1/sessions", body, headers={"User-Agent": "Phone/1"}), 201)
    phone.token = opened["token"]
    listed = ok(ada.get("/v1/sessions"))["sessions"]
    assert [(one["current"], one.get("client")) for one in listed] == [(False, "Phone/1"), (True, None)]
    # Nobody ends another's.
    stranger = billset.customer()
    assert stranger.delete(f"/v1/sessions/{opened['session']['session']}").status == 204
    assert phone.get("/v1/sessions/current").status == 200
    assert ada.delete(f"/v1/sessions/{opened['session']['session']}").status == 204
    assert phone.get("/v1/sessions/current").code == "auth.session_not_found"
    ada.twin().post("/v1/sessions", body)
    assert ada.delete("/v1/sessions").status == 204
    assert [one["current"] for one in ok(ada.get("/v1/sessions"))["sessions"]] == [True]


def test_sales_as_a_table(billset, customer):
    """001-67, 001-69."""
    shop = billset.merchant()
    assert customer.reload(10_000).status == 201
    # A quotation mark that carries a combining mark ends a cell all the same, and a sign with one begins a formula.
    memos = {1: "=1+1", 2: "x\"\u0301,=1+1,\"\u0301", 3: "=\ufe0f1+1"}
    for minor in range(1, 106):
        customer.paid(shop, minor, memo=memos.get(minor, "Tea, \"hot\""))
    answer = shop.get("/v1/sales.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.raw.decode())))
    assert [row["amount"] for row in rows] == [f"{minor // 100}.{minor % 100:02}" for minor in range(105, 0, -1)]
    assert rows[-1]["memo"] == "'=1+1" and rows[0]["memo"] == "Tea, \"hot\""
    assert rows[-2]["memo"] == memos[2] and rows[-3]["memo"] == "'" + memos[3] and None not in rows[-2]
    assert {row["customerName"] for row in rows} == {customer.username}
    assert customer.get("/v1/sales.csv").code == "bus.forbidden"


def test_one_list_of_categories(billset):
    """A92: served to everyone in both languages; another word is refused by the field's name."""
    listed = ok(Client(billset).get("/v1/categories"))["categories"]
    assert [one["category"] for one in listed] == [
        "food", "coffee", "groceries", "pharmacy", "fashion", "electronics", "books", "home", "sports", "beauty",
        "services", "other"]
    assert listed[1] == {"category": "coffee", "en": "Coffee", "de": "Kaffee"}
    body = registration("merchant", "m" + new_id()[:12])
    refused = Client(billset).post("/v1/merchants", {**body, "productTypes": ["pastries"]})
    assert refused.code == "auth.profile_invalid" and "'productTypes'" in refused.body["detail"]
    ok(Client(billset).post("/v1/merchants", {**body, "productTypes": ["coffee", "other"]}), 201)


def test_a_merchant_registers_with_its_place(billset):
    """001-56, A39."""
    client = Client(billset)
    body = registration("merchant", "m" + new_id()[:12], **at())
    key = new_key()
    made = ok(client.post("/v1/merchants", body, key=key), 201)
    assert made["placed"] is True
    client.token = ok(client.post("/v1/sessions", {name: body[name] for name in ("username", "password")}), 201)["token"]
    (place,) = ok(client.get("/v1/places"))["places"]
    assert (place["merchant"], place["latitude"], place["longitude"]) == (made["account"], LATITUDE, LONGITUDE)
    assert client.post("/v1/merchants", {**body, "username": new_id(), "latitude": 90_000_001}).code == (
        "location.coordinate_invalid")
    # A late repeat leaves the place as it is now.
    ok(client.put(f"/v1/places/{place['place']}", {"name": "Renamed", **at()}))
    again = client.post("/v1/merchants", body, key=key, token=None)
    assert (again.status, again.body, again.replayed) == (201, made, True)
    assert [one["name"] for one in ok(client.get("/v1/places"))["places"]] == ["Renamed"]


def test_a_place_that_location_cannot_take(billset):
    """A38: the answer says so, and the repeated request brings the place."""
    client, key = Client(billset), new_key()
    body = registration("merchant", "m" + new_id()[:12])
    billset.stop("location")
    made = ok(client.post("/v1/merchants", body, key=key), 201)
    assert made["placed"] is False
    billset.start("location").await_health()
    again = ok(client.post("/v1/merchants", body, key=key), 201)
    assert again == {**made, "placed": True}
    client.token = ok(client.post("/v1/sessions", {name: body[name] for name in ("username", "password")}), 201)["token"]
    assert len(ok(client.get("/v1/places"))["places"]) == 1


REQUIRED = {
    "customer": ["username", "password", "confirmPassword", "email", "birthdate", "student"],
    "merchant": [
        "username", "password", "confirmPassword", "email", "address", "productTypes", "latitude", "longitude"],
}


@pytest.mark.parametrize("role", REQUIRED)
def test_a_registration_without_a_required_field(billset, role):
    """A38, 001-25, 001-43: it is refused with the field's name, and nothing is made."""
    body = registration(role, role[0] + new_id()[:12])
    for field in REQUIRED[role]:
        refused = Client(billset).post(f"/v1/{role}s", {name: value for name, value in body.items() if name != field})
        assert (refused.status, refused.code) == (400, "bus.malformed"), (field, refused)
        assert f"'{field}'" in refused.body["detail"], (field, refused)
    for field, value in (("email", ""), ("address", ""), ("productTypes", [])):
        if field in body:
            refused = Client(billset).post(f"/v1/{role}s", {**body, field: value})
            assert refused.status == 422 and field.lower() in refused.body["detail"].lower(), (field, refused)
    differing = Client(billset).post(f"/v1/{role}s", {**body, "confirmPassword": Person.PASSWORD + "!"})
    assert (differing.status, differing.code) == (422, "gateway.passwords_differ")
    ok(Client(billset).post(f"/v1/{role}s", body), 201)


def test_who_is_near_in_pages(billset):
    shop = billset.merchant()
    ok(shop.post("/v1/places", {"name": "Far away", "latitude": 1_000_000, "longitude": 1_000_000}, key=new_key()), 201)
    people = [billset.customer(card=False, pin=None) for _ in range(5)]
    # The last one is 100.08 m away.
    for place, person in enumerate(people):
        ok(person.put("/v1/settings/location", {"sharing": True}))
        ok(person.put("/v1/location", {"latitude": 1_000_000 + 225 * place, "longitude": 1_000_000}))
    seen, skip = [], 0
    while skip is not None:
        page = ok(shop.get(f"/v1/customers/nearby?limit=2&freshness=unlimited&skip={skip}"))
        assert page["total"] == 4
        seen += [one["customer"] for one in page["customers"]]
        skip = page.get("next")
    assert seen == [person.account for person in people[:4]]


def test_where_customers_are_in_the_printed_table(billset):
    """A97, 001-98, 001-99, 001-101: for administrators, while location holds it for somebody who shares."""
    root, ada = billset.administrator(), billset.customer(card=False, pin=None)

    def row():
        rows, offset = [], 0
        while offset is not None:
            page = ok(root.get(f"/v1/tables?name=Customers&limit=100&offset={offset}"))
            rows, offset = rows + page["rows"], page.get("next")
        (one,) = [row for row in rows if row["userName"] == ada.username]
        return one

    before = row()
    assert (before["currentLat"], before["currentLon"]) == (None, None) and before["timestamp"]
    ok(ada.put("/v1/settings/location", {"sharing": True}))
    ok(ada.put("/v1/location", at()))
    shared = row()
    assert (shared["currentLat"], shared["currentLon"]) == (LATITUDE, LONGITUDE)
    assert shared["timestamp"] >= before["timestamp"] and len(shared["timestamp"]) == 19
    ok(ada.put("/v1/settings/location", {"sharing": False}))
    assert row() == before


def test_a_forgotten_username(billset):
    """A90: by the e-mail address alone, and the answer is the same for one that nobody has."""
    address = f"{new_id()[:12]}@example.com"
    names = []
    for _ in range(2):
        client = Client(billset)
        names.append("u" + new_id()[:12])
        ok(client.post("/v1/customers", registration("customer", names[-1], email=address)), 201)
    client = Client(billset)
    asked = ok(client.post("/v1/password-resets", {"email": address.upper()}), 202)
    nobody = ok(client.post("/v1/password-resets", {"email": "nobody@example.com"}), 202)
    assert asked.keys() == nobody.keys() == {"expires"}

    def letters():
        found = (billset.data / "notifications" / "outbox").glob("*.eml")
        mails = [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in found]
        return [f"{mail['To']} {mail.get_content()}" for mail in mails if "usernames" in mail["Subject"]]

    (letter,) = until(letters, "the letter with the usernames")
    assert all(name in letter for name in names) and address in letter.lower()


def test_a_demo_device_never_waits_after_wrong_pins(billset):
    """A100, A9, D17."""
    device = Device(billset)
    for _ in range(12):
        device.type("9999")
        assert device.display["error"] == "Invalid Pin"
    device.unlock()


def test_an_address_without_a_page_is_said_in_words_to_a_browser(billset):
    for path in ("/nothing", "/wallet/", "/v2/cards"):
        page = Client(billset).get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert page.status == 404 and page.headers["Content-Type"].startswith("text/html"), page
        assert b"There is no such page" in page.raw and b'href="/"' in page.raw
        assert Client(billset).get(path).code == "gateway.not_found"
