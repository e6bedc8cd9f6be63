"""Touch devices of the real set: document 000 over HTTP, one payment a touch whatever happens, news from elsewhere.

000-1 to 000-20, 000-62 to 000-101; A1, A5, A8, A9, A14 to A23, A25, A26.
"""

import random
import re
import subprocess

import pytest

from billfold import BINARIES, PATIENCE, ROOT, SEED, Client, Set, Threads, new_id, new_key, until, usd
from device import KEYS, Device, await_paid, unconfirmed

SCRIPTS = ROOT / "Tests" / "TouchAppTests" / "Scripts"


# MARK: Document 000


def test_pay_on_the_go(billset):
    """000-57 to 000-61, 000-95 to 000-101, A17: eleven payments of $1.50, and the twelfth is refused."""
    device = Device(billset).unlock()
    assert device.display["words"] == "$16.50"
    assert device.touch(3, 3)["words"] == "Scan Now"
    for number in range(1, 12):
        left = 1650 - 150 * number
        shown = device.touch(random.randint(1, 3), 2)
        assert shown["notice"] == f"Paid $1.50. Balance ${left // 100}.{left % 100:02}"
        assert shown["receipt"]["balance"] == usd(left)
    assert device.touch(1, 2)["error"] == "Insufficient funds"
    assert "receipt" not in device.display
    assert device.touch(3, 3)["words"] == "$0.00"
    receipts = device.get("/v1/history").body["charges"]
    assert len(receipts) == 11 and all(charge["merchant"] == device.merchant for charge in receipts)


def test_no_card(billset):
    """A5."""
    device = Device(billset, profile="no-card").unlock()
    assert device.display["words"] == "$0.00"
    device.touch(3, 3)
    assert device.touch(1, 2)["error"] == "No card"


def test_a_new_card_pays(billset):
    """000-85 to 000-95, A15, A26."""
    device = Device(billset).unlock()
    first = device.display["card"]["lastFour"]
    number = "".join(random.choice("0123456789") for _ in range(16))
    device.menu(5)
    device.touch(2, 2)
    device.type(number)
    device.touch(2, 4)
    device.type("12345678")
    assert device.top_right()["screen"] == "My Cards - Main"
    assert (device.display["card"]["lastFour"], device.balance) == (number[-4:], 1650)
    device.touch(3, 3)
    assert device.touch(2, 2)["receipt"]["lastFour"] == number[-4:]
    device.menu(1)
    device.touch(2, 4)
    device.touch(2, 7)
    assert device.top_right()["card"] == {"lastFour": first, "balance": usd(1650)}
    # A14: the same number again, at any device.
    other = Device(billset).unlock()
    other.menu(5)
    other.touch(2, 2)
    other.type(number)
    other.touch(2, 4)
    other.type("12345678")
    assert other.top_right()["error"] == "Card already registered"


def test_payments_can_be_disabled(billset):
    """A18: for the customer, whatever the device, and for as long as the customer wants."""
    device = Device(billset).unlock()
    device.menu(2)
    assert device.top_left()["paymentsEnabled"] is False
    device.menu(1)
    device.touch(3, 3)
    assert device.touch(1, 2)["error"] == "Payments disabled"
    card = device.get("/v1/cards/default").body["card"]
    refused = device.post(
        "/v1/payments", {"merchant": device.merchant, "amount": usd(1), "card": card}, key=new_key())
    assert (refused.status, refused.code) == (409, "payments.disabled")
    billset.restart("payments")
    billset.await_health()
    assert device.touch(1, 2)["error"] == "Payments disabled"
    assert device.put("/v1/settings/payments", {"enabled": True}).body == {"enabled": True}
    assert device.touch(1, 2)["notice"].startswith("Paid $1.50")


