"""Outside clients of a set: each pays, approves, is paid back, transfers and reads over HTTP, and writes down what it was
answered.

The memo of a payment is its idempotency key, so the ledger's facts name the operation that they belong to, also one
whose answer was lost.
"""

import collections
import http.client
import json
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "process"))

from billfold import new_id, usd  # noqa: E402
from check import Entry, Operation  # noqa: E402

# The refusal that says for good that nothing has moved, as the payer had less than the amount.
POOR = "wallet.insufficient_funds"
# How often a client asks again with the same key before it leaves the outcome unknown.
ATTEMPTS = 6


class Client:
    """One person, one operation at a time. `history` has an `Operation` for each answer, and for each missing one; `answers`
    counts the codes of those that were no success.

    `coupons`: those that this customer may use, once each, as (merchant's account, offer), for half of the amount.
    `pause`: the most seconds between two operations.
    """

    def __init__(self, person, others, merchants, seed, history=None, coupons=(), pause=0.0):
        self.person, self.others, self.merchants, self.pause = person, others, merchants, pause
        self.draw = random.Random(seed)
        self.coupons = list(coupons)
        # Charges that this customer has paid and nobody has paid back: (charge, merchant's account, minor units).
        self.paid = []
        self.history = [] if history is None else history
        self.answers = collections.Counter()

    @property
    def account(self):
        return getattr(self.person, "card", None) or self.person.account

    def run(self, until):
        """Operations until `until()` holds."""
        kinds = (self.read, self.transfer)
        if self.person.role == "customer":
            kinds = (self.pay, self.pay, self.approve, self.refund, self.transfer, self.read, self.read)
        while not until():
            self.draw.choice(kinds)()
            if self.pause:
                time.sleep(self.draw.random() * self.pause)

    def pay(self):
        merchant, minor, key = self.draw.choice(self.merchants), self.draw.randint(1, 90), new_id()
        body = {"merchant": merchant.account, "amount": usd(minor), "memo": key}
        paid = self.write(key, self.account, merchant.account, minor, "/v1/payments", body)
        if paid:
            self.paid.append((paid["charge"], merchant.account, minor))

    def approve(self):
        """A charge that a merchant requests and this customer approves, with a coupon while there is one. Only the approval
        moves money."""
        account, coupon = self.coupons.pop() if self.coupons else (self.draw.choice(self.merchants).account, None)
        minor, key = self.draw.randint(1, 90), new_id()
        merchant = next(each for each in self.merchants if each.account == account).twin()
        body = {"customer": self.person.account, "amount": usd(2 * minor if coupon else minor), "memo": key}
        try:
            for _ in range(ATTEMPTS):
                answer = self.ask(merchant, "POST", "/v1/charges", body, key)
                if answer is not None and answer.status == 201:
                    break
                self.wait()
            else:
                return
        finally:
            merchant.close()
        charge = answer.body["charge"]
        body = {"coupon": coupon} if coupon else {}
        if self.write(key, self.account, account, minor, f"/v1/charges/{charge}/approval", body):
            self.paid.append((charge, account, minor))

    def refund(self):
        """A merchant pays back a part of what this customer has paid, once for each charge, as the ledger's fact names it."""
        if not self.paid:
            return
        charge, account, paid = self.paid.pop(self.draw.randrange(len(self.paid)))
        minor = self.draw.randint(1, paid)
        merchant = next(each for each in self.merchants if each.account == account).twin()
        try:
            self.write(refund_of(charge), account, self.account, minor, f"/v1/charges/{charge}/refunds", {"amount": usd(minor)},
                       merchant)
        finally:
            merchant.close()

    def transfer(self):
        other, minor, key = self.draw.choice(self.others), self.draw.randint(1, 300), new_id()
        body = {"to": {"username": other.username}, "amount": usd(minor), "memo": key}
        self.write(key, self.account, other.card, minor, "/v1/transfers", body)

    def write(self, key, source, target, minor, path, body, person=None):
        """Asks with one key until the answer is final, a few times. Each answer stands in the history.

        Returns the body of the answer that money has moved, or None.
        """
        moves = {source: -minor, target: minor}
        first = time.monotonic()
        for _ in range(self.draw.randint(1, ATTEMPTS)):
            asked = time.monotonic()
            answer = self.ask(person or self.person, "POST", path, body, key)
            common = {"client": self.person.username, "answered": time.monotonic(), "key": key, "moves": moves}
            if answer is not None and answer.status in (200, 201):
                self.history.append(Operation(
                    asked=asked, outcome="acknowledged", number=answer.body.get("entry", 0), **common))
                return answer.body
            if answer is not None and answer.is_final:
                # The wallet records this refusal and repeats it, so it saw the account at any time since the first ask.
                poor = answer.code == POOR
                self.history.append(Operation(
                    asked=first, outcome="refused", below={source: minor} if poor else {}, final=poor, **common))
                return None
            self.history.append(Operation(asked=asked, outcome="unknown", **common))
            self.wait()
        return None

    def read(self):
        """A balance: of the own card, or of the merchant's account."""
        path = f"/v1/cards/{self.account}" if self.person.role == "customer" else "/v1/account"
        asked = time.monotonic()
        answer = self.ask(self.person, "GET", path)
        if answer is not None and answer.status == 200:
            self.history.append(Operation(
                self.person.username, asked, time.monotonic(), "acknowledged",
                saw={self.account: answer.body["balance"]["amount"]}))
        else:
            self.wait()

    def ask(self, person, method, path, body=None, key=None):
        """The answer, or None if none came."""
        try:
            answer = person.request(method, path, body, key=key)
        except (OSError, http.client.HTTPException) as error:
            self.answers[type(error).__name__] += 1
            return None
        if answer.status >= 400:
            self.answers[answer.code or f"status {answer.status} without a problem"] += 1
        return answer

    def wait(self):
        time.sleep(self.draw.random() * 0.2)


