"""A program takes a service's place with its state, while people are served: to another language and back."""

import collections
import json
import os
import pathlib
import re
import secrets
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from billfold import BINARIES, ROOT, Refused, new_id, until, usd
from kiosk import burger_shop
from test_load import Load, captured
from test_metrics import when_all_is_read
from test_routines import created
from test_up import TOO_SLOW, UpSet

# `deploy/test-examples` names the one in Rust.
LOCATION = ("--", *shlex.split(os.environ.get("BILLFOLD_LOCATION", "")
                               or f"{sys.executable} {ROOT / 'deploy' / 'examples' / 'location.py'}"))
NOTIFICATIONS = ("--", sys.executable, str(ROOT / "deploy" / "examples" / "notifications.py"))
HERE = (35_198_284, -111_651_302)
AWAY = (35_228_284, -111_651_302)


@pytest.fixture(scope="module")
def upset():
    made = UpSet()
    try:
        yield made.up()
    finally:
        made.close()


@pytest.fixture(scope="module")
def shop(upset):
    """Whatever the demo makes: a menu, pages, places, offers."""
    return burger_shop(upset)


class Walkers:
    """Customers who walk in and out of a place, each in a thread of its own, and what they were answered."""

    def __init__(self, set, count):
        self.set, self.stopping = set, threading.Event()
        self.last, self.refused, self.moves = {}, [], collections.Counter()
        self.asks = []  # when each move was told, and when it was answered
        self.people = [new_id() for _ in range(count)]
        self.threads = [threading.Thread(target=self.walk, args=(one,), daemon=True) for one in self.people]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        until(lambda: all(self.moves[one] > 3 for one in self.people), "all to walk")
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join(20)

    def walk(self, one):
        with self.set.bus() as bus:
            try:
                bus.ask("location.sharing.set.v1", {"customer": one, "sharing": True})
                while not self.stopping.is_set():
                    step = self.moves[one]
                    latitude, longitude = HERE if step % 2 == 0 else AWAY
                    spot = (latitude + step % 7, longitude)
                    began = time.monotonic()
                    reply = bus.ask("location.position.update.v1", {
                        "customer": one, "latitude": spot[0], "longitude": spot[1]})
                    assert reply["outcome"] == "stored", reply
                    self.asks.append((began, time.monotonic()))
                    self.last[one] = spot
                    self.moves[one] += 1
            except (Refused, AssertionError) as refused:
                self.refused.append(f"{one} after {self.moves[one]}: {refused}")

    def more(self):
        """Waits until everyone has moved on."""
        before = dict(self.moves)
        until(lambda: self.refused or all(self.moves[one] > before[one] + 2 for one in self.people), "all to walk on")
        assert not self.refused, self.refused


def facts(bus, service="location"):
    found = []
    while True:
        page = bus.ask(f"{service}.facts.read.v1", {"after": len(found), "limit": 1000})
        found += page["facts"]
        if len(found) >= page["head"]:
            return found


def readers_are_well(set):
    return set.command("status").returncode == 0


def test_the_state_comes_along_to_another_language_and_back(upset):
    with upset.bus() as bus:
        shop, quiet = new_id(), new_id()
        places = [new_id() for _ in range(30)]

        def put(place, name, latitude):
            bus.ask("location.place.put.v1", {
                "place": place, "merchant": shop, "name": name, "latitude": latitude, "longitude": HERE[1]})

        def known():
            return bus.ask("location.places.read.v1", {"merchant": shop})["places"]

        def spot(customer):
            found = bus.ask("location.position.read.v1", {"customer": customer})
            return found["latitude"], found["longitude"]

        for number, place in enumerate(places):
            put(place, f"Corner {number}", HERE[0] if number == 0 else HERE[0] + 1_000_000 + number)
        bus.ask("location.sharing.set.v1", {"customer": quiet, "sharing": True})
        moment = bus.ask("location.position.update.v1", {"customer": quiet, "latitude": HERE[0], "longitude": HERE[1]})
        assert moment["outcome"] == "stored"
        resting = bus.ask("location.position.read.v1", {"customer": quiet})
        with Walkers(upset, 3) as walkers:
            for words in (LOCATION, ("--back",)):
                walkers.more()
                before, stood = facts(bus), known()
                words = words if words[0] == "--back" else ("--unrehearsed", *words)
                done = upset.billfold("swap", "location", "--take-over", *words)
                assert done.returncode == 0, done
                assert done.stdout.index("whose state it reads") < done.stdout.index("pausing the queue"), done
                walkers.more()
                assert known() == stood
                assert bus.ask("location.position.read.v1", {"customer": quiet}) == resting
                after = facts(bus)
                assert after[:len(before)] == before and len(after) > len(before)
                # What is done in the one is known in the other.
                put(places[len(after) % 30], "Corner renamed", stood[len(after) % 30]["latitude"])
        assert not walkers.refused, walkers.refused
        assert {one: spot(one) for one in walkers.people} == walkers.last
        log = facts(bus)
    assert [int(fact["sequence"]) for fact in log] == list(range(1, len(log) + 1))
    assert len({fact["id"] for fact in log}) == len(log)
    # Each customer comes and goes in turn: no change is told twice, and none is left out.
    for one in [*walkers.people, quiet]:
        events = [fact["type"].split(".")[2] for fact in log
                  if fact["data"].get("customer") == one and fact["data"]["place"] == places[0]]
        assert events == [["entered", "exited"][number % 2] for number in range(len(events))], (one, events)
        if one == quiet:
            assert events == ["entered"]
        else:
            assert len(events) in (walkers.moves[one], walkers.moves[one] - 1), (walkers.moves[one], len(events))
    until(lambda: readers_are_well(upset), "readers to go on")


