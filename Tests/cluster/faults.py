"""Faults as values: drawn from a seed, printed as lines, read again from lines. Nothing here acts."""

import random
from typing import NamedTuple

HOSTS = ("a", "b", "c")
# Seconds between the end of one fault and the beginning of the next: a promotion takes up to 30 s.
PAUSE = (4, 12)

# Each kind with its targets, and how long it lasts in seconds. `primary` is whichever host has PostgreSQL's leader then.
KINDS = {
    "kill-wallet": (("leader", "any"), None),
    "stop-wallet": (("leader", "any"), (2, 14)),
    "kill-postgres": (("primary", "standby"), None),
    "stop-postgres": (("primary", "standby"), (3, 25)),
    "kill-host": (("primary", "standby"), (10, 35)),
    "stop-patroni": (("primary", "standby"), (25, 40)),
    "cut": (("primary", "standby"), (5, 35)),
    "cut-incoming": (("primary", "standby"), (5, 35)),
    "cut-outgoing": (("primary", "standby"), (5, 35)),
    "cut-etcd": (("primary", "standby"), (10, 35)),
    "cut-replication": (("primary", "standby"), (3, 20)),
    "slow": (("primary", "standby"), (5, 20)),
    "fill-disk": (("primary", "standby"), (5, 20)),
    "clock": (("primary", "standby", "leader"), (5, 20)),
}

# Of the whole set: its processes and nats-server too. `leader` is where that service leads.
SERVICES = ("auth", "wallet", "payments", "location", "offers", "routines", "ordering", "storefront", "notifications")
PROCESSES = (*SERVICES, "gateway", "nats")
SET_KINDS = {
    **KINDS,
    "kill-nats": (("any", "leader"), None),
    "stop-nats": (("any", "leader"), (3, 15)),
    "cut-nats": (("any", "leader"), (5, 30)),
    "kill-gateway": (("any",), None),
    "stop-gateway": (("any",), (2, 14)),
    **{f"kill-{name}": (("leader", "any"), None) for name in ("auth", "payments", "offers", "notifications")},
    **{f"stop-{name}": (("leader", "any"), (2, 14)) for name in ("auth", "payments", "offers", "notifications")},
}

# Kinds that only a scenario uses: what an operator or an operator's tool does, a host that never comes back, and a time
# in which nobody asks for anything.
BY_HAND = ("cancel-waits", "lose-host", "promote", "quiet")
EVERY = tuple(dict.fromkeys((
    *SET_KINDS, *BY_HAND, *(f"{verb}-{name}" for verb in ("kill", "stop") for name in PROCESSES))))


class Fault(NamedTuple):
    """`at` and `lasting` are seconds after the start; `seconds` is how far a clock jumps."""

    at: int
    kind: str
    target: str = "primary"
    lasting: int = 0
    seconds: int = 0

    def __str__(self):
        words = [f"at {self.at}", self.kind, self.target]
        if self.lasting:
            words.append(f"for {self.lasting}")
        if self.seconds:
            words.append(f"by {self.seconds}")
        return " ".join(words)

    @property
    def end(self):
        return self.at + self.lasting


def parse(line):
    """A fault from the line that it was printed as. Raises ValueError that says what is wrong."""
    words = line.split()
    if len(words) < 4 or len(words) % 2 or words[0] != "at":
        raise ValueError(f"a fault is 'at SECONDS KIND TARGET [for SECONDS] [by SECONDS]', not {line!r}")
    more = dict(zip(words[4::2], words[5::2]))
    if set(more) - {"for", "by"}:
        raise ValueError(f"only 'for' and 'by' come after the target: {line!r}")
    if words[2] not in EVERY:
        raise ValueError(f"no fault is called {words[2]!r}: {', '.join(EVERY)}")
    if words[3] not in (*HOSTS, "primary", "standby", "leader", "any"):
        raise ValueError(f"no host is called {words[3]!r}: {', '.join(HOSTS)}, primary, standby, leader, any")
    try:
        return Fault(int(words[1]), words[2], words[3], int(more.get("for", 0)), int(more.get("by", 0)))
    except ValueError:
        raise ValueError(f"times are whole seconds: {line!r}") from None


def schedule(seed, seconds, kinds=KINDS):
    """The faults of a run of so many seconds: each ends before the next begins and before the run does."""
    draw = random.Random(seed)
    faults, now = [], 5
    while True:
        kind = draw.choice(list(kinds))
        targets, span = kinds[kind]
        target = draw.choice(targets)
        lasting = draw.randint(*span) if span else 0
        jump = draw.choice((-3600, -40, 40, 3600)) if kind == "clock" else 0
        if now + lasting > seconds - 5:
            return faults
        faults.append(Fault(now, kind, target, lasting, jump))
        now += lasting + draw.randint(*PAUSE)
