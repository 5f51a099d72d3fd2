"""Results of drawing the printed maps are kept in a file, and drawn from it as always."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.table import drawing
from bot.table.drawing import draw_map, load_printed_maps, store_printed_maps
from bot.table.warming import printed_map
from engine.titles import TITLES
from render import raster
from render.draw_cache import DrawingLimitReached, limit_new_drawings
from render.hexes import label_plan
from render.maps import map_art, panel_places

SMALL = "18tn"


def _forget() -> None:
    """Nothing was drawn in this process: only its caches know."""
    for one in (
        label_plan._plan_labels,
        raster._sprite_pixels,
        map_art.hex_sprite,
        panel_places.free_position,
    ):
        one.cache_clear()


@pytest.fixture(autouse=True, scope="module")
def _one_title() -> Iterator[None]:
    """All of them take long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "TITLES", {SMALL: TITLES[SMALL]})
        yield
    _forget()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("kept") / "maps.bin"
    _forget()
    store_printed_maps("ours", place)
    return place.read_bytes()


@pytest.fixture
def file(tmp_path: Path, kept: bytes) -> Path:
    """The file, kept by a process that is gone."""
    place = tmp_path / "maps.bin"
    place.write_bytes(kept)
    _forget()
    return place


def drawn(theme: str = "ours") -> bytes:
    return draw_map(theme, printed_map(SMALL), ())


def recalled(file: Path) -> None:
    _forget()
    with limit_new_drawings(0):
        load_printed_maps(file)


def test_stored_map_is_the_same_picture(file: Path) -> None:
    """Nothing of it is drawn for the first time."""
    as_always = drawn()
    recalled(file)
    with limit_new_drawings(0):
        assert drawn() == as_always


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut off": lambda whole: whole[:5],
    "torn": lambda whole: whole[:-1],
    "of another release": lambda whole: bytes([whole[0] ^ 1]) + whole[1:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_file_is_written_again(file: Path, damage: Callable[[bytes], bytes]) -> None:
    file.write_bytes(damage(file.read_bytes()))
    recalled(file)
    with limit_new_drawings(0), pytest.raises(DrawingLimitReached):
        drawn()
    store_printed_maps("ours", file)
    recalled(file)
    with limit_new_drawings(0):
        drawn()


def test_without_a_file_nothing_is_drawn(tmp_path: Path) -> None:
    recalled(tmp_path / "none.bin")
