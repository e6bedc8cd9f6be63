"""Inboxes as people and scripts see them, and streams of them."""

from billfold import new_key, until
from events import EventStream


class Stream(EventStream):
    """The server-sent events of somebody's inbox, as they come."""

    def __init__(self, person, last=None, query=""):
        super().__init__(
            person, f"/v1/notices/events{query}", f"Last-Event-ID: {last}\r\n" if last is not None else "")
        self.events = ((int(number or 0), event, data) for number, event, data in self if event != "beat")

    def next(self):
        """(id, event, data) of the next event that is no beat."""
        return next(self.events)


def inbox(person, query=""):
    answer = person.get("/v1/notices" + query)
    assert answer.status == 200, answer
    return answer.body


def await_notice(person, kind, count=1):
    """The newest notice of a kind, once there are so many."""
    def found():
        notices = [one for one in inbox(person, "?limit=100")["notices"] if one["kind"] == kind]
        return notices if len(notices) >= count else None

    return until(found, f"{count} notices of kind {kind}")[0]


def request_charge(merchant, customer, minor=420, memo="Two coffees"):
    answer = merchant.post("/v1/charges", {
        "customer": customer.account, "amount": {"amount": minor, "currency": "USD"}, "memo": memo}, key=new_key())
    assert answer.status == 201, answer
    return answer.body["charge"]


def register(person, key=None, **body):
    answer = person.post("/v1/endpoints", body, key=key or new_key())
    assert answer.status == 201, answer
    return answer.body


def dead_letter(admin, condition):
    def found():
        answer = admin.get("/v1/dead-letters?limit=100")
        assert answer.status == 200, answer
        return next((one for one in answer.body["deliveries"] if condition(one)), None)

    return until(found, "a dead letter")
