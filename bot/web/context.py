"""State shared by all routes of the board page: live games, limits, and pictures that browsers have."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias

from bot.table.board_links_and_sessions import BoardLinks
from bot.table.bounded_caches import BoundedDict
from bot.table.moves.turn_buttons import Buttons
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.web.entry.addresses import Proxies
from bot.web.entry.page_and_stream_limits import PageLimits, RefusalCounter
from bot.web.page_files import PageFiles
from bot.web.wire import SentPicture
from storage import GameRow, events

GAME_PATH: Final = r"/board/{game:[0-9]{1,9}}{seat:(~[0-9a-f]{6})?}"
"""URL path of a game's board. The suffix `seat` distinguishes several seats played in the same browser."""
CACHE_SIZE: Final = 400
"""Maximum number of entries in each cache of positions, pictures and responses: about 20 MB in all."""

MaySee: TypeAlias = Callable[[GameRow, int], Awaitable[bool]]
"""Type of a function that returns True if a user can see a game's thread.

It raises Refused if Discord does not answer.
"""
VisibleGames: TypeAlias = Callable[[Sequence[GameRow], int], Awaitable[frozenset[int]]]
"""Type of a function that returns the ids of the games (of one server) whose threads a user can see.

It raises Refused if Discord does not answer.
"""
MaySeeEvent: TypeAlias = Callable[[events.EventRow, int], Awaitable[bool]]
"""Type of a function that returns True if a user can see an event's channel.

It raises Refused if Discord does not answer.
"""


def _do_nothing(game_id: int, other_id: int) -> None:
    del game_id, other_id


async def _deny_access(row: GameRow | events.EventRow, user_id: int) -> bool:
    """Deny access, since nothing can be checked without a connection to Discord."""
    del row, user_id
    return False


async def _show_no_games(rows: Sequence[GameRow], user_id: int) -> frozenset[int]:
    """Show no games, since nothing can be checked without a connection to Discord."""
    del rows, user_id
    return frozenset()


@dataclass(frozen=True, slots=True)
class PageServices:
    """Everything that the page needs from the rest of the bot: live games, and functions of the Discord client."""

    tables: Tables
    buttons: Buttons
    proposals: Proposals
    on_activity: Callable[[int, int], None] = _do_nothing
    """Called with game id and user id on every move."""
    on_vote: Callable[[int, int], None] = _do_nothing
    """Called with game id and proposal number on every vote."""
    require_visible_thread: Callable[[GameRow], None] = lambda row: None
    """Raises Refused if no move can be posted in a game's thread."""
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
        """The services of a standby process, which has no Discord client."""
        return cls(
            tables,
            Buttons(tables),
            Proposals(tables),
            may_see=may_see,
            may_see_event=may_see_event,
            visible_games=visible_games,
        )


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """The OAuth2 client: application id, client secret, and Discord's API URL."""

    application_id: int
    client_secret: str
    api_url: str


@dataclass(frozen=True, slots=True)
class PageContext:
    """State shared by all routes of the board page."""

    services: PageServices
    limits: PageLimits
    refusals: RefusalCounter
    proxies: Proxies
    oauth_client: OAuthClient | None
    """The OAuth2 client for login with Discord; None if login is not set up."""
    files: PageFiles = field(default_factory=PageFiles)
    pictures: BoundedDict[str, SentPicture] = field(default_factory=lambda: BoundedDict(CACHE_SIZE))
    """Recent pictures by id. To a browser that has one of them, a new picture is sent as edits of that picture."""

    @property
    def tables(self) -> Tables:
        return self.services.tables

    @property
    def links(self) -> BoardLinks:
        """The manager of board links and browser sessions."""
        return self.tables.board_links

    @property
    def address(self) -> str:
        """The page's public URL, without a path."""
        assert self.links.address is not None
        return self.links.address

    @property
    def uses_tls(self) -> bool:
        """True if the public URL uses TLS."""
        return self.address.startswith("https://")
