"""A ledger in partitions, as a value: what a payment, a transfer between partitions and a payout do, and where load
falls.

Each partition has one writer. A customer belongs to the partition of its hash; a merchant has a sub-account in each. A
payment is one commit of one partition. A transfer to a customer of another partition is two: the first books into a
transit account and numbers a fact, the second applies that fact by its number. The number is in the same commit as the
entries, so a fact that comes twice is applied once. No commit spans partitions.
"""

import hashlib
import itertools
import random
from collections import defaultdict
from typing import NamedTuple


class Refused(Exception):
    pass


class Transfer(NamedTuple):
    """A fact of the partition that the money leaves; `number` grows by one for each pair of partitions."""

    number: int
    source: int
    target: int
    account: str
    minor: int


def home(customer, partitions):
    """The partition of a customer: a hash that no process's seed changes."""
    return int.from_bytes(hashlib.blake2b(customer.encode(), digest_size=8).digest(), "big") % partitions


class Partition:
    """One writer's accounts, log of transfers and cursors. Each method is one commit: everything or nothing."""

    def __init__(self, number, partitions):
        self.number, self.partitions = number, partitions
        self.balances = defaultdict(int)
        self.sent = defaultdict(list)
        self.applied = defaultdict(int)
        self.keys = {}
        self.commits = 0

    def pay(self, key, customer, merchant, minor):
        """From a customer of this partition to the merchant's sub-account here."""
        return self._once(key, (customer, merchant, minor), lambda: self._move(customer, f"merchant:{merchant}", minor))

    def send(self, key, account, target, to, minor):
        """From an account of this partition to an account of another: into transit, with a fact."""
        def change():
            self._move(account, f"transit:to:{target}", minor)
            log = self.sent[target]
            log.append(Transfer(len(log) + 1, self.number, target, to, minor))

        return self._once(key, (account, target, to, minor), change)

    def apply(self, fact):
        """A fact of another partition. One that was applied is nothing; one whose predecessor is missing is refused."""
        if fact.number <= self.applied[fact.source]:
            return False
        if fact.number != self.applied[fact.source] + 1:
            raise Refused(f"fact {fact.number} of {fact.source} comes after {self.applied[fact.source]}")
        # This side of transit goes below zero: it is what the other side has taken in.
        self.balances[f"transit:from:{fact.source}"] -= fact.minor
        self.balances[fact.account] += fact.minor
        self.applied[fact.source] = fact.number
        self.commits += 1
        return True

    def facts_for(self, target, after):
        return self.sent[target][after:]

    def _move(self, source, target, minor):
        if minor <= 0:
            raise Refused("an amount is above zero")
        if not source.startswith("issuer") and self.balances[source] < minor:
            raise Refused(f"{source} has {self.balances[source]}, not {minor}")
        self.balances[source] -= minor
        self.balances[target] += minor

    def _once(self, key, content, change):
        if key in self.keys:
            if self.keys[key] != content:
                raise Refused(f"{key} was used for something else")
            return False
        change()
        self.keys[key] = content
        self.commits += 1
        return True


class Ledger:
    def __init__(self, count):
        self.partitions = [Partition(number, count) for number in range(count)]

    def of(self, customer):
        return self.partitions[home(customer, len(self.partitions))]

    def load(self, key, customer, minor):
        partition = self.of(customer)
        return partition._once(key, (customer, minor), lambda: partition._move("issuer", customer, minor))

    def transfer(self, key, customer, to, minor):
        source, target = self.of(customer), self.of(to)
        if source is target:
            return source._once(key, (customer, to, minor), lambda: source._move(customer, to, minor))
        return source.send(key, customer, target.number, to, minor)

    def gather(self, key, merchant, into):
        """Brings a merchant's sub-accounts together, as a payout needs. What arrives later waits for the next time."""
        name = f"merchant:{merchant}"
        for partition in self.partitions:
            if partition.number != into and partition.balances[name] > 0:
                partition.send(f"{key}:{partition.number}", name, into, name, partition.balances[name])

    def deliver(self, draw=None):
        """Each pair of partitions reads on, in any order; with `draw`, some not at all and some once more."""
        pairs = list(itertools.permutations(self.partitions, 2))
        if draw:
            draw.shuffle(pairs)
        for source, target in pairs:
            after = target.applied[source.number]
            if draw and draw.random() < 0.3:
                continue
            if draw and after and draw.random() < 0.3:
                after -= 1
            for fact in source.facts_for(target.number, after):
                target.apply(fact)

    def balance(self, account):
        return sum(partition.balances[account] for partition in self.partitions)

    def under_way(self):
        """Minor units that have left one partition and not reached the other."""
        return sum(
            fact.minor for source, target in itertools.permutations(self.partitions, 2)
            for fact in source.facts_for(target.number, target.applied[source.number]))

    def findings(self):
        """Statements that have to hold at any time, whatever is under way, and do not."""
        found = []
        for partition in self.partitions:
            if sum(partition.balances.values()) != 0:
                found.append(f"partition {partition.number} has a sum of {sum(partition.balances.values())}")
            for account, minor in partition.balances.items():
                if minor < 0 and not account.startswith(("issuer", "transit:from:")):
                    found.append(f"{account} of partition {partition.number} has {minor}")
        transit = sum(minor for partition in self.partitions for account, minor in partition.balances.items()
                      if account.startswith("transit:"))
        if transit != self.under_way():
            found.append(f"transit has {transit}, and {self.under_way()} is under way")
        return found


def busiest(seed, partitions, by, payments=20_000, customers=100_000, merchants=1_000, hottest=0.3):
    """The share of all commits that the busiest writer has, 1/partitions at best.

    `hottest` is the first merchant's share of payments. `by` is "customer" (as here: one commit a payment) or
    "merchant" (the money has to reach the merchant's home: a commit there, and one more where the customer is
    elsewhere).
    """
    draw = random.Random(seed)
    commits = [0] * partitions
    for _ in range(payments):
        customer = home(f"customer:{draw.randrange(customers)}", partitions)
        merchant = 0 if draw.random() < hottest else draw.randrange(merchants)
        commits[customer] += 1
        if by == "merchant":
            target = home(f"merchant:{merchant}", partitions)
            if target != customer:
                commits[target] += 1
    return max(commits) / payments
