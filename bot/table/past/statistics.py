"""Statistics of a server: games, wins, ranks, and thinking times."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import mean, median
from typing import Final

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.markdown import count_noun, sentence_list, strong
from bot.table.results_and_ratings import format_thinking_time, rating_text, scored
from bot.table.tables import GENTLY, Tables
from engine import TITLES
from storage import ANONYMISED, CARETAKER, FORMER, StorageError, games, results

_log = logging.getLogger("stationmaster.statistics")

TIMED: Final = 50
"""Number of a server's newest games whose thinking times are counted."""
LISTED: Final = 25
"""People that are listed; who has won less is asked for by name."""
_STATES: Final[Mapping[games.Status, str]] = {
    "lobby": "open",
    "running": "running",
    "finished": "finished",
    "abandoned": "abandoned",
}
SAID_ALIKE: Final = (
    "-# A shared first place is a win. Times run from the start of a turn to its first move, in "
    f"the newest {TIMED} games, without automatic moves and moves for others. Only you see this."
)
"""Note below every answer."""


@dataclass(frozen=True, slots=True)
class UserRecord:
    """A user's finished games, by rank."""

    places: tuple[int, ...]

    @classmethod
    def of(cls, placed_users: Iterable[results.PlacedUser]) -> "UserRecord":
        """The statistics of these ranks; of several seats in one game the best counts."""
        return cls(tuple(place.rank for place in _best(placed_users).values()))

    @property
    def wins(self) -> int:
        return self.places.count(1)

    def says(self) -> str:
        """`4 wins in 7 games, average place 1.6`."""
        if not self.places:
            return "no finished game"
        return (
            f"{count_noun(self.wins, 'win')} in {count_noun(len(self.places), 'game')}, "
            f"average place {mean(self.places):.1f}"
        )


async def statistics(tables: Tables, guild_id: int, user_id: int | None, title: str | None) -> str:
    """Statistics of a server, of one title or all, for everybody or one user."""
    db = tables.db
    there, placed = await games.count_games(db, guild_id), await results.places_of_server(db, guild_id)
    names = await results.user_names(db, guild_id)
    times, strengths = (
        await _times(tables, guild_id, title, names),
        await results.ratings_of_server(db, guild_id),
    )

    def said() -> str:
        counted = [place for place in placed if title in (None, place.title)]
        if user_id is not None:
            return "\n".join([*_of_person(user_id, names, counted, times, strengths), SAID_ALIKE])
        ratings = {user: rating for (user, one), rating in strengths.items() if one == title}
        here = [one for one in there if title in (None, one[0])]
        parts = [_of_games(here), *_of_people(names, counted, times, ratings), SAID_ALIKE]
        return "\n".join(part for part in parts if part)

    # Of a server with a thousand games it takes long.
    return await asyncio.to_thread(said)


async def head_to_head(tables: Tables, guild_id: int, two: tuple[int, int], title: str | None) -> str:
    """A comparison of two users by games that both finished, overall and by title.

    Raises Refused for one and the same user.
    """
    if two[0] == two[1]:
        raise Refused("Name another player: you cannot play against yourself.")
    names = await results.user_names(tables.db, guild_id)
    placed = await results.places_of_server(tables.db, guild_id)
    return await asyncio.to_thread(
        _head_to_head, two, names, [place for place in placed if title in (None, place.title)]
    )


def _head_to_head(
    two: tuple[int, int], names: Mapping[int, str], placed_users: Sequence[results.PlacedUser]
) -> str:
    ours, theirs = (_best(_placed_users_of(user, placed_users)) for user in two)
    both = {game: (one, theirs[game]) for game, one in ours.items() if game in theirs}
    who = [strong(names.get(user, f"<@{user}>")) for user in two]
    if not both:
        return f"{who[0]} and {who[1]} have not finished a game together here."
    of_title: defaultdict[str, list[tuple[results.PlacedUser, results.PlacedUser]]] = defaultdict(list)
    for one, other in both.values():
        of_title[one.title].append((one, other))
    each = [f"- {_name(title)}: {_comparison_text(who, pairs)}" for title, pairs in of_title.items()]
    return "\n".join([f"{who[0]} against {who[1]}: {_comparison_text(who, list(both.values()))}", *each])


def _best(placed_users: Iterable[results.PlacedUser]) -> dict[int, results.PlacedUser]:
    """A user's place in each game; of several seats in one game the best counts."""
    return {one.game_id: one for one in sorted(placed_users, key=lambda one: (one.game_id, -one.rank))}


