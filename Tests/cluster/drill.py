"""Runs a cluster, breaks it by a seed or by a scenario, and checks the clients' histories. See `deploy/test-cluster --help`."""

import argparse
import collections
import json
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

from check import findings, operations, summary
from faults import KINDS, PROCESSES, SET_KINDS, Fault, parse, schedule
from hosts import Failed, Lab, until
from model import Model
from parts import DATABASE, ETCD, NATS, Cluster, Settings
from wallet import Wallet
from whole import Whole

HERE = pathlib.Path(__file__).resolve().parent

# Acknowledged writes below which a run says nothing.
LEAST = 100


class Scenario(NamedTuple):
    """Faults that lose or double money without a setting and do nothing with it, and the kind of finding that is then
    expected."""

    seconds: int
    finding: str
    faults: list


SCENARIOS = {
    "fence": Scenario(25, "numbers", ["at 5 stop-wallet leader for 10"]),
    "reads": Scenario(70, "read", ["at 5 stop-patroni primary for 55"]),
    "warning": Scenario(75, "lost", [
        "at 5 cut primary for 60", "at 9 cancel-waits primary", "at 12 cancel-waits primary"]),
    "strict": Scenario(85, "lost", [
        "at 5 cut-replication primary for 28", "at 30 lose-host primary", "at 36 promote standby"]),
    "all-standbys": Scenario(75, "lost", [
        "at 5 cut-etcd standby for 62", "at 7 stop-patroni primary for 58", "at 20 quiet any for 18"]),
}


def say(*words, sep=" "):
    print(*words, sep=sep, flush=True)


class Breaker:
    """Carries out faults. A fault that lasts has an end, which `heal` runs."""

    def __init__(self, cluster, seed):
        self.cluster, self.draw = cluster, random.Random(seed)
        self.heals = {}
        # The hosts as they were before the first fault: a primary that is cut off stays the one that a scenario means.
        self.named = {}

    def target(self, name, part=None):
        """The host that is meant; of a part of the service, among those that run it."""
        cluster = self.cluster
        if name in cluster.hosts:
            return cluster.hosts[name]
        if name == "leader":
            led = cluster.service.leader_of(cluster, part)
            if led and (part is None or part in led.processes):
                return led
        if name in ("leader", "any"):
            return self.draw.choice([each for each in cluster.living() if part is None or part in each.processes])
        if name not in self.named or self.named[name].name in cluster.down or not self.heals:
            primary = cluster.primary()
            if primary is None:
                return self.draw.choice(cluster.living())
            self.named["primary"] = primary
            self.named["standby"] = self.draw.choice(cluster.standbys())
        return self.named[name]

    def begin(self, fault):
        verb, _, part = fault.kind.partition("-")
        if part == "wallet":
            part = self.cluster.service.leading
        deed = {"kill": self.kill, "stop": self.stop}.get(verb)
        if deed and part in (*PROCESSES, self.cluster.service.leading, "patroni"):
            host = self.target(fault.target, part)
        else:
            deed, host = None, self.target(fault.target)
        say(f"  {fault}: {host.name}")
        heal = deed(host, part) if deed else getattr(self, fault.kind.replace("-", "_"))(host, fault)
        if heal and fault.lasting:
            self.heals[fault] = heal
        elif heal:
            heal()

    def heal(self, fault):
        if fault in self.heals:
            self.heals.pop(fault)()

    def others(self, host):
        return [each for each in self.cluster.hosts.values() if each is not host]

    def kill(self, host, part):
        self.cluster.signal(host, part, signal.SIGKILL)

    def stop(self, host, part):
        self.cluster.signal(host, part, signal.SIGSTOP)
        return lambda: self.cluster.signal(host, part, signal.SIGCONT)

    def kill_postgres(self, host, fault):
        self.cluster.signal_postgres(host, signal.SIGKILL, all=False)

    def stop_postgres(self, host, fault):
        self.cluster.signal_postgres(host, signal.SIGSTOP)
        return lambda: self.cluster.signal_postgres(host, signal.SIGCONT)

    def kill_host(self, host, fault):
        self.cluster.kill_host(host)
        return lambda: self.cluster.start_host(host)

    def lose_host(self, host, fault):
        self.cluster.kill_host(host)

    def cut(self, host, fault, incoming=True, outgoing=True, ports=()):
        """Between the host and the other two; the clients reach it all the time."""
        for other in self.others(host):
            if incoming:
                host.refuse(other, ports)
            if outgoing:
                other.refuse(host, ports)
        return lambda: [each.accept_all() for each in self.cluster.hosts.values()]

    def cut_incoming(self, host, fault):
        return self.cut(host, fault, outgoing=False)

    def cut_outgoing(self, host, fault):
        return self.cut(host, fault, incoming=False)

    def cut_etcd(self, host, fault):
        return self.cut(host, fault, ports=ETCD)

    def cut_replication(self, host, fault):
        return self.cut(host, fault, ports=(DATABASE,))

    def cut_nats(self, host, fault):
        return self.cut(host, fault, ports=NATS)

    def slow(self, host, fault):
        host.slow()
        return host.fast

    def fill_disk(self, host, fault):
        host.fill()
        return host.empty

    def clock(self, host, fault):
        self.cluster.set_clock(host, fault.seconds)
        return lambda: self.cluster.set_clock(host, 0)

    def quiet(self, host, fault):
        """Standbys that are equally far may promote one of them; under load each sees the other one ahead."""
        self.cluster.clients.send_signal(signal.SIGSTOP)
        return lambda: self.cluster.clients.send_signal(signal.SIGCONT)

    def cancel_waits(self, host, fault):
        """Cancels each COMMIT that waits for its standby, as a tool that ends long statements does."""
        try:
            said = self.cluster.sql(host, "select count(pg_cancel_backend(pid)) from pg_stat_activity "
                                          "where wait_event = 'SyncRep' and application_name not in ('a', 'b', 'c')")
        except Failed:
            # A primary that has stepped down meanwhile has nothing that waits.
            said = "0"
        say(f"    {said.strip()} waits were cancelled")

    def promote(self, host, fault):
        # Only one whose WAL is not behind the other's is a sensible choice, with or without the setting.
        say("   ", self.cluster.promote(host).strip().splitlines()[-1])


