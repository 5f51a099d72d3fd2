"""A season up to the next one: a bot that is killed at every step loses, doubles and miscounts nothing."""

import asyncio
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Final

from bot.client.features.events.posts import PODIUM_POST_ROLE, SIGN_UP_POST_ROLE, STANDINGS_POST_ROLE
from bot.sandbox.guild import seed
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.model import ChannelKind, Message, User
from bot.sandbox.server import LoopbackServer
from bot.table.events.event_settings import EventSettings
from bot.table.events.event_views import event_view
from bot.table.orders.caretakers import play_caretakers
from bot.table.tables import Tables
from engine.caretaker import choose_move
from storage import CARETAKER_USER, Database, EventRow, event_tables, events, games, open_database
from tests.bot.support.sandbox_bot import TABLE
from tests.torture.worker import meant

WORKER = Path(__file__).parent / "season_worker.py"
PATIENCE = 600.0
NEVER: Final = "after any 0"
DRAW: Final = ("before store_draw 1", "after store_draw 1", "before set_post 1")
START: Final = (
    "after change_status 1",
    "after open_game 2",
    "after commit_start 1",
    "before message_entrants 1",
    "before mark_sent 1",
)
ENDS: Final = ("after any 3", "before change_status 1", "after change_status 1", "before set_post 4")
NEXT: Final = ("before create_event 1", "after create_event 1", "before set_post 2")
"""Writes before and after which the bot is killed, in each part of a season."""
TALK: Final = 60
"""Messages that are written meanwhile: more than those among which a nonce is looked for."""
DEFAULT_PLACE_POINTS: Final = (10, 6, 3, 1)
Act = Callable[[], Coroutine[None, None, None]]


