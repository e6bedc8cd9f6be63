"""What each service owes whatever it does, of those that were added to the first set: everything that knows services knows it."""

import pytest

from billfold import Client, registration, until

SERVICES = ["routines", "ordering", "storefront"]
each = pytest.mark.parametrize("service", SERVICES)


@each
def test_health_metrics_status_and_the_operators_page_show_it(billset, service):
    until(lambda: billset.health()[1][service] is True, "it to be well")
    client = Client(billset)
    until(lambda: f'billfold_up{{service="{service}"}} 1' in client.get("/metrics").raw.decode(), "its figures")
    assert any(line.startswith(f"{service} ") for line in billset.command("status").stdout.splitlines())
    root = billset.administrator()

    def is_shown():
        shown = {one["service"]: one for one in root.get("/v1/ops").body["services"]}
        return shown[service]["process"] and not shown[service]["silent"]

    until(is_shown, "the operators' page to show it")
    billset.stop(service)
    until(lambda: billset.health()[1][service] is False, "it to be missed")
    billset.start(service).await_health()


@each
def test_its_name_is_nobodys(billset, service):
    taken = Client(billset).post("/v1/customers", registration("customer", service))
    assert taken.status == 409, taken
