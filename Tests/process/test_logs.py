"""No secret is in any log: a whole day at the most talkative level, with everything planted that nobody may read there."""

import json
import os
import re
import uuid

import pytest

from billfold import Client, Person, Refused, Set, new_id, new_key, registration, until, usd
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from notices import await_notice, register, request_charge
from receivers import b64url


def planted(kind):
    return f"planted-{kind}-{uuid.uuid4().hex}"


class Day:
    """People do all that touches a secret, rightly and wrongly; `secrets` has every one of them by name."""

    def __init__(self, own):
        self.own = own
        self.secrets = {
            "password": planted("password"), "next password": planted("next-password"), "pin": "7391",
            "wrong pin": "8462", "number": "4929739184629173", "code": "73918462", "wrong number": "49297391846291",
            "mail": f"{uuid.uuid4().hex}@example.com", "phone": planted("phone"), "memo": planted("memo"),
            # As they are asked for, as they are stored, as people write them.
            "latitude": "37791838", "longitude": "-122462917", "degrees": "37.791838", "west": "122.462917",
        }

    def live(self):
        own, secrets = self.own, self.secrets
        ada = Person.__new__(Person)
        Client.__init__(ada, own)
        ada.role, ada.username = "customer", "ada" + new_id()[:8]
        body = registration("customer", ada.username, secrets["password"], email=secrets["mail"])
        ada.account = ada.post("/v1/customers", body).body["account"]
        for password in (secrets["next password"], secrets["password"]):
            login = ada.post("/v1/sessions", {"username": ada.username, "password": password}, token=None)
        ada.token = secrets["token"] = login.body["token"]
        assert ada.put("/v1/pin", {"password": secrets["password"], "pin": secrets["pin"]}).status == 204
        for pin, status in ((secrets["wrong pin"], 401), (secrets["pin"], 200)):
            assert ada.post("/v1/pin/verifications", {"pin": pin}).status == status
        assert ada.post("/v1/cards", {"number": secrets["wrong number"], "code": secrets["code"]}, key="w").status == 422
        card = {"number": secrets["number"], "code": secrets["code"]}
        assert ada.post("/v1/cards", card, key="k").status == 201
        assert ada.post("/v1/cards", card, key="other").status == 409

        shop = own.merchant()
        charge = request_charge(shop, ada, memo=secrets["memo"])
        assert ada.post(f"/v1/charges/{charge}/approval", {"amount": usd(420)}).status == 200
        pay_code = ada.post("/v1/pay-codes", {})
        assert pay_code.status == 201, pay_code
        secrets["pay code"] = pay_code.body["code"]
        redeemed = [shop.post("/v1/code-payments", {"code": secrets["pay code"], "amount": usd(100)}, key=new_key())
                    for _ in range(2)]
        assert [answer.status for answer in redeemed] == [201, 409], redeemed

        where = {"latitude": int(secrets["latitude"]), "longitude": int(secrets["longitude"])}
        assert ada.put("/v1/settings/location", {"sharing": True}).status in (200, 204)
        assert shop.post("/v1/places", {"name": "Pier", **where}, key=new_key()).status == 201
        assert ada.put("/v1/location", where).status in (200, 204)
        assert ada.get(f"/v1/merchants/nearby?latitude={where['latitude']}&longitude={where['longitude']}").status in (
            200, 400)
        assert ada.put("/v1/location", {**where, "latitude": 10**9 + where["latitude"]}).status == 422

        register(ada, type=1, registrationId=secrets["phone"])
        browser = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        secrets["push key"], secrets["push auth"] = b64url(browser), b64url(os.urandom(16))
        secrets["push address"] = planted("subscription")
        register(ada, type=3, subscription={
            "endpoint": f"https://127.0.0.1:9/{secrets['push address']}",
            "keys": {"p256dh": secrets["push key"], "auth": secrets["push auth"]}})
        secrets["hook"] = planted("hook")
        secrets["hook secret"] = register(shop, type=4, url=f"https://127.0.0.1:9/{secrets['hook']}")["secret"]
        request_charge(shop, ada, memo=secrets["memo"])
        await_notice(ada, "request", 2)

        self.forget(ada)
        self.malformed(ada)
        return ada

    def forget(self, ada):
        """A letter with a code; without a mail server it is a file."""
        assert Client(self.own).post(
            "/v1/password-resets", {"username": ada.username, "email": self.secrets["mail"]}).status == 202
        outbox = self.own.data / "notifications" / "outbox"
        if "BILLFOLD_SMTP" in self.own.environment:
            until(lambda: re.search(r"deliveries_failed_total.* [1-9]", Client(self.own).get("/metrics").raw.decode()),
                  "the letter to be tried")
            return
        code = until(
            lambda: [code for letter in outbox.glob("*.eml")
                     for code in re.findall(r"\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3,}|\b[0-9A-Z]{26,30}\b", letter.read_text())],
            "the letter")[0]
        self.secrets["reset code"] = code
        reset = Client(self.own).post(
            "/v1/password-resets/use",
            {"username": ada.username, "code": code, "password": self.secrets["next password"]})
        assert reset.status == 204, (code, reset)

    def malformed(self, ada):
        """Whatever cannot be read is told of without its words."""
        for path, body in (
                ("/v1/sessions", b'{"username":"ada","password":"%s"' % self.secrets["password"].encode()),
                ("/v1/sessions", json.dumps({"username": 7, "password": self.secrets["password"]}).encode()),
                ("/v1/cards", json.dumps({"number": int(self.secrets["number"]), "code": [self.secrets["code"]]}).encode()),
                ("/v1/location?latitude=" + self.secrets["latitude"], b"")):
            assert Client(self.own).request(
                "POST", path, body, key=new_key(), headers={"Authorization": f"Bearer {ada.token}x"}).status >= 400
        with self.own.bus() as bus:
            for type, data in (
                    ("auth.pin.verify.v1", {"pin": self.secrets["pin"]}),
                    ("auth.session.open.v1", {"username": ada.username, "password": [self.secrets["password"]]}),
                    ("wallet.card.add.v1", {"number": self.secrets["number"], "code": self.secrets["code"]}),
                    ("location.position.update.v1", {"latitude": self.secrets["latitude"]})):
                with pytest.raises(Refused) as refused:
                    bus.ask(type, data)
                assert refused.value.code == "bus.malformed"


