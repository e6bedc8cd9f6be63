"""Ordering ahead at /order: a real browser, the real set, and what a customer and a burger shop do.

Covers document 002 as seen on the page: 002-1 to 002-16, 002-20 to 002-27, A61, A64, A65, A84.
"""

import re

import pytest

from apps import LOOKS, AppPage, directory_of_pictures
from billfold import new_key, until, usd
from kiosk import burger_shop
from webpage import NARROW, PHONE, chromium, drop_answers, expect  # noqa: F401: chromium is a fixture


class Order(AppPage):
    app = "order"

    def log_in(self, customer):
        return super().log_in(customer, "Where do you order?")

    def at_shop(self):
        self.link("Burger Shop").click()
        return self.shows("Choose your country")

    def has_chosen(self, name):
        expect(self.tab.get_by_role("button", name=re.compile(name))).to_have_attribute("aria-pressed", "true")
        return self

    def choose(self, name):
        self.tab.get_by_role("button", name=re.compile(f"^{name}")).click()
        return self

    def orders(self, *extras, patty="Beef"):
        """One burger, from the choice of its patty to checkout."""
        self.choose(patty).has_chosen(patty)
        self.link("Continue").click()
        self.shows("Select the Ingredients")
        for extra in extras:
            self.choose(extra).has_chosen(extra)
        self.button("Order").click()
        return self.shows("Checkout")

    def comes_back(self):
        """From another tab, as a browser without windows cannot show one."""
        self.tab.evaluate("() => { document.dispatchEvent(new Event('visibilitychange')); }")
        return self

    def enters_pin(self, pin="4711"):
        self.tab.get_by_label("PIN", exact=True).press_sequentially(pin)
        return self


class Till(AppPage):
    app = "till"

    def log_in(self, shop):
        self.shows("Log in")
        self.tab.get_by_label("Username").fill("burgers")
        self.tab.get_by_label("Password").fill("demo-password")
        self.tab.keyboard.press("Enter")
        self.tab.locator('stream-state[data-state="live"]').wait_for(state="attached")
        return self


@pytest.fixture(scope="module")
def shop(billset):
    return burger_shop(billset)


