"""Money stays whole over partitions without a commit that spans two, and a hot merchant is no hot writer."""

import pathlib
import random

import pytest

from partitions import Ledger, Refused, Transfer, busiest, home

PEOPLE = [f"customer:{number}" for number in range(40)]


def opened(count):
    ledger = Ledger(count)
    for person in PEOPLE:
        ledger.load(f"open:{person}", person, 1000)
    return ledger


def of_two_partitions(ledger):
    first = PEOPLE[0]
    return first, next(person for person in PEOPLE if ledger.of(person) is not ledger.of(first))


@pytest.mark.parametrize("count", [1, 2, 3, 9])
@pytest.mark.parametrize("seed", range(8))
def test_money_is_whole_at_every_step(seed, count):
    draw = random.Random(seed)
    ledger = opened(count)
    refused = 0
    for step in range(600):
        person, other = draw.sample(PEOPLE, 2)
        merchant, minor = draw.randrange(3), draw.randint(1, 400)
        try:
            match draw.randrange(6):
                case 0 | 1:
                    ledger.of(person).pay(f"pay:{step}", person, merchant, minor)
                case 2 | 3:
                    ledger.transfer(f"transfer:{step}", person, other, minor)
                case 4:
                    ledger.deliver(draw)
                case 5:
                    ledger.gather(f"payout:{step}", merchant, draw.randrange(count))
        except Refused:
            refused += 1
        assert ledger.findings() == []
    assert refused > 0
    ledger.deliver()
    assert ledger.under_way() == 0
    assert ledger.findings() == []
    held = sum(map(ledger.balance, PEOPLE)) + sum(ledger.balance(f"merchant:{number}") for number in range(3))
    assert held == 1000 * len(PEOPLE)


def test_a_transfer_is_under_way_and_then_there_once():
    ledger = opened(2)
    source, target = of_two_partitions(ledger)
    assert ledger.transfer("t", source, target, 300)
    assert (ledger.balance(source), ledger.balance(target), ledger.under_way()) == (700, 1000, 300)
    assert not ledger.transfer("t", source, target, 300)
    ledger.deliver()
    ledger.deliver()
    assert (ledger.balance(source), ledger.balance(target), ledger.under_way()) == (700, 1300, 0)


def test_a_key_with_other_content_is_refused():
    ledger = opened(2)
    source, target = of_two_partitions(ledger)
    ledger.transfer("t", source, target, 300)
    with pytest.raises(Refused, match="used for something else"):
        ledger.transfer("t", source, target, 301)


def test_a_fact_that_comes_twice_is_applied_once_and_none_is_skipped():
    target = Ledger(2).partitions[1]
    first, second, third = (Transfer(number, 0, 1, "customer:x", 5) for number in (1, 2, 3))
    assert target.apply(first)
    assert not target.apply(first)
    with pytest.raises(Refused, match="comes after 1"):
        target.apply(third)
    assert target.apply(second)
    assert target.balances["customer:x"] == 10


def test_findings_notice_money_that_is_made_and_transit_that_is_lost():
    ledger = opened(2)
    ledger.partitions[0].balances["customer:made"] += 1
    assert any("sum of 1" in line for line in ledger.findings())
    ledger = opened(2)
    source, target = of_two_partitions(ledger)
    ledger.transfer("t", source, target, 300)
    ledger.of(source).sent[ledger.of(target).number].clear()
    assert ledger.findings() == ["transit has 300, and 0 is under way"]


def test_a_customers_partition_is_fixed():
    assert [home(f"customer:{number}", 9) for number in range(6)] == [0, 1, 0, 4, 4, 8]


@pytest.mark.parametrize("count", [3, 9, 30])
def test_a_hot_merchant_is_no_hot_writer(count):
    """By customers each writer has its share; by merchants, the writer of the hot one has that merchant's too."""
    even = busiest(1, count, "customer")
    assert even < 1.2 / count
    assert busiest(1, count, "merchant") > max(0.3, 1.8 * even)


def test_the_page_has_these_shares():
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/scale.md").read_text()
    for count in (3, 9, 30):
        shares = [f"{busiest(1, count, by, hottest=hottest):.3f}"
                  for hottest in (0, 0.3) for by in ("customer", "merchant")]
        assert f"| {count} | {1 / count:.3f} | {shares[0]}, {shares[1]} | {shares[2]}, {shares[3]} |" in page
