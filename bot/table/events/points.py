"""Points and standings. Points are exact fractions, computed from finished games."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from typing import Final, Literal, TypeAlias

Scoring: TypeAlias = Literal["places", "winner_share", "table_share"]
"""The scoring method: points by place, or by score in percent of the winner's or of the table's total."""
WithdrawalRule: TypeAlias = Literal["keeps", "loses"]
"""The effect of withdrawing: a player keeps their points, or loses them and is ranked last."""

DEFAULT_PLACE_POINTS: Final[Mapping[int, Sequence[int]]] = {
    2: (10, 1),
    3: (10, 5, 1),
    4: (10, 6, 3, 1),
    5: (10, 7, 4, 2, 1),
    6: (10, 7, 5, 3, 2, 1),
    7: (10, 8, 6, 4, 3, 2, 1),
    8: (10, 8, 6, 5, 4, 3, 2, 1),
}
"""Default points for each place, by player count. A win always gives 10 points."""


@dataclass(frozen=True)
class PlayedSeat:
    """A seat in a finished game: entrant, place, and final score in dollars. Tied players have the same place."""

    entrant_number: int
    place: int
    total: int


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of an event."""

    game_id: int
    group: int
    stage: int
    seats: tuple[PlayedSeat, ...]

    def players_ahead_of(self, seat: PlayedSeat) -> int:
        """The number of players with a better place than this seat."""
        return sum(other.place < seat.place for other in self.seats)


@dataclass(frozen=True)
class Standing:
    """An entrant's row in the standings of a group."""

    entrant_number: int
    group: int
    rank: int
    points: Fraction
    games_played: int
    games_due: int
    wins: int
    second_places: int
    third_places: int
    mean_result_percent: Fraction
    """The entrant's mean share: the average of their final scores, each in percent of the winner's score."""
    total: int
    games: tuple[tuple[int, int, Fraction], ...]
    """Each game played: game id, place, points."""


def points_of_game(
    game: PlayedGame, scoring: Scoring, place_points: Mapping[int, Sequence[int]]
) -> dict[int, Fraction]:
    """Each entrant's points in a game; tied entrants share the points of their places.

    If scores are percentages, a negative score counts as 0, and nobody gets points if all scores are 0. If points
    depend on places, a place that `place_points` does not list gives no points; a missing player count raises KeyError.
    """
    if scoring == "places":
        points = place_points[len(game.seats)]
        return {seat.entrant_number: _points_of_place(game, seat, points) for seat in game.seats}
    totals = [max(seat.total, 0) for seat in game.seats]
    full_score = max(totals, default=0) if scoring == "winner_share" else sum(totals)
    return {
        seat.entrant_number: Fraction(100 * total, full_score) if full_score else Fraction(0)
        for seat, total in zip(game.seats, totals, strict=True)
    }


def _points_of_place(game: PlayedGame, seat: PlayedSeat, points: Sequence[int]) -> Fraction:
    better_count = game.players_ahead_of(seat)
    tied_count = sum(other.place == seat.place for other in game.seats)
    return Fraction(sum(points[better_count : better_count + tied_count]), tied_count)


def standings(
    games: Sequence[PlayedGame],
    group_by_entrant: Mapping[int, int],
    scoring: Scoring,
    place_points: Mapping[int, Sequence[int]],
    rule_by_withdrawn_entrant: Mapping[int, WithdrawalRule],
    games_due: Mapping[int, int] | None = None,
) -> dict[int, tuple[Standing, ...]]:
    """The standings of each group, best first. `group_by_entrant` gives each entrant's group number.

    The order is by points, then by wins, second places, third places, mean share and total score; entrants equal in all
    of these share a rank. Only games within an entrant's group count. `games_due` is the number of games that each
    entrant will have played at the end; if None, the games played so far.
    """
    rows_by_group: dict[int, list[Standing]] = {}
    for entrant_number, group in group_by_entrant.items():
        keeps_points = rule_by_withdrawn_entrant.get(entrant_number) != "loses"
        own_games = [
            (
                game,
                seat,
                points_of_game(game, scoring, place_points)[entrant_number] if keeps_points else Fraction(0),
            )
            for game in games
            if game.group == group
            for seat in game.seats
            if seat.entrant_number == entrant_number
        ]
        own_games_due = len(own_games) if games_due is None else games_due.get(entrant_number, len(own_games))
        rows_by_group.setdefault(group, []).append(
            _entrant_standing(entrant_number, group, own_games, own_games_due)
        )
    return {
        group: _ranked_standings(rows_by_group[group], rule_by_withdrawn_entrant)
        for group in sorted(rows_by_group)
    }