def _comparison_text(
    who: Sequence[str], pairs: Sequence[tuple[results.PlacedUser, results.PlacedUser]]
) -> str:
    """A comparison in words: `5 games, **Ann** ahead in 3, **Bob** in 1, equal in 1`."""
    first = sum(one.rank < other.rank for one, other in pairs)
    second = sum(one.rank > other.rank for one, other in pairs)
    equal = len(pairs) - first - second
    shared = f", equal in {equal}" if equal else ""
    return f"{count_noun(len(pairs), 'game')}, {who[0]} ahead in {first}, {who[1]} in {second}{shared}"


async def score_earlier(tables: Tables) -> None:
    """Store results of earlier finished games without any."""
    for game_id in await results.games_without_results(tables.db, tables.share):
        try:
            async with tables.lock(game_id):
                live = await loading.load(tables.db, game_id, tables.workers)
                await results.add_results(tables.db, game_id, scored(live.game))
        except (Refused, StorageError) as error:
            # It is damaged, or runs again since: then there is nothing to count.
            _log.warning("game %s left out of statistics: %s", game_id, error)
        await asyncio.sleep(GENTLY)


async def _times(
    tables: Tables, guild_id: int, title: str | None, names: Mapping[int, str]
) -> Mapping[int, list[timedelta]]:
    """Thinking times by user in the newest games, without anonymised users."""
    times: defaultdict[int, list[timedelta]] = defaultdict(list)
    for game_id in await results.newest_games(tables.db, guild_id, TIMED, title):
        for user, span in await tables.decision_times.times_of_game(game_id):
            if user in names:
                times[user].append(span)
    return times


def _of_games(counted: Sequence[tuple[str, games.Status, int]]) -> str:
    states, titles = Counter[games.Status](), Counter[str]()
    for title, status, count in counted:
        states[status] += count
        if status in ("running", "finished"):
            titles[title] += count
    by_state = sentence_list(f"{states[state]} {word}" for state, word in _STATES.items() if states[state])
    played = ", ".join(f"{_name(title)} {count}" for title, count in titles.most_common())
    return f"Games: {by_state or 'none yet'}." + (f" Played: {played}." if played else "")


def _of_people(
    names: Mapping[int, str],
    placed_users: Sequence[results.PlacedUser],
    times: Mapping[int, Sequence[timedelta]],
    strengths: Mapping[int, results.Rating],
) -> list[str]:
    """A line for each user, most wins first; anonymised users together at the end."""
    own: dict[int, list[results.PlacedUser]] = {user: [] for user in times}
    for one in placed_users:
        own.setdefault(one.user_id, []).append(one)
    former = own.pop(ANONYMISED, [])
    own.pop(CARETAKER, None)
    played = {user: UserRecord.of(places) for user, places in own.items()}
    ranked = sorted(
        played.items(), key=lambda one: (-one[1].wins, -len(one[1].places), names.get(one[0], ""))
    )
    lines = [
        _user_line(names.get(user, FORMER), one, times.get(user, ()), strengths.get(user))
        for user, one in ranked[:LISTED]
    ]
    more = len(ranked) - LISTED
    if more > 0:
        lines.append(f"{count_noun(more, 'more player')}: `/stats player:` shows each.")
    if former:
        wins, seats = sum(place.won for place in former), len(former)
        who = FORMER if seats == 1 else f"{FORMER}, or several"
        lines.append(f"{strong(who)}: {count_noun(wins, 'win')} in {count_noun(seats, 'game')}")
    return lines


def _of_person(
    user: int,
    names: Mapping[int, str],
    placed_users: Sequence[results.PlacedUser],
    times: Mapping[int, Sequence[timedelta]],
    strengths: Mapping[tuple[int, str], results.Rating],
) -> list[str]:
    """Lines about one user, overall and by title."""
    own = _placed_users_of(user, placed_users)
    titles = dict.fromkeys(place.title for place in own)
    each = {title: UserRecord.of(place for place in own if place.title == title) for title in titles}
    head = _user_line(names.get(user, f"<@{user}>"), UserRecord.of(own), times.get(user, ()))
    return [
        head,
        *(
            f"- {_name(title)}: {played.says()}{_rating(strengths.get((user, title)))}"
            for title, played in each.items()
        ),
    ]


def _rating(found: results.Rating | None) -> str:
    return "" if found is None else f"; {rating_text(found)}"


def _placed_users_of(user: int, placed_users: Iterable[results.PlacedUser]) -> list[results.PlacedUser]:
    return [place for place in placed_users if place.user_id == user]


def _user_line(
    name: str, played: UserRecord, spans: Sequence[timedelta], rating: results.Rating | None = None
) -> str:
    took = ""
    if spans:
        usual = timedelta(seconds=median(span.total_seconds() for span in spans))
        took = f"; decides within {format_thinking_time(usual)} (median of {len(spans)})"
    return f"{strong(name)}: {played.says()}{_rating(rating)}{took}"


def _name(title: str) -> str:
    return TITLES[title].name if title in TITLES else title