class Bot:
    """The process that begins a bot's lives."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def _word(self) -> list[str]:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, "the process has ended"
        return line.decode().split()

    async def lives(self, act: Act, moment: str = NEVER) -> bool:
        """Let people act while it lives, and ask it to end afterwards; True if it was killed before."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{moment}\n".encode())
        _, number = await self._word()
        word = await self._word()
        if word[0] == "ready":
            ending, acting = asyncio.create_task(self._word()), asyncio.create_task(act())
            await asyncio.wait((ending, acting), return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                acting.result()
                with suppress(ProcessLookupError):  # it was killed at this very moment
                    os.kill(int(number), signal.SIGTERM)
            word = await ending
            acting.cancel()
        assert word in (["dead", "0"], ["dead", str(-signal.SIGKILL)])
        return word != ["dead", "0"]


class Season:
    """A server with a season, its people, and the bot that runs it."""

    def __init__(self, world: World, bot: Bot, where: str | Path, players: int) -> None:
        self.world, self.bot, self.where = world, bot, where
        self._chance, self._more = random.Random(players), players // 8 - 1
        self.people = [_member(world, number) for number in range(players - players // 4)]
        self._computers = players // 4
        self._is_small = players < 28

    @property
    def _ann(self) -> Person:
        return Person.find_by_name(self.world, "Ann")

    def posts(self, text: str = "") -> list[Message]:
        """Posts of the bot that hold this text, for everybody in the channel."""
        history = self.world.history(self.world.channel_named(TABLE).id)
        return [m for m in history if m.author_id == seed.BOT_ID and not m.ephemeral and text in m.content]

    async def press(self, label: str, times: int = 1) -> None:
        """Ann presses a button of the panel, if it is there."""
        panels = (await self._ann.slash(TABLE, "event manage")).ephemeral
        for _ in range(times):
            if panels and label in [button.label for button in panels[0].buttons]:
                await self._ann.press(panels[0], label)

    async def opened(self) -> None:
        await self._ann.slash(TABLE, "event new", name="Spring 1", title="18tn")
        if self._is_small:
            [panel] = (await self._ann.slash(TABLE, "event manage")).ephemeral
            form = (await self._ann.press(panel, "Numbers and deadline")).modal
            assert form is not None
            numbers = {"table_size": "4", "games_each": "1", "group_size": "4", "pair": "1 1"}
            await self._ann.submit(form, **numbers)

    async def entered(self, name: str) -> None:
        [post] = self.posts(f"**{name}**: a season")
        for person in self.people:
            await person.press(post, "Join")
        await self.press("Add a computer player", self._computers)

    async def survives(self, act: Act, moments: Sequence[str]) -> None:
        """The bot is killed again and again while people do this; in the end it is done."""
        chances = [f"after any {int(2 ** self._chance.uniform(0, 8))}" for _ in range(self._more)]
        for moment in (*moments, *chances):
            was_killed = await self.bot.lives(act, moment)
            assert was_killed or moment in chances, moment
            for number in range(TALK):
                self._ann.say(TABLE, f"talk {number}")
        await self.bot.lives(act)

    async def next_season(self) -> None:
        for post in self.posts("**Spring 1** is over."):
            await self._ann.press(post, "Next season")


def _member(world: World, number: int) -> Person:
    user = User(seed.OWNER_ID + 1_000 + number, f"Player{number + 1}")
    world.users[user.id] = user
    guild = world.guilds[seed.GUILD_ID]
    guild.members[user.id] = [guild.id + seed.PLAYERS_ROLE_OFFSET]
    return Person(world, user)


async def played(where: str | Path, *, whole: bool) -> None:
    """Each game is played for some moves; every second one to its end by caretakers if games may be `whole`."""
    async with await open_database(where) as db, db.own_shards() as duty:
        tables = Tables(duty.db, shards=duty.shards)
        await tables.open()
        for row in await games.games_with_status(db, "running"):
            moves = 2_000 if whole and row.id % 2 == 0 else 10 * row.id % 37
            for _ in range(moves):
                await play_caretakers(tables, row.id)
                async with tables.reading(row.id) as live:
                    if live.game.is_over:
                        break
                    action = choose_move(live.game, live.game.actors()[0], row.seed, "Apprentice")
                    user_id, seq = live.user_of(action.actor), live.seq
                await tables.submit(row.id, user_id, meant(action), seq)


async def test_season_survives_kills(where: str | Path, season_players: int, whole_games: bool) -> None:
    world = World(later_message_seconds=0.0, answer_seconds=PATIENCE)
    async with LoopbackServer(world=world) as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(WORKER), str(where), server.url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        try:
            season = Season(world, Bot(process), where, season_players)
            await season.bot.lives(season.opened)
            await season.bot.lives(lambda: season.entered("Spring 1"))
            await season.survives(lambda: season.press("Draw the tables"), DRAW)
            await season.survives(lambda: season.press("Start"), START)
            await played(where, whole=whole_games)
            await season.survives(lambda: season.press("End unfinished games"), ENDS)
            await season.survives(season.next_season, NEXT)
            await season.bot.lives(lambda: season.entered("Spring 2"))
            await season.survives(lambda: season.press("Draw the tables"), DRAW)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        async with await open_database(where) as db:
            second, first = await events.events_of_server(db, seed.GUILD_ID)
            assert (first.status, second.status, second.previous_id) == ("ended", "drawn", first.id)
            await every_game_was_begun_once(db, season, first)
            await every_post_was_made_once(db, season, (first, second))
            await points_ranks_and_promotion_are_right(db, first, second)


async def every_game_was_begun_once(db: Database, season: Season, event: EventRow) -> None:
    tables = await event_tables.tables_of_event(db, event.id)
    rows = await db.rows("SELECT id, thread_id, status FROM games")
    assert sorted(table.game_id or 0 for table in tables) == sorted(row[0] for row in rows)
    threads = [
        channel.id for channel in season.world.channels.values() if channel.kind == ChannelKind.PUBLIC_THREAD
    ]
    assert sorted(row[1] for row in rows) == sorted(threads)
    assert {row[2] for row in rows} == {"finished"}
    told = Counter(
        person.name
        for person in season.people
        for message in person.direct_messages()
        if "**Spring 1** begins" in message.content
    )
    assert told == {person.name: 1 for person in season.people}


async def every_post_was_made_once(db: Database, season: Season, both: Sequence[EventRow]) -> None:
    kept = [await events.posts_of_event(db, event.id) for event in both]
    assert list(map(set, kept)) == [
        {SIGN_UP_POST_ROLE, STANDINGS_POST_ROLE, PODIUM_POST_ROLE},
        {SIGN_UP_POST_ROLE},
    ]
    made = sorted(number for posts in kept for number, _ in posts.values())
    assert made == sorted(message.id for message in season.posts("**Spring "))


async def ranked(db: Database, event: EventRow) -> list[dict[int, list[Fraction]]]:
    """The entrants of each group, best first: points, wins, seconds, thirds, share of the winner's total, total."""
    results = await db.rows(
        "SELECT results.game_id, entrant, total FROM results JOIN event_tables USING (game_id) "
        "JOIN event_seats USING (event_id, stage, number) WHERE event_id = ? AND player_id = 'p' || seat",
        event.id,
    )
    scores: dict[int, list[Fraction]] = {}
    for game, entrant, total in results:
        totals = [other for number, _, other in results if number == game]
        better, tied = sum(other > total for other in totals), totals.count(total)
        row = scores.setdefault(entrant, [Fraction(0)] * 6)
        row[0] += Fraction(sum(DEFAULT_PLACE_POINTS[better : better + tied]), tied)
        row[4] += Fraction(max(total, 0), max(totals))
        row[5] += total
        if better < 3:
            row[1 + better] += 1
    entrants = await db.rows("SELECT number, division FROM entrants WHERE event_id = ? ORDER BY 1", event.id)
    groups = [[one for one, division in entrants if division == group] for group in divisions_of(entrants)]
    return [
        {one: scores[one] for one in sorted(group, key=scores.__getitem__, reverse=True)} for group in groups
    ]


def divisions_of(entrants: Sequence[Sequence[int]]) -> list[int]:
    return sorted({division for _, division in entrants})


def moved(groups: Sequence[Sequence[int]], up: int, down: int, back: set[int]) -> Iterator[int]:
    """Those who are back, in the order of the ladder, after promotion and relegation."""
    rises = {player for group in groups[1:] for player in group[:up]}
    falls = {player for group in groups[:-1] for player in group[-down:]}
    left = [[player for player in group if player in back] for group in groups]
    fallen: list[int] = []
    for place, group in enumerate(groups):
        here = [player for player in left[place] if player not in falls]
        following = [player for player in left[place] if player in falls]
        lower = list(chain(*left[place + 1 :]))
        free = max(len(group) - len(fallen) - len(here), 0)
        above = [
            player for player in lower if player in rises and player in left[min(place + 1, len(left) - 1)]
        ]
        rising = [*above, *(player for player in lower if player not in above)][:free]
        left = [[player for player in others if player not in rising] for others in left]
        yield from (*fallen, *here, *rising)
        fallen = following


async def points_ranks_and_promotion_are_right(db: Database, first: EventRow, second: EventRow) -> None:
    groups = await ranked(db, first)
    shown = (await event_view(db, first.id)).standings.values()
    for rows, standing in zip(groups, shown, strict=True):
        ranks = {one: 1 + sum(other > mine for other in rows.values()) for one, mine in rows.items()}
        assert {row.entrant_number: (row.rank, row.points) for row in standing} == {
            one: (ranks[one], mine[0]) for one, mine in rows.items()
        }
    [old, new] = [
        {entrant.number: entrant for entrant in await events.entrants_of_event(db, event.id)}
        for event in (first, second)
    ]
    back = {number for number, entrant in old.items() if entrant.user_id != CARETAKER_USER}
    settings = EventSettings.of(first.settings)
    ladder = moved([list(rows) for rows in groups], settings.promoted, settings.relegated, back)
    wanted = {old[one].user_id: 1 + place // settings.group_size for place, one in enumerate(ladder)}
    drawn = {entrant.user_id: entrant.division for entrant in new.values()}
    assert {user: drawn[user] for user in wanted} == wanted
