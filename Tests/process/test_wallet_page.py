"""The customer's app at /wallet: a real browser, the real set, and what a customer does.

Covers, as seen on the page: 001-15, 001-21 to 001-26, 001-28, 001-29, 001-31 to 001-37, 001-39 to 001-50, 001-78,
001-81, 001-83, 001-84, A32, A34, A44 to A47, A50.

Screenshots, light and dark, on a phone and a desktop, go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import contextlib
import datetime
import json
import os
import pathlib
import re

import pytest

from apps import TIGHT, AppPage
from billfold import new_id, new_key, until, usd
from notices import register
from webpage import (  # noqa: F401: chromium is a fixture
    DESKTOP, NARROW, PHONE, WebPage, chromium, decoded, drop_answers, expect, launch)

# A dead service is told of soon, so that the tests of it do not take long.
ENVIRONMENT = {"BILLFOLD_DEADLINE_MS": "4000"}

PLACE = {"latitude": 35198284, "longitude": -111651302}
# Nobody else is there.
ALONE = {"latitude": 36198284, "longitude": -111651302}


class Wallet(WebPage):
    """One browser of a customer."""

    def __init__(self, chromium, set, size=PHONE, path="/wallet", **options):
        super().__init__(chromium, set, path, size, **options)

    def log_in(self, customer):
        self.log_in_to(customer, None)
        return self.is_home()

    def log_in_to(self, customer, title):
        """Logs in to the view that the address names."""
        self.shows("Log in")
        self.tab.get_by_label("Username").fill(customer.username)
        self.tab.get_by_label("Password").fill(customer.PASSWORD)
        self.tab.keyboard.press("Enter")
        return self.shows(title) if title else self

    def is_home(self):
        self.tab.locator("h1", has_text="Home").wait_for(state="attached")
        return self.is_live()

    def is_live(self):
        self.tab.locator('stream-state[data-state="live"]').wait_for()
        return self

    def go(self, path):
        self.tab.evaluate("(path) => { location.hash = path; }", path)
        return self

    def enter_pin(self, pin="4711"):
        dialog = self.tab.get_by_role("dialog", name="Enter your PIN")
        dialog.wait_for()
        self.type(pin)
        dialog.wait_for(state="detached")
        return self

    def field(self, label):
        return self.tab.get_by_label(label, exact=True)

    def link(self, name, **options):
        return self.tab.get_by_role("link", name=name, **options)

    @property
    def open_acts(self):
        return self.tab.evaluate("() => Object.keys(localStorage).filter((name) => name.startsWith('billfold.act.'))")


class Tight(AppPage):
    app = "wallet"


@pytest.fixture
def visit(chromium, billset):
    """Makes wallets, each with a storage of its own. None may break its policy, or throw."""
    made = []

    def visit(*arguments, **options):
        made.append(Wallet(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture
def ada(billset):
    """A customer of her own for each test."""
    return billset.customer()


def shop(billset, name="Coffee House", place=None, at=PLACE):
    """A merchant at a place."""
    merchant = billset.merchant()
    assert merchant.put("/v1/settings/account", {"name": name}).status == 200
    assert merchant.post("/v1/places", {"name": place or f"{name}, Aspen Avenue", **at}, key=new_key()).status == 201
    return merchant


def live(merchant, root, customer, **terms):
    """An offer that is accepted, and that this customer can see."""
    assert customer.put(f"/v1/subscriptions/{merchant.account}", {"ads": True, "coupons": True}).status == 200
    made = merchant.post("/v1/offers", {"kind": "coupon", "content": "All day", **terms}, key=new_key())
    assert made.status == 201, made
    offer = made.body["offer"]
    assert root.post(f"/v1/offers/{offer}/approval").status == 200
    until(lambda: customer.get(f"/v1/deals/{offer}").status == 200, "the offer to be the customer's")
    return offer


@pytest.fixture(scope="module")
def coffee_house(billset):
    return shop(billset)


@pytest.fixture
def coffee(coffee_house):
    # The gateway closes a connection that was idle while a browser was looked at.
    coffee_house.close()
    return coffee_house


def near(customer, at=PLACE):
    """Puts a customer where the shop is."""
    assert customer.put("/v1/settings/location", {"sharing": True}).status == 200
    assert customer.put("/v1/location", at).status == 200
    return customer


def ask(merchant, customer, minor, memo="Flat white"):
    answer = merchant.post(
        "/v1/charges", {"customer": customer.username, "amount": usd(minor), "memo": memo}, key=new_key())
    assert answer.status == 201, answer
    return answer.body["charge"]


def hold_first(page, method, path):
    """Keeps the first request of a method and a path from the server; the list has it once it was sent."""
    held = []

    def handle(route):
        if route.request.method == method and not held:
            held.append(route)
        else:
            route.fallback()

    page.tab.route(re.compile(path), handle)
    return held


def answered(page):
    """Once a later request has its answer, those before have been dealt with."""
    page.tab.evaluate("() => fetch('/pages/files.json').then((answer) => answer.text())")


def stop(page):
    """Stops the page's clock, until it is resumed: what is drawn meanwhile has been there for no time."""
    page.tab.clock.install()
    page.tab.clock.pause_at(datetime.datetime.now() + datetime.timedelta(seconds=1))


def answer(page, held):
    """Lets a held request go, until the page has its answer."""
    with page.tab.expect_response(held[0].request.url):
        held[0].continue_()
    answered(page)


# MARK: Log in, register


def test_a_new_customer(visit, billset):
    """001-24, 001-25, 001-31, 001-42, 001-43, 001-14: registration, the first PIN, the first card, home."""
    page = visit()
    page.link("Create account").click()
    page.shows("Create account")
    page.button("Create account").click()
    expect(page.tab.get_by_label("Username")).to_be_focused()
    page.reads(".field .problem", "Username is missing.")
    name = f"c{new_id()[:12]}"
    fields = {
        "Username": name, "Password": "correct horse battery", "Password again": "correct horse", "E-mail": "ada",
        "Date of birth": "1990-12-10", "First name": "Ada"}
    for label, value in fields.items():
        page.tab.get_by_label(label, exact=True).fill(value)
    page.button("Create account").click()
    page.reads(".field .problem", "The two passwords differ.")
    page.reads(".field .problem", "That is no e-mail address.")
    page.tab.get_by_label("Password again").fill(fields["Password"])
    page.tab.get_by_label("E-mail").fill("ada@example.org")
    page.button("Create account").click()
    page.shows("Set a PIN").reads(".done", "Your account has been created.")
    page.tab.get_by_label("PIN", exact=True).fill("4711")
    page.tab.get_by_label("Password").fill(fields["Password"])
    page.button("Set a PIN").click()
    page.shows("Add a card")
    page.tab.get_by_label("Card ID").fill(f"{int(new_id(), 16) % 10**16:016}")
    page.tab.get_by_label("Card code").fill("12345678")
    page.button("Add a card").click()
    page.is_home().reads("output", "$16.50")

    # The session is in no storage that a script can read.
    assert page.tab.evaluate("() => document.cookie") == ""
    assert "token" not in page.tab.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    page.tab.reload()
    page.is_home()

    # The name is taken now, which is said beside its field while it is typed, and by the registration.
    other = visit(path="/wallet#/register")
    other.tab.get_by_label("Username").press_sequentially(fields["Username"])
    other.reads(".field .problem", "This username is taken. Choose another one.")
    with other.tab.expect_response("**/v1/usernames?*") as asked:
        other.tab.get_by_label("Username").press_sequentially("-too")
    assert asked.value.json() == {"username": fields["Username"] + "-too", "free": True}
    expect(other.tab.locator(".field .problem", has_text="taken")).to_have_count(0)
    for label, value in {**fields, "Password again": fields["Password"], "E-mail": "b@example.org"}.items():
        other.tab.get_by_label(label, exact=True).fill(value)
    other.button("Create account").click()
    other.reads(".field .problem", "This username is taken. Choose another one.")
    expect(other.tab.get_by_label("Username")).to_be_focused()


def test_a_wrong_password_and_the_way_asked_for(visit, ada):
    """001-26, 001-32, 001-44, 001-45: refused in words; afterwards the page that was asked for."""
    page = visit(path="/wallet#/settings/cards")
    page.shows("Log in")
    page.tab.get_by_label("Username").fill(ada.username)
    page.tab.get_by_label("Password").fill("wrong horse battery")
    page.button("Log in").click()
    page.reads(".problem", "The username and/or password is wrong. Please try again.")
    page.tab.get_by_label("Password").fill(ada.PASSWORD)
    page.button("Log in").click()
    page.shows("Cards")
    page.go("/").is_home()
    page.button("Log out").click()
    page.shows("Log in").reads("#alerts", re.compile("You have logged out."))
    page.go("/activities").shows("Log in")


@pytest.mark.parametrize("refusal", [None, 503])
def test_a_log_out_that_nobody_heard_is_done_at_the_next_start(visit, ada, refusal):
    """Only the server's answer takes the cookie away: until then nobody is told that this browser is logged out."""
    page = visit(service_workers="block").log_in(ada)
    ends = lambda: len([one for one in page.requests if one.method == "DELETE"])  # noqa: E731

    def handle(route):
        if route.request.method != "DELETE":
            route.continue_()
        elif refusal:
            route.fulfill(status=refusal, json={"code": "bus.unavailable", "retry": "later", "title": "Not now"})
        else:
            route.abort()

    page.tab.route("**/v1/sessions/current", handle)
    page.button("Log out").click()
    page.shows("Log in").reads("#alerts .note span", re.compile("this browser is still logged in there"))
    # Neither does a start show anything before the server has heard it.
    page.tab.reload()
    page.shows("Offline").reads(".problem", re.compile("There is no connection" if refusal is None else "The server cannot do this now"))
    page.tab.unroute("**/v1/sessions/current")
    page.button("Try again").click()
    page.shows("Log in")
    assert ends() > 1
    page.tab.reload()
    page.shows("Log in").log_in(ada)
    # The new session is left alone.
    page.tab.reload()
    page.is_home()


