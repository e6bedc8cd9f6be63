"""The app of the day at /routines: a real browser, the real set, and what somebody does who plans by pictures.

Screenshots go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import base64
import datetime
import re

import pytest

from apps import LOOKS, AppPage, directory_of_pictures
from billfold import new_id, new_key, until
from images import picture
from webpage import PHONE, chromium, expect  # noqa: F401: chromium is a fixture

STEPS = [{"name": {"text": "Brush teeth", "images": ["toothbrush"]}, "minutes": 30, "priority": "high"},
         {"name": {"images": ["clothes"]}, "minutes": 20, "priority": "normal"}]


def today(days=0):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)).strftime("%Y-%m-%d")


@pytest.fixture(autouse=True)
def one_day():
    """A test that sees midnight would have two todays."""
    def minute():
        now = datetime.datetime.now(datetime.timezone.utc)
        return now.hour * 60 + now.minute

    until(lambda: minute() < 1437, "the next day", patience=200)


def routine(person, name="Get ready", tag="hygiene", **more):
    answer = person.post("/v1/routines", {"name": {"text": name}, "tag": tag, "actions": STEPS, **more}, key=new_key())
    assert answer.status == 201, answer
    return answer.body["routine"]


def schedule(person, entries, date=None):
    answer = person.post("/v1/schedules", {"date": date or today(), "entries": entries}, key=new_key())
    assert answer.status == 201, answer
    return answer.body


class RoutinesPage(AppPage):
    app = "routines"

    def __init__(self, chromium, set, size=PHONE, **options):
        super().__init__(chromium, set, size, **options)

    def log_in(self, person, title="Today"):
        self.tab.get_by_label("Username").fill(person.username)
        self.tab.get_by_label("Password").fill(person.PASSWORD)
        self.tab.keyboard.press("Enter")
        self.tab.locator("h1", has_text=title).wait_for(state="attached")
        self.tab.locator('stream-state[data-state="live"]').wait_for(state="attached")
        return self

    def tile(self, words):
        return self.tab.locator("button.tile:visible", has_text=re.compile(rf"^\s*{re.escape(words)}\s*$")).first

    def press(self, words):
        self.tab.get_by_role("button", name=words, exact=True).locator("visible=true").first.click()
        return self

    def take(self):
        """Takes what the newest sheet asks for."""
        self.tab.locator("dialog").last.get_by_role("button", name="Take it").click()
        return self


@pytest.fixture
def visit(chromium, billset):
    made = []

    def visit(*arguments, **options):
        made.append(RoutinesPage(chromium, billset, *arguments, **options))
        return made[-1]

    yield visit
    for page in made:
        page.close()


@pytest.fixture
def ada(billset):
    return billset.customer(card=False, pin=None)


# MARK: The way in


def test_sign_up_and_log_in(visit):
    """004-1 to 004-4, 004-6, 004-41, 004-49, 004-51: LOG IN and SIGN UP as printed, signs say what was accepted."""
    page = visit()
    page.button("LOG IN").wait_for()
    page.link("Don't have an account? Sign Up", exact=True).click()
    page.link("Already have an account? Sign In", exact=True).wait_for()
    page.button("SIGN UP").click()
    page.reads(".field .problem", "E-mail is missing.")
    name = f"c{new_id()[:12]}"
    form = {
        "E-mail": f"{name}@example.org", "Username": name, "Password": "correct horse battery",
        "Password again": "correct horse battery", "Date of birth": "1990-05-17"}
    for label, value in form.items():
        page.tab.get_by_label(label, exact=True).fill(value)
    page.button("SIGN UP").click()
    page.shows("Today")
    page.reads("#alerts p", re.compile("✓ Username and password were accepted."))
    page.tab.reload()
    page.shows("Today")
    page.go("/profile").shows("Profile")
    page.press("Log out")
    page.button("LOG IN").wait_for()
    page.tab.reload()
    page.button("LOG IN").wait_for()
    page.tab.get_by_label("Username").fill(name)
    page.tab.get_by_label("Password").fill("wrong horse battery")
    page.button("LOG IN").click()
    page.reads("form > .problem", re.compile("The username and/or password is wrong."))
    sign = page.tab.locator("form > .problem").evaluate("(one) => getComputedStyle(one, '::before').clipPath")
    assert sign.startswith("polygon"), sign
    assert page.tab.evaluate("() => Object.keys(localStorage).filter((one) => /day|taps|session/.test(one))") == []
    # The page began at the log-in, which is not where a log-in leads to.
    page.tab.get_by_label("Password").fill("correct horse battery")
    page.button("LOG IN").click()
    page.shows("Today")


# MARK: Routines


def test_a_routine_is_made_by_pictures_alone(visit, ada):
    """004-8 to 004-13, 004-17, 004-38 to 004-40, 004-42, 004-43, 004-48: no word is typed."""
    page = visit().log_in(ada)
    page.link("Routines").click()
    page.shows("Routines")
    page.link("new routine").click()
    page.shows("new routine")
    expect(page.tab.locator(".trail li")).to_have_text(["1. Name", "2. Actions", "3. Tag", "4. Confirm"])
    page.press("Next").reads(".steps > .problem", "Choose a picture, an emoji or a text.")
    page.tile("Dog").click()
    page.press("Next").reads("h2", "What is done, one after the other?")
    page.press("Next").reads(".steps > .problem", "A routine needs an action.")
    page.tile("Walk the dog").click()
    page.take()
    page.tile("Brush teeth").click()
    page.tab.locator("dialog").get_by_role("button", name="10 min").click()
    page.tab.locator("dialog").get_by_role("button", name="Low").click()
    page.take()
    expect(page.tab.locator(".step .actions li")).to_have_count(2)
    page.press("Next").press("Next").reads(".steps > .problem", "Choose a tag.")
    page.tile("pet").click()
    page.press("Next").reads("h2", "Is it right?")
    page.press("confirm").shows("Routines")
    page.reads("#alerts p span", "routine created")
    expect(page.tab.locator(".routines > li")).to_have_count(1)
    [made] = ada.get("/v1/routines").body["routines"]
    assert made["name"] == {"images": ["dog"]} and made["tag"] == "pet"
    assert [(one["name"]["text"], one["minutes"], one["priority"]) for one in made["actions"]] == [
        ("Walk the dog", 30, "normal"), ("Brush teeth", 10, "low")]
    # The same name once more: the error is short, and nothing is lost.
    page.go("/routines/new").shows("new routine")
    page.tile("Dog").click()
    page.press("Next")
    page.tile("Rest").click()
    page.take().press("Next")
    page.tile("pet").click()
    page.press("Next").press("confirm").reads(".steps > .problem", "This routine exists. Choose another name.")
    page.press("Cancel").shows("Routines")
    assert len(ada.get("/v1/routines").body["routines"]) == 1


def test_the_newest_is_on_top_and_can_be_deleted(visit, ada):
    """004-17, 004-18, 004-38, 004-44: the list, its search and its deletions."""
    for name in ("One", "Two", "Three", "Four"):
        routine(ada, name)
    page = visit().log_in(ada).go("/routines").shows("Routines")
    names = page.tab.locator(".routines > li > div > .labelled .words")
    expect(names).to_have_text(["Four", "Three", "Two", "One"])
    page.tab.get_by_label("Search").fill("tw")
    expect(page.tab.locator(".routines > li:visible")).to_have_count(1)
    assert page.tab.locator("label[for=routine-search] [data-icon=search]").count() == 1
    page.press("Delete Two")
    page.tab.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    page.until(lambda: names.all_inner_texts() == ["Four", "Three", "One"], "Two to be gone")


def test_an_own_image_is_uploaded_and_shown(visit, ada):
    """004-46: the page makes a picture small enough; the server keeps it without what does not belong to it."""
    page = visit().log_in(ada).go("/routines/new").shows("new routine")
    page.tab.locator("#own-image").set_input_files(
        {"name": "mine.png", "mimeType": "image/png", "buffer": picture()})
    page.tile("Own image 1").wait_for()
    [image] = ada.get("/v1/routines/images").body["images"]
    data = base64.b64decode(ada.get(f"/v1/routines/images/{image['image']}").body["data"])
    assert len(data) <= 9000 and max(image["width"], image["height"]) <= 192 and b"where I live" not in data
    page.tab.wait_for_function("() => document.querySelector('.tile img')?.naturalWidth > 0")
    page.tab.locator("#own-image").set_input_files({"name": "x.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.reads(".label-field > .problem", "This image cannot be used. Choose a PNG or a JPEG.")
    page.go("/profile").shows("Profile")
    page.press("Delete Own image 1")
    page.tab.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    until(lambda: ada.get("/v1/routines/images").body["images"] == [], "the image to be deleted")


def test_a_routine_is_changed_step_by_step(visit, ada, request):
    """004-8 to 004-12, 004-40, 004-43: name, order, times, priorities and tag; a day that was made with it stays."""
    made = routine(ada, "Get redy", tag="errands")
    day = schedule(ada, [{"routine": made, "start": 1380}], today(1))
    page = visit().log_in(ada).go("/routines").shows("Routines")
    page.link("Change Get redy").click()
    page.shows("Change Get redy")
    expect(page.tab.locator("#label-text")).to_have_value("Get redy")
    page.tab.locator("#label-text").fill("Get ready")
    page.press("Next").reads("h2", "What is done, one after the other?")
    rows = page.tab.locator(".step .actions > li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0).get_by_role("button", name="Move Brush teeth up")).to_be_disabled()
    page.press("Move Clothes up")
    expect(rows.nth(0)).to_contain_text("Clothes")
    assert page.tab.evaluate("() => document.activeElement.textContent") == "Change Clothes"
    page.press("Change Brush teeth")
    dialog = page.tab.locator("dialog").last
    dialog.get_by_role("button", name="5 min", exact=True).click()
    dialog.get_by_role("button", name="Low").click()
    dialog.get_by_text("Another name").click()
    dialog.locator("#label-text").fill("Clean teeth")
    page.take()
    expect(rows.nth(1)).to_contain_text("Clean teeth")
    page.looks_right("routine-change", directory_of_pictures(request), "phone-light")
    page.press("Next").reads("h2", "What does it belong to?")
    expect(page.tab.get_by_label("Another tag")).to_have_value("errands")
    page.tab.get_by_label("Another tag").fill("")
    page.tile("morning").click()
    page.tab.get_by_label("No ads while it runs").check()
    page.press("Next").press("confirm").shows("Routines")
    page.reads("#alerts p span", "routine changed")
    [found] = ada.get("/v1/routines").body["routines"]
    assert (found["routine"], found["name"], found["tag"], found["quiet"]) == (made, {"text": "Get ready"}, "morning", True)
    assert [(one["name"], one["minutes"], one["priority"]) for one in found["actions"]] == [
        ({"images": ["clothes"]}, 20, "normal"), ({"text": "Clean teeth", "images": ["toothbrush"]}, 5, "low")]
    assert ada.get(f"/v1/schedules/day?date={today(1)}").body == day
    page.go(f"/routines/{new_id()}").reads("main .note", "This routine was deleted.")


# MARK: Schedules


def test_a_schedule_is_proposed_changed_and_confirmed(visit, ada):
    """004-19 to 004-23, 004-25, 004-33, 004-38 to 004-40, 004-43, 004-53: the same steps as those of a routine."""
    routine(ada), routine(ada, "Wash up", tag="pet")
    page = visit().log_in(ada)
    page.reads(".lead", re.compile("There is no schedule for this day."))
    page.link("Create daily schedule").click()
    page.shows("Create daily schedule")
    expect(page.tab.locator(".trail li")).to_have_text(["1. Day", "2. Appointments", "3. Tags", "4. Confirm"])
    page.tile("Tomorrow").click()
    page.press("Next").press("Add an appointment").take()
    expect(page.field("Start")).to_have_value("10:00")
    page.take()
    page.reads(".actions .detail", "10:00, 60 min")
    page.press("Next").reads("h2", "Which routines?")
    page.press("Next").reads("h2", "Is it right?")
    rows = page.tab.locator(".plan > li .words")
    expect(rows).to_have_text(["Get ready", "Wash up", "Doctor"])
    page.tab.get_by_label("Start of Wash up").fill("20:15")
    page.press("Delete Doctor")
    expect(rows).to_have_text(["Get ready", "Wash up"])
    page.press("Step back").press("Next")
    expect(rows).to_have_text(["Get ready", "Wash up", "Doctor"])
    page.press("Delete Get ready").press("confirm")
    page.reads("#alerts p span", "daily schedule created")
    day = ada.get(f"/v1/schedules/day?date={today(1)}").body
    assert [one["name"] for one in day["entries"]] == [{"text": "Wash up"}, {"images": ["doctor"]}]


def test_a_start_is_typed_digit_by_digit(visit, ada):
    """The rows keep their places while somebody is at them, and are put in order then."""
    routine(ada), routine(ada, "Wash up", tag="pet")
    page = visit().log_in(ada)
    page.go("/schedule/new").shows("Create daily schedule")
    page.tile("Tomorrow").click()
    page.press("Next").press("Next").press("Next").reads("h2", "Is it right?")
    rows = page.tab.locator(".plan > li .words")
    expect(rows).to_have_text(["Get ready", "Wash up"])
    page.tab.get_by_label("Start of Get ready").focus()
    page.tab.keyboard.type("1145PM")
    expect(page.tab.get_by_label("Start of Get ready")).to_have_value("23:45")
    expect(rows).to_have_text(["Get ready", "Wash up"])
    page.tab.get_by_label("Start of Get ready").fill("21:15")
    page.button("Step back").focus()
    expect(rows).to_have_text(["Wash up", "Get ready"])
    page.press("confirm").reads("#alerts p span", "daily schedule created")
    day = ada.get(f"/v1/schedules/day?date={today(1)}").body
    assert [(one["name"]["text"], one["start"]) for one in day["entries"]][1] == ("Get ready", 1275)


def test_days_go_on_behind_more(visit, ada):
    page = visit(service_workers="block").log_in(ada)
    days = [{"date": today(-days), "day": new_id(), "done": 1, "actions": 2} for days in range(5)]

    def listed(route):
        behind = re.search(r"before=([\d-]+)", route.request.url)
        found = [one for one in days if not behind or one["date"] < behind[1]]
        route.fulfill(json={"days": found[:3], **({"next": found[2]["date"]} if len(found) > 3 else {})})

    page.tab.route("**/v1/schedules?*", listed)
    page.go("/schedule").shows("Schedule")
    expect(page.tab.locator(".list > li")).to_have_count(3)
    page.button("More").click()
    expect(page.tab.locator(".list > li")).to_have_count(5)
    expect(page.button("More")).to_be_hidden()


def test_a_step_that_cannot_be_shown_changes_nothing(visit, ada):
    """The proposal for other tags does not come: the tags stay on the screen, and what is confirmed is no plan of before."""
    routine(ada), routine(ada, "Wash up", tag="pet")
    page = visit(service_workers="block").log_in(ada)
    page.go("/schedule/new").shows("Create daily schedule")
    page.tile("Tomorrow").click()
    page.press("Next").press("Next").press("Next").reads("h2", "Is it right?")
    rows = page.tab.locator(".plan > li .words")
    expect(rows).to_have_text(["Get ready", "Wash up"])
    page.press("Step back").reads("h2", "Which routines?")
    page.tile("pet").click()
    refusal = {"code": "routines.entry_invalid", "title": "Refused", "status": 422, "retry": "never"}
    page.tab.route("**/v1/schedules/proposals", lambda route: route.fulfill(status=422, json=refusal, content_type="application/problem+json"))
    page.press("Next").reads(".steps > .problem", "An entry ends after midnight.")
    page.reads("h2", "Which routines?")
    assert page.button("confirm").count() == 0
    expect(page.tab.locator(".trail [aria-current]")).to_have_text("3. Tags")
    page.tab.unroute_all()
    page.press("Next").reads("h2", "Is it right?")
    expect(rows).to_have_text(["Get ready"])


def test_a_schedule_by_hand_needs_an_entry_and_can_be_used_again(visit, ada):
    """004-24, 004-26, 004-27, 004-44: by hand, without the algorithm; another day's is used again."""
    routine(ada)
    page = visit().log_in(ada).go("/schedule/new").shows("Create daily schedule")
    page.tile("Tomorrow").click()
    page.press("Next").press("Next")
    page.tab.get_by_label("Without proposals").check()
    page.press("Next").press("confirm").reads(".steps > .problem", "A schedule needs an entry.")
    page.press("Add a routine")
    page.tab.get_by_role("dialog").locator("button.tile").click()
    page.tab.get_by_label("Start of Get ready").fill("07:30")
    page.press("confirm")
    page.reads("#alerts p span", "daily schedule created")
    day = ada.get(f"/v1/schedules/day?date={today(1)}").body
    assert [(one["start"], one["minutes"]) for one in day["entries"]] == [(450, 50)]
    page.go(f"/schedule/{today(1)}")
    page.press("Use again")
    page.tab.get_by_role("dialog").get_by_label("Day").fill(today(2))
    page.take()
    page.tab.wait_for_function(f"() => location.hash === '#/schedule/{today(2)}'")
    assert ada.get(f"/v1/schedules/day?date={today(2)}").status == 200
    page.go("/schedule").shows("Schedule")
    expect(page.tab.locator(".list > li")).to_have_count(2)


