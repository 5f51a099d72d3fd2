"""What a server chooses, and what is missing for games there, said before anything is made."""

from types import SimpleNamespace
from typing import Any, Final

import discord
import pytest

from bot.client.features.setup import _state, _usable, _value, _venue
from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Channel, ChannelKind, MessageFlag
from bot.sandbox.refusal import SandboxError
from bot.table.errors import Refused
from bot.table.settings.server_settings import ServerSettings, server_settings
from bot.table.settings.themes import theme_of
from storage import games
from tests.bot.support import changes
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.declared import typed
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, GUILD, TableService

SECOND = "second-table"
ALL: Final = discord.Permissions.all()


async def _setup(sandbox: SandboxBot, **values: object) -> InteractionResult:
    return await sandbox.person("Ann").slash(TABLE, "setup", **values)


async def _new(sandbox: SandboxBot, where: str | int = TABLE, **values: object) -> InteractionResult:
    return await sandbox.person("Ann").slash(where, "game new", **{"title": "18chesapeake", **values})


def _channel(sandbox: SandboxBot, kind: ChannelKind, name: str) -> Channel:
    return changes.add_channel(sandbox.world, sandbox.world.guilds[seed.GUILD_ID], kind, name)


async def _known(sandbox: SandboxBot, channel: Channel) -> None:
    """Wait until the bot has heard of a channel."""
    await sandbox.learns(lambda: sandbox.client.get_channel(channel.id) is not None)


async def _lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.games_in(sandbox.db, "lobby")


# --- who, and what is shown ------------------------------------------------------------------------------------------


async def test_setup_shows_what_holds_and_that_nothing_is_missing(sandbox: SandboxBot) -> None:
    answer = await _setup(sandbox)
    assert "games are opened where they are asked for" in answer.text
    assert "members who may manage threads moderate games" in answer.text
    assert "nothing is missing" in answer.text
    assert answer.public == []


async def test_only_who_manages_the_server_is_offered_it(sandbox: SandboxBot) -> None:
    """Administrators may offer it to others, whom the bot refuses: `tests/bot/entry/test_rights.py`."""
    with pytest.raises(SandboxError, match="not offered to this person"):
        await sandbox.person("Bob").slash(TABLE, "setup", pings="quiet")


async def test_setup_names_what_is_missing_and_how_it_is_given(sandbox: SandboxBot) -> None:
    guild = sandbox.world.guilds[seed.GUILD_ID]
    channel = sandbox.world.channels[seed.TABLE_ID]
    changes.overwrite(sandbox.world, channel, guild.id + seed.BOT_ROLE, deny=permissions.ATTACH_FILES)
    await sandbox.learns(lambda: _lacks(sandbox, channel, "attach_files"))
    answer = await _setup(sandbox)
    assert "No game can be opened" in answer.text
    assert "Attach Files" in answer.text
    assert "under Permissions" in answer.text


def _lacks(sandbox: SandboxBot, channel: Channel, name: str) -> bool:
    known = sandbox.client.guilds[0].get_channel(channel.id)
    return known is not None and not getattr(known.permissions_for(known.guild.me), name)


# --- where games are opened ------------------------------------------------------------------------------------------


async def test_games_are_opened_in_the_channel_that_was_chosen(sandbox: SandboxBot) -> None:
    assert f"<#{seed.SECOND_ID}>" in (await _setup(sandbox, channel=SECOND)).text
    answer = await _new(sandbox)
    assert f"open in <#{seed.SECOND_ID}>" in answer.text
    [row] = await _lobbies(sandbox)
    assert row.channel_id == seed.SECOND_ID
    assert [m for m in sandbox.person("Ann").messages(SECOND) if m.buttons]


async def test_a_choice_is_undone(sandbox: SandboxBot) -> None:
    await _setup(sandbox, channel=SECOND)
    assert "where they are asked for" in (await _setup(sandbox, back="channel")).text
    await _new(sandbox)
    assert (await _lobbies(sandbox))[0].channel_id == seed.TABLE_ID


