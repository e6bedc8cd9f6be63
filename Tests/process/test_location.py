"""Where customers are and who is near: over HTTP, over the bus, through restarts, and without telling more than it may."""

import datetime
import json
import random
import re

import pytest

from billfold import SEED, Refused, new_id, new_key, until
from device import Device
from events import EventStream

# 001-86's example, and how many millionths of a degree are a metre there.
LATITUDE, LONGITUDE = 35_198_284, -111_651_302
NORTH, EAST = 8.9932, 11.0052

ENVIRONMENT = {"BILLFOLD_LOG": "trace"}


def at(north=0.0, east=0.0, time=None):
    body = {"latitude": LATITUDE + round(north * NORTH), "longitude": LONGITUDE + round(east * EAST)}
    return {**body, "time": time} if time else body


def now(seconds=0.0):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def walker(billset, sharing=True):
    person = billset.customer(card=False)
    if sharing:
        answer = person.put("/v1/settings/location", {"sharing": True})
        assert (answer.status, answer.body) == (200, {"sharing": True})
    return person


def move(person, *where, **more):
    answer = person.put("/v1/location", at(*where, **more))
    assert answer.status == 200, answer
    return answer.body["outcome"]


def shop(billset, *places, name=None):
    """A merchant with places that are so far north and east of the square."""
    merchant = billset.merchant().without_places()
    merchant.places = []
    for number, place in enumerate(places):
        body = {"name": name or f"Place {number}", **at(*place)}
        answer = merchant.post("/v1/places", body, key=new_key())
        assert answer.status == 201, answer
        merchant.places.append(answer.body["place"])
    return merchant


def near(merchant, query=""):
    answer = merchant.get("/v1/customers/nearby" + query)
    assert answer.status == 200, answer
    return {one["customer"]: one for one in answer.body["customers"]}


def merchants(person, query=""):
    answer = person.get("/v1/merchants/nearby" + query)
    assert answer.status == 200, answer
    return answer.body["merchants"]


def fences(bus, customer):
    """What was told of a customer's visits."""
    told = [json.loads(fact) for fact in bus.facts("location")]
    assert [int(fact["sequence"]) for fact in told] == list(range(1, len(told) + 1))
    return [(fact["type"].split(".")[2], fact["data"]) for fact in told if fact["data"]["customer"] == customer.account]


def words(bus, customer):
    return [word + (" " + data["reason"] if word == "exited" else "") for word, data in fences(bus, customer)]


def test_a_customer_comes_and_goes(billset, bus):
    """001-79 ... 001-90: opt in, be seen, see, opt out, be gone."""
    east = 10_000  # a street of this test's own
    merchant = shop(billset, (0, east), (0, east + 5000), name="Blue Bottle")
    person = walker(billset, sharing=False)
    assert person.get("/v1/settings/location").body == {"sharing": False}
    assert person.put("/v1/location", at(0, east)).code == "location.sharing_off"
    assert person.get("/v1/merchants/nearby").code == "location.position_unknown"
    assert person.put("/v1/settings/location", {"sharing": True}).status == 200

    assert move(person, 99, east) == "stored"
    # Auth may be too late to give the name.
    seen = until(lambda: (lambda one: "username" in one and one)(near(merchant)[person.account]), "the name")
    assert seen == {"customer": person.account, "username": person.username, "place": merchant.places[0],
                    "distanceMetres": 100, "time": seen["time"]}
    assert person.account in near(merchant, f"?place={merchant.places[0]}")
    assert person.account not in near(merchant, f"?place={merchant.places[1]}")
    until(lambda: [(m["place"], m["name"], m.get("username"), m["distanceMetres"]) for m in merchants(person)] == [
        (merchant.places[0], "Blue Bottle", merchant.username, 99)], lambda: f"the shop: {merchants(person)}")
    own = person.get("/v1/location").body
    assert (own["latitude"], own["longitude"]) == tuple(at(99, east).values())

    move(person, 101, east)
    assert person.account not in near(merchant)
    move(person, 199, east)
    assert len(merchants(person)) == 1
    move(person, 201, east)
    assert merchants(person) == []
    # The other place of the same merchant.
    move(person, 0, east + 5100 - 1)
    assert [m["place"] for m in merchants(person)] == [merchant.places[1]]
    assert list(near(merchant)[person.account].items() & {("place", merchant.places[1])})
    assert words(bus, person) == ["entered", "exited left", "entered"]

    assert person.put("/v1/settings/location", {"sharing": False}).body == {"sharing": False}
    assert person.account not in near(merchant)
    assert person.get("/v1/location").code == "location.position_unknown"
    assert words(bus, person) == ["entered", "exited left", "entered", "exited forgotten"]
    for _, fact in fences(bus, person):
        assert fact["merchant"] == merchant.account and fact["place"] in merchant.places
        assert not any("itude" in field for field in fact)


