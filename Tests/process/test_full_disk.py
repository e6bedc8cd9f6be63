"""A disk without room: what would be written is refused at once and said aloud, and goes on when there is room again."""

import itertools
import json
import os
import subprocess

import pytest

from billfold import OWNERS, Set, new_key, until


@pytest.fixture(scope="module")
def small():
    """A set whose data is on a disk of 40 MB."""
    made = Set()
    made.data.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", made.data], capture_output=True, text=True)
    if mounted.returncode != 0:
        made.close()
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield made.start().await_health()
    finally:
        made.stop()
        subprocess.run(["umount", made.data], check=True)
        made.close()


def fill(path):
    """Takes all the room that is left."""
    with open(path, "wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    ballast.write(bytes(size))
            except OSError:
                os.fsync(ballast.fileno())


def refusing(client):
    """The services that say that their disk takes nothing, once all say something."""
    def told():
        lines = client.get("/metrics").raw.decode().splitlines()
        values = [line for line in lines if line.startswith("billfold_store_refusing{")]
        return values if len(values) == len(OWNERS) else None

    values = until(told, "all to say something")
    return {line.split('service="')[1].split('"')[0] for line in values if line.endswith(" 1")}


def lines(set, service, words):
    return [entry for entry in map(json.loads, set.log(service).splitlines()) if words in entry["message"]]


def test_a_full_disk_refuses_at_once_and_goes_on_by_itself(small):
    payer, merchant = small.customer(), small.merchant()
    payer.paid(merchant, 100)
    assert refusing(payer) == set()
    ballast = small.data / "ballast"
    fill(ballast)

    def refused():
        # The log that the store writes ahead may have room of its own left.
        answer = payer.pay(merchant, 1)
        return answer if answer.status != 201 else None

    until(refused, "the wallet to refuse")
    before, key = payer.balance, new_key()
    for _ in range(20):
        answer = payer.pay(merchant, 1, key=key)
        # With a time to come again the bus does not ask again and again until the deadline.
        assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "bus.unavailable", "5"), answer
        assert answer.body["retry"] == "same_key"
    assert payer.balance == before
    # Figures are read once a second.
    until(lambda: "wallet" in refusing(payer), "the wallet to say that it refuses")
    said = lines(small, "wallet", "the disk takes no data")
    assert len(said) == 1 and said[0]["level"] == "error" and "Make room" in said[0]["message"]
    assert said[0]["file"].endswith("ledger.sqlite")

    ballast.unlink()
    # Nobody has to write for that to be noticed.
    until(lambda: refusing(payer) == set(), "the disk to be taken for usable again")
    assert len(lines(small, "wallet", "the disk takes data again")) == 1
    paid = payer.pay(merchant, 1, key=key)
    assert paid.status == 201 and not paid.replayed, paid
    assert payer.balance == before - 1
    small.all_run()
    small.await_health()


def test_so_does_every_service_that_writes(small):
    payer = small.customer()
    ballast = small.data / "ballast"
    # What it read of the wallet's facts may have found the disk full in the test before.
    earlier = len(lines(small, "payments", "the disk takes no data"))
    fill(ballast)
    try:
        switched = itertools.cycle([False, True])

        def refused():
            answer = payer.put("/v1/settings/payments", {"enabled": next(switched)})
            return answer if answer.status != 200 else None

        answer = until(refused, "payments to refuse")
        assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "bus.unavailable", "5"), answer
        until(lambda: "payments" in refusing(payer), "payments to say that it refuses")
        told = lines(small, "payments", "the disk takes no data")[earlier:]
        assert [entry["level"] for entry in told] == ["error"]
    finally:
        ballast.unlink()
    until(lambda: refusing(payer) == set(), "the disk to be taken for usable again")
    assert payer.put("/v1/settings/payments", {"enabled": True}).status == 200
    small.all_run()


def test_what_is_there_can_be_read_after_a_restart_too(small):
    payer, merchant = small.customer(), small.merchant()
    paid = payer.paid(merchant, 100)
    before = payer.balance
    # Each writes what is left of its log at its end, for which there is room still.
    ballast = small.data / "ballast"
    for name in OWNERS:
        assert small.stop(name) == {name: 0}
    fill(ballast)
    try:
        for name in OWNERS:
            small.start(name)
        until(lambda: payer.get("/v1/cards/default").status == 200, "the wallet to answer")
        assert payer.balance == before
        until(lambda: payer.get("/v1/charges/" + paid["charge"]).status == 200, "payments to answer")
        until(lambda: payer.pay(merchant, 1).status == 503, "the wallet to refuse")
        before = payer.balance

        # A ledger that was killed has rows to write before it can be read. The log may have room of its own for them.
        small.kill("wallet")
        small.start("wallet")
        ledger = small.processes["wallet"]
        until(lambda: ledger.poll() is not None or payer.get("/v1/cards/default").status == 200, "the wallet to say something")
        if ledger.poll() is not None:
            assert "ledger.sqlite cannot be opened" in small.log("wallet") and "make room" in small.log("wallet")
    finally:
        ballast.unlink()
    if ledger.poll() is not None:
        small.start("wallet")
    small.await_health()
    assert payer.balance == before
    small.all_run()