def refund_of(charge):
    """The key of a refund."""
    return f"refund-{charge}"


def run(clients, seconds, meanwhile):
    """All clients at once for so many seconds; `meanwhile` runs beside them. The history of all."""
    end = time.monotonic() + seconds
    errors = []

    def guarded(client):
        try:
            client.run(lambda: time.monotonic() > end)
        except BaseException as error:  # noqa: BLE001: raised below
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(client,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    meanwhile()
    for thread in threads:
        thread.join(seconds + 120)
        if thread.is_alive():
            raise AssertionError("a client hangs")
    if errors:
        raise errors[0]
    return [operation for client in clients for operation in client.history]


def ledger(facts):
    """The ledger's entries from the wallet's facts, as bytes in the order of the log."""
    entries = []
    for fact in map(json.loads, facts):
        data, kind = fact["data"], fact["type"]
        if "entry" not in data:
            continue
        match kind:
            case "wallet.card.added.v1":
                key, given, moves = data["card"], True, {data["card"]: data["balance"]["amount"]}
            case "wallet.card.reloaded.v1":
                key, given, moves = data["operation"], True, {data["card"]: data["amount"]["amount"]}
            case "wallet.payment.posted.v1":
                key, given = data["memo"], False
                moves = {data["card"]: -data["amount"]["amount"], data["merchant"]: data["amount"]["amount"]}
            case "wallet.refund.posted.v1":
                key, given = refund_of(data["payment"]), False
                moves = {data["merchant"]: -data["amount"]["amount"], data["card"]: data["amount"]["amount"]}
            case "wallet.transfer.posted.v1":
                key, given = data["memo"], False
                moves = {side.get("card") or side["party"]: sign * data["amount"]["amount"]
                         for side, sign in ((data["from"], -1), (data["to"], 1))}
            case _:
                raise ValueError(f"no client of ours does what {kind} says: entry {data['entry']}")
        entries.append(Entry(data["entry"], key, moves, given))
    return entries
