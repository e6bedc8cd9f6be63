"""docker-compose.yml against what it describes: the processes, their settings, their keys. deploy/test-compose runs it."""

import re

import yaml

from billfold import NAMES, ROOT

DESCRIPTION = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = DESCRIPTION["services"]
# Not of one host's containers: the bus between hosts has files of its own, loopback is a container's own, and a swap sets
# the last itself.
ELSEWHERE = {"BILLFOLD_ASKS_TCP", "BILLFOLD_BUS", "BILLFOLD_KEYS", "BILLFOLD_LISTEN", "BILLFOLD_STORE", "BILLFOLD_TAKE_OVER"}
# Files of accounts that few have: an override adds them as secrets. The last is for tests.
ADDED = re.compile("BILLFOLD_(APNS_|FCM_|NATS_|SMTP_USER|SMTP_PASSWORD_FILE|PUSH_CA_FILE|PUSH_PRIVATE)")


def test_the_set_is_all_processes_and_the_tool_is_not_of_it():
    assert sorted(name for name, service in SERVICES.items() if "profiles" not in service) == sorted(NAMES)
    for name in NAMES:
        service = SERVICES[name]
        assert service["command"] == [f"billfold-{name}"]
        assert service["healthcheck"]["test"] == ["CMD", f"billfold-{name}", "--health"]
        assert service["mem_limit"] and service["read_only"] and service["cap_drop"] == ["ALL"]
        assert ("ports" in service) == (name == "gateway")


def test_each_process_is_given_its_settings():
    page = (ROOT / "docs" / "settings.md").read_text()
    rows = re.findall(r"^\| `(BILLFOLD_\w+)` \| [^|]* \| ([^|]*) \| [^|]* \| [^|]* \|$", page, re.M)
    assert len(rows) > 60
    for name, readers in rows:
        if name in ELSEWHERE or ADDED.match(name):
            continue
        for process in NAMES if readers == "all" else [each for each in re.findall(r"\w+", readers) if each in NAMES]:
            assert name in SERVICES[process]["environment"], f"{process} is not given {name}"


def test_keys_are_secrets_that_nobody_has_to_have():
    none = ROOT / "deploy/compose/no-secret"
    assert none.read_bytes() == b""
    for name, secret in DESCRIPTION["secrets"].items():
        variable = f"BILLFOLD_{name.removesuffix('-key').upper()}_KEY_FILE"
        assert secret == {"file": f"${{{variable}:-{none.relative_to(ROOT)}}}"}
        assert [service["environment"].get(variable) for service in SERVICES.values() if name in service.get("secrets", [])] \
            == [f"/run/secrets/{name}"]
