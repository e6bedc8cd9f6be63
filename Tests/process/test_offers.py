"""Ads and coupons with the real processes: from a draft to a customer's list, bound to charges, through kills."""

import datetime
import json
import re
import signal
import sqlite3

import pytest

from billfold import Client, Person, Refused, envelope, new_id, new_key, until, usd

LATITUDE, LONGITUDE = 35_198_284, -111_651_302
NORTH, EAST = 8.9932, 11.0052

ENVIRONMENT = {"BILLFOLD_LOG": "trace", "BILLFOLD_RESERVATION_GRACE_SECONDS": "1"}

AD = {"kind": "ad", "title": "New beans", "content": "From the hills"}
COUPON = {"kind": "coupon", "title": "Half price", "content": "All day", "discount": {"percent": 50}}


def at(north=0.0, east=0.0):
    return {"latitude": LATITUDE + round(north * NORTH), "longitude": LONGITUDE + round(east * EAST)}


def now(seconds=0.0):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Administrator(Client):
    def __init__(self, billset):
        super().__init__(billset)
        name = "root" + new_id()[:10]
        with billset.bus() as bus:
            bus.ask("auth.account.register.v1", {
                "account": new_id(), "role": "administrator", "username": name, "password": Person.PASSWORD})
        answer = self.post("/v1/sessions", {"username": name, "password": Person.PASSWORD}, token=None)
        assert answer.status == 201, answer
        self.token = answer.body["token"]


@pytest.fixture(scope="module")
def root(billset):
    return Administrator(billset)


def submit(merchant, form, **options):
    answer = merchant.post("/v1/offers", form, key=options.pop("key", None) or new_key(), **options)
    assert answer.status == 201, answer
    return answer.body["offer"]


def live(merchant, root, form):
    """An offer that is accepted, and whose merchant the service has heard of."""
    offer = submit(merchant, form)
    answer = root.post(f"/v1/offers/{offer}/approval")
    assert (answer.status, answer.body["accepted"]) == (200, "accepted"), answer
    return offer


def await_push(merchant, offer):
    """Waits until an offer was sent by itself to all whom it is for then."""
    return until(lambda: merchant.get(f"/v1/offers/{offer}").body.get("pushed"), "the offer to be pushed")


def subscribe(customer, merchant, ads=True, coupons=True):
    answer = customer.put(f"/v1/subscriptions/{merchant.account}", {"ads": ads, "coupons": coupons})
    assert answer.status == 200, answer
    return answer.body


def ids(answer):
    assert answer.status == 200, answer
    return [deal["offer"] for deal in answer.body["deals"]]


def shown(customer, path="/v1/coupons"):
    return ids(customer.get(path))


def reserve(bus, coupon, charge, customer, merchant, minor=1000, seconds=300):
    return bus.ask("offers.coupon.reserve.v1", {
        "coupon": coupon, "charge": charge, "customer": customer.account, "merchant": merchant.account,
        "amount": usd(minor), "expires": now(seconds)})


def facts(bus, type, **having):
    told = [json.loads(fact) for fact in bus.facts("offers")]
    assert [int(fact["sequence"]) for fact in told] == list(range(1, len(told) + 1))
    return [fact["data"] for fact in told if fact["type"] == type and having.items() <= fact["data"].items()]


def share(customer, *where):
    assert customer.put("/v1/settings/location", {"sharing": True}).status == 200
    assert customer.put("/v1/location", at(*where)).status == 200


