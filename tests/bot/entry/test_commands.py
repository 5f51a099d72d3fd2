"""Commands: what is declared, how Discord registers it, and that each is acknowledged before anything is looked up."""

import asyncio
import inspect
import logging
from typing import Any, Final, get_args

import pytest
from discord import AppCommandOptionType, app_commands

from bot.client.app import Stationmaster
from bot.client.features import COMMANDS
from bot.sandbox.guild import seed
from bot.sandbox.guild.interactions import ResponseKind
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON
from bot.table.moves.verbs import (
    MAX_DETAILS_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MOVE_COMMANDS,
    POWER_PARAMETER,
    SLOTS_BY_ACTION_KIND,
    VERBS_WITH_OWN_COMMAND,
)
from bot.table.rate_limits import RateLimiter
from engine.core.actions import Action
from engine.titles import TITLES
from storage import open_database
from tests.bot.support.declared import every_command
from tests.bot.support.sandbox_bot import AT_A_RUN, SandboxBot

EVERYWHERE: Final = 0
DECLARED: Final = {command.qualified_name: command for command in every_command()}
IN_MESSAGES_TOO: Final = {"help", "mine", "privacy", "pings", "away"}


def test_commands_work_in_servers() -> None:
    assert {command.name for command in COMMANDS if not command.guild_only} == IN_MESSAGES_TOO


def test_descriptions_are_sentences() -> None:
    for name, command in DECLARED.items():
        said, doc = command.description, inspect.getdoc(command.callback)
        assert doc in (said, None), name  # commands of moves have no docstring
        assert said.endswith("."), name
        assert len(said) <= 100, name


def test_every_action_has_a_verb() -> None:
    kinds = {kind.model_fields["kind"].default for kind in get_args(Action)}
    assert kinds - {verb.kind for verb in MOVE_COMMANDS.values()} == KINDS_WITHOUT_BUTTON
    pinned = {(verb.kind, value) for verb in MOVE_COMMANDS.values() for value in verb.fixed_values.values()}
    assert {("answer", "agree"), ("answer", "refuse"), ("answer", "withdraw")} <= pinned
    assert {("dividend", "pay"), ("dividend", "withhold")} <= pinned


@pytest.mark.parametrize("name", VERBS_WITH_OWN_COMMAND)
def test_options_of_moves(name: str) -> None:
    """They are the slots of the action, as the verb describes them; all but routes complete what is typed."""
    verb, options = MOVE_COMMANDS[name], DECLARED[name].parameters
    private = {POWER_PARAMETER} - set(SLOTS_BY_ACTION_KIND[verb.kind])
    assert ({one.name for one in options} - private) | set(verb.fixed_values) == set(
        SLOTS_BY_ACTION_KIND[verb.kind]
    )
    told = [(one.name, str(one.description), one.required) for one in options]
    assert told == [(one.name, one.description, one.is_required) for one in verb.parameters]
    assert all(one.default is None for one in options if not one.required)
    assert all(one.autocomplete == (one.name != "routes") for one in options)


@pytest.mark.parametrize(
    ("command", "option", "limits"),
    [
        ("game join", "number", (1, 1_000_000_000)),
        ("game options", "options", (1, 300)),
        ("game new", "title", (1, MAX_NAME_LENGTH)),
        ("game pause", "days", (1, 365)),
        ("undo", "to", (0, MAX_NUMBER)),
        ("why", "details", (1, MAX_DETAILS_LENGTH)),
        ("bid", "amount", (0, MAX_NUMBER)),
        ("lay", "hex", (1, MAX_NAME_LENGTH)),
        ("lay", "rotation", (0, MAX_NUMBER)),
        ("run", "routes", (1, MAX_DETAILS_LENGTH)),
    ],
)
def test_limits_of_options(command: str, option: str, limits: tuple[int | None, int | None]) -> None:
    found = next(one for one in DECLARED[command].parameters if one.name == option)
    assert (found.min_value, found.max_value) == limits


@pytest.mark.parametrize("group", ["game", "mod"])
def test_seats_for_the_largest_table(group: str) -> None:
    people = [one for one in DECLARED[f"{group} seats"].parameters if one.type is AppCommandOptionType.user]
    assert len(people) >= max(max(title.spec.players) for title in TITLES.values())


