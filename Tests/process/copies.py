"""A set that is saved, lost and restored."""

import json
import shutil


def restored(made, folder):
    """Saves a running set, deletes what it has, restores it and starts it; returns the copy's manifest by service."""
    saved = made.command("backup", str(folder / "copy"), "--keys", str(folder / "keys"))
    assert saved.returncode == 0, saved
    manifest = json.loads((folder / "copy" / "manifest.json").read_text())
    entries = {entry["service"]: entry for entry in manifest["services"]}
    for entry in entries.values():
        assert (folder / "copy" / entry["file"]).stat().st_size == entry["bytes"], entry
    made.stop()
    shutil.rmtree(made.data)
    back = made.command("restore", str(folder / "copy"), "--keys", str(folder / "keys"))
    assert back.returncode == 0, back
    made.start().await_health()
    return entries
