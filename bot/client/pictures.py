"""Pictures for Discord, drawn by workers and cached."""

import pickle
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from copy import copy
from hashlib import blake2b
from typing import Any, Final, Self, TypeAlias

import discord

from bot.table.drawing import PictureCall, draw, draw_map, draw_packed, draw_sketch
from bot.table.game_cache import GameLocks
from bot.table.moves.lays import ChoicePicture
from bot.workers.workers import NOBODY, Priority, Queue, Workers
from engine import Coord
from engine.views import CompanyView, MapView, MarketView, PlayerView, ScoreView, TableView
from render import render_company, render_market, render_player, render_scores, table_pictures

MAX_CACHED_BYTES: Final = 36_000_000
"""The most bytes of pictures in memory: enough for 200 games with a map (130 KB) and a market (45 KB) each, twice.

Every other move leaves one of the two unchanged.
"""
PictureKey: TypeAlias = tuple[str, bytes]
"""The key of a cached picture: its theme, and a digest of what it draws."""
ChosenTheme: TypeAlias = Callable[[int, int | None], Awaitable[str | None]]
"""A function that returns the theme chosen on a server by a user (None: for all members); None if not chosen."""


class RecentPictures:
    """A cache of recently used pictures, limited by their total size."""

    def __init__(self, maximum: int = MAX_CACHED_BYTES) -> None:
        self._max_size = maximum
        self._bytes = 0
        self._pictures: OrderedDict[PictureKey, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, key: PictureKey, picture: bytes) -> None:
        """Add a picture; those unused for longest are dropped."""
        self._pictures[key] = picture
        self._bytes += len(picture)
        while self._bytes > self._max_size and len(self._pictures) > 1:
            _, dropped = self._pictures.popitem(last=False)
            self._bytes -= len(dropped)

    def find(self, key: PictureKey) -> bytes | None:
        """A cached picture, which counts as used now; None if it is not cached."""
        if key in self._pictures:
            self._pictures.move_to_end(key)
        return self._pictures.get(key)


class Pictures:
    """Draws and caches views in a theme; by default in the queue for moves."""

    def __init__(
        self, theme: str = "ours", workers: Workers | None = None, chosen: ChosenTheme | None = None
    ) -> None:
        self.theme = theme
        """The theme of the bot, for users and servers that have chosen none."""
        self._chosen = chosen
        self._person: int | None = None
        self._recent = RecentPictures()
        self._locks = GameLocks()
        self._workers = Workers() if workers is None else workers
        self._queue = Queue(Priority.MOVE)

    def __len__(self) -> int:
        return len(self._recent)

    def for_questions(self) -> Self:
        """The same pictures, drawn in the queue for questions, which yields to moves."""
        return self._in_queue(self._queue._replace(priority=Priority.QUESTION))

    def for_server(self, server_id: int) -> Self:
        """The same pictures, in the theme and queue of this server."""
        return self._in_queue(self._queue._replace(guild=server_id))

    def for_user(self, person: int) -> Self:
        """The same pictures, in the theme of this user."""
        for_same_views = self._in_queue(self._queue._replace(person=person))
        for_same_views._person = person
        return for_same_views

    async def draw_view(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture of a view by its render function."""
        return await self._draw(draw, render, view)

    async def draw_uncached(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture that is not cached, because it is needed only once."""
        return await self._workers.run(self._queue, draw, await self._current_theme(), render, view)

    async def map(self, view: MapView, around: tuple[Coord, ...] = ()) -> bytes:
        """The whole map, or the part around these hexes."""
        return await self._draw(draw_map, view, around)

    async def board(self, map_view: MapView, market_view: MarketView) -> tuple[bytes, bytes]:
        """The whole map and the stock market."""
        map_and_market = await self._draw_all(
            (draw_map, (map_view, ())), (draw, (render_market, market_view))
        )
        return map_and_market[0], map_and_market[1]

    async def sketch(self, sketch: ChoicePicture) -> bytes:
        """The picture for picking a lay: hexes on the map, or tiles in a hex."""
        return await self._draw(draw_sketch, sketch)

    async def market(self, view: MarketView) -> bytes:
        """The stock market."""
        return await self.draw_view(render_market, view)

    async def company(self, view: CompanyView) -> bytes:
        """A company's charter."""
        return await self.draw_view(render_company, view)

    async def player(self, view: PlayerView) -> bytes:
        """A player's sheet."""
        return await self.draw_view(render_player, view)

    async def whole_table(self, view: TableView) -> list[bytes]:
        """The whole table, in one picture or two."""
        theme = await self._current_theme()
        return await self._draw_all(*((draw, (render, view)) for render in table_pictures(view, theme)))

    async def scores(self, view: ScoreView) -> bytes:
        """The score sheet."""
        return await self.draw_view(render_scores, view)

    def _in_queue(self, queue: Queue) -> Self:
        pictures = copy(self)
        pictures._queue = queue
        return pictures

    async def _current_theme(self) -> str:
        """The theme of the user or server, or else of the bot."""
        chosen_theme = None if self._chosen is None else await self._chosen(self._queue.guild, self._person)
        return chosen_theme or self.theme

    async def _draw(self, render: Callable[..., bytes], *arguments: object) -> bytes:
        (picture,) = await self._draw_all((render, arguments))
        return picture

    async def _draw_all(self, *pieces: PictureCall) -> list[bytes]:
        """These pictures; those not cached are drawn in one job."""
        theme = await self._current_theme()
        # Views are nested deeply; as pickles they are compared fast, and the worker needs pickles anyway.
        packed_pieces = [pickle.dumps(piece) for piece in pieces]
        keys = [(theme, blake2b(piece).digest()) for piece in packed_pieces]
        # If the same picture is being drawn, its result is awaited; but moves never wait for questions.
        async with self._locks.lock_of(hash((*keys, self._queue.priority))):
            pictures = {key: self._recent.find(key) for key in keys}
            missing = {
                key: piece for key, piece in zip(keys, packed_pieces, strict=True) if pictures[key] is None
            }
            if missing:
                drawn_pictures = None
                while (
                    drawn_pictures is None
                ):  # a large map, new to the worker, is drawn in several jobs, so that others have their turn
                    drawn_pictures = await self._workers.run(
                        self._queue, draw_packed, theme, list(missing.values())
                    )
                for key, picture in zip(missing, drawn_pictures, strict=True):
                    self._recent.add(key, picture)
                    pictures[key] = picture
            return [drawn for key in keys if (drawn := pictures[key]) is not None]


def question_queue(interaction: discord.Interaction, game_id: int | None = None) -> Queue:
    """The queue for a question in this interaction; `game_id` is given if it is about the game's present position."""
    return Queue(Priority.QUESTION, interaction.guild_id or NOBODY, interaction.user.id, game_id)


def pictures_for_answer(interaction: discord.Interaction[Any]) -> Pictures:
    """Pictures for a reply, in the queue for questions and the user's theme."""
    queue = question_queue(interaction)
    pictures: Pictures = interaction.client.pictures
    return pictures.for_questions().for_server(queue.guild).for_user(queue.person)
