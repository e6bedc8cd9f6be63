"""The real wallet as a service of the cluster: a broker and a wallet on each host, one ledger in PostgreSQL."""

import contextlib
import json
import os
import sys
import time
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "process"))

import payments  # noqa: E402
from billfold import BINARIES, SILENT, Bus, Refused, envelope, usd  # noqa: E402
from clients import Answer  # noqa: E402
from hosts import Failed, until  # noqa: E402

# In minor units, on each card. Transfers among the cards keep them from running dry.
OPENING = 1_000_000
MERCHANTS, CUSTOMERS = 3, 10
# After its deadline an ask is refused by the broker, which may take so long. Seconds.
LATE = 0.5


def fixed(name):
    """The same id in the drill and in its clients."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"billfold {name}").hex


# Customers by their cards.
CARDS = {fixed(f"card {number}"): fixed(f"customer {number}") for number in range(CUSTOMERS)}
SHOPS = [fixed(f"merchant {number}") for number in range(MERCHANTS)]


class Link:
    """Asks by way of one host's broker. An answer that comes after its asker gave up is dropped."""

    def __init__(self, run):
        self.bus = Bus(run)

    def send(self, type, data, patience):
        return self.bus.send(envelope(type, data), deadline_ms=int((time.time() + patience) * 1000))

    def answer(self, tag, patience):
        """The answer's envelope; None if none came in time."""
        end = time.monotonic() + patience
        while self.bus.socket.poll(max(0, end - time.monotonic()) * 1000):
            answered, _, body = self.bus.receive()
            if answered == tag:
                return json.loads(body)
        return None

    def ask(self, type, data, patience):
        return self.answer(self.send(type, data, patience), patience + LATE)

    def close(self):
        self.bus.close()


class Door:
    """Asks the wallet over the brokers of all hosts. Every other client stays with the host that answered it last; the
    others ask any host, as with a queue that outlives a leader."""

    ACCOUNTS = [*CARDS, *SHOPS]
    # Of an ask to a host that did not answer the last one: most have no leader. Seconds.
    TRIAL = 0.4

    def __init__(self, places, draw, number, patience):
        """`number` is None for a client that waits for nobody."""
        self.draw, self.patience = draw, patience
        self.stays = number is None or number % 2
        self.links = [Link(place) for place in places]
        self.last = None

    def key(self, client, count):
        return fixed(f"{client} {count}")

    def draft(self):
        """(payer, payee, minor units) of a payment. A shop pays nobody, so what comes to one is little."""
        payer = self.draw.choice(list(CARDS))
        if self.draw.random() < 0.4:
            return payer, self.draw.choice(SHOPS), self.draw.choice((1, 5, 40))
        payee = self.draw.choice([each for each in CARDS if each != payer])
        return payer, payee, self.draw.choice((1, 5, 40, 2_000, 900_000))

    def pay(self, key, payer, payee, minor):
        if payee in CARDS:
            type, data = "wallet.transfer.post.v1", {
                "operation": key, "amount": usd(minor), "memo": key,
                "from": {"party": CARDS[payer], "role": "customer", "card": payer},
                "to": {"party": CARDS[payee], "role": "customer", "card": payee}}
        else:
            type, data = "wallet.payment.post.v1", {
                "payment": key, "customer": CARDS[payer], "card": payer, "merchant": payee,
                "amount": usd(minor), "memo": key}
        answer = self.ask(type, data)
        match self.retry(answer):
            case "none":
                return Answer("acknowledged", answer["data"]["result"]["entry"])
            case "later":
                return Answer("refused")
            case "never" if answer["data"]["code"] == "wallet.insufficient_funds":
                return Answer("refused", poor=True, final=True)
            case "same_key":
                return Answer()
        raise ValueError(f"no answer to a payment: {answer}")

    def read(self, account):
        answer = (self.ask("wallet.card.read.v1", {"customer": CARDS[account], "card": account}) if account in CARDS
                  else self.ask("wallet.account.read.v1", {"merchant": account}))
        match self.retry(answer):
            case "none":
                return answer["data"]["balance"]["amount"]
            case "never":
                raise ValueError(f"no answer to a read: {answer}")
        return None

    @staticmethod
    def retry(answer):
        """`none` for a reply; for a refusal as docs/wire.md has it."""
        if answer is None:
            return "same_key"
        return "none" if answer["type"].endswith(".reply") else answer["data"]["retry"]

    def ask(self, type, data):
        known = self.last is not None and (self.stays or self.draw.random() < 0.5)
        link = self.last if known else self.draw.choice(self.links)
        answer = link.ask(type, data, self.patience if known else self.TRIAL)
        self.last = link if self.retry(answer) in ("none", "never") else None
        return answer


