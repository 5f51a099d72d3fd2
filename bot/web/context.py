"""The context of every answer: tables, limits, and browsers' pictures."""

from collections.abc import Awaitable, Callable
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
from storage import GameRow

GAME: Final = r"/board/{game:[0-9]{1,9}}{seat:(~[0-9a-f]{6})?}"
"""The board of a game; where one browser plays several seats, the path of its cookie tells them apart."""
KEPT: Final = 400
"""Positions, pictures and answers that are kept, of each as many: some 20 MB."""

MaySee: TypeAlias = Callable[[GameRow, int], Awaitable[bool]]
"""True if a user may see the thread of a game; raises Refused where Discord does not say."""


def _do_nothing(game_id: int, number: int) -> None:
    """Do nothing after a move, in a process without moves."""
    del game_id, number


async def _sees_nothing(row: GameRow, user_id: int) -> bool:
    """False: without Discord nobody is admitted by it."""
    del row, user_id
    return False


@dataclass(frozen=True, slots=True)
class PageServices:
    """The tables and client functions behind the page; a standby has no client."""

    tables: Tables
    buttons: Buttons
    proposals: Proposals
    acts: Callable[[int, int], None] = _do_nothing
    """Run with game and user whenever somebody moves."""
    answered: Callable[[int, int], None] = _do_nothing
    """Run with game and number of a proposal whenever somebody answers it."""
    require_shown: Callable[[GameRow], None] = lambda row: None
    """Raises Refused where the thread of a game could not show a move."""
    may_see: MaySee = _sees_nothing

    @classmethod
    def without_client(cls, tables: Tables, may_see: MaySee = _sees_nothing) -> Self:
        """The services of a standby, without a client."""
        return cls(tables, Buttons(tables), Proposals(tables), may_see=may_see)


@dataclass(frozen=True, slots=True)
class LoginSecret:
    """The application's id, its secret for login, and Discord's API URL."""

    application_id: int
    text: str
    api: str


@dataclass(frozen=True, slots=True)
class Page:
    """The page's state, shared by all routes."""

    behind: PageServices
    limits: PageLimits
    refusals: Refusals
    proxies: Proxies
    secret: LoginSecret | None
    """By which people log in; None where they cannot."""
    files: PageFiles = field(default_factory=PageFiles)
    pictures: BoundedDict[str, SentPicture] = field(default_factory=lambda: BoundedDict(KEPT))
    """Those that were shown lately, by id: the next is sent as the difference from one that a browser has."""

    @property
    def tables(self) -> Tables:
        return self.behind.tables

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
    def secure(self) -> bool:
        """True if the public URL uses TLS."""
        return self.address.startswith("https://")
