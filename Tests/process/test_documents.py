"""The pages of the project: links lead somewhere, the first page is short, and its commands do what they say when pasted."""

import json
import re
import subprocess

import pytest

from billfold import BINARIES, PATIENCE, ROOT

# As in a set of people: merchants wait for the administrator whom the page makes, and charge only whom they may.
ENVIRONMENT = {"BILLFOLD_MERCHANT_APPROVAL": "manual", "BILLFOLD_CHARGE_PRESENCE": "known"}

PAGES = [page for page in ROOT.rglob("*.md") if not {".build", ".git", ".venv", "new-service"} & set(page.parts)]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for match in LINK.finditer(CODE.sub("", page.read_text())):
        link = match[1] or match[2]
        if re.match(r"[a-z]+:|/", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


def test_the_first_page_is_short():
    assert len((ROOT / "README.md").read_bytes()) <= 6 * 1024


def test_the_top_level_has_few_things():
    listed = subprocess.run(["git", "ls-tree", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout")
    visible = {name for name in listed.stdout.split() if not name.startswith(".")}
    assert visible == {
        "LICENSE", "Package.swift", "README.md", "Services", "Sources", "Tests", "deploy", "docker-compose.yml", "docs"}


@pytest.fixture(scope="module")
def played(billset):
    """A set after the scenario, as `deploy/run` leaves it."""
    scenario = billset.command("demo")
    assert scenario.returncode == 0, scenario.stderr
    return billset


def pasted(set, page, sign):
    """What the one block of a page that has this sign prints in bash."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if sign in block]
    script = block.replace("127.0.0.1:8080", f"127.0.0.1:{set.port}").replace(".build/release", str(BINARIES))
    run = subprocess.run(
        ["bash", "-c", script], env=set.environment, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_six_lines_of_the_readme_pay(played):
    _, receipt, card = map(json.loads, pasted(played, "README.md", "Cookie").splitlines())
    assert receipt["amount"] == {"amount": 50, "currency": "USD"} and receipt["memo"] == "Cookie"
    assert card["balance"] == receipt["cardBalance"]


def test_the_session_of_the_page_about_http(played):
    for _ in range(2):  # it can be pasted again
        said = pasted(played, "docs/http.md", "A croissant")
        assert "urn:billfold:fault:" not in said, said
        for words in ("Idempotency-Replayed: true", '"state":"requested"', '"title":"Half price"', "event: notice"):
            assert words.lower() in said.lower(), (words, said)