def test_from_a_draft_to_a_list_and_back(billset, bus, root):
    """001-65, 001-66, 001-20, 001-138, A35: submitted, pending, accepted, shown; edited, pending, rejected."""
    merchant, customer = billset.merchant(name="cafe" + new_id()[:6]), billset.customer(card=False)
    key = new_key()
    answer = merchant.post("/v1/offers", COUPON, key=key)
    offer = answer.body["offer"]
    assert (answer.status, answer.body["accepted"], answer.body["enabled"]) == (201, "pending", True)
    again = merchant.post("/v1/offers", COUPON, key=key)
    assert again.replayed and again.body == answer.body
    assert merchant.post("/v1/offers", AD, key=key).code == "offers.id_reused"
    ad = merchant.post("/v1/offers", AD, key=new_key())
    assert (ad.status, ad.body["kind"], ad.body["accepted"]) == (201, "ad", "pending")

    assert subscribe(customer, merchant)["name"] == merchant.username
    until(lambda: merchant.get(f"/v1/offers/{offer}/audience").body["subscribed"] == 1, "the subscription")
    assert merchant.get(f"/v1/offers/{offer}/audience").body["audience"] == 1
    assert shown(customer) == [] and customer.get(f"/v1/deals/{offer}").code == "offers.offer_not_found"
    assert offer in [one["offer"] for one in root.pages("/v1/offers/pending", "offers")]
    assert root.post(f"/v1/offers/{offer}/approval", {"revision": 1}).status == 200
    assert root.post(f"/v1/offers/{offer}/approval", {"revision": 1}).replayed
    assert shown(customer) == [offer] and shown(customer, "/v1/ads") == []
    assert customer.get(f"/v1/deals/{offer}").body["usable"] is True
    assert [deal["offer"] for deal in customer.get("/v1/deals/history").body["usable"]] == [offer]
    assert ids(customer.get(f"/v1/deals/search?merchant={merchant.username.upper()}")) == [offer]

    assert merchant.post(f"/v1/offers/{offer}/disabling").body["enabled"] is False
    assert shown(customer) == []
    assert merchant.post(f"/v1/offers/{offer}/enabling").body["enabled"] is True
    assert shown(customer) == [offer]
    change = {key: value for key, value in COUPON.items() if key != "kind"}
    edited = merchant.put(f"/v1/offers/{offer}", {**change, "content": "Half a day"}).body
    assert (edited["accepted"], edited["revision"]) == ("pending", 2)
    assert shown(customer) == []
    assert root.post(f"/v1/offers/{offer}/approval", {"revision": 1}).code == "offers.offer_changed"
    assert root.post(f"/v1/offers/{offer}/rejection", {"reason": "Half?"}).body["reason"] == "Half?"
    until(lambda: len(facts(bus, "offers.offer.decided.v1", offer=offer)) == 2, "both decisions to be told")
    assert [fact["acceptance"] for fact in facts(bus, "offers.offer.decided.v1", offer=offer)] == [
        "accepted", "rejected"]
    assert [fact["revision"] for fact in facts(bus, "offers.offer.submitted.v1", offer=offer)] == [1, 2]


def test_apps_do_not_write_offers(billset):
    """001-18, 001-19."""
    merchant = billset.merchant()
    for client in ("ios", "android"):
        answer = merchant.post("/v1/offers", AD, key=new_key(), headers={"Billfold-Client": client})
        assert (answer.status, answer.code) == (403, "gateway.website_only")
        approved = merchant.get("/v1/offers?accepted=accepted", headers={"Billfold-Client": client})
        assert (approved.status, approved.body["offers"]) == (200, [])
    assert merchant.post("/v1/offers", AD, key=new_key(), headers={"billfold-client": "website"}).status == 201


def test_near_and_nearer(billset, bus, root):
    """001-78, 001-85, 001-136: a moved customer has other offers at once; who comes is sent one, once."""
    merchant, customer = billset.merchant(), billset.customer(card=False)
    subscribe(customer, merchant)
    place = merchant.post("/v1/places", {"name": "Corner", **at(0, 0)}, key=new_key())
    assert place.status == 201
    target = {"targetLat": at()["latitude"], "targetLon": at()["longitude"]}
    here = live(merchant, root, {**AD, **target})
    # Nobody is there yet.
    await_push(merchant, here)
    assert ids(customer.get("/v1/ads?latitude={latitude}&longitude={longitude}".format(**at(199)))) == [here]
    assert ids(customer.get("/v1/ads?latitude={latitude}&longitude={longitude}".format(**at(201)))) == []
    assert shown(customer, "/v1/ads") == []
    share(customer, 0, 5000)
    assert shown(customer, "/v1/ads") == []
    on_entry = live(merchant, root, {**AD, "title": "Welcome", "sendOnEntry": True})
    assert customer.put("/v1/location", at(50)).status == 200
    # Location may be too late to say where the customer is.
    until(lambda: set(shown(customer, "/v1/ads")) == {here, on_entry}, "both offers")
    sent = until(lambda: facts(bus, "offers.offer.sent.v1", customer=customer.account), "the offer to be sent")
    assert [(one["offer"], one["occasion"], one["place"]) for one in sent] == [
        (on_entry, "entered", place.body["place"])]
    # Pushed, it reaches nobody twice; another does.
    push = new_key()
    assert merchant.post(f"/v1/offers/{on_entry}/pushes", key=new_key()).body["sent"] == 0
    pushed = merchant.post(f"/v1/offers/{here}/pushes", {"place": place.body["place"]}, key=push)
    assert (pushed.status, pushed.body) == (201, {"nearby": pushed.body["nearby"], "sent": 1}), pushed
    again = merchant.post(f"/v1/offers/{here}/pushes", {"place": place.body["place"]}, key=push)
    assert again.replayed and again.body == pushed.body
    until(lambda: len(facts(bus, "offers.offer.sent.v1", customer=customer.account)) == 2, "the push to be told")
    assert customer.get(f"/v1/deals/{here}").body["sent"] is not None
    verdicts = root.get(f"/v1/offers/{here}/explanation?customer={customer.account}").body["verdicts"]
    assert {one["rule"]: one["found"] for one in verdicts}["place"] == "within"
    # Nobody learns from logs where anybody is.
    for number in (*at(50).values(), *at(0, 5000).values()):
        assert not re.search(rf"(?<![0-9a-f]){abs(number)}(?![0-9a-f])", billset.log_text()), number


