"""Pictures for Discord messages, drawn by worker processes and cached."""

import pickle
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from copy import copy
from hashlib import blake2b
from typing import Any, Final, Self, TypeAlias

import discord

from bot.table.drawing import PictureCall, draw, draw_choice_picture, draw_map, draw_pickled_calls
from bot.table.game_cache import GameLocks
from bot.table.moves.lays import ChoicePicture
from bot.workers.workers import NO_ID, Priority, QueuePlace, Workers
from engine import Coord
from engine.views import CompanyView, MapView, MarketView, PlayerView, ScoreView, TableView
from render import render_company, render_market, render_player, render_scores, table_pictures

MAX_CACHED_BYTES: Final = 36_000_000
"""Size limit of the picture cache in bytes: two maps (130 KB) and two markets (45 KB) for each of 200 games."""
PictureKey: TypeAlias = tuple[str, bytes]
"""Key of a cached picture: theme, and digest of the drawn data."""
FindChosenTheme: TypeAlias = Callable[[int, int | None], Awaitable[str | None]]
"""A function that returns the chosen theme for a server id and a user id (None: the server's theme).

It returns None if no theme was chosen.
"""


class RecentPictures:
    """A cache of recently used pictures, limited by their total size."""

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._cached_bytes = 0
        self._pictures: OrderedDict[PictureKey, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, key: PictureKey, picture: bytes) -> None:
        """Add a picture to the cache. If the cache is too large, the least recently used pictures are dropped."""
        self._pictures[key] = picture
        self._cached_bytes += len(picture)
        while self._cached_bytes > self._max_bytes and len(self._pictures) > 1:
            _, dropped_picture = self._pictures.popitem(last=False)
            self._cached_bytes -= len(dropped_picture)

    def find(self, key: PictureKey) -> bytes | None:
        """A cached picture, which now counts as just used; None if it is not cached."""
        if key in self._pictures:
            self._pictures.move_to_end(key)
        return self._pictures.get(key)


