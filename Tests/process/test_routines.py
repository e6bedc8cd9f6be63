"""The service routines: document 004 over HTTP, and reminders when they are due."""

import datetime
import pathlib
import zoneinfo

import pytest

import scripts
from billfold import Client, Set, new_key, until
from copies import restored
from images import PIXEL, WRONG_IMAGES
from test_clock import SetWithClock

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").joinpath("routines").glob("*.txt"))
STEP = [{"name": {"text": "Walk the dog", "images": ["dog"]}, "minutes": 30, "priority": "normal"}]


def created(person, name="Walk", **more):
    answer = person.insist(
        "POST", "/v1/routines", {"name": {"text": name}, "tag": "pet", "actions": STEP, **more}, key=new_key())
    assert answer.status == 201, answer
    return answer.body


def confirmed(person, date, entries, **more):
    answer = person.insist("POST", "/v1/schedules", {"date": date, "entries": entries, **more}, key=new_key())
    assert answer.status == 201, answer
    return answer.body


# MARK: Flows as text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_the_named_cases(billset, script):
    """004-50 to 004-54: what document 004 tests, as text."""
    scripts.check(script, Client(billset), lambda: billset.customer(card=False, pin=None))


# MARK: Over HTTP


def test_only_who_is_logged_in_has_routines(billset, merchant):
    """004-7: only a validated user can create routines; a merchant has none."""
    assert Client(billset).post("/v1/routines", {}, key=new_key()).code == "gateway.token_missing"
    assert merchant.get("/v1/routines").code == "bus.forbidden"


def test_a_request_that_is_sent_again_makes_no_second_routine_and_no_second_day(billset):
    """004-13, 004-23: the same key is the same routine, and the same day."""
    ada, key = billset.customer(card=False, pin=None), new_key()
    body = {"name": {"emoji": "🐶"}, "tag": "pet", "actions": STEP}
    first, second = ada.post("/v1/routines", body, key=key), ada.post("/v1/routines", body, key=key)
    assert (first.status, second.status, second.replayed) == (201, 201, True) and first.body == second.body
    day = {"date": "2099-01-02", "entries": [{"routine": first.body["routine"], "start": 480}]}
    first, second = ada.post("/v1/schedules", day, key=key), ada.post("/v1/schedules", day, key=key)
    assert (first.status, second.status, second.replayed) == (201, 201, True) and first.body == second.body
    assert len(ada.get("/v1/routines").body["routines"]) == len(ada.get("/v1/schedules").body["days"]) == 1


def test_what_one_has_is_hidden_from_others(billset):
    ada, bob = billset.customer(card=False, pin=None), billset.customer(card=False, pin=None)
    routine = created(ada)
    day = confirmed(ada, "2099-01-02", [{"routine": routine["routine"], "start": 480}])
    assert bob.get("/v1/routines").body == {"routines": []}
    assert bob.get("/v1/schedules/day?date=2099-01-02").code == "routines.day_not_found"
    mark = {"entry": 1, "action": 1, "done": True}
    assert bob.post(f"/v1/schedules/{day['day']}/marks", mark).code == "routines.day_not_found"
    assert bob.delete(f"/v1/schedules/{day['day']}").status == 204
    assert bob.post("/v1/schedules", {"date": "2099-01-02", "entries": [{"routine": routine["routine"], "start": 1}]},
                    key=new_key()).code == "routines.routine_not_found"
    assert ada.get("/v1/schedules/day?date=2099-01-02").body == day


def test_own_images_are_limited_in_kind_and_size(billset):
    """004-46: own images are uploaded, a PNG or a JPEG of 9,000 bytes at most; offered ones are there without."""
    ada = billset.customer(card=False, pin=None)
    image = ada.post("/v1/routines/images", {"data": PIXEL}, key=new_key())
    assert image.status == 201 and image.body["kind"] == "png", image
    path = f"/v1/routines/images/{image.body['image']}"
    assert ada.get(path).body["data"] == PIXEL
    assert billset.customer(card=False, pin=None).get(path).code == "routines.image_not_found"
    for wrong in WRONG_IMAGES:
        assert ada.post("/v1/routines/images", {"data": wrong}, key=new_key()).code == "routines.image_invalid", wrong
    created(ada, name="Mine", actions=[{**STEP[0], "name": {"images": [image.body["image"]]}}])
    offered = ada.get("/v1/routines/offered", token=None).body
    assert {"toothbrush", "dog"} < set(offered["pictures"]) and len(offered["actions"]) > 10
    assert ada.delete(path).status == 204 and ada.get(path).code == "routines.image_not_found"


