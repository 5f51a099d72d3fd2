"""What a server chooses, and what is missing for games there, said before anything is made."""

import pytest

from bot.sandbox.guild import changes, permissions, seed
from bot.sandbox.guild.person import Result
from bot.sandbox.model import Channel, ChannelKind, Flag
from bot.sandbox.refusal import SandboxError
from storage import games
from tests.bot.support.harness import TABLE, House, Seated

SECOND = "second-table"


async def _setup(house: House, **values: object) -> Result:
    return await house.person("Ann").slash(TABLE, "setup", **values)


async def _new(house: House, where: str | int = TABLE, **values: object) -> Result:
    return await house.person("Ann").slash(where, "game new", **{"title": "18chesapeake", **values})


def _channel(house: House, kind: ChannelKind, name: str) -> Channel:
    return changes.add_channel(house.world, house.world.guilds[seed.GUILD_ID], kind, name)


async def _known(house: House, channel: Channel) -> None:
    """Wait until the bot has heard of a channel."""
    await house.learns(lambda: house.client.get_channel(channel.id) is not None)


async def _lobbies(house: House) -> list[games.Game]:
    return await games.games_in(house.db, "lobby")


# --- who, and what is shown ------------------------------------------------------------------------------------------


async def test_setup_shows_what_holds_and_that_nothing_is_missing(house: House) -> None:
    told = await _setup(house)
    assert "games are opened where they are asked for" in told.text
    assert "members who may manage threads moderate games" in told.text
    assert "nothing is missing" in told.text
    assert told.public == []


async def test_only_who_manages_the_server_is_offered_it(house: House) -> None:
    """Administrators may offer it to others, whom the bot refuses: `tests/bot/entry/test_rights.py`."""
    with pytest.raises(SandboxError, match="not offered to this person"):
        await house.person("Bob").slash(TABLE, "setup", pings="quiet")


async def test_setup_names_what_is_missing_and_how_it_is_given(house: House) -> None:
    guild = house.world.guilds[seed.GUILD_ID]
    channel = house.world.channels[seed.TABLE_ID]
    changes.overwrite(house.world, channel, guild.id + seed.BOT_ROLE, deny=permissions.ATTACH_FILES)
    await house.learns(lambda: _lacks(house, channel, "attach_files"))
    told = await _setup(house)
    assert "No game can be opened" in told.text
    assert "Attach Files" in told.text
    assert "under Permissions" in told.text


def _lacks(house: House, channel: Channel, name: str) -> bool:
    known = house.client.guilds[0].get_channel(channel.id)
    return known is not None and not getattr(known.permissions_for(known.guild.me), name)


# --- where games are opened ------------------------------------------------------------------------------------------


async def test_games_are_opened_in_the_channel_that_was_chosen(house: House) -> None:
    assert f"<#{seed.SECOND_ID}>" in (await _setup(house, channel=SECOND)).text
    told = await _new(house)
    assert f"open in <#{seed.SECOND_ID}>" in told.text
    [row] = await _lobbies(house)
    assert row.channel_id == seed.SECOND_ID
    assert [m for m in house.person("Ann").messages(SECOND) if m.buttons]


async def test_a_choice_is_undone(house: House) -> None:
    await _setup(house, channel=SECOND)
    assert "where they are asked for" in (await _setup(house, back="channel")).text
    await _new(house)
    assert (await _lobbies(house))[0].channel_id == seed.TABLE_ID


async def test_what_is_missing_in_the_channel_that_was_chosen_is_named_elsewhere(house: House) -> None:
    await _setup(house, channel=SECOND)
    guild = house.world.guilds[seed.GUILD_ID]
    channel = house.world.channels[seed.SECOND_ID]
    changes.overwrite(house.world, channel, guild.id, deny=permissions.CREATE_THREADS)
    changes.overwrite(house.world, channel, guild.id + seed.BOT_ROLE, deny=permissions.CREATE_THREADS)
    await house.learns(lambda: _lacks(house, channel, "create_public_threads"))
    told = await _new(house)
    assert "The game was not opened" in told.text
    assert f"in <#{seed.SECOND_ID}>: the permission Create Public Threads is missing" in told.text
    assert await _lobbies(house) == []


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
    house: House, kind: ChannelKind, why: str
) -> None:
    channel = _channel(house, kind, "elsewhere")
    await _known(house, channel)
    assert why in (await _setup(house, channel="elsewhere")).text
    if kind != ChannelKind.CATEGORY:
        assert why in (await _new(house, channel.id)).text
    assert await _lobbies(house) == []


