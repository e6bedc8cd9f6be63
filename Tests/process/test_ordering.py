"""The service ordering: document 002 played over HTTP as text, and orders whose processes are killed.

The shop is the demo's. Screens are compared to the byte.
"""

import json

import pytest

from billfold import Set, Threads, new_key, until, usd
from copies import restored
from kiosk import Kiosk, burger_shop

START = "Burger Shop\n\nChoose your country\n\n( ) USA\n( ) Switzerland\n"


def patty(chosen="", cart=0):
    rows = [("Beef", "$8.50"), ("Vegetarian", "$7.65")]
    marks = "".join(f"({'x' if name == chosen else ' '}) {name} {price}\n" for name, price in rows)
    grey = "" if chosen else " (Choose one first)"
    return f"Burger Shop\n\nSelect the Patty\n\n{marks}\n[Continue]{grey}\n[Cart ({cart})]\n"


def ingredients(*chosen, cart=0):
    rows = [("Pickles", "$0.70"), ("Lettuce", "$0.50"), ("Tomato", "$0.50"), ("Onion", "$0.50"), ("Cheese", "$1.00"),
            ("Bacon", "$1.20")]
    marks = "".join(f"[{'x' if name in chosen else ' '}] {name} {price}\n" for name, price in rows)
    return f"Burger Shop\n< Patty Selection\n\nSelect the Ingredients\n\n{marks}\n[Order]\n[Cart ({cart})]\n"


def checkout(*burgers, total, back="Select the Ingredients"):
    lines = "".join(f"Burger {price}\n  {what}\n" for what, price in burgers)
    return (f"Burger Shop\n< {back}\n\nCheckout\n\n{lines}\nTotal {total}\n\n"
            "[Order More]\n[Pay]\n[Discard order]\n")


@pytest.fixture(scope="module")
def shop(billset):
    return burger_shop(billset)


@pytest.fixture
def kiosk(billset, shop):
    customer = billset.customer()
    customer.reload(10_000)
    return Kiosk(customer, shop)


# MARK: Document 002


def test_1_the_flow_is_start_patty_ingredients_checkout(kiosk):
    """002-1 to 002-4, 002-7, 002-9 to 002-11, 002-25, 002-26, A61."""
    assert kiosk.text == START
    assert kiosk.press("USA").text == patty()
    assert kiosk.press("Beef").text == patty("Beef")
    assert kiosk.press("Continue").text == ingredients()
    assert kiosk.press("Continue").text == checkout(("Beef", "$8.50"), total="$8.50")
    # It stays, however often one looks.
    assert kiosk.text == checkout(("Beef", "$8.50"), total="$8.50")


def test_2_the_burger_is_what_was_ordered_at_the_right_price(kiosk):
    """002-6, 002-17 to 002-19, A62, A63: 5 * 1.7 + 0.7 = 9.2."""
    kiosk.press("USA", "Beef", "Continue", "Pickles")
    assert kiosk.text == ingredients("Pickles")
    assert kiosk.press("Order").text == checkout(("Beef, Pickles", "$9.20"), total="$9.20")
    kiosk.press("Order More", "Vegetarian", "Continue", "Bacon", "Cheese", "Lettuce", "Bacon")
    assert kiosk.text == ingredients("Lettuce", "Cheese", cart=1)
    assert kiosk.press("Order").text == checkout(
        ("Beef, Pickles", "$9.20"), ("Vegetarian, Lettuce, Cheese", "$9.15"), total="$18.35")


def test_3_and_4_the_cart_counts_and_lists_five_burgers(kiosk):
    """002-5, 002-12, 002-20 to 002-22."""
    kiosk.press("USA")
    for count in range(5):
        assert kiosk.text == patty(cart=count)
        kiosk.press("Beef", "Continue", "Order", "Order More")
    assert kiosk.press("Cart (5)").text == checkout(
        *[("Beef", "$8.50")] * 5, total="$42.50", back="Patty Selection")


def test_5_going_back_orders_nothing_and_never_leads_past_the_country(kiosk):
    """002-8, 002-14 to 002-16, 002-23, A65."""
    kiosk.press("USA", "Beef", "Continue", "Pickles", "Patty Selection")
    assert kiosk.text == patty("Beef")
    assert kiosk.press("Vegetarian", "Continue").text == ingredients("Pickles")
    kiosk.press("Order")
    assert kiosk.text == checkout(("Vegetarian, Pickles", "$8.35"), total="$8.35")
    assert kiosk.press("Select the Ingredients").text == ingredients("Pickles", cart=1)
    assert kiosk.press("Cart (1)", "Select the Ingredients", "Patty Selection").text == patty("Vegetarian", cart=1)
    assert "back" not in kiosk.screen
    for screen in ("", "&screen=start"):
        kiosk.path = f"/v1/menus/{kiosk.shop.account}/screen?language=en{screen}"
        assert kiosk.text == patty(cart=1)


