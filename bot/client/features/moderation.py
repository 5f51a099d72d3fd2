"""`/mod`: moderators' actions. All are posted in the game's thread; irreversible ones need a confirmation."""

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    MODERATION_BUTTON_PATTERN,
    cancel_button,
    confirm_moderation_button,
    view_with_items,
)
from bot.client.command_groups import mod
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    reply,
    reply_after_storing,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import needs, server_id_here
from bot.client.features import lobby_messages
from bot.client.features.lobby import add_seats_command
from bot.client.features.proposals import propose
from bot.client.features.repair import ask_to_end, replace_question_by_result
from bot.client.features.wizard import ask_for_offer
from bot.client.parameters import (
    GameNumber,
    Name,
    NameList,
    Number,
    complete_last_move,
    complete_player,
    id_and_name,
)
from bot.client.which_game import (
    game_in_this_server,
    lobby_choices,
    lobby_option_choices,
    lobby_profile_choices,
    read_option_names,
)
from bot.table.errors import Refused
from bot.table.lobby import Lobby
from bot.table.moves.menus import ActingAs
from bot.table.settings.game_rules import chosen_rules
from bot.table.settings.server_settings import choose_moderator_role, moderator_role
from bot.table.undo import undo_loss_of, undo_loss_text
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_abandon, moderator_accept, moderator_end, moderator_undo
from bot.table.votes.seat_proposals import propose_seat, seat_named


@mod.command(name="replace", extras=needs("moderate"))
@app_commands.describe(
    player="Whose seat it is",
    newcomer="Who takes over the seat; the bot asks them. Default: a caretaker (computer) plays it",
)
@app_commands.autocomplete(player=complete_player)
async def replace(interaction: BotInteraction, player: Name, newcomer: discord.User | None = None) -> None:
    """Ask a member to take over a seat, or let the caretaker play it."""
    await defer(interaction)
    if newcomer is None:
        await _let_caretaker_play(interaction, game_id_here(interaction), player)
        return
    user_id, new_holder = interaction.user.id, id_and_name(newcomer)
    await propose(
        interaction,
        game_id_here(interaction),
        lambda live: propose_seat(live, user_id, seat_named(live, player), new_holder, "moderator"),
    )


@mod.command(name="act", extras=needs("moderate"))
@app_commands.describe(player="For which player")
@app_commands.autocomplete(player=complete_player)
async def act(interaction: BotInteraction, player: Name) -> None:
    """Choose and make a move for a player whose turn it is."""
    await ask_for_offer(interaction, lambda live: seat_named(live, player), ActingAs.MODERATOR)


@mod.command(name="undo", extras=needs("moderate"))
@app_commands.describe(to="The last move to keep; you first see which moves would be lost")
@app_commands.autocomplete(to=complete_last_move)
async def undo(interaction: BotInteraction, to: Number) -> None:
    """Undo the moves of this game after a chosen move."""
    game_id = game_id_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        moves_to_undo, seq = await undo_loss_of(interaction.client.tables, live, to), live.seq
        lost_moves_text = await undo_loss_text(interaction.client.tables.db, live, moves_to_undo)
    moves_text = "This move" if len(moves_to_undo.rows) == 1 else f"These {len(moves_to_undo.rows)} moves"
    seats_kept_text = "-# Seats do not change. `/redo` works until the next move."
    question = f"{moves_text} will be undone:\n{lost_moves_text}\n{seats_kept_text}"
    label = f"Undo back to move {to}"
    await reply(interaction, question, view=_confirm_buttons(game_id, seq, "undo", to, label))


@mod.command(name="end", extras=needs("moderate"))
async def end(interaction: BotInteraction) -> None:
    """End this game here, with the current scores."""
    await _confirm_end(interaction, "end")


@mod.command(name="abandon", extras=needs("moderate"))
async def abandon(interaction: BotInteraction) -> None:
    """Abandon this game without a score."""
    await _confirm_end(interaction, "abandon")


@mod.command(name="close", extras=needs("moderate"))
@app_commands.describe(number="The game's number")
@app_commands.autocomplete(number=lobby_choices)
async def close(interaction: BotInteraction, number: GameNumber) -> None:
    """Close a game that has not started."""
    await defer(interaction)
    lobby = await _lobby_of_server(interaction, number)
    question = f"Really close game {number}, {lobby.row.name}, before it has started? You cannot reopen it."
    await reply(interaction, question, view=_confirm_buttons(number, 0, "close", 0, "Close it"))


@mod.command(name="options", extras=needs("moderate"))
@app_commands.describe(
    number="The game's number",
    options="Optional rules of the title, separated by commas, or: none",
    profile="Whose rules: the rulebook's, or those of 18xx.games",
)
@app_commands.autocomplete(number=lobby_choices, options=lobby_option_choices, profile=lobby_profile_choices)
async def correct_options(
    interaction: BotInteraction,
    number: GameNumber,
    options: NameList | None = None,
    profile: Name | None = None,
) -> None:
    """Correct the rules of a game that has not started."""
    await defer(interaction)
    await _lobby_of_server(interaction, number)
    lobby = await interaction.client.lobbies.choose_rules(number, None, profile, read_option_names(options))
    await _post_correction(interaction, lobby, f"the rules: {chosen_rules(lobby.row)}")


