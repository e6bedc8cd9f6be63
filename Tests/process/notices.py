"""Inboxes as people and scripts see them, and streams of them."""

import json
import socket

from billfold import PATIENCE, Person, new_id, new_key, until


class Stream:
    """The server-sent events of somebody's inbox, as they come."""

    def __init__(self, person, last=None, query=""):
        self.socket = socket.create_connection(("127.0.0.1", person.set.port), timeout=PATIENCE)
        fields = f"Last-Event-ID: {last}\r\n" if last is not None else ""
        self.socket.sendall(
            f"GET /v1/notices/events{query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {person.token}\r\n{fields}\r\n"
            .encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().strip()):
            name, value = line.decode().split(":", 1)
            self.headers[name.lower()] = value.strip()
        self.events = self.parse()

    def lines(self):
        rest = b""
        while True:
            size = int(self.file.readline().strip() or b"0", 16)
            rest += self.file.read(size)
            self.file.readline()
            *whole, rest = rest.split(b"\n")
            yield from (line.decode() for line in whole)
            if size == 0:
                return

    def parse(self):
        fields = {}
        for line in self.lines():
            if line.startswith(":"):
                continue
            if line:
                name, value = line.split(": ", 1)
                fields[name] = value
            elif fields:
                yield int(fields.get("id", 0)), fields["event"], json.loads(fields["data"])
                fields = {}

    def next(self):
        """(id, event, data) of the next event that is no beat."""
        return next(self.events)

    def close(self):
        self.file.close()
        self.socket.close()


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


def administrator(billset, bus):
    username = "root" + new_id()[:8]
    bus.ask("auth.account.register.v1", {
        "account": new_id(), "role": "administrator", "username": username, "password": Person.PASSWORD})
    person = Person.__new__(Person)
    super(Person, person).__init__(billset)
    person.username, person.role = username, "administrator"
    return person.log_in()


def dead_letter(admin, condition):
    def found():
        answer = admin.get("/v1/dead-letters?limit=100")
        assert answer.status == 200, answer
        return next((one for one in answer.body["deliveries"] if condition(one)), None)

    return until(found, "a dead letter")