def test_what_is_near_and_what_is_for_me(billset, root):
    """A86, 001-78, 001-136: with a position, an offer's own place or one of its merchant's; without one, all."""
    merchant, nowhere = billset.merchant().without_places(), billset.merchant().without_places()
    customer = billset.customer(card=False)
    for one in (merchant, nowhere):
        subscribe(customer, one)
    place = {"name": "Corner", **at(0, 9_000)}
    assert merchant.post("/v1/places", place, key=new_key()).status == 201
    mine, theirs = live(merchant, root, COUPON), live(nowhere, root, COUPON)
    target = {"targetLat": at(0, 9_000)["latitude"], "targetLon": at(0, 9_000)["longitude"]}
    there = live(nowhere, root, {**COUPON, **target})

    def near(metres, more=""):
        where = at(metres, 9_000)
        found = customer.get(f"/v1/coupons?latitude={where['latitude']}&longitude={where['longitude']}{more}")
        assert found.body["total"] == len(found.body["deals"])
        return ids(found)

    assert set(near(0)) == set(near(199)) == {mine, there}
    assert near(201) == []
    assert near(450, "&radiusMetres=500") == [mine]
    assert set(shown(customer)) == {mine, theirs}
    assert customer.get("/v1/coupons?radiusMetres=500").code == "bus.malformed"
    # A place that is added or removed counts at once.
    assert nowhere.post("/v1/places", place, key=new_key()).status == 201
    assert set(near(0)) == {mine, theirs, there}
    assert customer.get("/v1/ads?latitude={latitude}&longitude={longitude}".format(**at(0, 9_000))).body["deals"] == []
    # A list without them would look complete.
    billset.stop("location")
    where = at(0, 9_000)
    away = customer.get(f"/v1/coupons?latitude={where['latitude']}&longitude={where['longitude']}")
    billset.start("location").await_health()
    assert away.status in (503, 504), away


def test_an_offer_is_sent_at_its_time(billset, bus, root):
    """A87, 001-135: at sendTime, or when it is accepted later; to all whom it is for, through kills, none twice."""
    merchant = billset.merchant()
    people = [billset.customer(card=False, pin=None) for _ in range(3)]
    for person in people:
        subscribe(person, merchant)
    limited = people[2]
    assert limited.put("/v1/settings/offers", {"enabled": False, "ads": True, "coupons": True}).status == 200

    def sent(offer):
        return [(one["customer"], one["occasion"]) for one in facts(bus, "offers.offer.sent.v1", offer=offer)]

    wanted = {(person.account, "scheduled") for person in people[:2]}
    late = live(merchant, root, AD)
    await_push(merchant, late)
    assert set(sent(late)) == wanted and len(sent(late)) == 2
    time = now(5)
    due = live(merchant, root, {**AD, "title": "Fresh cake", "targetTime": time})
    was_pushed = "pushed" in merchant.get(f"/v1/offers/{due}").body or sent(due) != []
    assert not was_pushed or now() > time
    # The process is away when the time comes.
    billset.kill("offers")
    until(lambda: now() > time, "the offer's time")
    billset.start("offers")
    billset.await_health()
    assert await_push(merchant, due) >= time
    billset.restart("offers")
    billset.await_health()
    assert set(sent(due)) == wanted and len(sent(due)) == 2
    assert all(fact["time"] >= time for fact in facts(bus, "offers.offer.sent.v1", offer=due))
    for person in people[:2]:
        notices = until(lambda: [
            one for one in person.get("/v1/notices").body["notices"] if one["link"] == f"/deals/{due}"], "the notice")
        assert len(notices) == 1 and "Fresh cake" in notices[0]["title"]
    assert limited.get("/v1/notices").body["notices"] == []


