"""A game's past: `/log`, its menu of moves, and earlier positions, all in private messages."""

import re
from typing import Final

import discord
from discord import app_commands

from bot.client.alt_texts import map_alt_text
from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import ID_NUMBER_PATTERN, Button, Menu, button, shortened_label, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_clicked_message, reply
from bot.client.entry.rights import needs
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.parameters import Number
from bot.client.pictures import pictures_for_answer, question_queue
from bot.client.places.messages import picture_file
from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.moves.lays import PAGE_SIZE
from bot.table.past.game_record import outside_users_by_row, undo_lines
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import PastPosition, past_position
from bot.table.rate_limits import RequestKind

DEFAULT_LOG_LINES: Final = 20
"""Number of lines that `/log` shows by default."""
MAX_LOG_CHARACTERS: Final = 7000
"""Character limit of a reply to `/log`, which takes up to four messages."""
MAX_LOG_ROWS: Final = MAX_LOG_CHARACTERS // 15
"""Number of moves read for a reply to `/log`. No more fit, since a line has at least 15 characters."""
_MARKDOWN_MARKS: Final = re.compile(r"[*_`]")

# --- the log ---------------------------------------------------------------------------------------------------------


@app_commands.command(name="log", extras=needs("look", RequestKind.QUESTION))
@app_commands.describe(since="First move to show; default: the last 20 moves")
@app_commands.guild_only()
async def log(interaction: BotInteraction, since: Number | None = None) -> None:
    """Show the latest moves, newest last."""
    game_id = game_id_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        game, outside_user_by_seq, numbered_undo_lines = (
            GameToReplay.of(live),
            outside_users_by_row(live),
            undo_lines(live),
        )
    numbered_lines = [
        (seq, f"{line} (done by <@{outside_user_by_seq[seq]}>)" if seq in outside_user_by_seq else line)
        for seq, line in await _log_lines(interaction, game, since)
    ]
    move_numbers = {seq for seq, _ in numbered_lines}
    shown_lines = [
        line for line in sorted([*numbered_lines, *numbered_undo_lines]) if since is None or line[0] >= since
    ]
    shown_lines = shown_lines[-DEFAULT_LOG_LINES:] if since is None else shown_lines
    if not shown_lines:
        empty_text = "No moves yet." if since is None else f"Nothing has happened since move {since}."
        await reply(interaction, empty_text)
        return
    move_options = [_move_option(seq, line) for seq, line in shown_lines if seq in move_numbers][-PAGE_SIZE:]
    text = "\n".join(line for _, line in shown_lines)
    prompt = "Show the table after a move"
    menu: Menu = discord.ui.Select(custom_id=f"h:{game_id}", placeholder=prompt, options=move_options)
    await reply(interaction, text[-MAX_LOG_CHARACTERS:], view=view_with_items([menu] if move_options else []))


async def _log_lines(
    interaction: BotInteraction, game: GameToReplay, since: int | None
) -> list[tuple[int, str]]:
    """Lines of the game's log with their row numbers, from row `since` on; if it is None, only the newest lines."""
    newest_seqs = game.seqs[-MAX_LOG_ROWS:] if since is not None else game.seqs[-3 * DEFAULT_LOG_LINES :]
    after_seq = max(newest_seqs[0], since or newest_seqs[0]) - 1
    history = await interaction.client.tables.replayer.history(game, question_queue(interaction), after_seq)
    return history.all_lines()


def _move_option(seq: int, line: str) -> discord.SelectOption:
    label = _MARKDOWN_MARKS.sub("", line).partition("\n")[0]
    return discord.SelectOption(label=shortened_label(label, MAX_ITEM_LABEL_LENGTH), value=str(seq))


# --- earlier positions -----------------------------------------------------------------------------------------------


class PastMoveSelect(Component):
    """The select menu below the reply to `/log`, which shows the position after a chosen move."""

    id_pattern = rf"h:(?P<game>{ID_NUMBER_PATTERN})"
    user_right = "look"
    request_kind = RequestKind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show the position after the chosen move."""
        await show_position_after_move(interaction, self.game, int(self.values[0]))


class EarlierPositionButton(Component):
    """A button below an earlier position: for the previous or next move, or to switch between map and market."""

    id_pattern = rf"h:(?P<game>{ID_NUMBER_PATTERN}):(?P<seq>{ID_NUMBER_PATTERN}):(?P<subject>map|market)"
    user_right = "look"
    request_kind = RequestKind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show the position of the button's move (map or market) in the same private message."""
        position = await _find_past_position(interaction, self.game, self.seq)
        pictures, views = pictures_for_answer(interaction), position.views_after_move
        if self.subject == "map":
            picture, alt_text = (
                await pictures.map(views.map, _close_up_hexes(position)),
                map_alt_text(views.map),
            )
        else:
            picture, alt_text = await pictures.market(views.market), views.market.caption
        await edit_clicked_message(
            interaction,
            content=_position_text(position),
            view=_navigation_buttons(self.game, position, self.subject),
            attachments=[picture_file(picture, f"{self.subject}.png", alt_text)],
        )


def earlier_position_button(game: int, seq: int, view_name: str, label: str) -> Button:
    """A button that shows the map or market (`view_name`) after move `seq`."""
    return button(f"h:{game}:{seq}:{view_name}", label)


async def show_position_after_move(
    interaction: BotInteraction, game_id: int, seq: int, centre_hex: str | None = None
) -> None:
    """Show the map after move `seq` in a new private message. With `centre_hex`, show only the part around that hex."""
    await defer(interaction)
    position = await _find_past_position(interaction, game_id, seq)
    hexes = _close_up_hexes(position, centre_hex)
    picture = await pictures_for_answer(interaction).map(position.views_after_move.map, hexes)
    file = picture_file(picture, "map.png", map_alt_text(position.views_after_move.map))
    await reply(
        interaction,
        _position_text(position),
        view=_navigation_buttons(game_id, position, "map"),
        files=[file],
    )


async def _find_past_position(interaction: BotInteraction, game_id: int, seq: int) -> PastPosition:
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        game = GameToReplay.of(live)
    return await past_position(tables.replayer, game, seq, question_queue(interaction))


def _close_up_hexes(past_position: PastPosition, centre_hex: str | None = None) -> tuple[str, ...]:
    """The hexes that a part of the map must show: the requested hex, or else those of the runs. Raises Refused."""
    hex_name = (centre_hex or "").strip().upper()
    if not hex_name:
        return tuple(
            dict.fromkeys(hex_ for run in past_position.views_after_move.map.runs for hex_, *_ in run.pieces)
        )
    if all(hex_name != map_hex.coord for map_hex in past_position.views_after_move.map.hexes):
        raise Refused(f"There is no hex {hex_name} on this map.")
    return (hex_name,)


def _position_text(past_position: PastPosition) -> str:
    heading = (
        strong(f"After move {past_position.seq}") if past_position.previous_move else strong("The start")
    )
    return "\n".join(filter(None, (heading, past_position.views_after_move.move_line)))[:MAX_MESSAGE_LENGTH]


def _navigation_buttons(game_id: int, past_position: PastPosition, view_name: str) -> discord.ui.View:
    neighbour_moves = ((past_position.previous_move, "← Move"), (past_position.next_move, "→ Move"))
    items = [
        earlier_position_button(game_id, seq, view_name, f"{label} {seq}")
        for seq, label in neighbour_moves
        if seq is not None
    ]
    other_view_name = "market" if view_name == "map" else "map"
    return view_with_items(
        [
            *items,
            earlier_position_button(
                game_id, past_position.seq, other_view_name, other_view_name.capitalize()
            ),
        ]
    )
