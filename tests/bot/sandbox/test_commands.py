"""Commands as they are registered: what is refused, how many a day, and which are listed where."""

from typing import Any

import aiohttp
import pytest

from bot.sandbox.guild import options, registered_commands, seed
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.registered_commands import check_commands
from bot.sandbox.guild.world import World
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json, Refusal, SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy

SUB, GROUP, STRING, INTEGER, CHANNEL = 1, 2, 3, 4, 7


def command(name: str = "lay", **more: Any) -> Json:
    return {"name": name, "description": "Lay a tile", **more}


def option(kind: int = STRING, name: str = "hex", **more: Any) -> Json:
    return {"type": kind, "name": name, "description": "d", **more}


def choice(name: str = "a", value: str | int = "a") -> Json:
    return {"name": name, "value": value}


def with_options(*given: Json) -> list[Json]:
    return [command(options=list(given))]


LONG = [option(name=f"o{n}", description="x" * 100, choices=[choice(f"{c}" * 50, f"{c}" * 50) for c in range(4)])
        for n in range(20)]  # fmt: skip
REFUSED: dict[str, list[Json]] = {
    "capital letters": [command("Lay")],
    "a name of 33 letters": [command("x" * 33)],
    "a name of two words": [command("lay tile")],
    "no description": [command(description="")],
    "a description of blanks": [command(description="   ")],
    "a description of 101 letters": [command(description="x" * 101)],
    "a name twice": [command(), command()],
    "101 commands": [command(f"c{n}") for n in range(101)],
    "an unknown context": [command(contexts=[3])],
    "no context": [command(contexts=[])],
    "a context twice": [command(contexts=[0, 0])],
    "an unknown installation": [command(integration_types=[2])],
    "permissions in words": [command(default_member_permissions="manage")],
    "26 options": with_options(*(option(name=f"o{n}") for n in range(26))),
    "an option twice": with_options(option(), option()),
    "required after optional": with_options(option(name="a"), option(name="b", required=True)),
    "an unknown kind of option": with_options(option(12)),
    "26 choices": with_options(option(choices=[choice()] * 26)),
    "a choice of 101 letters": with_options(option(choices=[choice("x" * 101)])),
    "choices and suggestions": with_options(option(choices=[choice()], autocomplete=True)),
    "choices of a channel": with_options(option(CHANNEL, choices=[choice()])),
    "suggestions for a channel": with_options(option(CHANNEL, autocomplete=True)),
    "a number among texts": with_options(option(choices=[choice(value=1)])),
    "a text among numbers": with_options(option(INTEGER, choices=[choice(value="1")])),
    "an option beside a subcommand": with_options(option(), option(SUB, "sub")),
    "a group in a group": with_options(option(GROUP, "g", options=[option(GROUP, "h", options=[])])),
    "8000 letters in all": with_options(*LONG),
    "least above most": with_options(option(INTEGER, min_value=5, max_value=1)),
    "a bound beyond whole numbers": with_options(option(INTEGER, max_value=2**53 + 1)),
    "a least value of a text": with_options(option(min_value=1)),
    "a length of a number": with_options(option(INTEGER, max_length=3)),
    "a length below 0": with_options(option(min_length=-1)),
    "a length of 6001": with_options(option(max_length=6001)),
    "a length of 0 at most": with_options(option(max_length=0)),
    "shortest above longest": with_options(option(min_length=5, max_length=4)),
    "kinds of channels of a text": with_options(option(channel_types=[0])),
}


@pytest.mark.parametrize("commands", REFUSED.values(), ids=REFUSED)
def test_command_refused(commands: list[Json]) -> None:
    with pytest.raises(Refusal) as caught:
        check_commands(commands)
    assert caught.value.code == 50035


def test_commands_accepted() -> None:
    sub = option(SUB, "new", options=[option(required=True), option(name="b")])
    taken = [option(min_length=1, max_length=6000), option(INTEGER, "by", min_value=-5, max_value=5),
             option(CHANNEL, "where", channel_types=[0, 15])]  # fmt: skip
    rights: Json = {"contexts": [0, 1], "integration_types": [0], "default_member_permissions": "0"}
    check_commands([*with_options(sub, option(GROUP, "seats", options=[sub])), command("pass", **rights)])
    check_commands([command(options=taken, **rights)])


