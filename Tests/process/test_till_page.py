"""The merchant's app at /till: a real browser, the real set, and what a merchant does.

Covers, as seen on the page: 001-18 to 001-20, 001-50 to 001-56, 001-59 to 001-73, A34, A38, A50, A92, A94.

Screenshots, light and dark, on a phone and a desktop, go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import datetime
import itertools
import re
import urllib.parse

import pytest

from apps import LOOKS, PLACE, TIGHT, AppPage, directory_of_pictures
from billfold import ROOT, Client, Person, new_id, new_key, usd
from images import PIXEL
from notices import register
from receivers import Receiver
from test_storefront import PAGE, opened
from webpage import DESKTOP, NARROW, PHONE, chromium, drop_answers, expect  # noqa: F401: chromium is a fixture

# New merchants wait for an administrator, as they do outside of tests.
ENVIRONMENT = {
    "BILLFOLD_MERCHANT_APPROVAL": "manual", "BILLFOLD_DEADLINE_MS": "4000", "BILLFOLD_CHARGE_PRESENCE": "known",
    # Web hooks on this machine, and one try.
    "BILLFOLD_PUSH_PRIVATE": "1", "BILLFOLD_PUSH_ATTEMPTS": "1"}


class Till(AppPage):
    app = "till"

    def log_in(self, merchant):
        return super().log_in(merchant, "Charge")

    def type_amount(self, text, memo=""):
        self.field("Amount").fill(text)
        if memo:
            self.field("For what").fill(memo)
        self.button("Choose who pays").click()
        return self

    def asks(self, username):
        self.shows("Who pays?")
        self.field("Username").fill(username)
        self.button("Send the request").click()
        return self

    def charged(self):
        """The charge that is waited for."""
        self.tab.wait_for_url(re.compile("#/waiting/"))
        return self.tab.url.rsplit("/", 1)[1].split("?")[0]

    def sure(self, action):
        """Says yes to what is asked once."""
        self.tab.get_by_role("dialog").get_by_role("button", name=action).click()
        return self

    def ends(self, words):
        return self.reads(".result .verdict", words)


@pytest.fixture
def visit(chromium, billset):
    """Makes tills, each with a storage of its own. None may break its policy, or throw."""
    made = []

    def visit(*arguments, of=Till, **options):
        made.append(of(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture(scope="module")
def root(billset):
    return billset.administrator("root")


kilometres = itertools.count(1)


def shop(billset, root, name="Coffee House"):
    """An approved merchant at a place."""
    merchant = billset.merchant().without_places()
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    assert merchant.put("/v1/settings/account", {"name": name}).status == 200
    # A kilometre from all others, so that nobody of another test is near.
    merchant.at = {**PLACE, "latitude": PLACE["latitude"] + 10_000 * next(kilometres)}
    assert merchant.post("/v1/places", {"name": f"{name}, Aspen Avenue", **merchant.at}, key=new_key()).status == 201
    return merchant


@pytest.fixture
def coffee(billset, root):
    """A merchant for each test, so that lists hold what the test has made."""
    return shop(billset, root)


@pytest.fixture
def ada(billset):
    """A customer who lets every merchant ask, so that tests need not walk."""
    customer = billset.customer()
    assert customer.put("/v1/settings/charges", {"everyone": True}).status == 200
    return customer


def near(customer, merchant):
    assert customer.put("/v1/settings/location", {"sharing": True}).status == 200
    assert customer.put("/v1/location", merchant.at).status == 200
    return customer


def approve(customer, charge, minor):
    answer = customer.post(f"/v1/charges/{charge}/approval", {"amount": usd(minor)})
    assert answer.status in (200, 201), answer


# MARK: The way in


def test_a_new_merchant_waits_and_is_approved(visit, billset, root):
    """001-56, 001-72, A38, A92: address, kinds of products and a place are asked for; then an administrator decides."""
    page = visit()
    page.link("Create account").click()
    page.shows("Create account")
    name = f"m{new_id()[:12]}"
    fields = {
        "Username": name, "Password": Person.PASSWORD, "Password again": Person.PASSWORD,
        "Name of the business": "Corner Café", "Address": "1 Aspen Avenue", "E-mail": "zoe@example.org"}
    for label, value in fields.items():
        page.field(label).fill(value)
    page.button("Create account").click()
    page.reads("form > .problem", re.compile("What you sell is missing"))
    page.field("Coffee").check()
    page.button("Create account").click()
    page.reads("form > .problem", re.compile("The place is missing"))
    # On the map, by the keyboard: its middle.
    page.button("Set the middle of the map").click()
    expect(page.field("Latitude")).to_have_value("35.198284")
    page.button("Create account").click()
    page.shows("Charge").reads(".note", re.compile("waits for approval"))
    client = Client(billset)
    client.token = client.post("/v1/sessions", {"username": name, "password": Person.PASSWORD}).body["token"]
    account = client.get("/v1/settings/account").body
    assert (account["businessName"], account["address"], account["productTypes"]) == (
        "Corner Café", "1 Aspen Avenue", ["coffee"])
    place, = client.get("/v1/places").body["places"]
    assert (place["name"], place["latitude"], place["longitude"]) == ("Corner Café", *PLACE.values())
    merchant = client.get("/v1/sessions/current").body["account"]
    assert root.post(f"/v1/merchants/{merchant}/approval").status == 200
    page.reads("#alerts .note span", "Your account was approved")
    page.field("Amount").wait_for()
    page.link("Look").click()
    page.shows("Messages").reads(".item .what", "Your account was approved")
    page.go("/")
    page.tab.get_by_label("Amount").wait_for()


def test_a_merchant_who_is_rejected_reads_why(visit, billset, root):
    merchant = billset.merchant().without_places()
    answer = root.post(f"/v1/merchants/{merchant.account}/rejection", {"reason": "We know of no such café."})
    assert answer.status == 200
    page = visit().log_in(merchant)
    told = "Your account was not approved. Nobody can be charged. Reason: We know of no such café."
    page.reads(".note", told)
    page.go("/settings").reads(".note", told)


def test_a_customer_has_no_till(visit, ada):
    page = visit()
    page.field("Username").fill(ada.username)
    page.field("Password").fill(ada.PASSWORD)
    page.button("Log in").click()
    page.reads("form > .problem", re.compile("belongs to another app"))
    page.field("Password").fill("wrong horse battery")
    page.button("Log in").click()
    page.reads("form > .problem", re.compile("The username and/or password is wrong"))


# MARK: Charge


def test_the_three_alerts(visit, coffee):
    """001-53, A50: bad user, blank field, invalid text; no charge is made."""
    page = visit().log_in(coffee)
    expect(page.field("Amount")).to_be_focused()
    page.button("Choose who pays").click()
    page.reads(".field .problem", "Blank field. Enter an amount.")
    for typed in ("four", "4.555", "-4", "0"):
        page.field("Amount").fill(typed)
        page.button("Choose who pays").click()
        page.reads(".field .problem", re.compile("^Invalid text"))
    page.type_amount("4.50").asks("nobody.of.this.name")
    page.reads("form > .problem", re.compile("^Bad user.*No money has moved"))
    assert coffee.get("/v1/charges").body["charges"] == []


def test_another_merchant_in_the_tab_begins_anew(visit, billset, root, coffee):
    """What was typed stays with the account: after another log-in it is there again."""
    other = shop(billset, root, "Tea House")
    page = visit().log_in(coffee)
    page.field("Amount").fill("4.50")
    page.field("For what").fill("Flat white")
    for merchant, amount, memo in ((other, "", ""), (coffee, "4.50", "Flat white")):
        page.button("Log out").click()
        page.log_in(merchant)
        expect(page.field("Amount")).to_have_value(amount)
        expect(page.field("For what")).to_have_value(memo)


def test_a_stranger_is_not_asked(visit, billset, coffee):
    """A96, 001-51: the till opens no charge for somebody who is not near and does not know the merchant, and says why."""
    stranger = billset.customer()
    page = visit().log_in(coffee)
    page.type_amount("4.50").asks(stranger.username)
    page.reads("form > .problem", re.compile("^Where the customer is now is not known.*No money has moved.*Take a code"))
    assert coffee.get("/v1/charges").body["charges"] == [] == stranger.get("/v1/charges").body["charges"]
    assert stranger.put(f"/v1/settings/charges/{coffee.account}", {"allowed": True}).status == 200
    page.button("Send the request").click()
    charge = page.charged()
    assert stranger.get(f"/v1/charges/{charge}").body["state"] == "requested"


def test_a_code_is_typed(visit, billset, coffee):
    """Ten characters, as the wallet shows them; a wrong one is found, and each pays once."""
    customer = billset.customer()
    typed = customer.post("/v1/pay-codes", {"typed": True}).body["typed"]
    page = visit().log_in(coffee)
    page.type_amount("2.75").shows("Who pays?")
    page.field("Code").fill(typed[:-1] + ("2" if typed[-1] != "2" else "3"))
    page.button("Take the payment").click()
    page.reads("form > .problem", re.compile("^This is no code to pay with"))
    page.field("Username").fill("nobody.of.this.name")
    page.button("Send the request").click()
    page.reads("form > .problem", re.compile("^Bad user"))
    expect(page.tab.locator("form > .problem:not(:empty)")).to_have_count(1)
    page.field("Code").fill(f"{typed[:5].lower()} {typed[5:].lower()}")
    page.button("Take the payment").click()
    page.ends("Paid")
    assert coffee.balance == 275


def test_a_charge_nearby_is_paid(visit, coffee, ada):
    """001-50 to 001-54: the keypad, whom from the live list, the time left, the result, the receipt."""
    page = visit(PHONE).log_in(coffee)
    for key in ("4", "Decimal point", "5", "0"):
        page.button(key).click()
    expect(page.field("Amount")).to_have_value("4.50")
    page.field("For what").fill("Flat white")
    page.button("Choose who pays").click()
    page.shows("Who pays?").reads(".near .empty", re.compile("Nobody who shares a position is near"))
    # Whoever comes near appears by itself.
    near(ada, coffee)
    page.tab.get_by_role("button", name=re.compile(f"^{ada.username}")).click()
    charge = page.charged()
    page.shows(f"{ada.username} decides").reads(".left", re.compile(r"^\d:\d\d left$"))
    answer = ada.get(f"/v1/charges/{charge}").body
    assert (answer["amount"], answer["memo"], answer["state"]) == (usd(450), "Flat white", "requested")
    # That the customer was there is kept with the charge.
    assert answer["presence"]["place"] == coffee.get("/v1/places").body["places"][0]["place"]
    approve(ada, charge, 450)
    page.ends("Paid")
    assert any("Paid $4.50" in said for said in page.said), page.said
    page.link("Receipt").click()
    page.shows("Receipt").reads(".receipt money-amount", "$4.50")
    page.tab.emulate_media(media="print")
    # What a roll of 80 mm has room for.
    assert page.tab.locator(".roll").is_visible() and not page.button("Print").is_visible()
    page.tab.emulate_media(media="screen")
    page.link("New charge").click()
    page.tab.get_by_label("Amount").wait_for()
    expect(page.field("Amount")).to_have_value("")


def test_declined_and_taken_back(visit, coffee, ada):
    page = visit().log_in(coffee)
    charge = page.type_amount("2").asks(ada.username).charged()
    assert ada.post(f"/v1/charges/{charge}/decline").status == 200
    page.ends("Declined").reads(".result", re.compile("No money has moved"))
    page.button("New charge").click()
    charge = page.type_amount("3.00").asks(ada.username).charged()
    page.button("Take the request back").click()
    page.sure("Take the request back").ends("Taken back")
    assert ada.get(f"/v1/charges/{charge}").body["state"] == "cancelled"


def test_taking_a_request_back_asks_once(visit, coffee, ada):
    """Whoever does not say yes goes on waiting, and what is paid meanwhile is shown."""
    page = visit().log_in(coffee)
    charge = page.type_amount("3.00").asks(ada.username).charged()
    page.button("Take the request back").click()
    dialog = page.tab.get_by_role("dialog", name="Take the request back")
    expect(dialog).to_contain_text(f"{ada.username} cannot approve it any more.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(page.button("Take the request back")).to_be_focused()
    assert ada.get(f"/v1/charges/{charge}").body["state"] == "requested"
    page.button("Take the request back").click()
    dialog.wait_for()
    approve(ada, charge, 300)
    page.ends("Paid")
    expect(dialog).to_have_count(0)


def test_an_error_goes_when_another_way_is_tried(visit, coffee):
    """Who pays: what was wrong with the code says nothing of the username."""
    page = visit().log_in(coffee)
    page.type_amount("1.50").shows("Who pays?")
    page.field("Code").fill("BF1.no.code")
    page.button("Take the payment").click()
    page.reads("#by-code > .problem", re.compile("no code to pay with"))
    page.asks("nobody.of.this.name")
    page.reads("#by-name > .problem", re.compile("^Bad user"))
    expect(page.tab.locator("#by-code > .problem")).to_have_text("")


def test_a_code_is_typed_by_a_scanner(visit, coffee, ada):
    """The field for codes has the focus, and a scanner ends with Enter."""
    page = visit().log_in(coffee)
    page.type_amount("1.50").shows("Who pays?")
    expect(page.field("Code")).to_be_focused()
    page.tab.keyboard.type("BF1.no.code")
    page.tab.keyboard.press("Enter")
    page.reads("form > .problem", re.compile("no code to pay with.*No money has moved"))
    code = ada.post("/v1/pay-codes", {}).body["code"]
    page.field("Code").fill(code)
    page.tab.keyboard.press("Enter")
    page.ends("Paid")
    assert coffee.balance == 150


def test_the_customer_was_not_notified(visit, coffee, ada):
    """A94: where pushes are off the merchant is told while the request waits."""
    assert ada.put("/v1/settings/notices", {"enabled": False, "muted": []}).status == 200
    page = visit().log_in(coffee)
    page.type_amount("1").asks(ada.username).charged()
    page.reads(".waiting-for .note", re.compile("The customer was not notified"))


def test_a_lost_answer_charges_once(visit, coffee, ada):
    """The answer is lost and the page reloaded: the same charge is found out, and no second one is made."""
    page = visit().log_in(coffee)
    lost = drop_answers(page, "/v1/charges$", 4)
    page.type_amount("4.50").asks(ada.username)
    page.reads(".problem", re.compile("Whether money has moved is not known yet"))
    assert lost[0] == 201
    page.tab.unroute_all(behavior="ignoreErrors")
    page.tab.reload()
    page.tab.wait_for_url(re.compile("#/waiting/"))
    page.shows(re.compile(" decides$"))
    assert len(coffee.get("/v1/charges").body["charges"]) == 1
    assert page.tab.evaluate("() => Object.keys(localStorage).filter((name) => name.startsWith('billfold.act.'))") == []


def test_what_was_asked_for_first_is_found_out_before_anything_else(visit, coffee, ada):
    """Behind a lost answer nobody else is charged, and no other sum is paid back, than what is said."""
    page = visit().log_in(coffee)
    page.tab.route(re.compile("/v1/charges$"), lambda route: route.abort())
    page.type_amount("4.50").asks(ada.username)
    page.button("Find out now").wait_for()
    expect(page.tab.locator("form")).to_have_count(0)
    page.tab.unroute_all(behavior="ignoreErrors")
    page.button("Find out now").click()
    page.shows(re.compile(" decides$"))
    charge, = coffee.get("/v1/charges").body["charges"]
    assert ada.post(f"/v1/charges/{charge['charge']}/approval", {}).status == 200
    page.go(f"/charges/{charge['charge']}").field("Amount").fill("3")
    page.tab.route(re.compile("/refunds$"), lambda route: route.abort())
    page.button("Pay back").click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Pay back").click()
    page.button("Find out now").wait_for()
    expect(page.tab.locator("#refund")).to_have_count(0)
    page.tab.unroute_all(behavior="ignoreErrors")
    page.button("Find out now").click()
    page.reads("dd", "$3.00")


def test_a_charge_that_another_tab_found_out_is_no_refusal(visit, coffee, ada):
    """The form begins anew, and nothing says that no money has moved."""
    page = visit().log_in(coffee)
    lost = drop_answers(page, "/v1/charges$", 4)
    page.type_amount("4.50").asks(ada.username)
    page.reads(".problem", re.compile("Whether money has moved is not known yet"))
    assert lost[0] == 201
    page.button("Find out now").wait_for()
    other = page.context.new_page()
    other.goto(page.origin + "/till")
    page.reads("#alerts .note span", re.compile("Another tab of this browser has found out what became of this."))
    page.field("Username").wait_for()
    expect(page.button("Find out now")).to_have_count(0)
    assert "No money has moved" not in page.tab.locator("body").inner_text()
    assert len(coffee.get("/v1/charges").body["charges"]) == 1


def test_the_list_of_who_is_near_moves_nobody(visit, billset, coffee, ada):
    """Whoever is about to press one asks that one: a nearer one comes behind, and whoever has left keeps the place."""
    bea = billset.customer()
    assert bea.put("/v1/settings/location", {"sharing": True}).status == 200
    assert bea.put("/v1/location", {**coffee.at, "latitude": coffee.at["latitude"] + 300}).status == 200
    page = visit(PHONE).log_in(coffee)
    page.type_amount("4.50").shows("Who pays?")
    rows = page.tab.locator(".near .item")
    expect(rows).to_have_text([re.compile(f"^{bea.username}")])
    place, send = rows.nth(0).bounding_box(), page.button("Send the request").bounding_box()
    near(ada, coffee)
    expect(rows).to_have_text([re.compile(f"^{bea.username}.*50 m"), re.compile(f"^{ada.username}.*25 m")])
    behind = rows.nth(1).bounding_box()
    assert bea.put("/v1/settings/location", {"sharing": False}).status == 200
    page.reads(".near .detail", "One customer is near.")
    expect(rows).to_have_text([re.compile(f"^{bea.username}Gone, or farther away"), re.compile(f"^{ada.username}")])
    assert (rows.nth(0).bounding_box(), rows.nth(1).bounding_box()) == (place, behind)
    assert page.button("Send the request").bounding_box() == send
    rows.nth(0).dispatch_event("click")
    rows.nth(1).click()
    page.charged()
    (charge,) = coffee.get("/v1/charges").body["charges"]
    assert charge["customer"] == ada.account


def test_a_late_check_asks_for_no_other_amount(visit, coffee, ada):
    """The customer is looked up while the merchant goes back and types the next amount."""
    page = visit(service_workers="block").log_in(coffee)
    held = []
    page.tab.route("**/v1/chargeable?*", lambda route: held.append(route))
    page.type_amount("4.50").asks(ada.username)
    page.until(lambda: held, "the customer to be looked up")
    page.go("/").field("Amount").fill("9.00")
    with page.tab.expect_response("**/v1/chargeable?*"):
        held[0].continue_()
    page.tab.unroute_all()
    page.button("Choose who pays").click()
    page.asks(ada.username).charged()
    assert [one["amount"] for one in coffee.get("/v1/charges").body["charges"]] == [usd(900)]


def test_a_view_that_is_left_while_it_loads_does_nothing(visit, coffee, ada):
    """It opens no stream of customers nearby, and leads nowhere."""
    paid = ada.paid(coffee, 300)["charge"]
    assert coffee.post(f"/v1/charges/{paid}/refunds", {"amount": usd(100)}, key=new_key()).status == 201
    page = visit(service_workers="block").log_in(coffee)
    for path, reads in (("/nearby", "**/v1/places"), (f"/waiting/{paid}", f"**/v1/charges/{paid}")):
        held = []
        page.tab.route(reads, lambda route, _, held=held: held.append(route))
        page.go(path).until(lambda held=held: held, "the view to read")
        page.go("/orders").shows("Orders")
        with page.tab.expect_response(reads):
            held[0].continue_()
        page.go("/settings").shows("Settings")
        page.tab.unroute_all()
    asked = [request.url.removeprefix(page.origin) for request in page.requests]
    assert asked.count(f"/v1/charges/{paid}") == 1 and not any("/nearby/events" in path for path in asked), asked


def test_nearby_to_charge(visit, coffee, ada):
    """001-51, 001-52, 001-61, 001-68: one is selected from the list, and the charge shows whom."""
    near(ada, coffee)
    page = visit().log_in(coffee)
    page.link("Nearby").click()
    page.tab.get_by_role("button", name=re.compile(f"^{ada.username}")).click()
    page.reads(".chosen span", f"{ada.username} pays")
    page.field("Amount").fill("2.25")
    page.button(f"Charge {ada.username}").click()
    approve(ada, page.charged(), 225)
    page.ends("Paid")


# MARK: Orders


class Counter:
    """Orders that wait at a till, two to a page, in the place of the server's."""

    def __init__(self, page, numbers):
        self.ready = []
        self.orders = [{
            "order": f"{number:032x}", "number": number, "customerName": "Ada", "merchantName": "Coffee House", "state": "paid",
            "paid": "2026-11-24T09:30:00.000Z", "total": usd(450),
            "lines": [{"name": {"en": "Bagel"}, "baseName": {"en": "Plain"}, "extraNames": [], "price": usd(450)}]}
            for number in sorted(numbers, reverse=True)]
        page.tab.route("**/v1/orders?*", self.listed)
        page.tab.route("**/v1/orders/*/ready", self.finish)

    def listed(self, route):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query))
        found = [one for one in self.orders if "waiting" not in query or one["state"] == "paid"]
        start = int(query.get("before", 0))
        more = {"next": str(start + 2)} if len(found) > start + 2 else {}
        route.fulfill(json={"orders": found[start:start + 2], **more})

    def finish(self, route):
        one = next(one for one in self.orders if one["order"] in route.request.url)
        one["state"] = "ready"
        self.ready.append(one["number"])
        route.fulfill(json=one)