async def test_a_thread_is_refused_with_the_reason(house: House) -> None:
    game = await house.game()
    told = await _new(house, game.thread)
    assert "Discord allows none within a thread" in told.text
    assert await _lobbies(house) == []


async def test_a_game_is_not_started_where_something_is_missing(house: House) -> None:
    await _new(house)
    await house.person("Bob").press(house.lobby(), "Join")
    house.world.withheld = permissions.CREATE_THREADS
    told = await house.person("Ann").press(house.lobby(), "Start")
    assert await house.hears(told, "The game was not started")
    assert "Create Public Threads" in told.text
    assert (await games.get_game(house.db, 1)).status == "lobby"
    house.world.withheld = 0
    await house.person("Ann").press(house.lobby(), "Start")
    await house.settled()
    assert (await games.get_game(house.db, 1)).status == "running"


# --- what else is chosen ---------------------------------------------------------------------------------------------


async def test_a_new_game_plays_what_the_server_has_chosen(house: House) -> None:
    ann = house.person("Ann")
    assert "18TN" in (await _setup(house, title="18tn", profile="18xx.games")).text
    offered = await ann.autocomplete(TABLE, "game new", focused="title", title="")
    assert offered[0] == ("18TN", "18tn")
    assert len(offered) > 1
    await ann.slash(TABLE, "game new", title="18tn")
    [row] = await _lobbies(house)
    assert (row.title, row.profile) == ("18tn", "18xx.games")


async def test_a_title_that_is_not_known_is_not_chosen(house: House) -> None:
    told = await _setup(house, title="monopoly", pings="quiet")
    assert "monopoly" in told.text
    assert "without a sound" not in (await _setup(house)).text


async def test_quiet_pings_make_no_sound(house: House) -> None:
    await _setup(house, pings="quiet")
    game = await house.game()
    await game.press("Ann", "Pass")
    assert house.person("Bob").id in game.turn.mentions
    assert game.turn.flags & Flag.SILENT


async def test_pings_are_loud_where_nothing_was_chosen(house: House) -> None:
    game: Seated = await house.game()
    await game.press("Ann", "Pass")
    assert not game.turn.flags & Flag.SILENT


async def test_the_role_of_moderators_is_chosen_here_or_with_mod_role(house: House) -> None:
    role = seed.GUILD_ID + seed.PLAYERS_ROLE
    assert f"moderators: <@&{role}>" in (await _setup(house, moderators="Players")).text
    game = await house.game()
    assert "Really end" in (await game.slash("Bob", "mod end")).text
    await house.person("Ann").slash(TABLE, "mod role", without=True)
    assert "members who may manage threads" in (await _setup(house)).text
    assert "Manage Threads" in (await game.slash("Bob", "mod end")).text


async def test_mod_role_shows_the_role_and_erases_it_only_when_asked_by_name(house: House) -> None:
    ann, role = house.person("Ann"), f"<@&{seed.GUILD_ID + seed.PLAYERS_ROLE}>"
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role")).text
    assert f"Members with {role}" in (await ann.slash(TABLE, "mod role", role="Players")).text
    for _ in range(2):
        assert f"Members with {role}" in (await ann.slash(TABLE, "mod role")).text
    assert "not both" in (await ann.slash(TABLE, "mod role", role="Players", without=True)).text
    assert f"Members with {role}" in (await ann.slash(TABLE, "mod role", without=False)).text
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role", without=True)).text
    assert "No role is chosen" in (await ann.slash(TABLE, "mod role")).text


async def test_pictures_are_chosen_with_the_rest(house: House) -> None:
    assert "pictures: dark" in (await _setup(house, look="dark")).text
    assert await house.client.themes.chosen(seed.GUILD_ID, None) == "dark"
