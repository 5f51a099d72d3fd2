"""A kept sandbox, options of commands, and pointing the client."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox.guild import messages, options, registered_commands, seed, threads
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.model import Upload
from bot.sandbox.redirect import point_discord_at, pointed_at
from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy, png

BOT = messages.Origin(seed.BOT_ID)
ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Pass", "custom_id": "g:1:pass"}]}


def fill_world(path: Path) -> World:
    world = World(path)
    table = world.channel(seed.TABLE_ID)
    payload = {"content": f"<@{seed.OWNER_ID}>", "components": [ROW]}
    board = messages.post(world, table, payload, [Upload("map.png", png(2, 3, 9))], BOT)
    messages.pin(world, board)
    thread = threads.open_from_message(world, board, threads.ThreadRequest("game", 1440), seed.BOT_ID)
    messages.post(world, thread, {"content": "inside"}, [], BOT)
    gone = messages.post(world, table, {"content": "gone"}, [], BOT)
    messages.delete(world, gone)
    registered_commands.sync(world, 0, [{"name": "pass", "description": "Pass"}])
    return world


def test_a_stored_world_comes_back(tmp_path: Path) -> None:
    before = fill_world(tmp_path / "sandbox.jsonl")
    after = World(tmp_path / "sandbox.jsonl")
    assert after.messages == before.messages
    assert after.channels == before.channels
    assert after.commands == before.commands
    board = next(iter(after.messages.values()))
    assert after.picture(board.attachments[0]) == png(2, 3, 9)
    assert [b.label for b in board.buttons] == ["Pass"]
    assert after.new_id() > max(before.messages)


def test_a_line_torn_by_a_kill_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.jsonl"
    before = fill_world(path)
    with path.open("a") as lines:
        lines.write('["message", "12')
    assert World(path).messages == before.messages
    assert path.read_text().endswith("\n")


def test_what_was_looked_at_stays_looked_at(tmp_path: Path) -> None:
    world = fill_world(tmp_path / "sandbox.jsonl")
    assert len(world.waiting(seed.OWNER_ID)) == 1
    world.look(seed.OWNER_ID, seed.TABLE_ID)
    assert World(tmp_path / "sandbox.jsonl").waiting(seed.OWNER_ID) == []


async def test_old_buttons_work_after_a_restart_of_everything(tmp_path: Path) -> None:
    fill_world(tmp_path / "sandbox.jsonl")
    async with LoopbackServer(world=World(tmp_path / "sandbox.jsonl")) as server:
        with pointed_at(server.url):
            async with Toy() as bot:
                task = asyncio.create_task(bot.start(server.token))
                await server.ready()
                ann = server.person("Ann")
                post = next(m for m in ann.messages("table") if m.buttons)
                assert (await ann.press(post, "Pass")).text == "Ann passed at 1"
            await task


@pytest.fixture
def world() -> World:
    world = World()
    definition: list[dict[str, Any]] = [
        {"type": 3, "name": "hex", "description": "d", "required": True, "autocomplete": True},
        {"type": 4, "name": "rotation", "description": "d", "min_value": 0, "max_value": 5},
        {"type": 5, "name": "sure", "description": "d"},
        {"type": 6, "name": "who", "description": "d"},
        {"type": 3, "name": "kind", "description": "d", "choices": [{"name": "A", "value": "a"}]},
        {"type": 11, "name": "log", "description": "d"},
    ]
    sub = {"type": 1, "name": "new", "description": "d", "options": []}
    registered_commands.sync(
        world,
        0,
        [
            {"name": "lay", "description": "d", "options": definition},
            {"name": "game", "description": "d", "options": [sub], "contexts": [0]},
            {"name": "officer", "description": "d", "default_member_permissions": str(1 << 5)},
        ],
    )
    return world


def fill(world: World, **values: Any) -> dict[str, Any]:
    table = world.channel(seed.TABLE_ID)
    verb = options.verb_named(world, "lay", seed.OWNER_ID, table)
    return options.fill(world, verb, table, values)


def test_options_follow_the_definition(world: World) -> None:
    bob = Person.named(world, "Bob")
    data = fill(world, rotation="3", hex="C5", sure=True, who=bob, kind="a", log=Upload("l.json", b"{}"))
    values = {o["name"]: o["value"] for o in data["options"]}
    log = values.pop("log")
    assert values == {"hex": "C5", "rotation": 3, "sure": True, "who": str(bob.id), "kind": "a"}
    assert data["resolved"]["users"][str(bob.id)]["global_name"] == "Bob"
    assert data["resolved"]["attachments"][log]["filename"] == "l.json"
    found = world.file(int(log))
    assert found is not None
    assert found[1] == b"{}"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "'hex' of /lay is required"),
        ({"hex": "C5", "tile": "9"}, "no option 'tile'"),
        ({"hex": "C5", "rotation": 6}, "from 0 to 5"),
        ({"hex": "C5", "rotation": "up"}, "takes a number"),
        ({"hex": "C5", "sure": "perhaps"}, "true or false"),
        ({"hex": "C5", "who": "Zoe"}, "takes a person"),
        ({"hex": "C5", "kind": "b"}, "takes one of"),
        ({"hex": "C5", "log": "text"}, "takes a file"),
    ],
)
def test_options_that_the_client_would_not_send(world: World, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SandboxError, match=sentence):
        fill(world, **values)


def test_commands_are_offered_by_place_and_permission(world: World) -> None:
    table, direct = world.channel(seed.TABLE_ID), world.dm_with(seed.OWNER_ID)
    assert options.verb_named(world, "game new", seed.OWNER_ID, table).name == "game new"
    with pytest.raises(SandboxError, match="not offered"):
        options.verb_named(world, "game new", seed.OWNER_ID, direct)
    assert options.verb_named(world, "/officer", seed.OWNER_ID, table).name == "officer"
    with pytest.raises(SandboxError, match="not offered"):
        options.verb_named(world, "officer", Person.named(world, "Bob").id, table)
    with pytest.raises(SandboxError, match="no command"):
        options.verb_named(world, "game", seed.OWNER_ID, table)


async def test_suggestions_only_where_there_are_any(world: World) -> None:
    with pytest.raises(SandboxError, match="no suggestions"):
        await Person.named(world, "Ann").autocomplete("table", "lay", focused="rotation")


async def test_without_a_bot_nothing_answers() -> None:
    world = World(answer_limit=0.0)
    registered_commands.sync(world, 0, [{"name": "pass", "description": "Pass"}])
    result = await Person.named(world, "Ann").slash("table", "pass")
    assert result.failed == "The application did not respond"


def test_pointing_is_undone_and_stays_on_this_machine() -> None:
    before = Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY), discord.Asset.BASE
    with pointed_at("http://127.0.0.1:1830/"):
        assert Route.BASE == "http://127.0.0.1:1830/api/v10"
        assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:1830/gateway"
    assert (Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY), discord.Asset.BASE) == before
    for url in ("https://discord.com", "http://example.org:1830", "127.0.0.1"):
        with pytest.raises(ValueError, match="not an http address of this machine"):
            point_discord_at(url)
