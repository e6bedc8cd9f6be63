"""Outside clients pay over HTTP while processes of one host are killed and frozen; their histories fit the ledger."""

import random
import time

import pytest

import payments
from billfold import NAMES, SEED, Set, until
from check import findings, summary

SECONDS = 14
# Long enough that asks in flight pass their deadline, short enough that the set recovers in time: seconds.
FROZEN = (0.3, 2.5)


@pytest.fixture
def billset():
    made = Set().start()
    try:
        yield made.await_health()
    finally:
        statuses = made.close()
    assert set(statuses.values()) == {0}, statuses


def break_processes(billset, draw, seconds):
    """Kills or freezes one process after the other; each is started again at once. First it kills the gateway, which leaves
    clients without an answer, and the wallet."""
    end = time.monotonic() + seconds
    done = []
    sure = ["gateway", "wallet"]
    names = draw.sample(NAMES, len(NAMES))
    while time.monotonic() < end:
        name = sure.pop(0) if sure else names.pop(0) if names else draw.choice(NAMES)
        if len(done) < 2 or draw.random() < 0.7:
            billset.kill(name)
            billset.start(name)
            done.append(f"kill {name}")
        else:
            with billset.frozen(name):
                time.sleep(draw.uniform(*FROZEN))
            done.append(f"freeze {name}")
        time.sleep(draw.uniform(0.2, 0.9))
    return done


def test_histories_fit_the_ledger_whatever_is_killed(billset):
    draw = random.Random(SEED)
    merchants = [billset.merchant(pin="4711") for _ in range(2)]
    customers = [billset.customer() for _ in range(6)]
    clients = [
        payments.Client(person, [other for other in customers if other is not person], merchants, draw.randrange(2**31))
        for person in (*customers, *merchants)]
    done = []
    history = payments.run(clients, SECONDS, lambda: done.extend(break_processes(billset, draw, SECONDS - 3)))
    billset.await_health()
    with billset.bus() as bus:
        ledger = payments.ledger(until(lambda: bus.facts("wallet"), "the wallet's facts"))
        bus.check_ledger()
    print(f"seed {SEED}: {', '.join(done)}; {summary(history)}; {len(ledger)} entries")
    assert findings(history, ledger) == [], f"seed {SEED}: {done}"

    outcomes = {operation.outcome for operation in history}
    assert {"acknowledged", "unknown"} <= outcomes, summary(history)
    # The history says enough to notice what it has to notice.
    sure = next(place for place, entry in enumerate(ledger)
                if any(each.key == entry.key and each.outcome == "acknowledged" for each in history))
    assert any(line.startswith("lost") for line in findings(history, ledger[:sure] + ledger[sure + 1:]))
