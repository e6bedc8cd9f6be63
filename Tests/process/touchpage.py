"""The touch app's page in a real browser, which is Debian's chromium, and what a person does with it."""

import json
import os
import re
import shutil
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError, expect, sync_playwright

from billfold import Client, until

PHONE, DESKTOP, NARROW = (390, 844), (1280, 800), (320, 568)
# Less than for processes: what a page does not show by then it will not show.
PATIENCE_MS = 15_000

expect.set_options(timeout=PATIENCE_MS)

AXE = Axe().axe_script

# Runs before the page's own scripts: what its policy forbids, and what a screen reader would be told.
WATCH = """
window.watched = {violations: [], said: []};
document.addEventListener("securitypolicyviolation", (event) => {
  watched.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
document.addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const {target} of changes) {
    const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
    const live = element?.closest("[role=status], [role=alert], [role=timer], h1");
    if (live?.textContent) watched.said.push(live.textContent);
  }
}).observe(document.body, {subtree: true, childList: true, characterData: true}));
"""


def program(name, package):
    found = shutil.which(name)
    if not found:
        pytest.fail(f"{name} is missing: install Debian's package {package}, as deploy/test does", pytrace=False)
    return found


@pytest.fixture(scope="module")
def chromium():
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium", "chromium"), args=options)
        yield browser
        browser.close()


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


class TouchPage:
    """One tab with the start view."""

    def __init__(self, chromium, set, size=DESKTOP, theme="light", **options):
        self.set = set
        self.origin = f"http://127.0.0.1:{set.port}"
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, locale="en-US", timezone_id="UTC",
            **options)
        self.context.add_init_script(WATCH)
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(PATIENCE_MS)
        self.errors, self.console, self.requests = [], [], []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("console", lambda message: self.console.append(message.text))
        self.tab.on("request", lambda request: self.requests.append(request))
        self.tab.goto(self.origin + "/touch")
        self.client = Client(set)
        self.audits = False

    def close(self):
        violations = self.tab.evaluate("() => window.watched.violations")
        self.context.close()
        self.client.close()
        assert violations == []
        assert self.errors == []
        elsewhere = [request.url for request in self.requests
                     if not request.url.startswith((self.origin, "data:"))]
        assert elsewhere == []

    # What there is on it.

    def button(self, name, **options):
        return self.tab.get_by_role("button", name=name, exact=True, **options)

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
        return self.reads("h1", screen)

    def notes(self, text):
        return self.reads("#notice", text)

    def refuses(self, text):
        return self.reads("#error", text)

    def is_live(self):
        self.tab.locator('#connection[data-state="live"]').wait_for(state="attached")
        return self

    def is_cut_off(self):
        return self.reads("#connection", "Offline")

    def reads(self, selector, text):
        """Waits until something visible has this text, or matches it. `expect` would look ten times a second only."""
        wanted = text if isinstance(text, re.Pattern) else re.compile(rf"^\s*{re.escape(text)}\s*$")
        try:
            self.tab.locator(f"{selector}:visible", has_text=wanted).first.wait_for()
        except TimeoutError:
            found = self.tab.locator(f"{selector}:visible").all_inner_texts()
            raise AssertionError(f"{selector} never read {text!r}, but {found}; {self.screen}") from None
        return self

    def until(self, condition, what):
        """Polls, and lets the browser tell what has happened meanwhile."""
        return until(lambda: self.tab.evaluate("() => true") and condition(), what)

    @property
    def screen(self):
        """All words that are shown, for failures."""
        return self.tab.evaluate("() => document.querySelector('main').innerText.replace(/\\s+/g, ' ')")

    @property
    def focused(self):
        return self.tab.evaluate("() => document.activeElement.textContent || document.activeElement.tagName")

    @property
    def said(self):
        return self.tab.evaluate("() => window.watched.said")

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

    def type(self, keys):
        for key in keys:
            self.tab.keyboard.press(key)
        return self

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

    # How it looks.

    def wide(self):
        """How much wider the page is than its window, and what sticks out of it."""
        return self.tab.evaluate(
            """() => {
              const width = document.documentElement.clientWidth;
              const out = [...document.body.querySelectorAll("*")]
                .filter((element) => element.getClientRects().length && !element.closest(".unseen")
                  && element.getBoundingClientRect().right > width + 0.5)
                .map((element) => element.outerHTML.slice(0, 80));
              return [document.documentElement.scrollWidth - width, out];
            }""")

    def faults(self):
        """What axe finds that is serious, as (rule, elements)."""
        if not self.audits:
            self.tab.evaluate(AXE)
            self.audits = True
        found = self.tab.evaluate("() => axe.run({resultTypes: ['violations']}).then((results) => results.violations)")
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found
                if one["impact"] in ("serious", "critical")]

    def small_targets(self):
        """Buttons that are smaller than 44 px either way."""
        return self.tab.evaluate(
            """() => [...document.querySelectorAll("button, a, input")].filter((element) => {
              const box = element.getBoundingClientRect();
              return box.width && (box.width < 43.5 || box.height < 43.5);
            }).map((element) => element.outerHTML.slice(0, 80))""")


def decoded(picture):
    """What a scanner reads off a picture."""
    scanned = subprocess.run(
        [program("zbarimg", "zbar-tools"), "--quiet", "--raw", picture], capture_output=True, text=True, check=False)
    return scanned.stdout.strip()


def drop_answers(page, path, count=1):
    """The server takes the first `count` requests of a path, and their answers are lost. Returns what was lost so far."""
    lost = []

    def handle(route):
        if len(lost) == count:
            return route.continue_()
        answer = route.fetch()
        lost.append(answer.status)
        return route.abort()

    page.tab.route(re.compile(path), handle)
    return lost


__all__ = ["DESKTOP", "NARROW", "PHONE", "TouchPage", "chromium", "decoded", "drop_answers", "expect", "until", "visit"]
