"""Commands as they are registered: what is refused, how many a day, and which are listed where."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from bot.sandbox.guild import options, registered_commands, seed
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.registered_commands import check_commands
from bot.sandbox.guild.world import World
from bot.sandbox.refusal import Json, Refusal
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy

CHANNEL, INTEGER, STRING = 7, 4, 3


def command(name: str = "lay", **more: Any) -> Json:
    return {"name": name, "description": "Lay a tile", **more}


def option(kind: int = STRING, **more: Any) -> Json:
    return {"type": kind, "name": "hex", "description": "d", **more}


REFUSED = (
    ("contexts that there are not", command(contexts=[3])),
    ("no context at all", command(contexts=[])),
    ("a context twice", command(contexts=[0, 0])),
    ("a way of installing that there is not", command(integration_types=[2])),
    ("a description of blanks", command(description="   ")),
    ("permissions that are no number", command(default_member_permissions="manage")),
    ("a kind of option that there is not", command(options=[option(12)])),
    ("least above most", command(options=[option(INTEGER, min_value=5, max_value=1)])),
    ("a bound beyond whole numbers", command(options=[option(INTEGER, max_value=2**53 + 1)])),
    ("a least value of a text", command(options=[option(min_value=1)])),
    ("a length of a number", command(options=[option(INTEGER, max_length=3)])),
    ("a length below none", command(options=[option(min_length=-1)])),
    ("a length of over 6000", command(options=[option(max_length=6001)])),
    ("a length of nothing at most", command(options=[option(max_length=0)])),
    ("the shortest above the longest", command(options=[option(min_length=5, max_length=4)])),
    ("kinds of channels of a text", command(options=[option(channel_types=[0])])),
    ("choices of a channel", command(options=[option(CHANNEL, choices=[{"name": "a", "value": "a"}])])),
    ("suggestions for a channel", command(options=[option(CHANNEL, autocomplete=True)])),
    ("a number among texts", command(options=[option(choices=[{"name": "a", "value": 1}])])),
    ("a text among numbers", command(options=[option(INTEGER, choices=[{"name": "a", "value": "1"}])])),
)


@pytest.mark.parametrize("refused", [each for _, each in REFUSED], ids=[name for name, _ in REFUSED])
def test_refused(refused: Json) -> None:
    with pytest.raises(Refusal) as caught:
        check_commands([refused])
    assert caught.value.code == 50035


def test_accepted() -> None:
    check_commands(
        [
            command(
                contexts=[0, 1],
                integration_types=[0],
                default_member_permissions="0",
                options=[
                    option(min_length=1, max_length=6000),
                    {**option(INTEGER, min_value=-5, max_value=5), "name": "by"},
                    {**option(CHANNEL, channel_types=[0, 15]), "name": "where"},
                ],
            )
        ]
    )


def test_two_hundred_commands_a_day_are_created_in_a_server_and_for_all(world: World) -> None:
    """Those that are registered again under their names do not count."""
    some = [command(f"c{number}") for number in range(100)]
    others = [command(f"d{number}") for number in range(100)]
    for commands in (some, some, others, others):
        registered_commands.sync(world, seed.GUILD_ID, commands)
    with pytest.raises(Refusal) as refused:
        registered_commands.sync(world, seed.GUILD_ID, [*others[1:], command("one-more")])
    assert refused.value.code == 30034
    assert len(registered_commands.listed(world, seed.GUILD_ID)) == 100
    registered_commands.sync(world, seed.EVERYWHERE, some)


def test_the_count_of_created_commands_expires_after_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registered_commands, "CREATIONS", 1)
    registered_commands.sync(world, 0, [command("a")])
    with pytest.raises(Refusal):
        registered_commands.sync(world, 0, [command("b")])
    monkeypatch.setattr(registered_commands, "DAY_SECONDS", 0)
    registered_commands.sync(world, 0, [command("b")])


def test_a_command_of_a_server_and_one_for_all_of_one_name_are_both_listed(world: World) -> None:
    registered_commands.sync(world, 0, [command("pass"), command("lay")])
    registered_commands.sync(world, seed.GUILD_ID, [command("pass")])
    assert Person.named(world, "Ann").commands("table") == ["lay", "pass", "pass"]
    direct = world.dm_with(seed.OWNER_ID)
    assert Person.named(world, "Ann").commands(direct) == ["lay", "pass"]
    registered_commands.sync(world, seed.GUILD_ID, [])
    assert Person.named(world, "Ann").commands("table") == ["lay", "pass"]


def test_what_a_new_set_does_not_name_is_deleted_and_what_it_names_keeps_its_number(world: World) -> None:
    before = registered_commands.sync(world, 0, [command("pass"), command("lay")])
    after = registered_commands.sync(world, 0, [command("lay", description="Lay or upgrade")])
    assert [c["name"] for c in registered_commands.listed(world, seed.GUILD_ID)] == ["lay"]
    assert after[0]["id"] == before[1]["id"]


def test_places_and_installation_hold_for_global_commands_only(world: World) -> None:
    [own] = registered_commands.sync(world, seed.GUILD_ID, [command(contexts=[1], integration_types=[0])])
    assert "contexts" not in own
    assert Person.named(world, "Ann").commands("table") == ["lay"]


async def test_a_command_of_a_server_says_so_when_it_is_used(server: LoopbackServer, bot: Toy) -> None:
    registered_commands.sync(server.world, seed.GUILD_ID, [command("menu")])
    result = await server.person("Ann").slash("table", "menu")
    assert result.interaction.data["guild_id"] == str(seed.GUILD_ID)
    assert result.text == "choose"  # discord.py falls back to the global one


async def test_commands_are_registered_where_the_bot_is(server: LoopbackServer, bot: Toy) -> None:
    url = f"{server.url}/api/v10/applications/{seed.APPLICATION_ID}/guilds/77/commands"
    headers = {"Authorization": f"Bot {seed.DUMMY_TOKEN}"}
    async with aiohttp.ClientSession() as session, session.put(url, json=[], headers=headers) as reply:
        assert (reply.status, (await reply.json())["code"]) == (403, 50001)


def test_what_is_typed_is_trimmed(world: World) -> None:
    registered_commands.sync(world, 0, [command(options=[option()])])
    table = world.channel(seed.TABLE_ID)
    verb = options.verb_named(world, "lay", seed.OWNER_ID, table)
    assert options.fill(world, verb, table, {"hex": "  C5 "})["options"][0]["value"] == "C5"


def test_a_member_of_another_server_comes_without_membership(world: World) -> None:
    registered_commands.sync(world, 0, [command(options=[option(6)])])
    table = world.channel(seed.TABLE_ID)
    del world.guilds[seed.GUILD_ID].members[seed.OWNER_ID + 1]
    verb = options.verb_named(world, "lay", seed.OWNER_ID, table)
    resolved = options.fill(world, verb, table, {"hex": "Bob"})["resolved"]
    assert "members" not in resolved
    assert resolved["users"][str(seed.OWNER_ID + 1)]["global_name"] == "Bob"
