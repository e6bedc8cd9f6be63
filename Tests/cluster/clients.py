"""Outside clients: each pays and reads by its own draw, and writes its own history.

    clients.py FILE SEED COUNT model|wallet|set PLACE…    until the file FILE.end is there

The places are the model's addresses, HOST:PORT, the front's first; or the run directories of the hosts' brokers; or the file
of the set's people and the addresses of its gateways. What the set refused and how often is in FILE.answers.
"""

import json
import pathlib
import random
import sys
import threading
import time
import traceback
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "process"))

import visitors  # noqa: E402
from check import Operation  # noqa: E402

# Longer than a frozen leader stays frozen: what it answers when it wakes has to reach somebody. Seconds.
PATIENCE = 20
ATTEMPTS = 6


class Answer(NamedTuple):
    """What a service said to a payment. `poor`: it was refused, as the payer had less; `final` if the refusal is recorded
    under the key."""

    outcome: str = "unknown"
    number: int = 0
    poor: bool = False
    final: bool = False


class Client:
    """One person, one operation at a time. `door` asks the service: model.Door or wallet.Door."""

    def __init__(self, name, draw, door, write):
        self.name, self.draw, self.door, self.write = name, draw, door, write
        self.count = 0

    def run(self, ended):
        while not ended():
            if self.draw.random() < 0.5:
                self.pay()
            else:
                self.read()
            time.sleep(self.draw.random() * 0.04)

    def pay(self):
        self.count += 1
        door = self.door
        key = door.key(self.name, self.count)
        payer, payee, minor = door.draft()
        first = time.monotonic()
        for _ in range(self.draw.randint(1, ATTEMPTS)):
            asked = time.monotonic()
            answer = door.pay(key, payer, payee, minor)
            operation = Operation(
                self.name, asked, time.monotonic(), answer.outcome, key, {payer: -minor, payee: minor}, answer.number)
            if answer.poor:
                return self.write(operation._replace(asked=first, below={payer: minor}, final=answer.final))
            self.write(operation)
            if answer.outcome == "acknowledged":
                return
            time.sleep(self.draw.random() * 0.3)

    def read(self):
        account = self.draw.choice(self.door.ACCOUNTS)
        asked = time.monotonic()
        balance = self.door.read(account)
        if balance is not None:
            self.write(Operation(self.name, asked, time.monotonic(), "acknowledged", saw={account: balance}))
        else:
            time.sleep(self.draw.random() * 0.3)


def all_of(service, places, seed, count, write):
    if service == "set":
        return visitors.clients(places[0], places[1:], seed, write)
    if service == "wallet":
        from wallet import Door
    else:
        from model import Door

    def client(name, number, patience=PATIENCE):
        draw = random.Random(f"{seed}:{name}")
        return Client(name, draw, Door(places, draw, number, patience), write)

    # Two that do not wait: they find out how long nobody is served.
    return [client(f"c{number}", number) for number in range(count)] + [
        client(f"p{number}", None, patience=1) for number in range(2)]


def main(arguments):
    path, seed, count, service, *places = arguments
    ended = pathlib.Path(path + ".end").exists
    lock = threading.Lock()
    errors = []
    # Lines are there at once: the drill looks whether anybody is served.
    with open(path, "w", encoding="utf-8", buffering=1) as file:
        def write(operation):
            with lock:
                file.write(json.dumps(operation._asdict()) + "\n")

        clients = all_of(service, places, seed, int(count), write)

        def guarded(client):
            try:
                client.run(ended)
            except BaseException as error:  # noqa: BLE001: reported below
                traceback.print_exc()
                errors.append(error)

        threads = [threading.Thread(target=guarded, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if service == "set":
        pathlib.Path(path + ".answers").write_text(json.dumps(visitors.answers(clients)))
    return len(errors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