def test_a_pay_code_is_shown_to_sessions_with_the_pin_only(billset):
    ada = billset.customer()
    device = Device(billset, ada).unlock()
    device.touch(3, 3)
    assert "payCode" in device.display and "payCode" in device.show()
    other = ada.twin()
    other.token = Client(billset).post(
        "/v1/sessions", {"username": ada.username, "password": ada.PASSWORD}).body["token"]
    assert other.post("/v1/pay-codes", {}, key=new_key()).code == "auth.pin_required"

    def hides(answer, display=None):
        """Neither the field nor a line has a code: the one that was shown first, or one that took its place."""
        shown = display or answer.body
        return answer.status in (200, 201) and "payCode" not in shown and shown["lines"] == ["Scan Now"]

    path = f"/v1/devices/{device.id}"
    assert hides(other.get(f"{path}/display"))
    assert other.get(f"{path}/display", headers={"Accept": "text/plain"}).raw.decode().splitlines()[-1] == "Scan Now"
    opened = other.post("/v1/devices", device.wanted, key=device.key)
    assert opened.body["device"] == device.id and hides(opened, opened.body["display"]), opened
    # A touch where nothing is.
    assert hides(other.post(f"{path}/touch", {"x": 3, "y": 8, "touchId": new_id()}))
    # The device reads again in the session that has entered the PIN.
    assert hides(other.post(f"{path}/refresh", {}))
    assert "payCode" in device.show() and device.show()["lines"][-1].startswith("Code ")


def test_stars(billset):
    """000-1, 000-10: one for each payment since the customer takes part."""
    device = Device(billset).unlock()
    assert device.menu(3)["words"] == "Make Every Visit Count"
    assert device.display["rewards"] == {"stars": 0, "joined": False}
    assert device.top_right()["rewards"] == {"stars": 0, "joined": True}
    device.menu(1)
    device.touch(3, 3)
    for _ in range(2):
        device.touch(1, 2)
    assert device.menu(3)["rewards"] == {"stars": 2, "joined": True}
    assert device.top_left()["rewards"] == {"stars": 0, "joined": False}


def test_reload_and_transactions(billset):
    """000-7, A19."""
    device = Device(billset).unlock()
    device.touch(2, 4)
    assert device.touch(1, 5)["notice"] == "Reloaded $10.00. Balance $26.50"
    device.touch(1, 7)
    shown = device.touch(2, 7)
    assert [(line["kind"], line["amount"]["amount"]) for line in shown["transactions"]] == [
        ("Reload", 1000), ("Opening balance", 1650)]


# MARK: PINs


def test_wrong_pins_count_like_any_others(billset):
    """A9: five wrong ones delay the sixth, at this device and at the PIN's own route; nobody logs a digit."""
    person = billset.customer(pin="8527")
    device = Device(billset, person)
    for _ in range(5):
        assert device.type("9631")["error"] == "Invalid Pin"
    assert device.type("8527")["error"].startswith("Too many Pins. Wait ")
    refused = person.post("/v1/pin/verifications", {"pin": "8527"})
    assert (refused.status, refused.code) == (429, "auth.pin_delayed")
    for secret in ("8527", "9631"):
        assert f'"{secret}"' not in billset.log_text() and f":{secret}" not in billset.log_text()


def test_pins_at_devices_are_limited_as_elsewhere(billset):
    """Ten a minute of one account: each is a slow hash, which others wait for."""
    person = billset.customer()
    errors = [Device(billset, person).type(person.pin).get("error") for _ in range(11)]
    assert errors[0] is None and errors[-1].startswith("Too many Pins. Wait "), errors


# MARK: One touch, one payment


def test_a_touch_that_comes_often_is_one_payment(billset):
    device = Device(billset).unlock()
    device.touch(3, 3)
    threads = Threads()
    clients = [Device.__new__(Device) for _ in range(8)]
    for client in clients:
        client.__dict__.update(device.__dict__, connection=None, gateway=0, address=billset.address())
        threads.run(client.touch, 1, 2, "one-touch")
    threads.join()
    threads.check()
    assert sorted(client.effect for client in clients) == ["done"] + ["repeated"] * 7
    device.menu(1)
    assert device.balance == 1500


def test_a_gateway_that_was_killed_pays_the_same_touch_once():
    set = Set().start()
    try:
        set.await_health()
        person = set.customer()
        device = Device(set, person, key="my-phone").unlock()
        first = device.id
        device.touch(3, 3)
        device.touch(1, 2, "the-touch")
        assert device.balance == 1500
        set.kill("gateway")
        set.start("gateway")
        set.await_health()
        answer = device.post(f"/v1/devices/{device.id}/touch", {"x": 1, "y": 2, "touchId": "the-touch"})
        assert (answer.status, answer.code) == (404, "gateway.device_not_found")
        device.open()
        assert device.id == first and device.display["screen"] == "Pin Screen"
        device.unlock()
        device.touch(3, 3)
        assert device.touch(1, 2, "the-touch")["notice"] == "Paid $1.50 before, nothing charged now"
        device.menu(1)
        assert device.balance == 1500
    finally:
        set.close()