def test_late_and_wrong_fixes(billset):
    person = walker(billset)
    assert move(person, 0, 20_000) == "stored"
    known = person.get("/v1/location").body
    assert move(person, 50, 20_000, time=now(-5)) == "older"
    assert move(person, 50, 20_000, time=now(-901)) == "expired"
    assert person.get("/v1/location").body == known
    assert person.put("/v1/location", at(time=now(90))).code == "location.time_invalid"
    for body in ({"latitude": 90_000_001, "longitude": 0}, {"latitude": 0, "longitude": -180_000_001}):
        assert person.put("/v1/location", body).code == "location.coordinate_invalid"
    for body in ({"latitude": 35.2, "longitude": 0}, {"latitude": 1}, {"latitude": "1", "longitude": 0},
                 {"latitude": 1, "longitude": 2, "time": "yesterday"}):
        assert person.put("/v1/location", body).code == "bus.malformed"
    assert person.delete("/v1/location").status == 204
    assert person.get("/v1/location").code == "location.position_unknown"
    assert person.get("/v1/settings/location").body == {"sharing": True}


def test_places_over_http(billset):
    merchant, other = shop(billset, (0, 30_000)), shop(billset)
    place = merchant.places[0]
    body = {"name": "First", **at(0, 30_000)}
    key = new_key()
    first = merchant.post("/v1/places", body, key=key)
    made = first.body["place"]
    assert first.status == 201 and not first.replayed and made != place
    # A repeat that comes late undoes nothing.
    assert merchant.put(f"/v1/places/{made}", {**body, "name": "Renamed"}).status == 200
    again = merchant.post("/v1/places", body, key=key)
    assert again.replayed and again.body == {**first.body, "name": "Renamed"}
    for changed in ({"name": "Renamed"}, {"latitude": body["latitude"] + 1}, {"longitude": body["longitude"] + 1}):
        other_content = merchant.post("/v1/places", {**body, **changed}, key=key)
        assert (other_content.status, other_content.code) == (422, "location.id_reused"), other_content
        assert made in other_content.body["detail"]
    own = new_id()
    assert merchant.put(f"/v1/places/{own}", {**body, "name": "Second"}).status == 200
    assert [p["name"] for p in merchant.get("/v1/places").body["places"]] == ["Place 0", "Renamed", "Second"]
    # Another merchant's place cannot be looked around, changed or removed.
    assert other.get(f"/v1/customers/nearby?place={place}").code == "location.place_not_found"
    assert other.put(f"/v1/places/{place}", body).code == "location.id_reused"
    assert other.delete(f"/v1/places/{place}").status == 204
    assert other.get("/v1/places").body["places"] == []
    assert len(merchant.get("/v1/places").body["places"]) == 3
    assert merchant.delete(f"/v1/places/{own}").status == 204
    assert len(merchant.get("/v1/places").body["places"]) == 2
    for name in ("", "\u202ex", "x" * 101):
        assert merchant.post("/v1/places", {**body, "name": name}, key=new_key()).code == "location.name_invalid"