def test_pay_is_one_payment_and_leads_to_the_start(billset, kiosk, bus):
    """002-13, 002-24: the receipt's lines are the burgers; then another country."""
    before = kiosk.customer.balance
    kiosk.press("USA", "Beef", "Continue", "Pickles", "Order", "Order More", "Vegetarian", "Continue", "Order", "Pay")
    assert kiosk.text == START
    order = kiosk.answer.body
    assert before - kiosk.customer.balance == 920 + 765 == order["total"]["amount"]
    receipt = kiosk.customer.get(f"/v1/receipts/{order['order']}").body
    assert receipt["amount"] == order["total"] and receipt["entry"] == order["entry"]
    assert receipt["memo"] == "Burger: Beef, Pickles; Burger: Vegetarian"
    text = kiosk.customer.get(f"/v1/orders/{order['order']}", headers={"Accept": "text/plain"}).raw.decode()
    assert text == (
        f"Burger Shop\nOrder {order['number']} · paid\n\nBurger $9.20\n  Beef, Pickles\nBurger $7.65\n  Vegetarian\n\n"
        f"Total $16.85\nPaid at {order['paid']}, ledger entry {order['entry']}\n")
    kiosk.press("Switzerland")
    assert kiosk.text.endswith("( ) Beef 5.00 CHF\n( ) Vegetarian 4.50 CHF\n\n[Continue] (Choose one first)\n[Cart (0)]\n")
    bus.check_ledger()


def test_an_empty_order_cannot_be_paid(kiosk):
    """A64."""
    kiosk.press("USA", "Cart (0)")
    assert kiosk.text == (
        "Burger Shop\n< Patty Selection\n\nCheckout\n\n\nTotal $0.00\n\n[Order More]\n"
        "[Pay] (There is nothing in the order)\n[Discard order]\n")
    assert kiosk.press("Discard order").text == START


def test_swiss_francs_are_no_dollars(kiosk):
    """A63: nothing is converted, so that a card in dollars cannot pay; the page says so, and the service refuses."""
    before = kiosk.customer.balance
    # It is said as soon as the country is chosen, before anything is put together.
    assert "An order in CHF cannot be paid" in kiosk.press("Switzerland").text
    kiosk.press("Beef", "Continue", "Order")
    words = "An order in CHF cannot be paid: cards pay in USD, and nothing is converted."
    assert "Total 5.00 CHF" in kiosk.text and "[Pay] (Cards pay in USD)" in kiosk.text and words in kiosk.text
    order = kiosk.screen["order"]
    body = {"total": {"amount": 500, "currency": "CHF"}}
    refused = kiosk.customer.post(f"/v1/orders/{order}/payment", body, key=new_key())
    assert refused.status == 422 and refused.code == "wallet.currency_mismatch", refused
    assert "no money was moved" in refused.body["detail"] and kiosk.customer.balance == before
    # The order is open as before, and gives way to one that can be paid.
    assert kiosk.press("Discard order").text == START
    assert "cannot be paid" not in kiosk.press("USA", "Beef", "Continue", "Order").text


def test_the_screens_speak_german(billset, shop):
    """A84."""
    kiosk = Kiosk(billset.customer(card=False), shop, "de").press("USA", "Rindfleisch")
    assert kiosk.text == (
        "Burger Shop\n\nWählen Sie den Patty\n\n(x) Rindfleisch $8.50\n( ) Vegetarisch $7.65\n\n[Weiter]\n[Warenkorb (0)]\n")


# MARK: Prices and money


def test_no_client_names_a_price(kiosk):
    kiosk.press("USA", "Beef", "Continue", "Order")
    order = kiosk.screen["order"]
    for body in ({"base": "beef", "price": 1}, {"base": "beef", "extras": [], "total": usd(1)}):
        assert kiosk.customer.post(f"/v1/orders/{order}/items", body, key=new_key()).code == "bus.malformed"
    cheap = kiosk.customer.post(f"/v1/orders/{order}/payment", {"total": usd(1)}, key=new_key())
    assert cheap.status == 409 and cheap.code == "ordering.total_changed", cheap


