#!/usr/bin/env python3
"""Adds up what each merchant was paid, from the wallet's facts: misses none, counts none twice.

    facts.py [FILE]      keeps its totals and its cursor in FILE (paid.json) and prints each change
    facts.py FILE --once reads to the end and stops

What is published may be lost; the wallet's log is the truth. So: listen, keep a durable cursor, notice every gap, and
ask the owner for what was missed.
"""

import json
import os
import pathlib
import sys
import time

import zmq

from client import RUN, Client, Refused

SOURCE = "wallet"
PAGE = 500


class Totals:
    """What was made of the facts, and the sequence of the last of them: written in one step, so they always agree."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        state = json.loads(self.path.read_text()) if self.path.exists() else {"cursor": 0, "paid": {}}
        self.cursor, self.paid = state["cursor"], state["paid"]

    def apply(self, facts):
        """Facts that follow the cursor without a gap."""
        for fact in facts:
            if int(fact["sequence"]) != self.cursor + 1:
                raise ValueError(f"fact {fact['sequence']} came after {self.cursor}")
            self.cursor += 1
            if fact["type"] == "wallet.payment.posted.v1":  # types that one does not know are passed over
                merchant, amount = fact["data"]["merchant"], fact["data"]["amount"]["amount"]
                self.paid[merchant] = self.paid.get(merchant, 0) + amount
                print(f"{fact['sequence']}: {merchant} was paid {amount}, now {self.paid[merchant]}", flush=True)
        fresh = self.path.with_suffix(".new")
        with open(fresh, "w") as file:
            json.dump({"cursor": self.cursor, "paid": self.paid}, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)


def catch_up(client, totals):
    """Asks the owner for everything behind the cursor."""
    while True:
        page = client.ask(f"{SOURCE}.facts.read.v1", {"after": totals.cursor, "limit": PAGE})
        if page["facts"]:
            totals.apply(page["facts"])
        if totals.cursor >= page["head"]:
            return


def main():
    arguments = [word for word in sys.argv[1:] if word != "--once"]
    totals, client = Totals(arguments[0] if arguments else "paid.json"), Client()
    with zmq.Context.instance().socket(zmq.SUB) as socket:
        socket.linger = 0
        socket.connect(f"ipc://{RUN}/facts-out.sock")
        socket.subscribe(f"{SOURCE}.".encode())  # topics are types with a zero byte behind them
        catch_up(client, totals)  # after subscribing: what is published meanwhile waits in the socket
        while "--once" not in sys.argv:
            topic, frame = socket.recv_multipart()
            fact = json.loads(frame)
            if fact["source"] != SOURCE or topic != fact["type"].encode() + b"\0":
                continue
            if fact["type"] == f"{SOURCE}.facts.head.v1":  # told when it moves and once a second; has no sequence itself
                newest, facts = fact["data"]["head"], []
            else:
                newest, facts = int(fact["sequence"]), [fact]
            if newest <= totals.cursor:
                continue  # known already
            if facts and newest == totals.cursor + 1:
                totals.apply(facts)
                continue
            try:
                catch_up(client, totals)  # a gap: some were missed
            except Refused as refusal:
                print("later:", refusal, file=sys.stderr)  # the next head tells again
                time.sleep(0.2)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