def in_flight(bus, service):
    queues = bus.ask("broker.queues.read.v1")["services"]
    return sum(queue["inFlight"] for queue in queues if queue["service"] == service)


@pytest.mark.parametrize("victim", ["wallet", "payments", "broker"])
def test_a_service_dies_between_touch_and_reply(victim):
    """000-20: whatever the app says, it is true, and the payment is made once."""
    set = Set(BILLFOLD_DEADLINE_MS="3000").start()
    try:
        set.await_health()
        device = Device(set).unlock()
        device.touch(3, 3)
        bus = set.bus()
        for round in range(4):
            before = device.balance
            touch = f"round-{round}"
            threads = Threads()
            with set.frozen(victim):
                threads.run(device.touch, 1, 2, touch)
                if victim != "broker":  # which could not answer
                    until(lambda: in_flight(bus, victim), f"{victim} to have the touch")
                set.kill(victim)
            set.start(victim)
            threads.join()
            threads.check()
            set.await_health()
            said = device.display
            if "receipt" in said:
                assert said["receipt"]["balance"] == usd(before - 150), said
            elif unconfirmed(said):
                await_paid(device, touch, before - 150)
            else:
                # Nothing was paid, as it says: a repeat of the touch does not pay either, another touch does.
                assert "Nothing was paid" in said["error"], said
                device.touch(1, 2, touch)
                assert device.show()["card"]["balance"] == usd(before)
                until(lambda: "receipt" in device.touch(1, 2), "a payment once the service is back")
            assert device.balance == before - 150
    finally:
        set.close()


def test_random_touches_never_pay_off_the_pay_screen(billset, bus):
    """Any sequence: no crash, no digit of the PIN, no payment without a visible pay screen, true ledger; A8."""
    rng = random.Random(SEED)
    device = Device(billset)
    for digit in "123":
        assert not re.search(r"\d", " ".join(device.touch(*KEYS[digit])["lines"])), SEED
    assert device.touch(*KEYS["4"])["screen"] == "My Cards - Main"
    for _ in range(250):
        before, screen = device.show(), device.display["screen"]
        choice = rng.random()
        if choice < 0.7:
            device.touch(rng.randint(0, 4), rng.randint(0, 9))
        elif choice < 0.9:
            device.menu(rng.randint(1, 5))
        else:
            rng.choice([device.top_left, device.top_right])()
        if "receipt" in device.display and device.display["receipt"] != before.get("receipt"):
            assert screen == "My Cards - Pay", (SEED, screen)
        if device.display["screen"] == "Pin Screen":
            assert "1234" not in str(device.display["lines"]), SEED
    billset.all_run()
    bus.check_ledger()


# MARK: News from elsewhere


def test_a_charge_approved_elsewhere_changes_main(billset, merchant):
    person = billset.customer()
    device = Device(billset, person).unlock()
    events = device.events()
    assert events.status == 200 and events.headers["content-type"] == "text/event-stream"
    events.await_display(lambda shown: shown["words"] == "$16.50")
    charge = merchant.post(
        "/v1/charges", {"customer": person.account, "amount": usd(400)}, key=new_key()).body["charge"]
    assert person.post(f"/v1/charges/{charge}/approval", {}).status == 200
    events.await_display(lambda shown: shown["words"] == "$12.50")
    # Pay back, transfer, reload: each is seen.
    refund = merchant.post(f"/v1/charges/{charge}/refunds", {"amount": usd(100)}, key=new_key())
    assert refund.status == 201, refund
    events.await_display(lambda shown: shown["words"] == "$13.50")
    assert person.reload(50).status == 201
    events.await_display(lambda shown: shown["words"] == "$14.00")
    other = billset.customer()
    sent = other.post(
        "/v1/transfers", {"to": {"username": person.username}, "amount": usd(25)}, key=new_key())
    assert sent.status == 201, sent
    events.await_display(lambda shown: shown["words"] == "$14.25")
    events.close()
    # A till scans the code that the pay screen shows: a new one comes, and the app stays where it is.
    events = device.events()
    code = device.touch(3, 3)["payCode"]["code"]
    paid = merchant.post("/v1/code-payments", {"code": code, "amount": usd(125)}, key=new_key())
    assert paid.status == 201, paid
    shown = events.await_display(
        lambda shown: shown.get("payCode", {}).get("code", code) != code and shown["card"]["balance"] == usd(1300))
    assert shown["screen"] == "My Cards - Pay" and "error" not in shown
    events.close()
    device.menu(1)
    # Without listeners it is seen with the next look.
    assert person.reload(75).status == 201
    until(lambda: device.show()["words"] == "$13.75", "the reload to be shown")