def test_a_press_that_is_sent_again_orders_no_second_burger(kiosk):
    kiosk.press("USA", "Beef", "Continue")
    act, key = kiosk.find("Order")["act"], new_key()
    first = kiosk.customer.post(act["path"], act["body"], key=key)
    again = kiosk.customer.post(act["path"], act["body"], key=key)
    assert again.replayed and again.body == first.body and len(again.body["lines"]) == 1, again


def test_without_enough_money_nothing_is_paid_and_the_burgers_stay(billset, shop):
    customer = billset.customer()
    kiosk = Kiosk(customer, shop).press("USA", "Beef", "Continue", "Order", "Order More", "Beef", "Continue", "Order")
    act = kiosk.find("Pay")["act"]
    refused = customer.post(act["path"], act["body"], key=new_key())
    assert refused.status == 402 and refused.code == "wallet.insufficient_funds", refused
    assert customer.balance == 1650
    assert kiosk.text == checkout(("Beef", "$8.50"), ("Beef", "$8.50"), total="$17.00")
    old = act["path"].split("/")[3]
    assert kiosk.screen["order"] != old
    closed = customer.get(f"/v1/orders/{old}").body
    assert closed["state"] == "closed" and closed["successor"] == kiosk.screen["order"]
    # Each later answer says where the items are, and nobody has discarded the order.
    assert f"No money was moved. The order was closed, and its items are in the order {closed['successor']}" in (
        refused.body["detail"])
    again = customer.post(act["path"], act["body"], key=new_key())
    assert again.code == "ordering.order_closed" and closed["successor"] in again.body["detail"], again
    discarded = customer.delete(f"/v1/orders/{old}")
    assert discarded.code == "ordering.order_not_open" and closed["successor"] in discarded.body["detail"], discarded
    customer.reload(1000)
    assert kiosk.press("Pay").text == START
    assert customer.balance == 2650 - 1700


def test_strangers_see_nothing(billset, kiosk):
    kiosk.press("USA", "Beef", "Continue", "Order")
    order = kiosk.screen["order"]
    stranger = billset.customer()
    assert stranger.get(f"/v1/orders/{order}").status == 404
    assert stranger.post(f"/v1/orders/{order}/payment", {"total": usd(850)}, key=new_key()).status == 404
    assert stranger.post(f"/v1/orders/{order}/items", {"base": "beef"}, key=new_key()).status == 404
    # Not before it is paid.
    assert kiosk.shop.get(f"/v1/orders/{order}").status == 404
    assert kiosk.shop.post(f"/v1/orders/{order}/ready").status == 409


# MARK: The shop


def test_the_shop_sees_it_come_and_the_customer_is_told_when_it_is_ready(kiosk):
    kiosk.press("USA", "Beef", "Continue", "Pickles", "Order", "Pay")
    order = kiosk.answer.body

    def notices(person):
        return [notice for notice in person.get("/v1/notices?limit=100").body["notices"]
                if notice.get("link") == f"/orders/{order['order']}"]

    came = until(lambda: notices(kiosk.shop), "the order at the shop")[0]
    assert came["kind"] == "order" and came["title"].startswith(f"Order {order['number']} of "), came
    assert came["title"].endswith(": $9.20, paid") and came["text"] == "Burger: Beef, Pickles", came
    waiting = kiosk.shop.get("/v1/orders?waiting=true&limit=100").body["orders"]
    assert order["order"] in [one["order"] for one in waiting]
    assert kiosk.shop.post(f"/v1/orders/{order['order']}/ready").body["state"] == "ready"
    assert kiosk.shop.post(f"/v1/orders/{order['order']}/ready").replayed
    told = until(lambda: notices(kiosk.customer), "the customer to be told")
    assert [notice["title"] for notice in told] == [f"Burger Shop: order {order['number']} is ready"]
    waiting = kiosk.shop.get("/v1/orders?waiting=true&limit=100").body["orders"]
    assert order["order"] not in [one["order"] for one in waiting]


def test_menus_are_anyones_to_read_and_their_merchants_to_write(billset, shop):
    menu = billset.customer(card=False).get(f"/v1/menus/{shop.account}", token=None).body["menu"]
    merchant = billset.merchant()
    assert merchant.get(f"/v1/menus/{merchant.account}").code == "ordering.menu_not_found"
    assert merchant.put("/v1/menu", menu).body["revision"] == 1
    assert merchant.put("/v1/menu", menu).body["revision"] == 1
    twice = {**menu, "bases": [menu["bases"][0]] * 2}
    refused = merchant.put("/v1/menu", twice)
    assert refused.status == 422 and refused.code == "ordering.menu_invalid", refused
    found = merchant.get("/v1/menus?limit=100", token=None).body["menus"]
    assert {shop.account, merchant.account} <= {one["merchant"] for one in found}


