"""What the mutants have to know of the contracts: the services, and what each ask does to them."""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("BILLFOLD_BIN", ROOT / ".build" / "release"))
SERVICES = ["location", "notifications", "offers", "payments", "wallet", "auth"]
DECLARED = re.compile(
    r'type: MessageType = "([a-z.0-9]+)"\s+package static let effect: Effect<Self> = \.(\w+)(?:\(by: ([^)]*)\))?')


def effects(service):
    """By type ("reads", "idempotent", "keyed" or "once") and the fields of the key."""
    found = {}
    for path in (ROOT / "Sources" / "Contracts").glob("*.swift"):
        for type, effect, key in DECLARED.findall(path.read_text()):
            if type.startswith(f"{service}."):
                found[type] = effect, tuple(field.strip().removeprefix("\\.") for field in key.split(",") if key)
    return found
