"""The service storefront: document 003 as text over HTTP, and who reads and writes pages."""

import pathlib

import pytest

import scripts
from billfold import Client, Set, until
from copies import restored
from images import PIXEL, WRONG_IMAGES
from notices import await_notice, request_charge

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").joinpath("storefront").glob("*.txt"))

# Open at any time of any day, so that no clock decides a test.
PAGE = {
    "name": "Paulsen's Pharmacy", "logo": "Paulsen's",
    "theme": {"paper": "#fdfcf7", "ink": "#14213d", "accent": "#9b1c31"},
    "welcome": "Good to see you.", "about": "A pharmacy of the neighbourhood.",
    "address": "4246 NE Sandy Boulevard, Portland, Oregon", "phone": "+1 503 555 0112", "zone": "America/Los_Angeles",
    "hours": [{"day": day, "opens": 0, "closes": 1440} for day in range(1, 8)],
    "events": [
        {"date": "2016-11-12", "name": "An app of our own", "text": "Students design an app."},
        {"date": "1975-03-03", "name": "The first delivery", "text": "On a bicycle."},
        {"date": "1918-05-01", "name": "The doors open", "text": "Every medicine is mixed by hand."}],
}


def opened(merchant, **changes):
    answer = merchant.put("/v1/shop", {**PAGE, **changes})
    assert answer.status == 200, answer
    return answer.body


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_the_views_as_text(billset, script):
    """003-1 to 003-4, 003-6, 003-8 to 003-12, 003-14 to 003-16, A67 to A72, A84, A85: what is shown, byte for byte."""
    scripts.check(script, Client(billset), lambda: billset.customer(card=False, pin=None))


def test_the_demo_opens_the_pharmacy_of_document_003(billset):
    """003-6, 003-7: Paulsen's logo, colours and history."""
    played = billset.command("demo", "--http", f"127.0.0.1:{billset.port}")
    assert played.returncode == 0, played
    client = Client(billset)
    path = next(line.split()[-1] for line in played.stdout.splitlines() if "its pages are at" in line)
    shop = client.get(f"/v1{path}").body
    assert shop["page"]["logo"] == "Paulsen's" and shop["page"]["name"] == "Paulsen's Pharmacy"
    dates = [event["date"] for event in shop["page"]["events"]]
    assert dates == sorted(dates, reverse=True) and len(dates) == 4
    assert client.get(path).headers["Content-Type"].startswith("text/html")


def test_only_a_merchant_writes_a_page_and_everybody_reads_it(billset, merchant):
    ada = billset.customer(card=False, pin=None)
    assert ada.put("/v1/shop", PAGE).code == "bus.forbidden"
    assert Client(billset).put("/v1/shop", PAGE).code == "gateway.token_missing"
    view = opened(merchant)
    assert view["isOpen"] is True
    assert Client(billset).get(f"/v1/shops/{merchant.account}").body == view
    assert Client(billset).get(f"/v1/shops/{ada.account}").code == "storefront.page_not_found"
    shops, skip = [], 0
    while skip is not None:
        answer = Client(billset).get(f"/v1/shops?limit=1&skip={skip}").body
        assert len(answer["pages"]) <= 1
        shops, skip = shops + answer["pages"], answer.get("next")
    assert {"merchant": merchant.account, "name": PAGE["name"]} in shops


