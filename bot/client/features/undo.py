"""Undo and redo: commands, buttons, and the confirmation before other players' moves are undone."""

from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    GAME_AND_SEQ_PATTERN,
    ID_NUMBER_PATTERN,
    Button,
    button,
    cancel_button,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import (
    ack_later,
    defer,
    edit_clicked_message,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import moderates, needs
from bot.client.entry.showable import require_moves_showable_here
from bot.client.features.moves import reply_to_move, report_delivery_problem
from bot.client.features.proposals import propose_or_agree
from bot.client.parameters import Number, complete_last_move
from bot.client.turn_panel import REDO_BUTTON_ID, UNDO_BUTTON_ID
from bot.table import redo as redoing
from bot.table import undo as undoing
from bot.table.tables import Outcome
from bot.table.votes.proposal_kinds import proposal_made_text
from bot.table.votes.undo_proposals import propose_redo, propose_undo, undo_question

# --- undo ------------------------------------------------------------------------------------------------------------


@app_commands.command(name="undo", extras=needs("play"))
@app_commands.describe(to="The last move to keep; default: undo your own last move")
@app_commands.autocomplete(to=complete_last_move)
@app_commands.guild_only()
async def undo(interaction: BotInteraction, to: Number | None = None) -> None:
    """Undo your last move, or more moves if the others agree."""
    if to is None:
        await _undo_last(interaction, game_id_here(interaction))
    else:
        await _undo_to(interaction, game_id_here(interaction), to)


class UndoButton(Component):
    """The *Undo* button of the turn message."""

    id_pattern = UNDO_BUTTON_ID
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Undo the user's last move, unless another move was made since the button was shown."""
        await _undo_last(interaction, self.game, self.seq)


async def _undo_last(interaction: BotInteraction, game_id: int, seq: int | None = None) -> None:
    ack_later(interaction)
    tables, user_id = interaction.client.tables, interaction.user.id
    await _run_undo_or_redo(interaction, game_id, lambda: undoing.undo(tables, game_id, user_id, seq))


async def _undo_to(interaction: BotInteraction, game_id: int, target_seq: int) -> None:
    """Undo moves back to row `target_seq`. If other players must agree, offer the user to propose the undo."""
    await defer(interaction)
    tables, user_id = interaction.client.tables, interaction.user.id
    async with tables.reading(game_id) as live:
        tables.require_playable(live)
        undo_loss, seq = (
            await undoing.undo_loss_of(tables, live, target_seq, tables.seat_of(live, user_id)),
            live.seq,
        )
        text = "" if undo_loss.needs_no_consent else await undo_question(tables, live, undo_loss)
    if undo_loss.needs_no_consent:
        await _run_undo_or_redo(
            interaction, game_id, lambda: undoing.undo(tables, game_id, user_id, seq, target_seq)
        )
        return
    button = propose_button(game_id, seq, target_seq, f"Propose to undo back to move {target_seq}")
    await reply(interaction, text, view=view_with_items([button, cancel_button(game_id)]))


class ProposeUndoButton(Component):
    """The button that proposes to undo moves of other players."""

    id_pattern = rf"b:{GAME_AND_SEQ_PATTERN}:(?P<number>{ID_NUMBER_PATTERN})"
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the proposal to undo, which is posted in the game's thread."""
        bot, user_id = interaction.client, interaction.user.id
        async with bot.tables.reading(self.game) as live:
            undo_proposal = await propose_undo(bot.tables, live, user_id, self.number, self.seq)
        async with report_if_cancelled(interaction):
            proposal = await bot.proposals.propose(self.game, user_id, undo_proposal.require_not_outdated)
        with wrap_as_stored_but_failed(proposal_made_text(proposal)):
            await edit_clicked_message(interaction, content=proposal_made_text(proposal), view=None)


def propose_button(game: int, seq: int, target_seq: int, label: str) -> Button:
    """A button that proposes to undo all moves after move `target_seq`."""
    return button(f"b:{game}:{seq}:{target_seq}", label, discord.ButtonStyle.primary)


# --- redo ------------------------------------------------------------------------------------------------------------


@app_commands.command(name="redo", extras=needs("look"))
@app_commands.guild_only()
async def redo(interaction: BotInteraction) -> None:
    """Redo the moves of the last undo; possible until the next move."""
    await _redo(interaction, game_id_here(interaction))


class RedoButton(Component):
    """The *Redo* button of the turn message."""

    id_pattern = REDO_BUTTON_ID
    user_right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Redo the last undo, or propose the redo to the players who agreed to the undo."""
        await _redo(interaction, self.game, self.seq)


async def _redo(interaction: BotInteraction, game_id: int, seq: int | None = None) -> None:
    """Redo the last undo. If other players agreed to that undo, propose the redo to them."""
    ack_later(interaction)
    tables, user_id, is_moderator = (
        interaction.client.tables,
        interaction.user.id,
        await moderates(interaction),
    )
    async with tables.reading(game_id) as live:
        tables.require_seq(live, seq)
        tables.require_playable(live)
        moves_to_redo = redoing.moves_to_redo(live)
        redoing.player_who_redoes(live, moves_to_redo, user_id, is_moderator=is_moderator)
        needs_agreement = redoing.redo_needs_consent(live, moves_to_redo, user_id)
    if needs_agreement:
        await propose_or_agree(interaction, game_id, lambda live: propose_redo(tables, live, user_id))
        return
    await _run_undo_or_redo(
        interaction, game_id, lambda: redoing.redo(tables, game_id, user_id, seq, is_moderator=is_moderator)
    )


async def _run_undo_or_redo(
    interaction: BotInteraction, game_id: int, run_undo_or_redo: Callable[[], Coroutine[Any, Any, Outcome]]
) -> None:
    """Run an undo or redo. The result is shown in the reply to a command or, after a click, in the thread."""
    require_moves_showable_here(interaction)
    async with report_if_cancelled(interaction):
        outcome = await run_undo_or_redo()
    with wrap_as_stored_but_failed(outcome.stored_text()):
        await interaction.client.turns.show_next(interaction, game_id)
        if interaction.type is discord.InteractionType.application_command:
            await reply_to_move(interaction, game_id, outcome)
        else:
            await report_delivery_problem(interaction, game_id, outcome)
