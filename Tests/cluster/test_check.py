"""The check of histories finds each kind of error, and nothing in histories that are right."""

import json
import random

import pytest

from check import Entry, Operation, entries, findings, main, operations


def wrote(key, asked, answered, outcome="acknowledged", client="c1", account="x", minor=1, number=0):
    return Operation(client, asked, answered, outcome, key, {account: minor}, number)


def saw(value, asked, answered, client="r1", account="x"):
    return Operation(client, asked, answered, "acknowledged", saw={account: value})


def ledger(*keys, account="x", minor=1):
    return [Entry(number, key, {account: minor}) for number, key in enumerate(keys, 1)]


def kinds(history, entries):
    return [line.split(":")[0] for line in findings(history, entries)]


def test_a_right_history_has_no_findings():
    history = [wrote("a", 0, 1, number=1), saw(1, 2, 3), wrote("b", 2, 5, number=2), saw(2, 6, 7)]
    assert findings(history, ledger("a", "b")) == []


def test_an_acknowledged_write_that_is_not_there_is_lost():
    assert kinds([wrote("a", 0, 1), wrote("b", 2, 3)], ledger("a")) == ["lost"]


def test_a_write_that_is_there_twice_is_doubled():
    assert kinds([wrote("a", 0, 1)], ledger("a", "a")) == ["doubled"]


def test_a_repeat_with_the_same_key_is_one_write():
    assert findings([wrote("a", 0, 1, "unknown"), wrote("a", 2, 3, number=1)], ledger("a")) == []


def test_one_key_that_is_answered_with_two_numbers_is_found():
    assert kinds([wrote("a", 0, 1, number=1), wrote("a", 2, 3, number=2)], ledger("a")) == ["number"]


@pytest.mark.parametrize("there", [["a"], []])
def test_an_unknown_write_may_be_there_or_not(there):
    assert findings([wrote("a", 0, 1, "unknown")], ledger(*there)) == []


def test_an_unknown_write_is_not_there_twice():
    assert kinds([wrote("a", 0, 1, "unknown")], ledger("a", "a")) == ["doubled"]


def test_a_refused_write_is_not_there():
    assert kinds([wrote("a", 0, 1, "refused")], ledger("a")) == ["refused"]


def test_a_refusal_after_an_unknown_ask_proves_nothing():
    assert findings([wrote("a", 0, 1, "unknown"), wrote("a", 2, 3, "refused")], ledger("a")) == []


def test_nothing_is_there_after_a_final_refusal():
    final = wrote("a", 2, 3, "refused")._replace(final=True)
    assert kinds([wrote("a", 0, 1, "unknown"), final], ledger("a")) == ["refused"]
    assert findings([wrote("a", 0, 1, "unknown"), final], ledger()) == []


def test_what_nobody_asked_for_is_found_unless_it_was_given():
    assert kinds([], ledger("a")) == ["foreign"]
    assert findings([], [Entry(1, "opening", {"x": 5}, True)]) == []


def test_another_amount_or_account_is_found():
    assert kinds([wrote("a", 0, 1, minor=2)], ledger("a")) == ["changed"]
    assert kinds([wrote("a", 0, 1, account="y")], ledger("a")) == ["changed"]


def test_an_answer_with_another_number_is_found():
    assert kinds([wrote("a", 0, 1, number=7)], ledger("a")) == ["number"]


def test_numbers_of_the_ledger_grow():
    twice = [Entry(2, "a", {"x": 1}), Entry(2, "b", {"x": 1})]
    assert kinds([wrote("a", 0, 5), wrote("b", 0, 5)], twice) == ["numbers"]


def test_real_time_order():
    one_after_the_other = [wrote("a", 0, 1), wrote("b", 2, 3)]
    assert kinds(one_after_the_other, ledger("b", "a")) == ["order"]
    at_once = [wrote("a", 0, 3), wrote("b", 2, 5)]
    assert findings(at_once, ledger("b", "a")) == []


def test_an_unknown_write_that_is_there_does_not_stand_before_what_was_answered_earlier():
    assert kinds([wrote("a", 0, 1), wrote("b", 2, 3, "unknown")], ledger("b", "a")) == ["order"]
    late = [wrote("b", 0, 1, "unknown"), wrote("a", 2, 3)]
    assert findings(late, ledger("a", "b")) == []


def test_a_read_that_misses_what_was_acknowledged_is_stale():
    assert kinds([wrote("a", 0, 1), saw(0, 2, 3)], ledger("a")) == ["read"]
    assert findings([wrote("a", 0, 5), saw(0, 2, 3)], ledger("a")) == []


def test_a_read_sees_nothing_that_was_asked_later():
    assert kinds([saw(1, 0, 1), wrote("a", 2, 3)], ledger("a")) == ["read"]


