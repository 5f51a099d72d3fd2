"""Moves: slash commands for them, one-click buttons, confirmations, and replies."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    CANCEL_BUTTON_PATTERN,
    GAME_AND_SEQ_PATTERN,
    MOVE_KEY_PATTERN,
    Button,
    button,
    cancel_button,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import (
    ack_later,
    edit_clicked_message,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_moves_showable_here
from bot.client.features.next_game import next_game_view, offer_next_game
from bot.client.game_texts import MAX_MESSAGE_LENGTH, not_shown_text
from bot.client.parameters import CompleteFunction, SlashCommand, complete_move_parameter
from bot.client.turn_panel import MOVE_BUTTON_PATTERN
from bot.table.live import LiveGame, ask_about_position, search_queue
from bot.table.moves.moves import OneClickMove, TypedMove, confirmation_question, one_click_move_of
from bot.table.moves.verbs import (
    MOVE_COMMANDS,
    POWER_PARAMETER,
    SLOTS_BY_ACTION_KIND,
    VERBS_WITH_OWN_COMMAND,
    MoveCommand,
    Parameter,
)
from bot.table.tables import Outcome
from engine import PlayerId

# --- the commands, built from the table of verbs ---------------------------------------------------------------------

TypedValues: TypeAlias = Mapping[str, str | int | None]
"""Values typed into a command, by parameter name."""
RunCommand: TypeAlias = Callable[[BotInteraction, MoveCommand, TypedValues], Awaitable[None]]
PARAMETERS_WITHOUT_AUTOCOMPLETE: Final = frozenset({"routes"})
"""Parameters of move commands that have no autocomplete."""
COMMANDS_WITH_MENUS: Final = frozenset({"run"})
"""Move commands that can also open menus. They are defined in `wizard.py`."""


async def make_typed_move(
    interaction: BotInteraction, move_command: MoveCommand, typed_values: TypedValues
) -> None:
    """Make a move that was typed as a command, or ask the user to confirm it. The reply describes its effects."""
    move_values = {**move_command.fixed_values, **typed_values}
    private_name = (
        None
        if POWER_PARAMETER in SLOTS_BY_ACTION_KIND[move_command.kind]
        else move_values.pop(POWER_PARAMETER, None)
    )
    move = TypedMove(move_command.kind, move_values, None if private_name is None else str(private_name))
    tables, user_id, game_id = interaction.client.tables, interaction.user.id, game_id_here(interaction)
    ack_later(interaction)
    require_moves_showable_here(interaction)
    cached_game = tables.find_cached(game_id)
    # Most moves need no confirmation, which a game in memory can tell without the database.
    if cached_game is None or _confirming_player(cached_game, user_id, move) is not None:
        async with tables.reading(game_id) as live:
            move_to_confirm, seq = _move_to_confirm(live, user_id, move), live.seq
        if move_to_confirm is not None:
            await ask_confirmation(interaction, game_id, seq, move_to_confirm)
            return
    async with report_if_cancelled(interaction):
        outcome = await tables.submit(game_id, user_id, move)
    with wrap_as_stored_but_failed(outcome.stored_text()):
        await interaction.client.turns.show_next(interaction, game_id)
        await reply_to_move(interaction, game_id, outcome)


def move_slash_command(name: str, run_command: RunCommand = make_typed_move) -> SlashCommand:
    """The slash command for a move, such as `buy`, with its parameters and description."""
    move_command = MOVE_COMMANDS[name]

    async def callback(interaction: BotInteraction, **typed_values: str | int | None) -> None:
        await run_command(interaction, move_command, typed_values)

    command_function: Any = callback
    command_function.__signature__ = _command_signature(move_command)
    add_descriptions = app_commands.describe(
        **{parameter.name: parameter.description for parameter in move_command.parameters}
    )(command_function)
    add_autocomplete = app_commands.autocomplete(**_autocomplete_by_parameter(name, move_command))(
        add_descriptions
    )
    make_command = app_commands.command(
        name=name, description=f"{move_command.description}.", extras=needs("play")
    )
    command: SlashCommand = app_commands.guild_only(make_command(add_autocomplete))
    return command


def _command_signature(move_command: MoveCommand) -> inspect.Signature:
    """The Python signature of a move's command, from which discord.py reads its parameters."""
    interaction_parameter = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature(
        [interaction_parameter, *(_signature_parameter(parameter) for parameter in move_command.parameters)]
    )


def _signature_parameter(parameter: Parameter) -> inspect.Parameter:
    annotation: Any = parameter.type
    if parameter.maximum is not None:
        annotation = app_commands.Range[parameter.type, 1 if parameter.type is str else 0, parameter.maximum]
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        annotation=annotation if parameter.is_required else annotation | None,
        default=inspect.Parameter.empty if parameter.is_required else None,
    )


def _autocomplete_by_parameter(name: str, move_command: MoveCommand) -> dict[str, CompleteFunction]:
    return {
        parameter.name: complete_move_parameter(name, parameter.name)
        for parameter in move_command.parameters
        if parameter.name not in PARAMETERS_WITHOUT_AUTOCOMPLETE
    }


COMMANDS: Final[tuple[SlashCommand, ...]] = tuple(
    move_slash_command(name) for name in VERBS_WITH_OWN_COMMAND if name not in COMMANDS_WITH_MENUS
)
"""Slash commands for moves, such as `/buy`; those that can also open menus are not included."""