# MARK: The day


@pytest.fixture
def busy(ada):
    """A customer in the middle of a routine of the whole day: it is open now, whatever the time is."""
    ada.day = schedule(ada, [{"routine": routine(ada), "start": 0}])
    return ada


def test_a_tap_completes_and_the_last_one_ends_the_day(visit, busy):
    """004-28, 004-30, 004-31, 004-34, 004-35, 004-48, 004-54: now, a tap, and Done."""
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    page.reads(".count", re.compile(r"^\d+:\d\d(:\d\d)? (left|late)$"))
    assert page.tab.locator("#finish [data-icon=done]").count() == 1
    page.tab.locator("#finish").click()
    page.reads("#current", "Clothes")
    page.tab.locator("#step-1-1").click()
    page.reads("#current", "Brush teeth")
    page.tab.locator("#finish").click()
    page.reads("#current", "Clothes")
    page.tab.locator("#finish").click()
    page.reads("#current", "Done")
    until(lambda: busy.get(f"/v1/schedules/day?date={today()}").body["isDone"], "the server to know")


def test_the_second_click_of_two_completes_no_other_action(visit, busy):
    """The next action stands below the pointer by then."""
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    expect(page.tab.locator("#finish")).to_be_enabled()
    box = page.tab.locator("#finish").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for clicks in (1, 2):
        page.tab.mouse.down(click_count=clicks)
        page.tab.mouse.up(click_count=clicks)
        page.reads("#current", "Clothes")
    page.until(lambda: len([one for one in page.requests if one.url.endswith("/marks")]) == 1, "the tap to be sent")
    page.tab.reload()
    page.reads("#current", "Clothes")


