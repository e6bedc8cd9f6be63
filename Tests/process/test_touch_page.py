"""The touch app's page: a real browser, the real set, and what a customer does between them.

Covers, as seen on the page: 000-2 to 000-8, 000-11 to 000-16, 000-19, 000-20, 000-27 to 000-59, 000-61 to 000-64,
000-67, 000-69 to 000-74, 000-76 to 000-95, 000-97 to 000-101, and A1 to A8, A10 to A15, A17 to A20, A22, A25, A26, A28.

Screenshots of start, pin, main, pay, more options, add card and error, light and dark, on a phone and a desktop, go to
the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import os
import pathlib
import re

import pytest

from billfold import Client, new_id, new_key, until, usd
from touchpage import (  # noqa: F401: chromium and visit are fixtures
    DESKTOP, NARROW, PHONE, chromium, decoded, drop_answers, expect, visit)

# A dead service is told of soon, so that the tests of it do not take long; on a slow machine a log-in beside others takes a second.
ENVIRONMENT = {"BILLFOLD_DEADLINE_MS": "4000"}

PASSWORD = "correct horse battery"


# MARK: Pay on the go


def test_pay_on_the_go(visit):
    """The whole case, by the pointer, on a phone."""
    page = visit(PHONE).demo()
    expect(page.tab.get_by_role("navigation").get_by_role("button")).to_have_text(
        ["Cards", "Payments", "My Rewards", "Find Starbucks", "Settings"])
    for digit in "1234":
        page.button(digit).click()
    page.shows("My Cards - Main")
    page.reads("output", "$16.50")
    expect(page.phone).to_contain_text(page.display()["card"]["lastFour"])

    page.touch(3, 3).shows("My Cards - Pay")
    page.reads(".words", "Scan Now")
    expect(page.cell("Pay")).to_have_text("Pay $1.50to Touch Shop")
    # Each third of the row is another cell, and each touch another payment.
    for x, left in ((1, "$15.00"), (2, "$13.50"), (3, "$12.00")):
        page.touch(x, 2)
        page.notes(f"Paid $1.50. Balance {left}")
    assert [body["x"] for path, body in page.touches() if body.get("y") == 2] == [1, 2, 3]
    # The receipt has taken the code's place.
    expect(page.tab.locator(".slip")).to_contain_text("Paid$1.50To Touch Shop")
    expect(page.tab.locator(".bar-code")).to_have_count(0)

    page.tab.locator(".slip").get_by_role("button", name="Receipt").click()
    receipt = page.tab.get_by_role("dialog", name="Receipt")
    expect(receipt).to_contain_text("$12.00")
    operation = page.display()["receipt"]["operation"]
    expect(receipt).to_contain_text(operation)
    expect(receipt).to_contain_text("ToTouch Shop")
    receipt.get_by_role("button", name="Close").click()
    assert page.focused == "Receipt"
    page.button("Show the code").click()
    expect(page.tab.locator(".bar-code[src]")).to_be_visible()
    expect(page.tab.locator(".slip")).to_have_count(0)

    page.touch(3, 3).shows("My Cards - Main")
    page.reads("output", "$12.00")
    page.touch(2, 4).shows("My Cards - Options").reads(".words", "Reload, Refresh Balance, or More Options")
    page.touch(1, 7).shows("My Cards - More Options")
    page.reads(".words", "Refresh, Reload or View Recent Transactions")
    page.touch(2, 7)
    rows = page.phone.get_by_role("list", name="Recent transactions").get_by_role("listitem")
    expect(rows).to_contain_text(["Payment−$1.50", "Payment−$1.50", "Payment−$1.50", "Opening balance+$16.50"])
    assert page.card_balance == 1200

    page.button("Log out").click()
    expect(page.tab.get_by_role("heading", name="Pay on the go")).to_be_focused()
    assert page.tab.evaluate("() => sessionStorage.length") == 0
    left = page.tab.evaluate("() => document.body.textContent")
    assert not [text for text in ("$12.00", "$1.50", "Card", operation) if text in left]
    until(lambda: page.client.get("/v1/cards").status == 401, "the session to be closed")


def test_recent_payments_and_their_receipts(visit):
    page = visit().demo()
    expect(page.tab.get_by_text("Payments appear here once the PIN has been entered.")).to_be_visible()
    page.type("1234").to_pay().cell("Pay").click()
    expect(page.payments).to_have_count(1)
    expect(page.payments).to_contain_text("−$1.50")
    page.payments.get_by_role("button").click()
    receipt = page.tab.get_by_role("dialog", name="Receipt")
    charge = page.client.get("/v1/history").body["charges"][0]
    expect(receipt).to_contain_text(charge["charge"])
    expect(receipt).to_contain_text(charge["merchantName"])
    expect(receipt).to_contain_text("Balance afterwards$15.00")

    # On paper there is the receipt and nothing else.
    page.tab.emulate_media(media="print")
    expect(receipt).to_be_visible()
    expect(page.phone).to_be_hidden()
    expect(page.tab.get_by_role("button")).to_have_count(0)
    page.tab.emulate_media(media="screen")
    page.tab.keyboard.press("Escape")
    expect(receipt).to_be_hidden()


def test_requests_for_money(visit, merchant):
    """A merchant's request shows at once, behind the PIN, and is answered here."""
    page = visit().unlocked()
    account = page.client.get("/v1/sessions/current").body["account"]

    def asks(minor, memo):
        asked = merchant.post("/v1/charges", {"customer": account, "amount": usd(minor), "memo": memo}, key=new_key())
        assert asked.status == 201, asked
        return page.tab.locator(f'[data-request="{asked.body["charge"]}"]')

    first, second = asks(425, "Two croissants"), asks(1, "")
    expect(first).to_contain_text("asks for $4.25")
    expect(first).to_contain_text("Two croissants")
    expect(first.locator(".number")).to_have_text(re.compile(r"^Open for \d+:\d\d$"))
    expect(second).to_be_visible()
    assert page.faults() == [] and page.small_targets() == []
    # A request that has just come cannot be pressed yet.
    approve = first.get_by_role("button", name="Approve $4.25")
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    approve.click()
    page.reads("output", "$12.25")
    expect(first).to_have_count(0)
    second.get_by_role("button", name="Decline").click()
    expect(page.tab.get_by_role("heading", name="Requests for money")).to_be_hidden()
    assert page.card_balance == 1225
    assert [one["amount"] for one in page.client.get("/v1/history").body["charges"]] == [usd(425)]
    # Without the money the request is over, and the page says what to do; nobody reads it after the log-out.
    third = asks(9900, "")
    third.get_by_role("button", name="Approve $99.00").click()
    page.reads("#requests-problem", re.compile("^There is not enough money on the card. No money has moved."))
    expect(third).to_have_count(0)
    page.button("Log out").click()
    page.shows("Pay on the go")
    assert "not enough money" not in page.tab.evaluate("() => document.body.textContent")


