"""Choices of a server, and permissions that are missing for games there, said before anything is made."""

import pytest

from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Channel, ChannelKind
from bot.sandbox.refusal import SandboxError
from bot.table.settings.server_settings import ServerSettings, server_settings
from storage import GUILD_SETTINGS, games
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

SECOND = "second-table"
THERE = f"Games can be played in <#{seed.TABLE_ID}>: I have all permissions."
CHANGED = "-# Change these with `/setup`; `back:` resets one."
USUAL = [
    "- where: games open in the channel where somebody uses `/game new`",
    "- moderators: members who may manage threads moderate games",
    "- pings: the next player gets a normal ping",
    "- title: `/game new` suggests no title",
    "- rules: games use the rulebook",
    "- ratings: games do not change ratings",
    "- pictures: default",
]
GONE = "The channel for games was deleted, or I may not see it: choose another."


async def setup(sandbox: SandboxBot, **values: object) -> InteractionResult:
    return await sandbox.person("Ann").slash(TABLE, "setup", **values)


async def new(sandbox: SandboxBot, where: str | int = TABLE, **values: object) -> InteractionResult:
    return await sandbox.person("Ann").slash(where, "game new", **{"title": "18chesapeake", **values})


async def lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.games_with_status(sandbox.db, "lobby")


async def chosen(sandbox: SandboxBot) -> ServerSettings:
    return await server_settings(sandbox.db, seed.GUILD_ID)


async def deny(sandbox: SandboxBot, channel_id: int, permission: int, name: str) -> None:
    """The bot lacks a permission in a channel, and knows it."""
    guild, channel = sandbox.world.guilds[seed.GUILD_ID], sandbox.world.channels[channel_id]
    for role in (guild.id, guild.id + seed.BOT_ROLE_OFFSET):
        changes.overwrite(sandbox.world, channel, role, deny=permission)

    def lacks() -> bool:
        known = sandbox.client.guilds[0].get_channel(channel_id)
        return known is not None and not getattr(known.permissions_for(known.guild.me), name)

    await sandbox.learns(lacks)


async def another(sandbox: SandboxBot, kind: ChannelKind) -> Channel:
    """Another channel, `elsewhere`, of which the bot has heard."""
    found = changes.add_channel(sandbox.world, sandbox.world.guilds[seed.GUILD_ID], kind, "elsewhere")
    await sandbox.learns(lambda: sandbox.client.get_channel(found.id) is not None)
    return found


# --- what is shown ---------------------------------------------------------------------------------------------------


async def test_setup_lists_what_holds(sandbox: SandboxBot) -> None:
    answer = await setup(sandbox)
    assert answer.public == []
    assert answer.text.split("\n") == ["**Games on this server**", *USUAL, THERE, CHANGED]
    role = seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET
    said = await setup(
        sandbox, moderators="Players", pings="quiet", title="18TN", profile="18xx.games", ratings="on",
        channel=SECOND, letters="large",
    )  # fmt: skip
    assert said.text.split("\n")[1:-1] == [
        f"- where: <#{seed.SECOND_CHANNEL_ID}>",
        f"- moderators: <@&{role}>",
        "- pings: the next player gets a silent ping",
        "- title: 18TN",
        "- rules: 18xx.games",
        "- ratings: finished games change their players' ratings, by title",
        "- pictures: light, large text",
        f"Games can be played in <#{seed.SECOND_CHANNEL_ID}>: I have all permissions.",
    ]
    await GUILD_SETTINGS.put(sandbox.db, seed.GUILD_ID, "title", "18gone")
    await GUILD_SETTINGS.put(sandbox.db, seed.GUILD_ID, "channel", "7")
    lines = (await setup(sandbox)).text.split("\n")
    assert "- title: 18gone" in lines, "it is no longer known"
    assert f"**No game can be opened here.** {GONE}" in lines
    assert USUAL[0] in (await setup(sandbox, back="channel")).text.split("\n")


async def test_setup_names_what_is_missing(sandbox: SandboxBot) -> None:
    """And what goes better with more, and how it is given."""
    await deny(sandbox, seed.TABLE_ID, permissions.PIN_MESSAGES, "pin_messages")
    lines = (await setup(sandbox)).text.split("\n")
    assert lines[8] == THERE
    assert lines[9].startswith("With Pin Messages I would pin the board")
    await deny(sandbox, seed.TABLE_ID, permissions.ATTACH_FILES, "attach_files")
    said = (await setup(sandbox)).text
    assert "**No game can be opened.** " in said
    assert "Attach Files" in said
    assert "under Permissions" in said
    refused = await setup(sandbox, channel=TABLE)
    assert refused.text.startswith("Nothing was changed. ")
    assert (await chosen(sandbox)).channel is None


async def test_setup_is_offered_to_managers_alone(sandbox: SandboxBot) -> None:
    """Administrators may offer it to others, whom the bot refuses: `tests/bot/entry/test_rights.py`."""
    with pytest.raises(SandboxError, match="not offered to this person"):
        await sandbox.person("Bob").slash(TABLE, "setup", pings="quiet")


# --- where games are opened ------------------------------------------------------------------------------------------


