"""The document of the bus is valid, true of what goes over the bus, and enough to write a client and a service from it."""

import copy
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import threading

import jsonschema
import pytest
import zmq

from billfold import NAMES, PATIENCE, ROOT, Client, new_id, until

GOLDEN = ROOT / "Tests" / "ContractTests" / "Golden"
WIRE = ROOT / "docs" / "wire.md"
MESSAGES = ROOT / "docs" / "messages.md"
SERVICES = sorted(NAMES)
FORMATS = jsonschema.FormatChecker(formats=["date", "date-time"])


class Document:
    """What a foreign program makes of /asyncapi.json. It knows nothing else."""

    def __init__(self, value):
        self.value = value

    def at(self, reference):
        assert reference.startswith("#/"), reference
        value = self.value
        for step in reference[2:].split("/"):
            value = value[step]
        return value

    def message(self, type):
        return self.value["components"]["messages"][type if type in self.messages else "fault"]

    @property
    def messages(self):
        return self.value["components"]["messages"]

    @property
    def asks(self):
        """Operations whose service receives something and replies."""
        return {name: one for name, one in self.value["operations"].items() if one["action"] == "receive"}

    def validator(self, type):
        schema = {**self.message(type)["payload"], "components": self.value["components"]}
        return jsonschema.Draft7Validator(schema, format_checker=FORMATS)

    def check(self, event, type=None):
        """Raises where the event is not as the message's schema has it."""
        self.validator(type or event["type"]).validate(event)

    def example(self, type):
        return copy.deepcopy(self.message(type)["examples"][0]["payload"])

    def endpoint(self, server, run):
        return self.value["servers"][server]["bindings"]["x-zeromq"]["endpoint"].replace("{run}", str(run))


@pytest.fixture(scope="module")
def document(billset):
    answer = Client(billset).get("/asyncapi.json")
    assert answer.status == 200
    return Document(answer.body)


@pytest.fixture(scope="module", params=["all", *SERVICES])
def printed(request, billset, document):
    """The document of all services, and those that the command prints of one each."""
    if request.param == "all":
        return document
    command = billset.command("contracts", "--asyncapi", request.param)
    assert command.returncode == 0, command.stderr
    return Document(json.loads(command.stdout))


# MARK: The document


def with_plain_keys(value):
    """The models want keys without the dots that the specification's own schema has."""
    if isinstance(value, dict):
        return {
            key.replace(".", "_"): part.replace(".", "_") if key == "$ref" else with_plain_keys(part)
            for key, part in value.items()}
    return [with_plain_keys(part) for part in value] if isinstance(value, list) else value


@pytest.mark.filterwarnings("ignore:Field name")
def test_it_is_asyncapi_3(printed):
    from asyncapi3.models import AsyncAPI3

    assert printed.value["asyncapi"] == "3.0.0"
    plain = with_plain_keys(printed.value)
    AsyncAPI3.model_validate(plain)
    with pytest.raises(ValueError):
        AsyncAPI3.model_validate({**plain, "neverHeardOf": 1})
    official = os.environ.get("BILLFOLD_ASYNCAPI_SCHEMA")
    if official:  # schemas/3.0.0-without-$id.json of asyncapi/spec-json-schemas, which comes in no package of PyPI.
        jsonschema.Draft7Validator(json.loads(pathlib.Path(official).read_text())).validate(printed.value)