def two_tabs(visit, ada, bob):
    """Ada's page, and another tab of the same browser, in which Bob has logged in since."""
    page = visit()
    other = page.context.new_page()
    other.goto(page.origin + "/wallet")
    other.get_by_label("Username").fill(bob.username)
    page.log_in(ada)
    other.get_by_label("Password").fill(bob.PASSWORD)
    other.keyboard.press("Enter")
    other.locator("h1", has_text="Home").wait_for(state="attached")
    return page, other


def still_is_bobs(page, other):
    other.goto(page.origin + "/wallet#/settings")
    other.locator("h1", has_text="Settings").wait_for()


def test_a_page_goes_on_as_nobody_else(visit, billset, ada):
    """Each request names whose it is, and the page ends with its session."""
    page, other = two_tabs(visit, ada, billset.customer())
    assert ada.delete("/v1/sessions").status == 204
    page.shows("Log in")
    still_is_bobs(page, other)
    named = {one.headers.get("billfold-account") for one in page.requests if "/v1/cards" in one.url}
    assert named == {ada.account}


def test_a_page_whose_cookie_is_anothers_asks_for_nothing(visit, billset, ada):
    """Ada's session is open, but this browser has Bob's cookie."""
    page, other = two_tabs(visit, ada, billset.customer())
    page.tab.goto(page.origin + "/wallet#/activities")
    page.shows("Log in")
    still_is_bobs(page, other)


def test_the_home_and_a_request_do_without_services_that_hang(visit, billset, ada, coffee):
    charge = ask(coffee, ada, 450)
    page = visit().log_in(ada)
    with billset.frozen("notifications"), billset.frozen("location"), billset.frozen("offers"):
        page.tab.reload()
        page.reads(".note", "Messages cannot be read just now.")
        page.go(f"/charges/{charge}").reads(".note", re.compile("^Coupons cannot be read just now"))
        page.button("Approve").click()
        page.enter_pin().shows("Receipt")
    assert ada.balance == 1200