def test_the_oldest_order_of_many_is_made_first(visit, coffee):
    """Also where it is on the last page; what is ready goes on behind "More"."""
    page = visit(service_workers="block").log_in(coffee)
    counter = Counter(page, range(1, 6))
    page.go("/orders").shows("Orders")
    titles = page.tab.locator(".order .what")
    expect(titles).to_have_text([f"Order {number} · Ada" for number in range(1, 6)])
    for one in counter.orders[:3]:
        one["state"] = "ready"
    page.go("/").go("/orders")
    expect(titles).to_have_text(["Order 1 · Ada", "Order 2 · Ada"])
    ready = page.tab.locator("section .item")
    expect(ready).to_have_count(2)
    page.button("More").click()
    expect(ready).to_have_count(3)


def test_one_press_makes_one_order_ready(visit, coffee):
    """The second click of two is no press on the order that has come up below it, and the focus goes to that order."""
    page = visit(service_workers="block").log_in(coffee)
    counter = Counter(page, (1, 2, 3))
    page.go("/orders").shows("Orders")
    expect(page.button("Order 1 is ready")).to_be_enabled()
    box = page.button("Order 1 is ready").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.tab.mouse.click(*middle)
    expect(page.button("Order 1 is ready")).to_have_count(0)
    expect(page.link(re.compile("^Order 2"))).to_be_focused()
    assert page.button("Order 2 is ready").bounding_box() == box
    page.tab.mouse.down(click_count=2)
    page.tab.mouse.up(click_count=2)
    expect(page.button("Order 2 is ready")).to_be_enabled()
    page.tab.mouse.click(*middle)
    expect(page.link(re.compile("^Order 3"))).to_be_focused()
    assert counter.ready == [1, 2]


