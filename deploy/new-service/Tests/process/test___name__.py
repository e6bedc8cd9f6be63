"""The service __name__: alone on a bus, and as one of the set, which everything that knows the set's services knows too."""

import json
import shutil

import pytest

from billfold import BINARIES, Set, new_id, new_key, registration, until


@pytest.fixture(scope="module")
def noted():
    """A whole set with one note, which came over HTTP."""
    made = Set().start()
    try:
        made.await_health()
        made.ada = made.customer(card=False)
        made.key = new_key()
        answer = made.ada.post("/v1/__name__/notes", {"text": "Call back"}, key=made.key)
        assert answer.status == 201 and answer.body == {"number": 1, "replayed": False}, answer
        yield made
        made.all_run()
    finally:
        made.close()


def test_a_note_is_kept_once_and_survives():
    made = Set().start("broker", "__name__")
    try:
        note, account = new_id(), new_id()
        with made.bus() as bus:
            ask = {"note": note, "account": account, "text": "Call back"}
            assert bus.ask("__name__.note.add.v1", ask) == {"number": 1, "replayed": False}
            made.kill("__name__")
            made.start("__name__")
            assert bus.ask("__name__.note.add.v1", ask) == {"number": 1, "replayed": True}
            facts = until(lambda: bus.facts("__name__"), "the fact")
            assert [json.loads(fact)["data"]["note"] for fact in facts] == [note]
            assert "Call back" not in made.log_text()
        made.all_run()
    finally:
        made.close()


def test_a_request_that_is_sent_again_keeps_no_second_note(noted):
    again = noted.ada.post("/v1/__name__/notes", {"text": "Call back"}, key=noted.key)
    assert again.replayed and again.body["number"] == 1, again
    assert "/v1/__name__/notes" in noted.ada.get("/openapi.json").body["paths"]


def test_it_conforms():
    checked = Set().command("check", "__name__", "--json", "--complete", "--", str(BINARIES / "billfold-__name__"))
    report = json.loads(checked.stdout)
    assert checked.returncode == 0 and report["conforms"] and report["notOffered"] == [], report


def test_health_metrics_status_and_the_operators_page_show_it(noted):
    assert noted.health()[1]["__name__"] is True
    assert 'billfold_up{service="__name__"} 1' in noted.ada.get("/metrics").raw.decode()
    assert any(line.startswith("__name__ ") for line in noted.command("status").stdout.splitlines())
    shown = {one["service"]: one for one in noted.administrator().get("/v1/ops").body["services"]}
    assert shown["__name__"]["process"] and not shown["__name__"]["silent"]
    noted.stop("__name__")
    until(lambda: noted.health()[1]["__name__"] is False, "it to be missed")
    noted.start("__name__").await_health()


def test_it_hands_over_the_tables_of_its_contract(noted):
    document = json.loads(noted.command("contracts", "--asyncapi", "__name__").stdout)
    with noted.bus() as bus:
        followed = bus.ask("__name__.state.follow.v1", {}, retry="once")
    assert followed["tables"] == document["operations"]["__name__.state.follow.v1"]["x-billfold-tables"]


def test_its_name_is_nobodys(noted):
    taken = noted.ada.post("/v1/customers", registration("customer", "__name__"), token=None)
    assert taken.status == 409, taken


def test_verify_backup_and_restore_take_it_along(noted, tmp_path):
    verified = noted.command("verify", "--json")
    assert verified.returncode == 0, verified
    saved = noted.command("backup", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"))
    assert saved.returncode == 0, saved
    manifest = json.loads((tmp_path / "copy" / "manifest.json").read_text())
    entry = next(entry for entry in manifest["services"] if entry["service"] == "__name__")
    assert entry["head"] == 1 and (tmp_path / "copy" / entry["file"]).stat().st_size == entry["bytes"]
    noted.stop()
    shutil.rmtree(noted.data)
    restored = noted.command("restore", str(tmp_path / "copy"), "--keys", str(tmp_path / "keys"))
    assert restored.returncode == 0, restored
    noted.start().await_health()
    again = noted.ada.post("/v1/__name__/notes", {"text": "Call back"}, key=noted.key)
    assert again.replayed and again.body["number"] == 1, again
