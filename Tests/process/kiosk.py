"""Somebody who orders ahead: over HTTP screen by screen as text, pressing what stands there."""

from billfold import Client, new_key


def burger_shop(billset):
    """The demo's burger shop, as its merchant."""
    played = billset.command("demo", "--http", f"127.0.0.1:{billset.port}")
    assert played.returncode == 0, played
    shop = Client(billset)
    login = shop.post("/v1/sessions", {"username": "burgers", "password": "demo-password"})
    assert login.status == 201, login
    shop.token, shop.account = login.body["token"], login.body["session"]["account"]
    return shop


class Kiosk:
    """The flow of one customer at one shop. `text` is the screen as it is served to whoever wants text."""

    def __init__(self, customer, shop, language="en"):
        self.customer, self.shop = customer, shop
        self.path = f"/v1/menus/{shop.account}/screen?language={language}"
        self.answer = None

    @property
    def screen(self):
        answer = self.customer.get(self.path)
        assert answer.status == 200, answer
        return answer.body

    @property
    def text(self):
        answer = self.customer.get(self.path, headers={"Accept": "text/plain"})
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/plain; charset=utf-8", answer
        return answer.raw.decode()

    def find(self, label):
        screen = self.screen
        presses = [*screen["buttons"], *(choice["press"] for choice in screen["choices"])]
        presses += [screen["back"]] if screen.get("back") else []
        found = [press for press in presses if label in (press["label"], press.get("alias"))]
        assert len(found) == 1, (label, screen)
        return found[0]

    def press(self, *labels):
        """Presses one after another; each has to be possible."""
        for label in labels:
            press = self.find(label)
            assert "disabled" not in press, press
            if "act" in press:
                act = press["act"]
                self.answer = self.customer.request(act["method"], act["path"], act.get("body"), key=new_key())
                assert self.answer.status < 300, self.answer
            self.path = press["to"]
        return self