def test_enter_that_is_held_completes_one_action(visit, busy):
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    page.tab.locator("#finish").focus()
    for _ in range(3):
        page.tab.keyboard.down("Enter")
        page.reads("#current", "Clothes")
    page.tab.keyboard.up("Enter")
    page.until(lambda: len([one for one in page.requests if one.url.endswith("/marks")]) == 1, "the tap to be sent")
    page.tab.reload()
    page.reads("#current", "Clothes")


def test_a_day_that_is_left_while_it_loads_leaves_no_timer(visit, busy):
    page = visit(service_workers="block").log_in(busy)
    page.go("/profile").shows("Profile")
    page.tab.evaluate("""() => {
      const own = setInterval;
      window.timers = 0;
      window.setInterval = (...given) => { timers += 1; return own(...given); };
    }""")
    held = []
    page.tab.route("**/v1/schedules/day?*", lambda route: held.append(route))
    page.go("/").until(lambda: held, "the day to be read")
    page.go("/profile").shows("Profile")
    with page.tab.expect_response("**/v1/schedules/day?*"):
        held[0].continue_()
    page.go("/routines").shows("Routines")
    assert page.tab.evaluate("() => timers") == 0


def test_a_page_that_is_open_at_midnight_shows_the_new_day(visit, ada):
    schedule(ada, [{"appointment": {"text": "Old evening"}, "start": 1380, "minutes": 60}])
    schedule(ada, [{"appointment": {"text": "New night"}, "start": 0, "minutes": 60}], today(1))
    page = visit(service_workers="block")
    # The server's clock is not moved, and the page goes by it.
    page.context.add_init_script("""(() => {
      const own = Headers.prototype.get;
      Headers.prototype.get = function (name) { return name === "Date" ? new Date().toUTCString() : own.call(this, name); };
    })()""")
    page.tab.clock.install(time=datetime.datetime.fromisoformat(f"{today()}T23:59:40+00:00"))
    page.tab.reload()
    page.log_in(ada).reads("#current", "Old evening")
    page.tab.clock.fast_forward(30_000)
    page.reads("#current", "New night")