def test_nobody_elses_position(billset, bus):
    """The actor that the gateway puts on an ask is looked at by the service itself."""
    person, stranger = walker(billset), billset.customer(card=False)
    merchant, other = shop(billset, (0, 40_000)), billset.merchant()
    move(person, 0, 40_000)
    customer_asks = {
        "location.position.read.v1": {}, "location.position.forget.v1": {}, "location.sharing.read.v1": {},
        "location.sharing.set.v1": {"sharing": False}, "location.merchants.find.v1": {"limit": 1},
        "location.position.update.v1": at(),
    }
    for type, data in customer_asks.items():
        for actor in (f"customer:{stranger.account}", f"merchant:{merchant.account}", f"merchant:{person.account}",
                      f"administrator:{new_id()}"):
            with pytest.raises(Refused, match="bus.forbidden"):
                bus.ask(type, {"customer": person.account, **data}, actor=actor)
    merchant_asks = {
        "location.customers.find.v1": {"limit": 1}, "location.places.read.v1": {},
        "location.place.remove.v1": {"place": merchant.places[0]},
        "location.place.put.v1": {"place": merchant.places[0], "name": "Mine", **at()},
    }
    for type, data in merchant_asks.items():
        for actor in (f"merchant:{other.account}", f"customer:{person.account}", f"customer:{merchant.account}"):
            with pytest.raises(Refused, match="bus.forbidden"):
                bus.ask(type, {"merchant": merchant.account, **data}, actor=actor)
    fixes = [{"customer": who.account, **at()} for who in (stranger, person)]
    with pytest.raises(Refused, match="bus.forbidden"):
        bus.ask("location.positions.update.v1", {"fixes": fixes}, actor=f"customer:{stranger.account}")
    assert person.account in near(merchant)


def test_many_fixes_in_one_ask(billset, bus):
    crowd = [new_id() for _ in range(400)]
    for answer in bus.pipeline([_ask("location.sharing.set.v1", {"customer": one, "sharing": True}) for one in crowd]):
        assert bus.data(answer)["sharing"] is True
    merchant = shop(billset, (0, 50_000))
    fixes = [{"customer": one, **at(number / 2, 50_000)} for number, one in enumerate(crowd)]
    reply = bus.ask("location.positions.update.v1", {"fixes": fixes})
    assert reply == {"stored": 400, "older": 0, "expired": 0, "refused": []}
    answer = merchant.get("/v1/customers/nearby?limit=100").body
    assert len(answer["customers"]) == 100 and answer["total"] in (200, 201)
    distances = [one["distanceMetres"] for one in answer["customers"]]
    assert distances == sorted(distances) and set(distances) == {25, 50}
    # Nobody of that name is known to auth.
    assert "username" not in answer["customers"][0]


def _ask(type, data):
    from billfold import envelope

    return envelope(type, data)


def test_the_card_app_finds_stores(billset):
    """000-9, A24."""
    shop(billset, (120, 60_000), name="Aspen Avenue")
    shop(billset, (40, 60_000), name="Market Street")
    person = walker(billset, sharing=False)
    device = Device(billset, person).unlock()
    device.menu(4)
    assert device.top_right()["stores"] == [] and device.display["notice"] == "No stores near you"
    person.put("/v1/settings/location", {"sharing": True})
    move(person, 0, 60_000)
    stores = device.top_right()["stores"]
    assert [store["name"] for store in stores] == ["Market Street", "Aspen Avenue"]
    # Rounded up, from the nearest millionth of a degree.
    assert stores[0]["distanceMetres"] in (40, 41) and stores[1]["distanceMetres"] in (120, 121)


def test_a_restart_forgets_positions_and_nothing_else(billset, bus):
    merchant, person = shop(billset, (0, 70_000)), walker(billset)
    move(person, 0, 70_000)
    billset.kill("location")
    billset.start("location")
    billset.await_health()
    assert person.get("/v1/location").code == "location.position_unknown"
    assert person.get("/v1/settings/location").body == {"sharing": True}
    assert [p["place"] for p in merchant.get("/v1/places").body["places"]] == merchant.places
    # The visit goes on where it was.
    move(person, 10, 70_000)
    assert words(bus, person) == ["entered"]
    move(person, 1000, 70_000)
    assert words(bus, person) == ["entered", "exited left"]