def test_a_routine_is_changed_and_a_day_keeps_what_it_had(billset):
    """004-8 to 004-12, 004-15: name, tag, actions with their times, priorities and order."""
    ada = billset.customer(card=False, pin=None)
    first, other = created(ada, "Walk"), created(ada, "Sleep")
    path = f"/v1/routines/{first['routine']}"
    day = confirmed(ada, "2099-01-02", [{"routine": first["routine"], "start": 480}])
    actions = [{"name": {"text": "Find the leash"}, "minutes": 2, "priority": "high"}, {**STEP[0], "minutes": 45}]
    change = {"name": {"text": "Long walk"}, "tag": "morning", "quiet": True, "actions": actions}
    changed = ada.put(path, change)
    assert changed.status == 200 and {**changed.body, **change} == changed.body, changed
    assert (changed.body["minutes"], changed.body["priority"], changed.body["number"]) == (47, "high", first["number"])
    assert ada.put(path, change).body == changed.body
    assert [one["routine"] for one in ada.get("/v1/routines").body["routines"]] == [other["routine"], first["routine"]]
    assert ada.get("/v1/schedules/day?date=2099-01-02").body == day
    wish = ada.post("/v1/schedules/proposals", {"tags": ["morning"]}).body["entries"]
    assert [(one["name"], one["minutes"]) for one in wish] == [({"text": "Long walk"}, 47)]
    assert ada.put(path, {**change, "name": {"text": " sleep"}}).code == "routines.name_taken"
    assert ada.put(path, {**change, "actions": []}).code == "routines.actions_invalid"
    assert ada.put(path, {**change, "name": {}}).code == "routines.name_missing"
    stranger = billset.customer(card=False, pin=None)
    assert stranger.put(path, change).code == "routines.routine_not_found"
    assert ada.delete(path).status == 204 and ada.put(path, change).code == "routines.routine_not_found"
    assert ada.get("/v1/schedules/day?date=2099-01-02").body == day


def test_the_colour_is_kept(billset):
    """004-47: colours are chosen in the profile."""
    ada = billset.customer(card=False, pin=None)
    assert ada.get("/v1/settings/routines").body == {"colour": "green"}
    assert ada.put("/v1/settings/routines", {"colour": "purple"}).body == {"colour": "purple"}
    assert ada.get("/v1/settings/routines").body == {"colour": "purple"}
    assert ada.put("/v1/settings/routines", {"colour": "octarine"}).code == "bus.malformed"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Phoenix", "Asia/Kathmandu", "Pacific/Auckland"])
def test_times_are_those_of_the_customers_zone(billset, zone):
    """A83, A99: minutes of the day become moments in the zone of that name, in summer and in winter."""
    ada = billset.customer(card=False, pin=None)
    for date in ("2099-01-15", "2099-07-15"):
        day = confirmed(ada, date, [{"appointment": {"text": "Tea"}, "start": 605, "minutes": 30}], zone=zone)
        local = datetime.datetime.fromisoformat(f"{date}T10:05").replace(tzinfo=zoneinfo.ZoneInfo(zone))
        expected = local.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        assert day["entries"][0]["begins"] == expected, (zone, date)


# MARK: Reminders


@pytest.fixture(scope="module")
def timed():
    """A set whose clock a test sets."""
    made = SetWithClock().start()
    try:
        made.await_health()
        yield made
        made.all_run()
    finally:
        made.close()


def now(timed):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=timed.ahead)


def set_clock(timed, moment):
    timed.set_clock(timed.ahead + round((moment - now(timed)).total_seconds()))


def midnight(timed):
    """The next one: a day that has not begun."""
    return (now(timed) + datetime.timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)


def reminders(person):
    return [one for one in person.get("/v1/notices?limit=100").body["notices"] if one["kind"] == "reminder"]


def fresh(timed, *people):
    """Sessions end when a clock goes on by hours."""
    for person in people:
        person.close()
        timed.log_in(person)


