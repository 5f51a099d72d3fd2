"""`stationmaster render`: pictures of a recorded position without any bot."""

from pathlib import Path

import pytest

from bot.tools.cli import main

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
PNG = b"\x89PNG"


def test_a_position_in_play_gives_map_and_market(tmp_path: Path) -> None:
    """No score sheet before the end."""
    assert main(["render", str(GOLDEN), "--at", "60", "--out", str(tmp_path / "new")]) == 0
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert set(pictures) == {"map.png", "market.png"}
    assert all(picture.startswith(PNG) for picture in pictures.values())


def test_the_end_gives_the_score_sheet_too(tmp_path: Path) -> None:
    """Without --at the last position is drawn."""
    assert main(["render", str(GOLDEN), "--out", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"map.png", "market.png", "scores.png"}


@pytest.mark.parametrize("at", ["9999", "-1"])
def test_a_position_the_log_does_not_have_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at: str
) -> None:
    """One sentence, exit code 1, nothing written."""
    assert main(["render", str(GOLDEN), "--at", at, "--out", str(tmp_path / "none")]) == 1
    assert "action" in capsys.readouterr().err.lower()
    assert not (tmp_path / "none").exists()