def test_another_language_takes_over_and_gives_back_while_the_load_goes_on_and_is_proved():
    """Every cent, walk and coupon is as it was answered, whoever has served meanwhile. A set of its own: the load knows its money."""
    loaded = UpSet()
    with loaded.closing():
        loaded.up()
        load = Load(loaded, "--rate", "100", "--mix", "card=6,coupon=2,walk=2", "--duration", "10m", "--warm-up", "0s")
        with loaded.bus() as bus:
            def goes_on(count):
                paid = captured(bus)
                until(lambda: captured(bus) >= paid + count, "payments")

            goes_on(50)
            elsewhere = ("--", "/usr/bin/env", f"BILLFOLD_DATA={loaded.home}/elsewhere", str(BINARIES / "billfold-offers"))
            for service, command in (("location", LOCATION), ("notifications", NOTIFICATIONS), ("offers", elsewhere)):
                for words in (("--unrehearsed", *command), ("--back",)):
                    done = loaded.billfold("swap", service, "--take-over", *words)
                    assert done.returncode == 0, done
                    goes_on(50)
        load.end().passes()
        verified = loaded.billfold("verify")
        assert verified.returncode == 0, verified


MANY = 200_000


def test_many_rows_are_copied_while_asks_are_answered():
    big = UpSet()
    with big.closing():
        big.up()
        assert big.billfold("down").returncode == 0
        with sqlite3.connect(big.data / "location" / "location.sqlite") as database:
            database.executemany(
                "INSERT INTO sharing VALUES (?, ?)", ((secrets.token_bytes(16), 1_700_000_000_000) for _ in range(MANY)))
        database.close()
        big.up()
        with Walkers(big, 3) as walkers:
            for words in (("--unrehearsed", *LOCATION), ("--back",)) * 2:
                for _ in range(3):
                    swap = big.spawn_billfold("swap", "location", "--take-over", *words)
                    times, said = {}, []
                    for line in swap.stdout:
                        said.append(line)
                        times |= {word: time.monotonic() for word in ("state it reads", "pausing the queue") if word in line}
                    if swap.wait() == 0 or not TOO_SLOW.search("".join(said)):
                        break
                assert swap.returncode == 0, said
                answered = [(began, ended) for began, ended in list(walkers.asks)
                            if times["state it reads"] < began and ended < times["pausing the queue"]]
                assert len(answered) > 10, answered
                walkers.more()
        assert not walkers.refused, walkers.refused
        with big.bus() as bus:
            stats = bus.ask("location.stats.read.v1")
        assert {each["name"]: each["value"] for each in stats["metrics"]}["sharing"] == MANY + 3, stats


# It takes over as it should, and then answers one ask wrongly.
WRONG = f"""
import sys
sys.path.insert(0, {str(ROOT / "deploy" / "examples")!r})
import location
location.Whereabouts.places_of = lambda self, merchant: {{"places": "none"}}
"""
KEEPING = "def refuse(self): raise location.Fault('bus.unavailable', 'not again')\nlocation.Source.follow = refuse\n"


