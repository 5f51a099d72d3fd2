"""`/game export` and `/game import`: a game as files, and a game from a file, whose seats users claim by buttons.

A user with a seat can give the free seats to computer players; a moderator can free a claimed seat. The game's thread
or forum post starts at the message with the seats. The message's id therefore tells if its game is already stored,
and a click that was interrupted can be repeated.
"""

import io
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import Button, button, cancel_button, view_with_items
from bot.client.command_groups import game
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_clicked_message,
    reply,
    reply_after_storing,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import moderates, needs, server_id_here
from bot.client.parameters import GameNumber
from bot.client.pictures import question_queue
from bot.client.places.forum_posts_and_tags import TAG_BY_GAME_STATUS
from bot.client.places.game_channels import Venue, new_game_venue, require_permissions, suitable_venue
from bot.client.which_game import running_choices
from bot.table.errors import Refused
from bot.table.imports import (
    FREE_SEATS_TO_COMPUTERS,
    FREE_SEATS_TO_COMPUTERS_CONFIRMED,
    ImportedGame,
    ImportTarget,
    SeatClaims,
    games_imported_from,
    read_imported_game,
    require_size,
    store_imported_game,
)
from bot.table.markdown import count_noun, sentence_list
from bot.table.past.game_record import GameFile, files_of_record, record_of
from bot.table.past.past_games import GameToReplay
from bot.table.rate_limits import RequestKind
from engine import TITLES, has_hidden_cards
from engine.views import score_view
from render import scores_csv
from storage import GameRow, games, seats

SECRET_MONEY_TEXT: Final = (
    "Money is secret in this title. Until the game is over you get only the public log; the other "
    "files would show everybody's money."
)
SECRET_CARDS_TEXT: Final = (
    "Cards are secret in this draft. Until it is over you get only the public log; the other files would show "
    "everybody's cards."
)