def test_older_payments(visit):
    """Ten at first, and more behind a button; what is new joins them without a gap."""
    page = visit().unlocked()
    body = {"merchant": page.merchant, "amount": usd(1)}
    for _ in range(23):
        assert page.client.post("/v1/payments", body, key=new_key()).status == 201
    page.reads("output", "$16.27")
    more = page.button("Older payments")
    page.until(lambda: page.payments.count() == 10, "the first ten")
    for count in (20, 23):
        more.click()
        expect(page.payments).to_have_count(count)
    expect(more).to_be_hidden()
    assert page.client.post("/v1/payments", body, key=new_key()).status == 201
    expect(page.payments).to_have_count(24)
    shown = [one.get_attribute("data-charge") for one in page.tab.locator("#payments [data-charge]").all()]
    history = page.client.get("/v1/history?limit=100").body["charges"]
    assert shown == [one["charge"] for one in history]


def test_stores_where_no_position_was_known(visit, merchant):
    """The search leads to the position: asked for once, from the device or typed; then it finds."""
    place = merchant.post("/v1/places", {"name": "Corner", "latitude": 35198284, "longitude": -111651299}, key=new_key())
    assert place.status == 201, place
    page = visit(PHONE, geolocation={"latitude": 35.198284, "longitude": -111.651299}, permissions=["geolocation"])
    page.unlocked().menu(4).button("Search").click()
    page.notes("No stores near you")
    expect(page.phone).to_contain_text("Where you are is not known.")
    page.button("Use this device's position").click()
    page.button("Share it").click()
    expect(page.phone.get_by_role("listitem").first).to_contain_text("Corner")


