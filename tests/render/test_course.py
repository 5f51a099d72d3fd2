"""Charts over the rounds, and the map growing."""

from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from engine.record import load_game
from engine.tell.views import HistoryView, MapView
from render import render_timelapse
from render.choices import MOST_FRAMES
from render.scene import Scene, Text
from render.sheets.chart_art import chart_scene
from tests.render.courses import course

LOG = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"


@pytest.fixture(scope="module")
def played() -> tuple[HistoryView, tuple[MapView, ...]]:
    return course(LOG)


def texts(scene: Scene) -> list[Text]:
    return [item for p in scene.sprites for item in p.sprite.items if isinstance(item, Text)]


def test_course_ends_with_the_scores(played: tuple[HistoryView, tuple[MapView, ...]]) -> None:
    view, _ = played
    game = load_game(LOG.read_bytes())
    scores = {game.name(player): total for player, total in game.scores().items()}
    assert dict(zip(view.players, view.moments[-1].worth, strict=True)) == scores


def test_lines_end_with_name_and_value(
    played: tuple[HistoryView, tuple[MapView, ...]],
) -> None:
    view, _ = played
    words = [text.text for text in texts(chart_scene(view, "ours"))]
    last = view.moments[-1]
    for name, worth in zip(view.players, last.worth, strict=True):
        assert words[words.index(name) + 1] == f"${worth}"
    for badge, price in zip(view.companies, last.prices, strict=True):
        if price:
            assert words[words.index(badge.company) + 1] == f"${price}"


def test_names_of_lines_stand_apart(played: tuple[HistoryView, tuple[MapView, ...]]) -> None:
    view, _ = played
    named = {*view.players, *(badge.company for badge in view.companies)}
    for placed in chart_scene(view, "ours").sprites:
        heights = [i.y for i in placed.sprite.items if isinstance(i, Text) and i.text in named]
        assert all(below - above >= 29.9 for above, below in pairwise(heights))
        assert all(0 < y < placed.sprite.height for y in heights)


def test_timelapse_is_small(played: tuple[HistoryView, tuple[MapView, ...]]) -> None:
    _, maps = played
    drawn = render_timelapse(maps)
    moving = Image.open(BytesIO(drawn))
    assert 1 < getattr(moving, "n_frames", 1) <= min(len(maps), MOST_FRAMES)
    assert moving.width <= 800
    assert len(drawn) < 8_000_000


def test_timelapse_needs_a_map() -> None:
    with pytest.raises(ValueError, match="no map"):
        render_timelapse(())