@game.command(name="export", extras=needs("look", RequestKind.PICTURE, game="number"))
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def export(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Get this game as files: bot format, 18xx.games log, ledger, score sheet."""
    game_id = game_id_here(interaction) if number is None else number
    await defer(interaction)
    tables, queue = interaction.client.tables, question_queue(interaction)
    async with tables.reading(game_id) as live:
        is_over, past_game = live.game.is_over, GameToReplay.of(live)
        is_money_secret = live.game.rules.spec.secret_cash and not is_over
        secrecy_text = SECRET_MONEY_TEXT if is_money_secret else ""
        if has_hidden_cards(live.game):
            secrecy_text = SECRET_CARDS_TEXT
        record, scores = record_of(live), scores_csv(score_view(live.game))
    if secrecy_text:
        lines = "\n".join(line for _, line in (await tables.replayer.history(past_game, queue)).all_lines())
        await _send_files(interaction, secrecy_text, [GameFile(f"game-{game_id}.txt", lines)])
        return
    game_files, notes = await tables.workers.run(queue, files_of_record, game_id, record)
    score_sheet = GameFile(f"game-{game_id}-scores.csv", scores)
    notes.append(f"`{score_sheet.name}` has the {'final' if is_over else 'current'} scores.")
    await _send_files(interaction, "\n".join(notes), [*game_files, score_sheet])


async def _send_files(interaction: BotInteraction, text: str, game_files: list[GameFile]) -> None:
    files = [discord.File(io.BytesIO(game_file.text.encode()), game_file.name) for game_file in game_files]
    await reply(interaction, text, files=files)


IMPORTED_FILE_NAME: Final = "imported.json"
"""Name of the file with the imported game, attached to the message with the seats."""
SeatHolders: TypeAlias = tuple[tuple[int, str], ...]
"""User id and display name of the player in each seat of an imported game, in seating order."""

# --- the file --------------------------------------------------------------------------------------------------------


@game.command(name="import", extras=needs("ask", RequestKind.PICTURE))
@app_commands.describe(file="A file from 18xx.games or /game export, of a finished or unfinished game")
async def import_(interaction: BotInteraction, file: discord.Attachment) -> None:
    """Continue a game from a file of 18xx.games or of /game export."""
    await defer(interaction)
    venue = await _import_venue(interaction)
    imported_game = await _read_imported_game(interaction, file)
    earlier_games = await games_imported_from(
        interaction.client.tables, imported_game, server_id_here(interaction)
    )
    if earlier_games:
        # The file is attached to the question, since a click on its button sends no file.
        yes_button = button("j", "Import it again", discord.ButtonStyle.danger)
        view = view_with_items([yes_button, cancel_button(0)])
        await reply(
            interaction,
            _already_imported_text(earlier_games),
            view=view,
            files=[_game_attachment(imported_game)],
        )
        return
    done_text = await _post_seat_claims(interaction, venue, imported_game)
    await reply_after_storing(interaction, done_text)


class ImportButton(Component):
    """The *Yes* button that imports a file a second time. Its id has no game id, since the game does not exist yet."""

    id_pattern = "j"
    # as for /game import
    user_right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Import the file again: post the message with the game's seats. Raises Refused."""
        assert interaction.message is not None
        venue = await _import_venue(interaction)
        imported_game = await _read_imported_game(interaction, interaction.message.attachments[0])
        done_text = await _post_seat_claims(interaction, venue, imported_game)
        with wrap_as_stored_but_failed(done_text):
            await edit_clicked_message(interaction, content=done_text, view=None, attachments=[])


async def _import_venue(interaction: BotInteraction) -> Venue:
    venue = await new_game_venue(interaction, interaction.client.tables.db)
    require_permissions(interaction, venue, "The game was not imported.")
    return venue


async def _read_imported_game(interaction: BotInteraction, file: discord.Attachment) -> ImportedGame:
    """The game in a file. Every action is checked; raises Refused if one is illegal or unreadable."""
    require_size(file.size)
    file_bytes = await file.read()
    return await interaction.client.tables.workers.run(
        question_queue(interaction), read_imported_game, file_bytes
    )


async def _post_seat_claims(interaction: BotInteraction, venue: Venue, imported_game: ImportedGame) -> str:
    """Post the message with the imported game's seats; returns a sentence with a link to it."""
    name, move_count, threads = (
        TITLES[imported_game.record_without_moves.title].name,
        imported_game.moves,
        interaction.client.threads,
    )
    claims = SeatClaims.of(
        name, move_count, [player for _, player in imported_game.record_without_moves.players]
    )
    message: dict[str, Any] = {
        "content": claims.text(),
        "view": _claim_buttons(claims),
        "file": _game_attachment(imported_game),
    }
    if isinstance(venue, discord.ForumChannel):
        await threads.forums.prepare_forum(venue, name)
        thread_title = f"{name}, imported after {count_noun(move_count, 'move')}"
        channel_id = await threads.forums.open_post(
            venue, thread_title, (name, TAG_BY_GAME_STATUS["lobby"]), **message
        )
    else:
        channel_id = (await venue.send(**message)).channel.id
    return f"The game is imported. It continues in <#{channel_id}> when every seat is claimed."


def _game_attachment(imported_game: ImportedGame) -> discord.File:
    return discord.File(io.BytesIO(imported_game.text.encode()), IMPORTED_FILE_NAME)


def _already_imported_text(rows: list[GameRow]) -> str:
    games_text = sentence_list(
        f"game {row.id}" + (f" (<#{row.thread_id}>)" if row.thread_id else "") for row in rows
    )
    return f"This game was already imported at the same move, as {games_text}. Import it again?"


# --- the seats -------------------------------------------------------------------------------------------------------


class ClaimButton(Component):
    """A button that claims a seat of an imported game. Its id has no game id, since no game is stored yet."""

    id_pattern = r"i:(?P<number>[0-9])"
    # The right follows from the claims in the message.
    user_right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Claim or free the seat; the game starts when the last seat is claimed."""
        assert interaction.message is not None
        async with interaction.client.claim_locks.lock_of(interaction.message.id):
            await _use_claim_button(interaction, interaction.message, self.number)


def claim_seat_button(
    number: int, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary
) -> Button:
    """A button that claims or frees a seat of an imported game, or gives the free seats to computer players."""
    return button(f"i:{number}", label, style)


async def _use_claim_button(interaction: BotInteraction, message: discord.Message, number: int) -> None:
    # Another press may have changed the message meanwhile.
    current_message = await message.channel.fetch_message(message.id)
    earlier_claims = SeatClaims.read(current_message.content)
    if number > len(earlier_claims.seats) and number != FREE_SEATS_TO_COMPUTERS_CONFIRMED:
        raise Refused("This game has no such seat.")
    row = await _stored_game(interaction, current_message)
    if row is None:
        claims = await _claims_after_press(interaction, earlier_claims, number)
        seat_holders = claims.claimants()
        if seat_holders is None:
            attachments, view = (
                current_message.attachments,
                _claim_buttons(claims, is_confirmation=number == FREE_SEATS_TO_COMPUTERS),
            )
            await edit_clicked_message(interaction, content=claims.text(), view=view, attachments=attachments)
            return
        row = await _start_imported_game(interaction, current_message, seat_holders)
    with wrap_as_stored_but_failed(f"Game {row.id} continues."):
        await edit_clicked_message(
            interaction, content=await _imported_game_text(interaction, row), view=None, attachments=[]
        )


async def _stored_game(interaction: BotInteraction, message: discord.Message) -> GameRow | None:
    """The stored game whose seats a message shows; None if the game has not started."""
    rows = await games.list_games(interaction.client.tables.db, server_id_here(interaction))
    return next((row for row in rows if row.thread_id == message.id), None)


async def _claims_after_press(interaction: BotInteraction, claims: SeatClaims, number: int) -> SeatClaims:
    """The seat claims after a click on seat `number`. A moderator can free a seat that another user has claimed.

    Raises Refused, NotPermitted.
    """
    user = interaction.user
    if claims.is_claimed_by_another(number, user.id) and await moderates(interaction):
        return claims.after_freeing(number)
    return claims.after_press(number, user.id, user.display_name)


async def _start_imported_game(
    interaction: BotInteraction, message: discord.Message, seat_holders: SeatHolders
) -> GameRow:
    """Store the imported game with these users in its seats. Its thread starts at the message with the seats."""
    tables, imported_game = (
        interaction.client.tables,
        await _read_imported_game(interaction, message.attachments[0]),
    )
    import_target = ImportTarget(
        server_id_here(interaction),
        suitable_venue(interaction.channel).id,
        seat_holders,
        thread_id=message.id,
    )
    return await games.get_game(tables.db, await store_imported_game(tables, imported_game, import_target))


async def _imported_game_text(interaction: BotInteraction, row: GameRow) -> str:
    taken_seats = await seats.seats(interaction.client.tables.db, row.id)
    outcome_text = "continues. Players:" if row.status == "running" else "is over and can be viewed. Players:"
    return f"Game {row.id} ({row.name}) {outcome_text} {sentence_list(seat.display_name for seat in taken_seats)}."


def _claim_buttons(claims: SeatClaims, *, is_confirmation: bool = False) -> discord.ui.View:
    seat_buttons = [
        claim_seat_button(number, seat.recorded_name) for number, seat in enumerate(claims.seats, 1)
    ]
    free_seat_count = sum(seat.claimant is None for seat in claims.seats)
    if free_seat_count < len(claims.seats):
        computers_text = count_noun(free_seat_count, "computer player")
        number, label = (
            (FREE_SEATS_TO_COMPUTERS_CONFIRMED, f"Yes, with {computers_text}")
            if is_confirmation
            else (FREE_SEATS_TO_COMPUTERS, f"Continue with {computers_text}")
        )
        seat_buttons.append(claim_seat_button(number, label, discord.ButtonStyle.danger))
    return view_with_items(seat_buttons)