def test_a_menu_is_shown_to_customers_once_its_merchant_is_approved(billset):
    """A95: until then it is the merchant's own, and nobody begins an order there."""
    merchant, root, ada = burger_shop(billset), billset.administrator(), billset.customer()
    path = f"/v1/menus/{merchant.account}"
    listed = lambda: merchant.account in {one["merchant"] for one in ada.get("/v1/menus?limit=100").body["menus"]}
    assert listed() and "isHidden" not in ada.get(path).body
    assert root.post(f"/v1/merchants/{merchant.account}/rejection", {"reason": "Not a shop."}).status == 200
    until(lambda: ada.get(path).code == "ordering.menu_not_found", "the menu to be hidden")
    assert not listed() and ada.get(f"{path}/screen").code == "ordering.menu_not_found"
    begun = ada.post(f"{path}/orders", {"country": "us"}, key=new_key())
    assert begun.code == "ordering.menu_not_found", begun
    assert merchant.get(path).body["isHidden"] is True
    assert root.post(f"/v1/merchants/{merchant.account}/approval").status == 200
    until(lambda: ada.get(path).status == 200, "the menu to be shown")
    assert listed() and ada.post(f"{path}/orders", {"country": "us"}, key=new_key()).status == 201


def test_an_order_says_what_was_paid_back(billset, shop):
    """Refunds in part and in whole are read by the customer and at the till, in lists and on the receipt."""
    kiosk = Kiosk(billset.customer(), shop).press("USA", "Beef", "Continue", "Order", "Pay")
    order, customer = kiosk.answer.body["order"], kiosk.customer
    path, refunds = f"/v1/orders/{order}", f"/v1/charges/{order}/refunds"

    def read():
        singles = [person.get(path).body for person in (customer, shop)]
        lists = [next(one for one in person.get("/v1/orders?limit=100").body["orders"] if one["order"] == order)
                 for person in (customer, shop)]
        # Payments may be too late to tell one of them.
        return singles[0].get("refunded") if singles[0] == singles[1] == lists[0] == lists[1] else "unlike"

    def text(language):
        return customer.get(f"{path}?language={language}", headers={"Accept": "text/plain"}).raw.decode()

    until(lambda: read() is None, "all to say the same")
    assert "Refunded" not in text("en")
    assert shop.post(refunds, {"amount": usd(300)}, key=new_key()).status == 201
    until(lambda: read() == usd(300), "all to say what was paid back")
    until(lambda: "\nRefunded in part: $3.00\n" in text("en"), "the receipt")
    until(lambda: "\nTeilweise erstattet: $3.00\n" in text("de"), "the receipt")
    assert shop.post(refunds, {"amount": usd(550)}, key=new_key()).status == 201
    until(lambda: read() == usd(850), "all to say what was paid back")
    until(lambda: "\nRefunded: $8.50\n" in text("en"), "the receipt")
    until(lambda: "\nErstattet: $8.50\n" in text("de"), "the receipt")


def test_the_till_works_on_without_payments():
    """Who makes the orders need not know of refunds: without payments nothing is said of them."""
    made = Set().start()
    try:
        made.await_health()
        shop = burger_shop(made)
        order = Kiosk(made.customer(), shop).press("USA", "Beef", "Continue", "Order", "Pay").answer.body["order"]
        assert shop.post(f"/v1/charges/{order}/refunds", {}, key=new_key()).status == 201
        with made.frozen("payments"):
            answer = shop.get("/v1/orders?waiting=true")
            assert answer.status == 200 and [one["order"] for one in answer.body["orders"]] == [order], answer
            assert "refunded" not in answer.body["orders"][0]
        until(lambda: shop.get(f"/v1/orders/{order}").body.get("refunded") == usd(850), "payments to be asked again")
        made.all_run()
    finally:
        made.close()


# MARK: Killed at each step


