"""The table of docs/scale.md is what the model says, and the model's costs are those that were measured."""

import pathlib
import re

import pytest

from capacity import Assumed, carried, days_until_full, table
import capacity

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def test_the_page_has_the_table():
    page = (DOCS / "scale.md").read_text()
    assert "\n".join(table()) in page


def test_costs_are_those_of_the_page_on_performance():
    page = (DOCS / "performance.md").read_text()
    head = next(line for line in page.splitlines() if re.match(r"\| +\| load \| gateway", line))
    row = next(line for line in page.splitlines() if line.startswith("| pay now over HTTP |"))
    costs = dict(zip(map(str.strip, head.split("|")), map(str.strip, row.split("|"))))
    for name in ("gateway", "broker", "payments", "wallet", "offers", "notifications"):
        assert float(costs[name]) == getattr(capacity, name.upper()), name
    sessions = re.search(r"wallet's session takes ([\d.]+) µs.*?payments ([\d.]+).*?offers ([\d.]+)", page, re.DOTALL)
    assert tuple(map(float, sessions.groups())) == (
        capacity.LEDGER_SESSION, capacity.PAYMENTS_SESSION, capacity.OFFERS_SESSION)


def test_hosts_add_processor_and_partitions_add_writers():
    one, more, parted = carried(3), carried(9), carried(9, 27, 27)
    assert more.limits["processor"] == pytest.approx(3 * one.limits["processor"])
    assert more.limits["ledger"] == one.limits["ledger"]
    assert parted.limits["ledger"] == pytest.approx(27 * one.limits["ledger"])
    assert more.first == "ledger" and parted.first == "processor"


def test_one_log_of_payments_ends_before_the_processor_of_many_hosts():
    assert carried(9, 18, 1).first == "numbers"
    assert carried(30, 60, 1).rate == carried(9, 18, 1).rate


def test_a_slow_network_and_slow_commits_end_first():
    assert carried(9, 18, 18, Assumed(network=1.25e8)).first == "network"
    assert carried(3, 1, 1, Assumed(commit=0.05)).first == "ledger"


@pytest.mark.parametrize("hosts, partitions", [(2, 1), (3, 0), (3, 13)])
def test_what_is_no_cluster_is_refused(hosts, partitions):
    with pytest.raises(ValueError, match="three hosts or more"):
        carried(hosts, partitions)


def test_a_disk_that_holds_half_as_much_is_full_in_half_the_time():
    assert days_until_full(carried(3), terabytes=2) == pytest.approx(days_until_full(carried(3), terabytes=4) / 2)
