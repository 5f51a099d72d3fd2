"""Pictures for the table: drawn in a worker thread, kept while they are the newest."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from engine.core.ids import Coord
from engine.tell.views import CompanyView, MapView, MarketView, PlayerView, ScoreView
from render import render_company, render_map, render_market, render_player, render_scores

KEPT: Final = 48
"""How many pictures are kept in memory, of about 100 KB each."""


class Pictures:
    """Draws views as PNG in one theme; the same view is drawn once."""

    def __init__(self, theme: str = "ours") -> None:
        self._theme = theme
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        # Drawing holds the interpreter most of the time: a second picture at once only slows the first.
        self._turn = asyncio.Semaphore(1)

    async def map(self, view: MapView, around: tuple[Coord, ...] = ()) -> bytes:
        """The whole map, or the close-up around these hexes."""
        centre = around or None
        return await self._drawn((view, centre), lambda: render_map(view, theme=self._theme, centre=centre))

    async def market(self, view: MarketView) -> bytes:
        """The stock market."""
        return await self._drawn(view, lambda: render_market(view, theme=self._theme))

    async def company(self, view: CompanyView) -> bytes:
        """A company's charter."""
        return await self._drawn(view, lambda: render_company(view, theme=self._theme))

    async def player(self, view: PlayerView) -> bytes:
        """A player's sheet."""
        return await self._drawn(view, lambda: render_player(view, theme=self._theme))

    async def scores(self, view: ScoreView) -> bytes:
        """The score sheet."""
        return await self._drawn(view, lambda: render_scores(view, theme=self._theme))

    async def _drawn(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        async with self._turn:
            if key not in self._kept:
                self._kept[key] = await asyncio.to_thread(draw)
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
