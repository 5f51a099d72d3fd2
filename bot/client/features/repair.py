"""`/game repair` and `/game move-here`: find and repair a game's problems.

Some repairs need a moderator. The problem and the effects of the repair are shown before, with a confirmation button.
"""

import logging

import discord
from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, game_id_here
from bot.client.buttons import (
    GAME_AND_SEQ_PATTERN,
    Button,
    button,
    cancel_button,
    confirm_moderation_button,
    view_with_items,
)
from bot.client.command_groups import game
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_clicked_message,
    is_private,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import moderates, needs, require_right
from bot.client.entry.showable import LOCKED_THREAD_TEXT
from bot.client.features import lobby_messages
from bot.client.parameters import GameNumber
from bot.client.places.game_channels import require_permissions, suitable_venue
from bot.client.places.lost_threads import missing_channel_advice
from bot.client.requests.permission_problems import DISCORD_ERRORS, UNKNOWN_CHANNEL_CODE
from bot.client.which_game import game_in_this_server, running_choices
from bot.table.errors import Refused
from bot.table.games.repair import RepairPlan, end_damaged_game, find_repair, repair_game
from bot.table.outbox import notices
from bot.table.outbox.notices import TurnChange
from bot.table.rate_limits import RequestKind
from storage import GameRow, outbox, seats

_log = logging.getLogger("stationmaster.announce")

# --- the questions and their buttons ---------------------------------------------------------------------------------


async def ask_to_repair(interaction: BotInteraction, game_id: int, plan: RepairPlan) -> None:
    """Show a game's damage and the planned repair, and ask a moderator to agree."""
    plan_text = plan.plan_text()
    text = f"{plan.problem}\n{plan_text[0].upper()}{plan_text[1:]}. Repair the game? This cannot be undone."
    await _ask_moderator(
        interaction, game_id, text, confirm_repair_button(game_id, plan.seq, "mend", "Repair the game")
    )


async def ask_to_accept(interaction: BotInteraction, game_id: int, seq: int, hold_reason: str) -> None:
    """Show why a game is on hold, and ask a moderator to accept its stored position, so that it continues."""
    text = f"{hold_reason}\nContinue from here? You cannot undo any earlier move afterwards."
    await _ask_moderator(
        interaction, game_id, text, confirm_moderation_button(game_id, seq, "accept", 0, "Continue from here")
    )


async def ask_to_end(interaction: BotInteraction, game_id: int, problem: str) -> None:
    """Ask the moderator to confirm that a damaged game ends without a score."""
    await require_right(interaction, "moderate", game_id)
    buttons = [confirm_repair_button(game_id, 0, "end", "End the game"), cancel_button(game_id)]
    text = f"{problem}\nReally end the game without a score? This cannot be undone."
    await reply(interaction, text, view=view_with_items(buttons))


class RepairButton(Component):
    """The *Yes* button that confirms a repair, or that ends a damaged game."""

    id_pattern = rf"m:{GAME_AND_SEQ_PATTERN}:(?P<choice>mend|end)"
    user_right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        async with report_if_cancelled(interaction):
            done_text = await _carry_out_repair(interaction, self.game, self.seq, self.choice)
        with wrap_as_stored_but_failed(done_text):
            await replace_question_by_result(interaction, done_text)


def confirm_repair_button(game: int, seq: int, choice: str, label: str) -> Button:
    """The *Yes* button that confirms the repair (`mend`) or the end (`end`) of a damaged game."""
    return button(f"m:{game}:{seq}:{choice}", label, discord.ButtonStyle.danger)


async def _carry_out_repair(interaction: BotInteraction, game_id: int, seq: int, choice: str) -> str:
    tables, user_id = interaction.client.tables, interaction.user.id
    if choice == "end":
        return await end_damaged_game(tables, game_id, user_id)
    outcome = await repair_game(tables, game_id, user_id, seq)
    return "\n".join(outcome.lines)


async def replace_question_by_result(interaction: BotInteraction, done_text: str) -> None:
    """Replace a question to a moderator by the result.

    A public question is replaced only by the name of the moderator, since the thread shows the result.
    """
    content = done_text if is_private(interaction) else f"<@{interaction.user.id}> agreed."
    await edit_clicked_message(interaction, content=content, view=None)


async def _ask_moderator(interaction: BotInteraction, game_id: int, text: str, yes_button: Button) -> None:
    """Ask for a moderator's consent: privately if the user is a moderator, else in a public message."""
    if await moderates(interaction):
        await reply(interaction, text, view=view_with_items([yes_button, cancel_button(game_id)]))
        return
    await reply(interaction, f"Game {game_id} needs a moderator. The question for them is posted here.")
    await interaction.followup.send(text, view=view_with_items([yes_button]), silent=True)


# --- the commands ----------------------------------------------------------------------------------------------------