def test_quiet_hours_of_an_earlier_version_move(billset):
    """A99: they were stored by offers, and are one setting of notifications now."""
    person, other = billset.customer(card=False, pin=None), billset.customer(card=False, pin=None)
    own = {"from": 60, "until": 120, "offset": 0}
    assert other.put("/v1/settings/notices", {"enabled": True, "quiet": own}).status == 200
    billset.stop("offers")
    with sqlite3.connect(billset.data / "offers" / "offers.sqlite") as database:
        for one in (person, other):
            database.execute("INSERT INTO preferences (customer, body) VALUES (?, ?)", (bytes.fromhex(one.account), json.dumps({
                "enabled": True, "ads": False, "coupons": True, "muted": [], "perDay": 3, "quietFrom": 1320,
                "quietTo": 420, "utcOffsetMinutes": -420}).encode()))
    database.close()
    billset.start("offers").await_health()
    quiet = until(lambda: person.get("/v1/settings/notices").body.get("quiet"), "the quiet hours to move")
    assert quiet == {"from": 1320, "until": 420, "offset": -420}
    assert other.get("/v1/settings/notices").body["quiet"] == own
    assert person.get("/v1/settings/offers").body == {
        "enabled": True, "ads": False, "coupons": True, "muted": [], "perDay": 3}


def test_a_customers_limits(billset, root):
    """001-5, A69, A85."""
    merchant, customer = billset.merchant(), billset.customer(card=False)
    subscribe(customer, merchant)
    usual = customer.get("/v1/settings/offers").body
    assert (usual["enabled"], usual["ads"], usual["coupons"], usual["muted"]) == (True, True, True, [])
    ad, coupon = live(merchant, root, AD), live(merchant, root, COUPON)
    assert shown(customer, "/v1/ads") == [ad] and shown(customer) == [coupon]
    assert customer.put("/v1/settings/offers", {"enabled": True, "ads": False, "coupons": True}).status == 200
    assert shown(customer, "/v1/ads") == [] and shown(customer) == [coupon]
    muted = {"enabled": True, "ads": True, "coupons": True, "muted": [merchant.account]}
    assert customer.put("/v1/settings/offers", muted).body["muted"] == [merchant.account]
    assert shown(customer, "/v1/ads") == [] and shown(customer) == []
    # A99: there is one set of quiet hours, in the settings of notices.
    wrong = {"enabled": True, "ads": True, "coupons": True, "quietFrom": 5}
    assert customer.put("/v1/settings/offers", wrong).code == "bus.malformed"
    assert customer.delete(f"/v1/subscriptions/{merchant.account}").status == 204
    assert customer.get("/v1/subscriptions").body == {"subscriptions": []}
    assert customer.put(f"/v1/subscriptions/{customer.account}", {"ads": True, "coupons": True}).code == (
        "offers.merchant_not_found")


def test_a_coupon_ends_as_its_charge_ends(billset, bus, root):
    """Declined, expired or paid without it: free again. Killed at any time, nothing of it is lost."""
    merchant, customer = billset.merchant(), billset.customer()
    subscribe(customer, merchant)
    coupon = live(merchant, root, COUPON)
    charge = merchant.post(
        "/v1/charges", {"customer": customer.account, "amount": usd(1000)}, key=new_key()).body["charge"]
    assert reserve(bus, coupon, charge, customer, merchant) == {"discount": usd(500), "replayed": False}
    billset.kill("offers")
    billset.start("offers")
    billset.await_health()
    assert reserve(bus, coupon, charge, customer, merchant) == {"discount": usd(500), "replayed": True}
    with pytest.raises(Refused, match="offers.id_reused"):
        reserve(bus, coupon, charge, customer, merchant, minor=999)
    with pytest.raises(Refused, match="offers.coupon_used_up"):
        reserve(bus, coupon, new_id(), customer, merchant)
    assert shown(customer) == []
    # Told of while it was away.
    billset.kill("offers")
    assert customer.post(f"/v1/charges/{charge}/decline").status == 200
    billset.start("offers")
    billset.await_health()
    assert shown(customer) == [coupon]
    assert reserve(bus, coupon, new_id(), customer, merchant)["replayed"] is False


