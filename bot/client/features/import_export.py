"""`/game export` and `/game import`: a game as files, and a game from a file, with seats claimed by buttons.

A user with a seat may leave the free ones to the computer; a moderator frees a seat by pressing it. The
message on which the seats are claimed becomes the game's: its thread is made from it, or it begins the
game's post. So the bot knows which message is a game already, and whatever is interrupted is done by
pressing again.
"""

import io
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import Button, button, cancel_button, view_of
from bot.client.command_groups import game
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_pressed, reply, reply_stored, stored_but_not_shown
from bot.client.entry.rights import moderates, needs, server_here
from bot.client.parameters import GameNumber
from bot.client.pictures import question_of
from bot.client.places.forum_posts_and_tags import STATES
from bot.client.places.game_channels import Venue, for_new_game, require_place, suited
from bot.client.which_game import running_choices
from bot.table.errors import Refused
from bot.table.imports import (
    REST,
    SURE,
    Claims,
    Imported,
    TablePlace,
    add_imported,
    games_imported_from,
    read_imported,
    require_size,
)
from bot.table.markdown import count_noun, sentence_list
from bot.table.past.game_record import GameFile, files_of_record, record_of
from bot.table.past.past_games import PastGame
from bot.table.rate_limits import Kind
from engine import TITLES
from engine.views import score_view
from render import scores_csv
from storage import GameRow, games, seats

SECRET: Final = (
    "Money is secret in this title. Until the game is over you get only the public log; the other "
    "files would show everybody's money."
)


