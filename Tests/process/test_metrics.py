"""What operators see: figures that Prometheus takes, rules and a dashboard that name only figures that there are."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

import billfold
from billfold import ROOT, Client, until, usd

OBSERVABILITY = ROOT / "deploy" / "observability"
# Fetched by deploy/test; or installed.
PROMTOOL = shutil.which("promtool") or shutil.which("promtool", path=str(ROOT / ".build" / "tools"))
# What Prometheus itself makes of a scrape.
PROMETHEUS_OWN = {"up"}


@pytest.fixture(scope="module")
def text(billset, customer, merchant):
    """/metrics after a day's work in small."""
    began = time.monotonic()
    charge = customer.paid(merchant, 150)["charge"]
    billset.payment_seconds = time.monotonic() - began
    assert merchant.post(f"/v1/charges/{charge}/refunds", {"amount": usd(50)}, key="r").status == 201
    assert customer.get("/v1/nothing").status == 404
    with billset.bus() as bus:
        with pytest.raises(billfold.Refused):
            bus.ask("wallet.card.read.v1", {"customer": "0" * 32})
        billset.checked_entries = bus.check_ledger()["entries"]
    return when_all_is_read(billset)


def when_all_is_read(set):
    """The figures, once every reader has dealt with all that was done, and with the facts that another made of it."""
    for _ in range(2):
        text = until(lambda: caught_up(metrics(set)), "all readers to have read all")
    return text


def caught_up(text):
    """The figures, once every reader stands where its source does."""
    heads = {labels["service"]: value for name, labels, value in samples(text) if name == "billfold_facts_head"}
    positions = [(labels["source"], value) for name, labels, value in samples(text) if name == "billfold_facts_position"]
    # A service that took longer than a look has none in it.
    up = [labels["service"] for name, labels, value in samples(text) if name == "billfold_up" and value == 1]
    is_whole = len(positions) == 9 and {*up} == {*billfold.NAMES}
    return text if is_whole and all(value == heads.get(source) for source, value in positions) else None


def metrics(billset):
    answer = Client(billset).get("/metrics")
    assert answer.status == 200
    return answer.raw.decode()


def samples(text):
    """(name, labels, value) of each line."""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line).groups()
        yield name, dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")), float(value)


def figure(text, name, **labels):
    found = [value for other, has, value in samples(text) if other == name and labels.items() <= has.items()]
    assert len(found) == 1, (name, labels, found)
    return found[0]


def seconds_since_start(process):
    started = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[19]  # clock ticks after the boot
    return float(pathlib.Path("/proc/uptime").read_text().split()[0]) - int(started) / os.sysconf("SC_CLK_TCK")


def test_every_service_says_how_it_is(billset, text):
    for service in billfold.NAMES:
        assert figure(text, "billfold_up", service=service) == 1
        assert figure(text, "billfold_resident_bytes", service=service) > 1 << 20
        # In seconds: no process has had more than all cores since it began.
        most = seconds_since_start(billset.processes[service].pid) * os.cpu_count()
        assert 0 < figure(text, "billfold_process_cpu_seconds_total", service=service) <= most
        assert 5 < figure(text, "billfold_process_open_fds", service=service) < figure(
            text, "billfold_process_max_fds", service=service)
    for service in billfold.SERVICES[1:]:
        assert figure(text, "billfold_store_file_bytes", service=service) >= 4096
        assert figure(text, "billfold_store_free_bytes", service=service) > 0
        assert figure(text, "billfold_facts_head", service=service) >= 0


def test_rates_errors_durations_and_saturation(billset, text):
    assert figure(text, "billfold_http_requests_total", route="createPayment", status="2xx") == 1
    assert figure(text, "billfold_http_requests_total", route="none", status="4xx") == 1
    # In seconds: none took longer than who asked for it waited.
    assert 1e-6 < figure(text, "billfold_http_request_seconds_sum", route="createPayment") <= billset.payment_seconds
    assert figure(text, "billfold_asks_seconds_count", type="wallet.payment.post.v1") == 1
    assert 1e-6 < figure(text, "billfold_asks_seconds_sum", type="wallet.payment.post.v1") <= billset.payment_seconds
    assert figure(text, "billfold_ask_faults_total", type="wallet.card.read.v1", code="wallet.no_card") == 1
    assert figure(text, "billfold_queue_asks_total", service="wallet") >= 3
    assert figure(text, "billfold_queue_asks", service="wallet") == 0
    assert figure(text, "billfold_queue_credit", service="wallet") == 512
    assert figure(text, "billfold_queue_workers", service="payments") == 1
    commits = figure(text, "billfold_store_commit_seconds_count", service="wallet")
    assert commits == figure(text, "billfold_store_group_size_count", service="wallet") >= 3
    assert figure(text, "billfold_store_group_size_sum", service="wallet") >= commits


