"""A whole set of the real processes in a directory of its own, and clients to ask it over HTTP and over the bus."""

import http.client
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import uuid
from contextlib import contextmanager, suppress
from typing import NamedTuple

import zmq

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("BILLFOLD_BIN", ROOT / ".build" / "release"))
# The processes of the set, as docker-compose.yml starts them: the broker first, the gateway last.
NAMES = tuple(
    re.findall(r"^    command: \[billfold-(\w+)\]$", (ROOT / "docker-compose.yml").read_text(), re.MULTILINE))
SERVICES = NAMES[:-1]
# Those with data.
OWNERS = SERVICES[1:]

# How long anything may take before a test fails. Never how long a test waits for something not to happen.
PATIENCE = 40.0

SEED = int(os.environ.get("BILLFOLD_SEED", 0)) or random.SystemRandom().randrange(1, 2**31)


def until(condition, what, patience=PATIENCE):
    """Polls `condition` until it holds; its value is returned."""
    end = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience} s in vain for: {what() if callable(what) else what}")
        time.sleep(0.01)


def until_well(command, what="all to be well"):
    """Repeats a command that looks at a set until it finds all well, as a process may miss one look; what it said then."""
    done = []

    def look():
        done[:] = [command()]
        return done[0].returncode == 0

    until(look, lambda: f"{what}: {done}")
    return done[0]


def verification(set):
    """What `verify` says once all services are there to be asked: with less it ends with 2."""
    return until(lambda: (lambda done: done.returncode != 2 and done)(set.command("verify")), "all services to be asked")


def contents(directory):
    """What each file below a directory holds, by path, without those that go while they are read."""
    found = {}
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):
            found[path] = path.read_bytes()
    return found


def usd(minor):
    return {"amount": minor, "currency": "USD"}


def new_id():
    return uuid.uuid4().hex


def new_key():
    return "key-" + uuid.uuid4().hex


# MARK: Ports


def worker_ports():
    """Ports of this worker of pytest's alone, none twice, each with the three after it.

    The kernel gives none of them to clients: a client that asks a port again and again until its server starts may be given
    that very port; it then speaks to itself and keeps the server from it.
    """
    low, high = map(int, pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    every = range(10_000, 65_532, 4)
    blocks = [port for port in every if port + 3 < low or port > high]
    if len(blocks) < 1_000:  # A host may give nearly all to clients.
        blocks = every
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    ports = list(blocks[worker::int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))])
    random.shuffle(ports)
    return iter(ports)


WORKER_PORTS = worker_ports()


def preloaded(source, directory):
    """A library of a C file beside this one, for LD_PRELOAD."""
    library = pathlib.Path(directory) / f"{source}.so"
    # Swift's toolchain has a clang.
    compiler = shutil.which("cc") or shutil.which("clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, pathlib.Path(__file__).with_name(source)],
        check=True)
    return library