@game.command(name="export", extras=needs("look", Kind.PICTURE, game="number"))
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def export(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """Get this game as files: bot format, 18xx.games log, ledger, score sheet."""
    game_id = game_here(interaction) if number is None else number
    await defer(interaction)
    tables, queue = interaction.client.tables, question_of(interaction)
    async with tables.reading(game_id) as live:
        over, past = live.game.over, PastGame.of(live)
        secret = live.game.rules.spec.secret_cash and not over
        record, scores = record_of(live), scores_csv(score_view(live.game))
    if secret:
        lines = "\n".join(line for _, line in (await tables.past.history(past, queue)).all_lines())
        await _send(interaction, SECRET, [GameFile(f"game-{game_id}.txt", lines)])
        return
    papers, notes = await tables.workers.run(queue, files_of_record, game_id, record)
    sheet = GameFile(f"game-{game_id}-scores.csv", scores)
    notes.append(f"`{sheet.name}` has the {'final' if over else 'current'} scores.")
    await _send(interaction, "\n".join(notes), [*papers, sheet])


async def _send(interaction: BotInteraction, about: str, document_list: list[GameFile]) -> None:
    files = [discord.File(io.BytesIO(paper.text.encode()), paper.name) for paper in document_list]
    await reply(interaction, about, files=files)


FILE: Final = "imported.json"
"""The game in our own form, attached to the message on which its seats are claimed."""
People: TypeAlias = tuple[tuple[int, str], ...]
"""Number and name of everybody, in order of the seats."""

# --- the file --------------------------------------------------------------------------------------------------------


@game.command(name="import", extras=needs("ask", Kind.PICTURE))
@app_commands.describe(file="A file from 18xx.games or /game export, of a finished or unfinished game")
async def import_(interaction: BotInteraction, file: discord.Attachment) -> None:
    """Continue a game from a file of 18xx.games or of /game export."""
    await defer(interaction)
    venue = await _venue(interaction)
    imported = await _read_file(interaction, file)
    there = await games_imported_from(interaction.client.tables, imported, server_here(interaction))
    if there:
        # The question has the file, since a click on it brings nothing else along.
        yes = button("j", "Import it again", discord.ButtonStyle.danger)
        view = view_of([yes, cancel_button(0)])
        await reply(interaction, _already(there), view=view, files=[_file(imported)])
        return
    done = await _open_claims(interaction, venue, imported)
    await reply_stored(interaction, done)


class ImportButton(Component):
    """The *Yes* button for importing a file again; there is no game yet."""

    template = "j"
    # Like /game import itself.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Post the message for claiming seats; raises Refused."""
        assert interaction.message is not None
        venue = await _venue(interaction)
        imported = await _read_file(interaction, interaction.message.attachments[0])
        done = await _open_claims(interaction, venue, imported)
        with stored_but_not_shown(done):
            await edit_pressed(interaction, content=done, view=None, attachments=[])


async def _venue(interaction: BotInteraction) -> Venue:
    venue = await for_new_game(interaction, interaction.client.tables.db)
    require_place(interaction, venue, "The game was not imported.")
    return venue


async def _read_file(interaction: BotInteraction, file: discord.Attachment) -> Imported:
    """The game in a file, every action checked; raises Refused with the unreadable action."""
    require_size(file.size)
    data = await file.read()
    return await interaction.client.tables.workers.run(question_of(interaction), read_imported, data)


async def _open_claims(interaction: BotInteraction, venue: Venue, imported: Imported) -> str:
    """Post the message for claiming a game's seats; returns the result in words."""
    name, moves, threads = TITLES[imported.head.title].name, imported.moves, interaction.client.threads
    claims = Claims.of(name, moves, [player for _, player in imported.head.players])
    message: dict[str, Any] = {"content": claims.text(), "view": _buttons(claims), "file": _file(imported)}
    if isinstance(venue, discord.ForumChannel):
        await threads.forums.prepare_forum(venue, name)
        thread_title = f"{name}, imported after {count_noun(moves, 'move')}"
        place = await threads.forums.open_post(venue, thread_title, (name, STATES["lobby"]), **message)
    else:
        place = (await venue.send(**message)).channel.id
    return f"The game is imported. It continues in <#{place}> when every seat is claimed."


def _file(imported: Imported) -> discord.File:
    return discord.File(io.BytesIO(imported.text.encode()), FILE)


def _already(rows: list[GameRow]) -> str:
    where = sentence_list(
        f"game {row.id}" + (f" (<#{row.thread_id}>)" if row.thread_id else "") for row in rows
    )
    return f"This game was already imported at the same move, as {where}. Import it again?"


# --- the seats -------------------------------------------------------------------------------------------------------


class ClaimButton(Component):
    """The button for a seat of an imported game; there is no game yet."""

    template = r"i:(?P<number>[0-9])"
    # There is no game yet; the message knows whose seats are taken.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Claim or release the seat; the last claim continues the game."""
        assert interaction.message is not None
        async with interaction.client.claim_locks.of(interaction.message.id):
            await _claim(interaction, interaction.message, self.number)


def claim_button(number: int, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary) -> Button:
    """The button that claims or releases a seat, or leaves the free seats to the computer."""
    return button(f"i:{number}", label, style)


async def _claim(interaction: BotInteraction, message: discord.Message, number: int) -> None:
    # Another press may have changed the message since this one was made.
    now = await message.channel.fetch_message(message.id)
    before = Claims.read(now.content)
    if number > len(before.seats) and number != SURE:
        raise Refused("This game has no such seat.")
    row = await _stored_game(interaction, now)
    if row is None:
        claims = await _claims_after_press(interaction, before, number)
        people = claims.people()
        if people is None:
            kept, view = now.attachments, _buttons(claims, asked=number == REST)
            await edit_pressed(interaction, content=claims.text(), view=view, attachments=kept)
            return
        row = await _open_table(interaction, now, people)
    with stored_but_not_shown(f"Game {row.id} continues."):
        await edit_pressed(interaction, content=await _continues(interaction, row), view=None, attachments=[])


async def _stored_game(interaction: BotInteraction, message: discord.Message) -> GameRow | None:
    """The stored game of a message that does not say so yet."""
    rows = await games.list_games(interaction.client.tables.db, server_here(interaction))
    return next((row for row in rows if row.thread_id == message.id), None)


async def _claims_after_press(interaction: BotInteraction, claims: Claims, number: int) -> Claims:
    """The claims after a click; a moderator may free another user's seat.

    Raises Refused, NotYours.
    """
    user = interaction.user
    if claims.is_anothers(number, user.id) and await moderates(interaction):
        return claims.freed(number)
    return claims.pressed(number, user.id, user.display_name)


async def _open_table(interaction: BotInteraction, message: discord.Message, people: People) -> GameRow:
    """Store the game as a table of these users, shown where its seats were claimed."""
    tables, imported = interaction.client.tables, await _read_file(interaction, message.attachments[0])
    place = TablePlace(server_here(interaction), suited(interaction.channel).id, people, thread_id=message.id)
    return await games.get_game(tables.db, await add_imported(tables, imported, place))


async def _continues(interaction: BotInteraction, row: GameRow) -> str:
    sat = await seats.seats(interaction.client.tables.db, row.id)
    continues = "continues. Players:" if row.status == "running" else "is over and can be viewed. Players:"
    return f"Game {row.id} ({row.name}) {continues} {sentence_list(seat.display_name for seat in sat)}."


def _buttons(claims: Claims, *, asked: bool = False) -> discord.ui.View:
    shown = [claim_button(number, seat.was) for number, seat in enumerate(claims.seats, 1)]
    free = sum(seat.by is None for seat in claims.seats)
    if free < len(claims.seats):
        more = count_noun(free, "computer player")
        number, label = (SURE, f"Yes, with {more}") if asked else (REST, f"Continue with {more}")
        shown.append(claim_button(number, label, discord.ButtonStyle.danger))
    return view_of(shown)