def test_a_program_that_fails_its_check_hands_the_state_over_to_the_old_one_again(upset):
    with upset.bus() as bus, Walkers(upset, 2) as walkers:
        bus.ask("location.place.put.v1", {
            "place": new_id(), "merchant": new_id(), "name": "Corner", "latitude": HERE[0], "longitude": HERE[1]})
        until(lambda: facts(bus), "somebody to enter")
        walkers.more()
        done = upset.billfold(
            "swap", "location", "--take-over", "--unrehearsed", "--", sys.executable, "-c", WRONG + "location.main()")
        assert done.returncode == 1 and "takes the state over again" in done.stdout, done
        assert "failed at check" in done.stderr and "the old location serves again" in done.stderr, done
        assert not upset.processes_now()["location"]["swapped"]
        walkers.more()
        # One that does not give the state back keeps the place: it alone has what was done meanwhile.
        kept = upset.billfold(
            "swap", "location", "--take-over", "--unrehearsed", "--", sys.executable, "-c",
            WRONG + KEEPING + "location.main()")
        assert kept.returncode == 1 and "does not hand its state over again" in kept.stderr and "SERVES ON" in kept.stderr, kept
        assert upset.processes_now()["location"]["swapped"]
        walkers.more()
        log = facts(bus)
    assert not walkers.refused, walkers.refused
    assert [int(fact["sequence"]) for fact in log] == list(range(1, len(log) + 1))
    back = upset.billfold("swap", "location", "--back", "--forget", "--unchecked")
    assert back.returncode == 0, back
    # Its log is an older one now.
    until(lambda: not readers_are_well(upset), "the reader of what was forgotten to stop")
    cured = upset.billfold("cure", "offers", "--yes")
    assert cured.returncode == 0, cured
    until(lambda: readers_are_well(upset), "readers to go on")


class Requests:
    """A merchant who asks a customer for a cent all the time, in a thread of its own, is paid each one and pays it back."""

    def __init__(self, set, customer, merchant):
        self.set, self.customer, self.merchant = set, customer, merchant
        self.stopping, self.made, self.refused = threading.Event(), 0, []
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        until(lambda: self.made > 3 or self.refused, "some requests")
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join(20)

    def run(self):
        with self.set.bus() as bus:
            try:
                while not self.stopping.is_set():
                    charge = new_id()
                    bus.ask("payments.charge.request.v1", {
                        "charge": charge, "merchant": self.merchant.account, "customer": self.customer.account,
                        "amount": usd(1), "memo": f"{self.made}"})
                    bus.ask("payments.charge.approve.v1", {
                        "charge": charge, "customer": self.customer.account, "card": self.customer.card, "amount": usd(1)})
                    bus.ask("payments.charge.refund.v1", {
                        "refund": new_id(), "charge": charge, "merchant": self.merchant.account, "amount": usd(1)})
                    self.made += 1
            except Refused as refused:
                self.refused.append(str(refused))

    def more(self):
        before = self.made
        until(lambda: self.refused or self.made > before + 3, "more requests")
        assert not self.refused, self.refused


