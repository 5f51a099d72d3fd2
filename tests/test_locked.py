"""The lock: whatever the project needs at run time stands there in a version that it takes, with hashes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_PINS = re.findall(
    r"^(\S+)==(\S+)(?: ; [^\n]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    (ROOT / "requirements.lock").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(
    "needed", [*_PROJECT["dependencies"], *_PROJECT["optional-dependencies"]["postgres"]]
)
def test_requirement_is_locked(needed: str) -> None:
    wanted = Requirement(needed)
    [version] = [version for name, version, _ in _PINS if name == canonicalize_name(wanted.name)]
    assert wanted.specifier.contains(version)


def test_lock_has_pins_with_hashes() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    named = [line for line in lines if line[:1] not in ("#", " ")]
    assert len(named) == len(_PINS) > len(_PROJECT["dependencies"])
