"""1882's NWR private: its company moves one of its tokens into a rebellion hex and can lay a tile there (§5)."""

from collections.abc import Callable, Iterator
from typing import Final

from engine.board import upgrades
from engine.board.map import StopId
from engine.core.actions import LayTile, Pass, PlaceToken, ReturnToken
from engine.core.events import Passed, TokenPlaced, TokenReturned
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Slot, UnlistedChoices
from engine.core.state import Private
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.table import Table
from engine.play.track.company_lay import rotation_obstacle, tile_obstacle
from engine.play.track.lay_rules import LegalRotations, lay_tile
from engine.titles.t1882.city_offers import city_choice_offer
from engine.titles.t1882.neutral_tokens import CN, has_neutral_token
from engine.titles.t1882.rebellion import is_rebellion_hex

NWR: Final = "NWR"


class TakeTokenOffMapStep(AnytimeStep):
    """First half of the NWR private's power, once a game: take a token off the map.

    The company cannot do this between running trains and paying the dividend.

    Rules: R-1882-051.
    """

    name = "take_station"
    kinds = frozenset({"return_token"})

    def offers(self, t: Table) -> Iterator[Offer]:
        stops = [] if _power_obstacle(t) else _stops_of_movable_tokens(t)
        if stops and _cities_to_move_to(t):
            label = fact("offer.move_station", private=NWR)
            yield _token_offer(
                t,
                "return_token",
                label,
                lambda spot: fact("choice.move_station", spot=spot),
                stops,
                blocking=False,
            )

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end before the company moves a token or passes.

        In an 18xx.games log it is True even if no token can be moved.
        """
        if t.rules.has_flag("asks_when_nothing_is_legal"):
            private = t.state.privates[NWR]
            return private.owner == t.company.id and (private.declined or not private.power_used)
        return super().keeps_turn_open(t)

    def apply(self, t: Table, action: ReturnToken) -> None:
        """Take the token off the map. If it was the home token, a neutral token replaces it."""
        company, stop = t.company, (action.hex, action.city)
        if _is_home_hex(t, action.hex):
            t.map.replace_token(*stop, company.id, CN)
            company.tokens.insert(0, 0)
        else:
            t.map.remove_token(*stop, company.id)
            company.tokens.append(max(t.spec.companies[company.id].token_prices, default=0))
        t.state.privates[NWR].power_used = True
        t.turn.free_token = NWR
        t.emit(TokenReturned(company.id, action.hex, 0))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _power_obstacle(t) or fact("privates.moves_nothing", private=NWR, company=t.company.id)


class PlaceMovedTokenStep(Step):
    """Second half of the NWR private's power: place the token in a free rebellion city, then lay a tile there or pass.

    Rules: R-1882-051.
    """

    name = "move_station"
    kinds = frozenset({"place_token", "lay_tile", "pass"})
    is_exclusive = True
    is_unlisted = True

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.turn.free_token is not None:
            label = fact("offer.place_moved_station", private=NWR)
            yield _token_offer(
                t,
                "place_token",
                label,
                lambda spot: fact("choice.spot_for_station", spot=spot),
                _cities_to_move_to(t),
            )
        elif t.turn.pair is not None:
            lay_offer = _lay_offer(t, t.turn.pair[1])
            if lay_offer is not None:
                yield lay_offer
            if lay_offer is not None or t.rules.has_flag("asks_when_nothing_is_legal"):
                yield t.offer("pass", NWR, fact("offer.lays_no_tile_by", private=NWR))

    def apply(self, t: Table, action: PlaceToken | LayTile | Pass) -> None:
        if isinstance(action, PlaceToken):
            company = t.company
            t.map.place_token(action.hex, action.city, company.id)
            company.tokens.pop(0 if company.tokens[0] == 0 else -1)
            t.state.fresh.tokens.append((action.hex, action.city))
            t.emit(TokenPlaced(company.id, action.hex, 0, company.cash))
            t.turn.free_token, t.turn.pair = None, (NWR, action.hex)
            return
        t.turn.pair = None
        if isinstance(action, Pass):
            t.state.privates[NWR].declined = True
            t.emit(Passed(t.company.id, fact("declined.track")))
        else:
            lay_tile(t, action, NWR)

    def skip(self, t: Table) -> None:
        """Lay no tile, because none fits."""
        t.turn.pair = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.turn.free_token is None and t.turn.pair is None:
            return None
        return fact("privates.station_first", private=NWR, company=t.company.id)


def _power_obstacle(t: Table) -> Fact | None:
    private: Private = t.state.privates[NWR]
    if private.owner != t.company.id:
        return fact("privates.moves_for_its_owner", private=NWR, company=t.company.id)
    if private.power_used:
        return fact("privates.has_moved", private=NWR)
    if "run" in t.turn.done and "dividend" not in t.turn.done:
        return fact("privates.dividend_first", private=NWR, company=t.company.id)
    return None


def _stops_of_movable_tokens(t: Table) -> list[StopId]:
    """The company's tokens outside rebellion hexes. The home token counts only if its hex has no neutral token."""
    return [
        (coord, stop)
        for coord, stop in t.map.token_stops_of(t.company.id)
        if not is_rebellion_hex(t, coord) and not (_is_home_hex(t, coord) and has_neutral_token(t, coord))
    ]


def _is_home_hex(t: Table, coord: str) -> bool:
    """True if the hex is the company's home.

    Always True for the SC: it has no printed home, and its only token is the home token.
    """
    company = t.spec.companies[t.company.id]
    return company.tokens_block if company.home is None else company.home.hex == coord


def _cities_to_move_to(t: Table) -> list[StopId]:
    company = t.company.id
    own_hexes = {coord for coord, _ in t.map.token_stops_of(company)}
    return [
        (coord, stop)
        for coord in t.map.coords
        if is_rebellion_hex(t, coord) and coord not in own_hexes
        for stop in range(len(t.map.topology(coord).stops))
        if t.map.has_space_for(coord, stop, company)
    ]


def _token_offer(
    t: Table,
    kind: str,
    label: Fact,
    choice_label: Callable[..., Fact],
    stops: list[StopId],
    *,
    blocking: bool = True,
) -> Offer:
    hexes = tuple(dict.fromkeys(coord for coord, _ in stops))
    return city_choice_offer(
        t,
        kind,
        NWR,
        label,
        stops,
        choice_label=choice_label,
        other_hex_refusal=lambda coord: fact("privates.other_hexes", private=NWR, hexes=hexes, hex=coord),
        actor=t.president(t.company.id).id,
        blocking=blocking,
    )


def _lay_offer(t: Table, coord: str) -> Offer | None:
    tiles = UnlistedChoices(
        [
            tile
            for tile in upgrades.upgrade_candidates(t.map, coord, t.phase.tile_colours)
            if tile_obstacle(t, coord, tile, NWR) is None
        ],
        lambda tile: tile_obstacle(t, coord, tile, NWR),
        lambda tile: fact("choice.tile", tile=tile, colour=t.spec.tiles[tile].colour),
    )
    if not tiles:
        return None
    wrong_hex_refusal = fact("privates.other_hexes", private=NWR, hexes=(coord,), hex=coord)
    return t.offer(
        "lay_tile",
        NWR,
        fact("offer.lay_tile_by", private=NWR),
        Slot("hex", lambda _: Choices([Choice(coord)], lambda _h: wrong_hex_refusal)),
        Slot("tile", lambda _: tiles),
        Slot(
            "rotation",
            lambda c: LegalRotations(t, c, lambda r: rotation_obstacle(t, coord, c["tile"], r, NWR)),
        ),
    )
