"""The verbs: every action has one, and what Discord limits is kept."""

import inspect
from typing import Any, get_args

from discord import AppCommandOptionType, app_commands

from bot.client.features import COMMANDS
from bot.table.moves.moves import ASIDE
from bot.table.moves.verbs import FOR, SLOTS, VERBS
from engine.core.actions import Action
from engine.titles import TITLES
from tests.bot.support.declared import every_command


def _commands() -> dict[str, app_commands.Command[Any, ..., None]]:
    return {command.name: command for command in COMMANDS if isinstance(command, app_commands.Command)}


def test_every_kind_of_action_has_a_verb_whose_parameters_are_its_slots() -> None:
    commands = _commands()
    for name, verb in VERBS.items():
        typed = {parameter.name for parameter in commands[name].parameters} - {FOR}
        if FOR in SLOTS[verb.kind]:
            typed |= {FOR}
        assert typed | set(verb.fixed) == set(SLOTS[verb.kind]), name
    kinds = {kind.model_fields["kind"].default for kind in get_args(Action)}
    # `/game abandon` puts end_game to the table.
    assert kinds - {verb.kind for verb in VERBS.values()} == ASIDE


def test_every_option_of_an_answer_has_a_verb() -> None:
    pinned = {(verb.kind, value) for verb in VERBS.values() for value in verb.fixed.values()}
    assert {("answer", "agree"), ("answer", "refuse"), ("answer", "withdraw")} <= pinned
    assert {("dividend", "pay"), ("dividend", "withhold")} <= pinned


def test_every_slot_that_is_not_a_route_completes_itself() -> None:
    commands = _commands()
    for name in VERBS:
        for parameter in commands[name].parameters:
            assert parameter.autocomplete or parameter.name == "routes", (name, parameter.name)


def test_the_questions_and_the_lobby_are_there() -> None:
    names = set(_commands())
    assert {
        "status",
        "map",
        "market",
        "company",
        "player",
        "trains",
        "log",
        "why",
        "mine",
        "help",
        "undo",
        "redo",
    } <= names
    group = next(command for command in COMMANDS if command.name == "game")
    assert isinstance(group, app_commands.Group)
    assert {command.name for command in group.commands} == {
        "new", "join", "leave", "options", "seats", "start", "abandon", "repair", "move-here", "list",
        "replace", "pause", "resume", "substitute", "back", "agreement", "propose", "export", "import",
        "settings",
    }  # fmt: skip


def test_seats_have_a_place_for_everybody_at_the_largest_table() -> None:
    most = max(max(title.spec.players) for title in TITLES.values())
    for group in (command for command in COMMANDS if isinstance(command, app_commands.Group)):
        for command in group.commands:
            if command.name == "seats" and isinstance(command, app_commands.Command):
                named = [p for p in command.parameters if p.type is AppCommandOptionType.user]
                assert len(named) >= most, group.name


def test_commands_work_in_servers_only() -> None:
    for command in COMMANDS:
        assert command.guild_only or command.name in ("help", "mine", "privacy", "pings", "away")


def test_a_command_is_described_by_its_docstring() -> None:
    """In a whole sentence that Discord takes."""
    for command in every_command():
        said, doc = command.description, inspect.getdoc(command.callback)
        assert doc in (said, None), command.qualified_name  # commands of moves have no docstring
        assert said.endswith(".")
        assert len(said) <= 100
