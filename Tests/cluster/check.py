"""Checks histories that outside clients wrote against the ledger that is there afterwards.

A history is a list of operations, the ledger a list of entries in their order. `findings` names every statement that
does not hold:

- An acknowledged write is in the ledger once, as it was asked and under the number that was answered.
- A write that was only refused is not there, nor one whose refusal was final. An unknown one is there once or not at all.
  Nothing else is there.
- Real-time order: a write that was answered before another was asked stands before it.
- Each read saw the sums of one prefix of the ledger, which contains all that was answered before the read was asked.

    check.py LEDGER HISTORY…    files of JSON lines; exit status 1 if there are findings
"""

import bisect
import json
import sys
from collections import defaultdict
from typing import NamedTuple

OUTCOMES = ("acknowledged", "refused", "unknown")


class Operation(NamedTuple):
    """`asked` and `answered` are seconds of one clock that nobody sets. An unknown operation may still take effect
    later.

    A write has `key` and `moves` (minor units by account); `number` if its answer named one. A read, and a refusal for
    lack of money, has `saw`: account to value. A refusal has `below`: the account had less than that. It is `final` if
    it was recorded under the key, so that nothing can move under that key any more.
    """

    client: str
    asked: float
    answered: float
    outcome: str
    key: str = ""
    moves: dict = {}
    number: int = 0
    saw: dict = {}
    below: dict = {}
    final: bool = False


class Entry(NamedTuple):
    """One change of the ledger. `given` entries were there before the clients began, or are no client's: unless a history
    has their key."""

    number: int
    key: str
    moves: dict
    given: bool = False


def operations(lines):
    for line in lines:
        operation = Operation(**json.loads(line))
        if operation.outcome not in OUTCOMES:
            raise ValueError(f"an outcome is one of {', '.join(OUTCOMES)}: {line.strip()}")
        yield operation


def entries(lines):
    return [Entry(**json.loads(line)) for line in lines]


def findings(history, ledger, most=20):
    """Sentences that begin with their kind; at most so many of each. Empty if everything holds."""
    found = defaultdict(list)
    history = list(history)
    positions = _places(history, ledger, found)
    _order(history, positions, found)
    _reads(history, ledger, positions, found)
    return [line for kind in found.values() for line in (*kind[:most], *_more(kind, most))]


def _more(kind, most):
    return [f"… and {len(kind) - most} more of this kind"] if len(kind) > most else []


def _places(history, ledger, found):
    """Position by key of what stands in the ledger (1 is the first); finds what is lost, doubled, changed or
    nobody's."""
    positions, last, claimed = {}, None, {operation.key for operation in history}
    for position, entry in enumerate(ledger, 1):
        if last is not None and entry.number <= last:
            found["numbers"].append(f"numbers: entry {entry.number} comes after {last}")
        last = entry.number
        if entry.given and entry.key not in claimed:
            continue
        if entry.key in positions:
            found["doubled"].append(f"doubled: {entry.key} is there as {entry.number} and before")
        else:
            positions[entry.key] = position
    writes = defaultdict(list)
    for operation in history:
        if operation.key:
            writes[operation.key].append(operation)
    for key, position in positions.items():
        entry = ledger[position - 1]
        if key not in writes:
            found["foreign"].append(f"foreign: entry {entry.number} ({key}) was asked by nobody")
        elif any(each.final for each in writes[key]) or all(each.outcome == "refused" for each in writes[key]):
            found["refused"].append(f"refused: {key} was refused and is there as {entry.number}")
    for key, asks in writes.items():
        for ask in asks:
            if key not in positions:
                if ask.outcome == "acknowledged":
                    found["lost"].append(f"lost: {key} was acknowledged at {ask.answered:.3f} to {ask.client}")
                continue
            entry = ledger[positions[key] - 1]
            if ask.moves != entry.moves:
                found["changed"].append(f"changed: {key} asked for {ask.moves} and moved {entry.moves}")
            if ask.outcome == "acknowledged" and ask.number and ask.number != entry.number:
                found["number"].append(f"number: {key} was answered as {ask.number} and is there as {entry.number}")
    return positions