async def test_games_are_opened_in_the_chosen_channel(sandbox: SandboxBot) -> None:
    """So is another like one that has ended, which goes where that was without a choice."""
    game = await sandbox.game(("Ann", "Bob"))
    for name in ("Ann", "Bob"):
        await game.slash(name, "game abandon")
    [rematch] = [m for m in game.messages if any(button.label == "Rematch" for button in m.buttons)]
    assert f"<#{seed.SECOND_CHANNEL_ID}>" in (await setup(sandbox, channel=SECOND)).text
    assert f"open in <#{seed.SECOND_CHANNEL_ID}>" in (await new(sandbox)).text
    [row] = await lobbies(sandbox)
    assert row.channel_id == seed.SECOND_CHANNEL_ID
    assert [m for m in sandbox.person("Ann").messages(SECOND) if m.buttons]
    await setup(sandbox, back="channel")
    await new(sandbox)
    await game.press("Ann", "Rematch", rematch)
    assert [row.channel_id for row in await lobbies(sandbox)][1:] == [seed.TABLE_ID] * 2
    assert "Play again, " in sandbox.lobby().content
    assert list(sandbox.lobby().pinged) == [sandbox.person("Bob").id]


async def test_missing_permission_of_the_chosen_channel(sandbox: SandboxBot) -> None:
    """It is named elsewhere."""
    await setup(sandbox, channel=SECOND)
    await deny(sandbox, seed.SECOND_CHANNEL_ID, permissions.CREATE_THREADS, "create_public_threads")
    said = (await new(sandbox)).text
    assert "The game was not opened" in said
    assert f"in <#{seed.SECOND_CHANNEL_ID}>: I need the permission Create Public Threads" in said
    assert await lobbies(sandbox) == []


async def test_game_is_not_started_without_permission(sandbox: SandboxBot) -> None:
    await new(sandbox)
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    sandbox.world.withheld = permissions.CREATE_THREADS
    answer = await sandbox.person("Ann").press(sandbox.lobby(), "Start")
    assert await sandbox.hears(answer, "The game was not started")
    assert "Create Public Threads" in answer.text
    assert (await games.get_game(sandbox.db, 1)).status == "lobby"
    sandbox.world.withheld = 0
    await sandbox.person("Ann").press(sandbox.lobby(), "Start")
    await sandbox.settled()
    assert (await games.get_game(sandbox.db, 1)).status == "running"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (ChannelKind.VOICE, "voice channel has no threads"),
        (ChannelKind.STAGE, "chat of a stage has no threads"),
        (ChannelKind.ANNOUNCEMENT, "can follow an announcement channel"),
        (ChannelKind.CATEGORY, "category cannot hold messages"),
    ],
)
async def test_other_channels_are_refused(sandbox: SandboxBot, kind: ChannelKind, why: str) -> None:
    channel = await another(sandbox, kind)
    assert why in (await setup(sandbox, channel="elsewhere")).text
    if kind != ChannelKind.CATEGORY:
        assert why in (await new(sandbox, channel.id)).text
        said = (await sandbox.person("Ann").slash(channel.id, "setup")).text
        assert "**No game can be opened here.** " in said
        assert why in said
    assert await lobbies(sandbox) == []


async def test_thread_is_refused_with_the_reason(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "Discord allows no thread inside a thread" in (await new(sandbox, game.thread)).text
    assert await lobbies(sandbox) == []


# --- what else is chosen ---------------------------------------------------------------------------------------------


async def test_new_game_plays_the_servers_choice(sandbox: SandboxBot) -> None:
    await setup(sandbox, title="18tn")
    await setup(sandbox, profile="18xx.games")
    offered = await sandbox.person("Ann").autocomplete(TABLE, "game new", focused="title", title="")
    assert offered[0] == ("18TN", "18tn")
    assert len(offered) > 1
    await new(sandbox, title="18tn")
    [row] = await lobbies(sandbox)
    assert (row.title, row.profile) == ("18tn", "18xx.games")


async def test_refused_rules_choose_nothing(sandbox: SandboxBot) -> None:
    for values, why in (
        ({"title": "monopoly"}, "monopoly"),
        ({"profile": "18xx.games"}, "A rules profile belongs to a title: give the title, too."),
        ({"title": "18tn", "profile": "house"}, "18TN has no profile house"),
        ({"moderators": seed.GUILD_ID}, "Choose a role that only moderators have:"),
    ):
        assert why in (await setup(sandbox, pings="quiet", **values)).text
    assert await chosen(sandbox) == ServerSettings()


async def test_moderator_role_is_chosen_two_ways(sandbox: SandboxBot) -> None:
    """The role is shown, and erased only when that is asked for by name."""
    ann, role = sandbox.person("Ann"), f"<@&{seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET}>"
    none = "may manage threads moderate games"
    assert f"moderators: {role}" in (await setup(sandbox, moderators="Players")).text
    game = await sandbox.game()
    assert "Really end" in (await game.slash("Bob", "mod end")).text
    for values, said in (
        ({"without": True}, none),
        ({}, none),
        ({"role": "Players"}, f"Members with {role}"),
        ({}, f"Members with {role}"),
        ({"role": "Players", "without": True}, "not both"),
        ({"role": seed.GUILD_ID}, "Choose a role that only moderators have:"),
        ({"without": False}, f"Members with {role}"),
        ({"without": True}, none),
    ):
        assert said in (await ann.slash(TABLE, "mod role", **values)).text, values
    assert USUAL[1] in (await setup(sandbox)).text
    assert "Manage Threads" in (await game.slash("Bob", "mod end")).text
