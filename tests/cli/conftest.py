from pathlib import Path

import pytest

from bot.tools.environment import Environment


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of its own, without settings of the user who runs the tests."""
    for field in Environment.model_fields.values():
        monkeypatch.delenv(str(field.validation_alias), raising=False)  # they are the program's to read
    monkeypatch.chdir(tmp_path)
