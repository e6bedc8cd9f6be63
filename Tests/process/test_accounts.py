"""Accounts from their registration to a forgotten password: forms, merchants who wait for approval, administrators, codes."""

import json
import os
import re
import select
import subprocess

import pytest

import billfold
from billfold import ROOT, Client, Person, Refused, contents, new_id, new_key, registration, until, usd
from test_foreign import Worker

# Merchants wait, as they do where nobody has said otherwise.
ENVIRONMENT = {"BILLFOLD_MERCHANT_APPROVAL": "manual", "BILLFOLD_LOG": "trace"}

# Every field of every form (001-24, 001-42, 001-56, 001-72, 001-82).
PERSON = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada.lovelace@example.com", "birthdate": "2001-05-30",
          "gender": "F", "student": True}
BUSINESS = {"businessName": "Engines, Inc.", "address": "12 St James's Square", "productTypes": ["electronics", "books"]}


@pytest.fixture(scope="module")
def root(billset):
    return billset.administrator()


def form(role="customer", username=None, password=None, **more):
    return registration(role, username or "u" + new_id()[:12], password, **more)


def logged_in(billset, body, role="customers"):
    """Someone who has sent that form."""
    person = Client(billset)
    made = person.post(f"/v1/{role}", body)
    assert made.status == 201, made
    person.account, person.username = made.body["account"], body["username"]
    person.token = person.post("/v1/sessions", {k: body[k] for k in ("username", "password")}).body["token"]
    return person


def charge(merchant, customer, minor=150):
    return merchant.post("/v1/charges", {"customer": customer.username, "amount": usd(minor)}, key=new_key())


# MARK: Forms


def test_a_customers_form_is_kept_and_shown(billset, bus):
    """001-14, 001-24, 001-25, 001-42, 001-46, 001-82, 001-93 ... 001-97, 001-100, 001-103."""
    body = form(name="Ada", **PERSON)
    person = logged_in(billset, body)
    shown = person.get("/v1/settings/account").body
    assert shown == {"username": body["username"], "role": "customer", "name": "Ada", **PERSON}
    told = [json.loads(fact)["data"] for fact in bus.facts("auth")]
    told = [fact for fact in told if fact.get("account") == person.account]
    assert told[0].items() >= {"username": body["username"], "birthdate": "2001-05-30", "gender": "F",
                               "student": True}.items()
    # What the form does not have stays, and null erases (001-64).
    changed = person.put("/v1/settings/account", {"firstName": "Augusta", "student": False, "gender": None})
    assert changed.status == 200
    expected = {"username": body["username"], "role": "customer", "name": "Ada", **PERSON, "firstName": "Augusta",
                "student": False}
    del expected["gender"]
    assert changed.body == person.get("/v1/settings/account").body == expected
    # Another address can recover the account: that needs the password.
    assert person.put("/v1/settings/account", {"email": "countess@example.com"}).code == "auth.password_required"
    changed = person.put(
        "/v1/settings/account", {"email": "countess@example.com", "password": body["password"]})
    assert changed.body == {**expected, "email": "countess@example.com"}


def test_a_merchants_form_is_kept_and_shown(billset):
    """001-56, 001-64, 001-72, 001-104 ... 001-107, A39."""
    body = form("merchant", **PERSON, **BUSINESS)
    merchant = logged_in(billset, body, "merchants")
    assert merchant.get("/v1/settings/account").body == {
        "username": body["username"], "role": "merchant", "status": "pending", "name": "Engines, Inc.", **PERSON,
        **BUSINESS}
    put = merchant.put("/v1/settings/account", {**PERSON, **BUSINESS, "productTypes": ["coffee"], "name": "Tea"})
    assert (put.status, put.body["productTypes"], put.body["name"]) == (200, ["coffee"], "Tea")


