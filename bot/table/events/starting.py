"""The start of an event's games, and a message to each entrant that lists theirs. A crash never starts a game twice."""

import json
import logging
import random
from collections.abc import Sequence
from typing import Final

from bot.table.errors import Refused
from bot.table.events.event_views import EventView, event_view
from bot.table.lobby import SEED_LIMIT, Lobbies
from bot.table.markdown import strong
from bot.table.outbox.notices import ThreadPing
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY
from bot.table.tables import Tables
from engine import TITLES
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    PERSON_SETTINGS,
    Database,
    Entrant,
    EntrantMessage,
    EventRow,
    EventTable,
    GameRow,
    NewEventGame,
    event_tables,
    games,
)

_log = logging.getLogger("stationmaster.events")

GROUP_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Letters that name the first 26 groups; later groups are named by number."""
MAX_LIST_LENGTH: Final = 1700
"""Maximum length of the list of games in a direct message, in characters; Discord allows 2000 in all."""


def group_name(division: int) -> str:
    """The name of a group, by number from 1: `A` for the first; a number after `Z`."""
    return GROUP_LETTERS[division - 1] if division <= len(GROUP_LETTERS) else str(division)


def stage_name(view: EventView, stage: int) -> str:
    """The name of a tournament's stage: `heats`, `round 2`, `final`. Empty for a season."""
    if view.settings.kind == "season":
        return ""
    if stage == 1:
        return "heats"
    tables = [table for table in view.tables if table.stage == stage]
    return "final" if len(tables) == 1 else f"round {stage}"


async def begin_games(tables: Tables, lobbies: Lobbies, event_id: int) -> int:
    """Start all games of the event's current stage that have not started; returns their number."""
    view = await event_view(tables.db, event_id)
    if view.event.status != "running":
        return 0
    games_by_id = {game.game_id: game for game in view.games}
    started_count = 0
    for table in view.stage_tables:
        game = games_by_id.get(table.game_id or 0)
        if game is None or game.status == "lobby":
            started_count += await _begin_game(tables, lobbies, view, table)
    return started_count


async def _begin_game(tables: Tables, lobbies: Lobbies, view: EventView, table: EventTable) -> bool:
    game = _game_of_table(view, table)
    row = await event_tables.open_game(tables.db, view.event, table, game, tables.clock())
    try:
        await lobbies.start_without_pings(row.id, view.event.opened_by)
    except Refused as problem:
        _log.warning("game %s of event %s: cannot start: %s", row.id, view.event.id, problem)
        return False
    return True


def _game_of_table(view: EventView, table: EventTable) -> NewEventGame:
    title, settings = TITLES[table.title], view.settings
    return NewEventGame(
        game_name(view, table),
        settings.profile_of(title),
        json.dumps(sorted(settings.options)),
        seed_of_table(view.event, table),
        settings.table_settings,
    )


def game_name(view: EventView, table: EventTable) -> str:
    """The name of a table's game, from event, group, table number and title: `Spring B5 · 1889`."""
    stage = stage_name(view, table.stage)
    table_text = f"{stage} {table.number}" if stage else f"{group_name(table.division)}{table.number}"
    return f"{view.event.name} {table_text} · {TITLES[table.title].name}"


def seed_of_table(event: EventRow, table: EventTable) -> int:
    """The random seed of a table's game, derived from the event's seed."""
    return random.Random(f"{event.seed}:{table.stage}:{table.number}").randrange(SEED_LIMIT)


async def message_entrants(tables: Tables, event_id: int) -> int:
    """Queue a message to each entrant about their games of this stage; returns the number of messages.

    Does nothing until all games of the stage have threads.
    """
    view = await event_view(tables.db, event_id)
    entrants_to_message = [
        entrant
        for entrant in view.present_entrants
        if entrant.last_message_stage < view.event.stage
        and entrant.user_id not in (ANONYMISED_USER, CARETAKER_USER)
    ]
    if view.event.status != "running" or not entrants_to_message or not _all_have_threads(view):
        return 0
    rows = {game.game_id: await games.get_game(tables.db, game.game_id) for game in view.games}
    tables_by_entrant = {
        entrant.number: [table for table in view.stage_tables if entrant.number in table.entrants]
        for entrant in entrants_to_message
    }
    messages = [
        await _entrant_message(
            tables.db,
            entrant,
            _games_text(view, entrant, own_tables_of_entrant, rows),
            own_tables_of_entrant[0].game_id or 0,
        )
        for entrant in entrants_to_message
        for own_tables_of_entrant in [tables_by_entrant[entrant.number]]
        if own_tables_of_entrant
    ]
    await event_tables.message_entrants(tables.db, event_id, view.event.stage, messages, tables.clock())
    for message in messages:
        if message.notice is not None:
            tables.on_notice(message.game_id)
    return len(messages)


async def _entrant_message(db: Database, entrant: Entrant, text: str, game_id: int) -> EntrantMessage:
    """The message to an entrant: a direct message, or a ping in the game's thread if they accept no direct messages."""
    refuses_messages = await PERSON_SETTINGS.get(db, entrant.user_id, NO_DIRECT_MESSAGES_KEY) is not None
    notice = ThreadPing((entrant.user_id,), text).notice() if refuses_messages else None
    return EntrantMessage(entrant.number, entrant.user_id, text, game_id, notice)


def _all_have_threads(view: EventView) -> bool:
    games_with_thread = {game.game_id for game in view.games if game.thread_id is not None}
    return all(table.game_id in games_with_thread for table in view.stage_tables)


def _games_text(
    view: EventView, entrant: Entrant, own_tables: Sequence[EventTable], rows: dict[int, GameRow]
) -> str:
    lines: list[str] = []
    for table in own_tables:
        row = rows[table.game_id or 0]
        opponents_text = ", ".join(
            view.names[number] for number in table.entrants if number != entrant.number
        )
        link = f"https://discord.com/channels/{row.guild_id}/{row.thread_id}"
        seat = table.entrants.index(entrant.number) + 1
        line = f"[{TITLES[table.title].name}, game {row.id}]({link}): seat {seat}, with {opponents_text}"
        if sum(map(len, lines)) + len(line) > MAX_LIST_LENGTH:
            lines.append(f"and {len(own_tables) - len(lines)} more: `/mine` lists all.")
            break
        lines.append(line)
    games_phrase = "Your game has" if len(own_tables) == 1 else f"Your {len(own_tables)} games have"
    return "\n".join([f"{strong(view.event.name)} begins. {games_phrase} started:", *lines])