def test_a_late_receipt_replaces_no_other(visit):
    """Nor does it open again what was closed, or show the receipt of somebody who has logged out."""
    page = visit(service_workers="block").unlocked().to_pay()
    page.cell("Pay").click()
    expect(page.payments).to_have_count(1)
    held = []
    page.tab.route("**/v1/receipts/*", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    receipt = page.tab.get_by_role("dialog", name="Receipt")

    def open_and_close():
        page.payments.get_by_role("button").click()
        expect(receipt).to_contain_text("Reading the receipt")
        page.tab.keyboard.press("Escape")
        expect(receipt).to_be_hidden()

    def answer(route):
        with page.tab.expect_response(route.request.url):
            route.fulfill(status=200, json=late)
        page.tab.evaluate("() => fetch('/pages/files.json').then((answer) => answer.text())")

    charge = page.client.get("/v1/history").body["charges"][0]["charge"]
    late = {**page.client.get(f"/v1/receipts/{charge}").body, "merchantName": "The late one"}
    open_and_close()
    open_and_close()
    page.payments.get_by_role("button").click()
    expect(receipt).to_contain_text("Balance afterwards$15.00")
    answer(held[0])
    expect(receipt).not_to_contain_text("The late one")
    page.tab.keyboard.press("Escape")
    page.button("Log out").click()
    page.shows("Pay on the go")
    answer(held[1])
    expect(receipt).to_be_hidden()


def test_a_merchant_scans_the_code(visit, merchant, tmp_path):
    page = visit(PHONE).unlocked().to_pay()
    code = page.tab.get_by_alt_text(re.compile("Bar code"))
    expect(code).to_have_attribute("src", re.compile("^data:image/svg"))
    page.reads("#expiry", re.compile(r"^Valid for (1:00|0:5\d)$"))
    picture = tmp_path / "code.png"
    code.screenshot(path=picture)
    text, image = page.display()["payCode"]["code"], code.get_attribute("src")
    assert decoded(picture) == text

    answer = merchant.post("/v1/code-payments", {"code": text, "amount": usd(425)}, key=new_key())
    assert answer.status == 201, answer
    # Nobody has touched the phone.
    page.reads("output", "$12.25")
    page.shows("My Cards - Pay")
    expect(page.payments).to_contain_text(merchant.username)
    # A code is good for one payment: another one has taken its place.
    page.until(lambda: (code.get_attribute("src") or image) != image, "the new code's picture")
    code.screenshot(path=picture)
    assert decoded(picture) == page.display()["payCode"]["code"] != text


def test_a_balance_changed_elsewhere(visit):
    page = visit().unlocked()
    sent = len(page.touches())
    body = {"merchant": page.merchant, "amount": usd(250)}
    assert page.client.post("/v1/payments", body, key=new_key()).status == 201
    page.reads("output", "$14.00")
    expect(page.payments).to_have_count(1)
    assert len(page.touches()) == sent
    assert any(said.startswith("Balance $14.00") for said in page.said)


def test_eleven_payments_and_no_more(visit):
    page = visit().unlocked().to_pay()
    for k in range(1, 12):
        page.cell("Pay").click()
        page.notes(f"Paid $1.50. Balance ${(1650 - 150 * k) / 100:.2f}")
    pay = page.cell("Pay")
    expect(pay).to_have_attribute("aria-disabled", "true")
    expect(pay).to_have_accessible_description(re.compile("Reload the card"))
    sent = len(page.touches())
    pay.click(force=True)
    page.settle()
    assert len(page.touches()) == sent
    assert page.card_balance == 0
    page.menu(1).cell("Options").click()
    page.cell("Reload").click()
    page.notes("Reloaded $10.00. Balance $10.00")
    page.menu(1).to_pay()
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    pay.click()
    page.notes("Paid $1.50. Balance $8.50")


# MARK: The PIN


def test_a_wrong_pin(visit):
    page = visit(PHONE).demo()
    passcode = page.tab.get_by_role("img", name="digits entered")
    filled = page.tab.locator(".digit.filled")
    for slot in range(1, 6):
        expect(page.tab.locator(f'[data-menu="{slot}"]')).to_be_disabled()
    expect(page.tab.locator("#top-left, #top-right").and_(page.tab.locator(":visible"))).to_have_count(0)
    page.type("12")
    expect(passcode).to_have_accessible_name("2 of 4 digits entered")
    page.button("X, delete the last digit").click()
    expect(filled).to_have_count(1)
    # Touches that mean nothing: the blank key, and everything above the keys.
    for x, y in ((1, 8), (2, 1), (3, 4)):
        page.touch(x, y)
    page.settle()
    expect(filled).to_have_count(1)
    assert [(body["x"], body["y"]) for _, body in page.touches()][-3:] == [(1, 8), (2, 1), (3, 4)]

    page.type("999")
    page.refuses("Invalid PIN")
    expect(filled).to_have_count(0)
    page.shows("Pin Screen")
    page.type("1")
    expect(filled).to_have_count(1)
    expect(page.error).to_have_text("")
    page.type("234").shows("My Cards - Main")


def test_an_account_of_ones_own_and_its_secret(visit):
    """Sign-up, log-in; the PIN's digits are nowhere but under the fingers."""
    page = visit()
    username, pin = f"page-{new_id()[:10]}", "8057"
    form = page.tab.locator("#sign-up")
    make = form.get_by_role("button")
    field = {name: form.locator(f'[name="{name}"]') for name in (
        "username", "password", "confirmPassword", "email", "birthdate", "pin")}

    def wrong():
        return {name: page.tab.evaluate(
            "(one) => document.getElementById(one.getAttribute('aria-describedby').split(' ').at(-1)).textContent",
            one.element_handle()) for name, one in field.items() if one.get_attribute("aria-invalid")}

    # All at once, each beside its field, and the first one has the focus.
    make.click()
    assert wrong() == {
        "username": "Username is missing.", "password": "Password is missing.", "confirmPassword": "Password again is missing.",
        "email": "E-mail is missing.", "birthdate": "Date of birth is missing.", "pin": "PIN is missing."}
    expect(field["username"]).to_be_focused()
    field["username"].fill(username)
    field["password"].fill("short")
    field["confirmPassword"].fill(PASSWORD)
    field["email"].fill("ada")
    field["birthdate"].fill("1990-05-17")
    field["pin"].fill("12a4")
    make.click()
    assert wrong() == {
        "password": "Password needs at least 8 characters.", "confirmPassword": "The two passwords differ.",
        "email": "That is no e-mail address.", "pin": "A PIN has four digits."}
    expect(field["password"]).to_be_focused()
    field["password"].fill(PASSWORD)
    field["email"].fill("ada@example.com")
    field["pin"].fill(pin)
    make.click()
    page.shows("Pin Screen")

    page.type(pin[:3])
    expect(page.tab.locator(".digit.filled")).to_have_count(3)
    assert pin[:3] not in page.tab.evaluate("() => document.documentElement.outerHTML")
    page.type(pin[3]).shows("My Cards - Main")
    page.reads("output", "$0.00")
    assert "3 of 4 digits" in page.said
    said = page.said[page.said.index("Enter your PIN"):]
    assert not [line for line in said if "of 4 digits" not in line and "$" not in line and set(line) & set(pin)], said
    left = page.tab.evaluate(
        """() => [document.documentElement.outerHTML, JSON.stringify(sessionStorage), JSON.stringify(localStorage),
          JSON.stringify(Array.from(document.forms, (form) => [...new FormData(form).values()]))]""")
    assert not [text for text in [*left, *page.console] if pin in text or PASSWORD in text]

    page.button("Log out").click()
    form = page.tab.locator("#log-in")
    form.get_by_label("Username").fill(username)
    form.get_by_label("Password").fill("wrong horse")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).not_to_have_text("")
    expect(page.tab.get_by_role("link", name="Forgot username or password")).to_have_attribute("href", "/wallet#/forgotten")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button").click()
    page.shows("Pin Screen").type(pin).shows("My Cards - Main")


