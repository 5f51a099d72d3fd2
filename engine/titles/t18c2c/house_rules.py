"""Changes to 18C2C's data by its house rules on money, privates, phases, market, map, tokens, track and mergers."""

from typing import Any, Final

from engine.core.errors import TitleError
from engine.core.ids import Coord, TileId
from engine.core.spec import (
    Colour,
    CompanySpec,
    HexSpec,
    MapSpec,
    MarkersPower,
    MarketSpec,
    PhaseSpec,
    PlayerCountSpec,
    Power,
    PrivateSpec,
    TileSpec,
    TitleSpec,
)

SAINT_LOUIS = "M52"
EASTERN_TUNNEL = "KTC"
BROWN_BY_GRAY_TILE = {"124": "62", "131": "591"}
"""The gray tiles of New York and Chicago, each with the brown two-city tile from which it is upgraded."""
FIRST_COLOUR_BY_LABEL = {"C": "green", "B": "green", "L": "brown", "P": "brown", "K": "brown"}
"""Labels that a house rule can add to a hex, each with the colour of the first tiles that have this label."""


def with_house_rules(spec: TitleSpec) -> TitleSpec:
    """The title's data as changed by house rules on money, privates, phases, market, map and tiles."""
    rule_values = {name: rule.value for name, rule in spec.house.items()}
    return spec.model_copy(
        update={
            "players": _cash_and_limits_by_player_count(spec, rule_values),
            "secret_cash": rule_values["secrecy"] != "open",
            "auction": spec.auction.model_copy(update={"eliminations": rule_values["eliminations"]}),
            "privates": {
                name: _adapted_private(name, private, rule_values) for name, private in spec.privates.items()
            },
            "phases": tuple(_adapted_phase(phase, rule_values) for phase in spec.phases),
            "market": _adapted_market(spec.market, rule_values),
            "map": _adapted_map(spec, rule_values),
            "tiles": _adapted_tiles(spec.tiles, rule_values),
            "companies": {
                name: _adapted_company(company, rule_values) for name, company in spec.companies.items()
            },
        }
    )


def certificate_limit_of(company_count: int, player_count: int, certificates_per_company: int) -> int:
    """Certificate limit: `certificates_per_company` * companies in play / players, rounded to the nearest integer
    (R-C2C-004).
    """
    return (2 * certificates_per_company * company_count + player_count) // (2 * player_count)


def _cash_and_limits_by_player_count(
    spec: TitleSpec, rule_values: dict[str, Any]
) -> dict[int, PlayerCountSpec]:
    """Starting cash and certificate limit by number of players. All players start with the same cash (R-C2C-003)."""
    min_players, max_players = rule_values["player_range"]
    company_count = sum(company.kind == "single" for company in spec.companies.values())
    return {
        count: PlayerCountSpec(
            cash=rule_values["starting_cash_total"] // count,
            certificate_limit=certificate_limit_of(company_count, count, spec.certificates_per_company),
        )
        for count in range(min_players, max_players + 1)
    }


def _adapted_private(name: str, private: PrivateSpec, rule_values: dict[str, Any]) -> PrivateSpec:
    """The private as changed by house rules: a private of the kit gets their value and income (R-C2C-020).

    Keystone Tunnel gets its phase 2 price (R-C2C-141).
    """
    if name in rule_values["kit_private_values"]:
        value, income = rule_values["kit_private_values"][name]
        return private.model_copy(update={"face_value": value, "income": income})
    if name == EASTERN_TUNNEL:
        return private.model_copy(
            update={"early_price_percents": tuple(rule_values["keystone_phase2_price"])}
        )
    return private


def _adapted_phase(phase: PhaseSpec, rule_values: dict[str, Any]) -> PhaseSpec:
    return (
        phase.model_copy(update={"privatize_price_percent": rule_values["phase4_privatize"]})
        if phase.name == "4"
        else phase
    )


def _adapted_market(market: MarketSpec, rule_values: dict[str, Any]) -> MarketSpec:
    """The market. If the house rules say so, it has no closing cells (R-C2C-053)."""
    if rule_values["closed_cell"] == "close":
        return market
    rows = tuple(" ".join("." if cell == "-" else cell for cell in row.split()) for row in market.rows)
    return market.model_copy(update={"rows": rows})


def _adapted_map(spec: TitleSpec, rule_values: dict[str, Any]) -> MapSpec:
    """The map with labels that house rules add, and without Saint Louis if they remove it (R-C2C-009, R-C2C-124)."""
    printed_map = spec.map
    overlay_hexes = {
        coord: _labelled_hex(spec, coord, label) for coord, label in rule_values["overlays"].items()
    }
    hexes = {**printed_map.hexes, **overlay_hexes}
    if rule_values["st_louis"] == "absent":
        del hexes[SAINT_LOUIS]
    return printed_map if hexes == printed_map.hexes else printed_map.with_hexes(hexes)


