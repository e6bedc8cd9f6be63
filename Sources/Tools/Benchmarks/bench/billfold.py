"""Our own side: a set of processes, and the figures that are measured against it."""

import http.client
import json
import os
import time
from contextlib import ExitStack, contextmanager

from children import Failed, await_fact, directory, free_port, last_line, output, running


class BillfoldSet:
    """The processes of a set that is up. Made by `billfold_set`."""

    def __init__(self, program, services, run, addresses, log):
        self.program, self.services, self.run, self.log = program, services, run, log
        # The first gateway is asked where one is enough.
        self.addresses, self.address = addresses, addresses[0]
        self.processes = {}
        self.seconds_to_health = None

    def is_healthy(self):
        for service, child in self.processes.items():
            if child.poll() is not None:
                with open(self.log, errors="replace") as log:
                    raise Failed(f"{service} has ended: {last_line(log.read())}")
        return all(self.health(address) == 200 for address in self.addresses)

    def health(self, address):
        """The status of a gateway's /health; None while nobody listens."""
        connection = http.client.HTTPConnection(address, timeout=5)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def memory(self):
        """Resident memory in MiB, by process."""
        return {service: resident_mib(child.pid) for service, child in self.processes.items()}

    def bench(self, seconds, *arguments):
        """One figure of billfold-bench."""
        return own_bench(
            self.program, self.run, seconds, *arguments, "--run", self.run, "--processes", self.process_ids())

    def load(self, seconds, *arguments, patience=300):
        """What `billfold load` says of a run, as a figure. A run whose money is wrong is a failure."""
        run = self.load_run(seconds, *arguments, patience=patience)
        latency = run["overall"]["latency"]
        return {
            "perSecond": run["overall"]["okPerSecond"], "count": run["overall"]["ok"],
            **{name: latency[name] for name in ["p50Micros", "p99Micros", "maxMicros"]},
            "processorMicros": {
                process["name"]: process["cpuMicrosPerOperation"] for process in run["processes"]
                if process.get("cpuMicrosPerOperation") is not None}}

    def load_run(self, seconds, *arguments, patience=300):
        """All figures of such a run, as `billfold load --json` has them."""
        file = f"{self.run}/load.json"
        command = [
            self.program("billfold"), "load", "--run", self.run, "--http", ",".join(self.addresses), "--processes",
            self.process_ids(), "--duration", f"{round(seconds * 1000)}ms", "--warm-up", "1s", "--json", file,
            *map(str, arguments)]
        output(command, seconds=seconds + patience)
        with open(file) as stored:
            return json.load(stored)

    def prepare(self, *arguments, patience=3600):
        """Makes people, cards and entries, and nothing else."""
        command = [
            self.program("billfold"), "load", "--run", self.run, "--prepare-only", "--quiet", *map(str, arguments)]
        output(command, seconds=patience)

    def process_ids(self):
        return ",".join(f"{service}={child.pid}" for service, child in self.processes.items())

    def request(self, method, path, body, token=None, key=None):
        """One request, for what has to be there before a load can start."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection(self.address, timeout=20)
        try:
            connection.request(method, path, json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        if response.status >= 300:
            raise Failed(f"{method} {path}: {response.status} {text.decode(errors='replace')}")
        return json.loads(text) if text else {}


@contextmanager
def billfold_set(program, services, data, work, store=None, gateways=1, **settings):
    """A set that has become healthy; stopped at the end of the block, the broker last: the others say goodbye to it."""
    addresses = [os.environ.get("BILLFOLD_HTTP") or f"127.0.0.1:{free_port()}"]
    addresses += [f"127.0.0.1:{free_port()}" for _ in range(gateways - 1)]
    with ExitStack() as stack:
        run = stack.enter_context(directory("/tmp", "billfold-bench-"))  # short: a socket's path has at most 107 bytes
        billfold = BillfoldSet(program, services, run, addresses, f"{work}/billfold.log")
        if billfold.health(billfold.address) is not None:
            raise Failed(f"something already listens on {billfold.address}: stop it, or set BILLFOLD_HTTP")
        env = dict(os.environ, BILLFOLD_RUN=run, BILLFOLD_DATA=data, BILLFOLD_HTTP=billfold.address,
                   BILLFOLD_MERCHANT_APPROVAL="automatic", **settings)
        if store:
            env["BILLFOLD_STORE"] = store
        started = time.monotonic()
        for service in services:
            child = running([program(f"billfold-{service}")], log=billfold.log, env=env)
            billfold.processes[service] = stack.enter_context(child)
        for number, address in enumerate(addresses[1:], 2):
            own = dict(env, BILLFOLD_HTTP=address)
            own.pop("BILLFOLD_METRICS_HTTP", None)  # the first gateway listens there
            child = running([program("billfold-gateway")], log=billfold.log, env=own)
            billfold.processes[f"gateway-{number}"] = stack.enter_context(child)
        await_fact(billfold.is_healthy, "the set's health", billfold.processes[services[0]])
        billfold.seconds_to_health = time.monotonic() - started
        yield billfold


def own_bench(program, scratch, seconds, *arguments):
    file = f"{scratch}/figures.json"
    command = [program("billfold-bench"), *map(str, arguments), "--seconds", str(seconds), "--json", file]
    output(command, seconds=seconds + 120)
    with open(file) as figures:
        return json.load(figures)[0]


def resident_mib(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    raise Failed(f"/proc/{pid}/status has no VmRSS")
