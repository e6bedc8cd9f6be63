"""One set of processes for each file; a test that needs another makes its own."""

import pytest

# So that what these assert says what was found instead.
pytest.register_assert_rewrite("billfold", "webpage")

import billfold  # noqa: E402: rewritten as it is imported


def pytest_report_header():
    return f"billfold: BILLFOLD_SEED={billfold.SEED}, binaries in {billfold.BINARIES}"


# What the set of a file is started with.
ENVIRONMENT = {}


@pytest.fixture(scope="module")
def billset(request):
    environment = getattr(request.module, "ENVIRONMENT", ENVIRONMENT)
    made = billfold.Set(**environment).start()
    try:
        made.await_health()
        yield made
        made.all_run()
    finally:
        statuses = made.close()
    assert set(statuses.values()) == {0}, statuses


@pytest.fixture
def bus(billset):
    with billset.bus() as bus:
        yield bus


@pytest.fixture(scope="module")
def customer(billset):
    return billset.customer()


@pytest.fixture(scope="module")
def merchant(billset):
    return billset.merchant()