# MARK: Cards


def test_a_new_card_pays_from_then_on(visit):
    page = visit().unlocked().menu(5).shows("Settings Screen")
    page.touch(2, 2).shows("Add Card Screen").reads(".words", "Enter a new Card")
    card_id, card_code = page.cell("Card ID"), page.cell("Card Code")
    expect(card_id).to_have_attribute("aria-pressed", "true")
    page.button("Add").click()
    page.refuses("Card ID needs 16 digits")

    number = "4000" + f"{int(new_id(), 16) % 10**12:012}"
    page.type(number + "9")
    expect(card_id).to_contain_text("16 of 16")
    page.button("Add").click()
    page.refuses("Card Code needs 8 digits")
    # Card Code is alone in its row: each place of it is its cell, (2,4).
    for x in (1, 2, 3):
        page.touch(x, 4)
        expect(card_code).to_have_attribute("aria-pressed", "true")
        page.touch(x, 3)
        expect(card_id).to_have_attribute("aria-pressed", "true")
    assert {body["x"] for path, body in page.touches() if path == "touch" and body["y"] == 4} == {2}
    page.touch(2, 4)
    expect(card_code).to_have_attribute("aria-pressed", "true")
    page.type("123456789").tab.keyboard.press("Backspace")
    page.type("8")
    expect(card_code).to_contain_text("12345678")
    page.button("Add").click()
    page.shows("My Cards - Main")
    page.notes(f"Added card {number[-4:]}")
    page.reads("output", "$16.50")

    page.to_pay().cell("Pay").click()
    page.notes("Paid $1.50. Balance $15.00")
    page.menu(1).cell("Options").click()
    page.cell("Reload").click()
    page.notes("Reloaded $10.00. Balance $25.00")
    page.cell("Refresh Balance").click()
    page.notes("Balance $25.00")
    page.cell("More Options").click()
    page.button("Next Card").click()
    page.notes(re.compile(r"^Card \d{4}\. Balance \$16\.50$"))
    # One level back, and another.
    page.button("Back").click()
    page.shows("My Cards - Options").tab.keyboard.press("Escape")
    page.shows("My Cards - Main")

    page.menu(5).shows("Settings Screen").touch(1, 2).shows("Add Card Screen").type("4000")
    expect(page.cell("Card ID")).to_contain_text("4 of 16")
    page.button("Cancel").click()
    page.shows("Settings Screen").touch(3, 2).shows("Add Card Screen")
    expect(page.cell("Card ID")).to_contain_text("0 of 16")


def test_without_a_card(visit):
    page = visit(PHONE).unlocked("no-card")
    page.reads("output", "$0.00")
    expect(page.phone).to_contain_text("Your card will appear here.")
    page.to_pay()
    page.refuses("No card")
    expect(page.tab.locator("img")).to_have_count(0)
    expect(page.cell("Pay")).to_have_attribute("aria-disabled", "true")
    expect(page.cell("Pay")).to_have_accessible_description(re.compile("no card to pay with"))
    page.button("Add a card").click()
    page.shows("Settings Screen")
    assert page.client.get("/v1/history").body["charges"] == []


def test_disabled_payments(visit):
    page = visit().unlocked().menu(2).shows("Payment Setup")
    page.button("Disable").click()
    expect(page.tab.locator("#grid").get_by_text("Payments disabled", exact=True)).to_be_visible()
    page.menu(1).to_pay()
    page.refuses("Payments disabled")
    expect(page.cell("Pay")).to_have_attribute("aria-disabled", "true")
    expect(page.cell("Pay")).to_have_accessible_description(re.compile("Payments are off"))
    page.tab.locator(".hindered").get_by_role("button").click()
    page.shows("Payment Setup").button("Enable").click()
    page.notes("Payments enabled")
    page.menu(1).to_pay().cell("Pay").click()
    page.notes("Paid $1.50. Balance $15.00")


# MARK: When something fails


