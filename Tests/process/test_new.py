"""`billfold new` in a checkout: it writes all or nothing. What it writes is built and tested by `deploy/test new`."""

import re
import shutil
import subprocess

import pytest

from billfold import BINARIES, ROOT


def run(directory, *arguments):
    return subprocess.run(
        [BINARIES / "billfold", "new", *arguments], cwd=directory, capture_output=True, text=True, timeout=60)


def git(directory, *arguments):
    return subprocess.run(
        ["git", "-C", directory, "-c", "user.name=tests", "-c", "user.email=tests@example.com", *arguments],
        check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path):
    """This project's files as they are, under a git of their own."""
    for folder in ("Services", "Sources", "Tests", "deploy"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("Package.swift", "docker-compose.yml"):
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "all")
    return tmp_path


def changes(checkout):
    return git(checkout, "status", "--porcelain", "-uall").splitlines()


def test_a_dry_run_names_what_a_run_then_writes(checkout):
    told = run(checkout / "Sources", "greetings", "--dry-run")
    assert told.returncode == 0 and changes(checkout) == []
    made = run(checkout / "Sources", "greetings")
    assert made.returncode == 0, made
    written = {line[3:] for line in changes(checkout)}
    assert {line.strip() for line in told.stdout.splitlines() if line.startswith("  ")} == written
    assert "Services/Greetings/Main/GreetingsMain.swift" in written and "Package.swift" in written
    if (checkout / "docker-compose.yml").exists():
        assert "command: [billfold-greetings]" in (checkout / "docker-compose.yml").read_text()
    manifest = (checkout / "Package.swift").read_text()
    assert len(re.findall(r'service\(\s*"Greetings"', manifest)) == 1
    # It is there now, and uncommitted.
    for again in (run(checkout, "greetings"), run(checkout, "other")):
        assert again.returncode == 1 and len(again.stderr.splitlines()) == 1
    assert {line[3:] for line in changes(checkout)} == written


def test_what_cannot_be_done_is_refused_in_a_line(checkout, tmp_path_factory):
    foreign = tmp_path_factory.mktemp("foreign")
    git(foreign, "init", "-q")
    nowhere = run("/", "greetings")
    for refused, status, why in (
            (nowhere, 64, "is not in a git checkout"), (run(foreign, "greetings"), 64, "is not a checkout of billfold"),
            (run(checkout, "wallet"), 1, "Wallet"), (run(checkout, "money"), 1, "Money")):
        assert refused.returncode == status and why in refused.stderr, refused
        assert len(refused.stderr.splitlines()) == 1
    for wrong in ("Greetings", "a-b", "x", "string"):
        assert run(checkout, wrong).returncode == 64
    (checkout / "mine.txt").write_text("not committed")
    refused = run(checkout, "greetings")
    assert refused.returncode == 1 and "not committed" in refused.stderr
    assert changes(checkout) == ["?? mine.txt"]