def test_every_reference_leads_somewhere(printed):
    def references(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for part in value.values():
                yield from references(part)
        elif isinstance(value, list):
            for part in value:
                yield from references(part)

    found = set(references(printed.value))
    assert len(found) > 15
    for reference in found:
        assert printed.at(reference) is not None
    for name in printed.value["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in found, f"nothing refers to {name}"
    for name, operation in printed.value["operations"].items():
        known = printed.at(operation["channel"]["$ref"])["messages"]
        for message in operation["messages"]:
            assert message["$ref"].rsplit("/", 1)[1] in known, name


def test_the_schemas_are_schemas_and_their_examples_fit(printed):
    for name, schema in printed.value["components"]["schemas"].items():
        jsonschema.Draft7Validator.check_schema(schema)
    for name, message in printed.messages.items():
        event = message["examples"][0]["payload"]
        printed.check(event, name)
        assert event["type"] == name or name == "fault"


def test_the_document_of_one_service_is_its_part_of_the_whole(billset, document):
    seen = set()
    for service in sorted({name.split(".")[0] for name in document.value["operations"]}):
        one = Document(json.loads(billset.command("contracts", "--asyncapi", service).stdout))
        operations = {name: value for name, value in document.value["operations"].items() if name.startswith(f"{service}.")}
        assert one.value["operations"] == operations and operations
        for name, message in one.messages.items():
            assert message == document.messages[name]
        for name, schema in one.value["components"]["schemas"].items():
            assert schema == document.value["components"]["schemas"][name]
        for channel, value in one.value["channels"].items():
            assert value == document.value["channels"][channel]
        codes = {code for operation in one.asks.values() for code in operation["x-billfold-faults"]}
        assert codes <= set(one.value["components"]["x-billfold-faults"])
        seen |= set(operations)
    assert seen == set(document.value["operations"])


def test_a_service_that_there_is_not_is_refused_with_the_list_of_those_that_there_are(billset):
    refused = billset.command("contracts", "--asyncapi", "lokation")
    assert refused.returncode == 64 and refused.stdout == ""
    assert all(service in refused.stderr for service in SERVICES), refused.stderr
    assert billset.command("contracts", "--asyncapi", "location", "--json").returncode == 64


def test_the_command_prints_the_same(billset, document):
    printed = billset.command("contracts", "--asyncapi")
    assert printed.returncode == 0

    def in_order(text):
        return json.loads(text, object_pairs_hook=list)

    assert in_order(printed.stdout) == in_order(Client(billset).get("/asyncapi.json").raw)
    for service in SERVICES:
        page = billset.command("contracts", "--markdown", service).stdout
        assert all(f"### {name}\n" in page for name in document.value["operations"] if name.startswith(f"{service}."))
    assert billset.command("contracts", "--markdown").returncode == 64
    page = billset.command("contracts", "--binding")
    assert page.stdout == Client(billset).get("/zeromq.md").raw.decode()
    schema = json.loads(billset.command("contracts", "--schema", "wallet.cards.read.v1.reply").stdout)
    event = document.example("wallet.cards.read.v1.reply")
    jsonschema.Draft7Validator(schema).validate(event)
    listed = json.loads(billset.command("contracts", "--json", "wallet.payment.post.").stdout)
    assert listed == [
        {"type": "wallet.payment.post.v1", "kind": "ask", "retry": "keyed", "key": ["payment"]}]
    assert billset.command("contracts", "nobody").returncode == 1


# MARK: The messages


def golden():
    return sorted(GOLDEN.glob("*.json"))


def mutations(event, required):
    """The event's data with one thing wrong each: a field more, one that is needed less, one of another type."""
    data = event["data"]
    yield {**data, "neverHeardOf": 1}
    for name in required:
        yield {key: value for key, value in data.items() if key != name}
    for name, value in data.items():
        yield {**data, name: {} if isinstance(value, list) else []}


def test_every_golden_message_fits_and_no_mutation_does(document):
    count = 0
    for path in sorted(GOLDEN.glob("*.json")):
        event = json.loads(path.read_text())
        validator = document.validator(event["type"])
        validator.validate(event)
        assert not validator.is_valid({**event, "type": event["type"] + "0"}), path.name
        if path.name.startswith("fault"):
            continue
        reference = document.message(event["type"])["payload"]["allOf"][1]["properties"]["data"]["$ref"]
        for data in mutations(event, document.at(reference).get("required", [])):
            assert not validator.is_valid({**event, "data": data}), (path.name, data)
            count += 1
    assert count > 1000


# MARK: A client written from the document


def ask(socket, document, event):
    """One ask in 18/MDP; the answer's event."""
    service = document.value["operations"][event["type"]]["channel"]["$ref"].rsplit("/", 1)[1]
    address = document.value["channels"][service]["address"]
    socket.send_multipart([b"MDPC02", b"\x01", address.encode(), json.dumps(event).encode()])
    while True:
        assert socket.poll(PATIENCE * 1000), f"no answer to {event['type']}"
        protocol, command, _, body = socket.recv_multipart()
        assert (protocol, command) == (b"MDPC02", b"\x03")
        answer = json.loads(body)
        if answer.get("causationid", event["id"]) == event["id"]:
            return answer


def test_every_read_is_answered_as_the_document_says(billset, document, customer, merchant):
    """Asks are the document's examples, with ids of people that there are."""
    people = {
        "customer": customer.account, "merchant": merchant.account, "account": customer.account,
        "party": customer.account, "card": customer.card,
    }
    charge = customer.paid(merchant, 150)["charge"]
    replied, refused = [], {}
    context = zmq.Context()
    try:
        socket = context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(document.endpoint("asks", billset.run))
        for name, operation in sorted(document.asks.items()):
            if operation["x-billfold-retry"] != "idempotent" or not re.search(r"\.(read|find|search|verify)\.v1$", name):
                continue
            if name.endswith(".state.read.v1"):
                continue  # of a hand-over that nobody has begun
            event = document.example(name)
            for field, value in {**people, "charge": charge}.items():
                if field in event["data"]:
                    event["data"][field] = value
            del event["expirytime"]
            event["id"] = new_id()
            document.check(event)
            answer = ask(socket, document, event)
            document.check(answer)
            assert answer["causationid"] == event["id"]
            if answer["type"].endswith(".reply"):
                replied.append(name)
            else:
                code = answer["data"]["code"]
                refused[name] = code
                assert code in operation["x-billfold-faults"], (name, answer)
                assert document.value["components"]["x-billfold-faults"][code]["retry"] == answer["data"]["retry"]
    finally:
        context.destroy(linger=0)
    assert len(replied) > 35, refused
    billset.all_run()


def put(data, path, value, role):
    """Sets a field, in each object of a list, and with it what says whose it is."""
    *outer, last = path.split(".")
    for name in outer:
        data = data[name]
    for one in data if isinstance(data, list) else [data]:
        one[last] = value
        if "role" in one:
            one["role"] = role


def test_each_ask_is_for_the_actors_that_the_document_names_and_for_nobody_else(billset, document):
    """Asks are the document's examples, about things that there are not: who may ask is told so, anybody else is refused."""
    roles = ("customer", "merchant", "administrator")
    asked = 0
    context = zmq.Context()
    try:
        socket = context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(document.endpoint("asks", billset.run))

        def code(name, role, path):
            event = document.example(name)
            data = event["data"]
            for field in ("customer", "merchant", "account", "party"):
                if field in data and isinstance(data[field], str):
                    data[field] = new_id()
            for key in document.asks[name].get("x-billfold-key", ()):
                data[key] = new_id() if isinstance(data[key], str) else data[key]
            if "username" in data and role:
                data["username"] = f"{role}-{new_id()}"
            actor = new_id()
            if path and path != "*":
                put(data, path, actor, role)
            if name in ("payments.charge.read.v1", "ordering.order.read.v1") and not path:
                data["party"] = new_id()
            event["actor"], event["id"] = f"{role}:{actor}", new_id()
            del event["expirytime"]
            document.check(event)
            answer = ask(socket, document, event)
            return "" if answer["type"].endswith(".reply") else answer["data"]["code"]

        for name, operation in sorted(document.asks.items()):
            if name.startswith("broker.service.") or name.endswith(".takeover.advance.v1"):
                continue  # it would be done, or nobody takes over who could answer
            actors = operation["x-billfold-actors"]
            for role in roles:
                asked += 1
                if role in actors:
                    assert code(name, role, actors[role]) != "bus.forbidden", (name, role, actors)
                if actors.get(role) == "*":
                    continue
                # One whom the ask does not name, and those whom it does in another role.
                assert code(name, role, None) == "bus.forbidden", (name, role, actors)
                for field in ("customer", "merchant", "account", "party"):
                    if role not in actors and field in document.example(name)["data"]:
                        assert code(name, role, field) == "bus.forbidden", (name, role, field, actors)
    finally:
        context.destroy(linger=0)
    assert asked > 300
    billset.all_run()


# MARK: The page about the wire


def started(program, billset):
    return subprocess.Popen(
        [sys.executable, "-u", "-c", program], env={**os.environ, "BILLFOLD_RUN": str(billset.run)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_the_three_programs_at_the_top_of_the_page_do_what_it_says(billset, merchant):
    client, worker, subscriber = re.findall(r"^```python\n(.*?)^```$", WIRE.read_text(), re.MULTILINE | re.DOTALL)[:3]
    payer = billset.customer("demo")
    asked = started(client, billset)
    assert asked.communicate(timeout=PATIENCE)[0] == "{'amount': 1650, 'currency': 'USD'}\n"

    serving = started(worker, billset)
    try:
        # The ask waits in the broker's queue until the worker is there.
        repeated = client.replace("\ncustomer =", "\nprint(ask('echo.text.say.v1', {'text': 'hello'})); exit()\ncustomer =")
        assert repeated != client
        said, _ = started(repeated, billset).communicate(timeout=PATIENCE)
        assert said == "{'text': 'hello'}\n"
    finally:
        serving.kill()
        serving.communicate()

    reading = started(subscriber, billset)
    try:
        def line():
            payer.paid(merchant, 1)
            return reading.stdout.readline() if select.select([reading.stdout], [], [], 0.1)[0] else None

        assert re.fullmatch(r"\d+ \{'amount': 1, 'currency': 'USD'\}\n", until(line, "a fact to be read"))
    finally:
        reading.kill()
        reading.communicate()


def rows(section):
    """The rows of the tables in a part of the page, a list of cells each."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| `")]


def test_the_page_of_messages_has_every_ask_with_its_class_and_every_fact(document):
    messages = MESSAGES.read_text().split("\n## Fault codes\n")[0]
    listed = {}
    for name, *cells in rows(messages):
        for type in re.findall(r"`([a-z<>, ]+(?:\.[a-z]+)+\.v\d+)`", name):
            listed[type] = cells[0]
    common = {"facts.read.v1", "facts.head.v1", "stats.read.v1", "spans.read.v1", "backup.write.v1", "table.read.v1",
              "cursor.move.v1", "state.follow.v1", "state.read.v1", "state.seal.v1", "takeover.advance.v1"}
    for name, operation in document.value["operations"].items():
        if name.split(".", 1)[1] in common:
            continue
        assert name in listed, f"{name} is not on the page"
        if operation["action"] == "receive":
            assert listed[name] == operation["x-billfold-retry"], name
    unknown = {name for name in listed if "<" not in name} - set(document.value["operations"])
    assert not unknown, f"on the page and nowhere else: {unknown}"


def test_the_page_of_messages_has_every_code_with_its_status_and_advice(document):
    codes = MESSAGES.read_text().split("\n## Fault codes\n")[1].split("\n## ")[0]
    listed = {cells[0].strip("`"): (int(cells[1]), cells[2].strip("`"), cells[3]) for cells in rows(codes)}
    known = {
        code: (value["status"], value["retry"], value["title"])
        for code, value in document.value["components"]["x-billfold-faults"].items()}
    assert {code: listed.get(code) for code in known} == known
    # What the gateway alone refuses for.
    own = {"auth.pin_required", "auth.transfers_held"}
    assert all(code in known or code.startswith("gateway.") or code in own for code in listed)


FAR = "2099-01-01T00:00:00.000Z"

# What the page's table of limits says: an ask, fields of its example that are replaced, the code.
LIMITS = [
    ("auth.merchants.read.v1", {"limit": 101}, "bus.malformed"),
    ("auth.facts.read.v1", {"after": -1}, "bus.malformed"),
    ("auth.account.register.v1", {"username": "a b"}, "auth.username_invalid"),
    ("auth.account.register.v1", {"password": "1234567"}, "auth.password_invalid"),
    ("auth.account.register.v1", {"name": "n" * 101}, "auth.name_invalid"),
    ("auth.account.register.v1", {"profile": {"email": "ada"}}, "auth.email_invalid"),
    ("auth.account.register.v1", {"profile": {"birthdate": "1899-12-31"}}, "auth.birthdate_invalid"),
    ("auth.account.register.v1", {"profile": {"birthdate": "1899"}}, "bus.malformed"),
    ("auth.account.register.v1", {"profile": {"firstName": "n" * 101}}, "auth.profile_invalid"),
    ("auth.account.register.v1", {"profile": {"address": "n" * 251}}, "auth.profile_invalid"),
    ("auth.account.register.v1", {"profile": {"productTypes": ["coffee"]}, "role": "customer"}, "auth.profile_invalid"),
    ("auth.account.register.v1", {"approved": True, "role": "customer"}, "bus.malformed"),
    ("auth.account.read.v1", {"account": "0" * 32, "username": "ada"}, "bus.malformed"),
    ("auth.merchant.decide.v1", {"reason": "n" * 251}, "auth.reason_invalid"),
    ("auth.password.change.v1", {"newPassword": "p" * 129}, "auth.password_invalid"),
    ("auth.reset.use.v1", {"newPassword": "1234567"}, "auth.password_invalid"),
    ("auth.pin.set.v1", {"pin": "12345"}, "auth.pin_invalid"),
    ("auth.pin.verify.v1", {"pin": "123"}, "auth.pin_invalid"),
    ("auth.session.read.v1", {"tokenDigest": "0" * 63}, "bus.malformed"),
    ("auth.session.open.v1", {"password": "1"}, "auth.wrong_credentials"),
    ("wallet.payment.post.v1", {"amount": {"amount": 0, "currency": "USD"}}, "wallet.amount_invalid"),
    ("wallet.payment.post.v1", {"amount": {"amount": 100_000_001, "currency": "USD"}}, "wallet.amount_invalid"),
    ("wallet.payment.post.v1", {"amount": {"amount": 1, "currency": "EUR"}}, "wallet.currency_mismatch"),
    ("wallet.payment.post.v1", {"amount": {"amount": 1, "currency": "usd"}}, "bus.malformed"),
    ("wallet.payment.post.v1", {"amount": {"amount": 2**63, "currency": "USD"}}, "bus.malformed"),
    ("wallet.payment.post.v1", {"memo": "n" * 513}, "bus.malformed"),
    ("wallet.payment.post.v1", {"merchant": "0" * 31}, "bus.malformed"),
    ("wallet.card.add.v1", {"number": "1" * 15}, "wallet.card_invalid"),
    ("wallet.card.add.v1", {"code": "1" * 9}, "wallet.card_invalid"),
    ("wallet.hold.place.v1", {"expires": FAR}, "bus.malformed"),
    ("wallet.hold.place.v1", {"expires": "2000-01-01T00:00:00.000Z"}, "wallet.hold_expired"),
    ("wallet.entries.read.v1", {"limit": 0}, "bus.malformed"),
    ("wallet.ledger.verify.v1", {"limit": 10_001}, "bus.malformed"),
    ("wallet.transfer.post.v1", {"from": {"party": "0" * 32, "role": "merchant", "card": "1" * 32}}, "bus.malformed"),
    ("payments.payment.create.v1", {"amount": {"amount": 0, "currency": "USD"}}, "wallet.amount_invalid"),
    ("payments.payment.create.v1", {"amount": {"amount": 1_000_001, "currency": "USD"}}, "payments.amount_too_large"),
    ("payments.payment.create.v1", {"amount": {"amount": 1, "currency": "EUR"}}, "wallet.currency_mismatch"),
    ("payments.payment.create.v1", {"memo": "n" * 257}, "payments.memo_too_long"),
    ("payments.payment.create.v1", {"memo": "\t"}, "bus.malformed"),
    ("payments.code.redeem.v1", {"code": "4711"}, "payments.code_invalid"),
    ("location.place.put.v1", {"latitude": 90_000_001}, "location.coordinate_invalid"),
    ("location.place.put.v1", {"longitude": -180_000_001}, "location.coordinate_invalid"),
    ("location.place.put.v1", {"name": " "}, "location.name_invalid"),
    ("location.position.update.v1", {"latitude": 90_000_001, "time": FAR}, "location.coordinate_invalid"),
    ("location.position.update.v1", {"time": FAR}, "location.time_invalid"),
    ("location.position.update.v1", {}, "location.sharing_off"),
    ("location.positions.update.v1", {
        "fixes": [{"customer": "0" * 32, "latitude": 1, "longitude": 1}] * 401}, "location.too_many_fixes"),
    ("location.customers.find.v1", {"freshSeconds": 86_401}, "bus.malformed"),
    ("offers.offer.submit.v1", {"terms": {"title": "", "content": "c", "student": False, "sendOnEntry": False}},
     "offers.offer_invalid"),
    ("offers.offer.submit.v1", {"terms": {
        "title": "t", "content": "c", "student": False, "sendOnEntry": False, "targetLat": 90_000_001, "targetLon": 0}},
     "offers.coordinate_invalid"),
    ("offers.offer.decide.v1", {"accepted": "pending"}, "bus.malformed"),
    ("offers.offer.decide.v1", {"accepted": "rejected", "reason": "r" * 256}, "offers.offer_invalid"),
    ("offers.preferences.set.v1", {"preferences": {
        "enabled": True, "ads": True, "coupons": True, "muted": [], "perDay": 101, "utcOffsetMinutes": 0}},
     "offers.preferences_invalid"),
    ("offers.deals.find.v1", {"latitude": 90_000_001, "longitude": 0}, "offers.coordinate_invalid"),
    ("offers.deals.find.v1", {"latitude": 0}, "bus.malformed"),
    ("offers.deals.search.v1", {"product": "p" * 51}, "bus.malformed"),
    ("offers.subscriptions.read.v1", {"merchants": ["0" * 32] * 101}, "bus.malformed"),
    ("offers.coupon.reserve.v1", {"amount": {"amount": 0, "currency": "USD"}}, "bus.malformed"),
    ("notifications.endpoint.add.v1", {"type": 5}, "notifications.endpoint_invalid"),
    ("notifications.endpoint.add.v1", {"type": 4, "address": "http://example.com/"}, "notifications.endpoint_invalid"),
    ("notifications.notification.send.v1", {"registrationId": ""}, "notifications.endpoint_invalid"),
    ("notifications.notification.send.v1", {"message": ""}, "notifications.message_invalid"),
    ("notifications.mail.send.v1", {"to": "ada"}, "notifications.address_invalid"),
    ("notifications.mail.send.v1", {"subject": "two\nlines"}, "notifications.message_invalid"),
    ("notifications.settings.set.v1", {"quiet": {"from": 1440, "until": 0, "offset": 0}}, "notifications.quiet_hours_invalid"),
    ("notifications.settings.set.v1", {"muted": ["unheard"]}, "bus.malformed"),
    ("notifications.inbox.read.v1", {"before": 1, "after": 1}, "bus.malformed"),
    ("broker.service.pause.v1", {"service": "", "forMilliseconds": 1}, "bus.malformed"),
    ("broker.service.pause.v1", {"service": "nobody-there", "forMilliseconds": 300_001}, "bus.malformed"),
]


@pytest.mark.parametrize("name, fields, code", LIMITS)
def test_a_value_beyond_a_limit_is_refused_with_the_code_that_the_page_says(bus, document, name, fields, code):
    event = document.example(name)
    for field in ("customer", "merchant", "account", "charge", "card", "payment", "notice", "endpoint", "offer"):
        if field in event["data"]:
            event["data"][field] = new_id()
    event["data"].update(fields)
    answer = bus.raw({**event, "id": new_id(), "expirytime": FAR})
    assert answer["type"] == f"{name}.fault" and answer["data"]["code"] == code, answer
    assert code == "bus.malformed" or code in document.asks[name]["x-billfold-faults"]


# MARK: A service written from the document


class Service(threading.Thread):
    """Takes the place of a service, in 18/MDP: whatever its channel's asks are, it answers with the replies' examples."""

    def __init__(self, document, name, run):
        super().__init__(daemon=True)
        self.document, self.channel, self.run_directory = document, document.value["channels"][name], run
        self.taken, self.wrong = [], []
        self.ending = threading.Event()

    def run(self):
        context = zmq.Context()
        try:
            socket = context.socket(zmq.DEALER)
            socket.connect(self.document.endpoint("asks", self.run_directory))
            socket.send_multipart([b"MDPW02", b"\x01", self.channel["address"].encode()])
            while not self.ending.is_set():
                if not socket.poll(200):
                    socket.send_multipart([b"MDPW02", b"\x05"])
                    continue
                _, command, *rest = socket.recv_multipart()
                if command == b"\x02":
                    token, _, body = rest
                    socket.send_multipart([b"MDPW02", b"\x04", token, b"", json.dumps(self.answer(body)).encode()])
            socket.send_multipart([b"MDPW02", b"\x06"])
        finally:
            context.destroy(linger=500)

    def answer(self, body):
        event = json.loads(body)
        name = event["type"]
        about = {"correlationid": event.get("correlationid", event["id"]), "causationid": event["id"]}
        if name not in self.channel["messages"]:
            return self.refusal(name, "bus.unknown_type", about)
        try:
            self.document.check(event)
        except jsonschema.ValidationError as error:
            self.wrong.append(f"{name}: {error.message}")
            return self.refusal(name, "bus.malformed", about)
        self.taken.append(name)
        operation = self.document.value["operations"][name]
        reply = operation["reply"]["messages"][0]["$ref"].rsplit("/", 1)[1]
        return {**self.document.example(reply), **about, "id": new_id()}

    def refusal(self, name, code, about):
        known = self.document.value["components"]["x-billfold-faults"][code]
        data = {
            "type": f"urn:billfold:fault:{code}", "code": code, "title": known["title"], "status": known["status"],
            "retry": known["retry"]}
        return {**self.document.example("fault"), **about, "id": new_id(), "type": f"{name}.fault", "data": data}

    def end(self):
        self.ending.set()
        self.join(PATIENCE)


def test_a_service_of_examples_satisfies_the_gateway(billset, document, customer):
    """In the place of notifications: what the gateway asks is as the document says, and what the document says suffices."""
    billset.stop("notifications")
    service = Service(document, "notifications", billset.run)
    service.start()
    try:
        billset.await_health()
        inbox = customer.get("/v1/notices")
        assert inbox.status == 200, inbox
        example = document.example("notifications.inbox.read.v1.reply")["data"]
        assert inbox.body["notices"] == example["notices"]
        assert customer.get("/v1/settings/notices").status == 200
        added = customer.post(
            "/v1/endpoints", {"type": 1, "registrationId": "bk3RNwTe3H0:CI2k"}, key="an-endpoint")
        assert added.status == 201, added
        assert customer.delete(f"/v1/endpoints/{new_id()}").status == 204
    finally:
        service.end()
    assert service.wrong == []
    assert {"notifications.inbox.read.v1", "notifications.endpoint.add.v1", "notifications.stats.read.v1"} <= set(
        service.taken)
    billset.start("notifications")
    # The health may still be that of the program which has just ended.
    until(lambda: customer.get("/v1/notices").body.get("notices") == [], "notifications to answer")