def test_what_is_wrong_with_a_form_is_said(billset):
    """001-25, 001-43: nothing is made of a form that is not right."""
    taken = logged_in(billset, form()).username
    for role, more, status, code in [
        ("customers", {"username": taken}, 409, "auth.username_taken"),
        ("merchants", {"username": taken}, 409, "auth.username_taken"),
        ("customers", {"confirmPassword": Person.PASSWORD.title()}, 422, "gateway.passwords_differ"),
        ("merchants", {"confirmPassword": ""}, 422, "gateway.passwords_differ"),
        ("customers", {"email": "ada@example"}, 422, "auth.email_invalid"),
        ("customers", {"birthdate": "1899-12-31"}, 422, "auth.birthdate_invalid"),
        ("customers", {"birthdate": "9999-12-31"}, 422, "auth.birthdate_invalid"),
        ("customers", {"birthdate": "2001-02-29"}, 400, "bus.malformed"),
        ("customers", {"gender": "X"}, 400, "bus.malformed"),
        ("customers", {"student": 1}, 400, "bus.malformed"),
        ("customers", {"firstName": "\u202e"}, 422, "auth.profile_invalid"),
        ("customers", {"businessName": "Ada"}, 400, "bus.malformed"),
        ("merchants", {"productTypes": ["coffee"] * 2}, 422, "auth.profile_invalid"),
        # A92: there is one list.
        ("merchants", {"productTypes": ["steam engines"]}, 422, "auth.profile_invalid"),
        # Nobody approves of itself.
        ("merchants", {"approved": True}, 400, "bus.malformed"),
        ("merchants", {"status": "approved"}, 400, "bus.malformed"),
    ]:
        body = form(role.removesuffix("s"), **more)
        answer = Client(billset).post(f"/v1/{role}", body)
        assert (answer.status, answer.code) == (status, code), (role, more, answer)
        if body["username"] != taken:
            login = Client(billset).post("/v1/sessions", {"username": body["username"], "password": body["password"]})
            assert login.code == "auth.wrong_credentials"


def test_only_an_exact_match_logs_in(billset):
    """001-26, 001-44, 001-57, 001-71, 001-87, A41."""
    name = "Case" + new_id()[:8]
    logged_in(billset, form(username=name, password="Passw0rd!"))
    for username, password in [(name.lower(), "Passw0rd!"), (name.upper(), "Passw0rd!"), (name, "passw0rd!"),
                               (name, "Passw0rd! "), (name + "x", "Passw0rd!")]:
        answer = Client(billset).post("/v1/sessions", {"username": username, "password": password})
        assert (answer.status, answer.code) == (401, "auth.wrong_credentials")
    person = Client(billset)
    person.token = person.post("/v1/sessions", {"username": name, "password": "Passw0rd!"}).body["token"]
    # 001-70, A57: a session is closed once.
    assert person.delete("/v1/sessions/current").status == 204
    assert person.delete("/v1/sessions/current").code == "auth.session_not_found"


def test_a_profile_is_its_owners(billset, bus, root):
    owner, other = logged_in(billset, form(**PERSON)), logged_in(billset, form())
    view = bus.ask("auth.profile.read.v1", {"account": owner.account}, actor=f"administrator:{root.account}")
    assert view["profile"] == PERSON
    for actor in (f"customer:{other.account}", f"merchant:{owner.account[::-1]}"):
        for type, data in [("auth.profile.read.v1", {"account": owner.account}),
                           ("auth.profile.update.v1", {"account": owner.account, "profile": {}}),
                           ("auth.password.change.v1", {"account": owner.account, "password": Person.PASSWORD,
                                                        "newPassword": "another horse"})]:
            with pytest.raises(Refused, match="bus.forbidden"):
                bus.ask(type, data, actor=actor)
    assert owner.get("/v1/settings/account").body["email"] == PERSON["email"]