def test_a_read_that_saw_what_is_not_in_the_ledger():
    assert kinds([saw(1, 0, 1), wrote("a", 0, 1, "unknown")], []) == ["read"]


def test_reads_do_not_go_back():
    pending = wrote("a", 0, 9)
    assert findings([pending, saw(0, 1, 2), saw(1, 3, 4)], ledger("a")) == []
    assert kinds([pending, saw(1, 1, 2), saw(0, 3, 4)], ledger("a")) == ["read"]


def test_a_read_of_two_accounts_saw_one_prefix():
    transfer = [Entry(1, "open", {"x": 10}, True), Entry(2, "t", {"x": -4, "y": 4})]
    asked = Operation("c", 0, 9, "acknowledged", "t", {"x": -4, "y": 4})
    torn = Operation("r", 1, 2, "acknowledged", saw={"x": 6, "y": 0})
    whole = torn._replace(saw={"x": 6, "y": 4})
    assert kinds([asked, torn], transfer) == ["read"]
    assert findings([asked, whole], transfer) == []


def test_a_refusal_for_lack_of_money_is_a_read():
    opened = [Entry(1, "open", {"x": 10}, True), Entry(2, "a", {"x": 5})]
    topped_up = wrote("a", 0, 1, minor=5)
    refused = Operation("c", 2, 3, "refused", "b", {"x": -12}, below={"x": 12})
    assert kinds([topped_up, refused], opened) == ["read"]
    assert findings([topped_up, refused._replace(below={"x": 20}, moves={"x": -20})], opened) == []


def test_a_value_that_comes_back_is_found_at_its_later_place():
    up_and_down = [Entry(1, "a", {"x": 1}), Entry(2, "b", {"x": -1})]
    history = [wrote("a", 0, 1), wrote("b", 2, 3, minor=-1), saw(0, 4, 5)]
    assert findings(history, up_and_down) == []


def test_many_findings_of_one_kind_are_counted():
    found = findings([wrote(f"k{n}", n, n + 0.5) for n in range(30)], [], most=5)
    assert len(found) == 6 and "25 more" in found[-1]


@pytest.mark.parametrize("seed", range(40))
def test_made_histories_are_right_until_one_thing_is_changed(seed):
    """A ledger that really was written in order, with overlapping clients; then one entry is lost, doubled or moved."""
    draw = random.Random(seed)
    history, entries, time, sums = [], [], 0.0, {"x": 0, "y": 0}
    for number in range(1, 200):
        time += draw.random()
        account = draw.choice("xy")
        entry = Entry(number, f"k{number}", {account: draw.randint(1, 9)})
        asked, answered = time - draw.random() * 3, time + draw.random() * 3
        outcome = "unknown" if draw.random() < 0.2 else "acknowledged"
        if outcome == "acknowledged" or draw.random() < 0.5:
            entries.append(entry)
            sums[account] += entry.moves[account]
        history.append(Operation(f"c{number}", asked, answered, outcome, entry.key, entry.moves))
        read = draw.choice("xy")
        history.append(
            Operation("r", time - draw.random(), time + draw.random(), "acknowledged", saw={read: sums[read]}))
    draw.shuffle(history)
    assert findings(history, entries) == []
    sure = {each.key: each for each in history if each.outcome == "acknowledged" and each.key}
    place = next(place for place, entry in enumerate(entries) if place > 50 and entry.key in sure)
    lost = entries[:place] + entries[place + 1:]
    assert "lost" in kinds(history, lost)
    assert "doubled" in kinds(history, entries + [entries[place]._replace(number=1000)])
    moved = [entry._replace(number=at) for at, entry in enumerate(lost[:10] + [entries[place]] + lost[10:], 1)]
    assert "order" in kinds(history, moved)


def test_the_command_reads_lines_and_says_how_it_ends(tmp_path, capsys):
    (tmp_path / "ledger").write_text("".join(json.dumps(each._asdict()) + "\n" for each in ledger("a")))
    (tmp_path / "history").write_text(json.dumps(wrote("a", 0, 1)._asdict()) + "\n")
    assert main([str(tmp_path / "ledger"), str(tmp_path / "history")]) == 0
    assert "1 acknowledged" in capsys.readouterr().out
    (tmp_path / "ledger").write_text("")
    assert main([str(tmp_path / "ledger"), str(tmp_path / "history")]) == 1
    assert "lost: a" in capsys.readouterr().out
    assert main([]) == 64


def test_an_outcome_that_is_none_is_refused():
    with pytest.raises(ValueError, match="an outcome is one of"):
        list(operations([json.dumps(wrote("a", 0, 1, "perhaps")._asdict())]))


def test_lines_of_a_ledger():
    assert entries(['{"number": 1, "key": "a", "moves": {"x": 1}}']) == ledger("a")
