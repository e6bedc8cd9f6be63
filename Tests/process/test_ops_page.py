"""The operator's page at /ops: a real browser, the real set, and what an administrator sees of it.

Screenshots, light and dark, on a phone and a desktop, go to the directory BILLFOLD_SCREENSHOTS, or to pytest's own.
"""

import os
import pathlib
import re

import pytest

from billfold import NAMES, SERVICES, new_id, new_key, until, usd
from touchpage import DESKTOP, NARROW, PHONE, chromium, expect, visit  # noqa: F401: chromium and visit are fixtures


@pytest.fixture(scope="module")
def administrator(billset):
    return billset.administrator("ops")


@pytest.fixture
def pictures(request):
    """Where screenshots go."""
    made = os.environ.get("BILLFOLD_SCREENSHOTS")
    directory = pathlib.Path(made) if made else request.getfixturevalue("tmp_path")
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def ops(visit, size=DESKTOP, theme="light", **options):
    page = visit(size, theme, **options)
    page.tab.goto(page.origin + "/ops")
    return page


def logged_in(visit, administrator, *arguments, **options):
    page = ops(visit, *arguments, **options)
    page.tab.get_by_label("Username").fill(administrator.username)
    page.tab.get_by_label("Password").fill(administrator.PASSWORD)
    page.button("Log in").click()
    expect(page.tab.locator("#verdict")).to_have_text(f"All {len(NAMES)} answer.")
    return page


def box(page, service):
    return page.tab.locator(f'[data-service="{service}"]')


def cells(page, service):
    row = page.tab.locator("#figures tr", has=page.tab.get_by_role("rowheader", name=service, exact=True))
    return row.locator("td").all_inner_texts()


def test_the_live_set(visit, administrator, customer, merchant):
    page = logged_in(visit, administrator)
    assert page.tab.locator("#map .box h2").all_inner_texts() == ["gateway", *SERVICES]

    def moved():
        assert customer.get("/v1/cards").status == 200
        shown = cells(page, "wallet")
        return shown and shown[7] not in ("–", "0/s") and shown[8] != "–" and shown

    until(moved, "the wallet's rate and latency to be shown")
    expect(box(page, "wallet").get_by_role("img", name=re.compile("Asks a second: .* now, at most"))).to_be_visible()
    assert customer.pay(merchant, 5_000).code == "wallet.insufficient_funds"
    refusals = page.tab.locator("#faults tr")
    expect(refusals.filter(has_text="wallet.payment.post.v1").first).to_contain_text("wallet.insufficient_funds")
    expect(refusals.filter(has_text="POST /v1/payments").first).to_contain_text("wallet.insufficient_funds")
    expect(page.tab.locator("#money")).to_contain_text("The ledger's sum is zero, over")
    assert customer.pay(merchant, 1).status == 201
    expect(page.tab.locator("#money")).to_contain_text(re.compile(r"[1-9][0-9,]* payments? a minute\.$"))
    page.tab.reload()
    expect(page.tab.locator("#verdict")).to_have_text(f"All {len(NAMES)} answer.")
    page.button("Log out").click()
    expect(page.tab.locator("#start-remark")).to_have_text("You have logged out.")
    page.tab.reload()
    expect(page.tab.get_by_label("Username")).to_be_visible()
    assert page.tab.evaluate("() => sessionStorage.length + localStorage.length") == 0


def test_what_is_wrong_is_told(visit, administrator, billset, bus):
    page = logged_in(visit, administrator)
    bus.ask("broker.service.pause.v1", {"service": "offers"})
    try:
        expect(page.tab.locator("#verdict")).to_have_text("Paused: offers.")
        expect(box(page, "offers").locator(".state")).to_have_text("paused")
    finally:
        bus.ask("broker.service.resume.v1", {"service": "offers"})
    billset.stop("location")
    try:
        expect(page.tab.locator("#verdict")).to_have_text("Missing: location.")
        billset.stop("gateway")
        expect(page.tab.locator("#connection-words")).to_have_text("Offline")
    finally:
        billset.start("location", "gateway")
        billset.await_health()
    expect(page.tab.locator("#verdict")).to_have_text(f"All {len(NAMES)} answer.")