# MARK: Sales


def test_sales_sums_and_refunds(visit, coffee, ada):
    """001-67, 001-69: charges by state and date, what came in, a refund in part and the rest."""
    ada.paid(coffee, 300, memo="Beans")
    ada.paid(coffee, 450, memo="Cake")
    page = visit().log_in(coffee)
    page.link("Sales").click()
    page.shows("Sales").reads(".list .what", "Today")
    today = page.tab.get_by_role("listitem").filter(has_text="Today")
    expect(today).to_contain_text("$7.50")
    expect(today).to_contain_text("2 sales")
    page.tab.get_by_role("link", name=re.compile("Cake")).click()
    page.field("Amount").fill("5")
    page.button("Pay back").click()
    page.reads(".field .problem", "At most $4.50 is left to be paid back.")
    page.field("Amount").fill("1,50")
    page.button("Pay back").click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Pay back").click()
    page.reads("dd", "Paid back in part").reads("#told", "Paid back.")
    assert coffee.balance == 600
    page.button("Pay back").click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Pay back").click()
    page.reads("dd", "Paid back")
    assert coffee.balance == 300
    page.go("/sales").shows("Sales")
    expect(page.tab.get_by_role("listitem").filter(has_text="Today")).to_contain_text("$4.50 paid back")
    page.field("State").select_option("declined")
    page.reads(".empty", "No charge matches.")


