"""The document that the gateway serves is valid, and true of what it answers."""

import pytest
from openapi_spec_validator import validate

from billfold import Client


@pytest.fixture(scope="module")
def document(billset):
    return Client(billset).get("/openapi.json").body


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "delete"):
                yield path, method.upper(), operation


def test_it_is_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    validate(document)


def test_every_route_is_there_and_refuses_as_documented(billset, document):
    """Without a token, without a body: whatever is answered has to be in the document."""
    client = Client(billset)
    count = 0
    for path, method, operation in operations(document):
        answer = client.request(method, path.replace("{charge}", "0" * 32).replace("{card}", "0" * 32), token=None)
        assert str(answer.status) in operation["responses"], (method, path, answer)
        assert answer.status < 500, (method, path, answer)
        if answer.status >= 400:
            assert answer.code, (method, path, answer)
        count += 1
    assert count > 25


def test_only_the_four_methods_are_used(document):
    """001-10, A52"""
    for path, methods in document["paths"].items():
        assert set(methods) - {"parameters"} <= {"get", "post", "put", "delete"}, path