def test_a_changed_password_ends_the_other_sessions(billset):
    """001-64."""
    body = form()
    person = logged_in(billset, body)
    elsewhere = Client(billset)
    elsewhere.token = elsewhere.post("/v1/sessions", {k: body[k] for k in ("username", "password")}).body["token"]
    assert elsewhere.get("/v1/settings/account").status == 200
    wrong = {"password": "incorrect horse", "newPassword": "another horse"}
    assert person.put("/v1/settings/password", wrong).code == "auth.wrong_credentials"
    right = {"password": body["password"], "newPassword": "another horse"}
    assert person.put("/v1/settings/password", {**right, "confirmPassword": "Another horse"}).code == (
        "gateway.passwords_differ")
    assert person.put("/v1/settings/password", {**right, "confirmPassword": "another horse"}).status == 204
    assert person.get("/v1/settings/account").status == 200
    assert elsewhere.get("/v1/settings/account").code == "auth.session_not_found"
    for password, status in ((body["password"], 401), ("another horse", 201)):
        answer = Client(billset).post("/v1/sessions", {"username": body["username"], "password": password})
        assert answer.status == status


# MARK: Merchants and administrators


def test_a_merchant_waits_for_the_administrator(billset, bus, root):
    """A36: logs in, reads and has places; is not paid, redeems nothing and asks for nothing."""
    customer, merchant = billset.customer(), billset.merchant()
    assert merchant.get("/v1/settings/account").body["status"] == "pending"
    assert merchant.get("/v1/account").status == 200
    code = customer.post("/v1/pay-codes", {}).body["code"]
    scan = {"code": code, "amount": usd(150)}

    def refused():
        for answer in (customer.pay(merchant, 150), charge(merchant, customer),
                       merchant.post("/v1/code-payments", scan, key=new_key())):
            assert (answer.status, answer.code) == (403, "payments.merchant_not_approved"), answer

    refused()
    pending = []
    after = ""
    while after is not None:
        page = root.get(f"/v1/merchants?status=pending&limit=2{after}").body
        pending += page["merchants"]
        after = f"&after={page['next']}" if "next" in page else None
    assert [one["status"] for one in pending if one["merchant"] == merchant.account] == ["pending"]

    for _ in range(2):
        answer = root.post(f"/v1/merchants/{merchant.account}/approval")
        assert (answer.status, answer.body["status"]) == (200, "approved")
    assert merchant.post("/v1/code-payments", scan, key=new_key()).status == 201
    customer.paid(merchant, 150)
    waiting = charge(merchant, customer)
    assert waiting.status == 201

    key = new_key()
    paid = customer.pay(merchant, 10, key=key)
    answer = root.post(f"/v1/merchants/{merchant.account}/rejection", {"reason": "No such engines."})
    assert (answer.status, answer.body["status"], answer.body["reason"]) == (200, "rejected", "No such engines.")
    # Payments hears of it as a fact.
    until(lambda: customer.pay(merchant, 1).code == "payments.merchant_not_approved", "payments to hear of it")
    assert charge(merchant, customer).code == "payments.merchant_not_approved"
    # What was done is told again, and what was asked for can be answered.
    again = customer.pay(merchant, 10, key=key)
    assert (again.status, again.body, again.replayed) == (201, paid.body, True)
    assert customer.post(f"/v1/charges/{waiting.body['charge']}/approval").status == 200
    told = [json.loads(fact) for fact in bus.facts("auth")]
    told = [fact["data"] for fact in told if fact["type"] == "auth.merchant.decided.v1"]
    assert [fact["status"] for fact in told if fact["merchant"] == merchant.account] == ["approved", "rejected"]
    bus.check_ledger()


def test_approvals_and_rejections_survive_kills(billset, root):
    customer = billset.customer()
    good, bad = billset.merchant(), billset.merchant()
    assert root.post(f"/v1/merchants/{good.account}/approval").status == 200
    assert root.post(f"/v1/merchants/{bad.account}/rejection").status == 200
    billset.kill("auth", "payments")
    billset.start("auth", "payments")
    billset.await_health()
    customer.paid(good, 10)
    assert customer.pay(bad, 10).code == "payments.merchant_not_approved"