class Wallet:
    """What runs on each host, in the order in which it starts; `leading` is the one of which one leads."""

    name, leading, parts, front_parts, placed = "wallet", "wallet", ("broker", "wallet"), (), {}

    def __init__(self):
        self.links = {}

    def prepare(self, cluster):
        """Before its parts start, on a database without anything."""
        for name in self.parts:
            if not (BINARIES / f"billfold-{name}").exists():
                raise Failed(f"{BINARIES} has no billfold-{name}: build it, or name its directory by BILLFOLD_BIN")
        key = cluster.lab.home / "card-number.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)

    def command(self, cluster, host, part):
        """The wallet prefers the PostgreSQL of its own host: the hardest case when that one is no longer the primary."""
        hosts = ",".join(each.address for each in cluster.hosts_from(host))
        return [BINARIES / f"billfold-{part}"], None, {
            **cluster.clock_of(host), "BILLFOLD_RUN": str(self.run(host)), "BILLFOLD_DATA": str(host.disk / "billfold"),
            "BILLFOLD_STORE": f"postgres://postgres@{hosts}/postgres", "BILLFOLD_OPENING_BALANCE": str(OPENING),
            "BILLFOLD_CARD_KEY_FILE": str(cluster.lab.home / "card-number.key"), "BILLFOLD_LOG_FORMAT": "text"}

    @staticmethod
    def run(host):
        return host.home / "run"

    def places(self, cluster):
        """The arguments of clients.py."""
        return [self.run(host) for host in cluster.hosts.values()]

    def link(self, host):
        if host.name not in self.links:
            self.links[host.name] = Link(self.run(host))
        return self.links[host.name]

    def leader(self, cluster):
        """The host whose wallet answers, as only a leader does; None if there is none."""
        asked = [(host, self.link(host)) for host in cluster.living()]
        tags = [(host, link, link.send("wallet.account.read.v1", {"merchant": SHOPS[0]}, 1)) for host, link in asked]
        end = time.monotonic() + 1
        while time.monotonic() < end:
            for host, link, tag in tags:
                if Door.retry(link.answer(tag, 0.02)) in ("none", "never"):
                    return host
        return None

    recovered = leader

    def leader_of(self, cluster, part):
        """Only one kind of process leads here."""
        return self.leader(cluster)

    def open(self, cluster):
        """Once there is a leader: its accounts."""
        for shop in SHOPS:
            self.insist(cluster, "wallet.account.open.v1", {"merchant": shop})
        for number, (card, customer) in enumerate(CARDS.items()):
            self.insist(cluster, "wallet.card.add.v1", {
                "card": card, "customer": customer, "number": f"{number:016}", "code": "00000000"})

    def insist(self, cluster, type, data):
        def done():
            host = cluster.leader()
            answer = self.link(host).ask(type, data, 2) if host else None
            if Door.retry(answer) == "never":
                raise Failed(f"{type} was refused: {answer}")
            return Door.retry(answer) == "none"
        until(done, f"an answer to {type}", 30)

    def ledger(self, cluster):
        """The ledger's entries, and what its own check finds. Healed hosts may depose a leader once more meanwhile."""
        def read():
            host = cluster.leader()
            if host is None:
                return None
            with Bus(self.run(host)) as bus:
                try:
                    facts = bus.facts("wallet")
                    _, problems = bus.verify_ledger()
                    return facts, [f"verify: {problem}" for problem in problems]
                except Refused:
                    return None
                except AssertionError as error:
                    return None if str(error) == SILENT else (facts, [f"verify: {error}"])
        facts, found = until(read, "the ledger to be read and verified", 120)
        return payments.ledger(facts), found

    def close(self):
        for link in self.links.values():
            with contextlib.suppress(OSError):
                link.close()