def answers(port):
    """Whether somebody listens on a port of 127.0.0.1."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def free_port(following=0):
    """A port of 127.0.0.1 that nobody listens on, nor on so many (three at most) that follow it."""
    for port in WORKER_PORTS:
        if all(is_free(each) for each in range(port, port + 1 + following)):
            return port
    raise AssertionError("no port is free")


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


# MARK: The processes


class Set:
    """The processes of `NAMES`; each can be started, stopped, killed and frozen alone.

    `instead`: commands by name, of processes that stand in the place of ours.
    """

    def __init__(self, instead=(), **environment):
        self.instead = dict(instead)
        # Not pytest's own directory: a Unix socket's path may have 107 bytes.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="bf-"))
        self.run, self.data, self.logs = self.home / "run", self.home / "data", self.home / "logs"
        # Programs that tests run against it: they end with it, also those of a test that failed.
        self.beside = []
        self.logs.mkdir()
        self.port = free_port()
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("BILLFOLD_")},
            "BILLFOLD_RUN": str(self.run), "BILLFOLD_DATA": str(self.data),
            "BILLFOLD_HTTP": f"127.0.0.1:{self.port}", "BILLFOLD_LOG": "info", "BILLFOLD_LOG_FORMAT": "json",
            # Or every test would begin with an administrator.
            "BILLFOLD_MERCHANT_APPROVAL": "automatic",
            # Or most charges would begin with a walk to the merchant.
            "BILLFOLD_CHARGE_PRESENCE": "optional",
            **environment,
        }
        self.processes = {}
        self.gateways = 0
        self._addresses = itertools.count(2)

    # Each client has an address of its own on the loopback network, as the gateway counts log-ins per address.
    def address(self):
        number = next(self._addresses)
        return f"127.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def connection(self, address):
        """To the gateway, from an address of a client's."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(address, 0))

    def start(self, *names):
        for name in names or NAMES:
            self.processes[name] = self.spawn(name)
            self.gateways += name == "gateway"
        return self

    def spawn(self, name, **environment):
        with open(self.logs / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                self.instead.get(name, [BINARIES / f"billfold-{name}"]), env={**self.environment, **environment},
                stderr=log, stdin=subprocess.DEVNULL, stdout=log)

    def send(self, name, number):
        self.processes[name].send_signal(number)

    def stop(self, *names, number=signal.SIGTERM):
        """Sends a signal to each and waits for all of them; returns their exit statuses by name."""
        names = [name for name in names or reversed(NAMES) if name in self.processes]
        for name in names:
            if self.processes[name].poll() is None:
                self.send(name, number)
        return {name: self.processes[name].wait(PATIENCE) for name in names}

    def kill(self, *names):
        return self.stop(*names, number=signal.SIGKILL)

    def restart(self, *names):
        self.stop(*names)
        self.start(*names)

    @contextmanager
    def frozen(self, name):
        """SIGSTOP, then SIGCONT."""
        self.send(name, signal.SIGSTOP)
        stat = pathlib.Path(f"/proc/{self.processes[name].pid}/stat")
        until(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "T", f"{name} to freeze")
        try:
            yield
        finally:
            self.send(name, signal.SIGCONT)

    def health(self):
        """(status, services) of /health; (0, {}) while nobody serves it."""
        client = Client(self)
        try:
            answer = client.get("/health")
            return answer.status, answer.body["services"]
        except OSError:
            return 0, {}
        except http.client.HTTPException:
            return 0, {}
        finally:
            client.close()

    def await_health(self):
        until(lambda: self.health()[0] == 200, lambda: f"all services to be healthy: {self.health()}")
        return self

    def all_run(self):
        """Asserts that no process has ended by itself."""
        ended = {name: process.poll() for name, process in self.processes.items() if process.poll() is not None}
        assert not ended, f"processes have ended: {ended}\n{self.log_text()[-4000:]}"

    def log(self, name):
        path = self.logs / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def log_text(self):
        return "".join(self.log(name) for name in NAMES)

    def complaints(self):
        """Lines of the logs that are warnings or worse, or no log lines at all."""
        found = []
        for name in NAMES:
            for line in self.log(name).splitlines():
                try:
                    if json.loads(line)["level"] in ("trace", "debug", "info", "notice"):
                        continue
                except (ValueError, KeyError, TypeError):
                    pass
                found.append(f"{name}: {line}")
        return found

    def close(self):
        for process in self.beside:
            process.kill()
        for name, process in self.processes.items():
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
        statuses = self.stop()
        if os.environ.get("BILLFOLD_KEEP"):
            print("kept", self.home)
        else:
            shutil.rmtree(self.home, ignore_errors=True)
        return statuses

    # People, and the bus.

    def bus(self):
        return Bus(self.run)

    def customer(self, name=None, card=True, pin="4711"):
        return Person(self, "customer", name, pin).with_card(card)

    def merchant(self, name=None, pin=None):
        return Person(self, "merchant", name, pin)

    def administrator(self, name=None):
        return Administrator(self, "administrator", name, None)

    def command(self, *arguments, input=None, patience=3 * PATIENCE):
        """Runs `billfold` against this set."""
        return subprocess.run(
            [BINARIES / "billfold", *arguments], env=self.environment, input=input, capture_output=True, text=True,
            stdin=subprocess.DEVNULL if input is None else None, timeout=patience)


