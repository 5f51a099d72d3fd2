"""Pictures are kept as far as there is room: what a move has not changed is not drawn again."""

from dataclasses import replace
from typing import Any

import pytest

from bot.client.pictures import Pictures, RecentPictures
from engine.game import Game
from engine.tell.view_builders import map_view, market_view


def test_whoever_was_asked_for_longest_ago_makes_room() -> None:
    kept = RecentPictures(most=10)
    kept.add(("ours", b"map"), b"1234")
    kept.add(("ours", b"market"), b"1234")
    assert kept.take(("ours", b"map")) == b"1234"
    kept.add(("ours", b"card"), b"1234")
    assert len(kept) == 2
    assert kept.take(("ours", b"market")) is None
    assert kept.take(("ours", b"map")) == kept.take(("ours", b"card")) == b"1234"
    kept.add(("ours", b"sheet"), b"12")
    assert len(kept) == 3
    kept.add(("ours", b"tiles"), b"1")
    assert (len(kept), kept.take(("ours", b"map"))) == (3, None)


def test_a_picture_that_is_too_large_is_cached_alone() -> None:
    kept = RecentPictures(most=2)
    kept.add(("ours", b"map"), b"12")
    kept.add(("ours", b"market"), b"1234")
    assert (len(kept), kept.take(("ours", b"market"))) == (1, b"1234")


async def test_a_market_that_has_not_changed_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, drawn = Pictures(), list[int]()
    run = pictures._workers.run

    async def counted(queue: Any, function: Any, theme: str, pieces: list[bytes]) -> Any:
        made = await run(queue, function, theme, pieces)
        if made is not None:  # a large map is drawn in parts
            drawn.append(len(pieces))
        return made

    monkeypatch.setattr(pictures._workers, "run", counted)
    game = Game("18tn", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1)
    on_map, on_market = map_view(game), market_view(game)
    first = await pictures.board(on_map, on_market)
    again = await pictures.board(on_map, on_market)
    changed = await pictures.board(replace(on_map, caption="another round"), on_market)
    assert drawn == [2, 1]
    assert first == again
    assert (changed[0] != first[0], changed[1]) == (True, first[1])
