"""`billfold status`, `listen`, `call` and `trace`, against a real set."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import threading

import pytest
import zmq

import billfold
from billfold import BINARIES, NAMES, PATIENCE, SERVICES, new_id, post_payment, until, until_well, usd


def lines(text):
    return [line for line in text.splitlines() if line]


def traces(billset, id, *options):
    """The trees of an id, as JSON; nothing while nobody knows it."""
    foreign = [] if re.fullmatch("[0-9a-f-]{32,}", id) else ["--foreign"]
    ended = billset.command("trace", id, "--json", *foreign, *options)
    return json.loads(ended.stdout)["traces"]


def nodes(tree):
    found = [tree]
    for node in found:
        found += node["children"]
    return found


def named(trees, name):
    return [node for tree in trees for node in nodes(tree["root"]) if node.get("name") == name]


# MARK: status


def test_status(billset, customer, merchant):
    customer.paid(merchant, 100)
    ended = until_well(lambda: billset.command("status", "--json", "--over", "0.1"))
    assert ended.stderr == ""
    services = {one["service"]: one for one in json.loads(ended.stdout)["services"]}
    assert set(services) == set(NAMES)
    for name, one in services.items():
        assert one["state"] == "ok", one
        (worker,) = one["workers"]
        assert worker["processID"] == billset.processes[name].pid
        assert re.fullmatch("[0-9a-f]{16}", worker["instance"])
        assert worker["dialect"] == "billfold"
        assert one["versions"] == [worker["version"]] and one["residentBytes"] > 1_000_000
    assert len({one["workers"][0]["instance"] for one in services.values()}) == len(NAMES)

    table = billset.command("status", "--over", "0.1", "--instances").stdout
    assert "\x1b" not in table and max(map(len, table.splitlines())) <= 80
    whole, processes = table.strip().split("\n\n")
    assert [line.split()[0] for line in lines(whole)[1:]] == list(services)
    assert [line.split()[1:3] for line in lines(processes)[1:]] == [
        [one["workers"][0]["instance"], str(one["workers"][0]["processID"])] for one in services.values()]


def test_a_service_that_is_missing_or_paused_or_foreign_is_told(billset, bus):
    """Another one answers for a service of its own, in the dialect of RFC 7."""
    ready = threading.Event()
    with bus.context.socket(zmq.DEALER) as worker:
        worker.connect(f"ipc://{billset.run}/asks.sock")
        worker.send_multipart([b"", b"MDPW01", b"\x01", b"rates"])

        def state(name):
            shown = json.loads(billset.command("status", "--json", "--over", "0.1").stdout)
            return {one["service"]: one for one in shown["services"]}.get(name, {}).get("state")

        until(lambda: state("rates") == "untold", "the foreign worker to be shown")
        ready.set()
        # The broker remembers who has answered.
        bus.send(billfold.envelope("rates.table.read.v1", {}), retry="idempotent")
        asked = b""
        while b"rates.table.read.v1" not in asked:
            assert worker.poll(PATIENCE * 1000)
            _, _, command, *rest = worker.recv_multipart()
            if command == b"\x02":
                client, _, asked = rest
                answer = billfold.encode(billfold.envelope("rates.table.read.v1.reply", {}))
                worker.send_multipart([b"", b"MDPW01", b"\x03", client, b"", answer])
        assert bus.receive()
        worker.send_multipart([b"", b"MDPW01", b"\x05"])
        # Nothing waits for it, and it does not belong to the set: it is no trouble of anybody.
        until(lambda: state("rates") is None, "the foreign service to leave")
        until_well(lambda: billset.command("status", "--over", "0.1"))
    bus.ask("broker.service.pause.v1", {"service": "offers"})
    try:
        ended = billset.command("status", "--over", "0.1")
        assert ended.returncode == 1 and re.search(r"^offers +paused ", ended.stdout, re.M), ended
    finally:
        bus.ask("broker.service.resume.v1", {"service": "offers"})
    billset.stop("offers")
    try:
        until(lambda: state("offers") == "missing", "offers to be missing")
    finally:
        billset.start("offers")
        billset.await_health()


def test_status_is_drawn_again_on_a_terminal(billset):
    leader, follower = pty.openpty()
    shown = subprocess.Popen(
        [BINARIES / "billfold", "status", "--watch", "--over", "0.1"], env=billset.environment, stdin=follower,
        stdout=follower, stderr=follower,
        # Whoever starts tests in the background has them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(follower)
    try:
        seen = b""
        while seen.count(b"SERVICE") < 3:
            assert select.select([leader], [], [], PATIENCE)[0]
            seen += os.read(leader, 65536)
        assert b"\x1b[H" in seen and b"\x1b[32mok\x1b[0m" in seen
        shown.send_signal(signal.SIGINT)
        shown.wait(PATIENCE)
    finally:
        shown.kill()
        os.close(leader)


def test_a_broker_that_is_gone_is_no_verdict(tmp_path):
    """The sockets of a set that was killed are still there."""
    made = billfold.Set().start("broker")
    try:
        until(lambda: made.command("status", "--over", "0.1").returncode == 1, "the broker to answer")
        made.kill()
        assert (made.run / "asks.sock").exists()
        for command in (["status"], ["verify"], ["trace", new_id()], ["call", "wallet.ledger.read.v1", "--deadline", "0.3"]):
            ended = made.command(*command)
            assert (ended.returncode, ended.stdout) == (2, ""), ended
            assert len(lines(ended.stderr)) == 1 and "WRONG" not in ended.stderr
    finally:
        made.close()


def test_without_a_set(tmp_path):
    for command in (["status"], ["listen"], ["call", "broker.queues.read.v1"], ["trace", new_id()]):
        ended = subprocess.run(
            [BINARIES / "billfold", *command, "--run", str(tmp_path)], capture_output=True, text=True, timeout=PATIENCE)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert "no set runs in" in ended.stderr and len(lines(ended.stderr)) == 1


# MARK: call


def test_call(billset, customer):
    asked = ["call", "wallet.cards.read.v1", json.dumps({"customer": customer.account})]
    ended = billset.command(*asked)
    assert ended.returncode == 0, ended
    assert json.loads(ended.stdout)["cards"][0]["card"] == customer.card
    assert len(lines(ended.stdout)) > 3
    assert len(lines(billset.command(*asked, "--json").stdout)) == 1
    # As the account itself, and as another.
    assert billset.command(*asked, "--actor", f"customer:{customer.account}").returncode == 0
    refused = billset.command(*asked, "--actor", f"customer:{new_id()}")
    assert (refused.returncode, refused.stdout) == (1, "") and "(bus.forbidden)" in refused.stderr
    problem = billset.command(*asked, "--json", "--actor", f"customer:{new_id()}")
    assert json.loads(problem.stderr)["code"] == "bus.forbidden"


def test_call_masks_secrets_unless_told(billset, customer):
    message = json.dumps({"username": customer.username, "password": customer.PASSWORD})
    masked = billset.command("call", "auth.session.open.v1", "-", input=message)
    assert json.loads(masked.stdout)["token"] == "•••"
    shown = billset.command("call", "auth.session.open.v1", "-", "--unmasked", input=message)
    assert len(json.loads(shown.stdout)["token"]) > 20


@pytest.mark.parametrize(("arguments", "said"), [
    (["wallet.card.raed.v1"], "Did you mean wallet.card.read.v1?"),
    (["wallet.crads.read.v2"], "Did you mean wallet.cards.read.v1?"),
    (["wallet.card.read"], "Did you mean wallet.card.read.v1?"),
    (["wallet.payment.posted.v1"], "billfold listen wallet.payment.posted.v1"),
    (["wallet.card.read.v1", "{"], "The message cannot be read"),
    (["wallet.card.read.v1", "[]"], "must be an object"),
    (["wallet.card.read.v1", '{"a":1,"a":2}'], "The message cannot be read"),
    (["no type"], "is no type"),
    (["wallet.card.read.v1", "--actor", "me"], "--actor is a role"),
    (["wallet.card.read.v1", "--deadline", "0"], "--deadline is"),
    ([], "Missing expected argument '<type>'"),
    (["no.such.type.v1", "--example"], "nobody here knows"),
])
def test_a_wrong_call_is_refused_before_anything_is_asked(billset, arguments, said):
    ended = billset.command("call", *arguments)
    assert ended.returncode == 64 and ended.stdout == ""
    assert said in " ".join(ended.stderr.split()), ended.stderr


@pytest.mark.parametrize("unknown", ["auth.pain.send.v1", "rates.table.read.v1", "wallet.gift.read.v1"])
def test_what_is_no_slip_of_the_keyboard_is_not_corrected(billset, unknown):
    ended = billset.command("call", unknown)
    assert ended.returncode == 64 and "is in no contract" in ended.stderr and "Did you mean" not in ended.stderr


def test_a_call_that_nobody_serves_says_so_at_once(billset):
    """Not at its deadline of five minutes, which the command's own time limit is far below."""
    asked = ["call", "rates.table.read.v1", "--retry", "once", "--deadline", "300"]
    ended = billset.command(*asked)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "nobody serves 'rates'; nothing was asked" in ended.stderr and "(bus.no_worker)" in ended.stderr
    assert json.loads(billset.command(*asked, "--json").stderr)["code"] == "bus.no_worker"
    tried = billset.command("call", "wallet.ledger.read.v1", "--service", "try.rates", "--deadline", "300")
    assert tried.returncode == 2 and "nobody serves 'rates'" in tried.stderr
    with billset.frozen("broker"):
        silent = billset.command("call", "wallet.ledger.read.v1", "--deadline", "1")
    assert silent.returncode == 2 and "the bus does not answer; nothing was asked" in silent.stderr