def test_a_server_that_takes_long_shows_the_kept_day_first(visit, busy):
    """Both in the app and at its start; the answer takes the place of what was kept."""
    page = visit(service_workers="block").log_in(busy)
    page.reads("#current", "Brush teeth").go("/profile").shows("Profile")
    held = []
    page.tab.route("**/v1/schedules/day?*", lambda route: held.append(route))
    page.go("/").reads("#current", "Brush teeth")
    day = busy.get(f"/v1/schedules/day?date={today()}").body
    mark = {"entry": day["entries"][0]["entry"], "action": day["entries"][0]["actions"][0]["action"], "done": True}
    assert busy.post(f"/v1/schedules/{day['day']}/marks", mark).status == 200
    held[0].continue_()
    page.reads("#current", "Clothes")
    page.tab.unroute_all(behavior="ignoreErrors")
    page.tab.route("**/v1/**", lambda route: None)
    page.tab.reload()
    page.reads("#current", "Clothes")


def test_what_comes_next_is_said_with_its_time(visit, ada):
    """004-29: when nothing is due, what is next and when it takes effect."""
    schedule(ada, [{"appointment": {"images": ["bus"]}, "start": 1439, "minutes": 1}])
    page = visit().log_in(ada)
    page.reads(".current .detail", re.compile("Next, at 11:59 PM: Bus"))
    page.reads(".count", re.compile(r"^in \d+:\d\d(:\d\d)?$"))


