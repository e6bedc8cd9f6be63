"""The whole set as a service of the cluster: two processes of each service over NATS and PostgreSQL, two gateways."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "process"))

import payments  # noqa: E402
from billfold import BINARIES, NAMES, OWNERS, ROOT, Administrator, new_key  # noqa: E402
from hosts import Failed, until  # noqa: E402
from visitors import Doors, Visitor  # noqa: E402

HTTP = 8080
MERCHANTS, IMPATIENT, COUPONS = 3, 2, 8
# In minor units, on each card: some customers run dry, and are refused.
OPENING = 3_000
KEYS = {"auth": "AUTH", "wallet": "CARD", "payments": "CODE", "notifications": "VAPID"}
# A clock that jumps must not end a session. Nobody is rejected for the pace of a test.
SETTINGS = {
    "BILLFOLD_MERCHANT_APPROVAL": "automatic", "BILLFOLD_CHARGE_PRESENCE": "optional", "BILLFOLD_PIN_MINUTES": "1440",
    "BILLFOLD_SESSION_MINUTES": "43200", "BILLFOLD_TRIES_PER_ADDRESS": "60000", "BILLFOLD_CHARGES_WAITING": "10000",
    "BILLFOLD_CHARGES_UNPAID": "1000000", "BILLFOLD_OPENING_BALANCE": str(OPENING), "BILLFOLD_LOG_FORMAT": "text"}


def placement():
    """The hosts of each process, as `deploy/cluster` has them; in the order in which they start."""
    pairs = re.findall(r"^  ([a-z]+)-([abc]):", (ROOT / "deploy/cluster/compose.yml").read_text(), re.MULTILINE)
    placed = {name: [letter for part, letter in pairs if part == name] for name in NAMES}
    return {name: letters for name, letters in placed.items() if letters}


PLACED = placement()


class Root(Administrator, Visitor):
    def register(self):
        """`Whole.open` has made the account."""


class Whole:
    """What runs on each host, in the order in which it starts; `leading` is the one whose leader a fault may mean."""

    name, leading, front_parts = "set", "wallet", ()
    placed = PLACED
    parts = tuple(PLACED)

    def __init__(self, customers):
        self.customers = customers

    def prepare(self, cluster):
        """Before its parts start, on a database without anything."""
        for name in (*(f"billfold-{name}" for name in self.parts), "billfold"):
            if not (BINARIES / name).exists():
                raise Failed(f"{BINARIES} has no {name}: build it, or name its directory by BILLFOLD_BIN")
        for name in KEYS:
            path = self.key(cluster, name)
            path.write_bytes(os.urandom(32))
            path.chmod(0o600)

    def key(self, cluster, name):
        return cluster.lab.home / f"{name}.key"

    def bus(self, cluster, host=None):
        """The settings of a process that asks; that of a host names its own server first."""
        hosts = cluster.hosts_from(host) if host else cluster.hosts.values()
        return {"BILLFOLD_BUS": "nats://" + ",".join(f"{each.address}:4222" for each in hosts)}

    def store(self, cluster, host):
        """The database; a process prefers that of its own host, the hardest case when it is no longer the primary."""
        hosts = ",".join(each.address for each in cluster.hosts_from(host))
        return f"postgres://postgres@{hosts}/postgres"

    def command(self, cluster, host, part):
        own = {f"BILLFOLD_{KEYS[part]}_KEY_FILE": str(self.key(cluster, part))} if part in KEYS else {}
        if part == "gateway":
            own["BILLFOLD_HTTP"] = f"{host.address}:{HTTP}"
        else:
            own["BILLFOLD_STORE"] = self.store(cluster, host)
        return [BINARIES / f"billfold-{part}"], None, {
            **cluster.clock_of(host), **SETTINGS, **self.bus(cluster, host), **own,
            "BILLFOLD_RUN": str(host.home / "run"), "BILLFOLD_DATA": str(host.disk / "billfold")}

    def gateways(self, cluster):
        return [f"{host.address}:{HTTP}" for host in cluster.hosts_of("gateway")]

    def people(self, cluster):
        return cluster.lab.home / "people"

    def places(self, cluster):
        """The arguments of clients.py."""
        return [self.people(cluster), *self.gateways(cluster)]

    # Questions.

    def leader(self, cluster):
        return self.leader_of(cluster, self.leading)

    def leader_of(self, cluster, part):
        """The host whose process of a service has its lead, as the primary sees it; None if there is none. What has no leader goes by
        the wallet's."""
        host = cluster.primary()
        if host is None:
            return None
        part = part if part in OWNERS else self.leading
        try:
            said = cluster.sql(host, "select host(client_addr) from pg_stat_activity join pg_locks using (pid) where "
                                     f"locktype = 'advisory' and granted and application_name = 'billfold {part}'")
        except (Failed, subprocess.TimeoutExpired):
            return None
        return next((each for each in cluster.living() if each.address == said.strip()), None)

    def health(self, cluster):
        """By gateway: the status and what it says of the services."""
        return {place: cluster.get(place, "/health", patience=5) for place in self.gateways(cluster)}

    def recovered(self, cluster):
        return all(status == 200 for status, _ in self.health(cluster).values())

    def billfold(self, cluster, *arguments, input=None):
        """Runs the command in the clients' place."""
        return subprocess.run(
            ["ip", "netns", "exec", cluster.front.space, BINARIES / "billfold", *map(str, arguments)],
            env={**os.environ, **self.bus(cluster), "BILLFOLD_RUN": str(cluster.front.home / "run")}, capture_output=True,
            text=True, timeout=120, **({"stdin": subprocess.DEVNULL} if input is None else {"input": input}))

    # Deeds.

    def open(self, cluster):
        """Once there is a leader: people, and coupons that each customer may use once."""
        until(lambda: self.recovered(cluster), "all services to be healthy", 60)
        made = self.billfold(cluster, "administrator", "root", input=Visitor.PASSWORD + "\n")
        if made.returncode != 0:
            raise Failed(f"no administrator: {made.stderr}")
        with cluster.front.entered():
            def doors():
                return Doors(self.gateways(cluster), random.Random(1))

            root = Root(doors(), "administrator", "root", None)
            merchants = [Visitor(doors(), "merchant") for _ in range(MERCHANTS)]
            customers = [Visitor(doors(), "customer").with_card() for _ in range(self.customers + IMPATIENT)]
            coupons = [(merchants[number % MERCHANTS].account, self.coupon(merchants[number % MERCHANTS], root))
                       for number in range(COUPONS)]
            for customer in customers:
                for merchant in merchants:
                    self.insist(customer, "PUT", f"/v1/subscriptions/{merchant.account}", {"ads": True, "coupons": True})
            for person in (root, *merchants, *customers):
                person.close()
        self.people(cluster).write_text(json.dumps({
            "merchants": [each.kept() for each in merchants], "coupons": coupons,
            "customers": [each.kept() for each in customers[IMPATIENT:]],
            "impatient": [each.kept() for each in customers[:IMPATIENT]]}))

    def coupon(self, merchant, root):
        form = {"kind": "coupon", "title": "Half price", "content": "All day", "discount": {"percent": 50}}
        offer = self.insist(merchant, "POST", "/v1/offers", form)["offer"]
        self.insist(root, "POST", f"/v1/offers/{offer}/approval")
        return offer

    @staticmethod
    def insist(person, method, path, body=None):
        answer = person.insist(method, path, body, key=new_key())
        if answer.status >= 300:
            raise Failed(f"{method} {path} was refused: {answer.status} {answer.raw[:300]}")
        return answer.body

    def ledger(self, cluster):
        """The ledger's entries, and what `billfold verify` finds."""
        facts = self.facts(cluster, "wallet")
        owners = [json.loads(each)["data"]["customer"] for each in facts
                  if json.loads(each)["type"] == "wallet.card.added.v1"]
        found = [f"doubled: customer {owner} has two cards" for owner in sorted(set(owners)) if owners.count(owner) > 1]
        return payments.ledger(facts), found + self.verify(cluster)

    def facts(self, cluster, source):
        """All facts of a source, as JSON."""
        facts = []

        def page():
            asked = json.dumps({"after": len(facts), "limit": 1000})
            done = self.billfold(cluster, "call", f"{source}.facts.read.v1", asked, "--json", "--unmasked")
            return json.loads(done.stdout) if done.returncode == 0 else None

        while True:
            read = until(page, f"the facts of {source}", 120)
            facts += map(json.dumps, read["facts"])
            if len(facts) >= read["head"]:
                return facts

    def verify(self, cluster):
        def verified():
            done = self.billfold(cluster, "verify", "--json")
            # 0 and 1 say something of the money.
            return done if done.returncode in (0, 1) else None

        said = json.loads(until(verified, "the set to be verified", 120).stdout)
        return [f"verify: {each['question']}: {line}" for each in said["checks"] if not each["passed"]
                for line in each["findings"]]

    def close(self):
        """Lets go of what it holds."""
