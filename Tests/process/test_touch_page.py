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
    # Each third of the row is another cell, and each touch another payment.
    for x, left in ((1, "$15.00"), (2, "$13.50"), (3, "$12.00")):
        page.touch(x, 2)
        page.notes(f"Paid $1.50. Balance {left}")
    assert [body["x"] for path, body in page.touches() if body.get("y") == 2] == [1, 2, 3]
    expect(page.tab.locator(".slip")).to_contain_text("Paid$1.50")

    page.tab.locator(".slip").get_by_role("button", name="Receipt").click()
    receipt = page.tab.get_by_role("dialog", name="Receipt")
    expect(receipt).to_contain_text("$12.00")
    operation = page.display()["receipt"]["operation"]
    expect(receipt).to_contain_text(operation)
    receipt.get_by_role("button", name="Close").click()
    assert page.focused == "Receipt"

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
    expect(page.tab.get_by_text("Payments appear here once the Pin has been entered.")).to_be_visible()
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
    for _ in range(2):
        page.cell("Pay").click()
        page.refuses("Insufficient funds")
        page.settle()
    expect(page.tab.locator(".slip")).to_have_count(0)
    assert page.card_balance == 0


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
    page.refuses("Invalid Pin")
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
    form = page.tab.get_by_role("form", name="Make an account").or_(page.tab.locator("#sign-up"))
    make = form.get_by_role("button")
    form.get_by_label("Username").fill(username)
    password = form.get_by_label(re.compile("^Password 8"))
    password.fill("short")
    make.click()
    expect(form.get_by_role("alert")).to_have_text("A password has 8 to 128 characters.")
    assert page.tab.evaluate("() => document.activeElement.name") == "password"
    password.fill(PASSWORD)
    form.get_by_label("Password again").fill(PASSWORD)
    form.get_by_label("E-mail").fill("ada")
    make.click()
    expect(form.get_by_role("alert")).to_have_text("An e-mail address is needed, such as ada@example.com.")
    form.get_by_label("E-mail").fill("ada@example.com")
    form.get_by_label("Date of birth").fill("1990-05-17")
    form.get_by_label("PIN").fill("12a4")
    make.click()
    expect(form.get_by_role("alert")).to_have_text("A PIN has four digits.")
    form.get_by_label("PIN").fill(pin)
    make.click()
    page.shows("Pin Screen")

    page.type(pin[:3])
    expect(page.tab.locator(".digit.filled")).to_have_count(3)
    assert pin[:3] not in page.tab.evaluate("() => document.documentElement.outerHTML")
    page.type(pin[3]).shows("My Cards - Main")
    page.reads("output", "$0.00")
    assert "3 of 4 digits" in page.said
    said = page.said[page.said.index("Pin Screen"):]
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
    page.touch(1, 4).touch(3, 4).settle()
    expect(card_id).to_have_attribute("aria-pressed", "true")
    for x in (1, 2, 3):
        page.touch(2, 4)
        expect(card_code).to_have_attribute("aria-pressed", "true")
        page.touch(x, 3)
        expect(card_id).to_have_attribute("aria-pressed", "true")
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
    expect(page.phone).to_contain_text("Add one: Settings, then Add Starbucks Cards.")
    page.to_pay()
    page.refuses("No card")
    expect(page.tab.locator("img")).to_have_count(0)
    page.cell("Pay").click()
    page.settle()
    page.refuses("No card")
    assert page.client.get("/v1/history").body["charges"] == []


def test_disabled_payments(visit):
    page = visit().unlocked().menu(2).shows("Payment Setup")
    page.button("Disable").click()
    expect(page.tab.locator("#grid").get_by_text("Payments disabled", exact=True)).to_be_visible()
    page.menu(1).to_pay()
    page.refuses("Payments disabled")
    page.cell("Pay").click()
    page.settle()
    page.refuses("Payments disabled")
    assert page.card_balance == 1650
    page.menu(2).button("Enable").click()
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
    page.refuses(re.compile("^Not known whether your touch was carried out"))
    expect(page.button("Stop")).to_be_hidden()
    page.settle()
    page.tab.unroute(re.compile("/touch$"))
    page.cell("My Cards").click()
    page.shows("My Cards - Main")
    page.reads("output", "$16.50")
    expect(page.error).to_have_text("")


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
    page.refuses(re.compile(r"^The app .*Enter your Pin\.$"))
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
            (4, "Find Starbucks", "Google Map of Local Starbucks"),
            (5, "Settings Screen", "Manage Card, Billing, Passcode. Show About & Terms.")):
        keys.press(f"Alt+{slot}")
        page.shows(screen).reads(".words", words)
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
    page.is_cut_off().cell("Pay").click()
    page.notes("No connection. Trying again: it counts once.")
    look_at("no-connection")
    page.context.set_offline(False)
    page.settle().button("Help").click()
    look_at("help")
