"""Choices of a server, and permissions that are missing for games there, said before anything is made."""

import pytest

from bot.client.features.pings import ping_due_users
from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.http.page_views import message_view
from bot.sandbox.model import Channel, ChannelKind, Message
from bot.sandbox.refusal import SandboxError
from bot.table.settings.server_settings import (
    ServerSettings,
    choose_new_game_setting,
    choose_server_setting,
    server_settings,
)
from engine import TITLES
from storage import GAME_SETTINGS, GUILD_SETTINGS, games
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

SECOND = "second-table"
THERE = f"Games can be played in <#{seed.TABLE_CHANNEL_ID}>: I have all permissions."
CHANGED = "-# Change these below or with `/setup`; `back:` resets one."
USUAL = [
    "- where: games open in the channel where somebody uses `/game new`",
    "- announcements: events and results are posted where the games are",
    "- moderators: members who may manage threads moderate games",
    "- new games ping: nobody",
    "- pings: the next player gets a normal ping",
    "- ratings: games do not change ratings",
    "- titles: `/game new` suggests no title",
    "- rules: games use the rulebook",
    "- new games: the usual settings",
    "- quiet hours: only those that members choose with `/pings`",
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
        sandbox, moderators="Players", pings="quiet", title="18TN, 1889,18tn", profile="18xx.games", ratings="on",
        channel=SECOND, letters="large",
    )  # fmt: skip
    assert said.text.split("\n")[1:-1] == [
        f"- where: <#{seed.SECOND_CHANNEL_ID}>",
        USUAL[1],
        f"- moderators: <@&{role}>",
        USUAL[3],
        "- pings: the next player gets a silent ping",
        "- ratings: finished games change their players' ratings, by title",
        "- titles: 18TN, 1889",
        "- rules: 18xx.games",
        *USUAL[8:10],
        "- pictures: light, large text",
        f"Games can be played in <#{seed.SECOND_CHANNEL_ID}>: I have all permissions.",
    ]
    await GUILD_SETTINGS.put(sandbox.db, seed.GUILD_ID, "title", "18gone")
    await GUILD_SETTINGS.put(sandbox.db, seed.GUILD_ID, "channel", "7")
    lines = (await setup(sandbox)).text.split("\n")
    assert "- titles: 18gone" in lines, "it is no longer known"
    assert f"**No game can be opened here.** {GONE}" in lines
    assert USUAL[0] in (await setup(sandbox, back="channel")).text.split("\n")


async def test_setup_names_what_is_missing(sandbox: SandboxBot) -> None:
    """And what goes better with more, and how it is given."""
    await deny(sandbox, seed.TABLE_CHANNEL_ID, permissions.PIN_MESSAGES, "pin_messages")
    lines = (await setup(sandbox)).text.split("\n")
    assert lines[12] == THERE
    assert lines[13].startswith("With Pin Messages I would pin the board")
    await deny(sandbox, seed.TABLE_CHANNEL_ID, permissions.ATTACH_FILES, "attach_files")
    said = (await setup(sandbox)).text
    assert "**No game can be opened.** " in said
    assert "Attach Files" in said
    assert "under Permissions" in said
    refused = await setup(sandbox, channel=TABLE)
    assert refused.text.startswith("Nothing was changed. ")
    assert (await chosen(sandbox)).channel is None


async def test_setup_is_offered_to_managers_alone(sandbox: SandboxBot) -> None:
    """Administrators may offer it to others, whom the bot refuses: `tests/bot/entry/test_rights.py`."""
    with pytest.raises(SandboxError, match="This person cannot use"):
        await sandbox.person("Bob").slash(TABLE, "setup", pings="quiet")


# --- menus -----------------------------------------------------------------------------------------------------------


async def page(sandbox: SandboxBot, *buttons: str) -> Message:
    """The message of `/setup`, after these presses."""
    [message] = (await setup(sandbox)).ephemeral
    for button in buttons:
        await sandbox.person("Ann").press(message, button)
    return message


async def test_club_is_set_up_by_menus(sandbox: SandboxBot) -> None:
    """On the pages of one message."""
    ann, role = sandbox.person("Ann"), seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET
    message = await page(sandbox)
    for menu, values in (
        ("server:channel", [seed.SECOND_CHANNEL_ID]),
        ("server:announcements", [seed.TABLE_CHANNEL_ID]),
        ("server:moderators", [role]),
        ("server:pinged_role", [role]),
        ("Defaults of new games ▸", []),
        ("defaults:bank", ["5 days"]),
        ("defaults:reminders", ["slow"]),
        ("Titles and rules of new games ▸", []),
        ("titles:title", ["18tn"]),
        ("titles:title", ["1889"]),
        ("titles:title", ["18al"]),
        ("titles:title", ["18tn"]),
        ("titles:sealed", ["on"]),
        ("titles:profile", ["18xx.games"]),
    ):
        if values:
            await ann.select(message, f"setup:{menu}", [str(value) for value in values])
        else:
            await ann.press(message, menu)
        assert len(message.selects) <= 4, "few menus at once"
    assert await chosen(sandbox) == ServerSettings(
        channel=seed.SECOND_CHANNEL_ID,
        announcements=seed.TABLE_CHANNEL_ID,
        moderators=role,
        pinged_role=role,
        titles=("1889", "18al"),
        profile="18xx.games",
        new_games={"bank": "5 days", "reminders": "slow", "sealed": "on"},
    )
    for button in ("◂ Defaults of new games", "◂ Server"):
        await ann.press(message, button)
    assert (
        "- new games: Time bank: 5 days; Reminders: slow; Sale of the privates: sealed bids\n"
        in message.content
    )
    assert f"I cannot ping <@&{role}>" in message.content
    assert [menu.chosen for menu in message.selects] == [
        (str(number),) for number in (seed.SECOND_CHANNEL_ID, seed.TABLE_CHANNEL_ID, role, role)
    ]
    await ann.select(message, "setup:server:announcements", [])
    assert (await chosen(sandbox)).announcement_channel == seed.SECOND_CHANNEL_ID
    shown = message_view(sandbox.world, message)["components"][3]["components"][0]["options"]
    assert {"label": "Players", "value": str(role), "default": True} in shown
    refused = await ann.select(message, "setup:server:pinged_role", [str(seed.GUILD_ID)])
    assert await sandbox.hears(refused, "I do not ping @everyone")


