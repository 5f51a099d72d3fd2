"""Undo and redo: what would be lost is shown first, and those concerned are asked."""

import re
from collections.abc import Sequence
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import cancel_button, propose_button, shortened
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import after, say, think, unless_stopped
from bot.client.entry.rights import moderates
from bot.client.moves.move_handlers import MoveHandlers
from bot.client.posts.proposal_posts import ProposalPosts, put
from bot.table.errors import MovedOn
from bot.table.games import loading
from bot.table.live import LiveGame
from bot.table.moves.verbs import typed_form
from bot.table.outbox.notices import LINE, Line
from bot.table.style import sentence_list, strong
from bot.table.tables import Tables
from bot.table.undo.redoing import asks_others, redo, redoable, require_whose
from bot.table.undo.undoing import Loss, changes, loss, undo_to
from bot.table.votes.consent import UndoProposal, putback, require_open, takeback
from bot.table.votes.proposals import Proposals
from engine.core.actions import read_action
from engine.core.errors import Unreadable
from storage import Database
from storage.log.log import Row
from storage.posts import outbox

SHOWN: Final = 12
"""At most this many of the moves that would be lost are listed; of more, the last ones."""
LONGEST: Final = 110
"""Characters of each of them."""
_NUMBERED: Final = re.compile(r"`([0-9]+)` ")
"""How the line of a move begins."""


class TakingBack:
    """From `/undo to:` and `/redo` to what is asked, or done."""

    def __init__(
        self, tables: Tables, flows: MoveHandlers, proposals: Proposals, posts: ProposalPosts
    ) -> None:
        self._tables = tables
        self._flows = flows
        self._proposals = proposals
        self._posts = posts

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
        with after(put(proposal)):
            await edit_pressed(interaction, content=put(proposal), view=None)

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
            await self._posts.propose_or_join(
                interaction, game_id, lambda live: putback(self._tables, live, user_id)
            )
            return
        await self._flows.do(
            interaction, game_id, lambda: redo(self._tables, game_id, user_id, seq, moderates=officer)
        )


async def loss_text(db: Database, live: LiveGame, found: Loss) -> str:
    """The moves that are lost, by their lines, what changes with them, and what was secret and is known by them."""
    lines = await first_lines(db, live, found.rows)
    more = len(lines) - SHOWN
    earlier = [f"{more} earlier, and"] if more > 0 else []
    shown = [f"> {line}" for line in (*earlier, *lines[-SHOWN:])]
    kept = [row for row in live.counting if row.seq <= found.to]
    changed = changes(live.game, await loading.back_to(db, live, kept))
    return "\n".join([*shown, *changed, *(f"{strong('Known since:')} {one}" for one in found.shown)])


async def first_lines(db: Database, live: LiveGame, rows: Sequence[Row]) -> list[str]:
    """The first line of each of these moves, by its number; its player, where the line is deleted."""
    after_all = rows[0].seq - 1 if rows else live.seq
    lines: dict[int, str] = {}
    for one in await outbox.of_kind(db, live.id, LINE, after_all):
        for line in Line.read(one.payload).text.split("\n"):
            number = _NUMBERED.match(line)
            if number is not None:
                lines.setdefault(int(number[1]), line)
    return [shortened(lines.get(row.seq) or _silent(live, row), LONGEST) for row in rows]


def _silent(live: LiveGame, row: Row) -> str:
    """A move whose line is not in the thread, such as one of a recorded game, as it would be typed."""
    who = f"{live.name_of(row.actor)}: " if row.actor else ""
    try:
        what = typed_form(read_action(row.payload))
    except Unreadable:
        what = "a move"
    return f"`{row.seq}` {who}{what}"


async def question(tables: Tables, live: LiveGame, found: Loss) -> str:
    """What would be lost, for a user who may ask the others; raises Refused."""
    await require_open(tables, live, found)
    names = sentence_list(strong(live.name_of(player)) for player in found.others)
    count = "This move" if len(found.rows) == 1 else f"These {len(found.rows)} moves"
    have = "has" if len(found.others) == 1 else "have"
    lost = await loss_text(tables.db, live, found)
    return f"{count} would no longer count, and {names} {have} to agree:\n{lost}"