@pytest.fixture
def visit(chromium, billset, shop):
    made = []

    def visit(*arguments, of=Order, **options):
        made.append(of(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture
def ada(billset):
    made = billset.customer()
    made.reload(10_000)
    return made


def test_a_burger_from_the_country_to_the_counter(visit, ada, shop):
    """002-1 to 002-13, 002-20, 002-24, 002-25: two browsers, the customer's and the shop's."""
    till = visit(of=Till).log_in(shop).go("/orders")
    page = visit().log_in(ada).at_shop()
    page.choose("USA").shows("Select the Patty")
    assert page.tab.get_by_role("button", name=re.compile("^Continue")).is_disabled()
    assert page.link("Patty Selection").count() == 0
    page.orders("Pickles")
    assert "Burger $9.20 Beef, Pickles" in page.screen and "Total $9.20" in page.screen, page.screen
    page.link("Order More").click()
    page.shows("Select the Patty")
    expect(page.link("Cart (1)")).to_be_visible()
    page.orders(patty="Vegetarian")
    page.button("Pay").click()
    page.enters_pin().shows("Choose your country")
    page.reads("#alerts p", re.compile(r"Order \d+ is paid: \$16\.85"))
    assert ada.balance == 1650 + 10_000 - 1685
    # The same press begins another order, and the screen that it leads to is the one that the address names already.
    page.choose("USA").shows("Select the Patty")
    page.link("Receipt").click()
    page.shows(re.compile(r"Order \d+"))
    assert "Burger $9.20 Beef, Pickles" in page.screen and "$16.85" in page.screen, page.screen
    number = int(re.search(r"Order (\d+)", page.tab.locator("h1").inner_text())[1])
    till.button(f"Order {number} is ready").click()
    till.reads("h2", "Ready")
    page.reads(".note", "It is ready: say the number to get it.")
    page.until(lambda: f"Burger Shop: order {number} is ready" in page.said, "the notice to be announced")
    # What is paid back is said to both.
    order = page.tab.url.split("/")[-1]
    refund = shop.post(f"/v1/charges/{order}/refunds", {"amount": usd(200)}, key=new_key())
    assert refund.status == 201, refund
    page.reads(".note", "Paid back in part: $2.00")
    till.go("/menu").shows("Menu")
    till.go("/orders").shows("Orders").reads(".mark", "Ready · Paid back in part")
    till.link(re.compile(f"Order {number}")).click()
    till.reads(".note", "Paid back in part: $2.00")


def test_going_back_corrects_the_patty_and_orders_nothing(visit, ada):
    """002-14 to 002-16, 002-23, A65; the browser's own Back too."""
    page = visit().log_in(ada).at_shop()
    page.choose("USA").shows("Select the Patty")
    page.choose("Beef").has_chosen("Beef")
    page.link("Continue").click()
    page.shows("Select the Ingredients")
    page.choose("Pickles").has_chosen("Pickles")
    page.link("Patty Selection").click()
    page.shows("Select the Patty").has_chosen("Beef")
    page.choose("Vegetarian").has_chosen("Vegetarian")
    page.tab.go_back()
    page.shows("Select the Ingredients").has_chosen("Pickles")
    expect(page.link("Cart (0)")).to_be_visible()
    page.link("Cart (0)").click()
    page.shows("Checkout")
    assert page.tab.get_by_role("button", name=re.compile("^Pay")).is_disabled()
    page.link("Select the Ingredients").click()
    page.shows("Select the Ingredients")
    # However far back, the country is not chosen again.
    page.go(page.tab.evaluate("() => location.hash.slice(1).split('?')[0]") + "?screen=start")
    page.shows("Select the Patty")


def test_a_press_whose_answer_is_lost_orders_once_and_pays_once(visit, ada):
    page = visit().log_in(ada).at_shop()
    page.choose("USA").shows("Select the Patty")
    lost = drop_answers(page, r"/items$")
    page.orders("Pickles")
    assert lost == [201] and "Total $9.20" in page.screen
    unpaid = drop_answers(page, r"/payment$")
    page.button("Pay").click()
    page.enters_pin().shows("Choose your country")
    assert unpaid == [201] and ada.balance == 1650 + 10_000 - 920


def test_without_money_nothing_is_paid_and_the_way_to_a_card_is_shown(visit, billset):
    poor = billset.customer()
    page = visit().log_in(poor).at_shop()
    page.choose("USA").shows("Select the Patty")
    page.orders()
    page.link("Order More").click()
    page.orders()
    page.button("Pay").click()
    page.enters_pin()
    page.reads("#alerts p", re.compile("not enough money.*No money has moved", re.I))
    expect(page.link("My cards")).to_have_attribute("href", "/wallet#/settings/cards")
    page.shows("Checkout")
    assert "$17.00" in page.screen and poor.balance == 1650
    poor.reload(1000)
    page.button("Pay").click()
    page.shows("Choose your country")
    assert poor.balance == 950


def test_what_hinders_a_payment_is_said_before_the_pin(visit, billset):
    """What cannot work is disabled, says why, and leads to the cure."""
    nobody = billset.customer(card=False)
    page = visit().log_in(nobody).at_shop()
    page.choose("USA").shows("Select the Patty")
    page.orders().reads(".note.waiting", "There is no card yet. Payments need one.")
    expect(page.button("Pay")).to_be_disabled()
    expect(page.link("Add a card")).to_have_attribute("href", "/wallet#/settings/cards/new")
    nobody.add_card()
    assert nobody.put("/v1/settings/payments", {"enabled": False}).status == 200
    page.comes_back().reads(".note.waiting", "Payments are switched off.")
    expect(page.link("Switch payments on")).to_have_attribute("href", "/wallet#/settings/cards")
    assert nobody.put("/v1/settings/payments", {"enabled": True}).status == 200
    page.comes_back()
    expect(page.button("Pay")).to_be_enabled()


def test_light_dark_and_language_are_chosen(visit, ada):
    page = visit().log_in(ada)
    page.link("Settings").click()
    page.shows("Look and language").field("Light or dark").select_option("dark")
    expect(page.tab.locator("html")).to_have_attribute("data-theme", "dark")
    page.field("Language").select_option("de")
    page.tab.get_by_role("link", name="Meine Bestellungen").wait_for()


def test_by_keyboard_alone_on_the_smallest_phone(visit, ada):
    page = visit(NARROW).log_in(ada)
    for name, title in (("Burger Shop", "Choose your country"), ("USA", "Select the Patty")):
        page.tab_to(name).type(["Enter"])
        page.shows(title)
    page.tab_to("Beef").type(["Enter"])
    page.has_chosen("Beef").tab_to("Continue").type(["Enter"])
    page.shows("Select the Ingredients").tab_to("Pickles").type([" "])
    page.has_chosen("Pickles").tab_to("Order").type(["Enter"])
    page.shows("Checkout").tab_to("Pay").type(["Enter"])
    page.enters_pin().shows("Choose your country")
    assert ada.balance == 1650 + 10_000 - 920


def test_a_merchant_writes_a_menu_at_the_till(visit, billset, ada, request):
    """Any merchant's menu, not only the demo's: what is typed there is what customers see."""
    pictures = directory_of_pictures(request)
    baker = billset.merchant()
    till = visit(PHONE, of=Till)
    AppPage.log_in(till, baker, "Charge")
    till.go("/orders").shows("Orders")
    till.link("Menu").click()
    till.shows("Menu").is_drawn().looks_right("menu-empty", pictures, "phone-light")

    def fill(legend, *values):
        fields = till.tab.get_by_role("group", name=legend, exact=True).last.get_by_role("textbox")
        for place, value in enumerate(values):
            fields.nth(place).fill(value)

    for legend, text in (("The shop’s sign", "Bakery"), ("What is ordered", "Sandwich"), ("Asks for the base", "Choose the bread"),
                         ("The way back to the bases", "Bread"), ("Asks for the extras", "Choose the filling")):
        fill(legend, text)
    fill("Country", "USA", "", "USD", "1,5")
    fill("Base", "Rye", "Roggen", "x")
    till.button("Save").click()
    till.reads(".problem", "A price is a number such as 4.50 or 4,50.")
    fill("Base", "Rye", "Roggen", "3.33")
    till.button("Add an extra").click()
    fill("Extra", "Ham", "Schinken", "0,80")
    till.button("Save").click()
    till.shows("Orders")
    menu = ada.get(f"/v1/menus/{baker.account}").body["menu"]
    assert menu["bases"] == [{"key": "rye", "name": {"en": "Rye", "de": "Roggen"}, "price": 333}], menu
    assert menu["countries"][0]["factorPercent"] == 150 and menu["extras"][0]["price"] == 80
    page = visit().log_in(ada)
    page.link("Bakery").click()
    page.shows("Choose your country").choose("USA").shows("Choose the bread")
    assert "Rye $5.00" in page.screen, page.screen
    till.go("/menu").shows("Menu").is_drawn().looks_right("menu", pictures, "phone-light")


def test_who_has_no_account_makes_one_in_the_wallet(visit):
    page = visit().shows("Log in")
    page.link("Create account", exact=True).click()
    page.tab.wait_for_url("**/wallet#/register")
    page.shows("Create account").field("Date of birth").wait_for()


def test_it_speaks_german(visit, ada):
    """A84."""
    page = visit(locale="de-DE")
    page.shows("Anmelden")
    assert page.link("Konto anlegen", exact=True).get_attribute("href") == "/wallet#/register"
    page.tab.get_by_label("Benutzername").fill(ada.username)
    page.tab.get_by_label("Passwort").fill(ada.PASSWORD)
    page.tab.keyboard.press("Enter")
    page.shows("Wo bestellen Sie?")
    page.link("Burger Shop").click()
    page.shows("Wählen Sie Ihr Land")
    page.choose("Schweiz").shows("Wählen Sie den Patty")
    page.reads(".note", re.compile("Eine Bestellung in CHF lässt sich nicht bezahlen"))
    page.choose("Rindfleisch").has_chosen("Rindfleisch")
    page.link("Weiter").click()
    page.shows("Wählen Sie die Zutaten")
    page.button("Bestellen").click()
    page.shows("Kasse")
    assert "5.00 CHF" in page.screen and "Karten zahlen in USD" in page.screen, page.screen


@pytest.mark.parametrize("look", LOOKS)
def test_every_screen_looks_right(visit, ada, look, request):
    pictures = directory_of_pictures(request)
    size, options = LOOKS[look]
    page = visit(size, **options).log_in(ada)
    page.is_drawn().looks_right("shops", pictures, look)
    page.at_shop().is_drawn().looks_right("start", pictures, look)
    page.choose("USA").shows("Select the Patty").is_drawn().looks_right("patty-empty", pictures, look)
    page.choose("Beef").has_chosen("Beef").looks_right("patty", pictures, look)
    page.link("Continue").click()
    page.shows("Select the Ingredients").choose("Pickles").has_chosen("Pickles").looks_right("ingredients", pictures, look)
    page.button("Order").click()
    page.shows("Checkout").is_drawn().looks_right("checkout", pictures, look)
    page.button("Pay").click()
    page.enters_pin().shows("Choose your country")
    page.link("Receipt").click()
    page.shows(re.compile(r"Order \d+")).is_drawn().looks_right("receipt", pictures, look)
    page.go("/orders").shows("My orders").is_drawn().looks_right("orders", pictures, look)


def test_offline_it_says_so_and_comes_back(visit, ada):
    page = visit().log_in(ada)
    page.tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    until(lambda: page.tab.evaluate("() => caches.keys().then((keys) => keys.length > 0)"), "the files to be kept")
    page.context.set_offline(True)
    page.tab.reload()
    page.reads(".problem", re.compile("no connection", re.I))
    page.context.set_offline(False)
    page.shows("Where do you order?")