def test_a_server_that_says_nothing_keeps_nobody_from_the_day(visit, billset, busy):
    """It takes connections and never answers, as a network does that is hardly there."""
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    page.tab.wait_for_function("async () => !!(await navigator.serviceWorker.ready) && !!(await caches.match('/pages/routines/today.js'))")
    page.tab.reload()
    page.reads("#current", "Brush teeth")
    with billset.frozen("gateway"):
        page.tab.reload(wait_until="commit")
        page.reads("#current", "Brush teeth")
    page.tab.locator('stream-state[data-state="live"]').wait_for(state="attached", timeout=60_000)


def test_without_a_network_taps_wait_and_are_settled(visit, busy):
    """The day that is loaded works without a network, after a reload too; what was tapped meanwhile is settled."""
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    page.tab.wait_for_function("async () => (await navigator.serviceWorker.ready) && (await caches.keys()).length > 0")
    # The page's own cache is filled by its worker once.
    page.tab.wait_for_function("async () => !!(await caches.match('/pages/routines/today.js'))")
    page.context.set_offline(True)
    page.tab.locator("#finish").click()
    page.reads("#current", "Clothes")
    page.reads("#waiting", "1 tap waits for the connection.")
    page.tab.reload()
    page.reads("#current", "Clothes")
    page.tab.locator("#finish").click()
    page.reads("#current", "Done")
    page.reads("#waiting", "2 taps wait for the connection.")
    busy.close()
    assert not busy.get(f"/v1/schedules/day?date={today()}").body["isDone"]
    page.context.set_offline(False)
    until(lambda: busy.get(f"/v1/schedules/day?date={today()}").body["isDone"], "the taps to be settled")
    page.tab.locator("#waiting").wait_for(state="detached")
    page.reads("#current", "Done")