def test_filters_keep_the_focus(visit, coffee, ada):
    """A date is typed digit by digit, and counts from Enter on; a state is chosen by keys."""
    ada.paid(coffee, 300)
    page = visit().log_in(coffee)
    page.go("/sales").shows("Sales")
    page.field("Since").focus()
    page.tab.keyboard.type("01022026")
    expect(page.field("Since")).to_have_value("2026-01-02")
    expect(page.field("Since")).to_be_focused()
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_url("**/till#/sales?since=2026-01-02")
    page.field("State").focus()
    for state in ("captured", "requested", "declined"):
        page.tab.keyboard.press("ArrowDown")
        page.tab.wait_for_url(f"**/till#/sales?state={state}&since=2026-01-02")
    expect(page.field("State")).to_be_focused()
    page.reads(".empty", "No charge matches.")
    # The list is not drawn anew under the keys, so a line offers what is new.
    sent = ada.post(
        "/v1/transfers", {"to": {"username": coffee.username}, "amount": usd(100), "memo": "Lunch"}, key=new_key())
    assert sent.status == 201, sent
    page.tab.locator("#alerts .note", has_text="There may be news here.").wait_for()


def test_a_sale_is_called_what_became_of_it(visit, coffee, ada):
    """Only what was paid is called paid, and what was paid back is not on the account any more."""
    declined, cancelled = (
        coffee.post("/v1/charges", {"customer": ada.username, "amount": usd(450)}, key=new_key()).body["charge"] for _ in range(2))
    assert ada.post(f"/v1/charges/{declined}/decline").status == 200
    assert coffee.post(f"/v1/charges/{cancelled}/cancellation").status == 200
    paid = ada.paid(coffee, 300)["charge"]
    page = visit().log_in(coffee)
    page.go(f"/charges/{paid}").shows(f"{ada.username} paid").reads(".note", "The money is on your account.")
    page.go(f"/charges/{declined}").shows(f"{ada.username} declined")
    page.go(f"/charges/{cancelled}").shows(f"Request to {ada.username}, taken back")
    for minor, title in {100: f"{ada.username} was paid back in part", 200: f"{ada.username} was paid back"}.items():
        assert coffee.post(f"/v1/charges/{paid}/refunds", {"amount": usd(minor)}, key=new_key()).status == 201
        page.go(f"/waiting/{paid}?{minor}").shows(title).reads(".note", re.compile("^The customer has .* the money back"))