def test_payments_go_on_while_auth_is_away(billset, root):
    customer, merchant = billset.customer(), billset.merchant()
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    customer.paid(merchant, 10)
    with billset.bus() as bus:
        billset.stop("auth")
        payment = {"charge": new_id(), "customer": customer.account, "merchant": merchant.account,
                   "amount": usd(10), "memo": ""}
        assert bus.ask("payments.payment.create.v1", payment)["replayed"] is False
    billset.start("auth")
    billset.await_health()


def test_only_administrators_decide(billset, bus, root):
    merchant = billset.merchant()
    for actor in (f"merchant:{merchant.account}", f"customer:{new_id()}"):
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask("auth.merchant.decide.v1", {"merchant": merchant.account, "approved": True}, actor=actor)
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask("auth.merchants.read.v1", {"limit": 10}, actor=actor)
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask("auth.account.register.v1", {
                "account": new_id(), "role": "merchant", "username": "m" + new_id()[:8],
                "password": "correct horse", "approved": True}, actor=actor)
    assert root.post(f"/v1/merchants/{root.account}/approval").code == "auth.account_not_found"


def test_the_command_makes_administrators(billset):
    name = "root-" + new_id()[:8]
    made = billset.command("administrator", name, input="correct horse battery\n")
    assert made.returncode == 0 and name in made.stdout, made
    again = billset.command("administrator", name, input="correct horse battery\n")
    assert (again.returncode, "auth.username_taken" in again.stderr) == (1, True), again
    short = billset.command("administrator", name + "2", input="short\n")
    assert (short.returncode, "auth.password_invalid" in short.stderr) == (1, True), short
    assert "8 to 128 bytes" in short.stderr, short
    assert billset.command("administrator", name + "3").returncode != 0
    login = Client(billset).post("/v1/sessions", {"username": name, "password": "correct horse battery"})
    assert (login.status, login.body["session"]["role"]) == (201, "administrator")


def test_the_command_lists_renews_and_removes_administrators(billset, bus):
    one, other = billset.administrator(), billset.administrator()

    def listed():
        answer = billset.command("administrator", "list")
        assert answer.returncode == 0, answer
        return {line.split()[0]: line.split()[1] for line in answer.stdout.splitlines()}

    assert listed().items() >= {one.username: one.account, other.username: other.account}.items()
    renewed = billset.command("administrator", "password", one.username, input="another horse\n")
    assert renewed.returncode == 0, renewed
    assert one.get("/v1/sessions/current").code == "auth.session_not_found"
    for password, status in ((one.PASSWORD, 401), ("another horse", 201)):
        answer = Client(billset).post("/v1/sessions", {"username": one.username, "password": password})
        assert answer.status == status
    assert other.get("/v1/sessions/current").status == 200
    short = billset.command("administrator", "password", one.username, input="short\n")
    assert short.returncode != 0 and "8 to 128 bytes" in short.stderr, short

    removed = billset.command("administrator", "remove", other.username)
    assert removed.returncode == 0 and other.account in removed.stdout, removed
    # The gateway learns of it by a fact, a moment later.
    until(lambda: other.get("/v1/sessions/current").code == "auth.session_not_found", "the session to end")
    assert other.username not in listed() and one.username in listed()
    again = billset.command("administrator", "remove", other.username)
    assert again.returncode != 0 and "auth.account_not_found" in again.stderr, again
    # Nobody may do this but the operator.
    for type, data in (("auth.administrators.read.v1", {"limit": 1}),
                       ("auth.administrator.renew.v1", {"username": one.username, "newPassword": "correct horse"}),
                       ("auth.administrator.remove.v1", {"username": one.username, "evenLast": True})):
        with pytest.raises(Refused, match="bus.forbidden"):
            bus.ask(type, data, actor=f"administrator:{one.account}")