def test_a_service_that_hangs_is_told(visit, administrator, billset):
    """Its process is there, and the broker waits for it still: what counts is whether it answers."""
    page = logged_in(visit, administrator)
    with billset.frozen("wallet"):
        expect(page.tab.locator("#verdict")).to_have_text("No answer from: wallet.")
        expect(box(page, "wallet").locator(".state")).to_have_text("does not answer")
        expect(box(page, "wallet").locator(".rate")).to_have_text("–")
    expect(page.tab.locator("#verdict")).to_have_text(f"All {len(NAMES)} answer.")


def test_refusals_are_in_groups_with_their_traces(visit, administrator, customer, merchant):
    """What is refused again is counted, and its newest trace opens below it."""
    page = logged_in(visit, administrator)
    group = page.tab.locator("#faults > tr", has_text="payments.payment.create.v1").filter(has_text="payments.merchant_not_found")

    def refuse():
        assert customer.post("/v1/payments", {"merchant": new_id(), "amount": usd(1)}, key=new_key()).code == "payments.merchant_not_found"

    refuse()
    expect(group.locator("td.number")).to_have_text("1")
    refuse()
    expect(group.locator("td.number")).to_have_text("2")
    opener = group.get_by_role("button", name=re.compile("^Trace of payments.payment.create.v1"))
    opener.click()
    opened = page.tab.locator("#faults .opened")
    expect(opened.locator("code")).to_have_text(re.compile("^[0-9a-f]{32}$"))
    for step in ("POST /v1/payments", "payments.payment.create.v1"):
        expect(opened.locator("tbody tr", has_text=step)).to_contain_text("payments.merchant_not_found")
    assert page.faults() == []
    opener.click()
    expect(opened).to_have_count(0)


def test_what_is_wrong_with_the_money_is_told(visit, administrator):
    """As the wallet would tell it: a sum that is not zero, a check that found something, a service that refuses to write."""
    page = logged_in(visit, administrator)
    sound = {"totals": {"USD": 0}, "entries": 9}

    def told(change):
        def answer(route):
            body = route.fetch().json()
            change(body)
            route.fulfill(json=body)
        page.tab.unroute("**/v1/ops")
        page.tab.route("**/v1/ops", answer)

    told(lambda body: body.update(ledger={**sound, "totals": {"USD": -5}}))
    expect(page.tab.locator("#verdict")).to_have_text("The ledger's sum is −$0.05 and has to be zero: stop payments.")
    told(lambda body: body.update(ledger={**sound, "verified": {"time": body["time"], "checked": 9, "problems": 2}}))
    expect(page.tab.locator("#verdict")).to_have_text("The last check of the ledger found 2 things wrong: stop payments.")
    told(lambda body: [one["process"].update(troubles=["its store refuses to write"])
                       for one in body["services"] if one["service"] == "wallet" and one.get("process")])
    expect(page.tab.locator("#verdict")).to_have_text("wallet: its store refuses to write.")
    expect(box(page, "wallet").locator(".state")).to_have_text("has a problem")
    told(lambda body: body.pop("ledger", None))
    expect(page.tab.locator("#verdict")).to_have_text("The wallet tells nothing of the ledger.")
    page.tab.unroute_all(behavior="ignoreErrors")


