"""Undo and redo: what would be lost is shown first, and those concerned are asked."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import cancel_button, propose_button
from bot.client.entry.replies import after, edit_pressed, say, think, unless_stopped
from bot.client.entry.rights import moderates
from bot.client.moves.move_handlers import MoveHandlers
from bot.table.errors import MovedOn
from bot.table.live import LiveGame
from bot.table.tables import Tables
from bot.table.undo.redoing import asks_others, redo, redoable, require_whose
from bot.table.undo.undoing import loss, undo_to
from bot.table.votes.consent import UndoProposal, putback, question, takeback
from bot.table.votes.proposals import Compose, Proposals
from bot.table.votes.subjects import made_text

ProposeOrJoin: TypeAlias = Callable[[discord.Interaction[Any], int, Compose], Awaitable[None]]
"""Proposes something to a game, or agrees to it where it is open already."""


class TakingBack:
    """From `/undo to:` and `/redo` to what is asked, or done."""

    def __init__(
        self, tables: Tables, flows: MoveHandlers, proposals: Proposals, propose_or_join: ProposeOrJoin
    ) -> None:
        self._tables = tables
        self._flows = flows
        self._proposals = proposals
        self._propose_or_join = propose_or_join

    async def undo_to(self, interaction: discord.Interaction, game_id: int, to: int) -> None:
        """Undo the user's own moves; where others are concerned, show what would be lost and offer to ask."""
        await think(interaction)
        user_id = interaction.user.id
        async with self._tables.reading(game_id) as live:
            self._tables.require_playable(live)
            found, seq = await loss(self._tables, live, to, self._tables.seat_of(live, user_id)), live.seq
            text = "" if found.own else await question(self._tables, live, found)
        if found.own:
            await self._flows.do(
                interaction, game_id, lambda: undo_to(self._tables, game_id, user_id, to, seq)
            )
            return
        buttons = [
            propose_button(game_id, seq, to, f"Propose to go back to move {to}"),
            cancel_button(game_id),
        ]
        await say(interaction, text, view=turn_buttons.rows_of(buttons))

    async def propose(self, interaction: discord.Interaction, game_id: int, seq: int, to: int) -> None:
        """The press below what would be lost: the thread asks those concerned."""
        user_id = interaction.user.id
        async with self._tables.reading(game_id) as live:
            subject = await takeback(self._tables, live, user_id, to, seq)

        def compose(live: LiveGame) -> UndoProposal:
            if live.seq != seq:
                raise MovedOn
            return subject

        async with unless_stopped(interaction):
            proposal = await self._proposals.put(game_id, user_id, compose)
        with after(made_text(proposal)):
            await edit_pressed(interaction, content=made_text(proposal), view=None)

    async def redo(self, interaction: discord.Interaction, game_id: int, seq: int | None = None) -> None:
        """Redo the last undo; an undo by agreement needs agreement again."""
        await think(interaction)
        user_id, officer = interaction.user.id, await moderates(interaction)
        async with self._tables.reading(game_id) as live:
            self._tables.require_seq(live, seq)
            self._tables.require_playable(live)
            taken = redoable(live)
            require_whose(live, taken, user_id, moderates=officer)
            asks = asks_others(live, taken, user_id)
        if asks:
            await self._propose_or_join(
                interaction, game_id, lambda live: putback(self._tables, live, user_id)
            )
            return
        await self._flows.do(
            interaction, game_id, lambda: redo(self._tables, game_id, user_id, seq, moderates=officer)
        )
