"""Outside clients of a set with several gateways: who has no answer from one, or none but that it cannot serve, asks another."""

import collections
import http.client
import json
import random
import time

import payments
from billfold import Client, Person, new_id, new_key, registration
from check import Operation

# Seconds that a client waits for a gateway: longer than one waits for a service. And one that finds out how long nobody serves.
PATIENCE, SHORT = 20, 1
# The most seconds between two operations of one person, and between two that come anew.
PAUSE, NEWCOMERS_PAUSE = 0.2, 3.0


class Doors:
    """The gateways, in the place of a test's own set: `HOST:PORT` each."""

    gateways = 0

    def __init__(self, places, draw, patience=PATIENCE):
        self.places, self.draw, self.patience = places, draw, patience
        self.chosen = draw.choice(places)

    def address(self):
        """Every client comes from the address of its host."""
        return ""

    def connection(self, _):
        return http.client.HTTPConnection(self.chosen, timeout=self.patience)

    def choose_another(self):
        self.chosen = self.draw.choice([each for each in self.places if each != self.chosen] or self.places)


class Visitor(Person):
    """A person who repeats at another gateway what one did not answer, as those who call `request` ask again."""

    def request(self, *arguments, **options):
        try:
            answer = super().request(*arguments, **options)
        except (OSError, http.client.HTTPException):
            self.leave()
            raise
        if answer.status >= 500:
            self.leave()
        return answer

    def leave(self):
        self.close()
        self.set.choose_another()

    def twin(self):
        return self.known(self.set, self.kept())

    def kept(self):
        """What brings the person back in another process, without another registration."""
        return {name: getattr(self, name, None) for name in ("role", "username", "account", "token", "card", "pin")}

    @classmethod
    def known(cls, doors, kept):
        person = cls.__new__(cls)
        Client.__init__(person, doors)
        person.__dict__.update(kept)
        return person


class Newcomer(payments.Client):
    """Comes to the set while it is broken, again and again as somebody else: registers, adds a card, and pays once.

    Each step is repeated until its answer is final or the clients end.
    """

    def __init__(self, doors, merchants, seed, history):
        super().__init__(Visitor.known(doors, {}), [], merchants, seed, history)
        self.doors, self.ended = doors, lambda: False

    def run(self, until):
        self.ended = until
        while not until():
            self.come()
            end = time.monotonic() + self.draw.random() * NEWCOMERS_PAUSE
            while time.monotonic() < end and not until():
                time.sleep(0.05)

    def come(self):
        name = f"n{new_id()[:12]}"
        self.person = person = Visitor.known(self.doors, {
            "role": "customer", "username": name, "pin": "4711", "card": None, "account": None})
        secret = {"username": name, "password": Person.PASSWORD}
        made = self.insist("POST", "/v1/customers", registration("customer", name), new_key(), 201)
        begun = made and self.insist("POST", "/v1/sessions", secret, None, 201)
        if not begun:
            return
        person.account, person.token = made["account"], begun["token"]
        pin = {"password": Person.PASSWORD, "pin": person.pin}
        asked = time.monotonic()
        card = {"number": f"{self.draw.randrange(10**16):016}", "code": "12345678"}
        if (self.insist("PUT", "/v1/pin", pin, None, 204) is not None
                and self.insist("POST", "/v1/pin/verifications", {"pin": person.pin}, None, 200) is not None
                and (added := self.insist("POST", "/v1/cards", card, new_key(), 201))):
            person.card = added["card"]
            self.history.append(Operation(
                name, asked, time.monotonic(), "acknowledged", person.card,
                {person.card: added["balance"]["amount"]}))
            self.pay()

    def insist(self, method, path, body, key, wanted):
        """The answer's body; None if the clients ended before there was one. Any final refusal is a defect of the set."""
        while not self.ended():
            answer = self.ask(self.person, method, path, body, key)
            if answer is not None and answer.is_final:
                # Asked for the second time, it may be said to be made before.
                if answer.status not in (wanted, 200):
                    raise AssertionError(f"{method} {path}: {answer.status} {answer.raw[:300]}")
                return answer.body or {}
            self.wait()
        return None


def clients(people, places, seed, write):
    """All of them, from the file that `whole.Whole` wrote. `write` takes each `Operation`."""
    with open(people, encoding="utf-8") as file:
        known = json.load(file)

    class History:
        append = staticmethod(write)

    def doors(name, patience=PATIENCE):
        return Doors(places, random.Random(f"{seed}:{name}"), patience)

    merchants = [Visitor.known(doors(each["username"]), each) for each in known["merchants"]]
    customers = [Visitor.known(doors(each["username"]), each) for each in known["customers"]]
    # They do not wait: they find out how long nobody is served.
    short = [Visitor.known(doors(each["username"], SHORT), each) for each in known["impatient"]]
    coupons = [tuple(each) for each in known["coupons"]]
    made = []
    for number, person in enumerate((*customers, *merchants, *short)):
        draw = random.Random(f"{seed}:{number}")
        made.append(payments.Client(
            person, [each for each in customers if each.account != person.account], merchants, draw.random(), History(),
            draw.sample(coupons, len(coupons)) if person in customers else (), PAUSE))
    return made + [Newcomer(doors(f"new {number}"), merchants, f"{seed}:{number}", History()) for number in range(2)]


def answers(clients):
    """How often each code came that was no success."""
    return sum((each.answers for each in clients), collections.Counter())
