"""A stolen token does not take an account, and who lost one gets it back. Played for every role, over HTTP and the bus."""

import email
import email.policy
import re
import sqlite3
import time

import pytest

from billfold import Client, Person, Refused, contents, new_id, new_key, registration, until, usd
from notices import Stream

THIEF = "eve@example.com"
ROLES = ("customer", "merchant", "administrator")


def owner(set, role):
    """Someone with an e-mail address; a customer has a card, and customers and merchants a PIN, which was entered."""
    person = {"customer": set.customer, "merchant": lambda: set.merchant(pin="4711"),
              "administrator": set.administrator}[role]()
    person.email = f"{new_id()}@example.com"
    form = {"email": person.email, "password": person.PASSWORD}
    assert person.put("/v1/settings/account", form).status == 200
    # To wait a day for the first address would be a test of nothing.
    until_released(set, person)
    return person


def until_released(set, person):
    """Ends the hold that the first address brought: stops auth, and takes it out of its file."""
    set.stop("auth")
    with sqlite3.connect(set.data / "auth" / "auth.sqlite") as database:
        database.execute("DELETE FROM holds WHERE account = ?", (bytes.fromhex(person.account),))
    database.close()
    set.start("auth")
    until(lambda: person.get("/v1/sessions/current").status == 200, "auth to be back")
    until(lambda: "transfersHeldUntil" not in person.get("/v1/sessions/current").body, "the hold to be gone")


def stolen(person):
    """Another client with the person's token."""
    thief = Client(person.set)
    thief.token = person.token
    return thief


def letters(set, to):
    """The letters to an address, the oldest first."""
    found = []
    for file in sorted((set.data / "notifications" / "outbox").glob("*.eml")):
        letter = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        if to in letter["To"]:
            found.append((letter["Subject"], letter.get_content()))
    return found


def letter(set, to, subject):
    return until(lambda: [text for title, text in letters(set, to) if subject in title], f"a letter: {subject}")[-1]


def code(text):
    return re.search(r"code: ([0-9A-Z-]{34})", text)[1]


def transfer(person, to):
    return person.post("/v1/transfers", {"to": {"username": to.username}, "amount": usd(1)}, key=new_key())


def notices(person):
    return [notice["title"] for notice in person.get("/v1/notices").body["notices"]]


@pytest.mark.parametrize("role", ROLES)
def test_a_token_alone_changes_nothing_that_recovers_the_account(billset, bus, role):
    person = owner(billset, role)
    thief = stolen(person)
    before = person.get("/v1/settings/account").body
    for form in ({"email": THIEF}, {"email": None}, {"email": THIEF, "firstName": "Eve"}):
        refused = thief.put("/v1/settings/account", form)
        assert (refused.status, refused.code) == (403, "auth.password_required"), refused
    guess = "incorrect horse"
    assert thief.put("/v1/settings/account", {"email": THIEF, "password": guess}).code == "auth.wrong_credentials"
    assert thief.put("/v1/pin", {"password": guess, "pin": "0000"}).code == "auth.wrong_credentials"
    assert thief.put("/v1/settings/password", {"password": guess, "newPassword": "another horse"}).code == (
        "auth.wrong_credentials")
    # Over the bus, as the account and as a service.
    profile = {"account": person.account, "profile": {"email": THIEF}}
    for actor in (f"{role}:{person.account}", None):
        with pytest.raises(Refused, match="auth.password_required"):
            bus.ask("auth.profile.update.v1", profile, actor=actor)
    # A code for a new password goes to the address that the account has, and nowhere else.
    for address in (THIEF, person.email):
        assert Client(billset).post(
            "/v1/password-resets", {"username": person.username, "email": address}).status == 202
    letter(billset, person.email, "code")
    assert letters(billset, THIEF) == []
    assert person.get("/v1/settings/account").body == before
    # What else the account says of itself needs no password.
    assert person.put("/v1/settings/account", {"firstName": "Ada"}).status == 200


