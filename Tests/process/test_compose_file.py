"""docker-compose.yml and deploy/cluster against what they describe: the processes, their settings, their keys and rights.
deploy/test-compose runs them.
"""

import re

import yaml

from billfold import NAMES, OWNERS, ROOT

DESCRIPTION = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = DESCRIPTION["services"]
CLUSTER = ROOT / "deploy/cluster"
HOSTS = yaml.safe_load((CLUSTER / "compose.yml").read_text())["services"]
SERVED = [name for name in NAMES if name != "broker"]
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


def test_the_cluster_has_two_processes_of_each_service_on_hosts_of_their_own():
    processes = [name for name, service in HOSTS.items() if service.get("command", [""])[0].startswith("billfold-")]
    assert len(processes) == 2 * len(SERVED)
    for name in SERVED:
        pair = [HOSTS[each] for each in processes if each.rsplit("-", 1)[0] == name]
        assert len(pair) == 2, name
        for service in pair:
            assert service["command"] == [f"billfold-{name}"]
            assert service["healthcheck"]["test"] == ["CMD", f"billfold-{name}", "--health"]
            assert service["environment"]["BILLFOLD_BUS"].startswith("tls://")
            assert service["volumes"][0] == f"${{BILLFOLD_SECRETS:-./secrets}}/{name}:/secrets:ro"
            if name in OWNERS:
                assert service["environment"]["PGUSER"] == name
                assert "sslmode=verify-full" in service["environment"]["BILLFOLD_STORE"]
            else:
                assert "BILLFOLD_STORE" not in service["environment"] and "store" not in service["networks"]
    for kind in ("etcd", "db", "nats"):
        assert sum(name.startswith(f"{kind}-") for name in HOSTS) == 3
    for name, service in HOSTS.items():
        assert service["mem_limit"] and service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert ("ports" in service) == (name == "proxy"), name


def test_the_cluster_gives_keys_to_their_owners_alone():
    keys = {process: service["environment"][variable] for process, service in HOSTS.items()
            for variable in service.get("environment", {}) if variable.endswith("_KEY_FILE")}
    owners = [next(iter(service["secrets"])) for service in SERVICES.values() if "secrets" in service]
    assert len(keys) == 2 * len(owners) and set(keys.values()) == {"/secrets/data.key"}
    makes = (CLUSTER / "make-secrets").read_text()
    named = re.search(r"^for name in ([a-z ]+); do\n.*data\.key", makes, re.M)[1].split()
    assert sorted(named * 2) == sorted(process.rsplit("-", 1)[0] for process in keys)


def test_rights_on_the_bus_are_those_of_the_architecture():
    page = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| (\w+) \| ([^|]*) \| ([^|]*) \|$", page.split("## A service asks only services before it")[1].split("## ")[0], re.M)
    rights = dict(re.findall(r"\{ user: (\w+), .*?permissions: (\{.*?\}) \}", (CLUSTER / "rights.conf").read_text(), re.S))
    assert sorted(rights) == sorted([*SERVED, "operator"])
    for name, asks, consumes in rows:
        if name not in SERVED:
            continue
        publish, subscribe = (re.findall(r'"([^"]+)"', text) for text in rights[name].split("subscribe"))
        facts = {each for each in re.findall(r"\w+", consumes) if each in SERVED}
        logs = {each for part in consumes.split(";") if "as hints" not in part for each in re.findall(r"\w+", part)} & facts
        asked = {each for each in re.findall(r"\w+", asks) if each in SERVED} | logs | {name}
        expected = ({"billfold.ask.*", "billfold.who"} if name == "gateway" else
                    {f"billfold.ask.{each}" for each in asked} | {f"billfold.fact.{name}.>"})
        assert set(publish) == expected, name
        assert set(subscribe) == {
            f"billfold.ask.{name}", "billfold.who", f"billfold.answer.{name}.>",
            *(f"billfold.fact.{each}.>" for each in facts)}, name
        assert "allow_responses: true" in rights[name]
