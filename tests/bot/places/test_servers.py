"""Several servers with one bot: none sees or touches a game of another; one that is left waits, or is removed."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from bot.client.features.left_servers import DATA_DELETED_MARK, LEFT_SERVERS_CHECK
from bot.sandbox.guild import options, seed
from bot.sandbox.guild.options import BOOLEAN, CHANNEL, INTEGER, NUMBER, USER, UsableCommand
from bot.sandbox.model import Channel, ChannelKind, Guild
from bot.table.games.loading import load
from bot.table.moves.moves import TypedMove
from bot.table.past.game_record import record_of
from bot.table.settings.themes import Themes
from engine.record import write_record
from storage import GUILD_SETTINGS, ShardSet, games, log, outbox, seats, settings
from tests.bot.sandbox.guild import send_away
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

DEE: Final = seed.OWNER_ID + 3
THEIRS: Final = "theirs"
WORDS: Final[dict[int, Any]] = {INTEGER: 1, BOOLEAN: True, USER: "Dee", CHANNEL: THEIRS, NUMBER: 1.0}


async def another(sandbox: SandboxBot, *people: str) -> tuple[Guild, Channel]:
    """A second server that the bot knows, of these people, the first its owner, with a channel."""
    users = [sandbox.person(name).id for name in people]
    guild = changes.open_server(sandbox.world, "Elsewhere", users[0], users)
    channel = changes.add_channel(sandbox.world, guild, ChannelKind.TEXT, THEIRS)
    await sandbox.learns(lambda: sandbox.client.get_channel(channel.id) is not None)
    return guild, channel


async def left(sandbox: SandboxBot, guild_id: int = seed.GUILD_ID) -> str | None:
    """Since when the bot is not on a server any more."""
    return await GUILD_SETTINGS.get(sandbox.db, guild_id, settings.LEFT_SERVER_KEY)


async def leaves(sandbox: SandboxBot, *, again: bool = False) -> None:
    """The bot leaves its server, or is let in again, and has noted it."""
    change: Callable[..., None] = changes.join if again else changes.leave
    change(sandbox.world, sandbox.world.guilds[seed.GUILD_ID], seed.BOT_ID)
    async with asyncio.timeout(20):
        while (await left(sandbox) is None) != again:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


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


# --- nothing leaks ---------------------------------------------------------------------------------------------------


async def test_no_command_elsewhere_touches_a_game(sandbox: SandboxBot) -> None:
    """Every command there is, with the number of the game wherever one can be given."""
    game = await sandbox.game()
    before, dee = await game.seq(), sandbox.person("Dee")
    other, _ = await another(sandbox, "Dee")
    send_away(sandbox.world, DEE)
    for verb in options.list_commands(sandbox.world, other.id):
        if any(option["type"] == options.ATTACHMENT for option in verb.options):
            continue
        answer = await dee.slash(THEIRS, verb.name, **filled(verb, game.number))
        assert answer.failure_text is None, verb.name
        assert not [name for name in ("Ann", "Bob", "Cy") if f"**{name}**" in answer.text], verb.name
        assert f"<#{game.thread}>" not in answer.text, verb.name
    assert await game.seq() == before
    assert (await games.get_game(sandbox.db, game.number)).status == "running"


async def test_lists_and_suggestions_are_of_one_server(sandbox: SandboxBot) -> None:
    """`/mine` lists one's own games wherever they are played."""
    _, elsewhere = await another(sandbox, "Ann", "Bob")
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await bob.slash(elsewhere.id, "game new", title="18al")
    for person, where, command, seen, unseen in (
        (bob, elsewhere.id, "game list", "18AL", "18Chesapeake"),
        (ann, TABLE, "game list", "18Chesapeake", "18AL"),
        (ann, elsewhere.id, "mine", "18Chesapeake", "18AL"),
        (bob, TABLE, "mine", "18AL", "18Chesapeake"),
    ):
        text = (await person.slash(where, command)).text
        assert (seen in text, unseen in text) == (True, False), command
    offered = await bob.autocomplete(elsewhere.id, "game join", focused="number", number="")
    assert [name for name, _ in offered] == ["2: 18AL"]


async def test_game_is_not_reached_by_its_number(sandbox: SandboxBot) -> None:
    """From another server, nor by a button of its board page; a lobby has no board at all."""
    _, elsewhere = await another(sandbox, "Ann", "Dee")
    ann, dee, tables = sandbox.person("Ann"), sandbox.person("Dee"), sandbox.client.tables
    await sandbox.game()
    await ann.slash(TABLE, "game new", title="18al")
    for command, number in (("game join", 2), ("game start", 2), ("game repair", 1)):
        answer = (await ann.slash(elsewhere.id, command, number=number)).text
        assert "not on this server" in answer, command
    await ann.slash(elsewhere.id, "game move-here", number=1)
    assert (await games.get_game(sandbox.db, 1)).channel_id == seed.TABLE_CHANNEL_ID
    tables.board_links.address = "https://board.example"
    message = dee.say(elsewhere.id, "no board")
    for person, game, said in (
        (dee, 1, "Game 1 is not on this server."),
        (ann, 1, "Your board of game 1: "),
        (ann, 2, "Game 2 has not started, so it has no board yet."),
    ):
        assert (await person.press_removed_button(message, f"board:{game}")).text.startswith(said)