@pytest.mark.parametrize("role", ROLES)
def test_who_knew_the_password_too_moves_no_money_and_the_owner_comes_back(billset, bus, role):
    person, friend = owner(billset, role), billset.customer()
    elsewhere = Client(billset)
    elsewhere.token = elsewhere.post(
        "/v1/sessions", {"username": person.username, "password": person.PASSWORD}).body["token"]
    if role != "administrator":
        # The PIN was not entered in this session.
        refused = elsewhere.put("/v1/settings/account", {"email": THIEF, "password": person.PASSWORD})
        assert (refused.status, refused.code) == (403, "auth.pin_required"), refused
        assert elsewhere.put(
            "/v1/settings/account", {"email": THIEF, "password": person.PASSWORD, "pin": "0000"}).code == (
                "auth.pin_wrong")
        assert elsewhere.post("/v1/pin/verifications", {"pin": person.pin}).status == 200
    thief = stolen(person)
    address = f"{new_id()}@example.com"
    assert thief.put("/v1/settings/account", {"email": address, "password": person.PASSWORD}).status == 200

    text = letter(billset, person.email, "e-mail address was changed")
    assert "No money was moved" in text and person.username in text
    if role != "administrator":
        until(lambda: "Your e-mail address was changed" in notices(person), "the notice")
        for session in (thief, elsewhere):
            refused = transfer(session, friend)
            assert (refused.status, refused.code) == (403, "auth.transfers_held"), refused
            assert "This request moved no money" in refused.body["detail"]
            assert 0 < int(refused.headers["Retry-After"]) <= 86_400

    # The thief asks for a code at the new address, and sets the password.
    assert Client(billset).post(
        "/v1/password-resets", {"username": person.username, "email": address}).status == 202
    theirs = code(letter(billset, address, "Your Billfold code"))
    taken = {"username": person.username, "code": theirs, "password": "the thief's horse"}
    assert Client(billset).post("/v1/password-resets/use", taken).status == 204
    for session in (thief, elsewhere):
        assert session.get("/v1/sessions/current").code == "auth.session_not_found"
    thief.token = thief.post(
        "/v1/sessions", {"username": person.username, "password": "the thief's horse"}).body["token"]
    assert "transfersHeldUntil" in thief.get("/v1/sessions/current").body

    # The owner has the letter.
    back = {"username": person.username, "code": code(text), "password": "the owner's horse"}
    assert Client(billset).post("/v1/address-restorations", {**back, "confirmPassword": "x"}).code == (
        "gateway.passwords_differ")
    assert Client(billset).post("/v1/address-restorations", {**back, "code": theirs}).code == "auth.reset_invalid"
    assert Client(billset).post("/v1/address-restorations", back).status == 204
    assert Client(billset).post("/v1/address-restorations", back).code == "auth.reset_invalid"
    assert thief.get("/v1/sessions/current").code == "auth.session_not_found"
    for password, status in ((person.PASSWORD, 401), ("the thief's horse", 401), ("the owner's horse", 201)):
        answer = Client(billset).post("/v1/sessions", {"username": person.username, "password": password})
        assert answer.status == status
    person.token = answer.body["token"]
    assert person.get("/v1/settings/account").body["email"] == person.email
    assert friend.balance == 1650
    bus.check_ledger()


def test_a_changed_password_and_a_changed_pin_are_told(billset):
    person = owner(billset, "customer")
    assert person.put("/v1/pin", {"password": person.PASSWORD, "pin": "8152"}).status == 204
    letter(billset, person.email, "PIN was changed")
    assert person.put("/v1/settings/password", {
        "password": person.PASSWORD, "newPassword": "another horse", "pin": "8152"}).status == 204
    letter(billset, person.email, "password was changed")
    until(lambda: notices(person)[:2] == ["Your password was changed", "Your PIN was changed"], "the notices")