def test_a_long_word_is_as_wide_as_the_phone(visit, billset, root):
    """Names of the business and of the customer, on the screen and on a receipt."""
    grocer, guest = shop(billset, root, "Lebensmittelgroßhandlung" + "g" * 36), billset.customer("g" * 52 + new_id()[:12])
    assert guest.put("/v1/settings/charges", {"everyone": True}).status == 200
    paid = guest.paid(grocer, 150)["charge"]
    page = visit(NARROW).log_in(grocer)
    for path in (f"/charges/{paid}", f"/receipts/{paid}", f"/waiting/{paid}?quietly"):
        page.go(path).is_drawn()
        assert page.wide()[0] <= 0, (path, page.wide())


def test_sums_count_sales_with_long_texts(visit, coffee, ada):
    """Long texts make the pages of a list short, and what follows them counts too."""
    for _ in range(130):
        ada.paid(coffee, 1, memo="Ä" * 128)
    assert len(coffee.get("/v1/charges?state=captured&limit=100").body["charges"]) < 100
    page = visit().log_in(coffee)
    page.go("/sales").shows("Sales")
    today = page.tab.get_by_role("listitem").filter(has_text="Today")
    expect(today).to_contain_text("$1.30")
    expect(today).to_contain_text("130 sales")
    page.field("Since").fill(datetime.date.today().isoformat())
    expect(page.link("Export as CSV")).to_have_attribute("href", re.compile("since="))
    rows = page.tab.locator("[id^=sale-]")
    more = page.button("More")
    while more.is_visible():
        shown = rows.count()
        more.click()
        expect(rows.nth(shown)).to_be_visible()
    expect(rows).to_have_count(130)


def test_what_moved_on_the_account(visit, coffee, ada, bus):
    """A91: the notice of a transfer leads to it. Of what moved, a payment leads to its charge; the rest is no charge."""
    paid = ada.paid(coffee, 300, memo="Beans")["charge"]
    assert coffee.post(f"/v1/charges/{paid}/refunds", {"amount": usd(100)}, key=new_key()).status == 201
    held, soon = new_id(), (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    bus.ask("wallet.hold.place.v1", {
        "hold": held, "customer": ada.account, "merchant": coffee.account, "amount": usd(50), "expires": soon})
    bus.ask("wallet.hold.capture.v1", {"operation": new_id(), "hold": held})

    def send(minor, memo):
        body = {"to": {"username": coffee.username}, "amount": usd(minor), "memo": memo}
        assert ada.post("/v1/transfers", body, key=new_key()).status == 201

    page = visit().log_in(coffee)
    send(125, "For the cups")
    page.tab.locator("#alerts .note", has_text=f"{ada.username} sent you $1.25").get_by_role("link", name="Look").click()
    page.shows("History")
    rows = page.tab.locator("main .list li")
    texts = [r"\+\$1\.25.*Received.*For the cups", r"\+\$0\.50.*Payment", r"\u2212\$1\.00.*Refund", r"\+\$3\.00.*Beans"]
    expect(rows).to_have_text([re.compile(f"^{ada.username}.*{text}", re.DOTALL) for text in texts])
    # A transfer that comes meanwhile appears by itself.
    send(75, "For the spoons")
    expect(rows).to_have_count(5)
    page.field("Search by name or note").fill("spoons")
    expect(rows).to_have_text(re.compile(r"\+\$0\.75"))
    page.field("Search by name or note").fill("")
    expect(rows.get_by_role("link")).to_have_count(1)
    rows.get_by_role("link").click()
    page.shows(f"{ada.username} was paid back in part")
    page.go("/sales").shows("Sales").link("History").click()
    page.shows("History").link("Back").click()
    page.shows("Sales")


def test_sales_are_exported(visit, coffee, ada):
    """What the list shows is what the file holds."""
    ada.paid(coffee, 300, memo="Beans")
    page = visit().log_in(coffee)
    page.go("/sales").shows("Sales")
    with page.tab.expect_download() as download:
        page.link("Export as CSV").click()
    heading, row = download.value.path().read_text().splitlines()
    assert heading.startswith("charge,") and '"Beans"' in row and ",3.00," in row


def test_sales_of_another_account_are_not_exported(visit, billset, coffee, ada, root):
    """Another shop has logged in beside this page, and the browser's cookie is that shop's."""
    ada.paid(coffee, 300, memo="Beans")
    tea, downloads = shop(billset, root, "Tea House"), []
    page = visit().log_in(coffee)
    page.go("/sales").shows("Sales")
    page.tab.on("download", lambda one: downloads.append(one))
    status = page.tab.evaluate("""async (body) => (await fetch("/v1/sessions", {
        method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
    })).status""", {"username": tea.username, "password": tea.PASSWORD, "cookie": True})
    assert status == 201
    page.link("Export as CSV").click()
    page.reads(".problem", re.compile("^Your session has ended."))
    assert downloads == []


# MARK: Ads and coupons


def test_an_offer_is_made_without_https(visit, coffee):
    """On plain HTTP within a house a browser has no `crypto.subtle`."""
    page = visit()
    page.context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })")
    page.tab.reload()
    page.log_in(coffee).go("/offers/new/ad").field("Title").fill("Cake")
    page.field("Text").fill("Half price")
    page.tab.locator("#offer button.primary").click()
    page.shows("Cake")


def test_a_coupon_from_the_form_to_the_push(visit, coffee, ada, root):
    """001-19, 001-20, 001-62, 001-65, A33: form, preview, approval with its reason, push."""
    near(ada, coffee)
    assert ada.put(f"/v1/subscriptions/{coffee.account}", {"ads": True, "coupons": True}).status == 200
    page = visit().log_in(coffee)
    page.link("Ads and coupons").click()
    page.link("New coupon").click()
    page.shows("New coupon")
    page.field("Title").fill("Half a flat white")
    page.field("Text").fill("From three to five")
    page.field("Percent off").fill("50")
    page.reads(".preview", re.compile("Half a flat white.*50 % off", re.DOTALL))
    page.field("Amount off").fill("1")
    page.button("Submit for approval").click()
    page.reads(".field .problem", "Either percent or an amount.")
    page.field("Amount off").fill("")
    page.button("Submit for approval").click()
    page.shows("Half a flat white").reads(".note", "Waits for approval")
    offer = page.tab.url.rsplit("/", 1)[1]
    rejected = root.post(f"/v1/offers/{offer}/rejection", {"reason": "Which cup?"})
    assert rejected.status == 200, rejected
    page.reads("#alerts .note span", re.compile("was rejected"))
    page.go("/offers").reads(".item .detail", re.compile("Rejected.*Which cup?"))
    page.go(f"/offers/{offer}").link("Change").click()
    page.field("Text").fill("From three to five, the large cup")
    page.button("Submit the change for approval").click()
    page.shows("Half a flat white").reads(".note", "Waits for approval")
    assert root.post(f"/v1/offers/{offer}/approval").status == 200
    page.go("/offers").go(f"/offers/{offer}").reads(".note", "Approved")
    page.button("Send it to customers nearby").click()
    page.reads("p.note", re.compile(r"^Sent to [01] of 1 customers nearby\.$"))