def _adapted_tiles(
    printed_tiles: dict[TileId, TileSpec], rule_values: dict[str, Any]
) -> dict[TileId, TileSpec]:
    """The tiles. By house rule, gray New York and Chicago have two separate cities (R-C2C-110)."""
    if rule_values["gray_double_cities"] == "one_city":
        return printed_tiles
    return {
        **printed_tiles,
        **{
            gray_id: _split_city_tile(printed_tiles[gray_id], printed_tiles[brown_id])
            for gray_id, brown_id in BROWN_BY_GRAY_TILE.items()
        },
    }


def _split_city_tile(gray_tile: TileSpec, brown_tile: TileSpec) -> TileSpec:
    """The gray tile with its city split into two, each with half of the slots, on the track of the brown tile."""
    stop = gray_tile.topology.stops[0]
    half_city_text = f"city {stop.value(0)} x{stop.slots // 2}"
    return TileSpec.model_validate(
        {**gray_tile.model_dump(), "stops": (half_city_text, half_city_text), "track": brown_tile.track}
    )


def _adapted_company(company: CompanySpec, rule_values: dict[str, Any]) -> CompanySpec:
    if rule_values["st_louis"] == "edge_hex" or SAINT_LOUIS not in company.destination:
        return company
    return company.model_copy(update={"destination": ()})


def _labelled_hex(spec: TitleSpec, coord: Coord, label: str) -> HexSpec:
    """The hex with a label that a house rule adds.

    Raises TitleError if the label is unknown or the hex cannot have it.
    """
    hex_ = spec.map.all_hexes.get(coord)
    if hex_ is None:
        raise TitleError(f"{spec.name}, house rule overlays: there is no hex {coord}")
    if hex_.colour != "white" or len(hex_.stops) != 1:
        raise TitleError(
            f"{spec.name}, house rule overlays: an overlay needs a city without track, and {coord} has none"
        )
    if label not in FIRST_COLOUR_BY_LABEL:
        raise TitleError(
            f"{spec.name}, house rule overlays: the possible labels are {', '.join(FIRST_COLOUR_BY_LABEL)}, not {label}"
        )
    return hex_.model_copy(update={"label": label, "label_from": FIRST_COLOUR_BY_LABEL[label]})


def with_stock_rules(spec: TitleSpec) -> TitleSpec:
    """The title's data as changed by house rules on the private auction, extra tokens and privatization."""
    auction_changes = {
        "eliminations_may_pass": spec.house_rule("elimination_pass"),
        "cheaper_when_all_pass": spec.house_rule("packet_discount_scope"),
    }
    prices_by_par = {int(par): tuple(row) for par, row in spec.house_rule("table_a").items()}
    assert spec.extra_tokens is not None
    changes: dict[str, object] = {
        "auction": spec.auction.model_copy(update=auction_changes),
        "extra_tokens": spec.extra_tokens.model_copy(update={"prices_by_par": prices_by_par}),
        "privatize_min_percent": spec.house_rule("privatization_min_percent"),
    }
    if not spec.house_rule("privatization"):
        changes["phases"] = tuple(
            phase.model_copy(update={"privatize_price_percent": None}) for phase in spec.phases
        )
    return spec.model_copy(update=changes)


POINTS_BY_COLOUR: Final[dict[Colour, int]] = {"yellow": 1, "green": 2, "brown": 3, "gray": 4}
"""Tile points that laying a tile costs, by tile colour, if the house rule for prices by colour is on (R-C2C-101)."""


def with_track_rules(spec: TitleSpec) -> TitleSpec:
    """The title's data as changed by house rules on upgrade costs and markers."""
    changes: dict[str, object] = {
        "privates": {name: _with_adapted_powers(spec, private) for name, private in spec.privates.items()}
    }
    if spec.house_rule("upgrade_points") == "by_colour" and spec.tile_points is not None:
        changes["tile_points"] = spec.tile_points.model_copy(update={"costs": POINTS_BY_COLOUR})
    return spec.model_copy(update=changes)


def with_merger_rules(spec: TitleSpec) -> TitleSpec:
    """The title's data as changed by house rules on mergers and nationals. House rules can also remove these two."""
    unions_spec, nationals_spec = spec.unions, spec.nationals
    assert unions_spec is not None
    assert nationals_spec is not None
    consent_rule = "both" if spec.house_rule("merger_consent") == "both_presidents" else "own"
    absorption_rule = spec.house_rule("national_absorbs")
    changes = {
        "unions": unions_spec.model_copy(update={"consent": consent_rule})
        if spec.house_rule("merger_round")
        else None,
        "nationals": nationals_spec.model_copy(update={"absorbs": absorption_rule})
        if spec.house_rule("nationals")
        else None,
    }
    return spec.model_copy(update=changes)


def _with_adapted_powers(spec: TitleSpec, private: PrivateSpec) -> PrivateSpec:
    return private.model_copy(
        update={"powers": tuple(_adapted_power(spec, power) for power in private.powers)}
    )


def _adapted_power(spec: TitleSpec, power: Power) -> Power:
    """The power with the house rule that decides if a new marker can be used at once (R-C2C-160)."""
    if not isinstance(power, MarkersPower):
        return power
    return power.model_copy(update={"usable_at_once": spec.house_rule("marker_first_sale_usable")})
