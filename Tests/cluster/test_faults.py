"""A seed decides the faults of a run, and a printed fault is read again as it was."""

import pytest

from faults import HOSTS, KINDS, SET_KINDS, Fault, parse, schedule


def test_a_seed_is_one_schedule():
    assert schedule(7, 600) == schedule(7, 600)
    assert schedule(7, 600) != schedule(8, 600)


@pytest.mark.parametrize("seed", range(20))
def test_faults_follow_each_other_and_end_in_time(seed):
    faults = schedule(seed, 300)
    assert len(faults) > 5
    for before, after in zip(faults, faults[1:]):
        assert before.end < after.at
    assert faults[-1].end <= 295


@pytest.mark.parametrize("kinds", [KINDS, SET_KINDS], ids=["wallet", "set"])
def test_in_the_long_run_every_kind_comes(kinds):
    assert {fault.kind for fault in schedule(1, 10_000, kinds)} == set(kinds)


@pytest.mark.parametrize("kinds", [KINDS, SET_KINDS], ids=["wallet", "set"])
@pytest.mark.parametrize("seed", range(10))
def test_a_line_is_the_fault_that_it_was_printed_of(seed, kinds):
    for fault in schedule(seed, 600, kinds):
        assert parse(str(fault)) == fault


@pytest.mark.parametrize("line, why", [
    ("", "a fault is"), ("5 cut a", "a fault is"), ("at 5 melt a", "no fault is called"), ("at 5 cut z", "no host"),
    ("at x cut a", "whole seconds"), ("at 5 cut a until 9", "only 'for' and 'by'"), ("at 5 cut a for", "a fault is"),
])
def test_a_line_that_is_no_fault_is_refused(line, why):
    with pytest.raises(ValueError, match=why):
        parse(line)


def test_a_fault_prints_only_what_it_has():
    assert str(Fault(3, "kill-host", HOSTS[0])) == "at 3 kill-host a"