def test_the_last_administrator_is_removed_on_purpose_only():
    own = billfold.Set().start()
    try:
        own.await_health()
        root = own.administrator()
        refused = own.command("administrator", "remove", root.username)
        assert refused.returncode != 0 and "auth.last_administrator" in refused.stderr, refused
        assert "--even-last" in refused.stderr
        assert root.get("/v1/sessions/current").status == 200
        assert own.command("administrator", "remove", root.username, "--even-last").returncode == 0
        assert own.command("administrator", "list").stdout == ""
    finally:
        own.close()


def test_at_a_terminal_the_password_is_not_shown(billset):
    name = "root-" + new_id()[:8]
    for second, status in (("correct horse batterx", False), ("correct horse battery", True)):
        ours, theirs = os.openpty()
        process = subprocess.Popen(
            [billfold.BINARIES / "billfold", "administrator", name], env=billset.environment, stdin=theirs,
            stdout=theirs, stderr=theirs)
        os.close(theirs)
        shown = b""

        def read(ours=ours):
            """What the terminal shows; at its end, nothing more."""
            assert select.select([ours], [], [], billfold.PATIENCE)[0], shown
            try:
                return os.read(ours, 4096)
            except OSError:
                return b""

        for prompt, typed in ((b"Password for", "correct horse battery"), (b"Once more", second)):
            while prompt not in shown:
                more = read()
                assert more, shown
                shown += more
            os.write(ours, typed.encode() + b"\n")
        while more := read():
            shown += more
        assert (process.wait(billfold.PATIENCE) == 0) == status, shown
        assert b"horse" not in shown
        os.close(ours)
    assert Client(billset).post(
        "/v1/sessions", {"username": name, "password": "correct horse battery"}).status == 201


def test_the_demo_and_the_load_have_their_merchants_approved(billset):
    demo = billset.command("demo", "--http", f"127.0.0.1:{billset.port}")
    assert demo.returncode == 0 and "the operator approves the merchant" in demo.stdout, demo
    again = billset.command("demo", "--http", f"127.0.0.1:{billset.port}")
    assert again.returncode == 0 and "approves the merchant" not in again.stdout, again
    load = billset.command("load", "--run", str(billset.run), "--http", f"127.0.0.1:{billset.port}", "--customers",
                           "4", "--merchants", "2", "--mix", "card=8,code=1,charge=1", "--warm-up", "0s", "--duration",
                           "1s", "--html", str(billset.home / "load.html"))
    assert load.returncode == 0, load


def test_the_demo_goes_on_with_settings_of_the_documents_and_a_burger_in_the_cart():
    made = billfold.Set(BILLFOLD_OPENING_BALANCE="0", BILLFOLD_CHARGE_PRESENCE="required").start()
    try:
        made.await_health()
        first = made.command("demo")
        assert first.returncode == 0 and "it opens with $0.00" in first.stdout, first
        demo = Client(made)
        demo.token = demo.post("/v1/sessions", {"username": "demo", "password": "demo-password"}).body["token"]
        [shop] = [one["merchant"] for one in demo.get("/v1/menus").body["menus"]]
        begun = demo.post(f"/v1/menus/{shop}/orders", {"country": "us"}, key=new_key())
        assert begun.status == 201, begun
        assert demo.post(f"/v1/orders/{begun.body['order']}/items", {"base": "beef"}, key=new_key()).status == 201
        again = made.command("demo")
        assert again.returncode == 0 and "an order of before is in the cart" in again.stdout, again
    finally:
        made.close()


def test_a_till_at_the_terminal_is_approved(billset):
    script = ROOT / "Tests/TouchAppTests/Scripts/pay-on-the-go.txt"
    touched = billset.command("touch", "--http", f"127.0.0.1:{billset.port}", "--script", str(script))
    assert touched.returncode == 0 and "paid $1.50)" in touched.stdout, touched