async def test_choices_of_a_server_hold_there_alone(sandbox: SandboxBot) -> None:
    """Nor can a channel of another be one of them."""
    guild, elsewhere = await another(sandbox, "Ann")
    ann = sandbox.person("Ann")
    await ann.slash(elsewhere.id, "setup", title="18al", pings="quiet", look="dark")
    themes = [await Themes(sandbox.db).theme_of(server, None) for server in (seed.GUILD_ID, guild.id)]
    assert themes == [None, "dark"]
    assert "`/game new` suggests no title" in (await ann.slash(TABLE, "setup")).text
    await GUILD_SETTINGS.put(sandbox.db, seed.GUILD_ID, "channel", str(elsewhere.id))
    assert (await ann.slash(TABLE, "game new", title="18al")).text == (
        "The channel for games was deleted, or I may not see it. A member who manages this server "
        "can choose another with `/setup channel:`, or none with `/setup back:`."
    )
    assert await games.list_games(sandbox.db, guild.id) == []


# --- leaving ---------------------------------------------------------------------------------------------------------


async def test_left_server_comes_back_as_it_was(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    _, elsewhere = await another(sandbox, "Ann", "Dee")
    await leaves(sandbox)
    assert "no longer on that server" in (await ann.slash(elsewhere.id, "mine")).text
    await sandbox.client.tables.submit(game.number, ann.id, TypedMove("pass"))
    await sandbox.learns(lambda: bool(sandbox.world.refusals))
    await LEFT_SERVERS_CHECK.check(sandbox.client)
    assert "No game" in (await ann.slash(elsewhere.id, "game list")).text
    await leaves(sandbox, again=True)
    await sandbox.settled()
    assert [line for line in game.lines if line.startswith("`2`")] == ["`2` **Ann** passes."]
    await game.press("Bob", "Pass")
    assert "Bob" in game.lines[-1]


async def test_absent_servers_are_noted(sandbox: SandboxBot) -> None:
    """Those of one's own share, left while the bot was away; zero stands for all. An outage is no departure."""
    await sandbox.game()
    numbers = (0, 7 << 22, 8 << 22, seed.GUILD_ID)
    for number in numbers[:3]:
        await GUILD_SETTINGS.put(sandbox.db, number, "pings", "quiet")
    await sandbox.server.gateway.close_sockets()
    sandbox.client.tables.shards = ShardSet((0,), 2)
    await LEFT_SERVERS_CHECK.check(sandbox.client)
    assert [number for number in numbers if await left(sandbox, number) is not None] == [8 << 22]


async def test_left_server_is_forgotten_at_last(sandbox: SandboxBot) -> None:
    """Nor does anything else stay in memory, nor in unused parts of the file."""
    game, ann = await sandbox.game(), sandbox.person("Ann")
    await game.press("Ann", "Pass")
    await ann.slash(TABLE, "game new", title="18al")
    await ann.slash(TABLE, "setup", pings="quiet")
    await game.slash("Ann", "theme", look="dark")
    before, server = await game.digest(), seed.GUILD_ID
    await leaves(sandbox)
    since, kept = datetime.fromisoformat(await left(sandbox) or ""), timedelta(days=90)
    for days, status in ((kept - timedelta(minutes=1), "running"), (kept, "abandoned")):
        sandbox.client.tables.clock = lambda days=days: (since + days).isoformat()  # type: ignore[misc]
        await LEFT_SERVERS_CHECK.check(sandbox.client)
        assert (await games.get_game(sandbox.db, game.number)).status == status
    assert (await games.get_game(sandbox.db, 2)).status == "abandoned"
    assert await GUILD_SETTINGS.settings_of(sandbox.db, server) == {
        settings.LEFT_SERVER_KEY: DATA_DELETED_MARK
    }
    names = [seat.display_name for seat in await seats.seats(sandbox.db, game.number)]
    assert names == ["a former player", "a former player (2)", "a former player (3)"]
    assert sandbox.client.tables.find_cached(game.number) is None
    assert await outbox.unposted_notices_of_game(sandbox.db, game.number) == []
    live = await load(sandbox.db, game.number, sandbox.client.tables.workers)
    assert live.game.digest() == before
    assert "Ann" not in write_record(record_of(live))
    assert len(await log.read_rows(sandbox.db, game.number)) == 2
    await LEFT_SERVERS_CHECK.check(sandbox.client)
    assert await left(sandbox) == DATA_DELETED_MARK
    await sandbox.stop()
    parts = [sandbox.database, *sandbox.database.parent.glob(f"{sandbox.database.name}-*")]
    found = b"".join([await asyncio.to_thread(part.read_bytes) for part in parts])
    assert [word in found for word in (b"theme:", b"Cy")] == [False, False]
    await sandbox.start()