def test_a_lost_answer_is_asked_for_again_and_pays_once(visit):
    page = visit().unlocked().to_pay()
    lost = drop_answers(page, r"/touch$", count=2)
    page.cell("Pay").click()
    page.until(lambda: len(lost) == 2, "both answers to be lost")
    page.settle().notes("Paid $1.50. Balance $15.00")
    pays = [body["touchId"] for _, body in page.touches() if body.get("y") == 2]
    assert len(pays) == 3 and len(set(pays)) == 1
    assert page.card_balance == 1500


def test_what_the_server_asks_to_repeat_is_repeated(visit):
    """503 and 429, both to be tried again: the same touch, which then pays once."""
    page = visit().unlocked().to_pay()
    refusals = [(503, "bus.unavailable", "same_key"), (429, "gateway.device_busy", "later")]

    def handle(route):
        if not refusals:
            return route.continue_()
        status, code, retry = refusals.pop(0)
        return route.fulfill(status=status, headers={"Content-Type": "application/problem+json"}, json={
            "type": f"urn:billfold:fault:{code}", "status": status, "code": code, "title": "Not now", "retry": retry})

    page.tab.route(re.compile("/touch$"), handle)
    page.cell("Pay").click()
    page.notes("Not now. Trying again: it counts once.")
    page.notes("Paid $1.50. Balance $15.00")
    ids = [body["touchId"] for _, body in page.touches() if body.get("y") == 2]
    assert len(ids) == 3 and len(set(ids)) == 1
    assert page.card_balance == 1500


def test_a_lost_touch_arrives_later(visit):
    """The network is gone: the page says so, keeps the touch, and goes on by itself."""
    page = visit().unlocked().to_pay()
    page.context.set_offline(True)
    page.is_cut_off()
    page.cell("Pay").click()
    page.notes("No connection. Trying again: it counts once.")
    assert page.card_balance == 1650
    page.context.set_offline(False)
    page.notes("Paid $1.50. Balance $15.00")
    page.is_live()
    assert page.card_balance == 1500


def test_giving_up(visit):
    page = visit().unlocked().to_pay()
    page.tab.route(re.compile("/touch$"), lambda route: route.abort())
    page.cell("Pay").click()
    page.button("Stop").click()
    page.notes("Your touch was cancelled. Nothing was done.")
    expect(page.button("Stop")).to_be_hidden()
    page.settle()
    page.tab.unroute(re.compile("/touch$"))
    page.cell("My Cards").click()
    page.shows("My Cards - Main")
    page.reads("output", "$16.50")
    expect(page.error).to_have_text("")


def test_giving_up_what_had_been_done(visit):
    """Nobody knows until there is a connection; then the server tells, and what never arrived never will be done."""
    page = visit().unlocked().to_pay()
    drop_answers(page, r"/touch$", count=9)
    page.cell("Pay").click()
    page.context.set_offline(True)
    page.is_cut_off().button("Stop").click()
    page.refuses(re.compile("^Not known yet whether your touch was carried out"))
    page.context.set_offline(False)
    page.notes("Your touch had arrived. Paid $1.50. Balance $15.00")
    assert page.card_balance == 1500
    [touched] = {body["touchId"] for _, body in page.touches() if body.get("y") == 2}
    # The other way round: a touch that arrives after it was cancelled.
    late = new_id()
    for effect in ("cancelled", "repeated"):
        answer = page.client.post(f"/v1/devices/{page.device}/cancel", {"touchId": late})
        assert (answer.status, answer.headers["Touch-Effect"]) == (200, effect)
    answer = page.client.post(f"/v1/devices/{page.device}/touch", {"x": 1, "y": 2, "touchId": late})
    assert (answer.status, answer.headers["Touch-Effect"]) == (200, "repeated")
    answer = page.client.post(f"/v1/devices/{page.device}/cancel", {"touchId": touched})
    assert answer.headers["Touch-Effect"] == "repeated"
    assert page.card_balance == 1500


def test_a_slow_answer_is_said(visit):
    page = visit().unlocked().to_pay()
    held = []
    page.tab.route(re.compile("/touch$"), lambda route: held.append(route))
    page.cell("Pay").click()
    page.notes("Sent. Waiting for the answer …")
    expect(page.button("Stop")).to_be_visible()
    held[0].continue_()
    page.notes("Paid $1.50. Balance $15.00")
    expect(page.button("Stop")).to_be_hidden()


def test_a_refused_touch_says_that_nothing_was_paid(visit):
    page = visit().unlocked().to_pay()
    problem = {"type": "urn:billfold:fault:bus.malformed", "status": 400, "code": "bus.malformed",
               "title": "The message is malformed", "retry": "never"}
    page.tab.route(re.compile("/touch$"), lambda route: route.fulfill(
        status=400, json=problem, headers={"Content-Type": "application/problem+json"}))
    page.cell("Pay").click()
    page.refuses("The message is malformed. Nothing was paid.")


def test_the_wallet_is_killed_and_comes_back(visit, billset):
    page = visit().unlocked().to_pay()
    billset.kill("wallet")
    page.cell("Pay").click()
    page.refuses(re.compile(
        r"^(Service unavailable\. Nothing was paid\. Try again|Payment not confirmed\. Touch again: it is paid once)$"))
    page.settle()
    billset.start("wallet")
    billset.await_health()
    page.cell("Pay").click()
    page.notes(re.compile(r"^Paid \$1\.50"))
    page.settle()
    assert page.card_balance == 1500


