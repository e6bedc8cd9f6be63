"""A merchant's pages at /shops/{merchant}: a real browser, the real set, and what a reader and a merchant do.

Screenshots go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import re

import pytest

from apps import LOOKS, AppPage, directory_of_pictures
from billfold import new_id, until
from images import picture
from test_storefront import PAGE, opened
from webpage import DESKTOP, NARROW, PHONE, chromium, expect  # noqa: F401: chromium is a fixture

# Apple's largest phone of the document's family in points, and the smallest (003-5).
LARGE, SMALL = (430, 932), (320, 480)
VIEWS = {"": "Home", "history": "History", "about": "About", "settings": "Settings"}


class Shop(AppPage):
    """A shop's pages in a browser where nobody is signed in."""

    app = "shops"

    def __init__(self, chromium, set, merchant, size=PHONE, path="", **options):
        self.app = f"shops/{merchant.account}"
        super().__init__(chromium, set, size, **options)
        self.app = "shops"
        if path:
            self.go(path)

    def way(self, name):
        self.tab.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        return self

    def sign_in(self, person):
        self.link("Sign in", exact=True).click()
        self.shows("Sign in")
        self.tab.get_by_label("Username").fill(person.username)
        self.tab.get_by_label("Password").fill(person.PASSWORD)
        self.tab.keyboard.press("Enter")
        return self.shows("Settings")


class Till(AppPage):
    app = "till"

    def preview(self, text):
        self.tab.locator(".shop-preview", has_text=text).wait_for()
        return self