@pytest.mark.parametrize("name", ["ordering", "payments", "wallet"])
def test_an_order_is_paid_once_or_not_at_all_whatever_is_killed(name):
    """Each order is paid while a process is killed; asked again with the same key, it ends paid or refused."""
    made = Set(BILLFOLD_DEADLINE_MS="4000").start()
    try:
        made.await_health()
        shop = burger_shop(made)
        people = [made.customer() for _ in range(4)]
        outcomes = []

        def order(customer, rounds=6):
            spent = 0
            for _ in range(rounds):
                customer.insist("POST", f"/v1/cards/{customer.card}/reloads", {"amount": usd(920)}, key=new_key())
                begun = customer.insist("POST", f"/v1/menus/{shop.account}/orders", {"country": "us"}, key=new_key())
                if begun.status == 409:
                    cart = customer.insist("GET", f"/v1/menus/{shop.account}/cart").body["order"]
                else:
                    cart = customer.insist(
                        "POST", f"/v1/orders/{begun.body['order']}/items", {"base": "beef", "extras": ["pickles"]},
                        key=new_key()).body
                paid = customer.insist(
                    "POST", f"/v1/orders/{cart['order']}/payment", {"total": cart["total"]}, key=new_key())
                assert paid.status == 201 or paid.code in ("ordering.order_closed", "ordering.total_changed"), paid
                outcomes.append((customer, cart["order"], paid))
                spent += paid.body["total"]["amount"] if paid.status == 201 else 0
            customer.spent = spent

        threads = Threads()
        for person in people:
            threads.run(order, person)
        for count in (3, 8, 14, 19):
            until(lambda: len(outcomes) >= count or threads.errors, f"{count} outcomes")
            made.kill(name)
            made.start(name)
        threads.join()
        made.await_health()
        # What nobody waits for any more is settled too.
        for customer, order_id, paid in outcomes:
            if paid.status != 201:
                found = until(lambda: (lambda one: one["state"] != "paying" and one)(
                    customer.get(f"/v1/orders/{order_id}").body), "the order to be settled")
                assert found["state"] == "closed", found
        for person in people:
            assert person.balance == 1650 + 6 * 920 - person.spent
            history = {one["charge"]: one["amount"] for one in person.pages("/v1/history", "charges")}
            orders = {one["order"]: one["total"] for one in person.pages("/v1/orders", "orders")}
            assert history == orders
        with made.bus() as bus:
            bus.check_ledger()
        verified = made.command("verify", "--json")
        assert verified.returncode == 0, verified
        made.all_run()
    finally:
        made.close()


def test_a_payment_whose_answer_is_lost_is_settled_by_the_wallet():
    """Ordering is stopped between the payment and its record, and starts again when nobody asks any more."""
    made = Set().start()
    try:
        made.await_health()
        shop = burger_shop(made)
        customer = made.customer()
        kiosk = Kiosk(customer, shop).press("USA", "Beef", "Continue", "Order")
        act = kiosk.find("Pay")["act"]
        order = act["path"].split("/")[3]
        with made.frozen("wallet"):
            lost = customer.post(act["path"], act["body"], key=new_key())
            assert lost.status in (503, 504) and lost.body["retry"] == "same_key", lost
            assert customer.get(f"/v1/orders/{order}").body["state"] == "paying"
            made.kill("ordering")
        made.start("ordering").await_health()
        found = until(lambda: (lambda one: one["state"] != "paying" and one)(
            customer.get(f"/v1/orders/{order}").body), "the order to be settled")
        paid = {one["charge"] for one in customer.pages("/v1/history", "charges")}
        assert (found["state"] == "paid") == (order in paid), found
        assert customer.balance == 1650 - (850 if found["state"] == "paid" else 0)
        verified = made.command("verify", "--json")
        assert verified.returncode == 0, verified
        made.all_run()
    finally:
        made.close()


# MARK: What every service owes


def test_verify_backup_and_restore_take_orders_along(tmp_path):
    made = Set().start()
    try:
        made.await_health()
        shop = burger_shop(made)
        kiosk = Kiosk(made.customer(), shop).press("USA", "Beef", "Continue", "Pickles", "Order", "Pay")
        kiosk.press("USA", "Vegetarian", "Continue", "Order")
        checks = {one["name"]: one for one in json.loads(made.command("verify", "--json").stdout)["checks"]}
        assert checks["orders_are_paid"]["examined"] == 2, checks
        assert "ordering" in restored(made, tmp_path)
        assert kiosk.text == checkout(("Vegetarian", "$7.65"), total="$7.65")
        assert len(kiosk.shop.pages("/v1/orders", "orders")) == 2
        made.all_run()
    finally:
        made.close()