def wait_for_a_network(page, person, *taps):
    """Leaves taps in the browser, as without a network."""
    time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    kept = [{"day": person.day["day"], "entry": entry, "action": action, "done": True, "time": time} for entry, action in taps]
    page.tab.evaluate("([name, taps]) => localStorage.setItem(name, JSON.stringify(taps))", [f"billfold.routines.taps.{person.account}", kept])


def test_a_tap_that_is_refused_at_a_start_is_said(visit, busy):
    page = visit().log_in(busy)
    page.reads("#current", "Brush teeth")
    wait_for_a_network(page, busy, (9, 9))
    page.tab.reload()
    page.reads("#alerts p span", re.compile("^A tap was not counted."))
    page.reads("#current", "Brush teeth")


def test_two_tabs_lose_no_tap(visit, busy):
    """Each tap is sent by one of them; one that was not sent, as the network was cut, stays for the other."""
    page = visit(service_workers="block").log_in(busy)
    page.reads("#current", "Brush teeth")
    wait_for_a_network(page, busy, (1, 1), (1, 2))
    held, marked = [], []

    def mark(route):
        action = route.request.post_data_json["action"]
        if action == 1:
            held.append(route)
            return None
        marked.append(route)
        return route.abort() if len(marked) == 1 else route.continue_()

    page.context.route("**/marks", mark)
    page.tab.reload()
    page.until(lambda: held, "the first tap to be sent")
    other = page.context.new_page()
    other.goto(f"{page.origin}/routines")

    def waits():
        return other.evaluate("() => navigator.locks.query().then(({pending}) => pending.length)")

    page.until(lambda: len(held) > 1 or waits(), "the other tab to settle too")
    held[0].continue_()
    page.until(lambda: marked, "the second tap to be sent")
    for route in held[1:]:
        route.continue_()
    page.until(lambda: busy.get(f"/v1/schedules/day?date={today()}").body["isDone"], "both taps to be settled")
    assert len(held) == 1


# MARK: Notifications

# A press on a notification, which no program can make: gives the address that a new window would have.
PRESS = """({link, tag}) => new Promise((done) => {
  self.clients.openWindow = async (address) => done(address);
  dispatchEvent(Object.assign(new Event("notificationclick"), {
    notification: { data: { link }, tag, close() {} },
    // A window comes to the front for a person only.
    waitUntil: (shown) => shown.catch(() => {}).then(() => done(null)),
  }));
})"""

# A push service in the place of the browser's, which needs a network; a registration for each app.
PUSH_SERVICE = """(() => {
  const name = `tests.push.${location.pathname}`;
  const kept = () => localStorage.getItem(name) && {
    toJSON: () => ({ endpoint: localStorage.getItem(name), keys: { p256dh: "%s", auth: "%s" } }),
    unsubscribe: async () => localStorage.removeItem(name),
  };
  Object.defineProperty(Notification, "permission", { value: "granted" });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async () => {
    if (!kept()) localStorage.setItem(name, `https://push.example.com${location.pathname}/${Math.random()}`);
    return kept();
  };
})()"""


def worker(page, scope):
    """The service worker of an app, once it runs."""
    page.tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    return page.until(lambda: next((one for one in page.context.service_workers
                                    if one.evaluate("() => registration.scope") == page.origin + scope), None), scope)