def _confirming_player(live: LiveGame, user_id: int, move: TypedMove) -> PlayerId | None:
    player = live.player_of(user_id)
    offers = () if player is None else live.game.offers(player, move.kind)
    return player if any(offer.confirm for offer in offers) else None


def _move_to_confirm(live: LiveGame, user_id: int, move: TypedMove) -> OneClickMove | None:
    """The typed move if the player must confirm it, else None. Raises IllegalAction, Refused."""
    player = _confirming_player(live, user_id, move)
    if player is None:
        return None
    one_click_move = one_click_move_of(live.game, player, move)
    return one_click_move if one_click_move.needs_confirmation else None


# --- the buttons -----------------------------------------------------------------------------------------------------


class MoveButton(Component):
    """A button of the turn message that makes a move with one click."""

    id_pattern = MOVE_BUTTON_PATTERN
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the button's move, or ask the user to confirm it."""
        require_moves_showable_here(interaction)
        one_click_move = await _move_of_button(interaction, self.game, self.seq, self.key)
        if one_click_move.needs_confirmation:
            await ask_confirmation(interaction, self.game, self.seq, one_click_move)
            return
        outcome = await _make_one_click_move(interaction, self.game, self.seq, one_click_move)
        with wrap_as_stored_but_failed(outcome.stored_text()):
            await interaction.client.turns.show_next(interaction, self.game)
            await report_delivery_problem(interaction, self.game, outcome)
            await offer_next_game(interaction, self.game)


async def ask_confirmation(interaction: BotInteraction, game_id: int, seq: int, move: OneClickMove) -> None:
    """Ask a player privately to confirm a move that they may regret."""
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        tables.require_seq(live, seq)
        queue, position = search_queue(live), live.game.dump()
    question = await ask_about_position(tables.workers, queue, position, confirmation_question, move)
    buttons = [confirm_button(game_id, seq, move.key, move.label), cancel_button(game_id)]
    await reply(interaction, question, view=view_with_items(buttons))


class ConfirmButton(Component):
    """The *Yes* button that confirms and makes a move."""

    id_pattern = rf"y:{GAME_AND_SEQ_PATTERN}:{MOVE_KEY_PATTERN}"
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the confirmed move. A text about its effects replaces the question."""
        require_moves_showable_here(interaction)
        one_click_move = await _move_of_button(interaction, self.game, self.seq, self.key)
        outcome = await _make_one_click_move(interaction, self.game, self.seq, one_click_move)
        with wrap_as_stored_but_failed(outcome.stored_text()):
            text = move_reply_text(interaction, self.game, outcome)[:MAX_MESSAGE_LENGTH]
            view = await next_game_view(interaction.client.tables, interaction.user.id, self.game)
            await edit_clicked_message(interaction, content=text, view=view)
            interaction.client.move_confirmations.remember(interaction, self.game)
            await interaction.client.turns.show_next(interaction, self.game)


def confirm_button(game: int, seq: int, key: str, label: str) -> Button:
    """The *Yes* button that confirms and makes the one-click move with this key."""
    return button(f"y:{game}:{seq}:{key}", label, discord.ButtonStyle.danger)


class CancelButton(Component):
    """The *No* button below a confirmation question."""

    id_pattern = CANCEL_BUTTON_PATTERN
    user_right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        await edit_clicked_message(interaction, content="Cancelled: no move was made.", view=None)


async def _move_of_button(interaction: BotInteraction, game_id: int, seq: int, key: str) -> OneClickMove:
    """The one-click move with this key. Raises an error if the user cannot make it now."""
    buttons, tables = interaction.client.buttons, interaction.client.tables
    await buttons.search_routes(game_id)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        tables.require_seq(live, seq)
        return await buttons.move_of_button(live, player, key)


async def _make_one_click_move(
    interaction: BotInteraction, game_id: int, seq: int, move: OneClickMove
) -> Outcome:
    async with report_if_cancelled(interaction):
        outcome = await interaction.client.tables.submit(game_id, interaction.user.id, move, seq)
    return outcome


# --- the replies -----------------------------------------------------------------------------------------------------


async def reply_to_move(interaction: BotInteraction, game_id: int, outcome: Outcome) -> None:
    """Reply privately that a move was made. This reply is deleted when the user next acts in the game."""
    view = await next_game_view(interaction.client.tables, interaction.user.id, game_id)
    await reply(interaction, move_reply_text(interaction, game_id, outcome), view=view)
    interaction.client.move_confirmations.remember(interaction, game_id)


def move_reply_text(interaction: BotInteraction, game_id: int, outcome: Outcome) -> str:
    """The reply to a move: its effects and, if the game's thread cannot show it, the reason."""
    delivery_problem = interaction.client.delivery_problems.problem_of(game_id)
    return (
        outcome.answer_text()
        if delivery_problem is None
        else f"{outcome.answer_text()}\n{not_shown_text(delivery_problem)}"
    )


async def report_delivery_problem(interaction: BotInteraction, game_id: int, outcome: Outcome) -> None:
    """If the game's thread cannot show a user's stored move, tell them why."""
    delivery_problem = interaction.client.delivery_problems.problem_of(game_id)
    if delivery_problem is not None:
        await reply(interaction, f"{outcome.stored_text()} {not_shown_text(delivery_problem)}")