def test_a_reminder_comes_when_it_is_due_and_after_a_restart_once_and_late(timed):
    """Reminders go through notifications: at the moment, after a restart too, none twice, none lost, late ones said to be."""
    ada = timed.customer(card=False, pin=None)
    day = midnight(timed)
    date = day.strftime("%Y-%m-%d")
    hours = [("First", 8), ("Second", 9), ("Third", 10)]
    confirmed(ada, date, [{"appointment": {"text": name}, "start": hour * 60, "minutes": 30} for name, hour in hours])
    assert reminders(ada) == []
    set_clock(timed, day + datetime.timedelta(hours=8, seconds=1))
    fresh(timed, ada)
    until(lambda: reminders(ada), "the first reminder")
    assert [(one["title"], one["text"]) for one in reminders(ada)] == [("Now: First", "It begins at 08:00.")]

    timed.kill("routines")
    set_clock(timed, day + datetime.timedelta(hours=10, minutes=12, seconds=1))
    fresh(timed, ada)
    assert len(reminders(ada)) == 1
    timed.start("routines")
    until(lambda: len(reminders(ada)) == 3, "the reminders that were missed")
    assert [(one["title"], one["text"]) for one in reminders(ada)[:2]] == [
        ("Late: Third", "It was due at 10:00. This reminder comes 12 minutes late."),
        ("Late: Second", "It was due at 09:00. This reminder comes 72 minutes late.")]

    # Neither the service nor the one that tells of it repeats them.
    timed.kill("routines", "notifications")
    timed.start("routines", "notifications")
    until(lambda: all(timed.health()[1][name] for name in ("routines", "notifications")), "both to be back")
    other = timed.customer(card=False, pin=None)
    later = day + datetime.timedelta(hours=11)
    confirmed(other, date, [{"appointment": {"text": "Proof"}, "start": 660}])
    set_clock(timed, later + datetime.timedelta(seconds=1))
    fresh(timed, ada, other)
    until(lambda: reminders(other), "a reminder behind all others")
    assert len(reminders(ada)) == 3


def test_reminders_speak_the_language_in_which_the_day_was_confirmed(timed):
    """A84: a copied day goes on in the language of the first one, unless another is said."""
    bert, carla = timed.customer(card=False, pin=None), timed.customer(card=False, pin=None)
    day = midnight(timed)
    first, second = (f"{day + datetime.timedelta(days=days):%Y-%m-%d}" for days in (0, 1))
    entries = [{"appointment": {"text": "Zahnarzt"}, "start": 480}, {"appointment": {"images": ["bus"]}, "start": 540}]
    for person in (bert, carla):
        confirmed(person, first, entries, language="de")
    for person, language in ((bert, {}), (carla, {"language": "en"})):
        copy = person.post("/v1/schedules/copies", {"from": first, "date": second, **language}, key=new_key())
        assert copy.status == 201, copy
    refused = bert.post("/v1/schedules", {"date": second, "entries": entries, "language": "fr"}, key=new_key())
    assert refused.code == "bus.malformed", refused
    set_clock(timed, day + datetime.timedelta(hours=8, seconds=1))
    fresh(timed, bert, carla)
    until(lambda: reminders(bert), "the first reminder")
    assert [(one["title"], one["text"]) for one in reminders(bert)] == [("Jetzt: Zahnarzt", "Beginn: 08:00 Uhr.")]
    timed.kill("routines")
    set_clock(timed, day + datetime.timedelta(hours=9, minutes=1, seconds=1))
    fresh(timed, bert, carla)
    timed.start("routines")
    until(lambda: len(reminders(bert)) == 2, "the late reminder")
    assert [(one["title"], one["text"]) for one in reminders(bert)[:1]] == [
        ("Verspätet: Bus", "Fällig war es um 09:00 Uhr. Diese Erinnerung kommt 1 Minute zu spät.")]
    set_clock(timed, day + datetime.timedelta(days=1, hours=8, seconds=1))
    fresh(timed, bert, carla)
    until(lambda: len(reminders(bert)) == len(reminders(carla)) == 3, "the reminders of the copies")
    assert [reminders(one)[0]["title"] for one in (bert, carla)] == ["Jetzt: Zahnarzt", "Now: Zahnarzt"]


# MARK: As one of the set


def test_what_is_named_is_in_no_log(billset):
    ada = billset.customer(card=False, pin=None)
    confirmed(ada, "2099-01-02", [{"routine": created(ada, name="Something private")["routine"], "start": 480}])
    assert "Something private" not in billset.log_text()


def test_verify_backup_and_restore_take_it_along(tmp_path):
    made = Set().start()
    try:
        made.await_health()
        ada = made.customer(card=False, pin=None)
        day = confirmed(ada, "2099-01-02", [{"routine": created(ada)["routine"], "start": 480}])
        verified = made.command("verify", "--json")
        assert verified.returncode == 0, verified
        assert restored(made, tmp_path)["routines"]["head"] == 2
        assert ada.get("/v1/schedules/day?date=2099-01-02").body == day
        made.all_run()
    finally:
        made.close()