# MARK: Forgotten


class Mailbox:
    """A foreign notifications service: reads the letters that auth's facts name, keeps and confirms them."""

    def __init__(self, set):
        self.set, self.letters, self.cursor = set, [], 0
        self.worker = Worker(set.run, "notifications", self.take, "MDPW02")

    def take(self, ask):
        if ask["type"] == "notifications.stats.read.v1":  # The gateway asks who is healthy.
            return {"service": "notifications", "uptimeMilliseconds": 1, "residentKiB": 1, "metrics": []}
        raise AssertionError(ask)  # Auth asks nobody.

    def collect(self):
        with self.set.bus() as bus:
            facts = [json.loads(fact) for fact in bus.facts("auth", after=self.cursor)]
            for fact in facts:
                self.cursor = int(fact["sequence"])
                if fact["type"] != "auth.letter.queued.v1":
                    continue
                name = {"letter": fact["data"]["letter"]}
                try:
                    self.letters.append(bus.ask("auth.letter.read.v1", name))
                except Refused as refused:
                    assert refused.code == "auth.letter_not_found", refused
                    continue
                assert bus.ask("auth.letter.confirm.v1", name) == {"confirmed": True}
                with pytest.raises(Refused, match="auth.letter_not_found"):
                    bus.ask("auth.letter.read.v1", name)

    def __enter__(self):
        self.worker.__enter__()
        return self

    def __exit__(self, *reason):
        self.worker.__exit__(*reason)

    def code(self, number=0):
        """That of a letter for a new password; others tell owners what was changed."""
        def codes():
            self.collect()
            found = (re.search(r"code: ([0-9A-Z-]{34})\n", letter["text"]) for letter in self.letters)
            return [code[1] for code in found if code]

        return until(lambda: len(codes()) > number and codes(), "a letter")[number]


@pytest.fixture(scope="module")
def mailset():
    """A set in which nobody is notifications."""
    made = billfold.Set(BILLFOLD_LOG="trace").start()
    try:
        made.await_health()
        if "notifications" in made.processes:
            made.stop("notifications")
            del made.processes["notifications"]
        yield made
        made.all_run()
    finally:
        statuses = made.close()
    assert set(statuses.values()) == {0}, statuses


def core_answers(set):
    """Whether auth answers; notifications is missing on purpose."""
    return set.health()[1].get("auth", False)


def forget(set, username, email):
    answer = Client(set).post("/v1/password-resets", {"username": username, "email": email})
    assert answer.status == 202 and list(answer.body) == ["expires"], answer
    return answer


def renew(set, username, code, password="another horse", **more):
    return Client(set).post(
        "/v1/password-resets/use", {"username": username, "code": code, "password": password, **more})


def test_a_code_by_mail_sets_a_new_password(mailset):
    """001-73, A42."""
    body = form(**{**PERSON, "email": f"{new_id()}@example.com"})
    person = logged_in(mailset, body)
    with Mailbox(mailset) as mail:
        # Wrong pairs look the same, and nothing comes of them: they come first, and the first letter is the right one's.
        forget(mailset, body["username"], "eve@example.com")
        forget(mailset, body["username"].upper(), body["email"])
        forget(mailset, "nobody" + new_id()[:8], body["email"])
        forget(mailset, body["username"], body["email"].upper())
        code = mail.code()
        assert len(mail.letters) == 1 and mail.letters[0]["to"] == body["email"]
    assert renew(mailset, body["username"], "0" * 28).code == "auth.reset_invalid"
    assert renew(mailset, "nobody" + new_id()[:8], code).code == "auth.reset_invalid"
    assert renew(mailset, body["username"], code, confirmPassword="x").code == "gateway.passwords_differ"
    assert renew(mailset, body["username"], code, password="short").code == "auth.password_invalid"
    assert renew(mailset, body["username"], code.lower(), confirmPassword="another horse").status == 204
    assert renew(mailset, body["username"], code).code == "auth.reset_invalid"
    assert person.get("/v1/settings/account").code == "auth.session_not_found"
    for password, status in ((body["password"], 401), ("another horse", 201)):
        answer = Client(mailset).post("/v1/sessions", {"username": body["username"], "password": password})
        assert answer.status == status


