"""The administrator's app at /desk: a real browser, the real set, and what an administrator does.

Covers, as seen on the page: A35, A36, A88.

Screenshots, light and dark, on a phone and a desktop, go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import re

import pytest

from apps import LOOKS, PLACE, TIGHT, AppPage, directory_of_pictures
from billfold import new_key
from notices import dead_letter, register
from receivers import Receiver
from webpage import chromium, expect  # noqa: F401: chromium is a fixture

ENVIRONMENT = {
    "BILLFOLD_MERCHANT_APPROVAL": "manual",
    # Web hooks on this machine, and few tries.
    "BILLFOLD_PUSH_PRIVATE": "1", "BILLFOLD_PUSH_RETRY_MS": "20", "BILLFOLD_PUSH_ATTEMPTS": "2"}


class Desk(AppPage):
    app = "desk"

    def log_in(self, administrator):
        return super().log_in(administrator, "What waits")

    def choose(self, title):
        self.tab.locator(".queue").get_by_role("button", name=re.compile(f"^{re.escape(title)}")).click()
        self.reads("#item-title", title)
        self.tab.locator("[data-read]").wait_for()
        return self


@pytest.fixture
def visit(chromium, billset):
    """Makes desks, each with a storage of its own. None may break its policy, or throw."""
    made = []

    def visit(*arguments, **options):
        made.append(Desk(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture(scope="module")
def root(billset):
    return billset.administrator("root")


@pytest.fixture(scope="module")
def clerk(billset):
    """Looks at every view: one account may not log in as often as all tests together do."""
    return billset.administrator("clerk")


def newcomer(billset, name):
    """A merchant who waits for approval."""
    merchant = billset.merchant()
    assert merchant.put("/v1/settings/account", {"name": name, "address": "1 Aspen Avenue"}).status == 200
    return merchant


def coupon(merchant, title):
    answer = merchant.post(
        "/v1/offers", {"kind": "coupon", "title": title, "content": "From three to five", "discount": {"percent": 50}},
        key=new_key())
    assert answer.status == 201, answer
    return answer.body["offer"]


def change(merchant, offer, title, content, **more):
    answer = merchant.put(f"/v1/offers/{offer}", {"title": title, "content": content, "discount": {"percent": 50}, **more})
    assert answer.status == 200, answer


def status(merchant):
    return merchant.get("/v1/settings/account").body["status"]


def acceptance(merchant, offer):
    return merchant.get(f"/v1/offers/{offer}").body


def is_decided(page, what, condition):
    """What was decided is sent after the seconds in which it can be undone."""
    page.until(condition, what)


def test_merchants_and_coupons_oldest_first(visit, billset, root):
    """A36, A88: everything that was submitted is shown; an approval and a rejection with its reason reach the server."""
    page = visit().log_in(root)
    first = newcomer(billset, "Aspen Café")
    offer = coupon(first, "Half a flat white")
    second = newcomer(billset, "Birch Books")
    page.reads(".queue .what", "Birch Books")
    titles = page.tab.locator(".queue .what").all_inner_texts()
    mine = [title for title in titles if title in ("Aspen Café", "Half a flat white", "Birch Books")]
    assert mine == ["Aspen Café", "Half a flat white", "Birch Books"]
    page.choose("Aspen Café").reads(".item-shown dd", "1 Aspen Avenue")
    page.tab.locator("#approve").click()
    page.reads(".undo span", "Approved: Aspen Café")
    # The next one comes up by itself, and the reason is asked for.
    page.reads("#item-title", "Half a flat white").reads(".preview .worth", "50 % off")
    page.button("Reject").click()
    page.reads(".field .problem", "Reason is missing.")
    page.field("Reason").fill("Which cup?")
    page.button("Reject").click()
    page.reads(".undo span", "Rejected: Half a flat white")
    is_decided(page, "the merchant to be approved", lambda: status(first) == "approved")
    is_decided(page, "the coupon to be rejected", lambda: acceptance(first, offer)["accepted"] == "rejected")
    assert acceptance(first, offer)["reason"] == "Which cup?"
    expect(page.tab.locator(".undo li")).to_have_count(0)
    assert status(second) == "pending"


def test_a_decision_is_undone(visit, billset, root):
    page = visit().log_in(root)
    merchant = newcomer(billset, "Cedar Cycles")
    page.choose("Cedar Cycles").tab.locator("#approve").click()
    page.reads(".undo .number", re.compile(r"^\d+ s$"))
    page.button("Undo").click()
    page.reads("#item-title", "Cedar Cycles")
    expect(page.tab.locator(".undo li")).to_have_count(0)
    assert status(merchant) == "pending"
    # Logging out sends what is open at once.
    page.tab.locator("#approve").click()
    page.button("Log out").click()
    page.shows("Log in")
    assert status(merchant) == "approved"


def test_the_second_click_of_two_decides_nothing(visit, billset, root):
    """The next item has come up below the pointer by then."""
    merchants = [newcomer(billset, f"Cork Chairs {number}") for number in range(3)]
    page = visit().log_in(root)
    for merchant, name in zip(merchants, ("Approve", "Reject")):
        page.choose(merchant.get("/v1/settings/account").body["name"])
        button = page.button(name)
        # The places of a merchant, which come late on a phone.
        page.reads(".item-shown .item .what", re.compile("."))
        expect(button).to_be_enabled()
        box = button.bounding_box()
        page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for clicks in (1, 2):
            page.tab.mouse.down(click_count=clicks)
            page.tab.mouse.up(click_count=clicks)
    page.reads("#item-title", "Cork Chairs 2")
    expect(page.tab.locator(".undo li")).to_have_count(2)
    page.button("Log out").click()
    page.shows("Log in")
    assert [status(merchant) for merchant in merchants] == ["approved", "rejected", "pending"]


def test_a_key_that_is_held_decides_once(visit, billset, root):
    merchants = [newcomer(billset, f"Hazel Hats {number}") for number in range(2)]
    page = visit().log_in(root)
    page.choose(merchants[0].get("/v1/settings/account").body["name"])
    page.tab.locator("#heading").focus()
    for _ in range(3):
        page.tab.keyboard.down("a")
    page.tab.keyboard.up("a")
    expect(page.tab.locator(".undo li")).to_have_count(1)
    page.button("Log out").click()
    page.shows("Log in")
    assert [status(merchant) for merchant in merchants] == ["approved", "pending"]


def test_a_change_meanwhile_is_not_approved(visit, billset, root):
    """What was read is what is decided on: an edit between the two is refused and said."""
    merchant = newcomer(billset, "Dogwood Deli")
    offer = coupon(merchant, "Free pickles")
    page = visit().log_in(root)
    page.choose("Free pickles").tab.locator("#approve").click()
    change(merchant, offer, "Free pickles", "On Mondays")
    page.reads(".undo span", re.compile("was not decided. It has been changed since"))
    assert acceptance(merchant, offer)["accepted"] == "pending"


def test_a_change_is_shown_beside_what_was_approved(visit, billset, root):
    """What a merchant has changed since the last approval, and only that."""
    merchant = newcomer(billset, "Elder Eatery")
    offer = coupon(merchant, "Free chutney")
    assert root.post(f"/v1/offers/{offer}/approval", {"revision": 1}).status == 200
    change(merchant, offer, "Free chutney", "On Mondays", minAge=18, minVisits=2)
    page = visit().log_in(root).choose("Free chutney")
    page.reads("#changes h3", "Changed since revision 1, which was approved")
    rows = page.tab.locator("#changes dl > div")
    expect(rows).to_have_text(
        ["TextApproved From three to fiveNow On Mondays", "AgeApproved –Now 18 – …", "Visits, at leastApproved –Now 2"])
    # Changed once more, it stays as it was read until the administrator wants to see the change. What was typed stays.
    page.field("Reason").fill("Which Mondays?")
    change(merchant, offer, "Free chutney", "From three to five")
    page.reads("#left", "This item was changed while you read it.")
    assert rows.count() == 3 and page.tab.locator("#approve").count() == 0
    page.button("Show the change").click()
    page.reads("#changes h3", "The same as revision 1, which was approved")
    expect(rows).to_have_count(0)
    expect(page.field("Reason")).to_have_value("Which Mondays?")
    page.tab.locator("#approve").click()
    page.until(lambda: acceptance(merchant, offer)["accepted"] == "accepted", "the offer to be approved")
    assert "lastApproved" not in acceptance(merchant, offer)


def test_a_merchant_and_an_offer_are_where_the_map_shows_them(visit, billset, root):
    """A36, A88: where a merchant says it is, and where its offer counts, as a list and on a map, before the decision."""
    merchant = newcomer(billset, "Fig Florist")
    assert merchant.put("/v1/settings/account", {"student": True}).status == 200
    page = visit().log_in(root).choose("Fig Florist")
    (place,) = merchant.get("/v1/places").body["places"]
    page.reads(".item-shown dt", "Student").reads(".item-shown .item .what", place["name"])
    assert merchant.delete(f"/v1/places/{place['place']}").status == 204
    assert merchant.post("/v1/places", {"name": "Aspen Avenue", **PLACE}, key=new_key()).status == 201
    answer = merchant.post("/v1/offers", {
        "kind": "ad", "title": "New figs", "content": "Sweet", "targetLat": PLACE["latitude"] + 900,
        "targetLon": PLACE["longitude"], "radiusMetres": 300}, key=new_key())
    assert answer.status == 201, answer
    page.choose("New figs").reads(".item-shown .item .detail", "35.198284, −111.651302")
    # The place with its fence, and the offer with its circle.
    expect(page.tab.locator("place-map path[role=button]")).to_have_count(2)
    names = page.tab.locator("place-map path[role=button]").evaluate_all("(pins) => pins.map((pin) => pin.ariaLabel)")
    assert names == ["Aspen Avenue", "New figs"]
    expect(page.tab.locator("place-map path:not([role])")).to_have_count(2)
    assert merchant.delete(f"/v1/places/{merchant.get('/v1/places').body['places'][0]['place']}").status == 204
    page.choose("Fig Florist").reads(".item-shown .empty", "The merchant has no place yet.")
    # Without the service the rest is there, and can be decided on.
    billset.stop("location")
    try:
        page.choose("New figs").reads(".preview .lead", "New figs").choose("Fig Florist")
        page.tab.locator("#approve").click()
        is_decided(page, "the merchant to be approved", lambda: status(merchant) == "approved")
    finally:
        billset.start("location")


def test_what_somebody_else_decides_is_not_replaced_by_another_item(visit, billset, root):
    """The next key would decide on something that nobody has read."""
    newcomer(billset, "Fig Farm")
    merchant = newcomer(billset, "Fir Foods")
    page = visit().log_in(root).choose("Fir Foods")
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    page.reads("#left", "This item waits no longer: somebody else has decided.")
    page.tab.keyboard.press("a")
    page.reads("#item-title", "Fir Foods")
    assert page.tab.locator(".undo li").count() == 0
    page.button("Next item").click()
    expect(page.tab.locator("#item-title")).not_to_have_text("Fir Foods")
    expect(page.tab.locator("#approve")).to_be_focused()


def test_a_session_that_has_ended_leads_to_the_log_in(visit, billset, root):
    """What could not be decided says why, and waits again."""
    merchant = newcomer(billset, "Dune Drinks")
    page = visit().log_in(root)
    page.choose("Dune Drinks").tab.locator("#approve").click()
    assert root.delete("/v1/sessions").status == 204
    page.shows("Log in").reads("#alerts .note span", re.compile("^Your session has ended"))
    page.until(lambda: "/v1/merchants?limit=1&" in page.requests[-1].url, "the merchant to be looked at before the decision")
    assert status(merchant) == "pending"
    page.log_in(root)
    page.reads(".undo span", re.compile("^Dune Drinks was not decided. Your session has ended. Log in again.$"))
    page.reads(".queue .what", "Dune Drinks")


def test_a_decision_is_never_sent_as_somebody_elses(visit, billset, root):
    """Another administrator logs in on the page within the ten seconds."""
    merchant, other = newcomer(billset, "Elm Eggs"), billset.administrator()
    page = visit()
    page.tab.clock.install()
    page.log_in(other).choose("Elm Eggs").tab.locator("#approve").click()
    page.reads(".undo span", "Approved: Elm Eggs")
    assert other.delete("/v1/sessions").status == 204
    page.shows("Log in").log_in(root)
    page.reads(".queue .what", "Elm Eggs")
    expect(page.tab.locator(".undo li")).to_have_count(0)
    page.tab.clock.fast_forward(11_000)
    page.shows("What waits").reads(".queue .what", "Elm Eggs")
    assert not [one for one in page.requests if one.url.endswith("/approval")] and status(merchant) == "pending"


def test_what_another_administrator_decided_meanwhile_stays(visit, billset, root):
    merchant = newcomer(billset, "Fir Foods")
    page = visit()
    page.tab.clock.install()
    page.log_in(root).choose("Fir Foods").tab.locator("#approve").click()
    page.reads(".undo span", "Approved: Fir Foods")
    other = billset.administrator()
    assert other.post(f"/v1/merchants/{merchant.account}/rejection", {"reason": "No licence"}).status == 200
    page.tab.clock.fast_forward(11_000)
    page.reads(".undo span", re.compile("^Fir Foods was not decided. Somebody else has decided otherwise."))
    assert status(merchant) == "rejected"


@pytest.mark.parametrize("path, title", [
    ("/merchants/xyz", "Merchant"), ("/charges/xyz", "There is no such page"), ("/letters/abc", "There is no such page")])
def test_an_address_that_names_nothing_says_so(visit, root, path, title):
    page = visit()
    page.tab.goto(f"{page.origin}/desk#{path}")
    AppPage.log_in(page, root, title)


def test_a_decision_without_a_server_waits_again(visit, billset, root):
    """The list shows what could not be decided, also where nothing else waits."""
    merchant = newcomer(billset, "Duck Pond")
    page = visit().log_in(root)
    page.choose("Duck Pond").tab.locator("#approve").click()
    page.reads(".undo span", "Approved: Duck Pond")
    page.context.set_offline(True)
    page.reads(".undo span", re.compile("^Duck Pond was not decided. There is no connection to the server."))
    page.reads(".queue .what", "Duck Pond")
    page.context.set_offline(False)
    assert status(merchant) == "pending"


def test_logging_out_says_what_keeps_it(visit, billset, root):
    """A decision that is on its way is waited for; one that could not be made is closed first."""
    merchant = newcomer(billset, "Dove Dairy")
    page = visit(service_workers="block").log_in(root)
    held = []
    page.tab.route("**/approval", lambda route: route.abort() if held else held.append(route))
    page.choose("Dove Dairy").tab.locator("#approve").click()
    page.until(lambda: held, "the decision to be sent")
    page.button("Log out").click()
    held[0].abort()
    page.reads("#alerts .note span", re.compile("^You are still logged in: not everything could be decided."))
    page.reads(".undo span", re.compile("^Dove Dairy was not decided."))
    page.tab.locator(".undo").get_by_role("button", name="Close").click()
    page.button("Log out").click()
    page.shows("Log in")
    assert status(merchant) == "pending"


def test_the_head_says_whether_there_is_a_network(visit, root):
    """Also where the desk is opened at another view than the queue."""
    page = visit().log_in(root)
    for path in ("/books", "/merchants"):
        page.go(path)
        page.tab.reload()
        page.tab.locator('stream-state[data-state="live"]').wait_for()
        page.context.set_offline(True)
        page.tab.locator('stream-state[data-state="lost"]').wait_for()
        page.context.set_offline(False)
        page.tab.locator('stream-state[data-state="live"]').wait_for()


def test_merchants_by_status(visit, billset, root):
    merchant = newcomer(billset, "Elm Electronics")
    page = visit().log_in(root)
    page.link("Merchants").click()
    page.field("Status").select_option("pending")
    page.tab.wait_for_url("**/desk#/merchants?status=pending")
    page.link(re.compile("Elm Electronics")).click()
    page.shows("Elm Electronics").field("Reason").fill("No such street")
    page.button("Reject").click()
    is_decided(page, "the merchant to be rejected", lambda: status(merchant) == "rejected")


def test_why_a_customer_does_not_get_a_coupon(visit, billset, root):
    merchant = newcomer(billset, "Fir Fashion")
    offer = coupon(merchant, "Scarves")
    customer = billset.customer()
    page = visit().log_in(root)
    page.choose("Scarves").link("Why a customer gets it, or not").click()
    page.shows("Why an offer").field("Number of the customer").fill(customer.account)
    page.button("Explain").click()
    page.reads("p.note", re.compile("It is not shown to this customer"))
    row = page.tab.get_by_role("row", name=re.compile("^Approved"))
    expect(row).to_contain_text("does not fit")
    assert page.field("Number of the ad or coupon").input_value() == offer


def test_the_nine_tables(visit, billset, root):
    merchant = newcomer(billset, "Gum Groceries")
    page = visit().log_in(root)
    page.link("Look up").click()
    page.link(re.compile("^Tables")).click()
    page.field("Table").select_option("Merchants")
    page.reads("td", merchant.username)
    assert page.tab.locator("#table option").count() == 9


def test_a_dead_letter_is_sent_again_and_another_discarded(visit, billset, root):
    merchant = newcomer(billset, "Hemlock Hats")
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    customer = billset.customer()
    page = visit().log_in(root)
    page.link("Look up").click()
    page.link(re.compile("^Dead letters")).click()
    page.reads(".empty", "No deliveries were given up.")
    with Receiver(lambda _: 500) as receiver:
        register(merchant, type=4, url=receiver.url + "/hook")
        customer.paid(merchant, 200)
        dead_letter(root, lambda one: one["account"] == merchant.account)
        tried = [receiver.next() for _ in range(2)]
        page.go("/").go("/letters").link(re.compile("HTTP 500")).click()
        page.shows("Dead letter").reads("dd", "Web hook")
        receiver.answer = lambda _: 200
        page.button("Send again").click()
        assert receiver.next().body == tried[0].body
        page.shows("Dead letters")

        receiver.answer = lambda _: 400
        customer.paid(merchant, 300)
        letter = dead_letter(root, lambda one: one["account"] == merchant.account and one["reason"] == "HTTP 400")
        page.go("/").go("/letters").link(re.compile("HTTP 400")).click()
        page.button("Discard").click()
        page.tab.get_by_role("dialog").get_by_role("button", name="Discard").click()
        page.shows("Dead letters")
        assert root.get(f"/v1/dead-letters/{letter['delivery']}").code == "notifications.delivery_not_found"


def test_an_account_and_its_charge_from_the_request_to_the_ledger(visit, billset, root):
    """An account is found by its username; its charge shows who asked whom, and the entry that it led to."""
    merchant = billset.merchant()
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    customer = billset.customer()
    receipt = customer.paid(merchant, 275, memo="Two scones")
    page = visit().log_in(root)
    page.link("Look up").click()
    page.field("Username").fill(customer.username)
    page.tab.locator("#find-account").get_by_role("button").click()
    page.shows(customer.username).reads("dd", "Customer")
    page.link(re.compile(re.escape("$2.75"))).click()
    page.reads("dd", f"entry {receipt['entry']}")
    trace = page.tab.locator("#trace")
    for step in ("POST /v1/payments", "payments.payment.create.v1", "wallet.payment.post.v1", "wallet.payment.posted.v1"):
        expect(trace.get_by_role("rowheader", name=step, exact=True)).to_have_count(1)
    expect(trace.get_by_role("row", name=re.compile("wallet.payment.posted.v1"))).to_contain_text(f"entry {receipt['entry']}")
    page.go("/accounts?username=nobody.at.all").reads(".empty", "Nobody has this username. Capitals count.")
    page.go("/charges/" + "0" * 32).reads(".empty", "There is no charge with this number.")


def test_the_books_are_even_and_are_checked(visit, billset, root):
    customer, merchant = billset.customer(), billset.merchant()
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    customer.paid(merchant, 100)
    page = visit().log_in(root)
    page.link("Books").click()
    page.reads("#sum", re.compile("come to zero"))
    page.button("Check the books").click()
    page.reads("#last-check", re.compile("all right"))
    books = root.get("/v1/books").body
    assert books["verified"]["problems"] == 0 and books["verified"]["checked"] == books["entries"] > 0
    assert sum(kind["balance"]["amount"] for kind in books["accounts"]) == 0


def test_a_customer_has_no_desk(visit, billset):
    customer = billset.customer()
    page = visit()
    page.field("Username").fill(customer.username)
    page.field("Password").fill(customer.PASSWORD)
    page.button("Log in").click()
    page.reads("form > .problem", re.compile("belongs to another app"))


def test_by_keyboard_alone(visit, billset, root):
    """J and K move, A approves, R goes to the reason, U undoes."""
    merchants = [newcomer(billset, name) for name in ("Hazel Home", "Ivy Instruments")]
    page = visit()
    page.shows("Log in")
    keys = page.tab.keyboard
    keys.type(root.username)
    keys.press("Tab")
    keys.type(root.PASSWORD)
    keys.press("Enter")
    page.reads(".queue .what", "Ivy Instruments")
    # Up to the oldest, then down to ours: others may wait too.
    page.reads("#item-title", re.compile("."))
    titles = page.tab.locator(".queue .what").all_inner_texts()
    for title in titles[:titles.index("Hazel Home")]:
        page.reads("#item-title", title)
        keys.press("j")
    page.reads("#item-title", "Hazel Home")
    page.tab.locator("[data-read]").wait_for()
    keys.press("a")
    page.reads("#item-title", "Ivy Instruments")
    keys.press("r")
    expect(page.field("Reason")).to_be_focused()
    keys.type("Not in this town")
    keys.press("Enter")
    page.reads(".undo span", "Rejected: Ivy Instruments")
    keys.press("u")
    page.reads("#item-title", "Ivy Instruments")
    is_decided(page, "the first merchant to be approved", lambda: status(merchants[0]) == "approved")
    assert status(merchants[1]) == "pending"


def test_german(visit, billset, root):
    """A84."""
    merchant = billset.merchant()
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    paid = billset.customer().paid(merchant, 275)["charge"]
    page = visit(locale="de-DE")
    page.field("Benutzername").fill(root.username)
    page.field("Passwort").fill(root.PASSWORD)
    page.button("Anmelden").click()
    page.tab.locator("h1", has_text="Was wartet").wait_for(state="attached")
    page.go(f"/charges/{paid}").reads("#trace td", re.compile(r"^\d+,\d ms$"))


VIEWS = {"merchants": "/merchants", "find": "/find", "account": "/accounts?username=clerk", "books": "/books", "why": "/why", "letters": "/letters", "tables": "/tables", "look": "/settings", "missing": "/nowhere"}


@pytest.mark.parametrize("look", LOOKS)
def test_every_view(visit, billset, clerk, look, request):
    """Nothing is wider than the window, too small to touch, or wrong by axe."""
    pictures = directory_of_pictures(request)
    merchant = newcomer(billset, "Juniper Jewels")
    assert merchant.post("/v1/places", {"name": "Juniper Jewels", **PLACE}, key=new_key()).status == 201
    title = f"Ten off a ring ({look})"
    offer = coupon(merchant, title)
    assert clerk.post(f"/v1/offers/{offer}/approval").status == 200
    change(merchant, offer, title, "Rindfleischetikettierungsüberwachung" * 3, minAge=18)
    size, options = LOOKS[look]
    page = visit(size, **options)
    page.looks_right("login", pictures, look)
    page.log_in(clerk).choose(title).reads("#changes ins", re.compile("^Rindfleisch")).looks_right("queue", pictures, look)
    page.tab.locator("#approve").click()
    page.reads(".undo span", f"Approved: {title}").is_drawn().looks_right("decided", pictures, look)
    for name, path in {**VIEWS, "merchant": f"/merchants/{merchant.account}"}.items():
        page.go(path).is_drawn().looks_right(name, pictures, look)


@pytest.mark.parametrize("tight", TIGHT)
def test_longest_words_and_largest_letters_fit(visit, clerk, tight, request):
    size, locale, _ = TIGHT[tight]
    visit(size, locale=locale).enter(clerk).fits(VIEWS, tight, directory_of_pictures(request))