# MARK: HTTP


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: object
    raw: bytes

    @property
    def code(self):
        """A problem's code; None of an answer that is none."""
        if self.headers.get("Content-Type") != "application/problem+json":
            return None
        assert self.body["status"] == self.status, self.body
        assert self.body["type"] == "urn:billfold:fault:" + self.body["code"], self.body
        return self.body["code"]

    @property
    def replayed(self):
        return self.headers.get("Idempotency-Replayed") == "true"

    @property
    def is_final(self):
        """Whether asking again with the same key could not bring another answer."""
        return self.code is None or self.body["retry"] == "never"


class Client:
    """One keep-alive connection; another one when that was closed, or for another gateway. Repeats nothing by itself."""

    def __init__(self, set, address=None):
        self.set = set
        self.address = address or set.address()
        self.token = None
        self.connection, self.gateway, self.used = None, 0, 0.0

    def request(self, method, path, body=None, key=None, headers=(), token=True):
        # The gateway closes a connection that was idle for a minute (BILLFOLD_HTTP_IDLE_SECONDS).
        if self.gateway != self.set.gateways or time.monotonic() - self.used > 30:
            self.close()
        if self.connection is None:
            self.gateway = self.set.gateways
            self.connection = self.set.connection(self.address)
        fields = dict(headers)
        if token is True:
            token = self.token
        if token:
            fields.setdefault("Authorization", f"Bearer {token}")
        if key is not None:
            fields["Idempotency-Key"] = key
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
        try:
            self.connection.request(method, path, body, fields)
            response = self.connection.getresponse()
            raw = response.read()
            self.used = time.monotonic()
            if response.will_close:
                self.close()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        parsed = None
        if raw and "json" in response.headers.get("Content-Type", ""):
            parsed = json.loads(raw)
        return Answer(response.status, response.headers, parsed, raw)

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.request("POST", path, body, **options)

    def put(self, path, body=None, **options):
        return self.request("PUT", path, body, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)

    def insist(self, method, path, body=None, key=None, trouble=None):
        """Asks with the same key until the answer is final. Each answer that is not goes to `trouble`."""
        end = time.monotonic() + 2 * PATIENCE
        while True:
            try:
                answer = self.request(method, path, body, key=key)
                if answer.is_final:
                    return answer
                why = f"{answer.status} {answer.code}"
            except (OSError, http.client.HTTPException) as error:
                why = type(error).__name__
            if trouble is not None:
                trouble.append(why)
            if time.monotonic() > end:
                raise AssertionError(f"no final answer to {method} {path}: {why}")
            time.sleep(0.02)

    def pages(self, path, of):
        """All of a list that comes in pages."""
        items, before = [], ""
        joint = "&" if "?" in path else "?"
        while True:
            answer = self.get(f"{path}{joint}limit=50{before}")
            assert answer.status == 200, answer
            items += answer.body[of]
            if answer.body.get("next") is None:
                return items
            before = f"&before={answer.body['next']}"

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def registration(role, username, password=None, **more):
    """The form of a customer's or merchant's registration, with all that it must have."""
    password = password or Person.PASSWORD
    form = {
        "username": username, "password": password, "confirmPassword": password, "email": f"{new_id()}@example.com"}
    if role == "customer":
        return {**form, "birthdate": "1990-05-17", "student": False, **more}
    # Somewhere in the southern Pacific, far from everybody else.
    place = {"latitude": -random.randrange(40_000_000, 50_000_000), "longitude": -random.randrange(90_000_000, 170_000_000)}
    return {**form, "address": "1 Aspen Avenue, Flagstaff", "productTypes": ["coffee"], **place, **more}