async def test_what_is_missing_in_the_channel_that_was_chosen_is_named_elsewhere(sandbox: SandboxBot) -> None:
    await _setup(sandbox, channel=SECOND)
    guild = sandbox.world.guilds[seed.GUILD_ID]
    channel = sandbox.world.channels[seed.SECOND_ID]
    changes.overwrite(sandbox.world, channel, guild.id, deny=permissions.CREATE_THREADS)
    changes.overwrite(sandbox.world, channel, guild.id + seed.BOT_ROLE, deny=permissions.CREATE_THREADS)
    await sandbox.learns(lambda: _lacks(sandbox, channel, "create_public_threads"))
    answer = await _new(sandbox)
    assert "The game was not opened" in answer.text
    assert f"in <#{seed.SECOND_ID}>: the permission Create Public Threads is missing" in answer.text
    assert await _lobbies(sandbox) == []


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (ChannelKind.VOICE, "voice channel has no threads"),
        (ChannelKind.STAGE, "stage takes no threads"),
        (ChannelKind.ANNOUNCEMENT, "game is no announcement"),
        (ChannelKind.CATEGORY, "category takes no messages"),
    ],
)
async def test_channels_of_other_kinds_are_refused_with_the_reason(
    sandbox: SandboxBot, kind: ChannelKind, why: str
) -> None:
    channel = _channel(sandbox, kind, "elsewhere")
    await _known(sandbox, channel)
    assert why in (await _setup(sandbox, channel="elsewhere")).text
    if kind != ChannelKind.CATEGORY:
        assert why in (await _new(sandbox, channel.id)).text
    assert await _lobbies(sandbox) == []