def test_what_an_offer_lacks_is_said_at_its_field(visit, coffee):
    """Ages, the end and the discount are checked in the reader's language, before anything is submitted."""
    page = visit().log_in(coffee)
    page.go("/offers/new/coupon").field("Title").fill("Ten off")
    page.field("Text").fill("All day")
    page.field("Age from").fill("40")
    page.field("Age up to").fill("30")
    page.field("Until").fill("2020-01-01T10:00")
    page.button("Submit for approval").click()
    page.reads(".field .problem", "The first age is above this one.").reads(".field .problem", "This time has passed.")
    page.field("Age up to").fill("151")
    page.reads(".field .problem", "An age from 0 to 150.")
    page.field("Age up to").fill("50")
    page.field("Until").fill("")
    page.button("Submit for approval").click()
    page.reads("form > .problem", re.compile("^The discount is missing"))
    assert coffee.get("/v1/offers").body["offers"] == []


VISITS = {"Visits, at least": "1", "Visits, at most": "10", "Days since the last visit, at most": "30"}


def test_an_offer_is_limited_by_visits_and_costs_stars(visit, coffee):
    """What is typed is submitted, and is in the form again; what is emptied is gone, and 0 is a number."""
    page = visit().log_in(coffee)

    def terms():
        offer = coffee.get(f"/v1/offers/{page.tab.url.rsplit('/', 1)[1]}").body["terms"]
        return [offer.get(name) for name in ("minVisits", "maxVisits", "withinDays", "stars")]

    def change():
        page.link("Change").click()
        page.shows("Change")

    page.go("/offers/new/coupon").field("Title").fill("A third off")
    page.field("Text").fill("For regulars")
    page.field("Percent off").fill("33")
    for label, wrong, rule in (
            ("Visits, at least", "10001", "A whole number from 0 to 10,000."), ("Visits, at most", "1.5", "A whole number from 0 to 10,000."),
            ("Days since the last visit, at most", "0", "A whole number from 1 to 3,650."),
            ("Stars for one use", "0", "A whole number from 1 to 10,000.")):
        page.field(label).fill(wrong)
        page.button("Submit for approval").click()
        page.reads(".field .problem", rule)
        page.field(label).fill("")
        expect(page.tab.locator(".field .problem:not(:empty)")).to_have_count(0)
    typed = {**VISITS, "Stars for one use": "5"}
    for label, text in {**typed, "Visits, at most": "0"}.items():
        page.field(label).fill(text)
    page.button("Submit for approval").click()
    page.reads(".field .problem", "This is below the least.")
    page.field("Visits, at most").fill("10")
    page.reads(".preview .worth", "33 % off, for 5 stars")
    page.button("Submit for approval").click()
    page.shows("A third off").reads("dd", "30")
    assert terms() == [1, 10, 30, 5]
    change()
    for label, text in typed.items():
        expect(page.field(label)).to_have_value(text)
    typed = {"Visits, at least": "", "Visits, at most": "0", "Days since the last visit, at most": "", "Stars for one use": ""}
    for label, text in typed.items():
        page.field(label).fill(text)
    page.button("Submit the change for approval").click()
    page.shows("A third off").reads("dd", "0")
    assert terms() == [None, 0, None, None]
    change()
    for label, text in typed.items():
        expect(page.field(label)).to_have_value(text)


def test_what_was_not_changed_stays_as_it_was(visit, coffee, root):
    """The form shows times without their seconds; an unchanged one makes no revision that waits for approval."""
    made = coffee.post("/v1/offers", {"kind": "coupon", "title": "Half a cake", "content": "Today", "discount": {"percent": 50}}, key=new_key())
    path = f"/v1/offers/{made.body['offer']}"
    assert root.post(f"{path}/approval").status == 200
    before = coffee.get(path).body
    page = visit().log_in(coffee).go(f"/offers/{made.body['offer']}/change").shows("Change")
    page.button("Submit the change for approval").click()
    page.shows("Half a cake")
    unchanged = coffee.get(path).body
    assert (unchanged["revision"], unchanged["accepted"], unchanged["terms"]) == (1, "accepted", before["terms"])
    page.link("Change").click()
    page.shows("Change").field("Text").fill("Tomorrow")
    page.button("Submit the change for approval").click()
    page.shows("Half a cake").reads(".preview p", "Tomorrow")
    after = coffee.get(path).body
    assert (after["revision"], after["lastApproved"]["terms"]) == (2, before["terms"])
    assert after["terms"] == {**before["terms"], "content": "Tomorrow"}


def test_an_offer_whose_begin_is_emptied_begins_now(visit, coffee):
    """The hint says so. An end that is emptied is 30 days behind the begin."""
    made = coffee.post("/v1/offers", {
        "kind": "ad", "title": "Iced coffee", "content": "In summer", "targetTime": "2099-06-01T00:00:00.000Z",
        "expDate": "2099-07-01T00:00:00.000Z"}, key=new_key())
    path = f"/v1/offers/{made.body['offer']}"
    page = visit().log_in(coffee).go(f"/offers/{made.body['offer']}/change").shows("Change")
    page.field("From").fill("")
    page.field("Until").fill("")
    page.button("Submit the change for approval").click()
    page.shows("Iced coffee")
    terms = coffee.get(path).body["terms"]
    begin, end = (datetime.datetime.fromisoformat(terms[name]) for name in ("sendTime", "expDate"))
    assert abs(begin - datetime.datetime.now(datetime.UTC)) < datetime.timedelta(minutes=5)
    assert end - begin == datetime.timedelta(days=30)


def test_an_ad_is_limited_by_visits_and_costs_nothing(visit, coffee):
    page = visit().log_in(coffee)
    page.go("/offers/new/ad").field("Title").fill("Come again")
    page.field("Text").fill("We miss you")
    for label, text in VISITS.items():
        page.field(label).fill(text)
    assert page.field("Stars for one use").count() == 0
    page.button("Submit for approval").click()
    page.shows("Come again").reads("dd", "30")
    terms = coffee.get(f"/v1/offers/{page.tab.url.rsplit('/', 1)[1]}").body["terms"]
    assert [terms.get(name) for name in ("minVisits", "maxVisits", "withinDays", "stars")] == [1, 10, 30, None]


def test_an_address_that_no_hook_can_have(visit, coffee):
    page = visit().log_in(coffee)
    page.go("/settings/hooks").field("Address").fill("ftp://shop.example.com/hook")
    page.button("Add a web hook").click()
    page.reads(".field .problem", re.compile("^Nothing can be sent to this address.*https"))


