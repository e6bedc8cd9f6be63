"""Takes the pictures of the apps for README and docs: real binaries, the town, a browser. Run by `deploy/screenshots`."""

import pathlib
import subprocess
import sys

from playwright.sync_api import sync_playwright

from billfold import BINARIES, Client, Set, new_key, until, usd
from webpage import DESKTOP, PHONE, WebPage, launch

PASSWORD = "demo-password"
ENVIRONMENT = {"BILLFOLD_MERCHANT_APPROVAL": "manual", "BILLFOLD_TRIES_PER_ADDRESS": "6000"}


class Login(Client):
    def __init__(self, set, username):
        super().__init__(set)
        answer = self.post("/v1/sessions", {"username": username, "password": PASSWORD})
        assert answer.status == 201, answer
        self.token, self.account = answer.body["token"], answer.body["session"]["account"]


class App(WebPage):
    """An app that somebody of the town has logged in to."""

    def __init__(self, browser, set, app, username, title, size, **options):
        super().__init__(browser, set, f"/{app}", size, **options)
        self.shows("Log in")
        self.tab.get_by_label("Username").fill(username)
        self.tab.get_by_label("Password").fill(PASSWORD)
        self.tab.keyboard.press("Enter")
        self.tab.locator("h1", has_text=title).wait_for(state="attached")

    def picture(self, path, view, ready, height=None, below=None):
        """`ready` is what has to be there, `below` what has to be in the picture."""
        self.tab.evaluate("(path) => { location.hash = path; }", view)
        self.tab.locator(ready).first.wait_for()
        self.tab.wait_for_function("() => !document.querySelector('[aria-busy]')")
        if below:
            self.tab.locator(below).first.scroll_into_view_if_needed()
        # What has the focus is drawn otherwise.
        self.tab.evaluate("() => document.activeElement.blur()")
        clip = {"x": 0, "y": 0, "width": self.tab.viewport_size["width"], "height": height} if height else None
        self.tab.screenshot(path=path, animations="disabled", **({"clip": clip} if clip else {}))
        print(path, path.stat().st_size)


def customers(set, shop, at):
    """Some of the town buy something in a shop."""
    for username, cents, memo in (
            ("ben.hayes", 325, "Drip coffee"), ("clara.owens", 875, "Flat white, Cinnamon roll"), ("dylan.vargas", 450, "Flat white")):
        person = Login(set, username)
        assert person.post("/v1/pin/verifications", {"pin": "1234"}).status == 200
        assert person.put("/v1/location", at).status == 200
        card = person.get("/v1/cards/default").body["card"]
        assert person.post(f"/v1/cards/{card}/reloads", {"amount": usd(2500)}, key=new_key()).status == 201
        paid = person.post("/v1/payments", {"merchant": shop.account, "amount": usd(cents), "memo": memo}, key=new_key())
        assert paid.status == 201, paid


def newcomer(set, clerk):
    """A shop that waits for the clerk, with a coupon."""
    made = Client(set).post("/v1/merchants", {
        "username": "snow.bakery", "password": PASSWORD, "confirmPassword": PASSWORD, "name": "Snow Bakery",
        "businessName": "Snow Bakery", "email": "snow.bakery@flagstaff.example", "address": "2 N Park Street, Flagstaff",
        "productTypes": ["food"], "latitude": 35198700, "longitude": -111654400})
    assert made.status == 201, made
    shop = Login(set, "snow.bakery")
    offer = shop.post("/v1/offers", {
        "kind": "coupon", "title": "Warm at seven", "content": "A third off the first tray of the day.",
        "discount": {"percent": 33}}, key=new_key())
    assert offer.status == 201, offer


def take(directory):
    made = Set(**ENVIRONMENT).start()
    town = None
    try:
        made.await_health()
        town = subprocess.Popen(
            [BINARIES / "billfold", "demo", "--world", "--people", "30"], env=made.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True)
        assert any("30 people live" in line for line in town.stdout), "the town was not filled"
        clerk, shop = Login(made, "clerk"), Login(made, "aspen.roasters")
        ada = Login(made, "ada.abbott")
        place = shop.get("/v1/places").body["places"][0]
        at = {"latitude": place["latitude"], "longitude": place["longitude"]}
        assert ada.put("/v1/location", at).status == 200
        asked = shop.post(
            "/v1/charges", {"customer": "ada.abbott", "amount": usd(450), "memo": "Flat white"}, key=new_key())
        assert asked.status == 201, asked
        customers(made, shop, at)
        newcomer(made, clerk)
        until(lambda: ada.get("/v1/charges?state=requested").body["charges"], "the request to be seen")
        with sync_playwright() as playwright:
            browser = launch(playwright.chromium, "chromium")
            wallet = App(browser, made, "wallet", "ada.abbott", "Home", PHONE)
            wallet.picture(directory / "wallet.png", "/", "money-amount")
            wallet.context.close()
            dark = App(browser, made, "wallet", "ada.abbott", "Home", PHONE, theme="dark")
            assert ada.put("/v1/location", at).status == 200
            dark.picture(
                directory / "wallet-map-dark.png", "/merchants", ".leaflet-interactive", below="place-map + .detail")
            dark.context.close()
            till = App(browser, made, "till", "aspen.roasters", "Charge", PHONE)
            till.picture(directory / "till.png", "/sales", "svg.plot")
            till.context.close()
            desk = App(browser, made, "desk", "clerk", "What waits", DESKTOP)
            desk.picture(directory / "desk.png", "/", "#item-title", height=620)
            desk.context.close()
            browser.close()
    finally:
        if town:
            town.kill()
            town.wait()
        made.close()


if __name__ == "__main__":
    take(pathlib.Path(sys.argv[1]))
