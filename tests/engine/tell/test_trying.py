"""Trying a move changes a copy alone, shows the position summary before and after, and reveals nothing secret."""

import pytest

from engine.core.events import TrainBought
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.play.steps.base import Request
from engine.tell.differences import Earnings, earnings, net_worth_change, price_changes, run_changes
from engine.tell.move_preview import TriedMove, may_try_moves, only_player_of_tried_moves, try_move
from engine.tell.teller import teller_of
from tests.golden.positions import FOLDER, golden, golden_at
from tests.support.legal_values import filled
from tests.support.long_runs import VARIED_GAMES, some_named

GAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
SALE = 475
"""After this many actions of that game B&O buys a train of PLE."""
SAMPLES = 8
FEW_SAMPLES = 4
"""Positions of each game in which everything that is offered is tried: in long runs, and otherwise."""


def _tried(name: str, number: int) -> tuple[Game, TriedMove, PlayerId]:
    before, action = golden_at(name, number), golden(name).actions[number]
    copy = Game.load(before.dump())
    return before, try_move(copy, copy.cursor_for(Request.of_action(action)), action.actor), action.actor


def _nth(name: str, kind: str, nth: int = 0) -> int:
    """The number of the actions before one of a kind."""
    return [number for number, action in enumerate(golden(name).actions) if action.kind == kind][nth]


def _shown(before: Game, seen: TriedMove, looker: PlayerId | None) -> list[str]:
    say = teller_of(seen.game).say
    games = (before, seen.game)
    own = [] if looker is None else net_worth_change(*games, looker)
    return [*map(say, price_changes(*games)), *map(say, own), *map(say, run_changes(*games))]


def test_dividend_shows_price_and_worth() -> None:
    before, seen, actor = _tried("18chesapeake-bank-4p", _nth("18chesapeake-bank-4p", "dividend", 30))
    price, cash, worth = _shown(before, seen, actor)
    [company] = {e.company for e in seen.events if hasattr(e, "company")} & {price.split()[0]}
    old, new = (game.table.price(game.table.state.companies[company]) for game in (before, seen.game))
    assert price == f"{company} ${old} → ${new}"
    assert cash == f"your cash ${before.table.cash(actor)} → ${seen.game.table.cash(actor)}"
    assert worth == f"your net worth ${before.scores()[actor]} → ${seen.game.scores()[actor]}"
    assert _shown(before, seen, None) == [price]


def test_runs_before_and_after() -> None:
    """A train that is traded changes both; the best run is what it earns; the search ends when that is
    enough."""
    before, seen, actor = _tried("18chesapeake-bankruptcy-3p", SALE)
    [bought] = [event for event in seen.events if isinstance(event, TrainBought)]
    assert (bought.company, bought.source) == ("B&O", "PLE")
    assert _shown(before, seen, actor) == ["best run of B&O $0 → $260", "best run of PLE $260 → $0"]
    assert earnings(seen.game, "B&O") == Earnings(260, is_proven=True)
    name = "18chesapeake-bank-4p"
    number = _nth(name, "run_routes", 20)
    game = golden_at(name, number)
    company = game.table.company.id
    assert earnings(game, company) == Earnings(game.best_run().revenue, is_proven=True)
    earlier = golden_at(name, _nth(name, "run_routes", 19))
    assert earlier.table.company.id != company
    assert earnings(earlier, company).dollars > 0
    name = "18chesapeake-bankruptcy-3p"
    before, seen, _ = _tried(name, _nth(name, "buy_train", 20))
    assert list(run_changes(before, seen.game, lambda: True)) == []


def test_everybody_tries_where_money_is_open() -> None:
    game = Game("18chesapeake", [("a", "Ann"), ("b", "Bob")], 1)
    assert may_try_moves(game, None)
    assert only_player_of_tried_moves(game, "b") is None


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, GAMES))
def test_every_offer_can_be_tried(name: str, far: int | None) -> None:
    """Nothing is left to chance once a game is set up."""
    record = golden(name)
    game, actions = record.initial_game(), record.actions[:far]
    drawn, samples = game.table.state.draws, FEW_SAMPLES if far else SAMPLES
    every, tries = max(len(actions) // samples, 1), 0
    for number, action in enumerate(actions):
        if number % every == every // 2:
            tries += _try_all(game)
        game.apply(action)
    assert tries > samples
    assert game.table.state.draws == drawn


def _try_all(game: Game) -> int:
    """Try one filling of everything that is offered; how many there are."""
    digest, seq, tries = game.digest(), game.seq, 0
    for place in range(len(game.offers())):
        copy = Game.load(game.dump())
        offer = copy.offers()[place]
        walk = next(filled(OfferCursor(offer)), None)
        if walk is not None:
            before = Game.load(game.dump())
            seen = try_move(copy, walk, offer.actor)
            assert seen.may_continue or game.table.spec.secret_cash
            _shown(before, seen, offer.actor)
            tries += 1
        assert (game.digest(), game.seq) == (digest, seq), offer
    return tries
