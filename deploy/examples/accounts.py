"""Accounts as auth has them: asked for once each, and only for a moment, as they adorn what a service says."""

import time

import zmq

from client import RUN, Client, Refused
from worker import read_json

PATIENCE_SECONDS = 0.3
KNOWN_MAX = 100_000
DECIDED = "auth.merchant.decided.v1"


class Accounts:
    """Names, and whether a merchant is approved. Merchants who are not are asked for each time."""

    def __init__(self):
        self.known = {}
        self.decisions = zmq.Context.instance().socket(zmq.SUB)
        self.decisions.linger = 0
        self.decisions.connect(f"ipc://{RUN}/facts-out.sock")
        self.decisions.subscribe(f"{DECIDED}\0".encode())

    def patience(self):
        """Until when answers are waited for: one moment for all of an ask's accounts."""
        return time.monotonic() + PATIENCE_SECONDS

    def of(self, accounts, until=None):
        """Those that are known in time, by their ids."""
        found, until = {}, until or self.patience()
        for account in dict.fromkeys(accounts):
            try:
                one = self.known.get(account) or self.read(account, until)
            except Refused:
                break  # auth is not there: the others need not wait for it too
            if one:
                found[account] = one
        return found

    def unapproved(self, merchants, until=None):
        """Those of the merchants whom nobody has approved. They are forgotten, so that an approval counts at once."""
        found = {
            merchant for merchant, account in self.of(merchants, until).items() if account.get("status", "approved") != "approved"}
        for merchant in found:
            del self.known[merchant]
        return found

    def read(self, account, until):
        """The account as auth has it; None if there is none. Raises `Refused` without an answer in time."""
        if len(self.known) >= KNOWN_MAX:
            self.known.clear()
        try:
            self.known[account] = Client().ask("auth.account.read.v1", {"account": account}, max(0.0, until - time.monotonic()))
        except Refused as refused:
            if refused.problem["code"] != "auth.account_not_found":
                raise
            return None
        return self.known[account]

    def decided(self):
        """Merchants about whom auth has decided since the last call. What is remembered of them is forgotten."""
        merchants = []
        while self.decisions.poll(0):
            try:
                merchants.append(read_json(self.decisions.recv_multipart()[-1].decode())["data"]["merchant"])
            except (ValueError, KeyError, TypeError):
                continue  # anybody may publish
            self.known.pop(merchants[-1], None)
        return merchants