def test_a_set_that_has_sent_letters_is_right(billset):
    person = owner(billset, "customer")
    assert person.put("/v1/pin", {"password": person.PASSWORD, "pin": "8152"}).status == 204
    letter(billset, person.email, "PIN was changed")
    verified = billset.command("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_new_pin_needs_the_one_before(billset):
    person = billset.customer(card=False)
    fresh = Client(billset)
    fresh.token = fresh.post(
        "/v1/sessions", {"username": person.username, "password": person.PASSWORD}).body["token"]
    form = {"password": person.PASSWORD, "pin": "8152"}
    assert fresh.put("/v1/pin", form).code == "auth.pin_required"
    assert fresh.put("/v1/pin", {**form, "currentPin": "0000"}).code == "auth.pin_wrong"
    assert fresh.put("/v1/pin", {**form, "currentPin": person.pin}).status == 204
    # Now and then what is asked twice is one change.
    assert fresh.put("/v1/pin", form).status == 204


def test_after_a_new_pin_no_other_session_pays(billset, merchant):
    person = billset.customer()
    other = Client(billset)
    other.token = other.post(
        "/v1/sessions", {"username": person.username, "password": person.PASSWORD}).body["token"]
    assert other.post("/v1/pin/verifications", {"pin": person.pin}).status == 200
    payment = {"merchant": merchant.account, "amount": usd(1)}
    assert other.post("/v1/payments", payment, key=new_key()).status == 201
    assert person.put("/v1/pin", {"password": person.PASSWORD, "pin": "8152"}).status == 204
    for session in (other, person):
        assert session.post("/v1/payments", payment, key=new_key()).code == "auth.pin_required"
    # The gateway is told over the bus of what others do: here as a service sets the PIN.
    assert other.post("/v1/pin/verifications", {"pin": "8152"}).status == 200
    assert other.post("/v1/payments", payment, key=new_key()).status == 201
    with billset.bus() as bus:
        bus.ask("auth.pin.set.v1", {
            "account": person.account, "password": person.PASSWORD, "pin": "4711", "currentPin": "8152"})
    until(lambda: other.post("/v1/payments", payment, key=new_key()).code == "auth.pin_required", "the gateway to hear")


def test_a_stream_ends_though_nobody_has_told_of_its_sessions_end(billset):
    person = billset.customer(card=False)
    stream = Stream(person)
    session = person.get("/v1/sessions/current").body["session"]
    billset.stop("auth")
    with sqlite3.connect(billset.data / "auth" / "auth.sqlite") as database:
        database.execute("DELETE FROM sessions WHERE id = ?", (bytes.fromhex(session),))
    database.close()
    billset.start("auth")
    stream.await_event(lambda event, _: event == "closed")
    stream.close()


def test_names_of_the_set_are_not_for_strangers_and_devices_work_without_theirs(billset, bus):
    for name in ("touch-shop", "Touch_Shop", "billfold", "administrator", "support"):
        for role in ("customer", "merchant"):
            answer = Client(billset).post(f"/v1/{role}s", registration(role, name))
            assert (answer.status, answer.code) == (409, "auth.username_taken"), answer
    # A stranger had the shop's name before it was reserved.
    bus.ask("auth.account.register.v1", {
        "account": new_id(), "role": "merchant", "username": "touch-shop", "password": Person.PASSWORD,
        "approved": True})
    for _ in range(2):
        opened = Client(billset).post("/v1/devices", {"profile": "demo"})
        assert opened.status == 201, opened
        shop = bus.ask("auth.account.read.v1", {"account": opened.body["merchant"]})
        assert shop["role"] == "merchant" and shop["username"].startswith("touch-shop-")


def test_a_letter_with_a_code_is_gone_when_its_time_is_up(billset, bus):
    secret = "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA"
    expires = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 20))
    bus.ask("notifications.mail.send.v1", {
        "notice": new_id(), "to": "ada@example.com", "subject": "Your Billfold code", "text": f"The code: {secret}\n",
        "expires": expires})

    def holders():
        return [path for path, held in contents(billset.data / "notifications").items() if secret.encode() in held]

    until(lambda: any(path.suffix == ".eml" for path in holders()), "the letter")
    until(lambda: not holders(), "the code to be gone")
