"""Charts over the rounds, and the map growing."""

from io import BytesIO
from itertools import pairwise

from PIL import Image

from render import render_timelapse
from render.choices import MAX_TIMELAPSE_FRAMES
from render.scene import Text
from render.sheets.chart_art import chart_scene
from tests.golden.positions import FOLDER, golden_at
from tests.render.courses import course
from tests.render.views import words_of

NAME = "18chesapeake-agreement-2p"
LOG = FOLDER / f"{NAME}.json"


def test_course_ends_with_the_scores() -> None:
    """Each line ends with its name and value."""
    game, (view, _) = golden_at(NAME, 10**6), course(LOG)
    last = view.rounds[-1]
    scores = {game.name(player): total for player, total in game.scores().items()}
    assert dict(zip(view.players, last.net_worths, strict=True)) == scores
    words = words_of(chart_scene(view, "ours"))
    prices = zip((badge.company for badge in view.companies), last.prices, strict=True)
    for name, dollars in (*scores.items(), *prices):
        assert not dollars or words[words.index(name) + 1] == f"${dollars}"


def test_names_of_lines_stand_apart() -> None:
    view, _ = course(LOG)
    named = {*view.players, *(badge.company for badge in view.companies)}
    for placed in chart_scene(view, "ours").sprites:
        heights = [i.y for i in placed.sprite.items if isinstance(i, Text) and i.text in named]
        assert all(below - above >= 29.9 for above, below in pairwise(heights))
        assert all(0 < y < placed.sprite.height for y in heights)


def test_timelapse_is_small() -> None:
    """Its last picture is shown longest."""
    _, maps = course(LOG)
    drawn = render_timelapse(maps)
    moving = Image.open(BytesIO(drawn))
    count = getattr(moving, "n_frames", 1)
    assert 1 < count <= min(len(maps), MAX_TIMELAPSE_FRAMES)
    assert moving.width <= 800
    assert len(drawn) < 8_000_000
    shown = []
    for frame in range(count):
        moving.seek(frame)
        shown.append(moving.info["duration"])
    assert len({*shown[:-1]}) == 1
    assert shown[-1] > 3 * shown[0]