def test_two_hundred_commands_a_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each server and for all; those that are registered again under their names do not count."""
    some = [command(f"c{number}") for number in range(100)]
    others = [command(f"d{number}") for number in range(100)]
    for commands in (some, some, others, others):
        registered_commands.sync(world, seed.GUILD_ID, commands)
    more = [*others[1:], command("one-more")]
    with pytest.raises(Refusal) as refused:
        registered_commands.sync(world, seed.GUILD_ID, more)
    assert refused.value.code == 30034
    assert len(registered_commands.commands_offered_in(world, seed.GUILD_ID)) == 100
    registered_commands.sync(world, seed.GLOBAL_SCOPE, some)
    monkeypatch.setattr(registered_commands, "DAY_SECONDS", 0)  # time
    registered_commands.sync(world, seed.GUILD_ID, more)


def test_sync_replaces_commands(world: World) -> None:
    before = registered_commands.sync(world, 0, [command("pass"), command("lay")])
    after = registered_commands.sync(world, 0, [command("lay", description="Lay or upgrade")])
    assert [c["name"] for c in registered_commands.commands_offered_in(world, seed.GUILD_ID)] == ["lay"]
    assert after[0]["id"] == before[1]["id"]


def test_commands_of_a_server(world: World) -> None:
    ann, direct = Person.find_by_name(world, "Ann"), world.dm_channel_with(seed.OWNER_ID)
    registered_commands.sync(world, 0, [command("pass"), command("lay")])
    [own] = registered_commands.sync(
        world, seed.GUILD_ID, [command("pass", contexts=[1], integration_types=[0])]
    )
    assert "contexts" not in own
    assert (ann.commands("table"), ann.commands(direct)) == (["lay", "pass", "pass"], ["lay", "pass"])
    registered_commands.sync(world, seed.GUILD_ID, [])
    assert ann.commands("table") == ["lay", "pass"]


async def test_server_command_is_used(server: LoopbackServer, bot: Toy) -> None:
    registered_commands.sync(server.world, seed.GUILD_ID, [command("menu")])
    result = await server.person("Ann").slash("table", "menu")
    assert result.interaction.data["guild_id"] == str(seed.GUILD_ID)
    assert result.text == "choose"  # discord.py falls back to the global one


async def test_sync_needs_membership(server: LoopbackServer, bot: Toy) -> None:
    url = f"{server.url}/api/v10/applications/{seed.APPLICATION_ID}/guilds/77/commands"
    headers = {"Authorization": f"Bot {seed.DUMMY_TOKEN}"}
    async with aiohttp.ClientSession() as session, session.put(url, json=[], headers=headers) as reply:
        assert (reply.status, (await reply.json())["code"]) == (403, 50001)


@pytest.fixture
def typed(world: World) -> World:
    """A world with a command of every kind of option, a group, and one for those who manage the server."""
    definition = [
        option(required=True, autocomplete=True),
        option(INTEGER, "rotation", min_value=0, max_value=5),
        option(5, "sure"),
        option(6, "who"),
        option(STRING, "kind", choices=[choice("A")]),
        option(11, "log"),
    ]
    game = command("game", options=[option(SUB, "new", options=[])], contexts=[0])
    officer = command("officer", default_member_permissions=str(1 << 5))
    registered_commands.sync(world, 0, [*with_options(*definition), game, officer])
    return world


def fill(world: World, **values: Any) -> Json:
    table = world.channel(seed.TABLE_CHANNEL_ID)
    return options.command_interaction_data(
        world, options.find_command(world, "lay", seed.OWNER_ID, table), table, values
    )


def test_options_follow_the_definition(typed: World) -> None:
    bob = Person.find_by_name(typed, "Bob")
    data = fill(typed, rotation="3", hex="  C5 ", sure=True, who=bob, kind="a", log=Upload("l.json", b"{}"))
    values = {o["name"]: o["value"] for o in data["options"]}
    log = values.pop("log")
    assert values == {"hex": "C5", "rotation": 3, "sure": True, "who": str(bob.id), "kind": "a"}
    assert data["resolved"]["users"][str(bob.id)]["global_name"] == "Bob"
    assert data["resolved"]["attachments"][log]["filename"] == "l.json"
    found = typed.file(int(log))
    assert found is not None
    assert found[1] == b"{}"
    del typed.guilds[seed.GUILD_ID].members[bob.id]
    resolved = fill(typed, hex="C5", who=bob)["resolved"]
    assert list(resolved["users"]) == [str(bob.id)]
    assert "members" not in resolved


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "'hex' of /lay is required"),
    ({"hex": "C5", "tile": "9"}, "no option 'tile'"),
    ({"hex": "C5", "rotation": 6}, "from 0 to 5"),
    ({"hex": "C5", "rotation": "up"}, "takes a number"),
    ({"hex": "C5", "sure": "perhaps"}, "true or false"),
    ({"hex": "C5", "who": "Zoe"}, "takes a person"),
    ({"hex": "C5", "kind": "b"}, "takes one of"),
    ({"hex": "C5", "log": "text"}, "takes a file"),
)


@pytest.mark.parametrize(("values", "sentence"), WRONG)
def test_option_refused(typed: World, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SandboxError, match=sentence):
        fill(typed, **values)


async def test_commands_offered(typed: World) -> None:
    table, direct = typed.channel(seed.TABLE_CHANNEL_ID), typed.dm_channel_with(seed.OWNER_ID)
    for name in ("game new", "officer"):
        assert options.find_command(typed, f"/{name}", seed.OWNER_ID, table).name == name
    for name, person, place, why in (
        ("game new", seed.OWNER_ID, direct, "cannot use"),
        ("officer", seed.OWNER_ID + 1, table, "cannot use"),
        ("game", seed.OWNER_ID, table, "no command"),
    ):
        with pytest.raises(SandboxError, match=why):
            options.find_command(typed, name, person, place)
    with pytest.raises(SandboxError, match="no suggestions"):
        await Person.find_by_name(typed, "Ann").autocomplete("table", "lay", focused="rotation")


async def test_nobody_answers_without_a_bot() -> None:
    world = World(answer_seconds=0.0)
    registered_commands.sync(world, 0, [command("pass")])
    result = await Person.find_by_name(world, "Ann").slash("table", "pass")
    assert result.failure_text == "The application did not respond"
