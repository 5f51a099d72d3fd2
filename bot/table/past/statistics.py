"""Statistics of a server: games, wins, places, and thinking times."""

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
from bot.table.results_and_ratings import format_thinking_time, game_results, rating_text
from bot.table.tables import SECONDS_BETWEEN_CHECKS, Tables
from engine import TITLES
from storage import ANONYMISED_USER, CARETAKER_USER, FORMER_PLAYER_NAME, StorageError, games, results

_log = logging.getLogger("stationmaster.statistics")

MAX_GAMES_WITH_TIMES: Final = 50
"""Maximum number of a server's games, newest first, from which thinking times are taken."""
MAX_LISTED_USERS: Final = 25
"""Maximum number of users in a list. To see others, a user must ask for them by name."""
_STATUS_WORDS: Final[Mapping[games.Status, str]] = {
    "lobby": "open",
    "running": "running",
    "finished": "finished",
    "abandoned": "abandoned",
}
STATISTICS_NOTE: Final = (
    "-# A shared first place is a win. Times run from the start of a turn to its first move, in "
    f"the newest {MAX_GAMES_WITH_TIMES} games, without automatic moves and moves for others. Only you see this."
)
"""Note below each reply with statistics."""


@dataclass(frozen=True, slots=True)
class UserRecord:
    """A user's places in finished games, such as first or third."""

    ranks: tuple[int, ...]

    @classmethod
    def of(cls, placed_users: Iterable[results.PlacedUser]) -> "UserRecord":
        """The record for these places. If a user had several seats in one game, only the best place counts."""
        return cls(tuple(place.rank for place in _best_place_by_game(placed_users).values()))

    @property
    def wins(self) -> int:
        return self.ranks.count(1)

    def record_text(self) -> str:
        """The record in words: `4 wins in 7 games, average place 1.6`."""
        if not self.ranks:
            return "no finished game"
        return (
            f"{count_noun(self.wins, 'win')} in {count_noun(len(self.ranks), 'game')}, "
            f"average place {mean(self.ranks):.1f}"
        )


async def statistics(tables: Tables, guild_id: int, user_id: int | None, title: str | None) -> str:
    """The statistics of a server as text. `user_id` and `title` limit them to one user or title (None: all)."""
    db = tables.db
    game_counts, places_of_server = (
        await games.count_games(db, guild_id),
        await results.places_of_server(db, guild_id),
    )
    names = await results.user_names(db, guild_id)
    thinking_times, all_ratings = (
        await _thinking_times(tables, guild_id, title, names),
        await results.ratings_of_server(db, guild_id),
    )

    def statistics_text() -> str:
        counted_places = [place for place in places_of_server if title in (None, place.title)]
        if user_id is not None:
            return "\n".join(
                [
                    *_lines_of_user(user_id, names, counted_places, thinking_times, all_ratings),
                    STATISTICS_NOTE,
                ]
            )
        ratings = {
            user: rating for (user, rated_title), rating in all_ratings.items() if rated_title == title
        }
        counts_of_title = [game_count for game_count in game_counts if title in (None, game_count[0])]
        paragraphs = [
            _games_line(counts_of_title),
            *_user_lines(names, counted_places, thinking_times, ratings),
            STATISTICS_NOTE,
        ]
        return "\n".join(paragraph for paragraph in paragraphs if paragraph)

    # With a thousand games this takes too long for the event loop.
    return await asyncio.to_thread(statistics_text)


async def head_to_head(tables: Tables, guild_id: int, user_ids: tuple[int, int], title: str | None) -> str:
    """A comparison of two users by the games that both have finished, overall and by title.

    Raises Refused if both are the same user.
    """
    if user_ids[0] == user_ids[1]:
        raise Refused("Name another player: you cannot play against yourself.")
    names = await results.user_names(tables.db, guild_id)
    places_of_server = await results.places_of_server(tables.db, guild_id)
    return await asyncio.to_thread(
        _head_to_head_text,
        user_ids,
        names,
        [place for place in places_of_server if title in (None, place.title)],
    )