def test_a_page_is_shown_to_customers_once_its_merchant_is_approved(billset):
    """A95: until then it is the merchant's own, and an administrator's."""
    merchant, root, ada = billset.merchant(), billset.administrator(), billset.customer(card=False, pin=None)
    path = f"/v1/shops/{merchant.account}"
    opened(merchant)
    assert merchant.put("/v1/shop/logo", {"data": PIXEL}).status == 200
    listed = lambda: merchant.account in {one["merchant"] for one in every_shop(ada)}
    assert listed() and "isHidden" not in ada.get(path).body
    assert root.post(f"/v1/merchants/{merchant.account}/rejection", {"reason": "Not a shop."}).status == 200
    until(lambda: ada.get(path).code == "storefront.page_not_found", "the page to be hidden")
    assert not listed() and ada.get(path, token=None).code == "storefront.page_not_found"
    assert ada.get(f"{path}/logo").code == "storefront.logo_not_found"
    assert ada.get(f"{path}/view").code == "storefront.page_not_found"
    assert merchant.get(path).body["isHidden"] is True and root.get(path).body["isHidden"] is True
    assert merchant.post("/v1/shop/previews", PAGE).body["isHidden"] is True
    assert billset.merchant().get(path).code == "storefront.page_not_found"
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    until(lambda: ada.get(path).status == 200, "the page to be shown")
    assert listed() and ada.get(f"{path}/logo").status == 200


def every_shop(client):
    shops, skip = [], 0
    while skip is not None:
        answer = client.get(f"/v1/shops?limit=100&skip={skip}").body
        shops, skip = shops + answer["pages"], answer.get("next")
    return shops


def test_a_logo_may_be_an_image_of_limited_kind_and_size(billset, merchant):
    """003-6: the image takes the place of the letters until it is removed."""
    opened(merchant)
    path = f"/v1/shops/{merchant.account}"
    assert "logoImage" not in merchant.get(path).body and merchant.get(f"{path}/logo").code == "storefront.logo_not_found"
    made = merchant.put("/v1/shop/logo", {"data": PIXEL}).body["logo"]
    assert (made["kind"], made["width"], made["height"]) == ("png", 1, 1)
    client = Client(billset)
    assert client.get(path).body["logoImage"] == made and client.get(f"{path}/logo").body == {"logo": made, "data": PIXEL}
    for wrong in WRONG_IMAGES:
        assert merchant.put("/v1/shop/logo", {"data": wrong}).code == "storefront.logo_invalid", wrong
    assert billset.customer(card=False, pin=None).put("/v1/shop/logo", {"data": PIXEL}).code == "bus.forbidden"
    assert client.get(path).body["logoImage"] == made
    assert merchant.delete("/v1/shop/logo").status == 204 == merchant.delete("/v1/shop/logo").status
    assert "logoImage" not in client.get(path).body


def test_switched_off_notifications_stay_off_everywhere_and_requests_for_money_wait(billset):
    """003-14, A69: nothing is pushed, the request waits in the wallet, and the merchant is told."""
    ada, merchant = billset.customer(), billset.merchant()
    opened(merchant)
    path = f"/v1/shops/{merchant.account}/view?view=settings"
    row = next(row for row in ada.get(path).body["rows"] if row["label"] == "Notifications")
    act = row["press"]["act"]
    assert row["value"] == "on" and ada.request(act["method"], act["path"], act["body"]).body["enabled"] is False
    assert ada.get("/v1/settings/notices").body["enabled"] is False
    assert next(row for row in ada.get(path).body["rows"] if row["label"] == "Notifications")["value"] == "off"
    request_charge(merchant, ada, 100)
    assert await_notice(merchant, "request")["title"] == "The customer was not notified: off"
    assert len(ada.get("/v1/charges?state=requested").body["charges"]) == 1


# MARK: As one of the set


def test_a_page_survives_a_kill(billset, merchant):
    view = opened(merchant, welcome="Still here.")
    billset.kill("storefront")
    billset.start("storefront").await_health()
    assert Client(billset).get(f"/v1/shops/{merchant.account}").body == view
    assert opened(merchant, welcome="Still here.")["revision"] == view["revision"]


def test_verify_backup_and_restore_take_it_along(tmp_path):
    made = Set().start()
    try:
        made.await_health()
        merchant = made.merchant()
        view = opened(merchant)
        verified = made.command("verify", "--json")
        assert verified.returncode == 0, verified
        assert restored(made, tmp_path)["storefront"]["head"] == 1
        assert Client(made).get(f"/v1/shops/{merchant.account}").body == view
        made.all_run()
    finally:
        made.close()