def test_a_call_waits_for_a_service_that_is_paused(billset, bus):
    def waiting():
        queues = bus.ask("broker.queues.read.v1")["services"]
        return sum(queue["queued"] for queue in queues if queue["service"] == "wallet")

    bus.ask("broker.service.pause.v1", {"service": "wallet"})
    try:
        before = waiting()
        calling = subprocess.Popen(
            [BINARIES / "billfold", "call", "wallet.ledger.read.v1"], env=billset.environment, stdout=subprocess.DEVNULL)
        until(lambda: waiting() > before, "the ask to wait")
        assert calling.poll() is None
    finally:
        bus.ask("broker.service.resume.v1", {"service": "wallet"})
    assert calling.wait(PATIENCE) == 0


def test_a_message_of_a_type_is_shown(billset):
    shown = json.loads(billset.command("call", "wallet.payment.post.v1", "--example").stdout)
    assert shown["amount"]["currency"] == "USD" and re.fullmatch("[0-9a-f]{32}", shown["payment"])


def test_types_are_completed(billset):
    script = billset.command("--generate-completion-script", "bash").stdout
    # What bash does when Tab is pressed.
    ended = subprocess.run(
        ["bash", "-c", script + """
PATH=$BIN:$PATH
complete_line() {
  COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  "$(complete -p billfold | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" billfold "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
  printf '%s\\n' "${COMPREPLY[@]}"
}
complete_line billfold call wallet.card.
echo --
complete_line billfold sta
"""], env={**os.environ, "BIN": str(BINARIES)}, capture_output=True, text=True, timeout=PATIENCE)
    types, commands = ended.stdout.split("--\n")
    asks = json.loads(billset.command("contracts", "wallet.card.", "--json").stdout)
    known = {one["type"] for one in asks if one["kind"] == "ask"}
    assert known and {word.strip() for word in lines(types)} == known, ended
    assert [word.strip() for word in lines(commands)] == ["status"], ended