def _head_to_head_text(
    user_ids: tuple[int, int], names: Mapping[int, str], placed_users: Sequence[results.PlacedUser]
) -> str:
    own_place_by_game, other_place_by_game = (
        _best_place_by_game(_placed_users_of(user, placed_users)) for user in user_ids
    )
    pair_by_game = {
        game: (own_place, other_place_by_game[game])
        for game, own_place in own_place_by_game.items()
        if game in other_place_by_game
    }
    names_shown = [strong(names.get(user, f"<@{user}>")) for user in user_ids]
    if not pair_by_game:
        return f"{names_shown[0]} and {names_shown[1]} have not finished a game together here."
    pairs_by_title: defaultdict[str, list[tuple[results.PlacedUser, results.PlacedUser]]] = defaultdict(list)
    for own_place, other_place in pair_by_game.values():
        pairs_by_title[own_place.title].append((own_place, other_place))
    title_lines = [
        f"- {_title_name(title)}: {_comparison_text(names_shown, pairs)}"
        for title, pairs in pairs_by_title.items()
    ]
    return "\n".join(
        [
            f"{names_shown[0]} against {names_shown[1]}: {_comparison_text(names_shown, list(pair_by_game.values()))}",
            *title_lines,
        ]
    )


def _best_place_by_game(placed_users: Iterable[results.PlacedUser]) -> dict[int, results.PlacedUser]:
    return {
        placed_user.game_id: placed_user
        for placed_user in sorted(
            placed_users, key=lambda placed_user: (placed_user.game_id, -placed_user.rank)
        )
    }


def _comparison_text(
    names_shown: Sequence[str], pairs: Sequence[tuple[results.PlacedUser, results.PlacedUser]]
) -> str:
    """The comparison of two users: `5 games, **Ann** ahead in 3, **Bob** in 1, equal in 1`."""
    own_wins = sum(own_place.rank < other_place.rank for own_place, other_place in pairs)
    other_wins = sum(own_place.rank > other_place.rank for own_place, other_place in pairs)
    tie_count = len(pairs) - own_wins - other_wins
    tie_text = f", equal in {tie_count}" if tie_count else ""
    name, other_name = names_shown
    return f"{count_noun(len(pairs), 'game')}, {name} ahead in {own_wins}, {other_name} in {other_wins}{tie_text}"


async def add_missing_results(tables: Tables) -> None:
    """Store results for finished games that have none stored."""
    for game_id in await results.games_without_results(tables.db, tables.shards):
        try:
            async with tables.lock(game_id):
                live = await loading.load(tables.db, game_id, tables.workers)
                await results.add_results(tables.db, game_id, game_results(live.game))
        except (Refused, StorageError) as error:
            # The game is damaged or runs again, so there is no result.
            _log.warning("game %s left out of statistics: %s", game_id, error)
        await asyncio.sleep(SECONDS_BETWEEN_CHECKS)


async def _thinking_times(
    tables: Tables, guild_id: int, title: str | None, names: Mapping[int, str]
) -> Mapping[int, list[timedelta]]:
    """Thinking times in a server's newest games, by user; anonymised users are left out."""
    times_by_user: defaultdict[int, list[timedelta]] = defaultdict(list)
    for game_id in await results.newest_games(tables.db, guild_id, MAX_GAMES_WITH_TIMES, title):
        for user, thinking_time in await tables.thinking_time_cache.times_of_game(game_id):
            if user in names:
                times_by_user[user].append(thinking_time)
    return times_by_user


def _games_line(game_counts: Sequence[tuple[str, games.Status, int]]) -> str:
    status_counts, title_counts = Counter[games.Status](), Counter[str]()
    for title, status, count in game_counts:
        status_counts[status] += count
        if status in ("running", "finished"):
            title_counts[title] += count
    status_text = sentence_list(
        f"{status_counts[state]} {status_word}"
        for state, status_word in _STATUS_WORDS.items()
        if status_counts[state]
    )
    titles_text = ", ".join(f"{_title_name(title)} {count}" for title, count in title_counts.most_common())
    return f"Games: {status_text or 'none yet'}." + (f" Played: {titles_text}." if titles_text else "")


