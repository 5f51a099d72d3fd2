"""Laying track in a company's turn: the company's own lays, and the lays of its privates (18Chesapeake 7.1, 11.3)."""

from collections.abc import Iterator

from engine.core.actions import LayTile, Pass
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.core.state import Private
from engine.play.privates.pending_powers import privates_holding_turn_open, purchase_would_open_step
from engine.play.steps.base import AnytimeStep, CompanyStep, Request
from engine.play.table import Table
from engine.play.track.company_lay import (
    help_obstacle,
    helped_lay_offers,
    hex_obstacle,
    lay_with_help,
    own_lay_obstacle,
    own_lay_offer,
)
from engine.play.track.lay_rules import lay_cost, lay_tile, next_own_lay, owned_privates, record_lay_of_turn
from engine.play.track.private_lay import (
    hexes_for_tile_power,
    power_lay_offer,
    power_obstacle,
    power_use_obstacle,
    tile_lay_power,
    tile_lay_powers_of_president,
    use_tile_power,
)
from engine.play.track.terrain import lay_help_power
from engine.play.trains.phases import close_private


class AnytimePrivateLayStep(AnytimeStep):
    """Tile lays by privates whose power works at any time of the company's turn; they do not hold up other steps."""

    name = "extra_lay"
    kinds = frozenset({"lay_tile"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Legal tile lays by privates that work at any time of the company's turn.

        There are none while another private has laid only the first of its two tiles.
        """
        for private in _privates_laying_anytime(t):
            offer = power_lay_offer(t, private, blocking=False)
            if offer is not None:
                yield offer

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must wait, because a private of the company could still lay a tile.

        When a log is replayed, it may wait even if all the private's hexes have tiles.
        """
        is_lenient = t.rules.has_flag("asks_when_nothing_is_legal")
        find_obstacle = power_use_obstacle if is_lenient else power_obstacle
        return any(find_obstacle(t, private) is None for private in _privates_laying_anytime(t))

    def apply(self, t: Table, action: LayTile) -> None:
        use_tile_power(t, action, t.state.privates[action.entity])

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private in _privates_laying_anytime(t):
            return power_obstacle(t, private)
        return TrackStep().misplaced_obstacle(t, request)


def _privates_laying_anytime(t: Table) -> list[Private]:
    powers = ((private, tile_lay_power(t, private.id)) for private in owned_privates(t))
    return [private for private, power in powers if power is not None and power.anytime]


class TrackStep(CompanyStep):
    """The tile lays of a company's turn: those that every company has, and those of its privates."""

    name = "track"
    kinds = frozenset({"lay_tile", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offers of tile lays that have a legal hex, and the offer to end the step if that is legal."""
        has_lay_offer = False
        for offer in self._lay_offers(t):
            has_lay_offer = True
            yield offer
        if _may_end_step(t) if has_lay_offer else _step_stays_open(t):
            yield _end_step_offer(t)

    def end_step_offer(self, t: Table) -> Offer | None:
        return _end_step_offer(t) if _may_end_step(t) else None

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        if isinstance(action, Pass):
            t.emit(Passed(action.entity, None if t.turn.laid else fact("declined.track")))
            self.close(t)
        elif action.entity == t.company.id:
            lay_price = lay_cost(t, action.hex)
            record_lay_of_turn(t, action)
            lay_tile(t, action, None, lay_price=lay_price)
        elif lay_help_power(t, action.entity) is not None:
            lay_with_help(t, action, t.state.privates[action.entity])
        else:
            use_tile_power(t, action, t.state.privates[action.entity])

    def close(self, t: Table) -> None:
        """Close the step, and close the privates that were bought only for this turn's track.

        Rules: D-CH-14.
        """
        super().close(t)
        for private in t.turn.at_once:
            close_private(t, private)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping the track step, if no tile was laid; else None."""
        return None if t.turn.laid else fact("skipped.no_place")

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "lay_tile":
            return self._lay_obstacle(t, request)
        if request.kind == "pass" and t.turn.pair:
            return fact("privates.both_tiles_or_none", private=t.turn.pair[0])
        return fact("track.lays_now", company=t.company.id)

    def lay_offers_from_privates(self, t: Table) -> Iterator[Offer]:
        """Legal lays of the company with the discount of one of its privates."""
        return helped_lay_offers(t)

    def _lay_offers(self, t: Table) -> Iterator[Offer]:
        own_offer = own_lay_offer(t) if own_lay_obstacle(t) is None else None
        if own_offer is not None:
            yield own_offer
        if t.turn.pair is None:
            yield from self.lay_offers_from_privates(t)
        for private in owned_privates(t):
            power = tile_lay_power(t, private.id)
            offer = None if power is not None and power.anytime else power_lay_offer(t, private)
            if offer is not None:
                yield offer

    def _lay_obstacle(self, t: Table, request: Request) -> Fact | None:
        private, coord = t.state.privates.get(request.entity or ""), request.given_values.get("hex")
        if private is not None and lay_help_power(t, private.id) is None:
            return power_obstacle(t, private)
        if private is None and request.entity not in {None, t.company.id}:
            return None
        helper_id = private.id if private is not None else None
        reason = own_lay_obstacle(t) if private is None else help_obstacle(t, private)
        if reason is not None or coord is not None:
            return reason or hex_obstacle(t, coord, helper_id)
        if private is not None:
            return fact("privates.helps_nowhere", private=helper_id, company=t.company.id)
        return fact("track.no_place", company=t.company.id)


def _end_step_offer(t: Table) -> Offer:
    return t.offer("pass", t.company.id, fact("offer.done_with_track"))


def _may_end_step(t: Table) -> bool:
    return t.turn.pair is None or t.rules.has_flag("power_pair_may_be_single")


def _step_stays_open(t: Table) -> bool:
    """True if the track step stays open although no lay is legal.

    One reason is a private that the company could buy now and that would allow a lay. Another is a private of the
    president whose tile the president lays. When a log is replayed, a lay left over, or a private with extra tiles, is
    a reason too.

    Rules: R-1889-051a.
    """
    if not t.rules.has_flag("asks_when_nothing_is_legal"):
        president_may_lay = any(
            hexes_for_tile_power(t, power, t.company.cash) for power in tile_lay_powers_of_president(t)
        )
        return president_may_lay or purchase_would_open_step(t, TrackStep.name)
    powers = (tile_lay_power(t, name) for name in privates_holding_turn_open(t))
    can_buy_lay = any(power is not None and power.is_extra and not power.anytime for power in powers)
    return (
        can_buy_lay
        or _can_pay_for_next_lay(t)
        or any(_private_keeps_step_open(t, p) for p in t.state.privates.values())
        or bool(tile_lay_powers_of_president(t))
    )


def _can_pay_for_next_lay(t: Table) -> bool:
    has_token, lay = bool(t.company.tokens or t.map.token_stops_of(t.company.id)), next_own_lay(t)
    return has_token and lay is not None and lay.cost <= t.company.cash


def _private_keeps_step_open(t: Table, private: Private) -> bool:
    power = tile_lay_power(t, private.id)
    if power is None or not power.is_extra or power.anytime:
        return False
    return (power_use_obstacle if power.tile_count == 1 else power_obstacle)(t, private) is None
