"""Outside clients of the model: each writes its own history.

    clients.py FILE SEED COUNT HOST:PORT…    until the file FILE.end is there; the first address is the front's
"""

import http.client
import json
import pathlib
import random
import sys
import threading
import time
import traceback

from check import Operation

ACCOUNTS = [f"account:{number}" for number in range(1, 11)]
# Longer than a frozen leader stays frozen: what it answers when it wakes has to reach somebody. Seconds.
PATIENCE = 20
ATTEMPTS = 6


class Client:
    def __init__(self, name, seed, addresses, write, patience=PATIENCE):
        self.patience = patience
        self.name, self.draw, self.addresses, self.write = name, random.Random(f"{seed}:{name}"), addresses, write
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
        key = f"{self.name}:{self.count}"
        payer, payee = self.draw.sample(ACCOUNTS, 2)
        minor = self.draw.choice((1, 5, 40, 2_000, 90_000))
        body = {"key": key, "payer": payer, "payee": payee, "minor": minor}
        first = time.monotonic()
        for _ in range(self.draw.randint(1, ATTEMPTS)):
            asked = time.monotonic()
            status, answer = self.ask("POST", "/entries", body)
            operation = Operation(
                self.name, asked, time.monotonic(), "unknown", key, {payer: -minor, payee: minor})
            if status == 200:
                return self.write(operation._replace(outcome="acknowledged", number=answer["number"]))
            if status == 409:
                return self.write(operation._replace(asked=first, outcome="refused", below={payer: minor}))
            self.write(operation._replace(outcome="refused" if status == 503 else "unknown"))
            time.sleep(self.draw.random() * 0.3)

    def read(self):
        account = self.draw.choice(ACCOUNTS)
        asked = time.monotonic()
        status, answer = self.ask("GET", f"/balance/{account}")
        if status == 200:
            self.write(Operation(
                self.name, asked, time.monotonic(), "acknowledged", saw={account: answer["balance"]}))
        else:
            time.sleep(self.draw.random() * 0.3)

    def ask(self, method, path, body=None):
        """(status, answer); (0, None) if none came. 503 says that nothing was done: by a standby, or by the front."""
        address = self.draw.choice(self.addresses)
        connection = http.client.HTTPConnection(address, timeout=self.patience)
        try:
            connection.request(method, path, json.dumps(body) if body else None)
            response = connection.getresponse()
            data = response.read()
            return response.status, json.loads(data) if response.status in (200, 409) else None
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()


def main(arguments):
    path, seed, count, *addresses = arguments
    ended = pathlib.Path(path + ".end").exists
    lock = threading.Lock()
    errors = []
    # Lines are there at once: the drill looks whether anybody is served.
    with open(path, "w", encoding="utf-8", buffering=1) as file:
        def write(operation):
            with lock:
                file.write(json.dumps(operation._asdict()) + "\n")

        # Every other client goes through the front, the others to any host, as with a queue that outlives a leader.
        clients = [Client(f"c{number}", seed, addresses[:1] if number % 2 else addresses[1:], write)
                   for number in range(int(count))]
        # Two that do not wait: they find out how long nobody is served.
        clients += [Client(f"p{number}", seed, addresses, write, patience=1) for number in range(2)]

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
    return len(errors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