def _user_lines(
    names: Mapping[int, str],
    placed_users: Sequence[results.PlacedUser],
    thinking_times: Mapping[int, Sequence[timedelta]],
    ratings: Mapping[int, results.Rating],
) -> list[str]:
    """A line for each user, most wins first. All anonymised users share the last line."""
    places_by_user: dict[int, list[results.PlacedUser]] = {user: [] for user in thinking_times}
    for placed_user in placed_users:
        places_by_user.setdefault(placed_user.user_id, []).append(placed_user)
    anonymised_places = places_by_user.pop(ANONYMISED_USER, [])
    places_by_user.pop(CARETAKER_USER, None)
    record_by_user = {user: UserRecord.of(places) for user, places in places_by_user.items()}
    ranked_users = sorted(
        record_by_user.items(),
        key=lambda user_and_record: (
            -user_and_record[1].wins,
            -len(user_and_record[1].ranks),
            names.get(user_and_record[0], ""),
        ),
    )
    lines = [
        _user_line(
            names.get(user, FORMER_PLAYER_NAME), record, thinking_times.get(user, ()), ratings.get(user)
        )
        for user, record in ranked_users[:MAX_LISTED_USERS]
    ]
    omitted_count = len(ranked_users) - MAX_LISTED_USERS
    if omitted_count > 0:
        lines.append(f"{count_noun(omitted_count, 'more player')}: `/stats player:` shows each.")
    if anonymised_places:
        wins, seat_count = sum(place.won for place in anonymised_places), len(anonymised_places)
        anonymised_name = FORMER_PLAYER_NAME if seat_count == 1 else f"{FORMER_PLAYER_NAME}, or several"
        lines.append(
            f"{strong(anonymised_name)}: {count_noun(wins, 'win')} in {count_noun(seat_count, 'game')}"
        )
    return lines


def _lines_of_user(
    user: int,
    names: Mapping[int, str],
    placed_users: Sequence[results.PlacedUser],
    thinking_times: Mapping[int, Sequence[timedelta]],
    all_ratings: Mapping[tuple[int, str], results.Rating],
) -> list[str]:
    """Lines about one user: a total, and one line for each title."""
    own_places = _placed_users_of(user, placed_users)
    titles = dict.fromkeys(place.title for place in own_places)
    record_by_title = {
        title: UserRecord.of(place for place in own_places if place.title == title) for title in titles
    }
    first_line = _user_line(
        names.get(user, f"<@{user}>"), UserRecord.of(own_places), thinking_times.get(user, ())
    )
    return [
        first_line,
        *(
            f"- {_title_name(title)}: {record.record_text()}{_rating_suffix(all_ratings.get((user, title)))}"
            for title, record in record_by_title.items()
        ),
    ]


def _rating_suffix(rating: results.Rating | None) -> str:
    return "" if rating is None else f"; {rating_text(rating)}"


def _placed_users_of(user: int, placed_users: Iterable[results.PlacedUser]) -> list[results.PlacedUser]:
    return [place for place in placed_users if place.user_id == user]


def _user_line(
    name: str, record: UserRecord, thinking_times: Sequence[timedelta], rating: results.Rating | None = None
) -> str:
    time_text = ""
    if thinking_times:
        median_time = timedelta(
            seconds=median(thinking_time.total_seconds() for thinking_time in thinking_times)
        )
        turn_count = count_noun(len(thinking_times), "turn")
        time_text = f"; thinking time {format_thinking_time(median_time)} (median of {turn_count})"
    return f"{strong(name)}: {record.record_text()}{_rating_suffix(rating)}{time_text}"


def _title_name(title: str) -> str:
    return TITLES[title].name if title in TITLES else title
