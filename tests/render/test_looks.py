"""Every picture looks as it is stored; and the same view gives the same picture."""

import json

import pytest

from tests.render.looks import KEPT, looks

LOOKS = looks()
STORED = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize("name", LOOKS)
def test_picture_looks_as_stored(name: str) -> None:
    """After a change on purpose: `python -m tests.render.looks`."""
    assert LOOKS[name]() == STORED[name]