def test_a_push_opens_the_app_that_has_its_view(visit, ada):
    """Charges, deals and orders have views in the wallet, reminders in the day; what is already there comes to the front."""
    page = visit().log_in(ada)
    own = worker(page, "/routines")
    assert own.evaluate(PRESS, {"link": "/charges/1", "tag": "2"}) == "/wallet#/charges/1"
    page.go("/profile").shows("Profile")
    assert own.evaluate(PRESS, {"tag": "2"}) is None
    page.shows("Today")
    page.tab.goto(f"{page.origin}/wallet")
    page.shows("Home")
    assert own.evaluate(PRESS, {"tag": "2"}) == "/routines#/"
    assert own.evaluate(PRESS, {"link": "/orders/1", "tag": "2"}) is None
    page.tab.wait_for_url("**/wallet#/orders/1")
    wallet = worker(page, "/wallet")
    assert wallet.evaluate(PRESS, {"link": "/activities", "tag": "2"}) is None
    page.shows("History")
    page.tab.goto(f"{page.origin}/routines")
    page.shows("Today")
    assert wallet.evaluate(PRESS, {"link": "/deals/1", "tag": "2"}) == "/wallet#/deals/1"
    assert wallet.evaluate(PRESS, {"tag": "2"}) == "/wallet#/inbox?open=2"


def test_a_reminder_in_the_wallet_leads_to_the_day(visit, ada):
    """From the inbox, and from a push to the wallet, which has its notice."""
    # Due at the next whole minute that is at least ten seconds away.
    due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=70)
    schedule(ada, [{"appointment": {"text": "Bus"}, "start": due.hour * 60 + due.minute}])
    page = visit().log_in(ada)
    [notice] = until(lambda: ada.get("/v1/notices").body["notices"], "the reminder", patience=90)
    assert notice["kind"] == "reminder" and "link" not in notice
    for path in ("/inbox", f"/inbox?open={notice['notice']}"):
        page.tab.goto(f"{page.origin}/wallet#{path}")
        if path == "/inbox":
            page.button(re.compile("Now: Bus")).click()
        page.tab.wait_for_url("**/routines")
        page.reads("#current", "Bus")
        assert "read" in ada.get(f"/v1/notices/{notice['notice']}").body


