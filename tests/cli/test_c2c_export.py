"""18xx.games does not offer 18C2C, so no log of it is written in that site's form."""

from pathlib import Path

import pytest

from bot.tools.cli import main


def test_title_that_18xx_games_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = Path(__file__).parents[1] / "golden/18c2c-bank-3p.json"
    assert main(["export", str(golden), str(tmp_path / "log.json"), "--form", "18xx.games"]) == 1
    assert "18xx.games does not offer 18C2C" in capsys.readouterr().err
