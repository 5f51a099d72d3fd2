"""What drawing the printed maps takes is kept in a file, and what the file says is drawn as it always is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.table import drawing
from bot.table.drawing import draw_map, keep_printed_maps, recall_printed_maps
from bot.table.warming import printed
from engine.titles import TITLES
from render import raster
from render.draw_cache import TooMuch, at_most
from render.hexes import label_plan
from render.maps import map_art, panel_places

SMALL = "18tn"
CACHED = (label_plan._plan, raster._stamp, map_art.hex_sprite, panel_places.empty_place)


@pytest.fixture(autouse=True, scope="module")
def _one_title() -> Iterator[None]:
    """One title is enough, if nothing of it was drawn before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "TITLES", {SMALL: TITLES[SMALL]})
        yield
    _forget()


def _forget() -> None:
    for one in CACHED:
        one.cache_clear()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the file has in it."""
    place = tmp_path_factory.mktemp("kept") / "maps.bin"
    _forget()
    keep_printed_maps("ours", place)
    return place.read_bytes()


@pytest.fixture
def file(tmp_path: Path, kept: bytes) -> Path:
    """The file, kept by a process that is gone."""
    place = tmp_path / "maps.bin"
    place.write_bytes(kept)
    _forget()
    return place


def _drawn(theme: str = "ours") -> bytes:
    return draw_map(theme, printed(SMALL), ())


def test_with_the_stored_maps_nothing_is_drawn_for_the_first_time_and_the_picture_is_the_same(
    file: Path,
) -> None:
    as_always = _drawn()
    _forget()
    with at_most(0):
        recall_printed_maps(file)
        assert _drawn() == as_always


def test_what_is_drawn_otherwise_is_not_recalled(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_how", lambda theme: b"another release."[: drawing._DIGEST])
    with at_most(0):
        recall_printed_maps(file)
        with pytest.raises(TooMuch):
            _drawn()


@pytest.mark.parametrize("damage", [b"", b"short", None], ids=["empty", "cut off", "torn"])
def test_a_damaged_file_is_written_again(file: Path, damage: bytes | None) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] if damage is None else damage)
    with at_most(0):
        recall_printed_maps(file)
    keep_printed_maps("ours", file)
    _forget()
    with at_most(0):
        recall_printed_maps(file)
        _drawn()


def test_a_file_that_holds_is_left_alone(file: Path) -> None:
    written = file.stat().st_mtime_ns
    with at_most(0):
        keep_printed_maps("ours", file)
    assert file.stat().st_mtime_ns == written


def test_another_theme_takes_the_place_of_the_one_before(file: Path) -> None:
    keep_printed_maps("dark", file)
    _forget()
    with at_most(0):
        recall_printed_maps(file)
        _drawn("dark")
        with pytest.raises(TooMuch):
            _drawn("ours")


def test_no_half_written_file_is_left_in_its_folder(file: Path) -> None:
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_without_a_file_nothing_is_drawn(tmp_path: Path) -> None:
    with at_most(0):
        recall_printed_maps(tmp_path / "none.bin")