def test_inboxes_letters_and_registrations_come_along_to_another_language_and_back(upset):
    customer, resting, merchant = upset.customer(), upset.customer(card=False), upset.merchant()
    with upset.bus() as bus:
        def ask(kind, **data):
            return bus.ask(f"notifications.{kind}.v1", data)

        def inbox():
            """Of one who has some notices, and gets no more."""
            read = ask("inbox.read", account=resting.account, limit=100, after=0)
            assert [one["number"] for one in read["notices"]] == [1, 2, 3] and read["head"] == 3, read
            return read

        def letter(notice, text):
            return ask("mail.send", notice=notice, to="ada@example.com", subject="Hello", text=text,
                       expires="2126-01-01T00:00:00.000Z")["replayed"]

        for one in (customer, resting):
            bus.ask("payments.permission.set.v1", {
                "customer": one.account, "merchant": merchant.account, "allowed": True})
        for number in range(3):
            bus.ask("payments.charge.request.v1", {
                "charge": new_id(), "merchant": merchant.account, "customer": resting.account, "amount": usd(100),
                "memo": f"{number}"})
        until(lambda: ask("inbox.read", account=resting.account, limit=1)["head"] == 3, "three notices")
        browser = {"endpoint": new_id(), "account": customer.account, "type": 3, "address": "https://push.example.com/ada",
                   "p256dh": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
                   "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
        hook = {"endpoint": new_id(), "account": merchant.account, "type": 4, "address": "https://shop.example.com/hook"}
        secret = [ask("endpoint.add", **one).get("secret") for one in (browser, hook)][1]
        quiet = {"account": customer.account, "enabled": True, "muted": ["offer"],
                 "quiet": {"from": 1320, "until": 420, "offset": 60, "zone": "Europe/Berlin"}}
        settings = ask("settings.set", **quiet)
        letters = [new_id()]
        assert not letter(letters[0], "from the first")
        with Requests(upset, customer, merchant) as requests:
            for words in (NOTIFICATIONS, ("--back",)):
                requests.more()
                unread = [one for one in inbox()["notices"] if "read" not in one]
                ask("notice.mark", account=resting.account, notice=unread[0]["notice"])
                known, log = inbox(), facts(bus, "notifications")
                words = words if words[0] == "--back" else ("--unrehearsed", *words)
                done = upset.billfold("swap", "notifications", "--take-over", *words)
                assert done.returncode == 0, done
                requests.more()
                assert inbox() == known and known["unread"] == len(unread) - 1
                assert facts(bus, "notifications")[:len(log)] == log
                # A key is known to the next program, and what was sent under it.
                for sent in letters:
                    assert letter(sent, "from the first" if sent == letters[0] else "from the second")
                    with pytest.raises(Refused, match="notifications.id_reused"):
                        letter(sent, "other content")
                letters.append(new_id())
                assert not letter(letters[-1], "from the second")
        made = requests.made
        assert not requests.refused, requests.refused

        def added_to(account):
            return [fact["data"] for fact in facts(bus, "notifications")
                    if fact["type"] == "notifications.notice.added.v1" and fact["data"]["account"] == account]

        for party, kind in ((customer, "request"), (merchant, "payment")):
            def count(party=party, kind=kind):
                return collections.Counter(one["kind"] for one in added_to(party.account))[kind]

            until(lambda count=count: count() >= made, "all notices")
            added = added_to(party.account)
            assert count() == made and len({one["notice"] for one in added}) == len(added)
            assert [one["number"] for one in added] == list(range(1, len(added) + 1))
        assert ask("settings.read", account=customer.account) == settings
        assert [ask("endpoints.read", account=one["account"])["endpoints"][0]["address"] for one in (browser, hook)] == [
            browser["address"], hook["address"]]
        again = ask("endpoint.add", **hook)
        assert again["replayed"] and again["secret"] == secret
        log = facts(bus, "notifications")
    assert [int(fact["sequence"]) for fact in log] == list(range(1, len(log) + 1))
    until(lambda: readers_are_well(upset), "readers to go on")


@pytest.mark.parametrize("command, says", [
    (("/bin/false",), "it ended with status 1 before it had the state"),
    ((str(BINARIES / "billfold-location"),), "it ended with status 1 before it had the state"),
    (("/bin/sh", "-c", "exit 7"), "it ended with status 7"),
])
def test_a_program_that_cannot_take_the_state_is_refused_before_the_pause(upset, command, says):
    """Among them our own on the same file, which has the state already and needs no copy."""
    process = upset.processes_now()["location"]["pid"]
    refused = upset.billfold("swap", "location", "--take-over", "--unrehearsed", "--", *command)
    assert refused.returncode == 1 and says in refused.stderr, refused
    assert "failed at take over" in refused.stderr and "pausing" not in refused.stdout, refused
    assert upset.processes_now()["location"]["pid"] == process


def test_nothing_is_taken_over_while_a_stranger_answers_for_the_new_process(upset, tmp_path):
    said = tmp_path / "stranger.log"
    with open(said, "wb") as log:
        stranger = subprocess.Popen(
            [BINARIES / "billfold-storefront"], stdout=log, stderr=log,
            env={**upset.environment, "BILLFOLD_TAKE_OVER": "1", "BILLFOLD_DATA": str(tmp_path / "stranger")})
    upset.beside.append(stranger)
    process = upset.processes_now()["storefront"]["pid"]
    with upset.bus() as bus:
        until(lambda: bus.ask("broker.workers.read.v1", {"service": "next.storefront"})["workers"], "the stranger")
        command = ("env", f"BILLFOLD_DATA={tmp_path / 'new'}", str(BINARIES / "billfold-storefront"))
        refused = upset.billfold("swap", "storefront", "--take-over", "--unrehearsed", "--", *command)
        assert stranger.poll() is None, said.read_text()
        assert refused.returncode == 1 and f"process {stranger.pid} answers as next.storefront too" in refused.stderr, refused
        assert upset.processes_now()["storefront"]["pid"] == process
        stranger.kill()
        stranger.wait()
        until(lambda: not bus.ask("broker.workers.read.v1", {"service": "next.storefront"})["workers"], "its end")
    for arguments in (("--", *command), ("--back",)):
        swapped = upset.billfold("swap", "storefront", "--take-over", "--unrehearsed", *arguments)
        assert swapped.returncode == 0, swapped


def test_a_state_is_for_services_only(upset):
    with upset.bus() as bus:
        for role in ("customer", "merchant", "administrator"):
            with pytest.raises(Refused, match="bus.forbidden"):
                bus.ask("auth.state.follow.v1", {}, actor=f"{role}:{new_id()}", retry="once")
        followed = bus.ask("location.state.follow.v1", {}, retry="once")
        assert {table["name"] for table in followed["tables"]} >= {"places", "sharing", "visits", "alive", "traces"}
        with pytest.raises(Refused, match="bus.unknown_type"):
            bus.ask("wallet.state.follow.v1", {}, retry="once")


# Not notifications, whose deliveries go on meanwhile.
@pytest.mark.parametrize("service", ["auth", "payments", "location", "offers", "routines", "ordering", "storefront"])
def test_our_own_services_take_over_into_another_file_and_back(upset, shop, service):
    """Their state is copied by the asks: the other one has a directory of its own for data."""
    customer = upset.customer(card=service == "payments")
    if service == "routines":
        created(customer)
    with upset.bus() as bus:
        if service == "payments":
            charge, merchant = new_id(), upset.merchant()
            bus.ask("payments.charge.request.v1", {
                "charge": charge, "merchant": merchant.account, "customer": customer.account, "amount": usd(1), "memo": "Tea"})
            bus.ask("payments.charge.approve.v1", {
                "charge": charge, "customer": customer.account, "card": customer.card, "amount": usd(1)})

        def read(kind, **data):
            return bus.ask(f"{service}.{kind}.v1", data, retry="once" if kind == "state.follow" else "idempotent")

        def rows():
            followed, found = read("state.follow"), {}
            for table in followed["tables"]:
                if table["name"] in ("alive", "traces"):
                    continue  # of the process that runs
                key = [column["name"] for column in table["columns"] if column["isKey"]]
                found[table["name"]], place = {}, {}
                while True:
                    page = read("state.read", copy=followed["copy"], table=table["name"], limit=100, **place)
                    for row in page["rows"]:
                        found[table["name"]][str([row[name] for name in key])] = row
                    place = {"after": page["next"]}
                    if page["isEnd"]:
                        break
            return found

        when_all_is_read(upset)
        before, log = rows(), read("facts.read", after=0, limit=1000)
        assert any(found for name, found in before.items() if name != "cursors"), "there is no state to copy"
        command = ("/usr/bin/env", f"BILLFOLD_DATA={upset.home}/elsewhere", str(BINARIES / f"billfold-{service}"))
        for words in (("--unrehearsed", "--", *command), ("--back",)):
            done = upset.billfold("swap", service, "--take-over", *words)
            assert done.returncode == 0, done
            after = rows()
            # A cursor goes on over facts that change nothing.
            cursors, cursors_before = after.pop("cursors", {}), before.get("cursors", {})
            assert all(cursors[one]["sequence"] >= known["sequence"] for one, known in cursors_before.items())
            assert after == {name: found for name, found in before.items() if name != "cursors"}
            assert read("facts.read", after=0, limit=1000) == log
    assert (upset.home / "elsewhere" / service / f"{service}.sqlite").exists()
    assert (upset.data / service / f"{service}.sqlite.before").exists()


def test_the_program_that_has_the_state_serves_after_a_restart_of_the_set_too():
    """What was done since the take-over is in its store only."""
    own = UpSet()
    try:
        own.up()
        customer = own.customer()
        created(customer, "Walk")
        assert own.billfold("backup", str(own.home / "backup")).returncode == 0
        command = ("/usr/bin/env", f"BILLFOLD_DATA={own.home}/elsewhere", str(BINARIES / "billfold-routines"))
        done = own.billfold("swap", "routines", "--take-over", "--unrehearsed", "--", *command)
        assert done.returncode == 0, done
        # Its store is its own, and no lock of the service's file keeps a backup from being restored below it.
        refused = own.billfold("restore", str(own.home / "backup"), "--only", "routines", "--replace")
        assert refused.returncode == 1 and "a set runs on" in refused.stderr and "nothing was restored" in refused.stderr, refused
        created(customer, "Swim")
        known = customer.insist("GET", "/v1/routines").body
        assert {routine["name"]["text"] for routine in known["routines"]} == {"Walk", "Swim"}
        for how in ("down", "kill -9"):
            if how == "down":
                assert own.billfold("down").returncode == 0
            else:
                supervisor = own.list()["supervisor"]
                os.kill(supervisor, signal.SIGKILL)
                until(lambda: not pathlib.Path(f"/proc/{supervisor}").exists(), "the supervisor to be gone")
            again = own.billfold("up", "-d")
            assert again.returncode == 0, again
            assert "routines is '/usr/bin/env" in again.stdout and "--back --take-over" in again.stdout
            assert customer.insist("GET", "/v1/routines").body == known
        back = own.billfold("swap", "routines", "--back", "--take-over")
        assert back.returncode == 0, back
        assert own.billfold("down").returncode == 0
        again = own.billfold("up", "-d")
        assert again.returncode == 0 and "taken its state over" not in again.stdout, again
        assert customer.insist("GET", "/v1/routines").body == known
        # Given up, it is not started again either.
        shutil.rmtree(own.home / "elsewhere")
        done = own.billfold("swap", "routines", "--take-over", "--unrehearsed", "--", *command)
        assert done.returncode == 0, done
        given_up = own.billfold("swap", "routines", "--back", "--forget", "--unrehearsed")
        assert given_up.returncode == 0 and own.billfold("down").returncode == 0, given_up
        again = own.billfold("up", "-d")
        assert again.returncode == 0 and "taken its state over" not in again.stdout, again
        # A restored file is the description's program's.
        shutil.rmtree(own.home / "elsewhere")
        done = own.billfold("swap", "routines", "--take-over", "--unrehearsed", "--", *command)
        assert done.returncode == 0 and own.billfold("down").returncode == 0, done
        moved = own.billfold("move", "--to", "postgres://nobody@127.0.0.1:1/none")
        assert moved.returncode == 1 and "has taken the state of routines over, so nothing was moved" in moved.stderr, moved
        restored = own.billfold("restore", str(own.home / "backup"), "--replace")
        assert restored.returncode == 0 and "routines: the program of the set's description serves again" in restored.stdout
        own.up()
        assert [one["name"]["text"] for one in customer.insist("GET", "/v1/routines").body["routines"]] == ["Walk"]
        (own.data / "successors.json").write_text("{")
        assert own.billfold("down").returncode == 0
        refused = own.billfold("up", "-d")
        assert refused.returncode != 0 and "successors.json" in refused.stderr and "nothing was started" in refused.stderr
    finally:
        own.close()


@pytest.mark.parametrize("service", [
    "auth", "payments", "location", "offers", "routines", "ordering", "storefront", "notifications"])
def test_its_tables_are_those_of_the_contract(upset, service):
    document = json.loads(upset.command("contracts", "--asyncapi", service).stdout)
    known = document["operations"][f"{service}.state.follow.v1"]["x-billfold-tables"]
    assert f"{service}.takeover.advance.v1" in document["channels"][f"next.{service}"]["messages"]

    def sorted_tables(tables):
        return sorted((table["name"], sorted(tuple(sorted(column.items())) for column in table["columns"])) for table in tables)

    with upset.bus() as bus:
        assert sorted_tables(bus.ask(f"{service}.state.follow.v1", {}, retry="once")["tables"]) == sorted_tables(known)


@pytest.mark.parametrize("service", ["auth", "payments", "notifications"])
def test_every_table_can_be_read(upset, service):
    with upset.bus() as bus:
        followed = bus.ask(f"{service}.state.follow.v1", {}, retry="once")
        for table in followed["tables"]:
            page = bus.ask(f"{service}.state.read.v1", {"copy": followed["copy"], "table": table["name"], "limit": 1000})
            assert not page["removed"] and all(
                set(row) == {column["name"] for column in table["columns"]} for row in page["rows"])
