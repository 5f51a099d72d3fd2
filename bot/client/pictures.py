"""Pictures for the table: drawn in a worker thread, kept while they are the newest."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from copy import copy
from typing import Final, Self, TypeAlias

from bot.client.workbench import Line, Rank, Workbench
from bot.table.lays import Sketch, Spots
from engine.core.ids import Coord
from engine.tell.views import CompanyView, MapView, MarketView, PlayerView, ScoreView
from render import (
    render_company,
    render_lays,
    render_map,
    render_market,
    render_player,
    render_scores,
    render_spots,
)

KEPT: Final = 48
"""How many pictures are kept in memory, of about 100 KB each."""
NO_SERVER: Final = 0
"""Stands for the server where none was named."""
Chosen: TypeAlias = Callable[[int, int | None], Awaitable[str | None]]
"""The theme chosen in a server by a person (None: for everybody), if any was."""


class Pictures:
    """Draws views in the theme of whoever looks, for moves unless it is `asked`; the same view is drawn once."""

    def __init__(
        self, theme: str = "ours", bench: Workbench | None = None, chosen: Chosen | None = None
    ) -> None:
        self._theme = theme
        self._chosen = chosen
        self._person: int | None = None
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bench = Workbench() if bench is None else bench
        self._line = Line(Rank.MOVE, NO_SERVER)

    def __len__(self) -> int:
        return len(self._kept)

    def asked(self) -> Self:
        """The same pictures for somebody who asks: those that show moves go first."""
        return self._waiting_in(self._line._replace(rank=Rank.QUESTION))

    def in_server(self, server: int) -> Self:
        """The same pictures for this server, which takes turns with the others."""
        return self._waiting_in(self._line._replace(server=server))

    def seen_by(self, person: int) -> Self:
        """The same pictures for this person alone, in the colours chosen."""
        same = copy(self)
        same._person = person
        return same

    async def drawn(self, render: Callable[..., bytes], view: Hashable) -> bytes:
        """Any other view, by the function that renders it."""
        return await self._drawn((render, view), lambda theme: render(view, theme=theme))

    async def once(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture that nobody will ask for again: it is not kept."""
        theme = await self._colours()
        return await self._bench.do(self._line, lambda: render(view, theme=theme))

    async def map(self, view: MapView, around: tuple[Coord, ...] = ()) -> bytes:
        """The whole map, or the close-up around these hexes."""
        centre = around or None
        return await self._drawn((view, centre), lambda theme: render_map(view, theme=theme, centre=centre))

    async def sketch(self, sketch: Sketch) -> bytes:
        """What a lay is picked from: hexes on the map, or tiles in one of them."""
        return await self._drawn(sketch, lambda theme: _sketched(sketch, theme))

    async def market(self, view: MarketView) -> bytes:
        """The stock market."""
        return await self._drawn(view, lambda theme: render_market(view, theme=theme))

    async def company(self, view: CompanyView) -> bytes:
        """A company's charter."""
        return await self._drawn(view, lambda theme: render_company(view, theme=theme))

    async def player(self, view: PlayerView) -> bytes:
        """A player's sheet."""
        return await self._drawn(view, lambda theme: render_player(view, theme=theme))

    async def scores(self, view: ScoreView) -> bytes:
        """The score sheet."""
        return await self._drawn(view, lambda theme: render_scores(view, theme=theme))

    def _waiting_in(self, line: Line) -> Self:
        same = copy(self)
        same._line = line
        return same

    async def _colours(self) -> str:
        """What the person has chosen, or the server; else the theme of this bot."""
        found = None if self._chosen is None else await self._chosen(self._line.server, self._person)
        return found or self._theme

    async def _drawn(self, view: Hashable, draw: Callable[[str], bytes]) -> bytes:
        theme = await self._colours()
        key = (theme, view)
        if key not in self._kept:
            async with self._bench.turn(self._line):
                if key not in self._kept:  # somebody else may have asked for the same meanwhile
                    self._keep(key, await asyncio.to_thread(draw, theme))
                return self._kept[key]
        self._kept.move_to_end(key)
        return self._kept[key]

    def _keep(self, key: Hashable, picture: bytes) -> None:
        self._kept[key] = picture
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _sketched(sketch: Sketch, theme: str) -> bytes:
    if isinstance(sketch, Spots):
        return render_spots(sketch.view, [spot.coord for spot in sketch.spots], theme=theme)
    return render_lays(sketch.view, sketch.lays, theme=theme)