def test_a_coupon_whose_charge_nobody_knows_is_free_again(billset, bus, root):
    merchant, customer = billset.merchant(), billset.customer(card=False)
    subscribe(customer, merchant)
    coupon = live(merchant, root, COUPON)
    reserve(bus, coupon, new_id(), customer, merchant, seconds=5)
    assert shown(customer) == []
    until(lambda: shown(customer) == [coupon], "the coupon to be released")


def test_stars(billset, bus, root):
    """000-10, 001-7, A58: earned, refunded, spent; through a kill."""
    merchant, customer = billset.merchant(name="shop" + new_id()[:6]), billset.customer()
    subscribe(customer, merchant)
    reward = live(merchant, root, {**COUPON, "title": "Thanks", "stars": 2})
    assert customer.put("/v1/stars", {"joined": True}).body["joined"] is True
    first = customer.paid(merchant, 100)

    def stars():
        return customer.get("/v1/stars").body["stars"]

    until(lambda: stars() == 1, "the first star")
    assert shown(customer) == []
    billset.kill("offers")
    customer.paid(merchant, 100)
    billset.start("offers")
    billset.await_health()
    assert stars() == 2
    assert customer.get("/v1/stars").body["merchants"] == [
        {"merchant": merchant.account, "name": merchant.username, "stars": 2}]
    assert shown(customer) == [reward]
    refund = merchant.post(f"/v1/charges/{first['charge']}/refunds", key=new_key())
    assert refund.status == 201
    until(lambda: stars() == 1, "the star to be taken back")
    assert shown(customer) == []


def test_two_customers_who_differ_in_what_they_bought(billset, root):
    """001-4: by transaction history."""
    merchant, regular, newcomer = billset.merchant(), billset.customer(), billset.customer()
    for one in (regular, newcomer):
        subscribe(one, merchant)
    thanks, welcome = live(merchant, root, {**AD, "minVisits": 1}), live(merchant, root, {**AD, "maxVisits": 0})
    regular.paid(merchant, 100)
    until(lambda: shown(regular, "/v1/ads") == [thanks], "the visit to count")
    assert shown(newcomer, "/v1/ads") == [welcome]


def test_nobody_acts_for_another(billset, bus, root):
    merchant, other, customer = billset.merchant(), billset.merchant(), billset.customer(card=False)
    offer = submit(merchant, COUPON)
    for method, path, body in (
        ("GET", f"/v1/offers/{offer}", None), ("GET", f"/v1/offers/{offer}/audience", None),
        ("PUT", f"/v1/offers/{offer}", {"title": "Mine", "content": "Now"}),
        ("POST", f"/v1/offers/{offer}/disabling", None), ("POST", f"/v1/offers/{offer}/pushes", {}),
    ):
        answer = other.request(method, path, body, key=new_key())
        assert (answer.status, answer.code) == (404, "offers.offer_not_found"), (path, answer)
    assert merchant.get(f"/v1/offers/{offer}").body["revision"] == 1
    data = {"coupon": offer, "charge": new_id(), "customer": customer.account, "merchant": merchant.account,
            "amount": usd(100), "expires": now(60)}
    for actor in (f"customer:{customer.account}", f"merchant:{merchant.account}", f"administrator:{new_id()}"):
        answer = bus.raw(envelope("offers.coupon.reserve.v1", data, actor=actor))
        assert answer["data"]["code"] == "bus.forbidden", (actor, answer)
    of_customer = {"offers.deals.find.v1": {"limit": 1}, "offers.rewards.read.v1": {},
                   "offers.rewards.join.v1": {"joined": True}, "offers.preferences.read.v1": {},
                   "offers.history.read.v1": {"limit": 1}, "offers.subscriptions.read.v1": {"limit": 1},
                   "offers.deal.read.v1": {"offer": offer}, "offers.deals.search.v1": {"merchant": "x", "limit": 1}}
    for type, more in of_customer.items():
        for actor in (f"customer:{new_id()}", f"merchant:{customer.account}", f"administrator:{new_id()}"):
            with pytest.raises(Refused, match="bus.forbidden"):
                bus.ask(type, {"customer": customer.account, **more}, actor=actor)


def test_it_stops_and_starts_with_its_state(billset, root):
    merchant, customer = billset.merchant(), billset.customer(card=False)
    subscribe(customer, merchant)
    offer = live(merchant, root, COUPON)
    assert billset.stop("offers", number=signal.SIGTERM) == {"offers": 0}
    billset.start("offers")
    billset.await_health()
    assert shown(customer) == [offer]