def test_money_and_facts(billset, text):
    assert figure(text, "billfold_ledger_total_minor", currency="USD") == 0
    assert figure(text, "billfold_ledger_check_problems") == 0
    assert figure(text, "billfold_ledger_check_entries") >= billset.checked_entries > 0
    assert figure(text, "billfold_ledger_check_timestamp_seconds") == pytest.approx(time.time(), abs=300)
    assert figure(text, "billfold_facts_total", type="wallet.payment.posted.v1") == 1
    assert figure(text, "billfold_facts_position", service="payments", source="wallet") == figure(
        text, "billfold_facts_head", service="wallet")
    for name in ("billfold_facts_behind", "billfold_facts_diverged", "billfold_facts_stopped"):
        assert {value for other, _, value in samples(text) if other == name} == {0}
    assert figure(text, "billfold_places", service="location") == 1


def test_a_service_that_is_gone_is_seen(billset, text):
    billset.kill("location")
    until(lambda: figure(metrics(billset), "billfold_up", service="location") == 0, "location to be missed")
    billset.start("location").await_health()


def families(text):
    return {line.split()[2]: line.split()[3] for line in text.splitlines() if line.startswith("# TYPE")}


def test_every_figure_is_explained(text):
    explained = {line.split()[2] for line in text.splitlines() if line.startswith("# HELP")}
    assert families(text).keys() == explained
    docs = (ROOT / "docs" / "operations.md").read_text()
    assert [name for name in families(text) if f"`{name}" not in docs] == []


# There is no figure of what has not happened yet, nor of another bus.
RARE = {"billfold_event_streams", "billfold_service_doubled"}


def names_in(expression):
    return set(re.findall(r"\b(billfold_\w+|up)\b(?=[\s{\[)]|$)", re.sub(r'"[^"]*"', '""', expression)))


def test_rules_and_dashboard_name_only_figures_that_there_are(text):
    known = families(text)
    dashboard = json.loads((OBSERVABILITY / "dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    assert len(expressions) > 30
    rules = (OBSERVABILITY / "alerts.yml").read_text()
    expressions += re.findall(r"expr: (?:\|\n)?((?:.+\n?)(?: {10,}.+\n)*)", rules)
    for expression in expressions:
        found = names_in(expression)
        assert found, expression
        for name in found - PROMETHEUS_OWN - RARE:
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            assert name in known or known.get(family) == "histogram", (name, expression)
    docs = (ROOT / "docs" / "operations.md").read_text()
    for alert in re.findall(r"alert: (\w+)", rules):
        assert f"### {alert}\n" in docs, f"docs/operations.md says nothing of {alert}"
        assert f'runbook: "docs/operations.md#{alert.lower()}"' in rules


def promtool(*arguments, **options):
    return subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, timeout=60, **options)


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not here: deploy/test fetches it")
def test_prometheus_takes_it(text):
    checked = promtool("check", "metrics", input=text)
    assert checked.returncode == 0 and not checked.stderr.strip(), checked
    for arguments in (
            ("check", "config", OBSERVABILITY / "prometheus.yml"), ("check", "rules", OBSERVABILITY / "alerts.yml"),
            ("test", "rules", OBSERVABILITY / "alerts.test.yml")):
        checked = promtool(*map(str, arguments))
        assert checked.returncode == 0, checked
    tested = (OBSERVABILITY / "alerts.test.yml").read_text()
    for alert in re.findall(r"alert: (\w+)", (OBSERVABILITY / "alerts.yml").read_text()):
        assert tested.count(f"alertname: {alert}") == 2, f"{alert} is not tested both ways"
