"""The commands that make moves, built from the table of moves."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Complete, Verbal, entity, slot
from bot.client.entry.rights import needs
from bot.table.moves.moves import Typed
from bot.table.moves.verbs import FOR, SLOTS, VERBS, Parameter, Verb

Given: TypeAlias = Mapping[str, str | int | None]
"""What was typed, by parameter."""
Body: TypeAlias = Callable[[BotInteraction, Verb, Given], Awaitable[None]]
UNCOMPLETED: Final = frozenset({"routes"})
"""Parameters without autocomplete."""


async def make(interaction: BotInteraction, verb: Verb, typed: Given) -> None:
    """Make the move that a verb and the typed values describe, in the game of this thread."""
    slots = {**verb.fixed, **typed}
    private = None if FOR in SLOTS[verb.kind] else slots.pop(FOR, None)
    move = Typed(verb.kind, slots, None if private is None else str(private))
    await interaction.client.flows.typed(interaction, game_here(interaction), move)


async def run(interaction: BotInteraction, verb: Verb, typed: Given) -> None:
    """Run the typed routes, or show the best ones."""
    if typed["routes"] is None:
        await interaction.client.wizard.runs(interaction, game_here(interaction))
    else:
        await make(interaction, verb, typed)


BODIES: Final[Mapping[str, Body]] = {"run": run}
"""Commands that do something else than make the move at once."""


def _command(name: str, verb: Verb, body: Body) -> Verbal:
    async def callback(interaction: BotInteraction, **typed: str | int | None) -> None:
        await body(interaction, verb, typed)

    signed: Any = callback
    signed.__signature__ = _signature(verb)
    described = app_commands.describe(**{one.name: one.about for one in verb.parameters})(signed)
    completed = app_commands.autocomplete(**_completions(name, verb))(described)
    declare = app_commands.command(name=name, description=f"{verb.says}.", extras=needs("play"))
    command: Verbal = app_commands.guild_only(declare(completed))
    return command


def _signature(verb: Verb) -> inspect.Signature:
    """The signature from which discord.py reads the parameters of a command."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([first, *(_parameter(one) for one in verb.parameters)])


def _parameter(typed: Parameter) -> inspect.Parameter:
    annotation: Any = typed.type
    if typed.most is not None:
        annotation = app_commands.Range[typed.type, 1 if typed.type is str else 0, typed.most]
    return inspect.Parameter(
        typed.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        annotation=annotation if typed.required else annotation | None,
        default=inspect.Parameter.empty if typed.required else None,
    )


def _completions(name: str, verb: Verb) -> dict[str, Complete]:
    """What completes each parameter: the legal values of its slot, or the privates by which it may be done."""
    return {
        one.name: entity(name) if one.name == FOR and FOR not in SLOTS[verb.kind] else slot(name, one.name)
        for one in verb.parameters
        if one.name not in UNCOMPLETED
    }


COMMANDS: Final[tuple[Verbal, ...]] = tuple(
    _command(name, verb, BODIES.get(name, make)) for name, verb in VERBS.items()
)
"""A command for every verb."""
