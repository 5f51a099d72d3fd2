"""Invariants of every position of every game."""

from collections import Counter

from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.play.shares import holdings


def assert_sound(game: Game) -> None:
    """Money, certificates, tiles and trains are conserved; limits hold; somebody can act."""
    _money(game)
    _certificates(game)
    _tiles(game)
    _trains(game)
    _markers(game)
    assert game.is_over or game.actors(), "nobody can act"
    _forced(game)


def _forced(game: Game) -> None:
    """A president who must buy a train can buy one of the bank, sell something, or is bankrupt: nothing blocks them."""
    step = game.step()
    if step is None or step.name not in {"trains", "deal"}:
        return
    blocking = [offer for offer in game.offers() if offer.blocking]
    assert any(offer.kind != "buy_train" or {"bank", "pool"} & _sellers(offer) for offer in blocking), (
        "only another company's train is possible"
    )


def _sellers(offer: Offer) -> set[str | int]:
    trains = [choice.value for choice in OfferCursor(offer).domain.choices()]
    return {
        choice.value
        for train in trains
        for choice in OfferCursor(offer).pick_all({"train": train}).domain.choices()
    }


def _money(game: Game) -> None:
    state = game.table.state
    players = [player.cash for player in state.players]
    companies = [company.cash for company in state.companies.values()]
    spec = game.rules.spec
    bank = spec.players[len(players)].bank or spec.bank
    assert state.bank + sum(players) + sum(companies) == bank
    assert min(players) >= 0 or game.rules.spec.bankruptcy == "never"
    assert min(companies) >= 0


def _certificates(game: Game) -> None:
    t = game.table
    # Above the limit only in a zone that lifts it, or after the price has left such a zone.
    lifted = any(zone.over_holding_limit for zone in t.spec.market.zones)
    for company in t.state.companies.values():
        assert sum(company.shares.values()) + company.certificate == 100, company.id
        only = company.certificate == 100  # then there are no ordinary certificates
        assert all(
            (percent > 0 or only) and percent % company.share == 0 for percent in company.shares.values()
        )
        # With two players the rest of the offering joins what was sold before floating (14.2); what a merger
        # hands out to nobody goes to the pool (R-C2C-224).
        more = len(t.state.players) == 2 or bool(company.parts)
        assert company.percent("market") <= t.spec.pool_limit or more
        if not (lifted or only):
            assert all(company.percent(player.id) <= t.spec.holding_limit for player in t.state.players)
        if company.president:
            out = t.spec.bankruptcy == "eliminates"
            staying = [player.id for player in t.state.players if not (out and player.bankrupt)]
            most = max(company.percent(player) for player in staying)
            held = company.percent(company.president)
            assert held == most or most < company.certificate, company.id
    for player in t.state.players:
        # Only a president who has borrowed can owe more than they have; `_money` says where presidents borrow.
        assert holdings.net_worth(t, player) >= 0 or player.cash < 0


def _tiles(game: Game) -> None:
    board = game.table.map
    laid = Counter(tile for coord in board.coords if (tile := board.tile(coord)) is not None)
    for tile, spec in game.rules.spec.tiles.items():
        left = board.supply[tile]
        assert (left is None) == (spec.count is None)
        if left is not None:
            assert left >= 0
            assert left + laid[tile] == spec.count, tile


def _trains(game: Game) -> None:
    t = game.table
    owned = Counter(train for company in t.state.companies.values() for train in company.runnable_trains)
    owned.update(t.state.pool)
    for train in t.spec.trains:
        left = t.state.depot[train.name]
        if train.count is not None:
            assert left is not None
            added = train.name in game.rules.spec.event_trains  # one more may be added in play
            assert 0 <= left + owned[train.name] <= train.count + added


def _markers(game: Game) -> None:
    t = game.table
    for company in t.state.companies.values():
        assert (company.cell is None) == (company.par is None)
    assert sorted(t.state.market) == sorted(c.id for c in t.state.companies.values() if c.is_started)