class Person(Client):
    """Someone with an account who has logged in, and entered a PIN."""

    PASSWORD = "correct horse battery"

    def __init__(self, set, role, name=None, pin="4711"):
        super().__init__(set)
        self.role, self.pin = role, pin
        self.username = name or f"{role[0]}{new_id()[:12]}"
        self.register()
        self.log_in()
        if pin:
            assert self.put("/v1/pin", {"password": self.PASSWORD, "pin": pin}).status == 204
            self.enter_pin()

    def register(self):
        answer = self.post(f"/v1/{self.role}s", registration(self.role, self.username))
        assert answer.status == 201, answer
        self.account = answer.body["account"]

    def without_places(self):
        """The merchant, without the place that it registered with."""
        for place in self.get("/v1/places").body["places"]:
            assert self.delete(f"/v1/places/{place['place']}").status == 204
        return self

    def log_in(self):
        answer = self.post("/v1/sessions", {"username": self.username, "password": self.PASSWORD}, token=None)
        assert answer.status == 201, answer
        self.token = answer.body["token"]
        return self

    def enter_pin(self):
        answer = self.post("/v1/pin/verifications", {"pin": self.pin})
        assert answer.status == 200, answer

    def with_card(self, wanted=True):
        self.card = self.add_card() if wanted else None
        return self

    def add_card(self):
        number = f"{random.SystemRandom().randrange(10**16):016}"
        answer = self.post("/v1/cards", {"number": number, "code": "12345678"}, key=new_key())
        assert answer.status == 201, answer
        return answer.body["card"]

    def twin(self):
        """The same person on another connection."""
        twin = Client(self.set, self.address)
        twin.token = self.token
        return twin

    @property
    def balance(self):
        """In minor units: of the default card, or of the merchant's account."""
        answer = self.get("/v1/cards/default" if self.role == "customer" else "/v1/account")
        assert answer.status == 200, answer
        return answer.body["balance"]["amount"]

    def pay(self, merchant, minor, key=None, **more):
        body = {"merchant": merchant.account, "amount": usd(minor), **more}
        return self.post("/v1/payments", body, key=key or new_key())

    def reload(self, minor, key=None):
        return self.post(f"/v1/cards/{self.card}/reloads", {"amount": usd(minor)}, key=key or new_key())

    def paid(self, merchant, minor, **more):
        """A payment that has to succeed; its receipt."""
        answer = self.pay(merchant, minor, **more)
        assert answer.status == 201, answer
        return answer.body


class Administrator(Person):
    """Made by the operator's command: HTTP makes none."""

    def register(self):
        made = self.set.command("administrator", self.username, input=self.PASSWORD + "\n")
        assert made.returncode == 0, made
        self.account = made.stdout.split("(")[1].split(")")[0]


# MARK: The bus


class Refused(Exception):
    """A fault that came back instead of a reply."""

    def __init__(self, problem):
        super().__init__(problem["code"])
        self.code, self.problem = problem["code"], problem


# Why an ask has no answer at all.
SILENT = "no answer came"

RETRY = {"once": 0, "keyed": 1, "idempotent": 2}


def envelope(type, data, **attributes):
    return {"specversion": "1.0", "id": new_id(), "source": "tests", "type": type, "data": data, **attributes}


def encode(message):
    return message if isinstance(message, bytes) else json.dumps(message).encode()


