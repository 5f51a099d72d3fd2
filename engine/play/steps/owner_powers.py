"""Tiles laid by players: by the owner of a private, or by the player who has just sold it to a company."""

from collections.abc import Iterator

from engine.core.actions import LayTile, Pass
from engine.core.events import Passed, TileLaid
from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.offers import Offer
from engine.core.spec import TileLayPower
from engine.core.state import Operating, Private, Stock
from engine.play.steps.base import AnytimeStep, CompanyStep, Request
from engine.play.table import Table
from engine.play.track.private_lay import (
    lay_offer,
    player_lay_power_by_private,
    power_rotations,
    tile_lay_powers,
)


class OwnerLayStep(AnytimeStep):
    """A private's owner lays its tile: in stock rounds, between turns, or in their companies' track steps."""

    name = "owner_lay"
    kinds = frozenset({"lay_tile"})

    def offers(self, t: Table) -> Iterator[Offer]:
        for name, power in t.spec.cached(player_lay_power_by_private).items():
            private = t.state.privates[name]
            if _owner_lay_obstacle(t, private, power) is None:
                yield lay_offer(
                    t, private.id, power, _hexes_for_tile(t, power), actor=private.owner, blocking=False
                )

    def apply(self, t: Table, action: LayTile) -> None:
        _lay_private_tile(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The rule that forbids this private's owner to lay its tile now."""
        name = request.entity or ""
        power = t.spec.cached(player_lay_power_by_private).get(name)
        return None if power is None else _owner_lay_obstacle(t, t.state.privates[name], power)


class SellerLayStep(CompanyStep):
    """The player who has just sold a private to a company lays its tile or passes."""

    name = "seller_lay"
    kinds = frozenset({"lay_tile", "pass"})
    is_exclusive = True
    is_unlisted = True

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.turn.seller_lay is None:
            return
        name, seller = t.turn.seller_lay
        power = next(power for power in tile_lay_powers(t.spec.privates[name]) if power.laid_by == "seller")
        legal_hexes = _hexes_for_tile(t, power)
        if legal_hexes:
            yield lay_offer(t, name, power, legal_hexes, actor=seller)
        yield t.offer("pass", name, fact("offer.lays_no_tile_by", private=name), actor=seller)

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        if isinstance(action, LayTile):
            _lay_private_tile(t, action)
        else:
            t.emit(Passed(action.actor, fact("declined.track")))
        t.turn.seller_lay = None

    def skip(self, t: Table) -> None:
        """Do nothing, because the step may be needed again in this turn."""

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.turn.seller_lay is None:
            return None
        private, seller = t.turn.seller_lay
        return fact("privates.seller_lays_first", private=private, player=seller)


def _owner_lay_obstacle(t: Table, private: Private, power: TileLayPower) -> Fact | None:
    if private.closed or not t.state.is_player(private.owner or ""):
        return fact("privates.lays_for_a_player", private=private.id)
    if private.power_used:
        return fact("privates.has_laid", private=private.id)
    if not _may_lay_now(t, private):
        return fact("privates.lays_between_turns", private=private.id)
    return (
        None
        if _hexes_for_tile(t, power)
        else fact("privates.hexes_taken", private=private.id, hexes=power.hexes)
    )


def _may_lay_now(t: Table, private: Private) -> bool:
    current_round = t.state.round
    if not isinstance(current_round, Operating) or current_round.turn is None:
        return isinstance(current_round, Stock) and not t.is_selling_privates
    if t.president(current_round.turn.company).id == private.owner and "track" not in current_round.turn.done:
        return True
    return not (current_round.turn.laid or current_round.turn.lays or current_round.turn.done)


def _hexes_for_tile(t: Table, power: TileLayPower) -> list[Coord]:
    empty_hexes = (coord for coord in power.hexes if t.map.tile(coord) is None)
    return [
        coord for coord in empty_hexes if any(power_rotations(t, power, coord, tile) for tile in power.tiles)
    ]


def _lay_private_tile(t: Table, action: LayTile) -> None:
    t.map.lay(action.hex, action.tile, action.rotation)
    t.state.fresh.hexes.append(action.hex)
    t.state.privates[action.entity].power_used = True
    cash = t.cash(action.actor)
    t.emit(TileLaid(action.actor, action.hex, action.tile, action.rotation, 0, cash, action.entity))
