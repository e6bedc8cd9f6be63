"""What the tests of the till and of the desk share: people at their browsers, and how views have to look."""

import os
import pathlib

from webpage import DESKTOP, NARROW, PHONE, WebPage

PLACE = {"latitude": 35198284, "longitude": -111651302}

LOOKS = {
    "phone-light": (PHONE, {"theme": "light"}), "phone-dark": (PHONE, {"theme": "dark"}),
    "desktop-light": (DESKTOP, {"theme": "light"}), "desktop-dark": (DESKTOP, {"theme": "dark"}),
    # A desktop of 1280 at 200 %, without movement; the smallest phone.
    "zoomed": ((640, 400), {"device_scale_factor": 2, "reduced_motion": "reduce"}),
    "narrow": (NARROW, {"theme": "dark"}),
}


# Cases in which words are longest and letters largest: window, language, and the text size that was chosen.
TIGHT = {
    "german-narrow": (NARROW, "de-DE", None), "german-narrow-larger": (NARROW, "de-DE", "larger"),
    "german-larger": (PHONE, "de-DE", "larger"), "english-narrow-larger": (NARROW, "en-US", "larger"),
    "german-desktop-larger": (DESKTOP, "de-DE", "larger"),
}


class AppPage(WebPage):
    """One browser of somebody who has logged in to an app, or is about to."""

    app = ""

    def __init__(self, chromium, set, size=DESKTOP, **options):
        super().__init__(chromium, set, f"/{self.app}", size, **options)

    def log_in(self, person, title):
        self.shows("Log in")
        self.tab.get_by_label("Username").fill(person.username)
        self.tab.get_by_label("Password").fill(person.PASSWORD)
        self.tab.keyboard.press("Enter")
        self.tab.locator("h1", has_text=title).wait_for(state="attached")
        self.tab.locator('stream-state[data-state="live"]').wait_for(state="attached")
        return self

    def enter(self, person):
        """Logs in, whatever the language."""
        self.tab.locator("[name=username]").fill(person.username)
        self.tab.locator("[name=password]").fill(person.PASSWORD)
        self.tab.keyboard.press("Enter")
        self.tab.locator(".ways a[aria-current]").wait_for()
        return self

    def fits(self, views, tight, pictures):
        """Nothing of these views is wider than the window in this language and text size, and no way is cut."""
        if size := TIGHT[tight][2]:
            self.tab.evaluate("(size) => { localStorage.setItem('billfold.size', JSON.stringify(size)); location.reload(); }", size)
            self.tab.locator(f'html[data-size="{size}"] .ways a[aria-current]').wait_for()
        for name, path in views.items():
            self.go(path)
            self.tab.locator(f'main[data-view="{path.split("?")[0]}"]').wait_for()
            self.is_drawn()
            self.tab.screenshot(path=pictures / f"{self.app}-{name}-{tight}.png", full_page=True)
            assert self.wide()[0] <= 0, (name, self.wide())
            assert self.cut() == [], name

    def go(self, path):
        self.tab.evaluate("(path) => { location.hash = path; }", path)
        return self

    def link(self, name, **options):
        return self.tab.get_by_role("link", name=name, **options)

    def field(self, label):
        return self.tab.get_by_label(label, exact=True)

    def tab_to(self, text):
        """Reaches something by the keyboard alone; it has to have a visible focus then."""
        for _ in range(80):
            self.tab.keyboard.press("Tab")
            words = self.tab.evaluate(
                "() => document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent.trim()")
            if words.startswith(text):
                assert self.tab.evaluate("() => document.activeElement.matches(':focus-visible')"), text
                return self
        raise AssertionError(f"no way to {text!r}")

    def is_drawn(self):
        self.tab.wait_for_function(
            "() => document.getElementById('heading') && !document.querySelector('main .empty[role=status]')"
            " && !document.querySelector('[aria-busy]')")
        return self

    def looks_right(self, name, pictures, look):
        """Nothing is wider than the window, too small to touch, or wrong by axe."""
        self.tab.screenshot(path=pictures / f"{self.app}-{name}-{look}.png", full_page=True)
        assert self.wide()[0] <= 0, (name, self.wide())
        assert self.faults() == [], name
        assert self.small_targets() == [], name


def directory_of_pictures(request):
    made = os.environ.get("BILLFOLD_SCREENSHOTS")
    directory = pathlib.Path(made) if made else request.getfixturevalue("tmp_path")
    directory.mkdir(parents=True, exist_ok=True)
    return directory
