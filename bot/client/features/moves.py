"""Moves: commands, one-click buttons, confirmations, and answers."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import CANCEL_ID, KEY, POSITION, Button, button, cancel_button, view_of
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_pressed, reply, report_if_cancelled, stored_but_not_shown
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_showable
from bot.client.features.next_game import lead_on, next_game_button
from bot.client.game_texts import LONGEST_MESSAGE, unshown
from bot.client.parameters import Complete, Verbal, complete_entity, complete_slot
from bot.client.turn_panel import MOVE_ID
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.moves.moves import OneClickMove, TypedMove, confirm_question, typed_move
from bot.table.moves.verbs import FOR, SLOTS, VERBS, Parameter, Verb
from bot.table.tables import Outcome
from engine import PlayerId

# --- the commands, built from the table of verbs ---------------------------------------------------------------------

Given: TypeAlias = Mapping[str, str | int | None]
"""Typed values, by parameter."""
Body: TypeAlias = Callable[[BotInteraction, Verb, Given], Awaitable[None]]
UNCOMPLETED: Final = frozenset({"routes"})
"""Parameters without autocomplete."""
WITH_MENUS: Final = frozenset({"run"})
"""Commands that do more than make the move that is typed (`wizard.py`)."""


async def make(interaction: BotInteraction, verb: Verb, typed: Given) -> None:
    """Make the typed move, or ask for confirmation; the answer repeats its effect."""
    slots = {**verb.fixed, **typed}
    private = None if FOR in SLOTS[verb.kind] else slots.pop(FOR, None)
    move = TypedMove(verb.kind, slots, None if private is None else str(private))
    tables, user_id, game_id = interaction.client.tables, interaction.user.id, game_here(interaction)
    await defer(interaction)
    require_showable(interaction)
    cached = tables.cached(game_id)
    # Most moves need no question, and a game in memory says so without a round trip to the database.
    if cached is None or _confirming(cached, user_id, move) is not None:
        async with tables.reading(game_id) as live:
            risky, seq = _to_confirm(live, user_id, move), live.seq
        if risky is not None:
            await ask_first(interaction, game_id, seq, risky)
            return
    async with report_if_cancelled(interaction):
        outcome = await tables.submit(game_id, user_id, move)
    with stored_but_not_shown(outcome.stored_text()):
        await interaction.client.turns.show_next(interaction, game_id)
        view = await next_game_button(tables, user_id, game_id)
        await reply(interaction, answer(interaction, game_id, outcome), view=view)


def verb_command(name: str, body: Body = make) -> Verbal:
    """The command of a verb, with its parameters and description."""
    verb = VERBS[name]

    async def callback(interaction: BotInteraction, **typed: str | int | None) -> None:
        await body(interaction, verb, typed)

    signed: Any = callback
    signed.__signature__ = _signature(verb)
    described = app_commands.describe(
        **{parameter.name: parameter.description for parameter in verb.parameters}
    )(signed)
    completed = app_commands.autocomplete(**_completions(name, verb))(described)
    declare = app_commands.command(name=name, description=f"{verb.description}.", extras=needs("play"))
    command: Verbal = app_commands.guild_only(declare(completed))
    return command


def _signature(verb: Verb) -> inspect.Signature:
    """The signature from which discord.py reads a command's parameters."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([first, *(_parameter(parameter) for parameter in verb.parameters)])


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
    """Completions of each parameter: legal values of its slot, or helping privates."""
    return {
        parameter.name: complete_entity(name)
        if parameter.name == FOR and FOR not in SLOTS[verb.kind]
        else complete_slot(name, parameter.name)
        for parameter in verb.parameters
        if parameter.name not in UNCOMPLETED
    }


COMMANDS: Final[tuple[Verbal, ...]] = tuple(verb_command(name) for name in VERBS if name not in WITH_MENUS)
"""A command for every other verb."""


def _confirming(live: LiveGame, user_id: int, move: TypedMove) -> PlayerId | None:
    """The player who may have to confirm such a move; None if no confirmation is needed."""
    player = live.player_of(user_id)
    offers = () if player is None else live.game.offers(player, move.kind)
    return player if any(offer.confirm for offer in offers) else None