def test_an_act_of_somebody_else_is_never_asked_for(visit, billset, ada, coffee):
    """What another account left undecided in this browser stays its own."""
    charge, bob = ask(coffee, ada, 450), billset.customer()
    page = visit(path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    name = f"billfold.act.approve-{charge}"
    page.tab.evaluate("([name, act]) => localStorage.setItem(name, JSON.stringify(act))", [name, {
        "account": bob.account, "key": new_key(), "method": "POST", "path": "/v1/transfers", "label": "Tea", "since": 0,
        "body": {"to": {"username": bob.username}, "amount": usd(100)}}])
    page.button("Approve").click()
    page.enter_pin().reads(".problem", re.compile("^Your session has ended."))
    assert page.open_acts == [name] and ada.balance == 1650
    assert not [one for one in page.requests if one.url.endswith(("/transfers", "/approval"))]


def test_a_merchant_has_no_wallet(visit, coffee):
    page = visit()
    page.tab.get_by_label("Username").fill(coffee.username)
    page.tab.get_by_label("Password").fill(coffee.PASSWORD)
    page.button("Log in").click()
    page.reads(".problem", "This account belongs to another app. "
               "Customers have the wallet, merchants the till, administrators the desk.")


def test_a_log_in_at_the_wrong_app_ends_no_session(visit, billset, ada):
    """The cookie is its owner's, whatever somebody types at the till."""
    page, bob = visit().log_in(ada), billset.customer()
    other = page.context.new_page()
    other.goto(page.origin + "/till")
    other.get_by_label("Username").fill(bob.username)
    other.get_by_label("Password").fill(bob.PASSWORD)
    other.keyboard.press("Enter")
    other.locator(".problem", has_text="This account belongs to another app.").wait_for()
    page.tab.reload()
    page.is_home()
    assert len(bob.get("/v1/sessions").body["sessions"]) == 1


# MARK: Requests for money


def test_a_charge_arrives_and_is_approved(visit, ada, coffee, billset):
    """001-21, 001-33, 001-41, 001-83, 001-84, 001-3: it appears by itself, and one PIN later it is paid."""
    page = visit().log_in(ada)
    charge = ask(coffee, ada, 450)
    page.reads("section.waiting h2", "One request waits for you")
    row = page.link(re.compile("Coffee House"))
    expect(row.first).to_contain_text("$4.50")
    expect(row.first).to_contain_text("Flat white")
    row.first.click()
    page.shows("Coffee House asks for").button("Approve").click()
    page.enter_pin()
    page.shows("Receipt").reads(".done", "Paid")
    expect(page.tab.locator(".receipt")).to_contain_text("$4.50")
    assert ada.balance == 1650 - 450 and coffee.get(f"/v1/charges/{charge}").body["state"] == "captured"
    assert page.open_acts == []
    # Going back pays nothing again: the charge shows as it is.
    page.go(f"/charges/{charge}").shows("Request of Coffee House")
    expect(page.button("Approve")).to_have_count(0)


def test_a_charge_whose_time_is_over_says_what_became_of_it(visit, ada, coffee):
    """Approved on another device, it was paid: the page asks the server before it says anything about money."""
    charge = ask(coffee, ada, 450)
    page = visit().log_in(ada)
    page.go(f"/charges/{charge}").shows("Coffee House asks for")
    assert ada.post(f"/v1/charges/{charge}/approval", {}).status == 200
    page.tab.clock.install()
    page.tab.clock.fast_forward(600_000)
    page.shows("Request of Coffee House").reads("dd", "Paid")


def test_a_charge_that_was_paid_back_says_so(visit, ada, coffee):
    """A notice of a refund leads here."""
    charge = ada.paid(coffee, 300)["charge"]
    page = visit().log_in(ada)
    for rest, words in {200: "has paid a part of it back", 100: "has paid all of it back"}.items():
        assert coffee.post(f"/v1/charges/{charge}/refunds", {"amount": usd(rest)}, key=new_key()).status == 201
        page.go("/").is_home().go(f"/charges/{charge}").reads(".note", re.compile(words))


def test_a_pin_is_typed_wherever_the_focus_is(visit, ada, coffee):
    """A second click on Approve falls on the sheet, and a key of the screen takes the focus."""
    charge = ask(coffee, ada, 450)
    page = visit(DESKTOP, path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    page.button("Approve").click()
    dialog = page.tab.get_by_role("dialog", name="Enter your PIN")
    dialog.get_by_text("It counts for some minutes").click()
    page.type("4")
    dialog.get_by_role("button", name="7", exact=True).click()
    expect(page.tab.locator("#pin")).to_have_value("47")
    page.enter_pin("11").shows("Receipt")


@pytest.mark.parametrize("clicks", [2, 1])
def test_a_second_tap_on_a_request_does_not_answer_it(visit, ada, coffee, clicks):
    """Approve and Decline come up where the row was. Some devices call the second tap of two a second one, some a first."""
    page = visit().log_in(ada)
    page.go("/pay/code").enter_pin().tab.locator("qr-code svg, qr-code canvas").first.wait_for()
    charge = ask(coffee, ada, 450)
    page.go("/charges")
    row = page.tab.locator(f"#charge-{charge}")
    row.wait_for()
    middle = page.tab.evaluate("(id) => { const box = document.getElementById(id).getBoundingClientRect(); "
                               "return [box.x + box.width * 0.7, box.y + box.height / 2]; }", f"charge-{charge}")
    stop(page)
    page.tab.mouse.click(*middle)
    page.shows("Coffee House asks for")
    for name in ("Decline", "Approve"):
        box = page.button(name).bounding_box()
        page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.tab.mouse.down(click_count=clicks)
        page.tab.mouse.up(click_count=clicks)
    page.tab.clock.resume()
    expect(page.button("Approve")).to_be_enabled()
    assert coffee.get(f"/v1/charges/{charge}").body["state"] == "requested"
    page.button("Approve").click()
    page.shows("Receipt")


def test_a_second_click_types_no_digit_of_the_pin(visit, ada, coffee):
    """The keys come up where Approve was."""
    page = visit(path=f"/wallet#/charges/{ask(coffee, ada, 450)}").log_in_to(ada, "Coffee House asks for")
    expect(page.button("Approve")).to_be_enabled()
    stop(page)
    page.button("Approve").click()
    key = page.tab.get_by_role("dialog").get_by_role("button", name="8", exact=True)
    box = key.bounding_box()
    page.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.tab.clock.resume()
    expect(key).to_be_enabled()
    expect(page.tab.locator("#pin")).to_have_value("")
    key.click()
    expect(page.tab.locator("#pin")).to_have_value("8")


def test_a_charge_that_is_answered_elsewhere_asks_no_more(visit, ada, coffee):
    """No notice says so: the page looks by itself, and leads to the receipt."""
    charge = ask(coffee, ada, 450)
    page = visit().log_in(ada)
    page.go(f"/charges/{charge}").shows("Coffee House asks for")
    assert ada.post(f"/v1/charges/{charge}/approval", {"amount": usd(450)}).status == 200
    page.shows("Request of Coffee House").reads("dd", "Paid")
    expect(page.button("Approve")).to_have_count(0)
    page.link("Receipt").click()
    page.shows("Receipt")


def test_a_charge_is_declined_without_a_pin(visit, ada, coffee):
    """001-84: refused, told to the merchant, and nothing moves."""
    charge = ask(coffee, ada, 300)
    page = visit(path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    page.button("Decline").click()
    page.is_home().reads("#told", "You declined this request. No money has moved.")
    until(lambda: coffee.get(f"/v1/charges/{charge}").body["state"] == "declined", "the charge to be declined")
    assert ada.balance == 1650


def test_a_coupon_is_offered_with_the_amount_after_it(visit, ada, billset):
    """001-40, 001-48, 001-22: the coupon that fits is chosen, and the receipt shows what it took off."""
    merchant, root = shop(billset, "Tea House"), billset.administrator()
    offer = merchant.post(
        "/v1/offers", {"kind": "coupon", "title": "Half price", "content": "All day", "discount": {"percent": 50}},
        key=new_key()).body["offer"]
    assert root.post(f"/v1/offers/{offer}/approval").status == 200
    assert ada.put(f"/v1/subscriptions/{merchant.account}", {"ads": True, "coupons": True}).status == 200
    page = visit().log_in(ada)
    page.go("/coupons").shows("Coupons")
    page.link(re.compile("Half price")).click()
    page.shows("Half price").reads(".facts", re.compile("50 % off"))
    charge = ask(merchant, ada, 425)
    page.go(f"/charges/{charge}").shows("Tea House asks for")
    # Half up: 425 − 213.
    expect(page.tab.locator(".total")).to_contain_text("$2.12")
    expect(page.tab.locator(".total")).to_contain_text("instead of $4.25")
    page.button("Approve").click()
    page.enter_pin().shows("Receipt")
    expect(page.tab.locator(".receipt")).to_contain_text("−$2.13")
    assert ada.balance == 1650 - 212


def test_too_little_money_is_said_before_and_has_a_cure(visit, ada, coffee):
    """000-17, 000-20 on this page: the action is disabled, says why, and leads to the reload."""
    charge = ask(coffee, ada, 2000)
    page = visit(path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    page.reads(".note.waiting", "There is only $16.50 available on this card.")
    expect(page.button("Approve")).to_be_disabled()
    page.link("Reload the card").click()
    page.shows("Cards")
    page.link(re.compile("Card ending in")).click()
    page.tab.get_by_label("Amount").fill("10,00")
    page.button("Reload the card").click()
    page.enter_pin().is_home().reads("#told", "$10.00 is on the card.")
    assert ada.balance == 1650 + 1000
    page.go(f"/charges/{charge}")
    expect(page.button("Approve")).to_be_enabled()


def test_payments_that_are_off_are_said_before_and_have_a_cure(visit, ada, coffee):
    """What cannot work is disabled, says why, and leads to where it is switched on."""
    assert ada.put("/v1/settings/payments", {"enabled": False}).status == 200
    charge = ask(coffee, ada, 300)
    page = visit(path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    page.reads(".note.waiting", "Payments are switched off.")
    expect(page.button("Approve")).to_be_disabled()
    for path in ("/pay/code", f"/pay/{coffee.account}"):
        page.go(path).reads(".note.waiting", "Payments are switched off.")
    page.link("Switch payments on").click()
    page.shows("Cards").tab.get_by_role("switch").check()
    page.reads("#told", "Saved.").go(f"/charges/{charge}")
    expect(page.button("Approve")).to_be_enabled()


def test_without_a_card_there_is_no_code(visit, billset):
    page = visit().log_in(billset.customer(card=False))
    page.go("/pay/code").reads(".note.waiting", "There is no card yet. Payments need one.")
    page.link("Add a card").click()
    page.shows("Add a card")


def test_what_arrives_elsewhere_is_told(visit, billset, ada, coffee):
    """Transfers, refunds and offers, while another view is open."""
    charge = ada.paid(coffee, 300)["charge"]
    page = visit().log_in(ada).go("/settings").shows("Settings")
    bob = billset.customer()
    assert bob.post("/v1/transfers", {"to": {"username": ada.username}, "amount": usd(200)}, key=new_key()).status == 201
    page.reads("#told", f"{bob.username} sent you $2.00")
    assert coffee.post(f"/v1/charges/{charge}/refunds", key=new_key()).status == 201
    page.reads("#told", "Coffee House refunded $3.00")
    live(coffee, billset.administrator(), ada, kind="ad", title="New beans")
    page.reads("#told", "Coffee House: New beans")


def test_a_page_that_nobody_sees_gives_its_connection_back(visit, ada, coffee):
    """A browser has six for all tabs. What came meanwhile is there when the page is looked at again."""
    page = visit().log_in(ada)
    page.tab.clock.install()
    unseen = """(hidden) => {
      Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.tab.expect_event("requestfailed", lambda request: "/v1/notices/events" in request.url):
        page.tab.evaluate(unseen, True)
        page.tab.clock.fast_forward(11_000)
    ask(coffee, ada, 450)
    with page.tab.expect_response("**/v1/notices/events*"):
        page.tab.evaluate(unseen, False)
    page.reads("section.waiting h2", "One request waits for you")
    assert page.tab.locator("stream-state").get_attribute("data-state") == "live"


def test_lines_above_the_view_go_with_what_they_say(visit, ada, coffee):
    """Who goes to a request, or logs in again, is not told of it any more."""
    page = visit().log_in(ada).go("/settings").shows("Settings")
    charge = ask(coffee, ada, 100)
    page.reads("#alerts .note span", re.compile(re.escape("$1.00")))
    page.go(f"/charges/{charge}").shows("Coffee House asks for")
    expect(page.tab.locator("#alerts .note")).to_have_count(0)
    page.go("/settings").shows("Settings").button("Log out").click()
    page.reads("#alerts .note span", "You have logged out.").log_in(ada)
    expect(page.tab.locator("#alerts .note")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_line_that_arrives_moves_nothing(visit, ada, coffee, size):
    """What a finger is about to press stays where it is, and lies free; the next view begins below the line."""
    charge = ask(coffee, ada, 450)
    page = visit(size, path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for").is_live()
    places = lambda: [page.button(name).bounding_box() for name in ("Approve", "Decline")]  # noqa: E731
    before = places()
    ask(coffee, ada, 100)
    line = page.tab.locator("#alerts .note", has_text="$1.00")
    line.wait_for()
    assert places() == before
    for name in ("Approve", "Decline"):
        page.button(name).click(trial=True)
    page.go("/settings").shows("Settings")
    box = line.bounding_box()
    assert page.tab.locator("h1").bounding_box()["y"] >= box["y"] + box["height"]


def test_news_goes_on_behind_the_last_one(visit, billset, ada, coffee):
    """After a broken connection no request is announced again."""
    page = visit().log_in(ada).go("/settings").shows("Settings")
    ask(coffee, ada, 100)
    page.reads("#alerts .note span", re.compile(re.escape("$1.00")))
    billset.restart("gateway")
    billset.await_health()
    page.is_live()
    ask(coffee, ada, 200)
    page.reads("#alerts .note span", re.compile(re.escape("$2.00")))
    expect(page.tab.locator("#alerts .note")).to_have_count(2)


# MARK: Paying


def test_a_code_is_scanned_and_the_receipt_takes_its_place(visit, ada, coffee, tmp_path):
    """000-14, 000-15 on this page: above the fold at 320 × 568, renewed, and followed by the receipt."""
    page = visit(NARROW).log_in(ada)
    page.link("Show a code").first.click()
    page.enter_pin()
    code = page.tab.locator("qr-code svg")
    code.wait_for()
    box = code.bounding_box()
    assert box["width"] >= 0.6 * NARROW[0] and box["y"] + box["height"] <= NARROW[1]
    page.reads("qr-code .left", re.compile(r"Valid for (1:00|0:5\d)"))
    picture = tmp_path / "code.png"
    code.screenshot(path=picture)
    scanned = decoded(picture)
    assert re.fullmatch("[2-9A-HJ-KM-NP-Z]{5} [2-9A-HJ-KM-NP-Z]{5}", page.tab.locator(".typed").text_content())
    paid = coffee.post("/v1/code-payments", {"code": scanned, "amount": usd(275)}, key=new_key())
    assert paid.status == 201, paid
    page.shows("Receipt").reads(".done", "Paid")
    expect(page.tab.locator(".receipt")).to_contain_text("$2.75")


def test_a_code_is_above_the_fold_lying_down(visit, ada):
    """The code, its remaining time and the way back are in sight at 844 × 390, and nothing lies over them."""
    page = visit((844, 390)).log_in(ada).go("/pay/code").enter_pin()
    page.reads("qr-code .left", re.compile("^Valid for"))
    assert page.tab.locator("qr-code svg").bounding_box()["height"] >= 0.6 * 390
    for part in ("qr-code svg", "qr-code .left", ".typed", ".back"):
        assert page.tab.locator(part).evaluate("""(part) => {
          const {left, right, top, bottom} = part.getBoundingClientRect();
          return [[(left + right) / 2, top + 1], [(left + right) / 2, bottom - 1]].every(([x, y]) => part.contains(document.elementFromPoint(x, y)));
        }"""), part


def test_paying_a_merchant_nearby_and_by_name(visit, ada, coffee):
    """001-33, 001-34, A34, A50: the list, the search, an amount with a comma, and what is no amount."""
    near(ada)
    page = visit(DESKTOP).log_in(ada)
    page.tab.get_by_role("navigation", name="Wallet").get_by_role("link", name="Pay").click()
    page.shows("Pay")
    page.tab.get_by_label("Merchant's name").fill("coffee")
    page.button("Search").click()
    expect(page.tab.get_by_role("list", name="By name")).to_contain_text("Coffee House")
    page.tab.get_by_role("list", name="Nearby").get_by_role("link").first.click()
    page.shows(re.compile("Pay Coffee House"))
    for typed, problem in {
        "": "Amount is missing.", "abc": "An amount is a number such as 4.50 or 4,50.",
        "1.234": "An amount is a number such as 4.50 or 4,50.", "0": "The amount must be more than zero."}.items():
        page.tab.get_by_label("Amount").fill(typed)
        page.button("Pay").click()
        page.reads(".field .problem", problem)
    page.tab.get_by_label("Amount").fill("")
    for key in ("2", "Decimal point", "5", "0", "0", "Delete the last digit"):
        page.button(key).click()
    page.button("Pay").click()
    page.enter_pin().shows("Receipt")
    assert ada.balance == 1650 - 250


def test_sending_money(visit, ada, billset):
    """001-2: to another user, free of charge, with a receipt; an unknown name is said beside its field."""
    bob = billset.customer()
    page = visit().log_in(ada).go("/send")
    page.tab.get_by_label("Username of the receiver").fill("nobody-of-this-name")
    page.tab.get_by_label("Amount").fill("1.00")
    page.button("Send").click()
    page.enter_pin().reads(".field .problem", re.compile("There is no account of this name."))
    page.tab.get_by_label("Username of the receiver").fill(bob.username)
    page.button("Send").click()
    page.shows("Receipt").reads(".done", "Sent").reads(".receipt .lead", f"Sent to {bob.username}")
    assert (ada.balance, bob.balance) == (1550, 1750)
    page.go("/activities").shows("History")
    expect(page.tab.locator(".list").first).to_contain_text("−$1.00")


def test_the_answer_of_a_transfer_names_the_receiver(visit, ada, billset):
    """The receipt searches nothing for the name."""
    bob = billset.customer()
    page = visit().log_in(ada)
    page.tab.route("**/v1/activities*", lambda route: route.abort())
    page.go("/send").field("Username of the receiver").fill(bob.username)
    page.field("Amount").fill("1.00")
    page.button("Send").click()
    page.enter_pin().shows("Receipt").reads(".receipt .lead", f"Sent to {bob.username}")


def test_a_transfer_in_the_history_leads_to_its_receipt(visit, ada, billset):
    """001-2: for its sender, in another tab too; who received it sent nothing."""
    bob = billset.customer()
    sent = ada.post("/v1/transfers", {"to": {"username": bob.username}, "amount": usd(100), "memo": "Lunch"}, key=new_key())
    page = visit().log_in(ada).go("/activities").shows("History")
    page.link(re.compile(bob.username)).click()
    page.shows("Receipt").reads(".receipt .lead", f"Sent to {bob.username}").reads(".receipt dd", "Lunch")
    page.reads(".receipt dd", sent.body["operation"])
    assert page.tab.locator(".done").count() == 0
    page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.button("Copy").click()
    page.reads("#told", "Copied.")
    assert sent.body["operation"] in page.tab.evaluate("() => navigator.clipboard.readText()")
    page = visit().log_in(bob).go("/activities").shows("History")
    expect(page.tab.locator(".list .item")).to_contain_text(["$1.00"])
    assert page.tab.locator(".list a").count() == 0
    assert bob.get(f"/v1/transfers/{sent.body['operation']}").code == "wallet.transfer_not_found"


def test_a_receipt_that_cannot_be_read_says_that_the_money_has_moved(visit, ada, coffee):
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    page.tab.route("**/v1/receipts/*", lambda route: route.abort())
    page.go(f"/pay/{coffee.account}?name=Coffee").shows("Pay Coffee House").field("Amount").fill("2.50")
    page.button("Pay").click()
    page.shows("Paid").reads(".done", re.compile("^The money has moved."))
    assert ada.balance == 1650 - 250 and page.open_acts == []
    page.tab.unroute("**/v1/receipts/*")
    page.button("Try again").click()
    page.shows("Receipt").reads(".done", "Paid").reads(".receipt .lead", "Coffee House")
    # A link may say that of a receipt that there is not.
    page.go(f"/sent/{new_id()}?new").reads("main", re.compile("There is no such transfer."))
    assert page.tab.locator(".done").count() == 0


def test_a_link_cannot_name_another_payee(visit, ada, coffee):
    """The name above an amount is the server's, whatever the link calls the merchant."""
    page = visit().log_in(ada)
    page.go(f"/pay/{coffee.account}?name=Red%20Cross").shows("Pay Merchant")
    page.reads(".note.waiting", re.compile("^Whom this link would pay cannot be told here. No money has moved."))
    expect(page.button("Pay")).to_have_count(0)
    page.go(f"/merchants/{coffee.account}?name=Red%20Cross").shows("Merchant")
    near(ada)
    page.go("/").go(f"/pay/{coffee.account}?name=Red%20Cross").shows(re.compile("^Pay Coffee House"))
    page.go(f"/merchants/{coffee.account}?name=Red%20Cross").shows(re.compile("^Coffee House"))


# MARK: Once


def paying(page, coffee, amount="2.50"):
    page.go(f"/pay/{coffee.account}?name=Coffee").shows("Pay Coffee House")
    page.tab.get_by_label("Amount").fill(amount)
    page.button("Pay").click()


def test_a_reload_between_tap_and_answer_pays_once(visit, ada, coffee):
    """The answer is lost with the page; the page that comes back finds out what became of the payment."""
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    lost = drop_answers(page, "/v1/payments$", count=1)
    sent = []
    page.tab.on("request", lambda request: request.url.endswith("/v1/payments") and sent.append(
        (request.headers["idempotency-key"], request.post_data)))
    paying(page, coffee)
    page.until(lambda: lost == [201], "the payment to be taken and its answer to be lost")
    page.tab.reload()
    page.until(lambda: len(sent) > 1 and page.open_acts == [], "the act to be found out")
    assert len(set(sent)) == 1
    assert ada.balance == 1650 - 250 and len(ada.get("/v1/history").body["charges"]) == 1
    # Back to the form: it is a new one, and pays nothing by itself.
    page.go("/").is_home().reads("output", "$14.00")
    assert ada.balance == 1650 - 250


def test_a_refusal_behind_a_lost_answer_is_not_the_outcome(visit, ada, coffee):
    """The payment was made, its answer lost, and the repeat refused as something that did nothing: it stays open, and pays
    once."""
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    drop_answers(page, "/v1/payments$", refusals=[
        (503, {"code": "bus.no_worker", "retry": "later", "title": "The service is not available"})])
    paying(page, coffee)
    page.reads(".problem", re.compile("Whether money has moved is not known yet; it can move once at most."))
    assert len(page.open_acts) == 1
    page.button("Find out now").click()
    page.shows("Receipt")
    assert page.open_acts == []
    assert ada.balance == 1650 - 250 and len(ada.get("/v1/history").body["charges"]) == 1


def test_an_approval_is_found_out_at_home(visit, ada, coffee):
    """A new session has no PIN that counts: the note above all else asks for it."""
    charge = ask(coffee, ada, 450)
    page = visit(path=f"/wallet#/charges/{charge}").log_in_to(ada, "Coffee House asks for")
    page.tab.route("**/approval", lambda route: route.abort())
    page.button("Approve").click()
    page.enter_pin().reads(".problem", re.compile("Whether money has moved is not known yet"))
    assert ada.delete("/v1/sessions").status == 204
    page.shows("Log in")
    page.tab.unroute_all(behavior="ignoreErrors")
    page.go("/").log_in_to(ada, None)
    page.button("Find out now").click()
    page.enter_pin().shows("Receipt")
    assert page.open_acts == [] and ada.balance == 1650 - 450


def test_a_lost_answer_is_asked_for_again_by_itself(visit, ada, billset):
    """The answers are lost while the news still comes: the result appears without a press, and the money moves once."""
    bob = billset.customer()
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    lost = drop_answers(page, "/v1/transfers$", count=4)
    page.go("/send").shows("Send money")
    page.field("Username of the receiver").fill(bob.username)
    page.field("Amount").fill("2.50")
    page.button("Send").click()
    page.reads(".problem", re.compile("The result is asked for again by itself."))
    assert len(lost) == 4
    page.shows("Receipt").reads(".done", "Sent")
    assert page.open_acts == [] and (ada.balance, bob.balance) == (1650 - 250, 1650 + 250)
    # The receipt is hers alone.
    receipt = page.tab.evaluate("() => location.hash.slice(1)")
    page.go("/").is_home().button("Log out").click()
    page.log_in(bob).go(receipt).reads("main", re.compile("There is no such transfer."))


def test_offline_a_payment_stays_open_and_is_found_out(visit, ada, coffee):
    """The page says that it is offline and that the outcome is not known; back online it pays once."""
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    page.go(f"/pay/{coffee.account}?name=Coffee").shows("Pay Coffee House")
    page.context.set_offline(True)
    page.reads("stream-state", re.compile("Offline")).reads(".why", re.compile("What you see may be old"))
    page.tab.get_by_label("Amount").fill("2.50")
    page.button("Pay").click()
    page.reads(".problem", re.compile("Whether money has moved is not known yet; it can move once at most."))
    assert len(page.open_acts) == 1
    page.button("Find out now").click()
    page.reads(".problem", re.compile("Whether money has moved is not known yet"))
    page.context.set_offline(False)
    page.until(lambda: page.open_acts == [], "the act to be found out")
    page.is_live().shows("Receipt")
    assert ada.balance == 1650 - 250 and len(ada.get("/v1/history").body["charges"]) == 1


@pytest.mark.parametrize("hears", [True, False])
def test_what_another_tab_found_out_is_no_refusal(visit, ada, coffee, hears):
    """The payment was made, and another tab has found that out: this one never says that no money has moved."""
    page = visit()
    if not hears:
        page.tab.add_init_script("addEventListener('storage', (event) => event.stopImmediatePropagation());")
        page.tab.reload()
    page.log_in(ada).go("/pay/code").enter_pin()
    taken = []

    def lose(route):
        taken.append(taken or route.fetch().status)
        route.abort()

    page.tab.route("**/v1/payments", lose)
    paying(page, coffee)
    page.reads(".problem", re.compile("Whether money has moved is not known yet"))
    assert taken[0] == 201
    other = page.context.new_page()
    other.goto(page.origin + "/wallet")
    other.locator("#alerts .note", has_text="went through, once").wait_for()
    found = re.compile("Another tab of this browser has found out what became of this. Whether money has moved is in the history.")
    if hears:
        # The form begins anew, and another try is another act.
        page.reads("#alerts .note span", found)
        expect(page.field("Amount")).to_have_value("")
    else:
        page.button("Find out now").click()
        page.reads(".problem", found)
    assert "No money has moved" not in page.tab.locator("body").inner_text()
    assert page.open_acts == []
    assert ada.balance == 1650 - 250 and len(ada.get("/v1/history").body["charges"]) == 1


def test_a_double_tap_pays_once(visit, ada, coffee):
    page = visit().log_in(ada).go("/pay/code").enter_pin()
    page.go(f"/pay/{coffee.account}?name=Coffee").shows("Pay Coffee House")
    page.tab.get_by_label("Amount").fill("1.00")
    page.tab.evaluate("() => { const button = document.querySelector('main form > button'); button.click(); button.click(); }")
    page.shows("Receipt")
    assert ada.balance == 1550
    # Back leads past the form that was paid.
    page.tab.go_back()
    hash = lambda: page.tab.evaluate("() => location.hash")  # noqa: E731
    page.until(lambda: coffee.account not in hash() and "/receipts/" not in hash(), "to be past the form")
    assert ada.balance == 1550


def test_the_shell_opens_without_a_network(visit, ada):
    """Installed: the page opens offline, says so, and is whole again when the network is back."""
    page = visit().log_in(ada)
    page.tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.tab.reload()
    page.shows("Offline").reads(".problem", re.compile("There is no connection to the server."))
    page.context.set_offline(False)
    page.is_home().reads("output", "$16.50")


def test_the_shell_opens_when_the_server_is_back(visit, billset, ada):
    """The browser stays online and tells nothing: the page tries by itself."""
    page = visit().log_in(ada)
    page.tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    billset.stop("gateway")
    page.tab.reload()
    page.shows("Offline").reads(".problem", re.compile("There is no connection to the server."))
    billset.start("gateway").await_health()
    page.is_home().reads("output", "$16.50")


@pytest.fixture
def notified(chromium, billset):
    """A wallet in the whole browser, the only one that shows notifications."""
    whole = launch(chromium.browser_type, "chromium")
    page = Wallet(whole, billset)
    yield page
    page.close()
    whole.close()


def test_a_push_is_shown_by_the_worker(notified, ada):
    """001-15, 001-13: the worker shows what was pushed, with the link that it opens."""
    page = notified.log_in(ada)
    page.context.grant_permissions(["notifications"], origin=page.origin)
    scope = page.tab.evaluate("() => navigator.serviceWorker.ready.then((worker) => worker.scope)")
    assert scope == page.origin + "/wallet"
    session = page.context.new_cdp_session(page.tab)
    registrations = {}
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.update(
        {one["registrationId"]: one["scopeURL"] for one in event["registrations"] if not one["isDeleted"]}))
    session.send("ServiceWorker.enable")
    page.until(lambda: scope in registrations.values(), "the worker's registration")
    push = {"title": "Coffee House asks for $4.50", "body": "Flat white", "tag": "1", "link": "/charges/1"}
    shown = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
      .then((all) => all.map(({title, body, data}) => [title, body, data.link]))"""

    def is_delivered():
        """Delivers the push, again if nothing is shown in five seconds: one of its tag takes its place."""
        # The browser also names registrations of other tests' storages.
        for registration in registrations:
            session.send("ServiceWorker.deliverPushMessage", {
                "origin": page.origin, "registrationId": registration, "data": json.dumps(push)})
        with contextlib.suppress(AssertionError):
            return until(lambda: page.tab.evaluate(shown), "the notification", patience=5)

    page.until(is_delivered, "the notification")
    assert page.tab.evaluate(shown) == [["Coffee House asks for $4.50", "Flat white", "/charges/1"]]


# MARK: Lists


def test_history_by_day_with_a_search(visit, ada, coffee):
    """001-39, 001-49, 001-81, A46, A91: payments and reloads, each with its sign."""
    ada.paid(coffee, 150, memo="Drip coffee")
    ada.reload(500)
    page = visit().log_in(ada).go("/activities").shows("History")
    rows = page.tab.locator("main .list li")
    expect(rows).to_have_count(2)
    expect(page.tab.locator("h2.day")).to_have_text(["Today"])
    # A reload has no receipt.
    expect(rows.get_by_role("link")).to_have_count(1)
    page.tab.get_by_label("Search by name or note").fill("drip")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("−$1.50")
    page.link(re.compile("Coffee House")).click()
    page.shows("Receipt").link("Back").click()
    page.shows("History").link("Back").click()
    page.is_home()


def test_a_search_reads_on(visit, ada, coffee):
    """What matches may be older than what was read."""
    ada.paid(coffee, 150, memo="Drip coffee")
    for _ in range(30):
        ada.reload(500)
    page = visit().log_in(ada).go("/activities").shows("History")
    rows = page.tab.locator("main .list li")
    page.tab.get_by_label("Search by name or note").fill("drip")
    page.reads(".empty", "Nothing matches so far. “More” looks further back.")
    page.button("More").click()
    expect(rows).to_have_count(1)
    expect(page.button("More")).to_be_hidden()
    page.tab.get_by_label("Search by name or note").fill("tea")
    page.reads(".empty", "Nothing matches.")


def test_news_throws_nothing_away_that_was_read_or_searched(visit, ada, billset):
    """A list that was read on, and a search, stay; a line offers the news."""
    bob = billset.customer()
    for _ in range(30):
        ada.reload(500)
    pay = lambda: bob.post(  # noqa: E731
        "/v1/transfers", {"to": {"username": ada.username}, "amount": usd(100), "memo": "Lunch"}, key=new_key()).status
    page = visit().log_in(ada).go("/activities").shows("History")
    rows = page.tab.locator("main .list li")
    page.button("More").click()
    expect(rows).to_have_count(20)
    news = page.tab.locator("#alerts .note", has_text="There may be news here.")
    assert pay() == 201
    news.wait_for()
    expect(rows).to_have_count(20)
    page.link("Show it").click()
    expect(rows.first).to_contain_text("Lunch")
    expect(news).to_have_count(0)
    search = page.tab.get_by_label("Search by name or note")
    search.fill("lunch")
    expect(rows).to_have_count(1)
    page.tab.locator("#heading").focus()
    assert pay() == 201
    news.wait_for()
    expect(search).to_have_value("lunch")
    # The list shows it by itself if nothing would be lost.
    page.go("/").is_home().go("/activities").shows("History")
    expect(news).to_have_count(0)
    assert pay() == 201
    expect(page.tab.locator("main .list li", has_text="Lunch")).to_have_count(3)


def test_a_list_that_is_not_whole_says_so(visit, ada, billset, coffee):
    """Offers and merchants that were found come without a further page."""
    live(coffee, billset.administrator(), near(ada), kind="ad", title="New beans")
    page = visit(service_workers="block").log_in(ada)

    def more(route):
        found = route.fetch().json()
        merchants = found.get("merchants", [])[:1] * 100
        route.fulfill(json={**found, "total": 63, "merchants": merchants})

    page.tab.route(re.compile("/v1/(ads|deals/search)"), more)
    page.go("/coupons").shows("Coupons").reads(".detail", re.compile(r"^The first \d+ of 63. The search finds the others.$"))
    page.field("Merchant's name").fill("coffee")
    page.button("Search").click()
    page.reads(".detail", re.compile(r"^The first \d+ of 63. A name or a category leads to the others.$"))
    page.go("/pay").shows("Pay").field("Merchant's name").fill("coffee")
    page.button("Search").click()
    page.reads(".detail", "The first 100. Type more of the name if yours is missing.")


def test_merchants_as_list_and_on_the_map(visit, ada, coffee):
    """001-28, 001-29, 001-35, 001-37, 001-38, 001-47, A44, A45: a position typed by hand, then list and pins."""
    page = visit(DESKTOP).log_in(ada).go("/merchants").shows("Merchants")
    page.button("Type a position").click()
    # Merchants are to see the customer from now on: that is asked first, once.
    page.tab.get_by_role("dialog").get_by_text("Merchants within 100 m see that you are there").wait_for()
    assert not ada.get("/v1/settings/location").body["sharing"]
    page.button("Share it").click()
    page.tab.get_by_label("Latitude").fill("35.198284")
    page.tab.get_by_label("Longitude").fill("-111.651302")
    page.button("Save").click()
    place = page.tab.get_by_role("list", name="Merchants").get_by_role("link", name=re.compile("Coffee House"))
    expect(place.first).to_be_visible()
    pins = page.tab.locator("place-map path[role=button]")
    expect(pins.first).to_have_attribute("aria-label", re.compile("Coffee House|Tea House"))
    # One for each merchant of the list; a tap says which.
    expect(pins).to_have_count(page.tab.get_by_role("list", name="Merchants").get_by_role("listitem").count())
    # Pins of places that lie close together cover each other; the last one is on top.
    pins.last.click()
    expect(page.tab.locator("place-map .leaflet-popup strong")).to_have_text(pins.last.get_attribute("aria-label"))
    page.go("/").is_home()
    expect(page.tab.get_by_text("35.198284, −111.651302")).to_be_visible()


def test_a_merchant_is_not_called_as_its_place(visit, ada, billset):
    """The merchant's name is in the lists, on the map and above the amount, and its offers are found by it."""
    baker, root = shop(billset, f"Bakery {new_id()[:8]}", "Main Street", ALONE), billset.administrator()
    name = baker.get("/v1/settings/account").body["name"]
    near(ada, ALONE)
    live(baker, root, ada, kind="ad", title="New bread")
    page = visit(DESKTOP).log_in(ada).go("/merchants").shows("Merchants")
    row = page.tab.get_by_role("list", name="Merchants").get_by_role("listitem")
    expect(row.locator(".what")).to_have_text([name])
    expect(row.locator(".detail")).to_contain_text(re.compile("Main Street · .* m · New bread$"))
    pin = page.tab.locator("place-map path[role=button]")
    expect(pin).to_have_attribute("aria-label", name)
    pin.press("Enter")
    expect(page.tab.locator("place-map .leaflet-popup")).to_contain_text("New bread")
    live(baker, root, ada, title="Half price", discount={"percent": 50})
    page.go("/").is_home().go("/merchants").shows("Merchants")
    expect(row.locator(".detail")).to_contain_text(re.compile("(New bread|Half price) and one more$"))
    row.get_by_role("link").click()
    page.shows(name)
    expect(page.tab.get_by_role("list", name="On offer").get_by_role("listitem")).to_have_count(2)
    page.link("Pay here").click()
    page.shows(f"Pay {name}").go("/pay").shows("Pay")
    expect(page.tab.get_by_role("list", name="Nearby").get_by_role("listitem").locator(".detail")).to_contain_text("Main Street")
    page.tab.get_by_role("list", name="Nearby").get_by_role("link", name=name).click()
    page.shows(f"Pay {name}")


def test_a_name_on_the_map_is_no_html(visit, ada, billset):
    """What a merchant calls itself and its place is shown letter by letter: no element of it is made, nothing is loaded."""
    evil = "Café <img src=/v1/evil><b>B</b>"
    there = {**ALONE, "latitude": 41198284}
    shop(billset, evil, evil, there)
    near(ada, there)
    page = visit(DESKTOP).log_in(ada).go("/merchants").shows("Merchants")
    expect(page.tab.locator("place-map .leaflet-tooltip", has_text=evil)).to_have_count(1)
    pin = page.tab.locator(f'place-map path[aria-label="{evil}"]')
    pin.press("Enter")
    expect(page.tab.locator("place-map .leaflet-popup strong", has_text=evil)).to_be_visible()
    expect(page.tab.locator("place-map").locator("b, img[src*=evil]")).to_have_count(0)
    assert not [one for one in page.requests if "evil" in one.url]


def test_a_deal_says_why_it_is_over(visit, ada, billset):
    """Switched off by its merchant, or past its time."""
    merchant, root = shop(billset, "Tea House"), billset.administrator()
    off = live(merchant, root, ada, title="Half price", discount={"percent": 50})
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=6)
    past = live(merchant, root, ada, kind="ad", title="New leaves", expDate=soon.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
    for offer in (off, past):
        until(lambda: ada.get(f"/v1/deals/{offer}").body.get("sent"), "the offer to be sent")
    assert merchant.post(f"/v1/offers/{off}/disabling").status == 200
    until(lambda: ada.get(f"/v1/deals/{off}").body.get("ended") == "disabled", "the offer to be off")
    page = visit(path=f"/wallet#/deals/{off}").log_in_to(ada, "Half price")
    page.reads(".note.waiting", "The merchant has switched this off.")
    until(lambda: ada.get(f"/v1/deals/{past}").body.get("ended") == "expired", "the offer to expire")
    page.go(f"/deals/{past}").shows("New leaves").reads(".note.waiting", "This has expired.")


def test_lists_go_on(visit, ada, billset):
    """With pages of one row: places nearby and used coupons behind "More", subscriptions all at once."""
    at, root = {**ALONE, "latitude": 37198284}, billset.administrator()
    shops = [shop(billset, name, at=at) for name in ("Tea House", "Wine House")]
    near(ada, at)
    for merchant in shops:
        coupon = live(merchant, root, ada, title="Half price", discount={"percent": 50})
        approval = {"amount": usd(300), "coupon": coupon}
        answer = ada.post(f"/v1/charges/{ask(merchant, ada, 300)}/approval", approval)
        assert answer.status == 200, answer
    until(lambda: len(ada.get("/v1/deals/history").body["used"]) == 2, "both coupons to be redeemed")
    page = visit(DESKTOP).log_in(ada)
    page.tab.route(
        re.compile("/v1/(merchants/nearby|deals/history|subscriptions)[?]"),
        lambda route: route.continue_(url=re.sub(r"limit=\d+", "limit=1", route.request.url)))
    for path, title, name in (
            ("/merchants", "Merchants", "Merchants"), ("/pay", "Pay", "Nearby"), ("/coupons", "Coupons", "Used")):
        rows = page.go(path).shows(title).tab.get_by_role("list", name=name, exact=True).get_by_role("listitem")
        expect(rows).to_have_count(1)
        page.button("More").click()
        expect(rows).to_have_count(2)
        expect(page.button("More")).to_have_count(0)
        assert len(set(rows.all_inner_texts())) == 2
    rows = page.go("/settings/offers").shows("Ads and coupons").tab.get_by_role("list", name="Subscriptions").get_by_role("listitem")
    expect(rows.locator(".what")).to_have_text([re.compile("^(Tea|Wine) House$")] * 2)


def test_what_cannot_be_undone_is_asked_once(visit, ada):
    """The end of other sessions, and the position that is forgotten."""
    near(ada)
    other = visit().log_in(ada)
    page = visit().log_in(ada)
    dialog = page.tab.get_by_role("dialog")
    sessions = len(ada.get("/v1/sessions").body["sessions"])
    page.go("/settings/sessions").shows("Signed in")
    for button in (page.tab.locator("main button.item").first, page.button("Log out everywhere else")):
        button.click()
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
    assert len(ada.get("/v1/sessions").body["sessions"]) == sessions
    page.tab.locator("main button.item", has_text="Linux").click()
    dialog.get_by_role("button", name="Log out").click()
    page.reads("#told", "Logged out there.")
    other.shows("Log in")
    page.go("/settings/location").shows("Location").button("Forget it").click()
    dialog.get_by_role("button", name="Cancel").click()
    assert ada.get("/v1/location").status == 200
    page.button("Forget it").click()
    dialog.get_by_role("button", name="Forget it").click()
    page.reads("#whereabouts", "Where you are is not known.")
    assert ada.get("/v1/location").status == 404


def test_a_lost_phone_is_removed(visit, ada):
    """Devices that are pushed to, without what they are addressed by; this browser has its own switch."""
    address = f"token-of-{ada.account}"
    phone = register(ada, type=1, registrationId=address)["endpoint"]["endpoint"]
    own = register(ada, type=2, registrationId=2 * new_id())["endpoint"]["endpoint"]
    page = visit().log_in(ada)
    page.tab.evaluate("([account, own]) => localStorage.setItem(`billfold.push.${account}`, JSON.stringify(own))", [ada.account, own])
    page.go("/settings/notices").shows("Notifications")
    rows = page.tab.get_by_role("list", name="On other devices").get_by_role("listitem")
    expect(rows.locator(".what")).to_have_text(["Android"])
    expect(rows).to_contain_text("since")
    assert address not in page.tab.content()
    dialog = page.tab.get_by_role("dialog")
    rows.get_by_role("button").click()
    dialog.get_by_role("button", name="Cancel").click()
    rows.get_by_role("button").click()
    dialog.get_by_role("button", name="Remove this device").click()
    page.reads("#told", "Removed.").reads(".empty", "Nothing is sent to other devices.")
    assert [one["endpoint"] for one in ada.get("/v1/endpoints").body["endpoints"]] == [own] != [phone]


def test_settings_are_kept(visit, ada, coffee):
    """001-5, 001-13, 001-46: quiet hours, kinds of notifications, sharing, payments off."""
    page = visit().log_in(ada).go("/settings/notices").shows("Notifications")
    page.tab.get_by_role("switch", name="Refunds").click()
    until(lambda: ada.get("/v1/settings/notices").body.get("muted") == ["refund"], "refunds to be muted")
    # A99: one set of quiet hours, by the name of a time zone.
    page.field("From").fill("22:00")
    page.field("Until").fill("07:00")
    page.field("Time zone").select_option("Europe/Berlin")
    page.button("Save").click()
    quiet = until(lambda: ada.get("/v1/settings/notices").body.get("quiet"), "the quiet hours")
    assert quiet.pop("offset") in (60, 120) and quiet == {"from": 1320, "until": 420, "zone": "Europe/Berlin"}
    page.tab.reload()
    expect(page.field("Time zone")).to_have_value("Europe/Berlin")
    # One time alone is a mistake, and changes nothing; without both there are no quiet hours.
    for cleared, other, kept in (("Until", "From", "22:00"), ("From", "Until", "07:00")):
        page.field(cleared).fill("")
        page.field(other).fill(kept)
        page.button("Save").click()
        expect(page.field(cleared)).to_have_attribute("aria-invalid", "true")
        page.reads(".field .problem", "Enter two different times.")
    assert ada.get("/v1/settings/notices").body["quiet"]["zone"] == "Europe/Berlin"
    page.field("Until").fill("")
    page.button("Save").click()
    until(lambda: not ada.get("/v1/settings/notices").body.get("quiet"), "the quiet hours to be erased")
    # A96: who may ask for money, all or one.
    page.go("/settings/requests").shows("Requests for money")
    page.tab.get_by_role("switch", name="Every merchant may ask me").click()
    until(lambda: ada.get("/v1/settings/charges").body["everyone"], "all merchants to be allowed")
    page.go(f"/merchants/{coffee.account}?name=Coffee")
    page.tab.get_by_role("switch", name="May ask me for money").click()
    until(lambda: ada.get("/v1/settings/charges").body["merchants"], "the merchant to be allowed")
    page.go("/settings/requests").shows("Requests for money")
    page.link("Coffee House").click()
    expect(page.tab.get_by_role("switch", name="May ask me for money")).to_be_checked()
    page.go("/settings/location").shows("Location")
    page.tab.get_by_role("switch", name="Share my position").click()
    until(lambda: ada.get("/v1/settings/location").body["sharing"], "sharing")
    page.go("/settings/cards").shows("Cards")
    page.tab.get_by_role("switch", name="Payments are on").click()
    until(lambda: not ada.get("/v1/settings/payments").body["enabled"], "payments to be off")


def test_presses_that_fail_say_so(visit, ada, coffee):
    """Without a connection: a device that is to be logged out, and a message that is opened."""
    ask(coffee, ada, 100)
    elsewhere = visit().log_in(ada)
    page = visit().log_in(ada).go("/settings/sessions").shows("Signed in")
    # Hers, the other browser's, and this one, named as people do.
    expect(page.tab.locator("main .item")).to_have_count(3)
    expect(page.tab.locator("main button.item .what").filter(has_text="Linux")).to_have_count(1)
    page.tab.route("**/v1/sessions/*", lambda route: route.abort())
    page.tab.locator("main button.item").first.click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Log out").click()
    page.reads(".problem", re.compile("There is no connection to the server."))
    page.tab.unroute_all(behavior="ignoreErrors")
    page.button("Log out everywhere else").click()
    page.tab.get_by_role("dialog").get_by_role("button", name="Log out everywhere else").click()
    elsewhere.shows("Log in")
    page.go("/inbox").shows("Messages")
    page.tab.route("**/reading", lambda route: route.abort())
    page.tab.locator("main button.item").first.click()
    page.reads(".problem", re.compile("There is no connection to the server."))


def test_password_and_address_ask_for_the_pin(visit, billset, ada):
    """After a fresh log-in the server wants the PIN for both; who has none is not asked."""
    page = visit().log_in(ada).go("/settings/account").shows("Account")
    page.field("E-mail").fill("ada@example.com")
    page.field("Password").fill(ada.PASSWORD)
    page.button("Save").click()
    page.enter_pin().shows("Settings")
    assert ada.get("/v1/settings/account").body["email"] == "ada@example.com"

    def change(page, customer):
        page.go("/settings/password").shows("Password")
        page.field("Present password").fill(customer.PASSWORD)
        page.field("New password").fill("another horse battery")
        page.field("Password again").fill("another horse battery")
        page.button("Save").click()

    change(page := visit().log_in(ada), ada)
    page.enter_pin().shows("Settings")
    careless = billset.customer(pin=None)
    change(page := visit().log_in(careless), careless)
    page.shows("Settings")
    for customer in (ada, careless):
        body = {"username": customer.username, "password": "another horse battery"}
        assert customer.post("/v1/sessions", body, token=None).status == 201


REFUSED = {"code": "bus.forbidden", "retry": "never", "title": "Not this"}


def test_settings_that_are_changed_fast_are_all_saved(visit, ada, coffee):
    """The first answer is slow: what is changed meanwhile is saved behind it, and takes nothing back."""
    page = visit(service_workers="block").log_in(ada)

    def change(path, labels, endpoint, is_saved):
        held = hold_first(page, "PUT", endpoint)
        page.go(path)
        for label in labels:
            page.field(label).click()
        page.until(lambda: held, "the first change to be sent")
        held[0].continue_()
        page.until(lambda: is_saved(ada.get(endpoint).body), "both changes to be saved")

    change("/settings/notices", ("Refunds", "Orders that are ready"), "/v1/settings/notices",
           lambda body: sorted(body.get("muted", [])) == ["order", "refund"])
    change(f"/merchants/{coffee.account}", ("Ads", "Coupons"), "/v1/subscriptions",
           lambda body: [one["subscription"] for one in body["subscriptions"]] == [{"ads": True, "coupons": True}])


def test_what_was_not_saved_is_not_shown(visit, ada, coffee):
    """A refused change goes back, and says why."""
    near(ada)
    page = visit(DESKTOP, service_workers="block").log_in(ada)

    def handle(route):
        if route.request.method == "PUT":
            route.fulfill(status=403, json=REFUSED, content_type="application/problem+json")
        else:
            route.continue_()

    page.tab.route("**/v1/**", handle)
    page.go(f"/merchants/{coffee.account}").field("Ads").click()
    page.reads(".problem", re.compile("This account may not do this."))
    expect(page.field("Ads")).not_to_be_checked()
    page.go("/settings/offers").shows("Ads and coupons")
    before = page.tab.locator("#per-day").input_value()
    page.tab.locator("#per-day").select_option("20")
    page.reads(".problem", re.compile("This account may not do this."))
    expect(page.tab.locator("#per-day")).to_have_value(before)
    page.go("/merchants").shows("Merchants").tab.locator("place-map .paper").click(position={"x": 200, "y": 40})
    page.reads(".problem", re.compile("This account may not do this."))


def test_a_view_that_is_left_while_it_loads_leaves_nothing_behind(visit, ada):
    """Neither a look at the history every second, nor a second stream of the same news."""
    page = visit(service_workers="block").log_in(ada)
    page.tab.clock.install()
    held = hold_first(page, "GET", "/v1/history\\?limit=1$")
    looks = lambda: [one for one in page.requests if one.url.endswith("/v1/history?limit=1")]  # noqa: E731
    page.go("/pay/code")
    page.until(lambda: held, "the newest payment to be asked for")
    page.go("/settings").shows("Settings")
    answer(page, held)
    page.tab.clock.fast_forward(10_000)
    answered(page)
    assert len(looks()) == 1

    held = hold_first(page, "GET", "/v1/notices\\?limit=1$")
    streams = lambda: [one for one in page.requests if "/v1/notices/events" in one.url]  # noqa: E731
    before = len(streams())
    page.tab.evaluate("() => dispatchEvent(new Event('online')) && dispatchEvent(new Event('online'))")
    page.until(lambda: held and len(streams()) > before, "a stream to be opened again")
    answer(page, held)
    assert len(streams()) == before + 1


def test_a_position_that_comes_late_takes_nobody_back(visit, ada):
    """Whoever has gone on meanwhile stays there; the position counts."""
    page = visit().log_in(ada)
    page.tab.evaluate("() => { navigator.geolocation.getCurrentPosition = (found) => { window.found = found; }; }")
    page.go("/settings/location").button("Use this device's position").click()
    page.button("Share it").click()
    page.tab.wait_for_function("() => window.found")
    page.go("/settings").shows("Settings")
    with page.tab.expect_response(lambda response: response.url.endswith("/v1/location") and response.request.method == "PUT"):
        page.tab.evaluate("() => { found({coords: {latitude: 35.2, longitude: -111.6}}); }")
    answered(page)
    assert page.tab.evaluate("() => location.hash") == "#/settings"
    assert ada.get("/v1/location").body["latitude"] == 35200000


def test_a_position_of_the_device_replaces_none_that_was_typed_meanwhile(visit):
    page = visit(DESKTOP, path="/till#/register")
    page.tab.evaluate("() => { navigator.geolocation.getCurrentPosition = (found) => { window.found = found; }; }")
    device = page.button("Use this device's position")
    device.click()
    expect(device).to_have_attribute("aria-busy", "true")
    page.field("Latitude").fill("35.198284")
    page.field("Longitude").fill("-111.651302")
    page.tab.keyboard.press("Tab")
    page.tab.evaluate("() => { found({coords: {latitude: 1, longitude: 2}}); }")
    expect(device).not_to_have_attribute("aria-busy", "true")
    expect(page.field("Latitude")).to_have_value("35.198284")
    page.tab.evaluate("() => { window.found = null; }")
    device.click()
    page.tab.wait_for_function("() => window.found")
    page.tab.evaluate("() => { found({coords: {latitude: 1, longitude: 2}}); }")
    expect(page.field("Latitude")).to_have_value("1.000000")


GRANTED = """
Object.defineProperty(Notification, "permission", {get: () => "granted"});
Notification.requestPermission = async () => "granted";
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async () => { throw new DOMException("Registration failed", "AbortError"); };
"""


@pytest.mark.parametrize("workers", ["allow", "block"])
def test_notifications_that_cannot_be_switched_on_say_so(visit, ada, workers):
    """The browser's push service refuses, or the worker was never installed; the button can be pressed again."""
    page = visit(service_workers=workers)
    page.tab.add_init_script(GRANTED)
    page.tab.reload()
    page.log_in(ada).go("/settings/notices").shows("Notifications")
    if workers == "allow":
        page.tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.tab.clock.install()
    button = page.button("Switch on")
    button.click()
    if workers == "block":
        expect(button).to_have_attribute("aria-busy", "true")
        page.tab.clock.fast_forward(5_000)
    page.reads(".problem", re.compile("^The browser did not switch notifications on."))
    expect(button).not_to_have_attribute("aria-busy", "true")


def test_a_new_pin_names_the_missing_old_one(visit, ada):
    page = visit().log_in(ada).go("/settings/pin").shows("PIN")
    page.field("New PIN").fill("1234")
    page.field("Password").fill(ada.PASSWORD)
    page.button("Save").click()
    page.reads(".field:has([name=currentPin]) .problem", re.compile("The PIN is needed again"))


def test_german(visit, ada):
    """A84: the same app in German, and amounts with a comma on the keys."""
    page = visit(locale="de-DE")
    page.shows("Anmelden")
    page.tab.get_by_label("Benutzername").fill(ada.username)
    page.tab.get_by_label("Passwort").fill(ada.PASSWORD)
    page.button("Anmelden").click()
    page.tab.locator("h1", has_text="Start").wait_for(state="attached")
    assert page.tab.evaluate("() => document.documentElement.lang") == "de"
    page.go("/settings/look").shows("Aussehen und Sprache")
    page.tab.get_by_label("Sprache").select_option("en")
    page.shows("Look and language")


@pytest.mark.parametrize("app", ["wallet", "home", "shared"])
def test_both_languages_have_all_texts(visit, app):
    """A84: the same keys, and the same places for values."""
    en, de = visit().tab.evaluate(
        "(app) => import(`/pages/${app}/words.js`).then(({default: {en, de}}) => [en, de])", app)
    assert en.keys() == de.keys()
    for key in en:
        assert sorted(re.findall(r"\{\w+\}", en[key])) == sorted(re.findall(r"\{\w+\}", de[key])), key


# MARK: The keyboard alone


def test_by_keyboard_alone(visit, ada, coffee):
    """The main way: log in, the request, the PIN, the receipt; what is reached has a visible focus."""
    ask(coffee, ada, 450)
    page = visit(DESKTOP)
    page.shows("Log in")
    keys = page.tab.keyboard
    keys.type(ada.username)
    keys.press("Tab")
    keys.type(ada.PASSWORD)
    keys.press("Enter")
    page.is_home()

    def tab_to(text):
        for _ in range(60):
            keys.press("Tab")
            if page.tab.evaluate("() => document.activeElement.textContent.trim()").startswith(text):
                return
        raise AssertionError(f"no way to {text!r}")

    tab_to("Coffee House$4.50")
    assert page.tab.evaluate("() => document.activeElement.matches(':focus-visible')")
    keys.press("Enter")
    page.shows("Coffee House asks for")
    tab_to("Approve")
    keys.press("Enter")
    page.tab.get_by_role("dialog").wait_for()
    keys.press("Escape")
    expect(page.tab.get_by_role("dialog")).to_have_count(0)
    assert page.tab.evaluate("() => document.activeElement.textContent") == "Approve"
    keys.press("Enter")
    page.enter_pin().shows("Receipt")
    expect(page.tab.get_by_role("heading", name="Receipt")).to_be_focused()


def test_the_focus_stays_while_news_comes(visit, ada, coffee):
    """Home is drawn anew by each notice, under whoever goes through it by keyboard."""
    page = visit(DESKTOP).log_in(ada)
    for number, name in enumerate(("Merchants", "Log out"), 1):
        page.tab.locator("main").get_by_role("list").locator(".item", has_text=name).first.focus()
        focused = page.focused
        ask(coffee, ada, number * 100)
        page.reads("section.waiting .sum", f"${number}.00")
        assert page.focused == focused and name in focused


# MARK: How it looks


VIEWS = {
    "home": "/", "charges": "/charges", "pay": "/pay", "send": "/send", "history": "/activities", "inbox": "/inbox",
    "merchants": "/merchants", "coupons": "/coupons", "settings": "/settings", "account": "/settings/account",
    "cards": "/settings/cards", "new-card": "/settings/cards/new", "location": "/settings/location",
    "offers": "/settings/offers", "requests": "/settings/requests", "notices": "/settings/notices", "stars": "/settings/stars", "look": "/settings/look",
    "missing": "/nowhere",
}
LOOKS = {
    "phone-light": (PHONE, {"theme": "light"}), "phone-dark": (PHONE, {"theme": "dark"}),
    "desktop-light": (DESKTOP, {"theme": "light"}), "desktop-dark": (DESKTOP, {"theme": "dark"}),
    # A desktop of 1280 at 200 %, without movement; the smallest phone.
    "zoomed": ((640, 400), {"device_scale_factor": 2, "reduced_motion": "reduce"}),
    "narrow": (NARROW, {"theme": "dark"}),
}


@pytest.fixture
def pictures(request):
    """Where screenshots go."""
    made = os.environ.get("BILLFOLD_SCREENSHOTS")
    directory = pathlib.Path(made) if made else request.getfixturevalue("tmp_path")
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def looked_at(page, name, pictures, look):
    page.tab.screenshot(path=pictures / f"wallet-{name}-{look}.png", full_page=True)
    assert page.wide()[0] <= 0, (name, page.wide())
    assert page.faults() == [], name
    assert page.small_targets() == [], name


@pytest.mark.parametrize("look", LOOKS)
def test_every_view(visit, ada, coffee, pictures, look):
    """Typical and empty: nothing is wider than the window, too small to touch, or wrong by axe."""
    near(ada).paid(coffee, 150, memo="Drip coffee")
    charge = ask(coffee, ada, 450)
    size, options = LOOKS[look]
    page = visit(size, **options)
    looked_at(page, "login", pictures, look)
    page.go("/register").shows("Create account")
    looked_at(page, "register", pictures, look)
    page.go("/login").log_in(ada)
    receipt = ada.get("/v1/history").body["charges"][0]["charge"]
    more = {
        "charge": f"/charges/{charge}", "receipt": f"/receipts/{receipt}", "pay-merchant": f"/pay/{coffee.account}",
        "merchant": f"/merchants/{coffee.account}"}
    for name, path in {**VIEWS, **more}.items():
        page.go(path)
        page.tab.locator(f'main[data-view="{path}"]').wait_for()
        looked_at(page, name, pictures, look)


@pytest.mark.parametrize("tight", TIGHT)
def test_longest_words_and_largest_letters_fit(chromium, billset, ada, coffee, tight, pictures):  # noqa: F811
    near(ada)
    charge, paid = ask(coffee, ada, 450), ada.paid(coffee, 150)["charge"]
    size, locale, _ = TIGHT[tight]
    page = Tight(chromium, billset, size, locale=locale)
    page.enter(ada).fits({**VIEWS, "charge": f"/charges/{charge}", "receipt": f"/receipts/{paid}"}, tight, pictures)
    page.close()


def test_a_long_word_is_as_wide_as_the_phone(visit, ada, billset):
    """Ordinary names of businesses have words of 24 letters; the longest that can be are no wider."""
    grocer = shop(billset, "Lebensmittelgroßhandlung" + "g" * 36 + " Meier")
    near(ada)
    charge, paid = ask(grocer, ada, 450), ada.paid(grocer, 150)["charge"]
    page = visit(NARROW).log_in(ada)
    for path in ("/", f"/charges/{charge}", f"/charges/{paid}", f"/receipts/{paid}", f"/pay/{grocer.account}", f"/merchants/{grocer.account}",
                 "/activities"):
        page.go(path)
        page.tab.locator(f'main[data-view="{path}"]', has_text="Lebensmittel").wait_for()
        assert page.wide()[0] <= 0, (path, page.wide())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/look"])
def test_the_entrance_and_the_components(visit, path, theme, pictures):
    page = visit(PHONE, path=path, theme=theme)
    page.tab.locator("h1").wait_for()
    page.until(lambda: page.tab.locator(".doors a, place-map path").count() > 0, "the page to be drawn")
    page.tab.screenshot(path=pictures / f"{path.strip('/') or 'entrance'}-{theme}.png", full_page=True)
    assert page.wide()[0] <= 0, page.wide()
    assert page.faults() == []


def test_the_entrance_names_what_does_not_answer_and_finds_its_doors(visit):
    """The verdict of a server of which a part is away is in the body of its 503; doors that were lost come later."""
    page = visit(path="/touch", service_workers="block")
    page.tab.route("**/health", lambda route: route.fulfill(
        status=503, json={"status": "down", "services": {"wallet": False, "auth": True}}))
    page.tab.route("**/pages/files.json", lambda route: route.abort())
    page.tab.clock.install()
    page.tab.goto(page.origin + "/")
    page.reads(".verdict", re.compile("wallet"))
    expect(page.tab.locator(".doors a[href='/wallet']")).to_have_count(0)
    page.tab.unroute("**/pages/files.json")
    page.tab.clock.fast_forward(5_000)
    expect(page.tab.locator(".doors a[href='/wallet']")).to_have_count(1)


def test_a_map_that_was_lost_on_the_way_is_loaded_again(visit, ada):
    page = visit(DESKTOP, service_workers="block").log_in(ada)
    page.tab.route("**/leaflet/leaflet.js", lambda route: route.abort())
    page.go("/merchants").shows("Merchants").reads("place-map .empty", re.compile("The map cannot be loaded now"))
    page.tab.unroute("**/leaflet/leaflet.js")
    page.go("/").is_home().go("/merchants").shows("Merchants")
    page.tab.locator("place-map .paper").wait_for()
    # A server without it says so, and is asked once.
    page = visit(DESKTOP, service_workers="block").log_in(near(ada))
    page.tab.route("**/leaflet/leaflet.js", lambda route: route.fulfill(status=404))
    page.go("/merchants").shows("Merchants").reads("place-map .empty", re.compile("The map is not installed"))
    asked = lambda: [one for one in page.requests if one.url.endswith("/leaflet.js")]  # noqa: E731
    before = len(asked())
    page.go("/").is_home().go("/merchants").shows("Merchants").reads("place-map .empty", re.compile("The map is not installed"))
    assert len(asked()) == before


def test_the_components_work(visit):
    page = visit(DESKTOP, path="/look")
    page.button("Send").click()
    page.reads(".field .problem", "Username is missing.")
    page.button("Open a sheet").click()
    page.button("Done").click()
    page.reads("output", "done")
    expect(page.button("Open a sheet")).to_be_focused()
    page.button("Ask once").click()
    page.tab.keyboard.press("Escape")
    page.reads("output", "false")
    page.tab.get_by_label("Amount", exact=True).fill("4,5")
    page.reads("output", "$4.50")
    page.tab.get_by_label("Amount", exact=True).fill("4,555")
    page.reads("output", "An amount is a number such as 4.50 or 4,50.")


def test_codes_of_all_lengths_can_be_scanned(visit, tmp_path):
    """Versions 1 to 20, drawn by the page and read by a scanner."""
    page = visit(DESKTOP, path="/look")
    code = page.tab.locator("qr-code").first
    for length in (1, 14, 15, 100, 180, 213, 300, 450, 666):
        text = ("Billfold-" * 80)[:length]
        code.evaluate("(code, text) => code.show(text)", text)
        picture = tmp_path / f"{length}.png"
        code.locator("svg").evaluate("(svg) => { svg.style.width = '40rem'; }")
        code.locator("svg").screenshot(path=picture)
        assert decoded(picture) == text