def test_the_gateway_is_restarted(visit, billset):
    """Its devices are gone, its sessions are not: the app starts anew, at the PIN."""
    page = visit().unlocked()
    billset.stop("gateway")
    page.is_cut_off()
    billset.start("gateway")
    billset.await_health()
    page.shows("Pin Screen")
    page.refuses(re.compile(r"^The app .*Enter your PIN\.$"))
    page.type("1234").shows("My Cards - Main")
    page.is_live()


def test_a_session_that_has_ended(visit):
    page = visit().unlocked()
    assert page.client.delete("/v1/sessions/current").status == 204
    page.shows("Pay on the go")
    expect(page.tab.locator("#start-remark")).to_have_text("Your session has ended. Log in again.")
    assert page.tab.evaluate("() => sessionStorage.length") == 0


# MARK: Touches


def test_touches_go_one_after_another(visit):
    """However fast they come: in order, each under an id of its own, the next after the answer to the one before."""
    page = visit().unlocked().menu(5).shows("Settings Screen").touch(2, 2).shows("Add Card Screen")
    page.requests.clear()
    digits = "9876543210123456"
    most = page.tab.evaluate(
        """(digits) => new Promise((resolve) => {
          const send = window.fetch;
          let open = 0, most = 0, answered = 0;
          window.fetch = async (path, options) => {
            if (!path.endsWith("/touch")) return send(path, options);
            most = Math.max(most, ++open);
            const answer = await send(path, options);
            open -= 1;
            if (++answered === digits.length) resolve(most);
            return answer;
          };
          for (const key of digits) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        })""", digits)
    assert most == 1
    expect(page.cell("Card ID")).to_contain_text("16 of 16")
    assert page.display()["fields"][0]["digits"] == digits
    ids = [body["touchId"] for _, body in page.touches()]
    assert len(ids) == len(set(ids)) == len(digits)
    assert all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", id) for id in ids)


def test_a_touch_is_seen_at_once(visit):
    page = visit().unlocked().to_pay()
    held = []
    page.tab.route(re.compile("/touch$"), lambda route: held.append(route))
    # Two clicks of one double click, and more while the first one waits: one touch.
    page.tab.evaluate(
        """() => {
          const pay = document.querySelector('#grid [data-label="Pay"]');
          pay.click();
          pay.click();
        }""")
    expect(page.cell("Pay")).to_have_attribute("aria-busy", "true")
    page.cell("Pay").dblclick()
    page.until(lambda: held, "the touch to be sent")
    held[0].continue_()
    page.notes("Paid $1.50. Balance $15.00")
    expect(page.cell("Pay")).not_to_have_attribute("aria-busy", "true")
    page.tab.unroute(re.compile("/touch$"))
    page.cell("Pay").dblclick()
    page.notes("Paid $1.50. Balance $13.50")
    page.settle()
    assert len(held) == 1 and page.card_balance == 1350


def test_a_key_that_is_held_pays_once(visit):
    page = visit().unlocked().to_pay()
    page.cell("Pay").focus()
    page.tab.keyboard.down("Enter")
    page.notes("Paid $1.50. Balance $15.00")
    for _ in range(5):
        page.tab.keyboard.down("Enter")
    page.tab.keyboard.up("Enter")
    page.settle()
    assert page.card_balance == 1500


def test_what_was_aimed_at_a_screen_that_has_gone_is_not_sent(visit):
    """The second half of a double tap must not hit what comes after."""
    page = visit().unlocked()
    page.tab.evaluate(
        """() => {
          document.querySelector('#grid [data-label="Pay"]').click();
          document.querySelector('#grid [data-label="Options"]').click();
        }""")
    page.shows("My Cards - Pay").settle()
    assert len([1 for path, body in page.touches() if body.get("y", 9) < 5]) == 1


def test_keyboard_alone(visit):
    """From the first view to the receipt and back, without a pointer."""
    page = visit()
    keys = page.tab.keyboard

    def tab_to(name):
        for _ in range(20):
            keys.press("Tab")
            if page.focused == name:
                return
        raise AssertionError(f"no way to {name} by Tab")

    tab_to("With a card")
    keys.press("Enter")
    page.shows("Pin Screen")
    expect(page.tab.get_by_role("heading", level=1)).to_be_focused()
    # The third X has nothing to delete (A8).
    page.type("99")
    for _ in range(3):
        keys.press("Backspace")
    # Two digits by their keys, two by walking to them.
    page.type("12")
    for direction in ("ArrowDown", "ArrowRight", "ArrowRight"):
        keys.press(direction)
    assert page.focused == "3"
    keys.press("Enter")
    expect(page.tab.locator(".digit.filled")).to_have_count(3)
    for direction in ("ArrowDown", "ArrowLeft", "ArrowLeft"):
        keys.press(direction)
    assert page.focused == "4"
    keys.press("Space")
    page.shows("My Cards - Main")
    # The key that was pressed is gone: the focus stands on the new screen's name.
    expect(page.tab.get_by_role("heading", level=1)).to_be_focused()
    keys.press("ArrowDown")
    assert page.focused == "Pay"
    keys.press("ArrowDown")
    assert page.focused == "Options"
    keys.press("ArrowUp")
    keys.press("Enter")
    page.shows("My Cards - Pay")
    keys.press("ArrowDown")
    expect(page.cell("Pay")).to_be_focused()
    keys.press("Enter")
    page.notes("Paid $1.50. Balance $15.00")
    expect(page.cell("Pay")).to_be_focused()
    tab_to("Receipt")
    keys.press("Enter")
    expect(page.tab.get_by_role("dialog", name="Receipt")).to_be_visible()
    keys.press("Escape")
    assert page.focused == "Receipt"
    for slot, screen, words in (
            (2, "Payment Setup", "Enable Payments?"), (3, "Rewards Setup", "Make Every Visit Count"),
            (4, "Find Starbucks", "Google Map of Local Starbucks")):
        keys.press(f"Alt+{slot}")
        page.shows(screen).reads(".words", words)
    keys.press("Alt+5")
    page.shows("Settings Screen")
    keys.press("Alt+1")
    page.shows("My Cards - Main")
    page.reads("output", "$15.00")
    tab_to("Options")
    keys.press("Enter")
    page.shows("My Cards - Options")
    keys.press("Escape")
    page.shows("My Cards - Main")
    for _ in range(6):
        keys.press("ArrowDown")
    assert page.focused in ("Cards", "Payments", "My Rewards", "Find Starbucks", "Settings")