async def _arrange_seats(interaction: BotInteraction, number: int, user_ids: tuple[int, ...]) -> None:
    await _lobby_of_server(interaction, number)
    lobby = await interaction.client.lobbies.set_seat_order(number, None, user_ids)
    seated_names = ", ".join(seat.display_name for seat in lobby.seats)
    await _post_correction(interaction, lobby, f"the seats: {seated_names}")


@mod.command(name="role", extras=needs("manage"))
@app_commands.describe(
    role="Choose this role; default: show the current role",
    without="Use no role: members who may manage threads moderate",
)
async def choose_role(
    interaction: BotInteraction, role: discord.Role | None = None, without: bool = False
) -> None:
    """Show or choose the role whose members moderate games."""
    await defer(interaction)
    if role is not None and without:
        raise Refused("Choose a role or `without:True`, not both.")
    db, guild_id = interaction.client.tables.db, server_id_here(interaction)
    if role is None and not without:
        await reply(interaction, _moderators_text(await moderator_role(db, guild_id)))
        return
    role_id = None if role is None else role.id
    await choose_moderator_role(db, guild_id, role_id)
    with wrap_as_stored_but_failed("The role is chosen." if role is not None else "No role is chosen."):
        await reply(interaction, f"From now on: {_moderators_text(role_id)}")


def _moderators_text(role_id: int | None) -> str:
    if role_id is None:
        return "Members who may manage threads moderate games here. `/mod role role:` chooses a role instead."
    return f"Members with <@&{role_id}> moderate games here. `/mod role without:True` removes the role."


add_seats_command(mod, _arrange_seats, "moderate")


class ModerationButton(Component):
    """The *Yes* button that confirms a moderator's action."""

    id_pattern = MODERATION_BUTTON_PATTERN
    user_right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        async with report_if_cancelled(interaction):
            done_text = await _carry_out_moderation(
                interaction, self.game, self.seq, self.choice, self.number
            )
        with wrap_as_stored_but_failed(done_text):
            await replace_question_by_result(interaction, done_text)


async def _confirm_end(interaction: BotInteraction, choice: str) -> None:
    """Ask the moderator to confirm the end of a running game: with scores (`end`) or without (`abandon`)."""
    game_id = game_id_here(interaction)
    await defer(interaction)
    damage_text = await interaction.client.tables.damage(game_id)
    if damage_text is not None:
        await ask_to_end(interaction, game_id, damage_text)
        return
    async with interaction.client.tables.reading(game_id) as live:
        live.require_running()
        seq = live.seq
    score_text = "with the current scores" if choice == "end" else "without a score"
    question = f"Really end game {game_id} here, {score_text}? The bot does not ask its players."
    await reply(
        interaction, question, view=_confirm_buttons(game_id, seq, choice, 0, f"End it, {score_text}")
    )


async def _let_caretaker_play(interaction: BotInteraction, game_id: int, player: str) -> None:
    user_id = interaction.user.id
    async with report_if_cancelled(interaction):
        async with interaction.client.tables.reading(game_id) as live:
            seat = seat_named(live, player)
        done_text = await let_caretaker_play(interaction.client.tables, game_id, user_id, seat)
    await reply_after_storing(interaction, done_text)


async def _carry_out_moderation(
    interaction: BotInteraction, game_id: int, seq: int, choice: str, number: int
) -> str:
    user_id = interaction.user.id
    if choice == "undo":
        outcome = await moderator_undo(interaction.client.tables, game_id, user_id, number, seq)
        return outcome.answer_text()
    if choice == "accept":
        return (await moderator_accept(interaction.client.tables, game_id, user_id)).answer_text()
    if choice == "close":
        return await _close_lobby(interaction, game_id)
    end_game = moderator_end if choice == "end" else moderator_abandon
    return await end_game(interaction.client.tables, game_id, user_id, seq)


async def _close_lobby(interaction: BotInteraction, game_id: int) -> str:
    async with interaction.client.tables.lock(game_id):
        lobby = await _lobby_of_server(interaction, game_id)
        await interaction.client.lobbies.withdraw(game_id)
    done_text = f"Game {game_id} is closed."
    with wrap_as_stored_but_failed(done_text):
        player_names = [seat.display_name for seat in lobby.seats]
        await lobby_messages.close_message(
            interaction.client,
            lobby.row,
            player_names,
            f"was closed by <@{interaction.user.id}> as a moderator",
        )
    return done_text


async def _post_correction(interaction: BotInteraction, lobby: Lobby, correction: str) -> None:
    done_text = f"<@{interaction.user.id}> as a moderator has corrected {correction}"
    with wrap_as_stored_but_failed(f"Game {lobby.row.id} has been corrected."):
        await lobby_messages.update_message(interaction.client, lobby.row.id)
        await lobby_messages.post_lobby_line(interaction.client, lobby.row, done_text)
        await reply(interaction, done_text)


async def _lobby_of_server(interaction: BotInteraction, game_id: int) -> Lobby:
    await game_in_this_server(interaction, game_id)
    return await interaction.client.lobbies.read(game_id)


def _confirm_buttons(game_id: int, seq: int, choice: str, number: int, label: str) -> discord.ui.View:
    return view_with_items(
        [confirm_moderation_button(game_id, seq, choice, number, label), cancel_button(game_id)]
    )
