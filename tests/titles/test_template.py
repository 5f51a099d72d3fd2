"""The title to begin with: it plays, and no table is offered it. And what holds of a title without privates."""

import pytest

from engine.core.actions import Action
from engine.core.state import Auction, Stock
from engine.game import Game
from engine.tell.view_builders import map_view, market_view
from engine.titles import TITLES, Title
from engine.titles.template.rules import TemplateRules
from render import render_map, render_market
from tests.support.invariants import assert_sound
from tests.support.players.random_play import RandomPlayer

TEMPLATE = Title("template", "engine.titles.template", TemplateRules)
OFFERED = frozenset(TITLES)


@pytest.fixture(autouse=True)
def _is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, TEMPLATE.id, TEMPLATE)  # a game finds its title in this table only


def played(game: Game, seed: int) -> list[Action]:
    """The actions of a game that is played at random to its end, with every invariant kept."""
    player = RandomPlayer(seed)
    actions = []
    while not game.is_over:
        actions.append(player.choose(game))
        game.apply(actions[-1])
        assert_sound(game)
        assert game.seq < 5000, "the game does not end"
    return actions


def seats(count: int) -> list[tuple[str, str]]:
    return [(f"p{number}", f"Player {number}") for number in range(1, count + 1)]


@pytest.mark.parametrize("players", TEMPLATE.spec.players)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_template_is_played_to_its_end(players: int, seed: int) -> None:
    game, again = (Game(TEMPLATE.id, seats(players), seed) for _ in range(2))
    again.apply_all(played(game, seed))
    assert game.offers() == ()
    assert (again.digest(), again.scores()) == (game.digest(), game.scores())


def test_template_is_drawn_and_not_offered() -> None:
    """And it has the sections that all titles have."""
    game = Game(TEMPLATE.id, seats(2), 1)
    for png in (render_map(map_view(game)), render_market(market_view(game))):
        assert png.startswith(b"\x89PNG")
    assert TEMPLATE.id not in OFFERED
    common = set.intersection(*(set(known.spec.sections) for known in TITLES.values() if known != TEMPLATE))
    assert {name for name in common if "." not in name} - {"private_trade"} <= set(TEMPLATE.spec.sections)


def test_template_has_an_auction_and_a_private() -> None:
    game = Game(TEMPLATE.id, seats(2), 1)
    assert isinstance(game.table.state.round, Auction)
    assert {"bid", "pass"} <= {offer.kind for offer in game.offers()}
    assert "buy_private" in TEMPLATE.rules.ROUNDS["operating"].kinds


@pytest.mark.parametrize("in_stock_rounds", [False, True])
def test_title_without_privates(in_stock_rounds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = TEMPLATE.spec
    known = Title("bare", TEMPLATE.package, TemplateRules)
    auction = spec.auction.model_copy(update={"in_stock_rounds": in_stock_rounds})
    vars(known)["spec"] = spec.model_copy(update={"auction": auction, "privates": {}})
    monkeypatch.setitem(TITLES, known.id, known)
    game = Game(known.id, seats(2), 1)
    assert isinstance(game.table.state.round, Stock)
    assert game.table.state.auction is None
    played(game, 4)