# MARK: The modules


def test_events_come_in_any_pieces(visit):
    """The stream's parser by itself: line ends of all kinds, comments, several lines of data, cut anywhere."""
    text = (':beat\n\nid: 7\nevent: display\ndata: {"a":1}\n\ndata:x\r\ndata: y\r\n\r\n'
            ":\n\nevent: closed\ndata: {}\n\nid: 8\nda")
    events = visit().tab.evaluate(
        """async (text) => {
          const {EventParser} = await import("/pages/shared/stream.js");
          return Array.from(text, (_, cut) => {
            const parser = new EventParser();
            return [...parser.take(text.slice(0, cut)), ...parser.take(text.slice(cut))];
          });
        }""", text)
    expected = [
        {"event": "display", "id": "7", "data": '{"a":1}'}, {"event": "message", "data": "x\ny"},
        {"event": "closed", "data": "{}"}]
    assert all(parsed == expected for parsed in events), [parsed for parsed in events if parsed != expected][:1]


def test_money_and_ids(visit):
    """A4, A28: integer cents, whatever their number."""
    page = visit()
    sums = [(1650, "USD", "$16.50"), (5, "USD", "$0.05"), (-5, "USD", "−$0.05"), (0, "USD", "$0.00"),
            (1200, "EUR", "12.00 EUR"), (-123456789, "EUR", "−1234567.89 EUR")]
    shown = page.tab.evaluate(
        """async (sums) => {
          const {money} = await import("/pages/shared/money.js");
          return sums.map(([amount, currency]) => money({amount, currency}));
        }""", [one[:2] for one in sums])
    assert shown == [one[2] for one in sums]
    now, ids = page.tab.evaluate(
        """async () => {
          const {newID} = await import("/pages/shared/api.js");
          return [Date.now(), Array.from({length: 1000}, newID)];
        }""")
    assert len(set(ids)) == 1000
    assert all(abs(int(id.replace("-", "")[:12], 16) - now) < 60_000 for id in ids)


# MARK: The tab


def test_a_reload_goes_on_and_back_leads_to_the_start(visit):
    page = visit().unlocked().to_pay()
    page.tab.reload()
    page.shows("My Cards - Pay")
    expect(page.tab.get_by_alt_text(re.compile("Bar code"))).to_be_visible()
    page.tab.go_back()
    page.shows("Pay on the go")
    page.button("Go on").click()
    page.shows("My Cards - Pay").cell("Pay").click()
    page.notes("Paid $1.50. Balance $15.00")


def test_light_and_dark(visit):
    page = visit(theme="dark")
    switch = page.button("Dark")

    def is_dark():
        red = page.tab.evaluate("() => getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0]")
        return int(red) < 128

    expect(switch).to_have_attribute("aria-pressed", "true")
    assert is_dark()
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert not is_dark()
    page.tab.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert not is_dark()
    switch.click()
    assert is_dark()
    page.tab.emulate_media(color_scheme="light")
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_a_code_expires(visit):
    """The answer to the touch is changed so that its code expires at once. A look at the server brings another code."""
    page = visit().unlocked()
    # Nor does the stream tell the true time.
    page.tab.route(re.compile("/events$"), lambda route: route.abort())
    page.tab.reload()
    page.is_cut_off()

    def hurry(route):
        answer = route.fetch()
        display = answer.json()
        display["payCode"]["expires"] = "2026-01-01T00:00:00.000Z"
        route.fulfill(response=answer, json=display)

    page.tab.route(re.compile("/touch$"), hurry)
    page.shows("My Cards - Main").to_pay()
    page.reads("#expiry", "Expired")
    page.button("New code").click()
    page.reads("#expiry", re.compile(r"^Valid for (1:00|0:5\d)$"))
    expect(page.button("New code")).to_be_hidden()