def test_a_letter_outlives_kills_and_the_absence_of_notifications(mailset):
    body = form(email=f"{new_id()}@example.com")
    logged_in(mailset, body)
    forget(mailset, body["username"], body["email"])
    mailset.kill("auth")
    mailset.start("auth")
    until(lambda: core_answers(mailset), "auth to be back")
    with Mailbox(mailset) as mail:
        code = mail.code()
    mailset.kill("auth")
    mailset.start("auth")
    until(lambda: core_answers(mailset), "auth to be back")
    assert renew(mailset, body["username"], code).status == 204


def test_too_many_letters_for_one_name_are_refused(mailset):
    """For names that nobody has too; the answer is the same."""
    for username in (logged_in(mailset, form()).username, "nobody" + new_id()[:8]):
        for _ in range(5):
            forget(mailset, username, "eve@example.com")
        answer = Client(mailset).post("/v1/password-resets", {"username": username, "email": "eve@example.com"})
        assert (answer.status, answer.code) == (429, "auth.too_many_attempts")
        assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_no_code_and_no_address_is_in_the_logs_and_no_code_on_the_disk(mailset):
    body = form(**{**PERSON, "email": f"{new_id()}@example.com"})
    logged_in(mailset, body)
    with Mailbox(mailset) as mail:
        forget(mailset, body["username"], body["email"])
        code = mail.code()
    assert renew(mailset, body["username"], code[:-1] + "!").code == "auth.reset_invalid"
    assert renew(mailset, body["username"], code).status == 204
    log = mailset.log_text()
    files = b"".join(contents(mailset.data).values())
    for text in (code, code.replace("-", ""), "another horse"):
        assert text not in log and text.encode() not in files
    for text in (body["email"], PERSON["lastName"], PERSON["birthdate"]):
        assert text not in log
    assert body["email"].encode() in files


def test_a_setting_that_cannot_be_used_ends_auth(mailset):
    process = subprocess.run(
        [billfold.BINARIES / "billfold-auth"], capture_output=True, text=True, timeout=billfold.PATIENCE,
        env={**mailset.environment, "BILLFOLD_MERCHANT_APPROVAL": "perhaps", "BILLFOLD_DATA": str(mailset.home / "x")})
    assert process.returncode == 1 and "it can be manual or automatic" in process.stderr, process


def test_places_of_merchants_whom_nobody_has_approved(billset, root):
    """A95, A36: shown to nobody, and such a merchant sees nobody nearby, until an administrator approves."""
    here = {"latitude": 2_000_000, "longitude": 2_000_000}
    shop = logged_in(billset, form("merchant"), "merchants")
    place = shop.post("/v1/places", {"name": "Corner", **here}, key=new_key())
    assert place.status == 201, place
    customer = billset.customer(card=False, pin=None)
    assert customer.put("/v1/settings/location", {"sharing": True}).status == 200
    assert customer.put("/v1/location", here).status == 200

    def seen():
        return ([one["merchant"] for one in customer.get("/v1/merchants/nearby").body["merchants"]],
                [one["customer"] for one in shop.get("/v1/customers/nearby").body["customers"]])

    assert seen() == ([], [])
    assert root.post(f"/v1/merchants/{shop.account}/approval").status == 200
    until(lambda: seen() == ([shop.account], [customer.account]), "the approved merchant's place to be shown")
    assert root.post(f"/v1/merchants/{shop.account}/rejection").status == 200
    until(lambda: seen() == ([], []), "the rejected merchant's place to be hidden")
