"""The fields of asks and who may make them, for services in Python: a contract's data as keyword arguments of a function."""

import os
import pathlib
import re
import secrets
import time

from client import rfc3339
from worker import Fault, moment

STARTED = time.monotonic()
# Names this process among others of its service: `billfold status` counts each once.
PROCESS = {"instance": secrets.token_hex(8), "processID": os.getpid(), "startedAt": rfc3339(time.time())}

# Whose ask it may be, by the actor's role: the field that names the account, or "*" for any account. An ask without an
# actor is a service's own, and may be made of all.
SERVICES = {}
ADMINISTRATORS = {"administrator": "*"}
ANYONE = {"customer": "*", "merchant": "*", "administrator": "*"}


# Kinds of fields. `bool` is a kind of `int` in Python, and no number here.
def identifier(value): return isinstance(value, str) and re.fullmatch("[0-9a-f]{32}", value) is not None
def number(value): return type(value) is int
def text(value): return isinstance(value, str)
def boolean(value): return isinstance(value, bool)


def instant(value):
    try:
        return text(value) and moment(value) is not None
    except ValueError:
        return False


def milliseconds(instant):
    """Since 1970. What is behind the thousandths is dropped; a tenth of a microsecond is what a double is off by."""
    return int(moment(instant) * 1000 + 1e-4)


def fields(data, kinds):
    """The fields by their names, each of its kind. A kind whose name ends in `_` may be absent. Raises `Fault`."""
    if not isinstance(data, dict):
        raise Fault("bus.malformed", "data: must be an object")
    data = {name: value for name, value in data.items() if value is not None}
    known = {name.rstrip("_"): kind for name, kind in kinds.items()}
    needed = {name for name in kinds if not name.endswith("_")}
    wrong = [name for name in {*data, *needed} if name not in data or name not in known or not known[name](data[name])]
    if wrong:
        raise Fault("bus.malformed", f"data: {', '.join(sorted(wrong))}")
    return data


def asked(handler, access, **kinds):
    """What makes a handler of a function with named values: `access` as above, or a function of role, party and data."""
    def handle(data, ask):
        data = fields(data, kinds)
        role, _, party = (ask.get("actor") or "").partition(":")
        if role and not may_ask(access, role, party, data):
            raise Fault("bus.forbidden")
        return handler(**data)
    return handle


def may_ask(access, role, party, data):
    if callable(access):
        return access(role, party, data)
    field = access.get(role)
    return field == "*" or (field is not None and data.get(field) == party)


def within(value, low, high, name):
    if not low <= value <= high:
        raise Fault("bus.malformed", f"'{name}' is {low} to {high}")


def stats(service):
    """A handler of `<service>.stats.read.v1`."""
    def read():
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return {"service": service, "uptimeMilliseconds": int(1000 * (time.monotonic() - STARTED)),
                "residentKiB": pages * os.sysconf("SC_PAGESIZE") // 1024, "metrics": [], **PROCESS}
    return read