def test_killed_again_and_again_while_people_move(billset, bus):
    """Whatever was answered has been told, and each visit is told of from its beginning to its end."""
    random.seed(SEED)
    merchant = shop(billset, (0, 80_000), (300, 80_000))
    people = [walker(billset) for _ in range(4)]
    seen = {person.account: [] for person in people}
    for turn in range(120):
        if turn % 40 == 39:
            billset.kill("location")
            billset.start("location")
        person = random.choice(people)
        metres = random.choice((-400, 0, 300, 700))
        answer = person.insist("PUT", "/v1/location", at(metres, 80_000))
        assert answer.status == 200, answer
        if answer.body["outcome"] == "stored":
            seen[person.account].append(metres)
    billset.await_health()
    for person in people:
        # A last word from everybody: away from all places.
        until(lambda: move(person, 2000, 80_000) == "stored", "a fix that is newer than the last")
        inside = {}
        for word, fact in fences(bus, person):
            if word == "entered":
                assert not inside.get(fact["place"])
            else:
                assert inside[fact["place"]], (word, fact, SEED)
            inside[fact["place"]] = word != "exited"
        assert not any(inside.values()), (inside, SEED)
        visited = {fact["place"] for word, fact in fences(bus, person) if word == "entered"}
        places = dict(zip((0, 300), merchant.places))
        assert visited == {places[metres] for metres in seen[person.account] if metres in places}


def test_no_coordinate_is_in_the_logs_or_on_the_disk(billset):
    """Runs last: the set has logged all that it can. Places are on the disk; positions are nowhere."""
    person = walker(billset)
    latitude, longitude = 47_391_826, 9_482_713
    assert person.put("/v1/location", {"latitude": latitude, "longitude": longitude}).status == 200
    assert person.put("/v1/location", {"latitude": latitude, "longitude": 190_000_000}).status == 422
    log = billset.log_text()
    assert "location" in log
    for number in (latitude, longitude, 190_000_000):
        assert not re.search(rf"(?<![0-9a-f]){number}(?![0-9a-f])", log)
    files = b"".join(path.read_bytes() for path in (billset.data / "location").iterdir())
    for number in (latitude, longitude):
        assert str(number).encode() not in files and number.to_bytes(4, "big") not in files
    billset.await_health()


def test_a_merchant_is_told_who_comes_and_goes(billset):
    """001-3: pushed to the merchant as it happens, and to no other; the end of the session ends it."""
    merchant, other, person = shop(billset, (0, 0)), shop(billset, (5_000, 0)), walker(billset)
    stream, elsewhere = (EventStream(one, "/v1/customers/nearby/events") for one in (merchant, other))
    assert stream.await_event(lambda name, data: name == "nearby") == {"customers": [], "total": 0}
    move(person, 20)
    come = stream.await_event(
        lambda name, data: data["total"] == 1 and "username" in data["customers"][0])["customers"][0]
    assert (come["username"], come["distanceMetres"]) == (person.username, 25)
    assert "itude" not in json.dumps(come), come
    move(person, 1_000)
    assert stream.await_event(lambda name, data: name == "nearby")["total"] == 0
    move(person, 5_000)
    assert elsewhere.await_event(lambda name, data: data["total"] == 1)["customers"][0]["customer"] == person.account
    merchant.delete("/v1/sessions/current")
    assert stream.await_event(lambda name, data: name == "closed") == {}


def test_a_charge_where_the_customer_is(billset):
    """001-51, 001-53: with proof of presence, and a reason where there is none; what location vouched for stays."""
    merchant, other, person = shop(billset, (0, 0)), shop(billset, (0, 0)), walker(billset)

    def charge(place, key=None):
        body = {"customer": person.username, "amount": {"amount": 150, "currency": "USD"}, "place": place}
        return merchant.post("/v1/charges", body, key=key or new_key())

    def refused(place):
        answer = charge(place)
        return answer.status, answer.body["code"]

    assert refused(merchant.places[0]) == (409, "location.presence_stale")
    move(person, 500)
    assert refused(merchant.places[0]) == (409, "location.presence_far")
    assert refused(other.places[0]) == (404, "location.place_not_found")
    move(person, 99)
    key = new_key()
    made = charge(merchant.places[0], key)
    assert made.status == 201, made
    presence = made.body["presence"]
    assert (presence["place"], presence["distanceMetres"]) == (merchant.places[0], 100)
    person.delete("/v1/location")
    again = charge(merchant.places[0], key)
    assert (again.status, again.body) == (201, made.body)
    assert person.get("/v1/charges/" + made.body["charge"]).body["presence"] == presence