@pytest.mark.parametrize("format", ["json", "text"])
def test_no_secret_is_in_any_log(format, tmp_path):
    environment = {}
    smtp_password = planted("smtp-password")
    if format == "text":
        # A mail server that is not there: what cannot be sent is told of, too.
        (tmp_path / "password").write_text(smtp_password)
        environment = {"BILLFOLD_SMTP": "localhost:9", "BILLFOLD_SMTP_TLS": "required", "BILLFOLD_SMTP_USER": "billfold",
                       "BILLFOLD_SMTP_PASSWORD_FILE": str(tmp_path / "password")}
    own = Set(BILLFOLD_LOG="trace", BILLFOLD_LOG_FORMAT=format, BILLFOLD_PUSH_PRIVATE="1", **environment)
    try:
        own.start().await_health()
        day = Day(own)
        day.live()
        metrics = Client(own).get("/metrics").raw.decode()
    finally:
        own.stop()
        logs = own.log_text()
        own.close()
    secrets = {**day.secrets, "smtp password": smtp_password}
    assert len(secrets) >= 22 and all(secrets.values()), secrets
    assert logs.count("\n") > 20
    for name, secret in secrets.items():
        # A few digits also stand in times and identifiers; alone they do not.
        found = re.search(rf"(?<![0-9a-f]){re.escape(secret)}(?![0-9a-f])", logs + metrics)
        assert not found, (name, logs[max(0, found.start() - 200):found.end() + 50] if found.end() < len(logs) else "metrics")
    # SwiftNIO's own word, where a process stops while a delivery is under way.
    lines = [line for line in logs.splitlines() if not line.startswith("ERROR: Cannot schedule tasks on an EventLoop")]
    if format == "json":
        for line in lines:
            assert {"time", "level", "service", "message"} <= json.loads(line).keys()
    else:
        assert all(re.match(r"\d\d:\d\d:\d\d\.\d{3} [a-z]+ [a-z]+: |billfold-", line) for line in lines)
