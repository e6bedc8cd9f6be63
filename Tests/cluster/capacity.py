"""What a number of hosts carries, on paper: processor, the ledger's writers, network and disk; which of them ends
first.

    capacity.py    the table of docs/scale.md
"""

from typing import NamedTuple

# Microseconds of processor per payment over HTTP, from docs/performance.md: one host, ZeroMQ, SQLite.
GATEWAY, BROKER, PAYMENTS, WALLET, OFFERS, NOTIFICATIONS = 28, 6.1, 23, 21, 3.4, 2.5
# Of PostgreSQL's processes, per payment over the bus, from the same page: the sessions of wallet, payments and offers.
LEDGER_SESSION, PAYMENTS_SESSION, OFFERS_SESSION = 15.2, 9.0, 3.6
# The part of the services' that any number of replicas shares.
SHARED = GATEWAY + BROKER + PAYMENTS + OFFERS + NOTIFICATIONS


class Assumed(NamedTuple):
    """Assumptions about several hosts, not measured yet. Replace each by its measurement."""

    cores: int = 8
    # The share of a resource at which it is called full: beyond it, waiting grows faster than the load.
    full: float = 0.7
    # Each of two standbys: µs of processor a payment, for the ledger and for the other services' rows.
    standby: float = 12.0
    # The most payments in a group, and one synchronous commit to two other hosts: seconds.
    group: int = 256
    commit: float = 0.003
    # Bytes: the ledger and its receipts on each of three disks a payment; WAL to two standbys; a request and its asks.
    stored: int = 920
    wal: int = 2_500
    messages: int = 6_000
    # 10 Gbit/s.
    network: float = 1.25e9


class Carried(NamedTuple):
    hosts: int
    partitions: int
    limits: dict

    @property
    def first(self):
        return min(self.limits, key=self.limits.get)

    @property
    def rate(self):
        return self.limits[self.first]


def carried(hosts, partitions=1, logs=1, assumed=Assumed()):
    """Payments a second by each limit. A partition's database is on three hosts, its primaries spread evenly.

    `logs` is how many logs of facts the payments service has: one, or one for each partition.
    """
    if hosts < 3 or not 1 <= partitions <= 4 * hosts:
        raise ValueError("a cluster has three hosts or more, and at most four partitions for each host")
    copies = LEDGER_SESSION + PAYMENTS_SESSION + OFFERS_SESSION + 2 * 2 * assumed.standby
    per_core = assumed.full * 1e6
    # A group is decided, written through one session and committed before the next one.
    ledger = WALLET + LEDGER_SESSION + assumed.commit * 1e6 / assumed.group
    return Carried(hosts, partitions, {
        "processor": hosts * assumed.cores * per_core / (SHARED + WALLET + copies),
        "ledger": partitions * per_core / ledger,
        # The row lock that numbers a log's facts is held until the commit: one group at a time, by whichever replica.
        "numbers": logs * assumed.full * assumed.group / assumed.commit,
        "network": min(
            partitions * assumed.full * assumed.network / (2 * assumed.wal),
            hosts * assumed.full * assumed.network / assumed.messages),
    })


def days_until_full(carried, terabytes=4.0, day=0.15, assumed=Assumed()):
    """Days until disks are full at 80 %, if the mean of a day is `day` of the peak that the hosts carry."""
    disks = min(carried.hosts, 3 * carried.partitions)
    return 0.8 * terabytes * 1e12 * disks / (3 * carried.rate * day * assumed.stored * 86_400)


ROWS = ((3, 1, 1), (3, 9, 1), (9, 1, 1), (9, 27, 1), (9, 27, 27), (30, 1, 1), (30, 90, 90))


def table():
    """Lines of Markdown; rates in thousands of payments a second."""
    lines = ["| hosts | partitions | logs | processor | ledger | numbers | network "
             "| ends first | disks full after |",
             "|" + 9 * "---|"]
    for hosts, partitions, logs in ROWS:
        each = carried(hosts, partitions, logs)
        limits = " | ".join(f"{limit / 1000:,.0f}" for limit in each.limits.values())
        lines.append(f"| {hosts} | {partitions} | {logs} | {limits} | {each.first}: {each.rate / 1000:,.0f} "
                     f"| {days_until_full(each):,.0f} days |")
    return lines


if __name__ == "__main__":
    print("\n".join(table()))
