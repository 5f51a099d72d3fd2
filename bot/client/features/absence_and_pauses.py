"""Absence and pauses.

`/game replace`, `substitute`, `back`, `agreement`, `propose`, `pause` and `resume`; moderators pause games,
too.
"""

import logging
from collections.abc import Coroutine
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck, game_here
from bot.client.command_groups import game, mod
from bot.client.entry.replies import defer, reply_stored
from bot.client.entry.rights import needs
from bot.client.features import proposals
from bot.client.features.wizard import ask_which
from bot.client.parameters import Name, person, seated
from bot.client.requests.retries import MINUTE
from bot.table.clocks.away import begin_substitution, end_substitution, expire_substitution
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.menus import Capacity
from bot.table.rights import Right
from bot.table.votes.absent_seats import How, absent_seat, propose_absence
from bot.table.votes.pauses import PauseProposal, begin_pause, end_pause, expire_pause, lone_pause_obstacle
from bot.table.votes.seat_proposals import SeatProposal, own_seat, propose_seat, seat_meant
from storage import clocks, seats

_log = logging.getLogger("stationmaster.due")

HOWS: Final[dict[str, How]] = {"together": "group", "caretaker": "caretaker"}
"""Ways to play an empty seat, by the typed value."""


@game.command(name="replace", extras=needs("play"))
@app_commands.describe(
    newcomer="Who takes over the seat; the bot asks them first",
    player="Whose seat; default: yours",
)
@app_commands.autocomplete(player=seated)
async def replace(interaction: BotInteraction, newcomer: discord.User, player: Name | None = None) -> None:
    """Propose that another member takes over a seat."""
    await defer(interaction)
    by, who = interaction.user.id, person(newcomer)

    def subject(live: LiveGame) -> SeatProposal:
        seat = own_seat(live, by) if player is None else seat_meant(live, player)
        return propose_seat(live, by, seat, who, "own" if live.holder_of(seat) == by else "group")

    await proposals.propose(interaction, game_here(interaction), subject)


@game.command(name="agreement", extras=needs("play"))
@app_commands.describe(
    player="Whose seat; the player takes it back by making a move",
    how="together: the group agrees on each move (default); caretaker: the computer plays",
)
@app_commands.autocomplete(player=seated)
async def agreement(
    interaction: BotInteraction, player: Name, how: Literal["together", "caretaker"] = "together"
) -> None:
    """Let the group or the computer play the seat of a missing player."""
    await defer(interaction)
    by, who = interaction.user.id, HOWS[how]
    await proposals.propose(
        interaction,
        game_here(interaction),
        lambda live: propose_absence(live, by, seat_meant(live, player), who),
    )


@game.command(name="propose", extras=needs("play"))
async def propose(interaction: BotInteraction) -> None:
    """Propose a move for a seat that the group plays, by menus."""
    by = interaction.user.id
    await ask_which(interaction, lambda live: absent_seat(live, by), Capacity.TABLE)


@game.command(name="substitute", extras=needs("play"))
@app_commands.describe(who="Who plays for you", days="For how many days; default: until you are back")
async def substitute(
    interaction: BotInteraction, who: discord.User, days: app_commands.Range[int, 1, 365] | None = None
) -> None:
    """Let a substitute play for you for a while; you keep your seat."""
    await defer(interaction)
    tables, number = interaction.client.tables, game_here(interaction)
    done = await begin_substitution(tables, number, interaction.user.id, person(who), days)
    await reply_stored(interaction, done)


@game.command(name="back", extras=needs("play"))
async def back(interaction: BotInteraction) -> None:
    """End your substitution and play again yourself."""
    await defer(interaction)
    done = await end_substitution(interaction.client.tables, game_here(interaction), interaction.user.id)
    await reply_stored(interaction, done)


def _add(group: app_commands.Group, right: Right) -> None:
    """Add both commands to a group, for users with this right."""

    @group.command(name="pause", extras=needs(right))
    @app_commands.describe(days="For how many days; default: until it is resumed")
    async def pause(interaction: BotInteraction, days: app_commands.Range[int, 1, 365] | None = None) -> None:
        """Pause this game: nobody can move."""
        await defer(interaction)
        bot, game_id, by = interaction.client, game_here(interaction), interaction.user.id
        alone = right != "moderate"
        why = await lone_pause_obstacle(bot.tables, game_id, by, days) if alone else None
        if why is not None:
            await proposals.propose(interaction, game_id, lambda _: PauseProposal(days), why)
            return
        done = await begin_pause(bot.tables, game_id, by, days, alone=alone)
        await reply_stored(interaction, done)

    @group.command(name="resume", extras=needs(right))
    async def resume(interaction: BotInteraction) -> None:
        """Resume this game after a pause, or its caretaker after an undo."""
        await defer(interaction)
        done = await end_pause(interaction.client.tables, game_here(interaction), interaction.user.id)
        await reply_stored(interaction, done)


_add(game, "play")
_add(mod, "moderate")


# --- what is over ----------------------------------------------------------------------------------------------------


async def _end_what_is_over(client: BotClient) -> None:
    """End expired pauses and substitutions of these shards."""
    tables, now = client.tables, client.tables.clock()
    for game_id in await clocks.overdue_pauses(tables.db, now, tables.share):
        await _unless_damaged(game_id, expire_pause(tables, game_id))
    for game_id, player in await seats.ended_substitutions(tables.db, now, tables.share):
        await _unless_damaged(game_id, expire_substitution(tables, game_id, player))


async def _unless_damaged(game_id: int, end: Coroutine[Any, Any, None]) -> None:
    try:
        await end
    except Refused as error:
        _log.info("game %s is damaged, so its expired pauses and substitutions stay: %s", game_id, error)


ENDINGS: Final = PeriodicCheck("expired pauses and substitutions", _end_what_is_over, MINUTE)