# --- registering -----------------------------------------------------------------------------------------------------


async def start_for(sandbox: SandboxBot, guild: int | None) -> None:
    """Start a bot for one server or all, as far as its commands go, and stop it again."""
    async with await open_database(sandbox.database) as db:
        client = Stationmaster(db, guild=guild, rate_limiter=RateLimiter(AT_A_RUN))
        await client.login(sandbox.server.token)
        await client.close()


def names(sandbox: SandboxBot, place: int) -> set[str]:
    return {command["name"] for command in sandbox.world.commands.get(place, [])}


def syncs(sandbox: SandboxBot) -> int:
    return sum("PUT" in str(request) and "/commands" in str(request) for request in sandbox.server.requests)


async def test_registering_for_one_server(sandbox: SandboxBot) -> None:
    """Its commands take the place of those for all, and back; what did not change is not sent again."""
    await sandbox.stop()
    everything = names(sandbox, EVERYWHERE)
    assert {"game", "pass", "mine"} <= everything
    await start_for(sandbox, seed.GUILD_ID)
    assert (names(sandbox, EVERYWHERE), names(sandbox, seed.GUILD_ID)) == (set(), everything)
    before = syncs(sandbox)
    await start_for(sandbox, seed.GUILD_ID)
    assert syncs(sandbox) == before
    await start_for(sandbox, None)
    assert (names(sandbox, EVERYWHERE), names(sandbox, seed.GUILD_ID)) == (everything, set())


async def test_refused_registration_is_tried_again(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    await sandbox.stop()
    sandbox.server.faults.fail("/commands", status=400, code=30034)
    with caplog.at_level(logging.ERROR, logger="stationmaster"):
        await start_for(sandbox, seed.GUILD_ID)
    refused = [
        record for record in caplog.records if "Discord refuses the slash commands" in record.getMessage()
    ]
    assert [record.exc_info for record in refused] == [None]
    assert names(sandbox, seed.GUILD_ID) == set()
    assert "pass" in names(sandbox, EVERYWHERE)
    await start_for(sandbox, seed.GUILD_ID)
    assert "pass" in names(sandbox, seed.GUILD_ID)


# --- answering in time -----------------------------------------------------------------------------------------------

AT_ONCE: Final = {"help", "privacy"}
NEEDS_A_FILE: Final = {"game import"}
OWNERS: Final = {"health"}


def given(command: app_commands.Command[Any, ..., Any]) -> dict[str, Any]:
    kinds: dict[Any, Any] = {AppCommandOptionType.user: seed.OWNER_ID, AppCommandOptionType.integer: 1}
    chosen: dict[str, Any] = {one.name: one.choices[0].value for one in command.parameters if one.choices}
    return {one.name: kinds.get(one.type, "x") for one in command.parameters if one.required} | chosen


@pytest.mark.usefixtures("undrawn")
async def test_commands_are_acknowledged_first(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord waits three seconds; here the game cannot be read until all of them are acknowledged."""
    game, ann = await sandbox.game(), sandbox.person("Ann")
    asked = sorted(DECLARED.keys() - AT_ONCE - NEEDS_A_FILE - OWNERS)
    monkeypatch.setattr("bot.client.entry.replies.ACK_AFTER_SECONDS", 0.0)
    before = set(sandbox.world.interactions)
    async with sandbox.client.tables.reading(game.number):
        tasks = [asyncio.create_task(ann.slash(game.thread, one, **given(DECLARED[one]))) for one in asked]
        await sandbox.world.wait_until(
            lambda: (
                len(new := sandbox.world.interactions.keys() - before) == len(asked)
                and all(sandbox.world.interactions[one].response_kind for one in new)
            ),
            timeout=10,
        )
        found = [sandbox.world.interactions[one] for one in sandbox.world.interactions if one not in before]
        answers = {
            str(one.data): one.response_kind for one in found if one.response_kind != ResponseKind.DEFER
        }
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (len(found), answers) == (len(asked), {})


async def test_mine_in_direct_messages(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    for name in AT_ONCE:
        known = await ann.slash(game.thread, name)
        assert known.interaction.response_kind == ResponseKind.MESSAGE
    result = await ann.slash(sandbox.world.dm_channel_with(ann.id), "mine")
    assert f"<#{game.thread}>: your turn" in result.text