def test_notifications_of_two_apps_are_switched_apart(visit, ada):
    """Each app of a browser has its own registration; one whose subscription the browser has ended is made again."""
    page = visit().log_in(ada)
    page.context.add_init_script(PUSH_SERVICE % (
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8", "A" * 22))
    page.tab.reload()

    def registered(*apps):
        found = [one["address"].split("/")[3] for one in ada.get("/v1/endpoints").body["endpoints"]]
        return sorted(found) == sorted(apps)

    on, off = "Notifications come to this browser, also while the app is closed.", "Nothing is sent to this browser."
    page.go("/profile").shows("Profile").reads(".detail", off)
    page.press("Switch on").reads(".detail", on)
    page.tab.goto(f"{page.origin}/wallet#/settings/notices")
    page.shows("Notifications").reads(".detail", off)
    page.press("Switch on").reads(".detail", on)
    assert registered("routines", "wallet")
    page.press("Switch off").reads(".detail", off)
    assert registered("routines")
    page.tab.goto(f"{page.origin}/routines#/profile")
    page.shows("Profile").reads(".detail", on)

    # As it was kept before, with one key for all apps.
    page.tab.evaluate("""(account) => {
      const name = `billfold.push./routines.${account}`;
      localStorage.setItem(`billfold.push.${account}`, localStorage.getItem(name));
      localStorage.removeItem(name);
    }""", ada.account)
    page.tab.reload()
    page.shows("Profile").reads(".detail", on)
    page.until(lambda: page.tab.evaluate(
        "(account) => localStorage.getItem(`billfold.push./routines.${account}`)", ada.account), "a key of its own")
    assert registered("routines")

    page.tab.evaluate("() => localStorage.removeItem('tests.push./routines')")
    worker(page, "/routines").evaluate(
        "() => { dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { waitUntil() {} })); }")
    until(lambda: registered("routines", "routines"), "the new subscription to be registered")


def test_a_log_out_ends_the_notifications_until_the_next_log_in(visit, ada):
    """Whoever uses the browser next sees nothing that is sent to the account."""
    page = visit().log_in(ada)
    page.context.add_init_script(PUSH_SERVICE % (
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8", "A" * 22))
    page.tab.reload()
    page.go("/profile").shows("Profile")
    page.press("Switch on").reads(".detail", re.compile("^Notifications come to this browser"))
    assert len(ada.get("/v1/endpoints").body["endpoints"]) == 1
    page.press("Log out")
    page.tab.get_by_label("Username").wait_for()
    assert ada.get("/v1/endpoints").body["endpoints"] == []
    page.log_in(ada)
    until(lambda: len(ada.get("/v1/endpoints").body["endpoints"]) == 1, "the browser to be registered again")


def test_a_log_out_of_any_app_forgets_the_day(visit, busy):
    """The next one who opens the browser without a network reads nobody's day."""
    kept = """() => Object.keys(localStorage).filter((name) => name.startsWith("billfold.routines."))"""
    page = visit(service_workers="block").log_in(busy)
    page.reads("#current", "Brush teeth")
    assert len(page.tab.evaluate(kept)) > 1
    page.tab.goto(f"{page.origin}/wallet")
    page.shows("Home").tab.locator("#log-out").click()
    page.shows("Log in")
    assert page.tab.evaluate(kept) == ["billfold.routines.colour"]


# MARK: The tab bar, colours, languages


def test_tabs_have_a_sign_and_a_word_and_lead_home(visit, busy):
    """004-39, 004-45: every page shows its title, the tab bar its sign; a tab leads to its view's default."""
    page = visit().log_in(busy)
    for words, path in (("Today", "/"), ("Routines", "/routines"), ("Schedule", "/schedule"), ("Profile", "/profile")):
        tab = page.tab.locator("#ways a", has_text=words)
        assert tab.locator("svg.icon").count() == 1
        tab.click()
        page.shows(words)
        assert page.tab.title() == f"{words} · Billfold" and page.tab.evaluate("() => location.hash") == f"#{path}"
    page.go("/routines/new").shows("new routine")
    page.tab.locator("#ways a", has_text="Routines").click()
    page.shows("Routines")
    page.go(f"/schedule/{today()}").shows("Today")
    page.tab.locator("#ways a", has_text="Schedule").click()
    page.shows("Schedule")


def test_colours_and_german(visit, busy):
    """004-47: the colour of the profile is on every page, and comes with the account; A84: German."""
    page = visit().log_in(busy)
    page.go("/profile").shows("Profile")
    page.tile("Purple").click()
    until(lambda: busy.get("/v1/settings/routines").body == {"colour": "purple"}, "the colour to be kept")
    page.tab.wait_for_function("() => document.documentElement.dataset.colour === 'purple'")
    page.tab.get_by_label("Language").select_option("de")
    page.tab.locator("h1", has_text="Profil").wait_for()
    page.go("/routines").tab.locator("h1", has_text="Routinen").wait_for()
    page.link("Get ready ändern").wait_for()
    # A day is confirmed in the language of its page: its reminders are in that language.
    page.go(f"/schedule/{today()}")
    page.press("Noch einmal verwenden")
    with page.tab.expect_request("**/v1/schedules/copies") as asked:
        page.tab.locator("#date").fill(today(2))
        page.tab.locator("dialog").get_by_role("button", name="Übernehmen").click()
    assert asked.value.post_data_json["language"] == "de"
    page.reads("#alerts p span", "Tagesplan angelegt")
    page.go("/")
    page.reads("#current", "Zähne putzen")
    page.tab.wait_for_function("() => document.documentElement.dataset.colour === 'purple'")


def test_by_keyboard_alone(visit, busy):
    """The way through the day without a pointer; what has the focus is seen."""
    page = visit()
    page.button("LOG IN").wait_for()
    page.tab.get_by_label("Username").focus()
    page.tab.keyboard.type(busy.username)
    page.tab.keyboard.press("Tab")
    page.tab.keyboard.type(busy.PASSWORD)
    page.tab.keyboard.press("Enter")
    page.reads("#current", "Brush teeth")
    page.tab_to("Done")
    page.tab.keyboard.press("Enter")
    page.reads("#current", "Clothes")
    page.tab_to("Routines")
    page.tab.keyboard.press("Enter")
    page.shows("Routines")
    page.tab_to("new routine")
    page.tab.keyboard.press("Enter")
    page.shows("new routine")
    page.tab_to("Dog")
    page.tab.keyboard.press("Space")
    page.tab_to("Next")
    page.tab.keyboard.press("Enter")
    page.reads("h2", "What is done, one after the other?")


@pytest.mark.parametrize("look", LOOKS)
def test_every_screen(visit, busy, request, look):
    """004-38, 004-48, 320 px, 200 %, light and dark: nothing sticks out, is too small to touch, or wrong by axe."""
    pictures = directory_of_pictures(request)
    size, options = LOOKS[look]
    page = visit(size, **options)
    page.button("LOG IN").wait_for()
    page.looks_right("login", pictures, look)
    page.go("/register")
    page.button("SIGN UP").wait_for()
    page.looks_right("register", pictures, look)
    page.go("/login")
    page.log_in(busy)
    for path, title, name in (
            ("/", "Today", "today"), ("/routines", "Routines", "routines"), ("/routines/new", "new routine", "new-routine"),
            ("/schedule", "Schedule", "schedules"), (f"/schedule/{today()}", "Today", "schedule"),
            ("/schedule/new", "Create daily schedule", "new-schedule"), ("/profile", "Profile", "profile")):
        page.go(path).shows(title).is_drawn()
        # Every sign stands in or beside words.
        assert page.tab.evaluate(
            "() => [...document.querySelectorAll('main button, main a')].filter((one) => one.getClientRects().length && !one.textContent.trim()).length") == 0
        page.looks_right(name, pictures, look)
