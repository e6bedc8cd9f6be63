"""Requests that a program makes up from the OpenAPI document alone: none is answered by a server's error, or by anything
that the document does not name."""

import re
import subprocess
import sys

import pytest

from billfold import SEED, Client, Set

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Streams have no end, and whoever logs out is nobody afterwards.
LEFT_OUT = r"/events$|^/v1/sessions/current$"


@pytest.fixture(scope="module")
def open_set():
    """One that lets a single address try as often as a test wants."""
    own = Set(BILLFOLD_TRIES_PER_ADDRESS="60000", BILLFOLD_DEVICES="200").start().await_health()
    yield own
    own.close()


def operations_of(role, document):
    """What the role may ask; what it may not is refused before it is read (`test_roles_on_every_route`)."""
    return [operation["operationId"] for path in document["paths"].values() for operation in path.values()
            if any(role in way if way else role == "nobody" for way in operation["security"] or [{}])]


@pytest.mark.parametrize("role", ["nobody", "customer", "merchant", "administrator"])
def test_whatever_the_document_allows(open_set, role, tmp_path):
    token = None if role == "nobody" else getattr(open_set, role)().token
    operations = operations_of(role, Client(open_set).get("/openapi.json").body)
    run = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{open_set.port}/openapi.json",
         "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "5", "--seed", str(SEED),
         *(word for name in operations for word in ("--include-operation-id", name)), "--exclude-path-regex", LEFT_OUT, "--continue-on-failure", "--suppress-health-check", "all", "--no-color",
         "--request-timeout", "30", *(["-H", f"Authorization: Bearer {token}"] if token else [])],
        capture_output=True, text=True, timeout=240, cwd=tmp_path)  # It keeps a cache where it runs.
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert int(re.search(r"(\d+) generated", run.stdout)[1]) > 5 * len(operations), run.stdout[-2000:]
    open_set.all_run()
