"""Each target's dependencies are the modules that its files import: none is missing, and none is too many."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Modules that come with the system or with Swift.
SYSTEM = {"Dispatch", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc", "Swift", "Synchronization", "Testing"}
# Modules that come with a product of another name.
OF_PRODUCT = {
    "CoreMetrics": "Metrics", "HTTPTypes": "Hummingbird", "HummingbirdCore": "Hummingbird",
    "NIOHTTPTypesHTTP1": "Hummingbird",
}
IMPORT = re.compile(
    r"^(?:@\w+(?:\(\w+\))? )*(?:(?:private|fileprivate|internal|package|public) )?"
    r"import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.M)


def package():
    environment = {key: value for key, value in os.environ.items() if key != "BILLFOLD_TESTS"}
    text = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    ).stdout
    return json.loads(text)


def folder(target):
    usual = f"Tests/{target['name']}" if target["type"] == "test" else f"Sources/{target['name']}"
    return ROOT / target.get("path", usual)


def imports(target):
    root = folder(target)
    excluded = [root / path for path in target["exclude"]]
    found = set()
    for file in root.rglob("*.swift"):
        if not any(file.is_relative_to(path) for path in excluded):
            found |= set(IMPORT.findall(file.read_text()))
    return {OF_PRODUCT.get(name, name) for name in found} - SYSTEM


def declared(target):
    return {next(iter(dependency.values()))[0] for dependency in target["dependencies"]}


def test_dependencies_are_what_is_imported():
    wrong = []
    for target in package()["targets"]:
        if target["type"] == "system":
            continue
        imported, named = imports(target), declared(target)
        wrong += [f"{target['name']} imports {name} and does not declare it" for name in sorted(imported - named)]
        wrong += [f"{target['name']} declares {name} and does not import it" for name in sorted(named - imported)]
    assert not wrong, "\n".join(wrong)