async def test_server_has_quiet_hours(sandbox: SandboxBot) -> None:
    """For members without their own; they are pinged when these end, or no longer hold."""
    ann, bob, game = sandbox.person("Ann"), sandbox.person("Bob"), await sandbox.game()
    message = await page(sandbox, "Defaults of new games ▸")
    form = (await ann.press(message, "Quiet hours …")).modal
    assert form is not None
    assert "need a time zone" in (await ann.submit(form)).text
    await ann.submit(form, quiet_from="00:00", quiet_to="23:59", zone="Berlin")
    assert "- quiet hours: 00:00 to 23:59 (Europe/Berlin), unless members choose" in message.content
    for name, values, said in (
        ("Bob", {}, "Quiet hours: 00:00 to 23:59 (Europe/Berlin), as this server has chosen"),
        ("Cy", {"quiet_from": "off"}, "Quiet hours: none."),
        ("Cy", {"quiet_from": "server"}, "Quiet hours: 00:00 to 23:59 (Europe/Berlin), as"),
    ):
        assert said in (await sandbox.person(name).slash(TABLE, "pings", **values)).text
    pings = game.pings("Bob")
    await game.press("Ann", "Pass")
    await ping_due_users(sandbox.client)
    await sandbox.settled()
    assert game.pings("Bob") == pings
    await ann.submit(form, quiet_from="", quiet_to="", zone="")
    await ping_due_users(sandbox.client)
    await sandbox.settled()
    assert game.pings(bob.name) == pings + 1


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
    role = sandbox.world.guilds[seed.GUILD_ID].roles[seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET]
    role.mentionable = True
    await choose_server_setting(sandbox.db, seed.GUILD_ID, "pinged_role", str(role.id))
    await game.press("Ann", "Rematch", rematch)
    assert [row.channel_id for row in await lobbies(sandbox)][1:] == [seed.TABLE_CHANNEL_ID] * 2
    assert "Play again, " in sandbox.lobby().content
    assert list(sandbox.lobby().pinged) == [sandbox.person("Bob").id]


async def test_missing_permission_of_the_chosen_channel(sandbox: SandboxBot) -> None:
    """It is named elsewhere."""
    await setup(sandbox, channel=SECOND)
    await deny(sandbox, seed.SECOND_CHANNEL_ID, permissions.CREATE_THREADS, "create_public_threads")
    said = (await new(sandbox)).text
    assert "The game was not opened" in said
    assert f"I need the permission Create Public Threads in <#{seed.SECOND_CHANNEL_ID}>" in said
    assert await lobbies(sandbox) == []


async def test_game_is_not_started_without_permission(sandbox: SandboxBot) -> None:
    await new(sandbox)
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    sandbox.world.withheld_permissions = permissions.CREATE_THREADS
    answer = await sandbox.person("Ann").press(sandbox.lobby(), "Start")
    assert await sandbox.hears(answer, "The game was not started")
    assert "Create Public Threads" in answer.text
    assert (await games.get_game(sandbox.db, 1)).status == "lobby"
    sandbox.world.withheld_permissions = 0
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


async def test_new_game_begins_with_defaults(sandbox: SandboxBot) -> None:
    """Its rematch with its own."""
    for name, value in (("bank", "10 days"), ("sealed", "on"), ("grace", "12 hours")):
        await choose_new_game_setting(sandbox.db, seed.GUILD_ID, name, value)  # type: ignore[arg-type]
    await new(sandbox)
    assert await GAME_SETTINGS.settings_of(sandbox.db, 1) == {"bank": "10 days", "sealed": "on"}
    assert "Time bank: 10 days for each player" in sandbox.lobby().content
    await sandbox.person("Ann").press(sandbox.lobby(), "Computer: Conductor")
    assert "bidding is open in this game" in sandbox.lobby().content
    without_privates = TITLES["18newengland"].spec
    assert (await chosen(sandbox)).settings_of_new_game(without_privates) == {"bank": "10 days"}


async def test_refused_rules_choose_nothing(sandbox: SandboxBot) -> None:
    for values, why in (
        ({"title": "monopoly"}, "monopoly"),
        ({"title": "18tn", "profile": "house"}, "There is no rules profile house"),
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
    assert USUAL[2] in (await setup(sandbox)).text
    assert "Manage Threads" in (await game.slash("Bob", "mod end")).text
