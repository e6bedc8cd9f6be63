"""The touch app's page, and what a person does with it."""

import json
import re

import pytest

from billfold import until
from webpage import DESKTOP, NARROW, PHONE, WebPage, chromium, decoded, drop_answers, expect


# The title over each screen.
TITLES = {
    "Pin Screen": "Enter your PIN", "My Cards - Main": "Cards", "My Cards - Pay": "Pay", "My Cards - Options": "Options",
    "My Cards - More Options": "More options", "Payment Setup": "Payments", "Rewards Setup": "My Rewards",
    "Find Starbucks": "Find Starbucks", "Settings Screen": "Settings", "Add Card Screen": "Add a card",
}


@pytest.fixture
def visit(chromium, billset):
    """Makes pages, each with a storage of its own. None may break its policy, or throw."""
    made = []

    def visit(size=DESKTOP, theme="light", **options):
        made.append(TouchPage(chromium, billset, size, theme, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


class TouchPage(WebPage):
    """One tab with the start view."""

    def __init__(self, chromium, set, size=DESKTOP, theme="light", **options):
        super().__init__(chromium, set, "/touch", size, theme, **options)

    # What there is on it.

    def cell(self, label):
        return self.tab.locator(f'#grid [data-label="{label}"]')

    @property
    def phone(self):
        return self.tab.locator("#phone")

    @property
    def balance(self):
        return self.phone.locator("output")

    @property
    def error(self):
        return self.tab.locator("#error")

    @property
    def notice(self):
        return self.tab.locator("#notice")

    @property
    def payments(self):
        return self.tab.locator("#payments > li")

    def shows(self, screen):
        """Waits for a screen by its name, or for another view by its title."""
        if screen in TITLES:
            self.tab.locator(f'#phone[data-screen="{screen}"]').wait_for()
        return super().shows(TITLES.get(screen, screen))

    def notes(self, text):
        return self.reads("#notice", text)

    def refuses(self, text):
        return self.reads("#error", text)

    def is_live(self):
        self.tab.locator('#connection[data-state="live"]').wait_for(state="attached")
        return self

    def is_cut_off(self):
        return self.reads("#connection", "Offline")

    # What a person does.

    def demo(self, profile="demo"):
        with self.tab.expect_response(re.compile("/v1/devices$")) as opened:
            self.button({"demo": "With a card", "no-card": "Without a card"}[profile]).click()
        assert opened.value.ok, f"{opened.value.status}: {opened.value.text()}"
        self.merchant = opened.value.json()["merchant"]
        self.shows("Pin Screen")
        self.is_live()
        # The API client goes on with the page's token.
        kept = json.loads(self.tab.evaluate("() => sessionStorage.getItem('billfold.touch')"))
        self.client.token, self.device = kept["token"], kept["device"]
        return self

    def unlocked(self, profile="demo"):
        self.demo(profile).type("1234")
        return self.shows("My Cards - Main")

    def settle(self):
        """Until no touch waits for its answer."""
        self.tab.locator('#phone[data-waiting="0"]').wait_for()
        return self

    def touch(self, x, y):
        """With the pointer, in the middle of a cell, whatever is there."""
        at = self.tab.evaluate(
            """([x, y]) => {
              const grid = document.getElementById("grid");
              grid.scrollIntoView({block: "center"});
              const tracks = getComputedStyle(grid).gridTemplateRows.split(" ").map(parseFloat);
              const above = tracks.slice(0, y - 1).reduce((sum, track) => sum + track, 0);
              const box = grid.getBoundingClientRect();
              return {x: box.left + box.width * (x - 0.5) / 3, y: box.top + above + tracks[y - 1] / 2};
            }""", [x, y])
        self.tab.mouse.click(at["x"], at["y"])
        return self

    def menu(self, slot):
        self.tab.locator(f'[data-menu="{slot}"]').click()
        return self

    def to_pay(self):
        self.cell("Pay").click()
        return self.shows("My Cards - Pay")

    # What the server knows.

    def display(self):
        answer = self.client.get(f"/v1/devices/{self.device}/display")
        assert answer.status == 200, answer
        return answer.body

    @property
    def card_balance(self):
        answer = self.client.get("/v1/cards/default")
        assert answer.status == 200, answer
        return answer.body["balance"]["amount"]

    def touches(self):
        """The inputs that were sent, in their order: path's end and body."""
        found = []
        for request in self.requests:
            path = re.search(r"/v1/devices/\w+/(touch|menu/\d|top-\w+)$", request.url)
            if path:
                found.append((path[1], request.post_data_json))
        return found


__all__ = ["DESKTOP", "NARROW", "PHONE", "TouchPage", "chromium", "decoded", "drop_answers", "expect", "until", "visit"]