# MARK: listen


def test_listen(billset, bus, customer, merchant):
    """Each fact once, those from the log first, with what was asked for only, and no gap that is not there."""
    earlier = customer.paid(merchant, 120)["charge"]
    listening = subprocess.Popen(
        [BINARIES / "billfold", "listen", "wallet.payment", "--account", customer.account, "--last", "500", "--json"],
        env=billset.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        def heard(charge):
            while True:
                fact = json.loads(listening.stdout.readline())
                assert fact["type"] == "wallet.payment.posted.v1" and fact["kind"] == "fact"
                if fact["data"]["payment"] == charge:
                    return fact

        heard(earlier)
        # It hears from before it read the log on.
        billset.customer().paid(merchant, 100)
        charge = customer.paid(merchant, 130)["charge"]
        fact = heard(charge)
        assert fact["data"]["amount"] == usd(130) and fact["source"] == "wallet"
    finally:
        listening.terminate()
        listening.wait(PATIENCE)
    assert listening.stderr.read() == ""

    told = billset.command("listen", "*.charge.captured.*", "--charge", charge, "--last", "500", "--count", "1")
    assert told.returncode == 0 and "\x1b" not in told.stdout
    (line,) = lines(told.stdout)
    assert "payments.charge.captured.v1" in line and "amount=$1.30" in line and "trace=" in line


def test_asks_are_private_and_shown_without_secrets(billset, customer):
    """Asks with their answers, to who has the broker's key only."""
    listening = subprocess.Popen(
        [BINARIES / "billfold", "listen", "auth.session.open.v1", "--asks", "--json"], env=billset.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stop = threading.Event()

    def log_in():
        client = billfold.Client(billset)
        while not stop.wait(0.1):
            client.post("/v1/sessions", {"username": customer.username, "password": customer.PASSWORD})

    # Until the broker has heard of the listener, what passes is not copied.
    loggers = threading.Thread(target=log_in)
    loggers.start()
    try:
        ask, reply = json.loads(listening.stdout.readline()), json.loads(listening.stdout.readline())
    finally:
        stop.set()
        loggers.join()
        listening.terminate()
        listening.wait(PATIENCE)
    assert (ask["kind"], ask["type"], ask["data"]["password"]) == ("ask", "auth.session.open.v1", "•••")
    assert (reply["kind"], reply["data"]["token"]) == ("reply", "•••") and reply["microseconds"] > 0
    assert customer.PASSWORD not in listening.stdout.read()

    (billset.home / "wrong.key").write_bytes(bytes(32))
    for key, status, said in (("wrong.key", 1, "gives no copies"), ("none.key", 64, "cannot be read")):
        ended = billset.command("listen", "--asks", "--key", str(billset.home / key))
        assert ended.returncode == status and said in lines(ended.stderr)[-1], ended


def test_what_is_listened_to_is_said_at_once(billset, customer, merchant):
    listening = subprocess.Popen(
        [BINARIES / "billfold", "listen", "payments.charge.*", "--count", "1"], env=billset.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = listening.stderr.readline()
        assert f"listening to payments.charge.* on the bus in {billset.run}" in said and "Ctrl-C" in said
        # It listens from a moment on that nobody outside sees.
        stop = threading.Event()
        pay = lambda: [customer.paid(merchant, 1) for _ in iter(lambda: stop.wait(0.1), True)]  # noqa: E731
        payer = threading.Thread(target=pay)
        payer.start()
        try:
            assert "payments.charge." in listening.stdout.readline()
        finally:
            stop.set()
            payer.join()
        assert listening.wait(PATIENCE) == 0
    finally:
        listening.kill()
        listening.wait(PATIENCE)


@pytest.mark.parametrize(("arguments", "said"), [
    (["wallet.payment.postd.v1"], "did you mean wallet.payment.posted.v1"),
    (["walet"], "there is no fact 'walet'; did you mean wallet?"),
    (["walet.payment.posted"], "did you mean wallet."), (["payments.nothing.*"], "did you mean payments."),
    (["wallet.payment.post.v1"], "is an ask, not a fact: --asks shows asks too"),
    (["wallet.payment.pots.v1", "--asks"], "did you mean wallet.payment.post.v1"),
    (["xylophones"], "there is no fact 'xylophones'"),
])
def test_a_type_that_does_not_exist_is_refused_with_the_nearest_ones(billset, arguments, said):
    ended = billset.command("listen", *arguments)
    assert ended.returncode == 64 and ended.stdout == "" and said in ended.stderr, ended


@pytest.mark.parametrize(("arguments", "said"), [
    (["Wallet!"], "is no type"), (["--card", "x"], "32 hex digits"), (["--last", "0"], "--last is"),
    (["--count", "0"], "--count is"),
])
def test_a_wrong_wish_to_listen(billset, arguments, said):
    ended = billset.command("listen", *arguments)
    assert ended.returncode == 64 and said in " ".join(ended.stderr.split())


# MARK: trace


def whole(billset, id, last="payments.charge.captured.v1"):
    """The trace of a payment once its last fact is told."""
    return until(lambda: (found := traces(billset, id)) and named(found, last) and found, f"{last} of {id}")


def test_a_payment_is_traced_from_request_to_entry(billset, customer, merchant):
    answer = customer.pay(merchant, 150)
    assert answer.status == 201, answer
    correlation = answer.headers["X-Correlation-Id"]
    found = whole(billset, correlation)
    (tree,) = found
    root = tree["root"]
    assert (root["kind"], root["name"], root["status"], root["id"]) == ("request", "POST /v1/payments", 201, correlation)
    (payment,) = [node for node in root["children"] if node["name"] == "payments.payment.create.v1"]
    (post,) = [node for node in nodes(payment) if node["name"] == "wallet.payment.post.v1"]
    (posted,) = [node for node in nodes(post) if node["name"] == "wallet.payment.posted.v1"]
    assert posted["kind"] == "fact" and posted["data"]["entry"] == answer.body["entry"]
    assert posted["data"]["amount"] == usd(150)
    assert root["microseconds"] >= payment["microseconds"] >= 0 and payment["offsetMicroseconds"] >= 0
    assert [node["name"] for node in posted["children"]] == ["payments.charge.captured.v1"]

    # By the whole traceresponse, by its trace, by the charge.
    trace = answer.headers["traceresponse"]
    for id in (trace, trace.split("-")[1], answer.body["charge"]):
        assert named(whole(billset, id), "wallet.payment.posted.v1"), id
    text = billset.command("trace", correlation).stdout
    assert "\x1b" not in text and "amount=$1.50" in text
    assert len([line for line in lines(text) if "POST /v1/payments" in line]) == 1


def test_a_charge_has_a_trace_for_each_request_about_it(billset, customer, merchant):
    asked = merchant.post(
        "/v1/charges", {"customer": customer.username, "amount": usd(110), "memo": "tea"}, key=new_id())
    charge = asked.body["charge"]
    approved = customer.post(f"/v1/charges/{charge}/approval", {"amount": usd(110)})
    assert (asked.status, approved.status) == (201, 200)
    found = until(
        lambda: len(named(found := traces(billset, charge), "notifications.notice.added.v1")) == 3 and found,
        "the notices of both, and the merchant's that the customer has no device (A94)")
    assert [tree["correlation"] for tree in found] == [
        answer.headers["X-Correlation-Id"] for answer in (asked, approved)]
    assert [tree["root"]["name"] for tree in found] == ["POST /v1/charges", "POST /v1/charges/{charge}/approval"]
    notices = {"payments.charge.requested.v1": 2, "payments.charge.captured.v1": 1}
    for tree, (fact, count) in zip(found, notices.items(), strict=True):
        (published,) = named([tree], fact)
        assert [node["name"] for node in published["children"]] == ["notifications.notice.added.v1"] * count


def test_a_touch_is_traced(billset, customer, merchant):
    opened = customer.post("/v1/devices", {"profile": "account"}, key=new_id())
    assert opened.status == 201, opened
    touched = customer.post(f"/v1/devices/{opened.body['device']}/touch", {"x": 1, "y": 4}, key=new_id())
    assert touched.status == 200, touched
    # A process that is busy is missed by a look.
    until(lambda: [tree["root"]["name"] for tree in traces(billset, touched.headers["X-Correlation-Id"])] == [
        "POST /v1/devices/{device}/touch"], "the touch's trace")


def test_a_trace_of_an_ask_of_ones_own(billset, bus, customer, merchant):
    """Ids that are not ours, as a foreign till may choose them."""
    ask = post_payment(customer, merchant, 100, correlationid="till 7, receipt 42")
    bus.raw(ask)
    trees = whole(billset, "till 7, receipt 42")
    assert named(trees, "wallet.payment.post.v1") and named(trees, "wallet.payment.posted.v1")
    ended = billset.command("call", "wallet.ledger.read.v1", "--trace")
    trace = ended.stderr.split()[-1]
    assert named(traces(billset, trace), "wallet.ledger.read.v1")


def test_a_refusal_is_traced_with_its_code(billset, customer, merchant):
    answer = customer.pay(merchant, 5_000)
    assert answer.code == "wallet.insufficient_funds"
    (tree,) = until(
        lambda: (lambda trees: len(trees) == 1 and trees[0]["root"].get("status") and trees)(
            traces(billset, answer.headers["X-Correlation-Id"])), "the request's trace")
    assert tree["root"]["fault"] == "wallet.insufficient_funds" and tree["root"]["status"] == answer.status
    assert {node["fault"] for node in named([tree], "wallet.payment.post.v1")} == {"wallet.insufficient_funds"}


def test_a_trace_of_before_a_restart_has_what_lasts(billset, customer, merchant):
    """Last of this file: every process forgets."""
    answer = customer.pay(merchant, 160)
    correlation = answer.headers["X-Correlation-Id"]
    whole(billset, correlation)
    billset.restart(*SERVICES, "gateway")
    billset.await_health()
    for id in (correlation, answer.body["charge"]):
        (tree,) = traces(billset, id)
        assert tree["root"]["kind"] == "forgotten" and tree["correlation"] == correlation
        told = {node.get("name") for node in nodes(tree["root"])}
        assert {"wallet.payment.posted.v1", "payments.charge.captured.v1"} <= told
    unknown = billset.command("trace", new_id())
    assert unknown.returncode == 1 and "nothing is known" in unknown.stderr
    # The log's own shortened form, a digit too few, no id at all.
    for malformed in ("…" + new_id()[:8], new_id()[:-1], "receipt 42", ""):
        refused = billset.command("trace", malformed)
        assert refused.returncode == 64 and "nothing is known" not in refused.stderr, refused