def _entrant_standing(
    entrant_number: int,
    group: int,
    own_games: Sequence[tuple[PlayedGame, PlayedSeat, Fraction]],
    games_due: int,
) -> Standing:
    places = [seat.place for _, seat, _ in own_games]
    score_shares = [points_of_game(game, "winner_share", {})[entrant_number] for game, _, _ in own_games]
    return Standing(
        entrant_number,
        group,
        rank=0,
        points=sum((points for _, _, points in own_games), Fraction(0)),
        games_played=len(own_games),
        games_due=games_due,
        wins=places.count(1),
        second_places=places.count(2),
        third_places=places.count(3),
        mean_result_percent=sum(score_shares, Fraction(0)) / max(len(own_games), 1),
        total=sum(seat.total for _, seat, _ in own_games),
        games=tuple((game.game_id, seat.place, points) for game, seat, points in own_games),
    )


def _ranked_standings(
    rows: Sequence[Standing], rule_by_withdrawn_entrant: Mapping[int, WithdrawalRule]
) -> tuple[Standing, ...]:
    sort_key_by_entrant = {
        row.entrant_number: (
            rule_by_withdrawn_entrant.get(row.entrant_number) != "loses",
            row.points,
            row.wins,
            row.second_places,
            row.third_places,
            row.mean_result_percent,
            row.total,
        )
        for row in rows
    }
    ranked_rows = sorted(rows, key=lambda row: sort_key_by_entrant[row.entrant_number], reverse=True)
    return tuple(
        replace(
            row,
            rank=1
            + sum(other > sort_key_by_entrant[row.entrant_number] for other in sort_key_by_entrant.values()),
        )
        for row in ranked_rows
    )


def points_text(points: Fraction) -> str:
    """Points rounded to at most two decimals: `10`, `7.5`, `33.33`."""
    hundredths = int(points * 100 + Fraction(1, 2))
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")


def standings_csv(standings_by_group: Mapping[int, Sequence[Standing]], names: Mapping[int, str]) -> str:
    """The standings as CSV text: a row for each player, a column for each game. `2nd/6` is second place, 6 points."""
    rows = [row for group_rows in standings_by_group.values() for row in group_rows]
    game_ids = sorted({game_id for row in rows for game_id, _, _ in row.games})
    csv_text = StringIO()
    csv_writer = csv.writer(csv_text, lineterminator="\n")
    csv_writer.writerow(
        (
            *(
                "rank",
                "group",
                "player",
                "points",
                "games",
                "wins",
                "seconds",
                "thirds",
                "mean share",
                "total",
            ),
            *(f"game {game_id}: place/points" for game_id in game_ids),
        )
    )
    for row in rows:
        results = {
            game_id: f"{_ordinal(place)}/{points_text(points)}" for game_id, place, points in row.games
        }
        csv_writer.writerow(
            (
                row.rank,
                row.group,
                _without_formula(names[row.entrant_number]),
                points_text(row.points),
                row.games_played,
                row.wins,
                row.second_places,
                row.third_places,
                points_text(row.mean_result_percent),
                row.total,
                *(results.get(game_id, "") for game_id in game_ids),
            )
        )
    return csv_text.getvalue()


def _ordinal(place: int) -> str:
    # A spreadsheet would read `1/10` as a date.
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _without_formula(name: str) -> str:
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