class Bus:
    """A client in the project's own dialect with many asks in flight."""

    WINDOW = 256

    def __init__(self, run):
        self.context = zmq.Context()
        self.run = run
        self.socket = self.connect(zmq.DEALER, "asks")
        self.tags = itertools.count(1)

    def connect(self, kind, name):
        socket = self.context.socket(kind)
        socket.linger = 0
        # A test may send, or have sent to it, far more than it reads at once.
        socket.sndhwm = socket.rcvhwm = 200_000
        socket.connect(f"ipc://{self.run}/{name}.sock")
        return socket

    def close(self):
        self.context.destroy(linger=0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, message, service=None, deadline_ms=None, retry="keyed"):
        """Sends an envelope (or any bytes to a service named); its answer will have the tag that is returned."""
        tag = next(self.tags)
        if deadline_ms is None:
            deadline_ms = int(time.time() * 1000) + int(PATIENCE * 1000)
        service = service or message["type"].split(".")[0]
        header = b"BFC1" + struct.pack(">BBHQQ", 1, RETRY[retry], 0, tag, deadline_ms) + service.encode()
        self.socket.send_multipart([header, encode(message)])
        return tag

    def receive(self):
        """(tag, status, body) of the next answer."""
        assert self.socket.poll(PATIENCE * 1500), SILENT
        header, body = self.socket.recv_multipart()
        assert len(header) == 16 and header[:4] == b"BFC1" and header[4] == 3, header
        return struct.unpack(">Q", header[8:])[0], header[5], body

    def raw(self, message, **options):
        """One ask of any bytes; the answer's envelope."""
        tag = self.send(message, **options)
        while True:
            answered, _, body = self.receive()
            if answered == tag:
                return json.loads(body)

    def ask(self, type, data=None, actor=None, **options):
        """One ask; the reply's data. Raises `Refused`."""
        attributes = {"actor": actor} if actor else {}
        return self.data(self.raw(envelope(type, data or {}, **attributes), **options))

    @staticmethod
    def data(answer):
        if answer["type"].endswith(".reply"):
            return answer["data"]
        raise Refused(answer["data"])

    def pipeline(self, messages, window=WINDOW):
        """Asks many at once, `window` of them in flight; the answers' envelopes in the order of the asks."""
        places, answers, sent = {}, [None] * len(messages), 0
        done = 0
        while done < len(messages):
            while sent < len(messages) and len(places) < window:
                places[self.send(messages[sent])] = sent
                sent += 1
            tag, _, body = self.receive()
            answers[places.pop(tag)] = json.loads(body)
            done += 1
        return answers

    def facts(self, source, after=0):
        """All of a source's facts behind `after`, as the bytes that its log holds."""
        facts = []
        while True:
            tag = self.send(envelope(f"{source}.facts.read.v1", {"after": after + len(facts), "limit": 1000}))
            while True:
                answered, _, body = self.receive()
                if answered == tag:
                    break
            page, head = facts_of_page(body)
            facts += page
            if after + len(facts) >= head:
                return facts
            assert page, "a page without facts before the head"

    # The ledger.

    def ledger(self):
        return self.ask("wallet.ledger.read.v1")

    def check_ledger(self):
        """Asserts that the ledger is sound: chain, balances, sums. Returns its sums."""
        sums, problems = self.verify_ledger()
        assert problems == [], problems
        return sums

    def verify_ledger(self):
        """The ledger's sums, which are asserted to be even, and what its own check finds: a line each."""
        sums = self.ledger()
        assert sums["total"]["amount"] == 0, sums
        assert sum(account["balance"]["amount"] for account in sums["accounts"]) == 0, sums
        after, checked, problems = 0, 0, []
        while after is not None:
            part = self.ask("wallet.ledger.verify.v1", {"after": after, "limit": 10_000})
            problems += part["problems"]
            checked += part["checked"]
            after = part.get("next")
        assert problems or checked >= sums["entries"], (checked, sums)
        return sums, problems


_decoder = json.JSONDecoder()


def facts_of_page(body):
    """(facts as written, head) of a reply to `facts.read`."""
    text = body.decode()
    answer = json.loads(text)
    assert answer["type"].endswith(".facts.read.v1.reply"), answer
    position = text.index('"facts":[') + len('"facts":[')
    facts = []
    for fact in answer["data"]["facts"]:
        read, end = _decoder.raw_decode(text, position)
        assert read == fact
        facts.append(text[position:end].encode())
        position = end + 1
    return facts, answer["data"]["head"]


def post_payment(customer, merchant, minor, payment=None, memo="", **attributes):
    """The ask with which money moves, as payments sends it."""
    data = {
        "payment": payment or new_id(), "customer": customer.account, "card": customer.card,
        "merchant": merchant.account, "amount": usd(minor), "memo": memo,
    }
    return envelope("wallet.payment.post.v1", data, **attributes)


def ended(process):
    """The status with which a process ends by itself; what each of its threads waits for, if it does not."""
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
        waits = {task.name: [(task / name).read_text().split("\n")[0] for name in ("comm", "stat", "wchan")] for task in tasks}
        raise AssertionError(f"{process.args} does not end: {waits}") from None


class Threads:
    """Runs functions on threads of their own; `join` raises what any of them raised."""

    def __init__(self):
        self.threads, self.errors = [], []

    def run(self, body, *arguments):
        def guarded():
            try:
                body(*arguments)
            except BaseException as error:  # noqa: BLE001: told in join
                self.errors.append(error)

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        self.threads.append(thread)

    def join(self):
        for thread in self.threads:
            thread.join(4 * PATIENCE)
            assert not thread.is_alive(), "a thread hangs"
        self.check()

    def check(self):
        if self.errors:
            raise self.errors[0]
