"""A what-if while money is secret."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features.what_if import what_if_text
from bot.table import what_ifs
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.orders.automatic import MARK, MOST
from bot.table.what_ifs import SECRET, WhatIfs, same_moves, sight_of, try_moves
from engine.core.ids import PlayerId
from engine.core.offers import Cursor
from engine.game import Game
from engine.tell.move_preview import Tried, may_try
from tests.bot.moves.test_what_ifs import _live
from tests.bot.support.table_service import TableService
from tests.support.legal_values import filled

LATE = 814
ALL_OFFERED = 820
"""By as many moves of the game each kind of them could be made."""


async def test_while_money_is_secret_a_what_if_shows_the_same_whatever_others_have(
    service: TableService,
) -> None:
    """Every kind of move, when it can first be made in a kind of round, and all of a late turn, where they have
    what they have, more, or nothing.
    """
    live, actions = await _live(service, "18c2c-bank-3p", 0)
    game, done = live.game, set[tuple[str, str]]()
    for number, action in enumerate(actions[:ALL_OFFERED]):
        if may_try(game, action.actor):
            kinds = [(game.table.state.round.kind, offer.kind) for offer in game.offers(action.actor)]
            places = [place for place, kind in enumerate(kinds) if number == LATE or kind not in done]
            done.update(kinds)
            for seen in _seen_by_means(live, action.actor, places):
                assert seen[0] == seen[1] == seen[2]
        game.apply(action)
    assert len(done) == 30
    assert {"bid", "lay_tile", "run_routes", "propose_merger", "place_bull", "shuffle"} <= {
        kind for _, kind in done
    }


async def test_no_forced_move_follows_where_what_comes_next_may_not_be_seen(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, _ = await _live(service, "18c2c-bank-3p", 0)
    walk: Any = SimpleNamespace(offer=None)
    forced: Any = SimpleNamespace(walk=walk)
    monkeypatch.setattr("engine.orders.forced_move", lambda _: forced)
    monkeypatch.setattr(what_ifs, "move_lines", lambda *_: ("A line.",))
    looker = live.game.actors()[0]
    for user, continues, seen in (
        (looker, True, 1 + MOST),
        (looker, False, 1),
        ("p9", True, 1),
    ):
        made = Tried((), live.game, continues)
        monkeypatch.setattr(what_ifs, "tried", lambda *_, made=made: made)
        found = [lines for _, lines in what_ifs._followed(live.game, walk, user)]
        assert found == [("A line.",), *[(f"A line. {MARK}",)] * (seen - 1)]


async def test_where_a_what_if_ends_because_of_secret_money_no_move_follows(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is the player's own turn again, or was that of somebody else already."""
    live, [first, *_] = await _live(service, "18c2c-bank-3p", 0)
    begun = WhatIfs().begin(live, live.user_of(first.actor))
    seen = Tried((), live.game, continues=False)
    monkeypatch.setattr(what_ifs, "tried", lambda *_: seen)
    monkeypatch.setattr(what_ifs, "move_lines", lambda *_: ("A line.",))
    ended = try_moves(begun, same_moves([first, first]))
    assert ([step.action for step in ended.what_if.steps], ended.note) == ([first], SECRET)
    with pytest.raises(Refused, match="Money is secret here"):
        try_moves(ended.what_if, same_moves([first]))
    assert sight_of(ended.what_if) == replace(ended, note="")
    others = try_moves(replace(begun, looker="p2"), same_moves([first]))
    assert (others.what_if.steps, others.note) == ((), SECRET)


def _more(dollars: int) -> int:
    return dollars + 1000


def _nothing(dollars: int) -> int:
    return 0 * dollars


def _with_others_money(game: Game, looker: PlayerId, changed: Callable[[int], int]) -> Game:
    """The same position, but for what others and their companies have."""
    other = Game.load(game.dump())
    state = other.table.state
    for player in state.players:
        if player.id != looker and not player.bankrupt:
            player.cash = changed(player.cash)
    for company in state.companies.values():
        if company.president not in (None, looker):
            company.cash = changed(company.cash)
    return Game.load(other.dump())


def _seen_by_means(live: LiveGame, looker: PlayerId, places: Sequence[int]) -> Iterator[list[object]]:
    """What is seen of each of these offers while others have what they have, more, or nothing."""
    if places:
        rich = _with_others_money(live.game, looker, _more)
        # A bidder cannot have less than the bid.
        bids = live.game.table.selling_privates
        poor = rich if bids else _with_others_money(live.game, looker, _nothing)
        for place in places:
            yield [_seen(live, game, looker, place) for game in (live.game, rich, poor)]


def _seen(live: LiveGame, game: Game, looker: PlayerId, place: int) -> object:
    """All that is said of a player's own move, and what is offered then."""
    found = try_moves(
        WhatIfs().begin(replace(live, game=game), live.user_of(looker)), [partial(_nth, looker, place)]
    )
    return what_if_text(found, live.seq), [entry.label for entry in found.entries]


def _nth(looker: PlayerId, place: int, game: Game) -> Cursor:
    """The first way through one of a player's offers."""
    walk = next(filled(Cursor(game.offers(looker)[place])), None)
    if walk is None:
        raise Refused("There is no way.")
    return walk
