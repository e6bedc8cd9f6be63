"""A page of the gateway in a real browser, which is Debian's Chromium, and what a person does with it."""

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


def launch(kind, package):
    """A browser of one of Debian's packages, which is named as its program."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    return kind.launch(executable_path=program(package, package), args=options)


@pytest.fixture(scope="module")
def chromium():
    """Chromium without its own windows, which would cost as much as the pages."""
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium, "chromium-headless-shell")
        yield browser
        browser.close()


class WebPage:
    """One tab with one page, in a storage of its own."""

    def __init__(self, chromium, set, path, size=DESKTOP, theme="light", locale="en-US", **options):
        self.set = set
        self.origin = f"http://127.0.0.1:{set.port}"
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, locale=locale, timezone_id="UTC",
            **options)
        self.context.add_init_script(WATCH)
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(PATIENCE_MS)
        self.errors, self.console, self.requests = [], [], []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("console", lambda message: self.console.append(message.text))
        self.tab.on("request", lambda request: self.requests.append(request))
        # Other origins that the page may ask.
        self.others = ()
        self.tab.goto(self.origin + path)
        self.client = Client(set)
        self.audits = False

    def close(self):
        """None may break its policy, throw, or ask another host."""
        violations = self.tab.evaluate("() => window.watched.violations")
        self.context.close()
        self.client.close()
        assert violations == []
        assert self.errors == []
        elsewhere = [request.url for request in self.requests
                     if not request.url.startswith((self.origin, "data:", *self.others))]
        assert elsewhere == []

    # What there is on it.

    def button(self, name, **options):
        return self.tab.get_by_role("button", name=name, exact=True, **options)

    def shows(self, title):
        return self.reads("h1", title)

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

    def type(self, keys):
        for key in keys:
            self.tab.keyboard.press(key)
        return self

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

    def cut(self):
        """Ways of the navigation whose words are not wholly in their places."""
        return self.tab.evaluate(
            """() => [...document.querySelectorAll(".ways a")].filter((way) => {
              const words = document.createRange();
              words.selectNodeContents(way);
              const [inner, outer] = [words.getBoundingClientRect(), way.getBoundingClientRect()];
              return outer.width && (inner.left < outer.left || inner.right > outer.right || outer.left < 0
                || outer.right > document.documentElement.clientWidth + 0.5);
            }).map((way) => way.textContent)""")

    def faults(self):
        """What axe finds that is serious, as (rule, elements)."""
        if not self.audits:
            self.tab.evaluate(AXE)
            self.audits = True
        found = self.tab.evaluate("() => axe.run({resultTypes: ['violations']}).then((results) => results.violations)")
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found
                if one["impact"] in ("serious", "critical")]

    def small_targets(self):
        """Buttons that are smaller than 44 px either way; of a checkbox the label is the target."""
        return self.tab.evaluate(
            """() => [...document.querySelectorAll("button, a, input:not([type=checkbox])")].filter((element) => {
              const box = element.getBoundingClientRect();
              return box.width && (box.width < 43.5 || box.height < 43.5);
            }).map((element) => element.outerHTML.slice(0, 80))""")


def decoded(picture):
    """What a scanner reads off a picture."""
    scanned = subprocess.run(
        [program("zbarimg", "zbar-tools"), "--quiet", "--raw", picture], capture_output=True, text=True, check=False)
    return scanned.stdout.strip()


def drop_answers(page, path, count=1, refusals=()):
    """The server takes the first `count` requests of a path, and their answers are lost; the next ones are refused with these
    statuses and problems. Returns what was lost so far."""
    lost = []
    refusals = list(refusals)

    def handle(route):
        if len(lost) == count:
            if not refusals:
                return route.continue_()
            status, problem = refusals.pop(0)
            return route.fulfill(status=status, json=problem, content_type="application/problem+json")
        answer = route.fetch()
        lost.append(answer.status)
        return route.abort()

    page.tab.route(re.compile(path), handle)
    return lost
