#!/usr/bin/env python3
"""Location in Python, in the place of billfold-location: `billfold swap location -- python3 location.py`.

Keeps who shares, places, open visits and facts in one SQLite file, and last positions in memory. The rules are those of
Services/Location/README.md. Printed tables, spans and backups are not offered.
BILLFOLD_RUN names the directory of the bus's sockets, BILLFOLD_DATA the one where it keeps its own.
"""

import math
import os
import pathlib
import sqlite3
import time
from dataclasses import dataclass
from typing import Optional

from accounts import Accounts
from client import rfc3339
from factlog import FactLog
from fields import (
    ADMINISTRATORS, ANYONE, SERVICES, asked, boolean, fields, identifier, instant, milliseconds, number, stats, text, within)
from handover import Memory, Source, Table, Taker, locked
from shown import is_shown_and_visible
from worker import FAULTS, Fault, leave, serve, stopped

FAULTS |= {
    "location.coordinate_invalid": (422, "never", "There is no such point on the globe"),
    "location.time_invalid": (422, "never", "The time lies in the future"),
    "location.too_many_fixes": (422, "never", "Too many fixes in one ask"),
    "location.sharing_off": (409, "never", "The customer does not share a position"),
    "location.position_unknown": (404, "never", "No position is known"),
    "location.place_not_found": (404, "never", "There is no such place"),
    "location.name_invalid": (422, "never", "The place's name is not valid"),
    "location.id_reused": (422, "never", "The same id was used for another place"),
    "location.too_many_places": (409, "never", "No more places can be added"),
    "location.presence_stale": (409, "later", "No fresh position of the customer is known"),
    "location.presence_far": (409, "later", "The customer is not at this place"),
}
HOME = pathlib.Path(os.environ.get("BILLFOLD_DATA") or pathlib.Path.home() / ".local/share/billfold", "location.py")