def _order(history, positions, found):
    """A write that was answered before another was first asked has the smaller position."""
    asked, answered = {}, {}
    for operation in history:
        key = operation.key
        if key not in positions:
            continue
        asked[key] = min(asked.get(key, operation.asked), operation.asked)
        if operation.outcome == "acknowledged":
            answered[key] = min(answered.get(key, operation.answered), operation.answered)
    ends = sorted((at, key) for key, at in answered.items())
    highest, next_end, by = 0, 0, ""
    for at, key in sorted((at, key) for key, at in asked.items()):
        while next_end < len(ends) and ends[next_end][0] < at:
            before = ends[next_end][1]
            if positions[before] > highest:
                highest, by = positions[before], before
            next_end += 1
        if positions[key] < highest:
            found["order"].append(f"order: {key} was asked after {by} was answered and stands before it")


def _reads(history, ledger, positions, found):
    """Gives each read the first prefix that it can have seen, in the order in which reads were asked."""
    sums = _sums(ledger)
    reads = sorted((each for each in history if (each.saw or each.below) and each.outcome != "unknown"),
                   key=lambda each: each.asked)
    ends = sorted((each.answered, positions[each.key]) for each in history
                  if each.key in positions and each.outcome == "acknowledged")
    starts = {}
    for each in history:
        if each.key in positions:
            starts[each.key] = min(starts.get(each.key, each.asked), each.asked)
    # The first position among writes that were asked at or after a time: no read that ended before it may have seen it.
    begins = sorted((at, positions[key]) for key, at in starts.items())
    first_after = [len(ledger) + 1] * (len(begins) + 1)
    for index in range(len(begins) - 1, -1, -1):
        first_after[index] = min(first_after[index + 1], begins[index][1])
    times = [at for at, _ in begins]
    lowest, next_end, seen, next_seen = 0, 0, [], 0
    for read in reads:
        while next_end < len(ends) and ends[next_end][0] < read.asked:
            lowest = max(lowest, ends[next_end][1])
            next_end += 1
        # Reads that ended before this one began; there are as many as clients among those that did not.
        waiting = []
        for at, position in seen:
            if at < read.asked:
                lowest = max(lowest, position)
            else:
                waiting.append((at, position))
        seen = waiting
        limit = first_after[bisect.bisect_right(times, read.answered)] - 1
        position = _first(sums, read, lowest, min(limit, len(ledger)))
        if position is None:
            what = f"saw {read.saw}" if read.saw else f"was refused for having less than {read.below}"
            found["reads"].append(
                f"read: {read.client} {what} at {read.asked:.3f} to {read.answered:.3f}: "
                f"no prefix from {lowest} to {min(limit, len(ledger))} is so")
        else:
            seen.append((read.answered, position))


def _sums(ledger):
    """For each account the positions at which it changes, and its value from there on."""
    sums = defaultdict(lambda: ([0], [0]))
    for position, entry in enumerate(ledger, 1):
        for account, move in entry.moves.items():
            at, values = sums[account]
            at.append(position)
            values.append(values[-1] + move)
    return sums


def _first(sums, read, lowest, highest):
    """The first prefix from `lowest` to `highest` in which all that the read saw is so; None if there is none."""
    position = lowest
    while position <= highest:
        later = position
        for account in {**read.saw, **read.below}:
            at, values = sums[account]
            index = bisect.bisect_right(at, position) - 1
            while index < len(at) and not _fits(read, account, values[index]):
                index += 1
            if index == len(at):
                return None
            later = max(later, at[index])
        if later == position:
            return position
        position = later
    return None


def _fits(read, account, value):
    return value == read.saw.get(account, value) and (account not in read.below or value < read.below[account])


def summary(history):
    counts = {outcome: 0 for outcome in OUTCOMES}
    reads = 0
    for operation in history:
        if operation.key:
            counts[operation.outcome] += 1
        else:
            reads += operation.outcome == "acknowledged"
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + f", {reads} reads"


def main(arguments):
    if len(arguments) < 2:
        print(__doc__.strip().splitlines()[-1].strip(), file=sys.stderr)
        return 64
    with open(arguments[0], encoding="utf-8") as file:
        ledger = entries(file)
    history = []
    for name in arguments[1:]:
        with open(name, encoding="utf-8") as file:
            history += operations(file)
    found = findings(history, ledger)
    print(summary(history) + f"; {len(ledger)} entries")
    print("\n".join(found) if found else "everything acknowledged is there once, nothing else is, in real-time order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