@pytest.mark.parametrize("size", [(320, 568), (568, 320), (844, 390), PHONE])
def test_a_scanner_sees_the_whole_code(visit, size):
    """Above the fold and the menu, 60 % of the width of an upright window, with its time; before and after a payment."""
    page = visit(size).unlocked().to_pay()

    def is_seen():
        code = page.tab.locator(".bar-code[src]")
        code.wait_for()
        page.tab.evaluate("() => scrollTo(0, 0)")
        box = code.bounding_box()
        covered = page.tab.evaluate(
            """({x, y, width, height}) => [[9, 9], [width - 9, 9], [9, height - 9], [width - 9, height - 9]]
              .map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy)?.className)""", box)
        assert covered == ["bar-code"] * 4, (box, covered)
        assert box["width"] >= min(240, (0.6 if size[0] < size[1] else 0.3) * size[0]), box
        expect(page.tab.locator("#expiry")).to_be_in_viewport(ratio=1)

    is_seen()
    page.cell("Pay").click()
    page.notes("Paid $1.50. Balance $15.00")
    expect(page.tab.locator(".slip")).to_be_in_viewport(ratio=0.9)
    page.button("Show the code").click()
    is_seen()


def test_a_clock_that_is_wrong_lets_no_code_expire(visit):
    page = visit()
    page.tab.clock.install(time="2031-05-05T05:05:05Z")
    page.tab.reload()
    page.unlocked().to_pay()
    page.tab.clock.run_for(1000)
    page.reads("#expiry", re.compile(r"^Valid for (1:0[01]|0:5\d)$"))


def test_the_policy_of_every_file(visit):
    """Each answer forbids whatever does not come from the set itself."""
    page = visit()
    policy = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
              "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    loaded = {request.url.removeprefix(page.origin) for request in page.requests}
    assert {"/touch", "/pages/touch/touch.js", "/pages/touch/touch.css", "/pages/shared/theme.js"} <= loaded
    for path in loaded:
        answer = Client(page.set).get(path)
        assert answer.status == 200, path
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        if not path.endswith(".svg"):
            assert answer.headers["Content-Security-Policy"] == policy
            assert not re.search(rb"https?://(?!www\.w3\.org/)", answer.raw), path


# MARK: How it looks


@pytest.fixture(scope="module")
def screenshots(tmp_path_factory):
    directory = os.environ.get("BILLFOLD_SCREENSHOTS")
    if not directory:
        return tmp_path_factory.mktemp("screenshots")
    path = pathlib.Path(directory)
    path.mkdir(parents=True, exist_ok=True)
    return path


LOOKS = {
    "phone-light": (PHONE, "light", {}), "phone-dark": (PHONE, "dark", {}),
    "desktop-light": (DESKTOP, "light", {}), "desktop-dark": (DESKTOP, "dark", {}),
    # A desktop of 1280 at 200 %, without movement; the smallest phone.
    "zoomed": ((640, 400), "light", {"device_scale_factor": 2, "reduced_motion": "reduce"}),
    "narrow": (NARROW, "dark", {}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_screen(visit, screenshots, look):
    """Nothing serious in axe's audit, nothing wider than the window, no target below 44 px; and a picture of each."""
    size, theme, options = LOOKS[look]
    page = visit(size, theme, **options)

    def look_at(name):
        page.tab.mouse.move(0, 0)
        page.tab.screenshot(path=screenshots / f"{name}-{look}.png", animations="disabled")
        assert page.wide() == [0, []], name
        assert page.small_targets() == [], name
        if size in (PHONE, DESKTOP):
            assert page.faults() == [], name

    look_at("start")
    page.demo().type("12")
    expect(page.tab.locator(".digit.filled")).to_have_count(2)
    look_at("pin")
    page.type("34").shows("My Cards - Main")
    look_at("main")
    page.to_pay()
    expect(page.tab.locator("img[src]")).to_be_visible()
    look_at("pay")
    page.cell("Pay").click()
    expect(page.payments).to_have_count(1)
    look_at("pay-paid")
    page.menu(1).cell("Options").click()
    page.cell("Reload").click()
    page.notes("Reloaded $10.00. Balance $25.00")
    page.cell("More Options").click()
    page.cell("View Recent Transactions").click()
    expect(page.phone.get_by_role("listitem")).to_have_count(3)
    look_at("more-options")
    page.menu(2)
    expect(page.tab.locator(".state")).to_be_visible()
    look_at("payment-setup")
    page.menu(5).cell("Add Starbucks Cards").click()
    page.shows("Add Card Screen").type("40001234").button("Add").click()
    page.refuses("Card ID needs 16 digits")
    look_at("add-card")
    page.menu(4).button("Search").click()
    page.notes("No stores near you")
    look_at("stores")
    page.menu(3).button("Join").click()
    page.reads(".state", "0 stars")
    look_at("rewards")
    page.menu(2).button("Disable").click()
    page.reads(".state", "Payments disabled").menu(1).to_pay().refuses("Payments disabled")
    look_at("error")
    page.context.set_offline(True)
    page.is_cut_off().cell("My Cards").click()
    page.notes("No connection. Trying again: it counts once.")
    look_at("no-connection")
    page.context.set_offline(False)
    page.settle().button("Help").click()
    look_at("help")
