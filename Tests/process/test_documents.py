"""The pages of the project: their links lead somewhere, and the page that comes first is short."""

import re
import subprocess

import pytest

from billfold import ROOT

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