def test_what_came_of_a_coupon(visit, coffee, ada, root):
    """Nothing first; then a customer opens it and pays with it."""
    near(ada, coffee)
    assert ada.put(f"/v1/subscriptions/{coffee.account}", {"ads": True, "coupons": True}).status == 200
    offer = coffee.post("/v1/offers", {
        "kind": "coupon", "title": "A third off", "content": "All day", "discount": {"percent": 33}}, key=new_key()).body["offer"]
    assert root.post(f"/v1/offers/{offer}/approval").status == 200
    page = visit().log_in(coffee)
    page.go(f"/offers/{offer}").reads("#came dd", "0 customers")
    page.until(lambda: ada.get(f"/v1/deals/{offer}").status == 200, "the coupon to be the customer's")
    charge = coffee.post("/v1/charges", {"customer": ada.username, "amount": usd(300)}, key=new_key()).body["charge"]
    assert ada.post(f"/v1/charges/{charge}/approval", {"amount": usd(300), "coupon": offer}).status == 200
    page.until(lambda: coffee.get(f"/v1/offers/{offer}/outcome").body["used"] == 1, "the coupon to be redeemed")
    page.go("/offers").go(f"/offers/{offer}")
    page.reads("#came dd", "once · 1 customer").reads("#came dd", "$2.01").reads("#came dd", "$0.99")


# MARK: Settings


def test_settings(visit, coffee):
    """001-64: the account, places by map, web hooks with a secret that is shown once."""
    page = visit().log_in(coffee)
    page.go("/settings/account").field("Address").fill("2 Aspen Avenue")
    page.field("Food").check()
    page.button("Save").click()
    page.shows("Settings")
    account = coffee.get("/v1/settings/account").body
    assert (account["address"], account["productTypes"]) == ("2 Aspen Avenue", ["food", "coffee"])
    page.go("/settings/places/new").field("Name of the place").fill("Market stall")
    page.field("Latitude").fill("35,2")
    page.field("Longitude").fill("\u2212111.65")
    page.button("Save").click()
    page.shows("Places").reads(".item .what", "Market stall")
    stall = coffee.get("/v1/places").body["places"][1]
    assert (stall["latitude"], stall["longitude"]) == (35200000, -111650000)
    page.go("/settings/hooks").field("Address").fill("https://shop.example.com/hook")
    page.button("Add a web hook").click()
    page.reads(".typed", re.compile("^whsec_"))
    page.button("Log out").first.click()
    page.shows("Log in")


def test_a_map_that_comes_late_moves_nothing(visit, coffee):
    page = visit(service_workers="block").log_in(coffee)
    held = []
    page.tab.route("**/leaflet/leaflet.js", lambda route: held.append(route))
    page.go("/settings/places/new").shows("Add a place")
    page.until(lambda: held, "the map to be asked for")
    before = page.button("Save").bounding_box()
    held[0].continue_()
    page.tab.locator("place-map .leaflet-control-scale").wait_for()
    assert page.button("Save").bounding_box() == before


def test_removing_the_logo_asks_once(visit, coffee):
    opened(coffee)
    assert coffee.put("/v1/shop/logo", {"data": PIXEL}).status == 200
    path = f"/v1/shops/{coffee.account}"
    page = visit().log_in(coffee)
    page.go("/settings/shop").shows("Your pages")
    page.tab.locator(".shop-preview img.shop-image").wait_for()
    page.button("Show the letters again").click()
    dialog = page.tab.get_by_role("dialog", name="Show the letters again")
    expect(dialog).to_contain_text("The picture is deleted")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert "logoImage" in coffee.get(path).body
    page.button("Show the letters again").click()
    page.sure("Show the letters again").reads("#told", "Saved.")
    page.tab.locator(".shop-preview .shop-logo strong", has_text=PAGE["logo"]).wait_for()
    assert "logoImage" not in coffee.get(path).body


def test_a_web_hook_is_tested(visit, coffee):
    """A test arrives, signed like all others; one that fails is said with its reason, and both are listed."""
    page = visit().log_in(coffee)
    with Receiver(lambda _: 200) as receiver:
        register(coffee, type=4, url=receiver.url + "/hook")
        page.go("/settings/hooks").link(receiver.url).click()
        page.shows(receiver.url + "/hook").reads(".empty", re.compile("Nothing was sent yet"))
        page.button("Send a test").click()
        page.reads("p.note", "The test arrived.")
        test = receiver.next()
        assert test.json["type"] == "notifications.endpoint.tested.v1"
        assert test.json["data"]["merchant"] == coffee.account and "webhook-signature" in test.headers
        receiver.answer = lambda _: 400
        page.button("Send a test").click()
        page.reads("p.note", re.compile("did not arrive: HTTP 400"))
        page.until(
            lambda: page.tab.locator(".item .mark").all_inner_texts() == ["Given up", "Arrived"], "both to be listed")
        page.button("Remove this web hook").click()
        page.tab.get_by_role("dialog").get_by_role("button", name="Remove this web hook").click()
        page.shows("Web hooks").reads(".empty", "No web hooks yet.")


def test_another_device_is_logged_out(visit, coffee):
    """A list of who is logged in; what is ended there asks for the password again."""
    counter = visit().log_in(coffee)
    page = visit(PHONE).log_in(coffee)
    page.go("/settings/sessions").shows("Devices")
    page.reads(".item .mark", "This device")
    page.button("Log out everywhere else").click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Log out everywhere else").click()
    page.until(lambda: page.tab.locator("main .item").count() == 1, "the other sessions to be gone")
    counter.shows("Log in").reads("#alerts .note span", re.compile("Your session has ended"))


def test_german(visit, coffee):
    """A84."""
    page = visit(locale="de-DE")
    page.field("Benutzername").fill(coffee.username)
    page.field("Passwort").fill(coffee.PASSWORD)
    page.button("Anmelden").click()
    page.field("Betrag").fill("4,50")
    page.button("Wählen, wer zahlt").click()
    page.shows("Wer zahlt?").reads("money-amount", "$4.50")


# MARK: The keyboard alone, and how it looks


def test_by_keyboard_alone(visit, coffee, ada):
    """The main way: log in, the amount, whom, the result, another one."""
    near(ada, coffee)
    page = visit()
    page.shows("Log in")
    keys = page.tab.keyboard
    keys.type(coffee.username)
    keys.press("Tab")
    keys.type(coffee.PASSWORD)
    keys.press("Enter")
    expect(page.field("Amount")).to_be_focused()
    keys.type("4.50")
    keys.press("Enter")
    page.shows("Who pays?").tab_to(ada.username)
    keys.press("Enter")
    approve(ada, page.charged(), 450)
    page.ends("Paid")
    expect(page.button("New charge")).to_be_focused()
    keys.press("Enter")
    expect(page.field("Amount")).to_be_focused()