async def test_a_thread_is_refused_with_the_reason(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = await _new(sandbox, game.thread)
    assert "Discord allows none within a thread" in answer.text
    assert await _lobbies(sandbox) == []


async def test_a_game_is_not_started_where_something_is_missing(sandbox: SandboxBot) -> None:
    await _new(sandbox)
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


# --- what else is chosen ---------------------------------------------------------------------------------------------


async def test_a_new_game_plays_what_the_server_has_chosen(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    assert "18TN" in (await _setup(sandbox, title="18tn", profile="18xx.games")).text
    offered = await ann.autocomplete(TABLE, "game new", focused="title", title="")
    assert offered[0] == ("18TN", "18tn")
    assert len(offered) > 1
    await ann.slash(TABLE, "game new", title="18tn")
    [row] = await _lobbies(sandbox)
    assert (row.title, row.profile) == ("18tn", "18xx.games")


async def test_a_title_that_is_not_known_is_not_chosen(sandbox: SandboxBot) -> None:
    answer = await _setup(sandbox, title="monopoly", pings="quiet")
    assert "monopoly" in answer.text
    assert "without a sound" not in (await _setup(sandbox)).text


async def test_quiet_pings_make_no_sound(sandbox: SandboxBot) -> None:
    await _setup(sandbox, pings="quiet")
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    assert sandbox.person("Bob").id in game.turn.mentions
    assert game.turn.flags & MessageFlag.SILENT


async def test_pings_are_loud_where_nothing_was_chosen(sandbox: SandboxBot) -> None:
    game: Seated = await sandbox.game()
    await game.press("Ann", "Pass")
    assert not game.turn.flags & MessageFlag.SILENT


async def test_the_role_of_moderators_is_chosen_here_or_with_mod_role(sandbox: SandboxBot) -> None:
    role = seed.GUILD_ID + seed.PLAYERS_ROLE
    assert f"moderators: <@&{role}>" in (await _setup(sandbox, moderators="Players")).text
    game = await sandbox.game()
    assert "Really end" in (await game.slash("Bob", "mod end")).text
    await sandbox.person("Ann").slash(TABLE, "mod role", without=True)
    assert "members who may manage threads" in (await _setup(sandbox)).text
    assert "Manage Threads" in (await game.slash("Bob", "mod end")).text


async def test_mod_role_shows_the_role_and_erases_it_only_when_asked_by_name(sandbox: SandboxBot) -> None:
    ann, role = sandbox.person("Ann"), f"<@&{seed.GUILD_ID + seed.PLAYERS_ROLE}>"
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role")).text
    assert f"Members with {role}" in (await ann.slash(TABLE, "mod role", role="Players")).text
    for _ in range(2):
        assert f"Members with {role}" in (await ann.slash(TABLE, "mod role")).text
    assert "not both" in (await ann.slash(TABLE, "mod role", role="Players", without=True)).text
    assert f"Members with {role}" in (await ann.slash(TABLE, "mod role", without=False)).text
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role", without=True)).text
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role")).text


async def test_everyone_is_no_role_of_moderators(sandbox: SandboxBot) -> None:
    """Nor is anything else chosen with it."""
    ann = sandbox.person("Ann")
    refused = "Choose a role that only moderators have."
    assert refused in (await ann.slash(TABLE, "mod role", role=seed.GUILD_ID)).text
    assert refused in (await _setup(sandbox, moderators=seed.GUILD_ID, pings="quiet")).text
    assert "members who may manage threads" in (await _setup(sandbox)).text
    assert "without a sound" not in (await _setup(sandbox)).text


async def test_pictures_are_chosen_with_the_rest(sandbox: SandboxBot) -> None:
    assert "pictures: dark" in (await _setup(sandbox, look="dark")).text
    assert await theme_of(sandbox.db, seed.GUILD_ID, None) == "dark"


# --- word for word ---------------------------------------------------------------------------------------------------


class Text(discord.TextChannel):
    """A text channel in which we have these permissions."""

    def __init__(self, held: discord.Permissions = ALL) -> None:
        self.id, self._type, self._held = 5, 0, held
        self.guild: Any = SimpleNamespace(me=None)

    def permissions_for(self, _: object, /) -> discord.Permissions:
        return self._held


class Forum(discord.ForumChannel):
    """A forum in which we have these permissions."""

    def __init__(self, held: discord.Permissions = ALL) -> None:
        self.id, self._held = 6, held
        self.guild: Any = SimpleNamespace(me=None)

    def permissions_for(self, _: object, /) -> discord.Permissions:
        return self._held


def without(*names: str) -> discord.Permissions:
    held = discord.Permissions.all()
    held.update(**dict.fromkeys(names, False))
    return held


def test_what_is_missing_in_a_channel_is_said_and_what_goes_better_with_more() -> None:
    there, pins = (
        "Games can be played in <#{}>: nothing is missing.",
        "With Pin Messages I would pin the board",
    )
    assert _state("It is gone.") == ["**Here no game can be opened.** It is gone."]
    assert _state(Text()) == _state(Text(without("manage_channels"))) == [there.format(5)]
    assert _state(Forum()) == [there.format(6)]
    for channel, begins in (
        (Text(without("pin_messages")), [there.format(5), pins]),
        (
            Forum(without("manage_channels")),
            [there.format(6), "With Manage Channels there I would make tags"],
        ),
        (Text(without("attach_files")), ["**No game can be opened.** "]),
    ):
        lines = _state(channel)
        assert len(lines) == len(begins)
        assert all(line.startswith(begin) for line, begin in zip(lines, begins, strict=True))


def test_games_are_opened_in_the_chosen_channel_else_here_or_it_is_said_why_not() -> None:
    here, chosen = Text(), Forum()
    asked: Any = SimpleNamespace(channel=here)
    guild: Any = SimpleNamespace(get_channel={6: chosen}.get)
    assert _venue(asked, guild, ServerSettings()) is here
    assert _venue(asked, guild, ServerSettings(channel=6)) is chosen
    gone = _venue(asked, guild, ServerSettings(channel=7))
    assert gone == "The channel for games is gone, or I may not see it: choose another."
    asked.channel = None
    assert "or I may not see it" in str(_venue(asked, guild, ServerSettings()))
    asked.channel = object.__new__(discord.StageChannel)
    assert "stage takes no threads" in str(_venue(asked, guild, ServerSettings()))


async def test_a_channel_that_was_typed_is_looked_up_where_it_is_not_known() -> None:
    class Typed(discord.app_commands.AppCommandChannel):
        def __init__(self, known: Any) -> None:
            self._known = known

        def resolve(self) -> Any:
            return self._known

        async def fetch(self) -> Any:
            return Forum()

    assert [await _usable(Typed(known)) for known in (Text(), None)] == [5, 6]
    assert await _usable(Text()) == 5
    with pytest.raises(Refused, match=r"^Nothing was chosen\. .*Attach Files"):
        await _usable(Typed(Text(without("attach_files"))))


def test_a_title_that_is_known_no_more_is_shown_as_it_was_typed() -> None:
    assert [_value(ServerSettings(title=title), "title") for title in ("18tn", "18gone")] == [
        "18TN",
        "18gone",
    ]


def asked_here(service: TableService) -> Any:
    """`/setup` in a text channel of a server where no channel is known by its number."""
    asked: Any = Asked(ANN, "Ann", COMMAND)
    asked.guild_id = GUILD
    asked.guild, asked.channel = SimpleNamespace(id=GUILD, get_channel=lambda _: None), Text()
    asked.client = Client(service.tables)
    return asked


async def test_the_answer_lists_all_choices_or_what_holds_without_one(service: TableService) -> None:
    usual, chosen, back = asked_here(service), asked_here(service), asked_here(service)
    await typed(usual, "setup")
    assert usual.deferred
    assert usual.answers[0].split("\n") == [
        "**Games on this server**",
        "- where: games are opened where they are asked for",
        "- moderators: members who may manage threads moderate games",
        "- pings: the next player is mentioned, as usual",
        "- title: no title is offered before the others",
        "- rules: the rulebook is played",
        "- ratings: games rate nobody",
        "- pictures: as the bot has them",
        "Games can be played in <#5>: nothing is missing.",
        "-# Changed by the parameters of `/setup`; `back:` takes a choice back.",
    ]
    await typed(
        chosen, "setup", moderators=discord.Object(8), pings="quiet", title="18TN", profile="18xx.games",
        ratings="on", channel=Forum(), letters="large",
    )  # fmt: skip
    assert chosen.answers[0].split("\n")[1:-1] == [
        "- where: <#6>",
        "- moderators: <@&8>",
        "- pings: the next player is mentioned without a sound",
        "- title: 18TN",
        "- rules: 18xx.games",
        "- ratings: finished games rate those who have played them, by title",
        "- pictures: light, large text",
        "**Here no game can be opened.** The channel for games is gone, or I may not see it: choose another.",
    ]
    await typed(back, "setup", back="channel")
    assert "- where: games are opened where they are asked for" in back.answers[0]


async def test_a_reading_of_the_rules_is_one_of_a_title_and_a_refusal_chooses_nothing(
    service: TableService,
) -> None:
    for values, why in (
        (
            {"pings": "quiet", "profile": "18xx.games"},
            "A reading of the rules is chosen for a title: say the title, too.",
        ),
        ({"pings": "quiet", "title": "18tn", "profile": "house"}, "18TN has no profile house"),
    ):
        with pytest.raises(Refused, match=why):
            await typed(asked_here(service), "setup", **values)
    assert await server_settings(service.db, GUILD) == ServerSettings()
    await typed(asked_here(service), "setup", title="18tn")
    await typed(asked_here(service), "setup", profile="18xx.games")
    assert await server_settings(service.db, GUILD) == ServerSettings(title="18tn", profile="18xx.games")
    nowhere = asked_here(service)
    nowhere.guild = None
    with pytest.raises(Refused, match="That is for servers"):
        await typed(nowhere, "setup")