def test_lines_are_as_long_as_they_are_asked_to_be(visit):
    """Points are means of their part of the line; what is older than the line is gone."""
    page = ops(visit)
    points = page.tab.evaluate("""async () => {
      const { Line, Minute } = await import("/pages/ops/figures.js");
      const line = new Line(450 * 2000);
      line.add(0, { rate: 10, p99: 5 });
      line.add(1000, { rate: 20, p99: 9 });
      line.add(2000, { rate: null, p99: null });
      const first = line.drawn(2000);
      line.add(450 * 2000, { rate: 1, p99: null });
      const minute = new Minute();
      const look = (now, captured, counter = "a") => minute.add(now, { captured, counter });
      const later = line.drawn(450 * 2000);
      return [first, [later.milliseconds, ...later.points.map(({ rate }) => rate)],
        [look(0, 5), look(4000, 6), look(5000, 10), look(61_000, 66), look(62_000, 3, "b"), minute.add(63_000, undefined)]];
    }""")
    first, later, minute = points
    assert first == {"milliseconds": 120_000, "points": [{"x": 1 - 1 / 60, "rate": 15, "p99": 9}, {"x": 1, "rate": None, "p99": None}]}
    # The line is broken where nobody looked.
    assert later == [449 * 2000, None, None, 1]
    assert minute == [None, None, 60, (66 - 6) * 60 / 57, None, None]


def test_refusals_are_counted_once(visit):
    """However long a rare one is told beside many others; a group goes when it was refused longest ago of all."""
    page = ops(visit)
    rare, busy, first, last = page.tab.evaluate("""async () => {
      const { Refusals } = await import("/pages/ops/figures.js");
      const refusals = new Refusals();
      const one = (name, number) => ({ time: `t${number}`, service: "wallet", name, code: "a.b", correlation: `${name}${number}` });
      const rare = one("rare", 0);
      let groups = [];
      for (let look = 1; look <= 400; look += 1) {
        groups = refusals.add([...Array.from({ length: 10 }, (_, at) => one("busy", look * 10 + 9 - at)), rare]);
      }
      const of = (name) => groups.find((group) => group.name === name)?.count;
      const counts = [of("rare"), of("busy"), groups[0].name];
      for (let number = 0; number < 100; number += 1) groups = refusals.add([one(`other${number}`, 0), one("busy", 9000 + number)]);
      return [...counts, groups.map(({ name }) => name).join().includes("rare")];
    }""")
    assert (rare, busy, first, last) == (1, 4000, "busy", False)


def test_a_log_out_that_was_not_heard_is_done_at_the_next_start(visit, administrator):
    """Only the server's answer takes the cookie away: until then nothing is shown."""
    page = logged_in(visit, administrator)
    page.tab.route("**/v1/sessions/current", lambda route: route.abort())
    page.button("Log out").click()
    page.reads("#start-remark", re.compile("could not be told"))
    page.tab.reload()
    page.reads("#start-remark", re.compile("could not be told"))
    expect(page.tab.locator("#set")).to_be_hidden()
    page.tab.unroute_all()
    page.tab.reload()
    page.tab.locator("#start").wait_for()
    expect(page.tab.locator("#start-remark")).to_be_empty()
    assert page.context.cookies() == []


