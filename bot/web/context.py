"""The context of every answer: tables, limits, and browsers' pictures."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias

from bot.table.board_links_and_sessions import BoardLinks
from bot.table.bounded_caches import BoundedDict
from bot.table.moves.turn_buttons import Buttons
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.web.entry.addresses import Proxies
from bot.web.entry.page_and_stream_limits import PageLimits, Refusals
from bot.web.page_files import PageFiles
from bot.web.wire import SentPicture
from storage import GameRow, events

GAME_PATH: Final = r"/board/{game:[0-9]{1,9}}{seat:(~[0-9a-f]{6})?}"
"""Path of a game's board; `seat` tells apart several seats played in one browser."""
CACHE_SIZE: Final = 400
"""Entries of each cache of positions, pictures and answers: some 20 MB in all."""

MaySee: TypeAlias = Callable[[GameRow, int], Awaitable[bool]]
"""True if a user may see the thread of a game; raises Refused where Discord does not say."""
VisibleGames: TypeAlias = Callable[[Sequence[GameRow], int], Awaitable[frozenset[int]]]
"""The ids of those of a server's games whose threads a user may see; raises Refused where Discord does not say."""
MaySeeEvent: TypeAlias = Callable[[events.EventRow, int], Awaitable[bool]]
"""True if a user may see the channel of an event; raises Refused where Discord does not say."""


def _do_nothing(game_id: int, other_id: int) -> None:
    """Do nothing: the default callback of a process that makes no moves."""
    del game_id, other_id


async def _deny_access(row: GameRow | events.EventRow, user_id: int) -> bool:
    """Return False: without a connection to Discord nobody may see a thread or a channel."""
    del row, user_id
    return False


async def _show_no_games(rows: Sequence[GameRow], user_id: int) -> frozenset[int]:
    """Return no games: without a connection to Discord nobody may see a thread."""
    del rows, user_id
    return frozenset()


@dataclass(frozen=True, slots=True)
class PageServices:
    """The tables and client functions behind the page; a standby has no client."""

    tables: Tables
    buttons: Buttons
    proposals: Proposals
    on_activity: Callable[[int, int], None] = _do_nothing
    """Called with the ids of the game and the user on every move."""
    on_vote: Callable[[int, int], None] = _do_nothing
    """Called with the game id and the proposal number on every vote."""
    require_visible_thread: Callable[[GameRow], None] = lambda row: None
    """Raises Refused where the thread of a game could not show a move."""
    may_see: MaySee = _deny_access
    may_see_event: MaySeeEvent = _deny_access
    visible_games: VisibleGames = _show_no_games

    @classmethod
    def without_client(
        cls,
        tables: Tables,
        may_see: MaySee = _deny_access,
        may_see_event: MaySeeEvent = _deny_access,
        visible_games: VisibleGames = _show_no_games,
    ) -> Self:
        """The services of a standby, without a client."""
        return cls(
            tables,
            Buttons(tables),
            Proposals(tables),
            may_see=may_see,
            may_see_event=may_see_event,
            visible_games=visible_games,
        )


@dataclass(frozen=True, slots=True)
class LoginSecret:
    """The application's id, its secret for login, and Discord's API URL."""

    application_id: int
    text: str
    api: str


@dataclass(frozen=True, slots=True)
class Page:
    """The page's state, shared by all routes."""

    services: PageServices
    limits: PageLimits
    refusals: Refusals
    proxies: Proxies
    secret: LoginSecret | None
    """Credentials for login by Discord; None where login is not set up."""
    files: PageFiles = field(default_factory=PageFiles)
    pictures: BoundedDict[str, SentPicture] = field(default_factory=lambda: BoundedDict(CACHE_SIZE))
    """Recent pictures by id: a new one is sent as its difference from one that the browser has."""

    @property
    def tables(self) -> Tables:
        return self.services.tables

    @property
    def links(self) -> BoardLinks:
        """The issued links and their sessions."""
        return self.tables.board

    @property
    def address(self) -> str:
        """The page's public URL, without a path."""
        assert self.links.address is not None
        return self.links.address

    @property
    def uses_tls(self) -> bool:
        """True if the public URL uses TLS."""
        return self.address.startswith("https://")
