"""A touch device of a running set, over HTTP, and one that listens to its events."""

import uuid

from billfold import Client, until
from events import EventStream

# Cells of the key pad, by digit.
KEYS = {str(digit): ((digit - 1) % 3 + 1, (digit - 1) // 3 + 5) for digit in range(1, 10)} | {"0": (2, 8)}


class Device(Client):
    """Opened for a demo customer, or for `person`."""

    def __init__(self, set, person=None, profile="demo", key=None, merchant=None, pin="1234"):
        super().__init__(set)
        self.person, self.pin, self.key = person, person.pin if person else pin, key or uuid.uuid4().hex
        self.token = person.token if person else None
        self.wanted = {"profile": "account" if person else profile} | ({"merchant": merchant} if merchant else {})
        self.open()

    def open(self):
        opened = self.post("/v1/devices", self.wanted, key=self.key if self.person else None)
        assert opened.status == 201, opened
        self.id = opened.body["device"]
        self.token = opened.body.get("token", self.token)
        self.merchant, self.display = opened.body["merchant"], opened.body["display"]
        return opened

    def send(self, path, **body):
        """Sends an input once; the display that comes back."""
        answer = self.post(f"/v1/devices/{self.id}/{path}", body)
        assert answer.status == 200, answer
        self.display = answer.body
        self.effect = answer.headers["Touch-Effect"]
        return self.display

    def touch(self, x, y, touch=None):
        return self.send("touch", x=x, y=y, touchId=touch or uuid.uuid4().hex)

    def menu(self, slot):
        return self.send(f"menu/{slot}", touchId=uuid.uuid4().hex)

    def top_left(self):
        return self.send("top-left", touchId=uuid.uuid4().hex)

    def top_right(self):
        return self.send("top-right", touchId=uuid.uuid4().hex)

    def type(self, digits):
        for digit in digits:
            self.touch(*KEYS[digit])
        return self.display

    def unlock(self):
        self.type(self.pin)
        assert self.display["screen"] == "My Cards - Main", self.display
        return self

    def show(self):
        answer = self.get(f"/v1/devices/{self.id}/display")
        assert answer.status == 200, answer
        self.display = answer.body
        return self.display

    @property
    def balance(self):
        return self.display["card"]["balance"]["amount"]

    def events(self):
        return Events(self)


class Events(EventStream):
    """The server-sent events of a device, as they come."""

    def __init__(self, device):
        super().__init__(device, f"/v1/devices/{device.id}/events")

    def await_display(self, condition):
        return self.await_event(lambda event, data: event == "display" and condition(data))


def unconfirmed(display):
    return "not confirmed" in display.get("error", "")


def await_paid(device, touch, balance):
    """Repeats a touch until the app says what became of it; as the network or a person would."""
    def settled():
        device.touch(1, 2, touch)
        return not unconfirmed(device.display)
    until(settled, "the payment to be confirmed")
    until(lambda: device.show()["card"]["balance"]["amount"] == balance, f"a balance of {balance}")