VIEWS = {
    "charge": "/", "nearby": "/nearby", "sales": "/sales", "history": "/activities", "offers": "/offers", "coupon-form": "/offers/new/coupon",
    "inbox": "/inbox", "settings": "/settings", "account": "/settings/account", "places": "/settings/places", "new-place": "/settings/places/new",
    "hooks": "/settings/hooks", "sessions": "/settings/sessions", "notices": "/settings/notices", "look": "/settings/look", "missing": "/nowhere",
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_view(visit, coffee, ada, root, look, request):
    """Empty and typical: nothing is wider than the window, too small to touch, or wrong by axe."""
    pictures = directory_of_pictures(request)
    size, options = LOOKS[look]
    page = visit(size, **options)
    page.looks_right("login", pictures, look)
    page.go("/register").shows("Create account")
    page.looks_right("register", pictures, look)
    page.go("/login").log_in(coffee)
    for name in ("nearby", "sales", "offers"):
        page.go(VIEWS[name]).is_drawn().looks_right(f"{name}-empty", pictures, look)
    near(ada, coffee)
    paid = ada.paid(coffee, 450, memo="Flat white")["charge"]
    offer = coffee.post(
        "/v1/offers", {"kind": "coupon", "title": "Half a flat white", "content": "From three to five",
                       "discount": {"percent": 50}}, key=new_key()).body["offer"]
    asked = coffee.post(
        "/v1/charges", {"customer": ada.username, "amount": usd(325), "memo": "Cake"}, key=new_key()).body["charge"]
    more = {"sale": f"/charges/{paid}", "receipt": f"/receipts/{paid}", "offer": f"/offers/{offer}",
            "waiting": f"/waiting/{asked}", "paid": f"/waiting/{paid}?quietly"}
    for name, path in {**VIEWS, **more}.items():
        page.go(path).is_drawn().looks_right(name, pictures, look)
    page.go("/").is_drawn().field("Amount").fill("4.50")
    page.button("Choose who pays").click()
    page.shows("Who pays?").is_drawn().looks_right("whom", pictures, look)


@pytest.mark.parametrize("tight", TIGHT)
def test_longest_words_and_largest_letters_fit(visit, coffee, ada, tight, request):
    paid = ada.paid(coffee, 450, memo="Flat white")["charge"]
    size, locale, _ = TIGHT[tight]
    visit(size, locale=locale).enter(coffee).fits(
        {**VIEWS, "sale": f"/charges/{paid}"}, tight, directory_of_pictures(request))


def test_the_shell_opens_without_a_network(visit, coffee):
    page = visit().log_in(coffee)
    page.tab.wait_for_function("() => navigator.serviceWorker.ready.then(({active}) => active?.state === 'activated')")
    page.context.set_offline(True)
    page.tab.reload()
    page.reads(".problem", re.compile("There is no connection to the server"))
    page.context.set_offline(False)
    page.tab.get_by_label("Amount").wait_for()


@pytest.mark.parametrize("table", ["till/words.js", "desk/words.js", "shared/words-app.js", "shared/words-faults.js"])
def test_both_languages_have_all_texts(visit, table):
    """A84: the same keys, and the same places for values."""
    en, de = visit().tab.evaluate(
        "(table) => import(`/pages/${table}`).then(({default: {en, de}}) => [en, de])", table)
    assert en.keys() == de.keys()
    for key in en:
        assert sorted(re.findall(r"\{\w+\}", en[key])) == sorted(re.findall(r"\{\w+\}", de[key])), key


def test_distances_on_maps_are_those_of_the_services():
    """Maps draw circles of these radii; the services decide."""
    page = (ROOT / "Services/Gateway/Pages/shared/position.js").read_text()
    drawn = dict(re.findall(r"export const (\w+) = (\d+);", page))
    found = {}
    for name, path, rule in (
            ("fenceMetres", "Location/Domain/FenceRules.swift", "enterMetres"),
            ("nearbyMetres", "Location/Domain/LocationRules.swift", "merchantsWithinMetres"),
            ("radiusMetres", "Offers/Domain/DealRules.swift", "radiusMetres")):
        source = (ROOT / "Services" / path).read_text()
        found[name] = re.search(rf"(?:let|var) {rule}(?:: Int64)? = (\d+)", source)[1]
    assert drawn == found


# Refusals that no page can meet: of other programs' requests, of services among themselves, and of holds.
UNSEEN = re.compile(
    r"bus\.(malformed|unknown_type|cancelled)|wallet\.(hold|payment)_\w+|location\.(too_many_fixes|id_reused)|"
    r"notifications\.(address|message)_invalid|auth\.(id_reused|last_administrator|letter_not_found)|"
    r"gateway\.(not_found|method_not_allowed|media_type_unsupported|key_missing|key_invalid|device_not_found|touch_reused|"
    r"too_many_listeners|no_pay_code|device_reused|request_unreadable|head_too_large)")


def test_refusals_that_people_meet_have_texts():
    """In both languages, as the tables have the same keys."""
    codes = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| \d{3} ", (ROOT / "docs" / "messages.md").read_text(), re.MULTILINE)
    tables = "".join(path.read_text() for path in (ROOT / "Services/Gateway/Pages").rglob("words*.js"))
    assert len(codes) > 150
    assert [code for code in codes if f'"fault.{code}"' not in tables and not UNSEEN.fullmatch(code)] == []


def test_texts_of_refusals_are_of_codes_that_there_are():
    pages = ROOT / "Services" / "Gateway" / "Pages"
    codes = set(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| \d{3} ", (ROOT / "docs" / "messages.md").read_text(), re.MULTILINE))
    assert len(codes) > 150
    named = {
        name
        for table in [*pages.glob("*/words*.js")]
        for name in re.findall(r'"fault\.([a-z]+\.[a-z_]+)(?:\.next)?":', table.read_text())
    }
    services = {code.split(".")[0] for code in codes}
    assert len(named) > 50
    assert {name for name in named if name.split(".")[0] in services} <= codes


# MARK: Two browsers at once


class Wallet(AppPage):
    app = "wallet"


def test_a_till_charges_and_a_wallet_approves(visit, coffee, ada):
    """001-2, 001-54, 001-83: the till asks somebody nearby, the wallet pays with the PIN, the till shows it."""
    near(ada, coffee)
    till = visit(DESKTOP).log_in(coffee)
    wallet = visit(PHONE, of=Wallet).log_in(ada, "Home")
    till.type_amount("4.50", memo="Flat white").shows("Who pays?")
    till.tab.get_by_role("button", name=re.compile(f"^{ada.username}")).click()
    till.shows(re.compile("decides"))
    # It appears by itself, on top of the wallet's first view.
    wallet.tab.locator("section.waiting").get_by_role("link", name=re.compile(r"Coffee House.*\$4\.50")).click()
    wallet.shows("Coffee House asks for")
    wallet.button("Approve").click()
    wallet.tab.get_by_role("dialog", name="Enter your PIN").wait_for()
    wallet.type(ada.pin).shows("Receipt").reads(".done", "Paid")
    till.ends("Paid").reads(".result money-amount", "$4.50")
    assert (ada.balance, coffee.balance) == (1650 - 450, 450)


def test_the_network_is_cut_while_the_till_waits(visit, coffee, ada):
    """The till is offline when the customer pays: it says so, and shows the result when it is back."""
    page = visit().log_in(coffee)
    charge = page.type_amount("4.50").asks(ada.username).charged()
    page.context.set_offline(True)
    page.tab.locator('stream-state[data-state="lost"]').wait_for()
    approve(ada, charge, 450)
    page.context.set_offline(False)
    page.ends("Paid")
    assert coffee.balance == 450
