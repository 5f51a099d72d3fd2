"""Several servers with one bot: members of another one neither see nor touch a game."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from bot.sandbox.guild import options, seed
from bot.sandbox.guild.options import BOOLEAN, CHANNEL, INTEGER, NUMBER, USER, UsableCommand
from bot.sandbox.model import ChannelKind, Guild
from bot.table.moves.moves import Typed
from storage import games
from tests.bot.sandbox.guild import send_away
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

DEE: Final = seed.OWNER_ID + 3
THEIRS: Final = "theirs"
PLAYERS: Final = ("Ann", "Bob", "Cy")
WORDS: Final[dict[int, Any]] = {INTEGER: 1, BOOLEAN: True, USER: "Dee", CHANNEL: THEIRS, NUMBER: 1.0}
"""What is given to an option of a type, where it must have something; text gets a letter."""


async def _soon(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


def elsewhere(sandbox: SandboxBot) -> Guild:
    """A server of Dee's, who is in no other."""
    other = changes.open_server(sandbox.world, "Elsewhere", DEE, [DEE])
    changes.add_channel(sandbox.world, other, ChannelKind.TEXT, THEIRS)
    send_away(sandbox.world, DEE)
    return other


def filled(verb: UsableCommand, game: int) -> dict[str, Any]:
    """Values for a command: the number of the game wherever it asks for one, and whatever it must have."""
    values: dict[str, Any] = {}
    for option in verb.options:
        choices = option.get("choices") or []
        if option["name"] in ("number", "game"):
            values[option["name"]] = game
        elif option.get("required"):
            values[option["name"]] = choices[0]["value"] if choices else WORDS.get(option["type"], "x")
    return values


async def test_no_command_in_another_server_shows_a_game_or_changes_it(sandbox: SandboxBot) -> None:
    """Every command there is, with the number of the game wherever one can be given."""
    game = await sandbox.game()
    before, dee = await game.seq(), sandbox.person("Dee")
    other = elsewhere(sandbox)
    await _soon(lambda: sandbox.client.get_guild(other.id) is not None)
    for verb in options.verbs(sandbox.world, other.id):
        if any(option["type"] == options.ATTACHMENT for option in verb.options):
            continue
        answer = await dee.slash(THEIRS, verb.name, **filled(verb, game.number))
        assert answer.failed is None, verb.name
        assert not [name for name in PLAYERS if f"**{name}**" in answer.text], verb.name
        assert f"<#{game.thread}>" not in answer.text, verb.name
    assert await game.seq() == before
    assert (await games.get_game(sandbox.db, game.number)).status == "running"


async def test_games_are_listed_in_their_own_server_only(sandbox: SandboxBot) -> None:
    elsewhere(sandbox)
    game = await sandbox.game()
    await sandbox.person("Dee").slash(THEIRS, "game new", title="18chesapeake")
    here = (await sandbox.person("Ann").slash(TABLE, "game list")).text
    there = (await sandbox.person("Dee").slash(THEIRS, "game list")).text
    assert f"<#{game.thread}>" in here
    assert f"<#{game.thread}>" not in there
    assert "2. " in there
    assert "2. " not in here


async def test_a_game_continues_after_its_server_let_the_bot_in_again(sandbox: SandboxBot) -> None:
    """What could not be shown meanwhile is shown then, once; the other server notices nothing."""
    game = await sandbox.game()
    home = sandbox.world.guilds[seed.GUILD_ID]
    elsewhere(sandbox)
    changes.leave(sandbox.world, home, seed.BOT_ID)
    await sandbox.person("Dee").slash(THEIRS, "game list")
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, Typed("pass"))
    await _soon(lambda: bool(sandbox.world.refusals))
    assert "No game" in (await sandbox.person("Dee").slash(THEIRS, "game list")).text
    changes.join(sandbox.world, home, seed.BOT_ID)
    sandbox.client.sender.wake(game.number)
    await sandbox.settled()
    assert [line for line in game.lines if line.startswith("`2`")] == ["`2` **Ann** passes."]