def _to_confirm(live: LiveGame, user_id: int, move: TypedMove) -> OneClickMove | None:
    """The typed move, if it needs confirmation; raises IllegalAction, Refused."""
    player = _confirming(live, user_id, move)
    if player is None:
        return None
    quick = typed_move(live.game, player, move)
    return quick if quick.confirm else None


# --- the buttons -----------------------------------------------------------------------------------------------------


class MoveButton(Component):
    """The button of a one-click move on a turn message."""

    template = MOVE_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, or ask for confirmation."""
        require_showable(interaction)
        quick = await _move_meant(interaction, self.game, self.seq, self.key)
        if quick.confirm:
            await ask_first(interaction, self.game, self.seq, quick)
            return
        outcome = await _make_quick(interaction, self.game, self.seq, quick)
        with stored_but_not_shown(outcome.stored_text()):
            await interaction.client.turns.show_next(interaction, self.game)
            await say_trouble(interaction, self.game, outcome)
            await lead_on(interaction, self.game)


async def ask_first(interaction: BotInteraction, game_id: int, seq: int, quick: OneClickMove) -> None:
    """Ask a player to confirm a move that gives up more than money."""
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        tables.require_seq(live, seq)
        queue, position = move_queue(live), live.game.dump()
    question = await ask_position(tables.workers, queue, position, confirm_question, quick)
    buttons = [confirm_button(game_id, seq, quick.key, quick.label), cancel_button(game_id)]
    await reply(interaction, question, view=view_of(buttons))


class ConfirmButton(Component):
    """The *Yes* button for an irreversible move."""

    template = rf"y:{POSITION}:{KEY}"
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, and show its effect in place of the question."""
        require_showable(interaction)
        quick = await _move_meant(interaction, self.game, self.seq, self.key)
        outcome = await _make_quick(interaction, self.game, self.seq, quick)
        with stored_but_not_shown(outcome.stored_text()):
            text = answer(interaction, self.game, outcome)[:LONGEST_MESSAGE]
            view = await next_game_button(interaction.client.tables, interaction.user.id, self.game)
            await edit_pressed(interaction, content=text, view=view)
            await interaction.client.turns.show_next(interaction, self.game)


def confirm_button(game: int, seq: int, key: str, label: str) -> Button:
    """The *Yes* button for an irreversible move."""
    return button(f"y:{game}:{seq}:{key}", label, discord.ButtonStyle.danger)


class CancelButton(Component):
    """The *No* button of a question."""

    template = CANCEL_ID
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        await edit_pressed(interaction, content="Nothing was done.", view=None)


async def _move_meant(interaction: BotInteraction, game_id: int, seq: int, key: str) -> OneClickMove:
    """A button's move, if it is the user's; best routes are searched outside the lock."""
    buttons, tables = interaction.client.buttons, interaction.client.tables
    await buttons.search(game_id)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        tables.require_seq(live, seq)
        return await buttons.move_of_button(live, player, key)


async def _make_quick(interaction: BotInteraction, game_id: int, seq: int, quick: OneClickMove) -> Outcome:
    async with report_if_cancelled(interaction):
        outcome = await interaction.client.tables.submit(game_id, interaction.user.id, quick, seq)
    return outcome


# --- the answers -----------------------------------------------------------------------------------------------------


def answer(interaction: BotInteraction, game_id: int, outcome: Outcome) -> str:
    """Answer to a move, with the reason if the thread does not show it."""
    trouble = interaction.client.delivery_problems.problem_of(game_id)
    return outcome.answer_text() if trouble is None else f"{outcome.answer_text()}\n{unshown(trouble)}"


async def say_trouble(interaction: BotInteraction, game_id: int, outcome: Outcome) -> None:
    """Reply that a move is stored but not shown in the thread."""
    trouble = interaction.client.delivery_problems.problem_of(game_id)
    if trouble is not None:
        await reply(interaction, f"{outcome.stored_text()} {unshown(trouble)}")
