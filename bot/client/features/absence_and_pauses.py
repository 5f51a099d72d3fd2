"""Commands for absent players and pauses.

These are `/game replace`, `substitute`, `back`, `agreement`, `propose`, `pause` and `resume`, and `/mod pause` and
`resume`.
"""

import logging
from collections.abc import Coroutine
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck, game_id_here
from bot.client.command_groups import game, mod
from bot.client.entry.replies import defer, reply_after_storing
from bot.client.entry.rights import needs
from bot.client.features import proposals
from bot.client.features.wizard import ask_for_offer
from bot.client.parameters import Name, complete_player, id_and_name
from bot.client.requests.retries import MINUTE_SECONDS
from bot.table.clocks.away import begin_substitution, end_substitution, expire_substitution
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.menus import ActingAs
from bot.table.rights import Right
from bot.table.votes.absent_seats import AbsentSeatPlayer, propose_absence, seat_to_propose_for
from bot.table.votes.pauses import PauseProposal, begin_pause, end_pause, expire_pause, unvoted_pause_obstacle
from bot.table.votes.seat_proposals import SeatProposal, own_seat, propose_seat, seat_named
from storage import clocks, seats

_log = logging.getLogger("stationmaster.due")

ABSENT_SEAT_PLAYER_BY_VALUE: Final[dict[str, AbsentSeatPlayer]] = {
    "together": "group",
    "caretaker": "caretaker",
}
"""For each value of `/game agreement how:`, who plays an absent player's seat: the group or the computer."""


@game.command(name="replace", extras=needs("play"))
@app_commands.describe(
    newcomer="Who takes over the seat; the bot asks them first",
    player="Whose seat; default: yours",
)
@app_commands.autocomplete(player=complete_player)
async def replace(interaction: BotInteraction, newcomer: discord.User, player: Name | None = None) -> None:
    """Propose that another member takes over a seat."""
    await defer(interaction)
    user_id, new_holder = interaction.user.id, id_and_name(newcomer)

    def build_proposal(live: LiveGame) -> SeatProposal:
        seat = own_seat(live, user_id) if player is None else seat_named(live, player)
        return propose_seat(
            live, user_id, seat, new_holder, "own" if live.holder_of(seat) == user_id else "group"
        )

    await proposals.propose(interaction, game_id_here(interaction), build_proposal)


@game.command(name="agreement", extras=needs("play"))
@app_commands.describe(
    player="Whose seat; the player takes it back by making a move",
    how="together: the group agrees on each move (default); caretaker: the computer plays",
)
@app_commands.autocomplete(player=complete_player)
async def agreement(
    interaction: BotInteraction, player: Name, how: Literal["together", "caretaker"] = "together"
) -> None:
    """Let the group or the computer play the seat of a missing player."""
    await defer(interaction)
    user_id, seat_player = interaction.user.id, ABSENT_SEAT_PLAYER_BY_VALUE[how]
    await proposals.propose(
        interaction,
        game_id_here(interaction),
        lambda live: propose_absence(live, user_id, seat_named(live, player), seat_player),
    )


@game.command(name="propose", extras=needs("play"))
async def propose(interaction: BotInteraction) -> None:
    """Choose and propose a move for a seat that the group plays."""
    user_id = interaction.user.id
    await ask_for_offer(interaction, lambda live: seat_to_propose_for(live, user_id), ActingAs.GROUP)


@game.command(name="substitute", extras=needs("play"))
@app_commands.describe(who="Who plays for you", days="For how many days; default: until you are back")
async def substitute(
    interaction: BotInteraction, who: discord.User, days: app_commands.Range[int, 1, 365] | None = None
) -> None:
    """Let a substitute play for you for a while; you keep your seat."""
    await defer(interaction)
    tables, game_id = interaction.client.tables, game_id_here(interaction)
    done_text = await begin_substitution(tables, game_id, interaction.user.id, id_and_name(who), days)
    await reply_after_storing(interaction, done_text)


@game.command(name="back", extras=needs("play"))
async def end_own_substitution(interaction: BotInteraction) -> None:
    """End your substitution and play again yourself."""
    await defer(interaction)
    done_text = await end_substitution(
        interaction.client.tables, game_id_here(interaction), interaction.user.id
    )
    await reply_after_storing(interaction, done_text)


def _add_pause_commands(group: app_commands.Group, right: Right) -> None:
    @group.command(name="pause", extras=needs(right))
    @app_commands.describe(days="For how many days; default: until a player resumes it")
    async def pause(interaction: BotInteraction, days: app_commands.Range[int, 1, 365] | None = None) -> None:
        """Pause this game: nobody can move."""
        await defer(interaction)
        client, game_id, user_id = interaction.client, game_id_here(interaction), interaction.user.id
        is_by_player = right != "moderate"
        pause_obstacle = (
            await unvoted_pause_obstacle(client.tables, game_id, user_id, days) if is_by_player else None
        )
        if pause_obstacle is not None:
            await proposals.propose(interaction, game_id, lambda _: PauseProposal(days), pause_obstacle)
            return
        done_text = await begin_pause(client.tables, game_id, user_id, days, is_unvoted=is_by_player)
        await reply_after_storing(interaction, done_text)

    @group.command(name="resume", extras=needs(right))
    async def resume(interaction: BotInteraction) -> None:
        """Resume this game after a pause, or its caretaker after an undo."""
        await defer(interaction)
        done_text = await end_pause(interaction.client.tables, game_id_here(interaction), interaction.user.id)
        await reply_after_storing(interaction, done_text)


_add_pause_commands(game, "play")
_add_pause_commands(mod, "moderate")


# --- expired pauses and substitutions --------------------------------------------------------------------------------


async def _end_expired_absences(client: BotClient) -> None:
    tables, now = client.tables, client.tables.clock()
    for game_id in await clocks.games_with_overdue_pauses(tables.db, now, tables.shards):
        await _end_unless_damaged(game_id, expire_pause(tables, game_id))
    for game_id, player in await seats.ended_substitutions(tables.db, now, tables.shards):
        await _end_unless_damaged(game_id, expire_substitution(tables, game_id, player))


async def _end_unless_damaged(game_id: int, expiry_coroutine: Coroutine[Any, Any, None]) -> None:
    try:
        await expiry_coroutine
    except Refused as error:
        _log.info("game %s is damaged, so its expired pauses and substitutions stay: %s", game_id, error)


EXPIRY_CHECK: Final = PeriodicCheck("expired pauses and substitutions", _end_expired_absences, MINUTE_SECONDS)