def silence(history, since=0, until=float("inf")):
    """The longest time without an acknowledged write between two times: seconds."""
    times = sorted(each.answered for each in history if each.key and each.outcome == "acknowledged")
    return max((min(after, until) - max(before, since) for before, after in zip(times, times[1:])
                if after > since and before < until), default=0.0)


def starved(history, since, until):
    """How many seconds between two times had less than a tenth of the acknowledged writes that a second usually has."""
    counts = collections.Counter(int(each.answered) for each in history if each.key and each.outcome == "acknowledged")
    usual = statistics.median(counts.values()) if counts else 0
    return sum(counts[second] < usual / 10 for second in range(int(since), int(until)))


def run(lab, options, faults, seconds):
    settings = Settings(options.without)
    began = time.monotonic()
    service = {"model": Model, "wallet": Wallet, "set": lambda: Whole(options.clients)}[options.service]()
    cluster = Cluster(lab, settings, service)
    try:
        cluster.start()
        say(f"started in {time.monotonic() - began:.0f} s; primary {cluster.primary().name}, leader {cluster.leader().name}"
            + (f"; without {options.without}" if options.without else ""))
        history = lab.home / "history"
        front = cluster.front
        clients = front.start(
            "clients", sys.executable, "-B", HERE / "clients.py", history, options.seed, options.clients,
            options.service, *cluster.service.places(cluster))
        cluster.clients = front.processes.pop("clients")
        try:
            begun, missed = break_and_heal(cluster, faults, seconds, options.seed)
            until(cluster.recovered, "the cluster to recover", 120)
            recovered = time.monotonic()
            until(lambda: served_since(history, recovered), "an acknowledged write after the recovery")
            pathlib.Path(f"{history}.end").touch()
            status = clients.wait(60)
        finally:
            if clients.poll() is None:
                clients.kill()
        until(cluster.leader, "a leader after the clients", 60)
        ledger, unsound = cluster.service.ledger(cluster)
        with open(history, encoding="utf-8") as file:
            done = list(operations(file))
        for (at, fault), (end, _) in zip(begun, [*begun[1:], (recovered, None)]):
            say(f"  {silence(done, at, end):5.1f} s without an acknowledged write, {starved(done, at, end):3} s with few: {fault}")
        found = unsound + findings(done, ledger)
        acknowledged = sum(bool(each.key) and each.outcome == "acknowledged" for each in done)
        say(f"{summary(done)}; {len(ledger)} entries; restarts {cluster.restarts or 'none'}; "
            f"longest time without an acknowledged write {silence(done):.1f} s")
        answers = pathlib.Path(f"{history}.answers")
        if answers.exists():
            counts = sorted(json.loads(answers.read_text()).items(), key=lambda each: -each[1])
            say("refused or unanswered:", ", ".join(f"{count} {code}" for code, count in counts) or "none")
        if options.keep:
            with open(pathlib.Path(options.keep) / "ledger", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(each._asdict()) + "\n" for each in ledger)
            (pathlib.Path(options.keep) / "history").write_text(history.read_text())
        say(*(found or ["everything acknowledged is there once, nothing else is, in real-time order"]), sep="\n")
        if status != 0:
            raise Failed(f"the clients ended with {status}: their histories are not whole")
        if acknowledged < LEAST:
            raise Failed(f"{acknowledged} writes were acknowledged, and {LEAST} is the least that says anything")
        if missed:
            raise Failed("not all faults were carried out: " + ", ".join(map(str, missed)))
        return found
    except BaseException:
        for host in lab.hosts.values():
            for log in sorted(host.home.glob("*.log")):
                tail = log.read_text(errors="replace").splitlines()[-6:]
                say(f"-- {host.name} {log.name}", *tail, sep="\n")
        raise
    finally:
        cluster.close()


