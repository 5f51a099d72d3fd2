"""Pictures for Discord: drawn by workers and cached, with the queues in which they wait."""

import pickle
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from copy import copy
from hashlib import blake2b
from typing import Any, Final, Self, TypeAlias

import discord

from bot.table.drawing import Piece, draw, draw_map, draw_packed, draw_sketch
from bot.table.game_cache import Locks
from bot.table.moves.lays import Sketch
from bot.workers.workers import NOBODY, Priority, Queue, Workers
from engine import Coord
from engine.views import CompanyView, MapView, MarketView, PlayerView, ScoreView, TableView
from render import render_company, render_market, render_player, render_scores, table_pictures

KEPT: Final = 36_000_000
"""Bytes of pictures that are kept in memory: boards of 200 tables, a map of 130 KB and a market of 45 KB each.

Every other move changes nothing on one of the two.
"""
Key: TypeAlias = tuple[str, bytes]
"""Key of a picture: the theme, and the digest of the drawing's input, packed."""
Chosen: TypeAlias = Callable[[int, int | None], Awaitable[str | None]]
"""The theme chosen in a server by a person (None: for everybody), if any was."""


class RecentPictures:
    """A cache of recent pictures, bounded by size."""

    def __init__(self, maximum: int = KEPT) -> None:
        self._most = maximum
        self._bytes = 0
        self._pictures: OrderedDict[Key, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, key: Key, picture: bytes) -> None:
        """Add a picture; the least recently used ones are dropped."""
        self._pictures[key] = picture
        self._bytes += len(picture)
        while self._bytes > self._most and len(self._pictures) > 1:
            _, old = self._pictures.popitem(last=False)
            self._bytes -= len(old)

    def find(self, key: Key) -> bytes | None:
        """A cached picture, marked as used; None if missing."""
        if key in self._pictures:
            self._pictures.move_to_end(key)
        return self._pictures.get(key)


class Pictures:
    """Draws views in a theme, cached, in the queue of moves by default."""

    def __init__(
        self, theme: str = "ours", workers: Workers | None = None, chosen: Chosen | None = None
    ) -> None:
        self.theme = theme
        """The chosen theme, else that of this bot."""
        self._chosen = chosen
        self._person: int | None = None
        self._recent = RecentPictures()
        self._locks = Locks()
        self._workers = Workers() if workers is None else workers
        self._queue = Queue(Priority.MOVE)

    def __len__(self) -> int:
        return len(self._recent)

    def for_questions(self) -> Self:
        """The same pictures in the queue of questions, which moves overtake."""
        return self._waiting_in(self._queue._replace(priority=Priority.QUESTION))

    def in_server(self, server: int) -> Self:
        """The same pictures in this server's theme and queue."""
        return self._waiting_in(self._queue._replace(guild=server))

    def seen_by(self, person: int) -> Self:
        """The same pictures in this user's theme."""
        same = self._waiting_in(self._queue._replace(person=person))
        same._person = person
        return same

    async def drawn(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture of a view, by its render function."""
        return await self._draw(draw, render, view)

    async def drawn_once(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture that is not cached."""
        return await self._workers.run(self._queue, draw, await self._colours(), render, view)

    async def map(self, view: MapView, around: tuple[Coord, ...] = ()) -> bytes:
        """The whole map, or the close-up around these hexes."""
        return await self._draw(draw_map, view, around)

    async def board(self, on_map: MapView, on_market: MarketView) -> tuple[bytes, bytes]:
        """The whole map and the stock market."""
        on_both = await self._all_drawn((draw_map, (on_map, ())), (draw, (render_market, on_market)))
        return on_both[0], on_both[1]

    async def sketch(self, sketch: Sketch) -> bytes:
        """The picture for picking a lay: hexes on the map, or tiles in one of them."""
        return await self._draw(draw_sketch, sketch)

    async def market(self, view: MarketView) -> bytes:
        """Show the stock market."""
        return await self.drawn(render_market, view)

    async def company(self, view: CompanyView) -> bytes:
        """A company's charter."""
        return await self.drawn(render_company, view)

    async def player(self, view: PlayerView) -> bytes:
        """A player's sheet."""
        return await self.drawn(render_player, view)

    async def whole_table(self, view: TableView) -> list[bytes]:
        """The whole table, in one picture or two."""
        theme = await self._colours()
        return await self._all_drawn(*((draw, (render, view)) for render in table_pictures(view, theme)))

    async def scores(self, view: ScoreView) -> bytes:
        """The score sheet."""
        return await self.drawn(render_scores, view)

    def _waiting_in(self, queue: Queue) -> Self:
        same = copy(self)
        same._queue = queue
        return same

    async def _colours(self) -> str:
        """The theme of the user or server; else the bot's default."""
        colours = None if self._chosen is None else await self._chosen(self._queue.guild, self._person)
        return colours or self.theme

    async def _draw(self, how: Callable[..., bytes], *what: object) -> bytes:
        (picture,) = await self._all_drawn((how, what))
        return picture

    async def _all_drawn(self, *pieces: Piece) -> list[bytes]:
        """These pictures; the missing ones are drawn in one job."""
        theme = await self._colours()
        # Views are deep: packed they are compared at once, and all of them cross to a process in any case.
        packed = [pickle.dumps(piece) for piece in pieces]
        keys = [(theme, blake2b(piece).digest()) for piece in packed]
        # Somebody else may be asking for the same; but what shows a move does not wait for a question.
        async with self._locks.of(hash((*keys, self._queue.priority))):
            pictures = {key: self._recent.find(key) for key in keys}
            new = {key: piece for key, piece in zip(keys, packed, strict=True) if pictures[key] is None}
            if new:
                made = None
                while (
                    made is None
                ):  # a large map that is new to the worker: others have their turn in between
                    made = await self._workers.run(self._queue, draw_packed, theme, list(new.values()))
                for key, picture in zip(new, made, strict=True):
                    self._recent.add(key, picture)
                    pictures[key] = picture
            return [each for key in keys if (each := pictures[key]) is not None]


def question_of(interaction: discord.Interaction, about: int | None = None) -> Queue:
    """The queue of a question; `about` is the game whose current position it shows, if any."""
    return Queue(Priority.QUESTION, interaction.guild_id or NOBODY, interaction.user.id, about)


def answering(interaction: discord.Interaction[Any]) -> Pictures:
    """Pictures for a question, in its queue and the user's theme."""
    waiting = question_of(interaction)
    pictures: Pictures = interaction.client.pictures
    return pictures.for_questions().in_server(waiting.guild).seen_by(waiting.person)