def test_events_end_with_the_device_and_with_the_session(billset):
    for end in (lambda device: device.delete(f"/v1/devices/{device.id}"),
                lambda device: device.delete("/v1/sessions/current")):
        device = Device(billset, billset.customer())
        events = device.events()
        listened = iter(events)
        assert next(listened)[1] == "display"
        assert end(device).status == 204
        assert next(listened)[1] == "closed"
        assert next(listened, None) is None
        events.close()


def test_a_gateway_that_stops_ends_its_streams():
    set = Set().start()
    try:
        set.await_health()
        events = Device(set).events()
        listened = iter(events)
        assert next(listened)[1] == "display"
        assert set.stop("gateway") == {"gateway": 0}
        assert [event for _, event, _ in listened] == ["closed"]
        events.close()
    finally:
        set.close()


# MARK: Limits


def test_unused_devices_are_closed():
    set = Set(BILLFOLD_DEVICE_IDLE_SECONDS="1", BILLFOLD_DEVICES="3").start()
    try:
        set.await_health()
        person = set.customer()
        devices = [Device(set, person) for _ in range(3)]
        refused = person.post("/v1/devices", {}, key=new_key())
        if refused.status != 201:  # None of the three has been closed yet.
            assert (refused.status, refused.code) == (503, "gateway.too_many_devices")
        for device in devices:
            until(lambda: device.delete(f"/v1/devices/{device.id}").code == "gateway.device_not_found", "the end")
        assert person.post("/v1/devices", {}, key=new_key()).status == 201
    finally:
        set.close()


# MARK: In a terminal


def terminal(set, *options, **more):
    return subprocess.run(
        [BINARIES / "billfold", "touch", "--http", f"127.0.0.1:{set.port}", *options], capture_output=True,
        timeout=PATIENCE, **more)


def plain(transcript):
    """Without what differs between customers: codes, cards' numbers, times."""
    text = transcript.decode()
    for pattern, instead in [
        (r"PAY-\d+|[A-Za-z0-9_-]{60,}", "CODE"), (r"\b(Card|card) \d{4}\b", r"\1 NNNN"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME"),
    ]:
        text = re.sub(pattern, instead, text)
    return text


@pytest.mark.parametrize("name", ["pin", "pay-on-the-go", "options", "no-card", "add-card"])
def test_a_script_does_on_a_running_set_what_it_does_in_memory(billset, name):
    profile = "no-card" if name == "no-card" else "demo"
    script = SCRIPTS / f"{name}.txt"
    ended = terminal(billset, "--profile", profile, "--script", script)
    assert ended.stderr == b"" and ended.returncode == 0
    assert plain(ended.stdout) == plain((SCRIPTS / f"{name}.transcript.txt").read_bytes())


def test_a_customer_at_the_terminal(billset):
    person = billset.customer(pin="8527")
    script = "".join(f"touch{KEYS[digit]}\n" for digit in "8527") + "expect My Cards - Main\n"
    ended = terminal(
        billset, "--username", person.username, input=script.encode(),
        env={**billset.environment, "BILLFOLD_PASSWORD": person.PASSWORD})
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"\nMy Cards - Main\n$16.50\nCard " in ended.stdout


def test_a_set_that_is_not_there():
    ended = subprocess.run(
        [BINARIES / "billfold", "touch", "--http", "127.0.0.1:1"], input=b"menu1\n", capture_output=True,
        timeout=PATIENCE)
    assert ended.returncode == 2 and b"cannot connect to 127.0.0.1:1" in ended.stderr and b"'billfold up' starts a set" in ended.stderr