FILE = HOME / "location.sqlite"
# The tables of the contract, so that the state can go over to another program. Identifiers are hex digits here too.
SCHEMA = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS sharing (customer PRIMARY KEY, since);
    CREATE TABLE IF NOT EXISTS places (number INTEGER PRIMARY KEY, id UNIQUE, merchant, name, latitude, longitude);
    CREATE TABLE IF NOT EXISTS visits (customer, place, merchant, entered, dwelled, PRIMARY KEY (customer, place));
    CREATE TABLE IF NOT EXISTS alive (one INTEGER PRIMARY KEY, time);
    CREATE TABLE IF NOT EXISTS facts (sequence INTEGER PRIMARY KEY, envelope)"""
TABLES = [
    Table("sharing", ("customer", "bytes", True), ("since", "integer", False)),
    Table("places", ("number", "integer", True), ("id", "bytes", False), ("merchant", "bytes", False),
          ("name", "text", False), ("latitude", "integer", False), ("longitude", "integer", False)),
    Table("visits", ("customer", "bytes", True), ("place", "bytes", True), ("merchant", "bytes", False),
          ("entered", "integer", False), ("dwelled", "integer", False)),
    Table("alive", ("one", "integer", True), ("time", "integer", False)),
]
TRACES = Table(
    "traces", ("customer", "bytes", True), ("newest", "integer", False), ("published", "integer", False),
    ("latitude", "integer", False), ("longitude", "integer", False), ("time", "integer", False))



def setting(name, usual):
    """A setting of the service, in seconds; given in milliseconds. A program in its place has to heed it."""
    return int(os.environ.get(name) or usual) * 1000


KEPT, FRESH = setting("BILLFOLD_POSITION_SECONDS", 900), setting("BILLFOLD_FRESH_SECONDS", 600)
DWELL = setting("BILLFOLD_DWELL_SECONDS", 300)
# Milliseconds.
AHEAD, ALIVE, HIDDEN = 60_000, 60_000, 60_000
# Metres.
ENTER, LEAVE, SURELY_LEFT, MERCHANTS_WITHIN, STEP = 100, 150, 300, 200, 25
PLACES, FIXES, SKIPPED = 100, 400, 100_000
TURN = 360_000_000  # of longitudes, in millionths of a degree


def now():
    return time.time_ns() // 1_000_000


def shown(milliseconds):
    return rfc3339(milliseconds / 1000)


def metres(one, other):
    """Between two points (latitude, longitude), on the flat earth of the rules."""
    radians = math.pi / 180e6
    apart = abs(one[1] - other[1])
    east = min(apart, TURN - apart) * radians * math.cos((one[0] + other[0]) / 2 * radians)
    return 6_371_008.8 * math.hypot((other[0] - one[0]) * radians, east)


def coarse(distance):
    return max(1, math.ceil(distance / STEP)) * STEP


class Grid:
    """Things by where they are, in cells of 0.005 by 0.02 degrees."""

    HEIGHT, WIDTH = 5_000, 20_000
    COLUMNS = TURN // WIDTH

    def __init__(self):
        self.cells, self.points = {}, {}

    def cell(self, point):
        return point[0] // self.HEIGHT, (point[1] + TURN // 2) // self.WIDTH % self.COLUMNS

    def put(self, thing, point):
        self.remove(thing)
        self.points[thing] = point
        self.cells.setdefault(self.cell(point), set()).add(thing)

    def remove(self, thing):
        point = self.points.pop(thing, None)
        if point is not None:
            cell = self.cells[self.cell(point)]
            cell.discard(thing)
            if not cell:
                del self.cells[self.cell(point)]

    def near(self, point, radius):
        """(metres, thing) of all within the radius, nearest first."""
        reach = radius / 0.111 + 1  # millionths of a degree to the north
        narrow = math.cos(min(90, (abs(point[0]) + reach) / 1e6) * math.pi / 180)
        columns = math.ceil(reach / max(narrow, 1e-9) / self.WIDTH)
        row, column = self.cell(point)
        span = range(self.COLUMNS) if columns * 2 + 1 >= self.COLUMNS else range(column - columns, column + columns + 1)
        found = [
            (metres(point, self.points[thing]), thing) for one in (row - 1, row, row + 1) for other in span
            for thing in self.cells.get((one, other % self.COLUMNS), ())]
        return sorted(one for one in found if one[0] <= radius)


@dataclass
class Visit:
    entered: int
    dwelled: bool = False
    strayed: Optional[int] = None  # the time of a fix outside that may have been a bad one


class Person:
    """One who shares."""

    def __init__(self, newest=None):
        self.newest, self.point, self.time, self.told, self.visits = newest, None, None, 0, {}
        self.awaited = None  # when visits from before a start end, unless a fix comes


class Known:
    """What is in memory, made of the rows of the tables: those of the file, or those that another location hands over."""

    def __init__(self):
        self.people, self.places, self.owned, self.positions, self.stands = {}, {}, {}, Grid(), Grid()
        self.numbers = {}  # the places by their numbers
        self.early = {}  # traces of people who, as far as the rows go, do not share yet

    def put_row(self, table, row):
        if table == "sharing":
            customer = row["customer"]
            self.people.setdefault(customer, Person())
            if customer in self.early:
                self.restore(**self.early.pop(customer))
        elif table == "places":
            before = self.numbers.get(row["number"], row["id"])
            if before != row["id"]:
                self.forget_place(before)
            self.numbers[row["number"]] = row["id"]
            self.know(row["id"], row["merchant"], row["name"], row["latitude"], row["longitude"])
        elif table == "traces":
            self.restore(**row)

    def remove_row(self, table, key):
        if table == "sharing":
            self.people.pop(key["customer"], None)
            self.positions.remove(key["customer"])
        elif table == "places" and key["number"] in self.numbers:
            self.forget_place(self.numbers.pop(key["number"]))
        elif table == "traces":
            self.early.pop(key["customer"], None)

    def know(self, place, merchant, name, latitude, longitude):
        self.places[place] = (merchant, name, (latitude, longitude))
        self.owned.setdefault(merchant, {})[place] = None
        self.stands.put(place, (latitude, longitude))

    def forget_place(self, place):
        del self.owned[self.places.pop(place)[0]][place]
        self.stands.remove(place)

    def restore(self, customer, newest, published, latitude, longitude, time):
        person = self.people.get(customer)
        if person is None:
            self.early[customer] = {
                "customer": customer, "newest": newest, "published": published, "latitude": latitude,
                "longitude": longitude, "time": time}
            return
        person.newest, person.told = newest, max(person.told, published or 0)
        person.point = person.time = None
        if time is None:
            self.positions.remove(customer)
        else:
            person.point, person.time = (latitude, longitude), time
            self.positions.put(customer, person.point)


class Whereabouts(Known):
    """All that is known. What changes is written and answered in one transaction with the facts that tell of it."""

    def __init__(self, copied=None):
        super().__init__()
        self.db = sqlite3.connect(FILE, isolation_level=None)
        self.db.executescript(SCHEMA)
        self.facts = FactLog("location", self.db)
        self.traces = Memory(TRACES, lambda: self.people, self.trace)
        self.handing = Source(self.db, TABLES, [self.traces])
        if copied:
            vars(self).update(vars(copied))
        else:
            for table in TABLES[:2]:  # who shares, and places
                for values in self.db.execute(f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY {table.key[0]}"):
                    self.put_row(table.name, dict(zip(table.columns, values)))
        self.accounts = Accounts()
        self.hidden = {}  # merchants whom nobody has approved, each with the time until which its places are hidden
        self.ask = None  # the envelope of the ask under way
        self.changed = []  # what the transaction under way is to write
        self.alive = 0
        self.resume()

    # What is in memory only, as a row of the hand-over.

    def trace(self, customer):
        person = self.people.get(customer)
        if person is None:
            return None
        latitude, longitude = person.point or (None, None)
        return {"customer": customer, "newest": person.newest, "published": person.told or None, "latitude": latitude,
                "longitude": longitude, "time": person.time}

    def resume(self):
        """Takes up the visits that were open when the process before ended."""
        at, alive = now(), self.db.execute("SELECT max(time) FROM alive").fetchone()[0] or 0
        for customer, place, merchant, entered, dwelled in self.db.execute("SELECT * FROM visits").fetchall():
            visit, seen, person = Visit(entered, bool(dwelled)), max(alive, entered), self.people.get(customer)
            lapses = seen + ALIVE + KEPT
            if at >= lapses:
                self.tell("exited", customer, place, merchant, visit, seen + KEPT, "forgotten")
            elif person is None:
                self.tell("exited", customer, place, merchant, visit, max(at, entered), "forgotten")
            elif place not in self.places:
                self.tell("exited", customer, place, merchant, visit, max(at, entered), "removed")
            else:
                person.visits[place], person.told = visit, max(person.told, entered)
                # With a position that was handed over, the visit ends as that does.
                person.awaited = lapses if person.time is None else None
        self.write()
        self.note_alive(at)

    # Writing.

    def tell(self, event, customer, place, merchant, visit, at, reason=None):
        """A change at a fence: a fact, and the visit's row. Of one customer the times never go back."""
        person = self.people.get(customer)
        if person:
            at = person.told = max(at, person.told)
            self.traces.note(customer)
        data = {"customer": customer, "merchant": merchant, "place": place}
        if event != "entered":
            data["entered"] = shown(visit.entered)
        if reason:
            data["reason"] = reason
        self.changed.append((f"location.fence.{event}.v1", data | {"time": shown(at)}, visit))

    def write(self, *statements):
        """One transaction: statements with their values, the rows of visits, the facts."""
        if not statements and not self.changed:
            return
        self.db.execute("BEGIN IMMEDIATE")
        try:
            for statement, *values in statements:
                self.db.execute(statement, values)
            for type, data, visit in self.changed:
                key = data["customer"], data["place"]
                if type.endswith("exited.v1"):
                    self.db.execute("DELETE FROM visits WHERE customer = ? AND place = ?", key)
                else:
                    self.db.execute("INSERT OR REPLACE INTO visits VALUES (?, ?, ?, ?, ?)",
                                    (*key, data["merchant"], visit.entered, visit.dwelled))
                self.facts.add(type, data, self.ask)
            self.db.execute("COMMIT")
        except BaseException:
            # Memory is ahead of the disk now: the next process begins with what is on the disk.
            os._exit(70)
        self.changed.clear()
        self.facts.publish()

    def note_alive(self, at):
        self.alive = at
        self.write(("INSERT OR REPLACE INTO alive VALUES (1, ?)", at))

    # Sharing and positions.

    def sharing(self, customer):
        return {"customer": customer, "sharing": customer in self.people, "keptSeconds": KEPT // 1000}

    def share(self, customer, sharing):
        at = now()
        if sharing and customer not in self.people:
            self.write(("INSERT INTO sharing VALUES (?, ?)", customer, at))
            self.people[customer] = Person(newest=at - 1)  # a fix of this very moment counts
            self.traces.note(customer)
        elif not sharing and customer in self.people:
            self.forget_now(customer, at)
            self.write(("DELETE FROM sharing WHERE customer = ?", customer))
            del self.people[customer]
            self.traces.note(customer)
        return self.sharing(customer)

    def known(self, customer, at):
        """The person, if a position of theirs is known."""
        person = self.people.get(customer)
        return person if person and person.time is not None and person.time + KEPT > at else None

    def forget_now(self, customer, at):
        person = self.people[customer]
        self.end_visits(customer, at if person.time is None else min(at, person.time + KEPT))
        person.point = person.time = person.awaited = None
        self.traces.note(customer)
        self.positions.remove(customer)

    def end_visits(self, customer, at):
        person = self.people[customer]
        for place, visit in list(person.visits.items()):
            del person.visits[place]
            self.tell("exited", customer, place, self.places[place][0], visit, at, "forgotten")

    def forget(self, customer):
        at = now()
        was_known = self.known(customer, at) is not None
        if customer in self.people:
            self.forget_now(customer, at)
            self.write()
            person = self.people[customer]
            person.newest = at if person.newest is None else max(at, person.newest)
            self.traces.note(customer)
        return {"forgotten": was_known}

    def position(self, customer):
        person = self.known(customer, now())
        if person is None:
            raise Fault("location.position_unknown")
        return {"latitude": person.point[0], "longitude": person.point[1], "time": shown(person.time),
                "expires": shown(person.time + KEPT)}

    def update(self, customer, latitude, longitude, time=None):
        outcome = self.take(now(), customer, latitude, longitude, time)
        self.write()
        return {"outcome": outcome}

    def updates(self, fixes):
        if len(fixes) > FIXES:
            raise Fault("location.too_many_fixes")
        at, counts, refused = now(), {"stored": 0, "older": 0, "expired": 0}, []
        for index, fix in enumerate(fixes):
            try:
                counts[self.take(at, **{name: value for name, value in fix.items() if value is not None})] += 1
            except Fault as fault:
                refused.append({"index": index, "code": fault.problem["code"]})
        self.write()
        return counts | {"refused": refused}

    def take(self, at, customer, latitude, longitude, time=None):
        on_globe(latitude, longitude)
        given = None if time is None else milliseconds(time)
        if given is not None and given > at + AHEAD:
            raise Fault("location.time_invalid")
        person, point = self.people.get(customer), (latitude, longitude)
        if person is None:
            raise Fault("location.sharing_off")
        fix = max(at, person.newest or 0) if given is None else min(given, at)
        if fix + KEPT <= at:
            return "expired"
        if person.newest is not None and fix <= person.newest:
            if person.time == fix and person.point == point:
                return "stored"  # the same one again
            if given is not None:
                return "older"
        if person.visits and person.time is not None and fix > person.time + KEPT:
            self.end_visits(customer, person.time + KEPT)
        person.newest = person.time = fix
        person.point, person.awaited = point, None
        self.traces.note(customer)
        self.positions.put(customer, point)
        self.step(customer, person, point, fix)
        return "stored"

    def step(self, customer, person, point, fix):
        """What one fix means at the fences: first for visits that are open, then for places that are near."""
        for place, visit in list(person.visits.items()):
            merchant, _, stand = self.places[place]
            away = metres(stand, point)
            if away <= LEAVE:
                visit.strayed = None
                if not visit.dwelled and fix - visit.entered >= DWELL:
                    visit.dwelled = True
                    self.tell("dwelled", customer, place, merchant, visit, fix)
            elif away <= SURELY_LEFT and visit.strayed is None:
                visit.strayed = fix
            else:
                del person.visits[place]
                self.tell("exited", customer, place, merchant, visit, fix if visit.strayed is None else visit.strayed, "left")
        for _, place in self.stands.near(point, ENTER):
            if place not in person.visits:
                person.visits[place] = Visit(fix)
                self.tell("entered", customer, place, self.places[place][0], person.visits[place], fix)

    def sweep(self):
        """Forgets positions whose time is up, and visits of whom nothing was heard since the start."""
        at = now()
        for customer, person in self.people.items():
            if person.time is not None and person.time + KEPT <= at:
                self.forget_now(customer, at)
            elif person.awaited is not None and person.awaited <= at:
                self.end_visits(customer, person.awaited)
                person.awaited = None
        self.write()
        if at - self.alive >= ALIVE:
            self.note_alive(at)

    # Places.

    def put(self, place, merchant, name, latitude, longitude):
        on_globe(latitude, longitude)
        if not 1 <= len(name.encode()) <= 100 or not is_shown_and_visible(name):
            raise Fault("location.name_invalid")
        known = self.places.get(place)
        if known and known[0] != merchant:
            raise Fault("location.id_reused")
        if not known and len(self.owned.get(merchant, ())) >= PLACES:
            raise Fault("location.too_many_places")
        if known and known[2] != (latitude, longitude):
            self.end_visits_at(place)
        if known != (merchant, name, (latitude, longitude)):
            self.write((
                "INSERT INTO places (id, merchant, name, latitude, longitude) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO "
                "UPDATE SET name = excluded.name, latitude = excluded.latitude, longitude = excluded.longitude",
                place, merchant, name, latitude, longitude))
            self.know(place, merchant, name, latitude, longitude)
        return self.view(place)

    def remove(self, place, merchant):
        if self.places.get(place, (None,))[0] != merchant:
            return {"removed": False}
        self.end_visits_at(place)
        self.write(("DELETE FROM places WHERE id = ?", place))
        self.forget_place(place)
        return {"removed": True}

    def end_visits_at(self, place):
        at = now()
        for customer, person in self.people.items():
            if place in person.visits:
                self.tell("exited", customer, place, self.places[place][0], person.visits.pop(place), at, "removed")

    def view(self, place):
        merchant, name, (latitude, longitude) = self.places[place]
        return {"place": place, "merchant": merchant, "name": name, "latitude": latitude, "longitude": longitude}

    def places_of(self, merchant):
        return {"places": [self.view(place) for place in self.owned.get(merchant, ())]}

    # Who is near.

    def heed_decisions(self):
        """Merchants about whom auth has decided are read from it anew."""
        for merchant in self.accounts.decided():
            self.hidden.pop(merchant, None)

    def customers(self, merchant, limit, place=None, freshSeconds=FRESH // 1000, skip=0):
        within(limit, 1, 100, "limit")
        within(skip, 0, SKIPPED, "skip")
        within(freshSeconds, 1, 86_400, "freshSeconds")
        at = now()
        if merchant in self.accounts.unapproved([merchant]):
            return {"customers": [], "total": 0}
        own = self.owned.get(merchant, {})
        if place is not None and place not in own:
            raise Fault("location.place_not_found")
        since, nearest = at - min(freshSeconds * 1000, KEPT), {}
        for one in own if place is None else [place]:
            for away, customer in self.positions.near(self.places[one][2], ENTER):
                if self.people[customer].time > since and away < nearest.get(customer, (math.inf,))[0]:
                    nearest[customer] = away, one
        found = sorted((away, customer, one) for customer, (away, one) in nearest.items())
        shown_now = found[skip:skip + limit]
        known = self.accounts.of(customer for _, customer, _ in shown_now)
        return page("customers", [
            {"customer": customer, "place": one, "distanceMetres": coarse(away), "time": shown(self.people[customer].time)}
            | ({"username": known[customer]["username"]} if customer in known else {})
            for away, customer, one in shown_now], skip, len(found))

    def merchants(self, customer, limit, skip=0):
        within(limit, 1, 100, "limit")
        within(skip, 0, SKIPPED, "skip")
        at, patience = now(), self.accounts.patience()
        person = self.known(customer, at)
        if person is None:
            raise Fault("location.position_unknown")
        while True:
            found = [(away, place) for away, place in self.stands.near(person.point, MERCHANTS_WITHIN)
                     if self.hidden.get(self.places[place][0], 0) <= at]
            shown_now = found[skip:skip + limit]
            owners = [self.places[place][0] for _, place in shown_now]
            unapproved = self.accounts.unapproved(owners, patience)
            if not unapproved:
                break
            self.hidden |= dict.fromkeys(unapproved, at + HIDDEN)
        known = self.accounts.of(owners, patience)
        return page("merchants", [
            self.view(place) | {"distanceMetres": math.ceil(away)}
            | ({"username": known[owner]["username"], "merchantName": known[owner]["name"]} if owner in known else {})
            for (away, place), owner in zip(shown_now, owners)], skip, len(found))

    def presence(self, customer, merchant, place=None):
        owned = self.owned.get(merchant, ())
        candidates = [one for one in owned if place in (None, one)]
        if not candidates:
            raise Fault("location.place_not_found")
        at = now()
        person = self.known(customer, at)
        if person is None or person.time < at - FRESH:
            raise Fault("location.presence_stale")
        away, place = min((metres(self.places[one][2], person.point), one) for one in candidates)
        if away > ENTER:
            raise Fault("location.presence_far")
        return {"place": place, "distanceMetres": coarse(away), "time": shown(person.time)}

    def near(self, merchants, latitude, longitude, radiusMetres):
        within(len(merchants), 1, 500, "merchants")
        within(radiusMetres, 1, 50_000, "radiusMetres")
        on_globe(latitude, longitude)
        away = {
            merchant: min((metres(self.places[place][2], (latitude, longitude)) for place in self.owned.get(merchant, ())),
                          default=math.inf)
            for merchant in merchants}
        return {"merchants": [
            {"merchant": merchant, "distanceMetres": math.ceil(distance)} for merchant, distance in away.items()
            if distance <= radiusMetres]}


def on_globe(latitude, longitude):
    if abs(latitude) > 90_000_000 or abs(longitude) > 180_000_000:
        raise Fault("location.coordinate_invalid")


def page(name, shown_now, skip, total):
    """Some of all, with where the next page begins, if there is one."""
    following = skip + len(shown_now)
    return {name: shown_now, "total": total} | ({"next": following} if following < total else {})


FIX = {"customer": identifier, "latitude": number, "longitude": number, "time_": instant}
CUSTOMER, MERCHANT = {"customer": "customer"}, {"merchant": "merchant"}


def fixes(value):
    if not isinstance(value, list):
        return False
    for fix in value:
        fields(fix, FIX)
    return True


def identifiers(value):
    return isinstance(value, list) and all(identifier(one) for one in value)


def own_fixes(role, party, data):
    return role == "customer" and all(fix["customer"] == party for fix in data["fixes"])


def opened():
    """What is known, from the file, or from another location whose place this one takes; None if it was stopped."""
    if os.environ.get("BILLFOLD_TAKE_OVER") != "1":
        return Whereabouts()
    copied = Known()
    return Taker("location", FILE, SCHEMA, TABLES, [TRACES], copied).run(lambda: Whereabouts(copied))


def main():
    _lock = locked(HOME)
    known = opened()
    if stopped():
        return
    swept = time.monotonic()

    def turn():
        nonlocal swept
        if time.monotonic() - swept >= 1 and not known.handing.is_sealed:
            swept = time.monotonic()
            known.ask = None
            known.sweep()
        known.heed_decisions()
        known.facts.publish()

    def handler(function, access, **kinds):
        handle = asked(function, access, **kinds)

        def answer(data, ask):
            if known.handing.is_sealed:
                raise Fault("bus.unavailable", "the state goes over to another program")
            known.ask = ask  # the cause of what is published
            return handle(data, ask)
        return answer

    place = {"place": identifier, "merchant": identifier}
    serve("location", {
        "location.position.update.v1": handler(known.update, CUSTOMER, **FIX),
        "location.positions.update.v1": handler(known.updates, own_fixes, fixes=fixes),
        "location.position.read.v1": handler(known.position, CUSTOMER, customer=identifier),
        "location.position.forget.v1": handler(known.forget, CUSTOMER, customer=identifier),
        "location.sharing.set.v1": handler(known.share, CUSTOMER, customer=identifier, sharing=boolean),
        "location.sharing.read.v1": handler(known.sharing, CUSTOMER, customer=identifier),
        "location.place.put.v1": handler(known.put, MERCHANT, **place, name=text, latitude=number, longitude=number),
        "location.place.remove.v1": handler(known.remove, MERCHANT, **place),
        "location.places.read.v1": handler(known.places_of, MERCHANT, merchant=identifier),
        "location.customers.find.v1": handler(
            known.customers, MERCHANT, merchant=identifier, place_=identifier, freshSeconds_=number, limit=number,
            skip_=number),
        "location.merchants.find.v1": handler(
            known.merchants, CUSTOMER, customer=identifier, limit=number, skip_=number),
        "location.presence.prove.v1": handler(
            known.presence, MERCHANT, customer=identifier, merchant=identifier, place_=identifier),
        "location.near.find.v1": handler(
            known.near, SERVICES, merchants=identifiers, latitude=number, longitude=number, radiusMetres=number),
        "location.facts.read.v1": asked(known.facts.read, ADMINISTRATORS, after=number, limit=number),
        "location.state.follow.v1": asked(known.handing.follow, SERVICES),
        "location.state.read.v1": asked(
            known.handing.read, SERVICES, copy=number, table=text, after_=text, limit=number),
        "location.state.seal.v1": asked(known.handing.seal, SERVICES, copy=number, isSealed=boolean),
        "location.stats.read.v1": handler(stats("location"), ANYONE),
    }, turn, also=[known.accounts.decisions])
    known.db.close()
    leave()


if __name__ == "__main__":
    main()
