"""deploy/systemd: what systemd says of the units, and how much of a system they leave a process."""

import re
import shutil
import subprocess

import pytest

from billfold import NAMES, ROOT

UNITS = ROOT / "deploy" / "systemd"
# The highest exposure that a unit may have, by systemd's count, of 10. Those two have a network.
EXPOSURE_MAX = {"notifications": 1.4, "gateway": 1.4}


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    """A root with the units and (empty) executables where deploy/systemd/README.md puts them."""
    root = tmp_path_factory.mktemp("system")
    units = root / "etc/systemd/system"
    shutil.copytree(UNITS, units, ignore=shutil.ignore_patterns("README.md", "*.sysusers", "*.tmpfiles"))
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    folder = root / "opt/billfold"
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / f"billfold-{name}").touch(0o755)
    return root


def analyze(root, *arguments):
    done = subprocess.run(["systemd-analyze", *arguments, f"--root={root}"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done


def verify(root):
    """What systemd complains of; it warns where it ignores a line, and ends with 0 all the same."""
    return analyze(root, "verify", "billfold.target", *(f"billfold-{name}.service" for name in NAMES)).stderr


def test_systemd_reads_every_line(system):
    assert verify(system) == ""
    unit = system / "etc/systemd/system/billfold-wallet.service"
    text = unit.read_text()
    unit.write_text(text.replace("MemoryMax", "MemoryMaximum"))
    assert "MemoryMaximum" in verify(system)
    unit.write_text(text)


def test_the_target_wants_every_process():
    wanted = re.findall(r"billfold-(\w+)\.service", (UNITS / "billfold.target").read_text())
    assert sorted(wanted) == sorted(NAMES)
    assert sorted(re.findall(r"^u billfold-(\w+) ", (UNITS / "billfold.sysusers").read_text(), re.M)) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_process_is_given_little_of_the_system(system, name):
    said = analyze(system, "security", "--offline=yes", "--no-pager", f"billfold-{name}.service").stdout
    exposure = float(re.search(r"exposure level for billfold-\w+\.service: ([0-9.]+)", said).group(1))
    assert exposure <= EXPOSURE_MAX.get(name, 0.6), said