class Pictures:
    """Draws and caches pictures in a theme. Drawing has the priority of moves, unless `for_questions` was used."""

    def __init__(
        self,
        theme: str = "ours",
        workers: Workers | None = None,
        find_chosen_theme: FindChosenTheme | None = None,
    ) -> None:
        self.theme = theme
        """The bot's default theme, for users and servers that have chosen none."""
        self._find_chosen_theme = find_chosen_theme
        self._user_id: int | None = None
        self._recent_pictures = RecentPictures()
        self._locks = GameLocks()
        self._workers = Workers() if workers is None else workers
        self._queue = QueuePlace(Priority.MOVE)

    def __len__(self) -> int:
        return len(self._recent_pictures)

    def for_questions(self) -> Self:
        """A copy that shares this cache but draws with the lower priority of users' questions."""
        return self._in_queue(self._queue._replace(priority=Priority.QUESTION))

    def for_server(self, server_id: int) -> Self:
        """A copy that shares this cache but uses a server's theme, and queues its jobs for that server."""
        return self._in_queue(self._queue._replace(guild_id=server_id))

    def for_user(self, user_id: int) -> Self:
        """A copy that shares this cache but uses a user's theme."""
        pictures = self._in_queue(self._queue._replace(user_id=user_id))
        pictures._user_id = user_id
        return pictures

    async def draw_view(self, render: Callable[..., bytes], view: object) -> bytes:
        """A PNG of a view (data for a picture), drawn by the function `render`."""
        return await self._draw(draw, render, view)

    async def draw_uncached(self, render: Callable[..., bytes], view: object) -> bytes:
        """A picture drawn by the function `render`. It is needed only once and so is not cached."""
        return await self._workers.run(self._queue, draw, await self._current_theme(), render, view)

    async def map(self, view: MapView, focus_hexes: tuple[Coord, ...] = ()) -> bytes:
        """A picture of the whole map, or of the part around some hexes."""
        return await self._draw(draw_map, view, focus_hexes)

    async def board(self, map_view: MapView, market_view: MarketView) -> tuple[bytes, bytes]:
        """Pictures of the whole map and of the stock market, drawn together."""
        map_and_market = await self._draw_all(
            (draw_map, (map_view, ())), (draw, (render_market, market_view))
        )
        return map_and_market[0], map_and_market[1]

    async def choice_picture(self, choice_picture: ChoicePicture) -> bytes:
        """A picture with numbered choices for a move, such as hexes on the map or tiles in a hex."""
        return await self._draw(draw_choice_picture, choice_picture)

    async def market(self, view: MarketView) -> bytes:
        """A picture of the stock market."""
        return await self.draw_view(render_market, view)

    async def company(self, view: CompanyView) -> bytes:
        """A picture of a company's charter."""
        return await self.draw_view(render_company, view)

    async def player(self, view: PlayerView) -> bytes:
        """A picture of a player's cash, shares and privates."""
        return await self.draw_view(render_player, view)

    async def whole_table(self, view: TableView) -> list[bytes]:
        """One or two pictures of all players and companies."""
        theme = await self._current_theme()
        return await self._draw_all(*((draw, (render, view)) for render in table_pictures(view, theme)))

    async def scores(self, view: ScoreView) -> bytes:
        """A picture of the score sheet."""
        return await self.draw_view(render_scores, view)

    def _in_queue(self, queue: QueuePlace) -> Self:
        pictures = copy(self)
        pictures._queue = queue
        return pictures

    async def _current_theme(self) -> str:
        """The theme for these pictures: the user's or, if none was chosen, the server's or else the bot's."""
        chosen_theme = (
            None
            if self._find_chosen_theme is None
            else await self._find_chosen_theme(self._queue.guild_id, self._user_id)
        )
        return chosen_theme or self.theme

    async def _draw(self, render: Callable[..., bytes], *arguments: object) -> bytes:
        (picture,) = await self._draw_all((render, arguments))
        return picture

    async def _draw_all(self, *picture_calls: PictureCall) -> list[bytes]:
        theme = await self._current_theme()
        # Views are nested deeply; as pickles they are compared fast, and the worker needs pickles anyway.
        pickled_calls = [pickle.dumps(picture_call) for picture_call in picture_calls]
        keys = [(theme, blake2b(picture_call).digest()) for picture_call in pickled_calls]
        # If the same picture is being drawn, its result is awaited; but moves never wait for questions.
        async with self._locks.lock_of(hash((*keys, self._queue.priority))):
            pictures = {key: self._recent_pictures.find(key) for key in keys}
            missing_call_by_key = {
                key: picture_call
                for key, picture_call in zip(keys, pickled_calls, strict=True)
                if pictures[key] is None
            }
            if missing_call_by_key:
                drawn_pictures = None
                while (
                    drawn_pictures is None
                ):  # a large map, new to the worker, is drawn in several jobs, so that others have their turn
                    drawn_pictures = await self._workers.run(
                        self._queue, draw_pickled_calls, theme, list(missing_call_by_key.values())
                    )
                for key, picture in zip(missing_call_by_key, drawn_pictures, strict=True):
                    self._recent_pictures.add(key, picture)
                    pictures[key] = picture
            return [drawn_picture for key in keys if (drawn_picture := pictures[key]) is not None]


def question_queue(interaction: discord.Interaction, game_id: int | None = None) -> QueuePlace:
    """The place in the workers' queue for a question of this user and server.

    `game_id` is given if the answer depends on the game's current position. A move in that game cancels the question.
    """
    return QueuePlace(Priority.QUESTION, interaction.guild_id or NO_ID, interaction.user.id, game_id)


def pictures_for_answer(interaction: discord.Interaction[Any]) -> Pictures:
    """Pictures for a reply: in the user's theme, with the priority of questions."""
    queue = question_queue(interaction)
    pictures: Pictures = interaction.client.pictures
    return pictures.for_questions().for_server(queue.guild_id).for_user(queue.user_id)
