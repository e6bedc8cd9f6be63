"""Sessions of pages: a cookie that scripts cannot read, and no request that another site makes a browser send."""

import http.cookies

from billfold import Client, Person, new_key, usd

OWN = {"Sec-Fetch-Site": "same-origin"}


def cookie_of(person):
    """A session of the person's own, as its browser keeps it: (name, value)."""
    page = Client(person.set)
    answer = page.post(
        "/v1/sessions", {"username": person.username, "password": Person.PASSWORD, "cookie": True}, headers=OWN)
    assert answer.status == 201 and "token" not in answer.body, answer
    morsel, = http.cookies.SimpleCookie(answer.headers["Set-Cookie"]).values()
    assert morsel["httponly"] and morsel["samesite"] == "Strict" and morsel["path"] == "/v1", morsel.OutputString()
    return page, {"Cookie": f"{morsel.key}={morsel.value}"}


def test_a_cookie_pays_for_a_page_and_for_no_other_site(billset, customer, merchant):
    page, cookie = cookie_of(customer)
    assert page.post("/v1/pin/verifications", {"pin": customer.pin}, headers={**cookie, **OWN}).status == 200
    before = customer.balance
    body = {"merchant": merchant.account, "amount": usd(1)}
    elsewhere = ({}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                 {"Origin": "https://evil.example"}, {"Origin": "null"})
    for fields in elsewhere:
        answer = page.post("/v1/payments", body, key=new_key(), headers={**cookie, **fields})
        assert (answer.status, answer.code) == (403, "gateway.cross_site"), fields
    assert customer.balance == before
    for fields in (OWN, {"Origin": f"http://127.0.0.1:{billset.port}"}):
        assert page.post("/v1/payments", body, key=new_key(), headers={**cookie, **fields}).status == 201
    assert customer.balance == before - 2


def test_a_log_out_ends_the_cookie_here_and_no_other_session(billset, customer):
    page, cookie = cookie_of(customer)
    assert page.get("/v1/sessions/current", headers=cookie).body["account"] == customer.account
    out = page.delete("/v1/sessions/current", headers={**cookie, **OWN})
    assert out.status == 204 and "Max-Age=0" in out.headers["Set-Cookie"]
    gone = page.get("/v1/sessions/current", headers=cookie)
    assert (gone.status, gone.code) == (401, "auth.session_not_found")
    assert "Max-Age=0" in gone.headers["Set-Cookie"]
    assert customer.get("/v1/sessions/current").status == 200


def test_cookies_of_several_roles_in_one_browser(billset, customer, merchant):
    _, of_customer = cookie_of(customer)
    page, of_merchant = cookie_of(merchant)
    both = {"Cookie": "; ".join((of_customer["Cookie"], of_merchant["Cookie"]))}
    assert page.get("/v1/account", headers=both).status == 200
    assert page.get("/v1/cards", headers=both).status == 200
    assert page.get("/v1/sessions/current", headers=both).code == "bus.malformed"
    for person in (customer, merchant):
        named = page.get("/v1/sessions/current", headers={**both, "Billfold-Role": person.role})
        assert named.body["account"] == person.account