@pytest.fixture
def visit(chromium, billset):
    """Opens pages, each with a storage of its own. None may break its policy, or throw."""
    made = []

    def visit(*arguments, of=Shop, **options):
        made.append(of(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture
def pharmacy(billset):
    merchant = billset.merchant()
    opened(merchant)
    return merchant


@pytest.fixture
def ada(billset):
    return billset.customer(card=False, pin=None)


def colour(page, selector, name):
    return page.tab.evaluate(
        "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]", [selector, name])


# MARK: Document 003


def test_the_way_through_the_views(visit, pharmacy):
    """003-1 to 003-4, A72: Home first; the bar has Home, History and About; Settings are in Home's corner alone."""
    page = visit(pharmacy).shows("Home").reads("p", PAGE["welcome"]).reads("p", "Open now")
    ways = page.tab.get_by_role("navigation").get_by_role("link")
    expect(ways).to_have_text(["Home", "History", "About"])
    bar = page.tab.locator("#ways").bounding_box()
    assert bar["y"] + bar["height"] == PHONE[1], bar
    corner = page.link("Settings").bounding_box()
    assert corner["x"] + corner["width"] > PHONE[0] - 20 and corner["y"] < 60, corner
    for name in ("History", "About", "Home", "About", "History"):
        page.way(name).shows(name)
        assert page.link("Settings").is_visible() == (name == "Home"), name
        assert page.tab.locator("#ways [aria-current]").inner_text() == name
    page.way("Home").shows("Home").link("Settings").click()
    page.shows("Settings")
    expect(ways).to_have_text(["Home", "History", "About"])
    page.tab.locator(".back").click()
    page.shows("Home")
    page.tab.go_back()
    page.shows("Settings")


def test_the_timeline_opens_and_closes(visit, pharmacy):
    """003-7 to 003-10, A68: newest first, a name and a date each; a touch opens an event, several may be open."""
    page = visit(pharmacy).way("History").shows("History")
    rows = page.tab.locator(".timeline > li")
    assert [row.locator("summary > span").inner_text() for row in rows.all()] == [one["name"] for one in PAGE["events"]]
    assert [row.locator("time").inner_text() for row in rows.all()] == [
        "November 12, 2016", "March 3, 1975", "May 1, 1918"]
    assert page.tab.locator(".timeline p:visible").count() == 0
    for at in (0, 2):
        rows.nth(at).locator("summary").click()
    page.reads(".timeline p", PAGE["events"][0]["text"]).reads(".timeline p", PAGE["events"][2]["text"])
    rows.nth(0).locator("summary").click()
    page.until(lambda: page.tab.locator(".timeline p:visible").all_inner_texts() == [PAGE["events"][2]["text"]],
               "the first event to be closed")
    # By the keyboard alone.
    rows.nth(1).locator("summary").focus()
    page.tab.keyboard.press("Enter")
    page.reads(".timeline p", PAGE["events"][1]["text"])


def test_about_says_where_and_when(visit, pharmacy):
    """003-16: address, phone number, hours of operation in the shop's zone."""
    opened(pharmacy, hours=[{"day": 1, "opens": 540, "closes": 1080}, {"day": 3, "opens": 0, "closes": 1440}])
    page = visit(pharmacy, path="/about").shows("About").reads("dd", PAGE["address"])
    assert page.link(PAGE["phone"]).get_attribute("href") == "tel:+15035550112"
    hours = page.tab.locator(".hours dd").all_inner_texts()
    assert hours == ["09:00–18:00", "closed", "00:00–24:00", "closed", "closed", "closed", "closed"]
    page.reads("p", "Times are the shop's own (America/Los_Angeles).")


def test_who_has_no_account_makes_one_in_the_wallet(visit, pharmacy):
    for locale, words in (("en-US", ("Sign in", "Create account")), ("de-DE", ("Anmelden", "Konto anlegen"))):
        page = visit(pharmacy, path="/login", locale=locale).shows(words[0])
        page.link(words[1], exact=True).click()
        page.tab.wait_for_url("**/wallet#/register")
        page.shows(words[1])


def test_another_address_wants_the_pin(visit, billset, pharmacy):
    bob = billset.customer(card=False)
    page = visit(pharmacy, path="/settings").shows("Settings").sign_in(bob)
    page.link("Edit account information").click()
    page.field("E-mail").fill("bob@example.com")
    page.field("Password").fill(bob.PASSWORD)
    page.button("Save").click()
    page.tab.get_by_role("dialog", name="Enter your PIN").wait_for()
    page.type(bob.pin).shows("Settings")
    assert bob.get("/v1/settings/account").body["email"] == "bob@example.com"


def test_settings_are_the_customers_own(visit, pharmacy, ada):
    """003-11 to 003-15, A69, A70: sign in or sign out, font size, notifications, the account."""
    page = visit(pharmacy, path="/settings").shows("Settings")
    assert page.link("Sign in", exact=True).is_visible() and page.button("Sign out").count() == 0
    waiting = page.tab.locator("button.item:disabled")
    assert [one.locator(".what").inner_text() for one in waiting.all()] == ["Notifications", "Edit account information"]
    assert [one.locator(".detail").inner_text() for one in waiting.all()] == ["Sign in first"] * 2
    page.sign_in(ada)
    assert page.tab.get_by_role("button", name="Sign out").is_visible() and page.link("Sign in", exact=True).count() == 0
    assert waiting.count() == 0

    page.tab.get_by_label("Notifications").uncheck()
    page.until(lambda: ada.get("/v1/settings/notices").body["enabled"] is False, "notifications to be off")
    page.tab.reload()
    page.shows("Settings")
    assert not page.tab.get_by_label("Notifications").is_checked()
    page.tab.get_by_label("Notifications").check()
    page.until(lambda: ada.get("/v1/settings/notices").body["enabled"] is True, "notifications to be on")

    page.link("Edit account information").click()
    page.shows("Edit account information")
    page.field("First name").fill("Ada")
    page.button("Save").click()
    page.shows("Settings")
    assert ada.get("/v1/settings/account").body["firstName"] == "Ada"

    page.tab.get_by_role("button", name="Sign out").click()
    page.link("Sign in", exact=True).wait_for()
    page.shows("Settings")
    assert waiting.count() == 2 and page.tab.get_by_role("button", name="Sign out").count() == 0


def test_the_font_size_holds_in_all_views(visit, pharmacy):
    """003-13: in the views of this shop and of all other apps of the browser, also after a reload."""
    page = visit(pharmacy).shows("Home")
    before = float(colour(page, "h1", "fontSize")[:-2])
    page.link("Settings").click()
    page.shows("Settings")
    page.tab.get_by_label("Change font size").select_option("larger")
    for path, title in VIEWS.items():
        page.go(f"/{path}").shows(title)
        assert float(colour(page, "h1", "fontSize")[:-2]) > before * 1.25, path
    page.tab.reload()
    page.shows("Settings")
    assert float(colour(page, "h1", "fontSize")[:-2]) > before * 1.25
    page.tab.goto(f"{page.origin}/wallet")
    page.shows("Log in")
    assert float(colour(page, "h1", "fontSize")[:-2]) > before * 1.25


def test_logo_and_colours_are_the_shops_in_every_view(visit, pharmacy):
    """003-6, A67: the theme holds in all views, whatever the reader's own colours are."""
    page = visit(pharmacy, theme="dark").shows("Home")
    for path, title in [*VIEWS.items(), ("login", "Sign in")]:
        page.go(f"/{path}").shows(title).reads(".wordmark", "Paulsen's")
        assert colour(page, "html", "backgroundColor") == "rgb(253, 252, 247)", path
        assert colour(page, "h1", "color") == "rgb(20, 33, 61)", path
        assert colour(page, ".wordmark", "color") == "rgb(155, 28, 49)", path
        assert page.faults() == [], path


@pytest.mark.parametrize("size", [SMALL, NARROW, LARGE, (1024, 1366)], ids=lambda size: "x".join(map(str, size)))
def test_views_fit_every_device(visit, pharmacy, size):
    """003-5, A67: from the smallest phone to the largest, and a tablet."""
    page = visit(pharmacy, size)
    for path, title in VIEWS.items():
        page.go(f"/{path}").shows(title)
        assert page.wide()[0] <= 0 and page.small_targets() == [], path
        bar = page.tab.locator("#ways").bounding_box()
        assert bar["y"] + bar["height"] == size[1], (path, bar)


@pytest.mark.parametrize("look", LOOKS)
def test_every_view_looks_right(visit, pharmacy, look, request):
    size, options = LOOKS[look]
    pictures = directory_of_pictures(request)
    page = visit(pharmacy, size, **options)
    for path, title in VIEWS.items():
        page.go(f"/{path}").shows(title).is_drawn()
        if path == "history":
            page.tab.locator(".timeline summary").first.click()
        page.looks_right(title.lower(), pictures, look)


def test_the_words_are_the_readers(visit, pharmacy):
    """A84."""
    page = visit(pharmacy, locale="de-DE").shows("Start").reads("p", "Jetzt geöffnet")
    page.way("Geschichte").shows("Geschichte").reads("time", "12. November 2016")


def test_without_a_network_the_page_opens_and_says_so(visit, pharmacy):
    page = visit(pharmacy).shows("Home")
    page.tab.evaluate("() => navigator.serviceWorker.ready")
    page.tab.wait_for_function("async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller")
    page.context.set_offline(True)
    page.tab.reload()
    page.reads("p", re.compile("What a shop says comes from the server"))
    page.context.set_offline(False)
    page.shows("Home")


def test_the_list_of_shops_and_a_shop_without_a_page(visit, billset, pharmacy):
    name = f"A shop {new_id()[:12]}"
    opened(pharmacy, name=name)
    page = visit(pharmacy)
    page.tab.goto(f"{page.origin}/shops")
    page.shows("Shops").link(name).click()
    page.shows("Home").reads("p", PAGE["welcome"])
    assert page.tab.title() == f"Home · {name}"
    for address in (billset.merchant().account, "nonsense"):
        page.tab.goto(f"{page.origin}/shops/{address}")
        page.reads(".problem", "This shop has no page.").link("All shops").click()
        page.shows("Shops")


# MARK: The till


def test_a_merchant_writes_its_pages_with_a_preview(visit, billset, request):
    """003-6, 003-7: what is typed at the till is what readers see; colours that cannot be read are refused at once."""
    merchant = billset.merchant()
    pictures = directory_of_pictures(request)
    till = visit(of=Till, size=DESKTOP).log_in(merchant, "Charge")
    till.go("/settings").shows("Settings").link("Your pages").click()
    till.shows("Your pages").preview("once every text is filled in")
    assert till.tab.locator("main .refused").count() == 0
    values = {"The shop's name": "Corner Books", "Logo, in letters": "Corner", "Home says": "Come in.", "About": "Used books.",
              "Address": "1 Main Street", "Phone": "+1 503 555 0113", "Time zone, such as America/Los_Angeles": "Europe/Berlin"}
    for label, value in values.items():
        till.field(label).fill(value)
    till.field("Accent").fill("#1d4ed8")
    till.button("Add an event").click()
    event = till.tab.locator("fieldset", has_text="What happened").last
    event.get_by_label("Date").fill("1999-12-31")
    event.get_by_label("Name").fill("The first book")
    event.get_by_label("What happened").fill("It was sold on the first day.")
    event.get_by_label("What happened").blur()
    till.preview("The first book").preview("Come in.")
    assert colour(till, ".shop-preview .shop-logo", "color") == "rgb(29, 78, 216)"
    till.looks_right("pages", pictures, "desktop")

    till.field("Ink").fill("#dddddd")
    till.field("Ink").blur()
    till.preview("'ink' on 'paper' has 1.35 to 1, and 4.50 are needed")
    till.button("Save").click()
    till.reads(".problem", "These colours are hard to read on each other. Choose a darker or a lighter one.")
    assert merchant.get(f"/v1/shops/{merchant.account}").code == "storefront.page_not_found"
    till.field("Ink").fill("#111111")
    till.field("Ink").blur()
    till.preview("Come in.")
    till.button("Save").click()
    till.shows("Settings")

    page = visit(merchant).shows("Home").reads("p", "Come in.").reads(".wordmark", "Corner")
    page.way("History").shows("History").reads(".timeline time", "December 31, 1999")
    page.way("About").shows("About").reads("dd", "09:00–18:00")
    # The form begins with the page as it is kept; an event can be removed.
    till.go("/settings/shop").shows("Your pages").preview("The first book")
    till.tab.locator("fieldset", has_text="What happened").get_by_role("button", name="Remove").click()
    till.button("Save").click()
    till.shows("Settings")
    page.tab.reload()
    page.way("History").reads("p", "The shop's history appears here once the shop has written it.")


def test_a_picture_becomes_the_logo(visit, billset, pharmacy, request):
    """003-6: the till makes it small; every view shows it, and reads it out as the letters."""
    till = visit(of=Till, size=DESKTOP).log_in(pharmacy, "Charge")
    till.go("/settings/shop").shows("Your pages").preview(PAGE["logo"])
    upload = till.tab.locator("input[type=file]")
    upload.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": b"no picture"})
    till.reads(".problem", "This image cannot be used. Choose a PNG or a JPEG.")
    upload.set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": picture()})
    till.tab.wait_for_function("() => document.querySelector('.shop-preview img.shop-image')?.naturalWidth > 0")
    till.looks_right("logo", directory_of_pictures(request), "desktop")
    path = f"/v1/shops/{pharmacy.account}"
    assert max(pharmacy.get(path).body["logoImage"][side] for side in ("width", "height")) <= 192
    page = visit(pharmacy).shows("Home")
    for name in ("Home", "History", "About"):
        page.way(name).shows(name)
        page.tab.wait_for_function("() => document.querySelector('.wordmark img')?.naturalWidth > 0")
        assert page.tab.locator(".wordmark img").get_attribute("alt") == PAGE["logo"]
    page.looks_right("logo", directory_of_pictures(request), "phone")
    till.button("Show the letters again").click()
    till.tab.get_by_role("dialog").get_by_role("button", name="Show the letters again").click()
    till.tab.locator(".shop-preview .shop-logo strong", has_text=PAGE["logo"]).wait_for()
    assert "logoImage" not in pharmacy.get(path).body
    page.tab.reload()
    page.reads(".wordmark", PAGE["logo"])


def test_a_merchant_that_waits_for_approval_is_told_that_nobody_sees_its_pages(visit, billset, pharmacy):
    """A95."""
    root = billset.administrator()
    assert root.post(f"/v1/merchants/{pharmacy.account}/rejection", {"reason": "Not a shop."}).status == 200
    page = visit(pharmacy)
    page.reads(".problem", "This shop has no page.")
    till = visit(of=Till, size=DESKTOP).log_in(pharmacy, "Charge")
    till.go("/settings/shop").shows("Your pages").preview("Customers do not see your pages")
    expect(till.field("The shop's name")).to_have_value(PAGE["name"])
    assert root.post(f"/v1/merchants/{pharmacy.account}/approval").status == 200
    until(lambda: billset.customer(card=False, pin=None).get(f"/v1/shops/{pharmacy.account}").status == 200, "the page")
    page.tab.reload()
    page.shows("Home").reads("p", PAGE["welcome"])
    till.tab.reload()
    till.preview(PAGE["welcome"])
    assert till.tab.locator(".shop-preview .note").count() == 0