@game.command(name="repair", extras=needs("look", RequestKind.PICTURE))
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def repair(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Repair a game: a missing thread or button, a damaged log, or a hold after a rules change."""
    bot, game_id = interaction.client, game_id_here(interaction) if number is None else number
    await defer(interaction)
    row = await game_in_this_server(interaction, game_id)
    seated_user_ids = [seat.user_id for seat in await seats.seats(bot.tables.db, game_id)]
    if interaction.user.id not in seated_user_ids:
        await require_right(interaction, "moderate", game_id)
    if row.status == "lobby":
        await lobby_messages.update_message(bot, game_id)
        await reply(
            interaction, f"The lobby message of game {game_id} is in <#{row.channel_id}> and up to date."
        )
        return
    plan = await _find_repair(interaction, game_id)
    if plan is None:
        await _show_game_again(interaction, row)
        await _ask_to_accept_if_on_hold(interaction, game_id)
        return
    if row.status == "running" and await _reopened_thread_id(interaction.client, row) is None:
        await _make_new_thread(interaction, row)
    await ask_to_repair(interaction, game_id, plan)


async def _find_repair(interaction: BotInteraction, game_id: int) -> RepairPlan | None:
    """The plan to repair a damaged game; None if the game is not damaged."""
    if await moderates(interaction) or await interaction.client.tables.damage(game_id):
        return await find_repair(interaction.client.tables, game_id)
    return None


async def _show_game_again(interaction: BotInteraction, row: GameRow) -> None:
    _require_running(row)
    thread_id = await _reopened_thread_id(interaction.client, row)
    if thread_id is None:
        await _make_new_thread(interaction, row)
    else:
        await _refresh_thread(interaction, row, thread_id)


async def _ask_to_accept_if_on_hold(interaction: BotInteraction, game_id: int) -> None:
    async with interaction.client.tables.reading(game_id) as live:
        hold_reason, seq = live.hold_reason, live.seq
    if hold_reason is not None:
        await ask_to_accept(interaction, game_id, seq, hold_reason)


@game.command(name="move-here", extras=needs("moderate"))
@app_commands.describe(number="The game's number")
@app_commands.autocomplete(number=running_choices)
async def move_here(interaction: BotInteraction, number: GameNumber) -> None:
    """Move a game to a new thread in this channel."""
    await defer(interaction)
    await require_right(interaction, "moderate", number)
    row = await game_in_this_server(interaction, number)
    _require_running(row)
    channel = suitable_venue(interaction.channel)
    require_permissions(interaction, channel, "The game was not moved.")
    if isinstance(channel, discord.ForumChannel):
        await interaction.client.threads.forums.prepare_forum(channel, row.name)
    await _close_old_thread(interaction.client, row, channel.id)
    notice_text = f"<@{interaction.user.id}> has moved this game here."
    thread_id = await interaction.client.lost_threads.move_to_new_thread(row, channel.id, notice_text)
    await reply(interaction, f"Game {number} continues in <#{thread_id}>.")


async def _reopened_thread_id(bot: BotClient, row: GameRow) -> int | None:
    """The id of a game's thread, reopened if it was archived; None if it was deleted."""
    if row.thread_id is not None and await bot.threads.exists_on_discord(row.thread_id):
        return row.thread_id
    return None


async def _refresh_thread(interaction: BotInteraction, row: GameRow, thread_id: int) -> None:
    """Post a new turn message in a game's thread, and a board post if there is none."""
    channel = interaction.client.get_channel(thread_id)
    if isinstance(channel, discord.Thread) and channel.locked:
        raise Refused(LOCKED_THREAD_TEXT)
    async with interaction.client.tables.reading(row.id) as live:
        # The turn message may be missing, too, so a new one is posted.
        new_notices = [
            TurnChange((), None, is_new_turn=True).notice(),
            notices.board_notice(post_may_be_deleted=True),
        ]
        await outbox.queue_notices(
            interaction.client.tables.db, row.id, live.seq, new_notices, interaction.client.tables.clock()
        )
    interaction.client.tables.on_notice(row.id)
    await reply(
        interaction,
        f"<#{thread_id}> exists; its board and turn message are now up to date.",
    )


async def _make_new_thread(interaction: BotInteraction, row: GameRow) -> None:
    notice_text = "The old thread of this game was deleted; the game continues here."
    try:
        thread_id = await interaction.client.lost_threads.move_to_new_thread(row, row.channel_id, notice_text)
    except discord.NotFound as error:
        if error.code != UNKNOWN_CHANNEL_CODE:
            raise
        raise Refused(missing_channel_advice(row.id)) from error
    await reply(interaction, f"Game {row.id} continues in <#{thread_id}>.")


async def _close_old_thread(bot: BotClient, row: GameRow, channel_id: int) -> None:
    """Remove the buttons in a moved game's old thread, and post a link to the new thread there."""
    try:
        await bot.turns.remove_buttons(row.id)
        thread = await bot.threads.thread_of(row.id)
        await thread.send(f"This game continues in <#{channel_id}>.", silent=True)
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot remove the buttons in its old thread: %r", row.id, error)


def _require_running(row: GameRow) -> None:
    if row.status != "running":
        raise Refused(f"Game {row.id} is not running, so there is nothing to repair or move.")
