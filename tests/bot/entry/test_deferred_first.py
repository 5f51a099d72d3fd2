"""Discord waits three seconds: a command is acknowledged before anything is looked up for it."""

from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final

import pytest
from discord import AppCommandOptionType, app_commands

from bot.client.app import Stationmaster
from bot.client.features import COMMANDS
from bot.table.rate_limits import RateLimiter
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.table_service import ANN, BOB

GAME, THREAD = 5, 3
AT_ONCE: Final = frozenset({"help", "privacy"})
"""What is answered from memory, without a pause."""
PERSON: Final = SimpleNamespace(id=BOB, display_name="Bob", bot=False)
TYPED: Final = {AppCommandOptionType.string: "x", AppCommandOptionType.user: PERSON}
"""What is given to an option that must have something; numbers get a one."""


class LookedUpError(Exception):
    """Something was looked up."""


class Unread:
    """A database that nobody has read: reading it is too much before the command is acknowledged."""

    shared = False

    def __getattr__(self, name: str) -> Any:
        raise LookedUpError(name)


def every(found: Any) -> Iterator[app_commands.Command[Any, ..., Any]]:
    """The commands of groups, and those of none."""
    for one in found:
        yield from every(one.commands) if isinstance(one, app_commands.Group) else (one,)


NAMED: Final = {one.qualified_name: one for one in every(COMMANDS)}


@pytest.fixture(scope="module")
def bot() -> Stationmaster:
    """A bot in the thread of a game of which it has read nothing."""
    db: Any = Unread()
    found = Stationmaster(db, rate_limiter=RateLimiter(1.0))
    found.tables.game_in = lambda _: GAME  # type: ignore[assignment]
    return found


@pytest.mark.parametrize("name", sorted(NAMED.keys() - AT_ONCE))
async def test_a_command_is_acknowledged_before_anything_is_looked_up(bot: Stationmaster, name: str) -> None:
    command = NAMED[name]
    values = {one.name: TYPED.get(one.type, 1) if one.required else one.default for one in command.parameters}
    asked: Any = Asked(ANN, "Ann", COMMAND, thread=THREAD)
    asked.client = bot
    callback: Any = command.callback
    with suppress(Exception):
        await callback(asked, **values)
    assert asked.deferred, asked.answers


@pytest.mark.parametrize("name", sorted(AT_ONCE))
async def test_what_is_known_is_answered_at_once(
    bot: Stationmaster, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(bot.tables, "game_in", lambda _: None)
    asked: Any = Asked(ANN, "Ann", COMMAND)
    asked.client = bot
    callback: Any = NAMED[name].callback
    await callback(asked)
    assert (asked.deferred, len(asked.answers)) == (False, 1)
