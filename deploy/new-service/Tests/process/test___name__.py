"""The service __name__ on a bus of its own: what it was told is there after it was killed."""

import json

from billfold import Set, new_id, until


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
