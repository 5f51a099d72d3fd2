"""Pictures are kept as far as there is room: what a move has not changed is not drawn again."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bot.client.pictures import Pictures
from bot.workers.workers import Queue, Workers
from engine.game import Game
from engine.tell.view_builders import map_view, market_view

T = TypeVar("T")


class Counted(Workers):
    """Workers that count the pictures they draw."""

    drawn = 0

    async def run(self, queue: Queue, function: Callable[..., T], *args: object) -> T:
        made = await super().run(queue, function, *args)
        self.drawn += len(made) if isinstance(made, list) else 0
        return made


async def test_unchanged_market_is_drawn_once() -> None:
    workers = Counted()
    pictures = Pictures(workers=workers)
    game = Game("18tn", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1)
    on_map, on_market = map_view(game), market_view(game)
    first = await pictures.board(on_map, on_market)
    assert await pictures.board(on_map, on_market) == first
    changed = await pictures.board(replace(on_map, caption="another round"), on_market)
    assert workers.drawn == 3
    assert (changed[0] != first[0], changed[1]) == (True, first[1])
