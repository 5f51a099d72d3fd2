"""Ratings by OpenSkill, for servers that have chosen them: games that end by their own rules, between people."""

from collections.abc import Sequence
from typing import Final

from bot.table.live import LiveGame
from engine.core.actions import read_action
from storage.log import NOTHING, Entry, SideEffects
from storage.people import ANONYMISED, CARETAKER
from storage.results import Rated, Rating, Result

THOUSAND: Final = 1000


def rated(live: LiveGame, entries: Sequence[Entry], results: Sequence[Result], now: str) -> SideEffects:
    """What rates a game that these rows end; nothing where it runs, was ended early, or fewer than two people play."""
    vanished = live.by_group | live.by_caretaker
    users = {seat.player_id: seat.user_id for seat in live.seats if seat.player_id not in vanished}
    places = tuple(
        (users[one.player_id], one.rank)
        for one in results
        if users.get(one.player_id, CARETAKER) not in (CARETAKER, ANONYMISED)
    )
    is_contest = len(places) > 1 and not _is_ended_early(entries)
    return Rated(places, after, now) if is_contest else NOTHING


def after(before: Sequence[Rating | None], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game, by OpenSkill's Plackett-Luce model: everybody is a team of one."""
    # It is needed once a game, and takes a while to load.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams = [
        [model.rating() if one is None else model.rating(one.mu / THOUSAND, one.sigma / THOUSAND)]
        for one in before
    ]
    found = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(round(one.mu * THOUSAND), round(one.sigma * THOUSAND)) for [one] in found]


def says(rating: Rating | None) -> str:
    """`rating 27.1 ± 6.2`; nothing without a rating."""
    if rating is None:
        return ""
    return f"rating {rating.mu / THOUSAND:.1f} ± {rating.sigma / THOUSAND:.1f}"


def _is_ended_early(entries: Sequence[Entry]) -> bool:
    """Whether the players, or a moderator, have ended the game before its end."""
    last = entries[-1]
    return last.kind != "action" or read_action(last.payload).kind == "end_game"