def served_since(history, since):
    with open(history, encoding="utf-8") as file:
        # The last line may be only half there.
        whole = [line for line in file if line.endswith("\n")]
    return any(each.key and each.outcome == "acknowledged" and each.asked > since for each in operations(whole[-1000:]))


def break_and_heal(cluster, faults, seconds, seed):
    """When each fault was begun, and the faults that could not be begun or ended."""
    begun, missed = [], []
    breaker = Breaker(cluster, seed)
    began = time.monotonic()
    deeds = sorted([(fault.at, 1, fault) for fault in faults] + [(fault.end, 0, fault) for fault in faults if fault.lasting])
    for at, begins, fault in deeds:
        time.sleep(max(0, began + at - time.monotonic()))
        if begins:
            begun.append((time.monotonic(), fault))
        try:
            (breaker.begin if begins else breaker.heal)(fault)
        except (Failed, OSError, subprocess.TimeoutExpired) as error:
            say(f"    could not {'begin' if begins else 'end'} {fault}: {error}")
            missed.append(fault)
    time.sleep(max(0, began + seconds - time.monotonic()))
    return begun, missed


def main():
    parser = argparse.ArgumentParser(prog="deploy/test-cluster", description=(
        "Starts a cluster of three hosts in network namespaces, pays, breaks it, and checks what the clients saw. "
        "Exit status: 0 if there are no findings (with --without: if there are some of the kind that the setting guards "
        "against), 1 if not, 2 if the cluster, the clients or a fault did not do what the run needs."))
    parser.add_argument("--seed", type=int, default=0, help="decides the faults (default: a random one, which is printed)")
    parser.add_argument("--minutes", type=float, default=3, help="how long faults go on (default: 3)")
    parser.add_argument("--fault", action="append", metavar="LINE", help="these instead of the seed's, as they are printed")
    parser.add_argument("--scenario", choices=SCENARIOS, help="the faults for which a safety setting is there")
    parser.add_argument("--without", choices=Settings.NAMES, help="leaves a safety setting out, in its scenario")
    parser.add_argument("--service", choices=("wallet", "set", "model"), help=(
        "what is tested: the wallet by its brokers; the whole set over NATS, with two gateways; or a model of the wallet's leader "
        "that can leave out fence, warning and reads (default: the wallet, or the model for these three)"))
    parser.add_argument("--clients", type=int, default=12, help="(default: 12)")
    parser.add_argument("--keep", metavar="DIRECTORY", help="where history and ledger are written, for check.py")
    options = parser.parse_args()
    options.seed = options.seed or random.SystemRandom().randrange(1, 2**31)
    seconds = int(options.minutes * 60)
    needs_model = options.without in ("fence", "warning", "reads")
    if needs_model and options.service not in (None, "model"):
        parser.error(f"the {options.service} cannot leave out {options.without}: --service model")
    options.service = options.service or ("model" if needs_model else "wallet")
    name = options.scenario or options.without
    try:
        if options.fault:
            faults = [parse(line) for line in options.fault]
        elif name:
            seconds = SCENARIOS[name].seconds
            faults = [parse(line) for line in SCENARIOS[name].faults]
        else:
            faults = schedule(options.seed, seconds, SET_KINDS if options.service == "set" else KINDS)
        seconds = max([seconds, *(fault.end + 1 for fault in faults)])
    except ValueError as error:
        parser.error(str(error))
    say(f"the {options.service}, seed {options.seed}, {len(faults)} faults in {seconds} s")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with Lab() as lab:
            found = run(lab, options, faults, seconds)
    except (Failed, OSError, subprocess.TimeoutExpired) as error:
        say(f"the cluster did not run: {error}")
        return 2
    if options.without:
        return int(not any(line.startswith(SCENARIOS[options.without].finding + ":") for line in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
