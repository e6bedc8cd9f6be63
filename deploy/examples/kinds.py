"""What facts of other services are to notifications: a value for each notice. Their words are this program's own."""

import hashlib
from dataclasses import dataclass
from typing import Optional

# The numbers that the kinds of notices have in the state.
KINDS = ("request", "payment", "closing", "refund", "offer", "decision", "message", "transfer", "reminder", "order")
TITLE_BYTES, TEXT_BYTES = 300, 4000

CREDENTIALS = {
    "address": "Your e-mail address was changed", "restoredAddress": "Your old e-mail address was restored",
    "password": "Your password was changed", "resetPassword": "Your password was reset with a mailed code",
    "pin": "Your PIN was changed"}


@dataclass
class Notice:
    account: str
    kind: str
    title: str
    text: str = ""
    link: Optional[str] = None
    sender: Optional[str] = None  # who caused it: unread ones of one sender are limited


def derived(key, name, scope):
    """The id that a key leads to: the same in every program (BLAKE2b-128 of name, scope and key)."""
    parts = name.encode() + b"\0" + len(scope).to_bytes(2, "big") + scope + b"\0" + key.encode()
    return hashlib.blake2b(parts, digest_size=16).hexdigest()


def notice_id(fact, account):
    """Follows from the fact: one that is read twice, or by two programs, is one notice."""
    return derived(f"{fact['source']}/{int(fact['sequence'])}", "notice", bytes.fromhex(account))


def cut(text, bytes_max):
    return text.encode()[:bytes_max].decode(errors="ignore")


def money(amount):
    return f"{amount['amount'] / 100:.2f} {amount['currency']}"


def notices_of(fact):
    """What accounts are told of a fact. Types that nobody knows here are passed over."""
    notices = COMPOSERS.get(fact["type"], lambda data: [])(fact["data"])
    for notice in notices:
        notice.title, notice.text = cut(notice.title, TITLE_BYTES), cut(notice.text, TEXT_BYTES)
    return notices


def requested(charge):
    link, asked = f"/charges/{charge['charge']}", money(charge["amount"])
    return [
        Notice(charge["customer"], "request", f"You are asked for {asked}",
               f"{charge['memo']}\nNothing is paid until you approve it.".lstrip(), link, charge["merchant"]),
        # This program pushes to nobody, and a merchant is told of what was not pushed.
        Notice(charge["merchant"], "request", "The customer was not notified",
               f"The request for {asked} waits in the customer's inbox.", link)]


def captured(charge):
    if not charge.get("requested"):
        return []
    return [Notice(charge["merchant"], "payment", f"{money(charge['amount'])} was paid", charge["memo"],
                   f"/charges/{charge['charge']}")]


def closed(charge):
    merchant, customer = charge["merchant"], charge["customer"]
    told = {"declined": [merchant], "cancelled": [customer], "expired": [merchant, customer]}[charge["reason"]]
    return [
        Notice(party, "closing", f"The request for {money(charge['amount'])} was {charge['reason']}", "Nothing was paid.",
               f"/charges/{charge['charge']}", merchant if party == customer else None) for party in told]


def refunded(refund):
    merchant, customer = refund["merchant"], refund["customer"]
    return [
        Notice(party, "refund", f"{money(refund['amount'])} was paid back", "The money went to the card.", f"/charges/{refund['charge']}",
               merchant if party == customer else None) for party in (merchant, customer)]


def received(transfer):
    return [Notice(transfer["to"], "transfer", f"You were sent {money(transfer['amount'])}", transfer["memo"],
                   "/activities", transfer["from"])]


def sent(offer):
    return [Notice(offer["customer"], "offer", f"{offer['merchantName']}: {offer['title']}", offer["content"],
                   f"/deals/{offer['offer']}", offer["merchant"])]


def offer_decided(offer):
    return [Notice(offer["merchant"], "decision", f"Your offer {offer['title']} was {offer['acceptance']}",
                   offer.get("reason") or "", f"/deals/{offer['offer']}")]


def merchant_decided(decided):
    return [Notice(decided["merchant"], "decision", f"Your account was {decided['status']}", decided.get("reason") or "")]


def credential_changed(changed):
    return [Notice(changed["account"], "message", CREDENTIALS.get(changed["credential"], "Your account was changed"),
                   f"This happened at {changed['time']}. No money was moved.")]


def order_paid(order):
    return [Notice(order["merchant"], "order", f"Order {order['number']}: {money(order['total'])}, paid",
                   order["summary"], f"/orders/{order['order']}", order["customer"])]


def order_finished(order):
    return [Notice(order["customer"], "order", f"{order['merchantName']}: order {order['number']} is ready",
                   "Say the number to get it.", f"/orders/{order['order']}", order["merchant"])]


def reminder_due(reminder):
    name = reminder["name"].get("text") or reminder["name"].get("emoji") or "a routine"
    late = reminder["lateMinutes"]
    return [Notice(reminder["account"], "reminder", f"{'Late' if late else 'Now'}: {name}",
                   f"It was due at {reminder['clock']}, {late} min ago." if late else f"It begins at {reminder['clock']}.")]


COMPOSERS = {
    "payments.charge.requested.v1": requested, "payments.charge.captured.v1": captured,
    "payments.charge.closed.v1": closed, "payments.charge.refunded.v1": refunded,
    "payments.transfer.received.v1": received, "offers.offer.sent.v1": sent, "offers.offer.decided.v1": offer_decided,
    "auth.merchant.decided.v1": merchant_decided, "auth.credential.changed.v1": credential_changed,
    "ordering.order.paid.v1": order_paid, "ordering.order.finished.v1": order_finished,
    "routines.reminder.due.v1": reminder_due}
