"""What the disk takes by itself. On a shared machine that may differ by a factor of fifty between minutes."""

import os
import statistics
import time
from contextlib import contextmanager

PAGE = 4096


@contextmanager
def scratch(folder):
    path = f"{folder}/probe"
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        yield file
    finally:
        os.close(file)
        os.unlink(path)


def fdatasync_micros(folder, times=100):
    """The median time in which 4 KiB become durable."""
    with scratch(folder) as file:
        taken = []
        for index in range(times):
            os.pwrite(file, bytes([index]) * PAGE, index % 64 * PAGE)
            start = time.monotonic_ns()
            os.fdatasync(file)
            taken.append((time.monotonic_ns() - start) / 1000)
        return statistics.median(taken)


def syncs_at(rate, seconds, folder):
    """Payments at this rate for a service that does nothing but sync: all that are due are written together, three pages
    whatever their number, and have their answer when these are durable. Latency counts from when each was due."""
    groups = 341
    with scratch(folder) as file:
        # It has its length already, as the wallet's log: what is synced is data.
        os.pwrite(file, bytes(groups * 3 * PAGE), 0)
        os.fsync(file)
        start, done, syncs, latencies = time.monotonic(), 0, 0, []
        while done < rate * seconds:
            now = time.monotonic() - start
            due = min(int(now * rate) + 1, int(rate * seconds) + 1)
            if due == done:
                time.sleep(max(0, done / rate - now))
                continue
            os.pwrite(file, os.urandom(3 * PAGE), syncs % groups * 3 * PAGE)
            os.fdatasync(file)
            end = time.monotonic() - start
            latencies += [1e6 * (end - each / rate) for each in range(done, due)]
            done, syncs = due, syncs + 1
    hundredths = statistics.quantiles(latencies, n=100)
    return {"p99Micros": hundredths[98], "p50Micros": hundredths[49], "perSecond": done / (time.monotonic() - start)}