def test_a_line_tells_the_figure_where_the_pointer_is(visit):
    """A line that was zero or unknown all the time is grey."""
    page = ops(visit)
    # Whether somebody is logged in is known, so the page draws no more.
    page.tab.locator("#start").wait_for()
    page.tab.evaluate("""async () => {
      const { plot } = await import("/pages/ops/lines.js");
      const { rate } = await import("/pages/ops/figures.js");
      const [busy, idle] = [plot("Asks a second"), plot("Idle")];
      busy.draw([{ x: 0, value: 3.25 }, { x: 0.5, value: 41 }, { x: 1, value: null }], rate, "2 min ago");
      idle.draw([{ x: 0, value: 0 }, { x: 1, value: null }], rate, "2 min ago");
      document.querySelector("main").replaceChildren(busy.figure, idle.figure);
    }""")
    captions = page.tab.locator("figcaption")
    expect(captions).to_have_text(["Asks a second, 0 to 50/s", "Idle: nothing yet"])
    busy, idle = page.tab.locator("figure svg").all()
    edges = busy.bounding_box()
    for part, figure in ((0.02, "3.3/s"), (0.45, "41/s"), (0.98, "–")):
        busy.hover(position={"x": edges["width"] * part, "y": 5})
        expect(captions.first).to_have_text(f"Asks a second: {figure}")
    idle.hover()
    expect(captions).to_have_text(["Asks a second, 0 to 50/s", "Idle: nothing yet"])
    grey = page.tab.evaluate("""() => {
      const probe = document.querySelector("main").appendChild(document.createElement("p"));
      probe.style.color = "var(--edge)";
      return [...document.querySelectorAll(".line")].map((line) => getComputedStyle(line).stroke === getComputedStyle(probe).color);
    }""")
    assert grey == [False, True]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_good_verdict_and_every_service_have_a_colour(visit, administrator, theme):
    """Lines stand out from their box, by 3 at least."""
    page = logged_in(visit, administrator, theme=theme)
    found = page.tab.evaluate("""async () => {
      const context = document.createElement("canvas").getContext("2d");
      const light = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", "line");
      const lines = [...document.querySelectorAll(".box")].map((box) => {
        const [below, above] = [getComputedStyle(box).backgroundColor, getComputedStyle(box.appendChild(line)).stroke];
        return [above, Math.max(light(above), light(below)) / Math.min(light(above), light(below))];
      });
      line.remove();
      const probe = document.querySelector("main").appendChild(document.createElement("p"));
      probe.style.color = "var(--accent)";
      return { lines, verdict: getComputedStyle(document.querySelector("#verdict")).color, accent: getComputedStyle(probe).color };
    }""")
    assert found["verdict"] == found["accent"]
    assert len({colour for colour, _ in found["lines"]}) == len(NAMES)
    assert min(contrast for _, contrast in found["lines"]) >= 3, found["lines"]


def test_a_counter_that_begins_again_makes_no_peak(visit):
    """Neither the broker's count beside the process's own nor a process that was started again is a rate."""
    page = ops(visit)
    rates = page.tab.evaluate("""async () => {
      const { History } = await import("/pages/ops/figures.js");
      const history = new History();
      const look = (second, counter, asks, more = {}) => history.add({
        time: new Date((1_000_000 + second) * 1000).toISOString(),
        services: [{ service: "wallet", workers: 1, counter, asks, silent: false, process: null, ...more }],
      })[0].rate;
      return [
        look(0, "a", 1000), look(1, "a", 1010), look(2, "broker", 351000, { silent: true }),
        look(3, "broker", 351400, { silent: true }), look(4, "b", 5), look(5, "b", 25), look(6, "b", 3), look(8, "b", 7),
      ];
    }""")
    assert rates == [None, 10, None, None, None, 20, None, 2]


def test_it_is_for_administrators(visit, customer, billset):
    assert customer.get("/v1/ops").status == 403
    assert customer.get("/v1/ops", token=None).status == 401
    page = ops(visit)
    page.button("Log in").click()
    page.reads(".problem", "Enter your username and your password.")
    page.tab.get_by_label("Username").fill(customer.username)
    page.tab.get_by_label("Password").fill(customer.PASSWORD)
    page.button("Log in").click()
    page.reads(".problem", "This page is for administrators.")
    page.tab.reload()
    expect(page.tab.get_by_label("Username")).to_be_visible()
    assert page.tab.evaluate("() => sessionStorage.length + localStorage.length") == 0


@pytest.mark.parametrize(
    ("size", "theme"), [(PHONE, "dark"), (DESKTOP, "light"), (NARROW, "light"), (DESKTOP, "dark")])
def test_how_it_looks(visit, administrator, customer, pictures, size, theme):
    page = logged_in(visit, administrator, size, theme, reduced_motion="reduce")
    looks = page.tab.locator('[data-service="wallet"] .line').first

    def drawn():
        assert customer.get("/v1/cards").status == 200
        return (looks.get_attribute("d") or "").count("L") >= 3

    until(drawn, "a line to be drawn")
    name = {PHONE: "phone", DESKTOP: "desktop", NARROW: "narrow"}[size]
    page.tab.screenshot(path=pictures / f"ops-{name}-{theme}.png", full_page=True)
    assert page.wide()[0] <= 0
    assert page.faults() == []
    assert page.small_targets() == []
