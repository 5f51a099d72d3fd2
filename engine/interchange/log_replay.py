"""Replays an 18xx.games log under our rules, checks its result, and compares it with a recorded trace.

A trace is a file with the position after each action as 18xx.games computes it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.actions import Action
from engine.core.errors import IllegalAction, ReplayDiverged, TitleError
from engine.core.events import TrainsRan
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING
from engine.core.spec import CityBonusPower, MovingMarkerPower
from engine.core.state import Auction, Company, Draft, Merger, Operating, Private, Stock
from engine.core.topology import appearance
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.log_reader import Log, RawAction
from engine.play.shares import holdings
from engine.play.table import Table
from engine.titles import title

LOG_ENDING_BY_END_REASON = {
    "bank": "bank",
    "bankruptcy": "bankrupt",
    "agreement": "manually_ended",
    "price": "stock_market",
    "last_player": "bankrupt",
    "standstill": "dnf",
    "last_round": "fixed_round",
    "all_closed": "all_closed",
}
"""18xx.games' words for the ending of a game, by our reasons."""
OLD_LOG_ENDING_BY_NEW = {"dnf": "manually_ended"}
"""Words for the ending of a game in our older exports, by the 18xx.games words that we write today."""


def recorded_ending(game: Game) -> str | None:
    """The reason why a finished game ended, in 18xx.games' words; None while the game is running."""
    ending = game.table.state.ending if game.is_over else None
    return None if ending is None else LOG_ENDING_BY_END_REASON[ending.reason]


@dataclass
class ReplayResult:
    """The result of a replay.

    `last_action_number` names the last action played, `problem` the error that stopped the replay. `skipped_passes`
    counts the log's passes that were skipped, because their turn was already over.
    """

    game: Game | None
    last_action_number: int
    problem: ReplayDiverged | TitleError | None = None
    skipped_passes: int = 0
    applied_actions: list[Action] = field(default_factory=list)
    """All actions applied (played) in the replay, in our form."""

    def matches_record(self, log: Log) -> bool:
        """True if the whole log was played and gave the recorded scores and ending."""
        if self.problem is not None or self.game is None:
            return False
        end_reason = recorded_ending(self.game)
        if log.end_reason and log.end_reason not in (end_reason, OLD_LOG_ENDING_BY_NEW.get(end_reason or "")):
            return False
        return not log.result or (self.game.is_over and self.game.scores() == log.result)


ReplayWatcher = Callable[[Game, int, int], Fact | None]
"""Function that watches a replay: it is called after each action with game, action number and sub-number.

If it returns a fact, the replay stops.
"""


def new_game(log: Log) -> Game:
    """The log's game before its first action. Raises TitleError for an unknown title.

    The log's actions may break rules that 18xx.games did not enforce.
    """
    log_action_count = len(log.numbered_actions()) + 1 if log.from_log is None else log.from_log
    return Game(
        title(log.title).id, log.players, log.seed, log.profile, log.options, from_log=log_action_count
    )


def replay(
    log: Log, *, watcher: ReplayWatcher | None = None, under_current_rules: bool = False
) -> ReplayResult:
    """Play a log's actions from the start, checking each as if a player had made it.

    `watcher` is called after each action and can stop the replay. With `under_current_rules`, actions that only
    earlier versions of 18xx.games allowed are illegal. Errors name an action by its id in the log; ids
    count undone actions, too.
    """
    try:
        game = new_game(log)
    except TitleError as error:
        return ReplayResult(None, 0, error)
    if under_current_rules:
        game.rules.drop_old_leniency()
    importer, ids = Importer(game), log.ids or range(1, len(log.actions) + 1)
    result = ReplayResult(game, 0, applied_actions=importer.applied_actions)
    for number, sub_number, raw_action in log.numbered_actions():
        try:
            importer.apply(raw_action)
        except IllegalAction as refusal:
            result.problem = ReplayDiverged(
                ids[number - 1], refusal.reason, refusal.allowed, _action_fact(raw_action, sub_number)
            )
            return result
        result.last_action_number, result.skipped_passes = number, importer.skipped_passes
        difference = watcher(game, number, sub_number) if watcher else None
        if difference is not None:
            result.problem = ReplayDiverged(
                ids[number - 1], difference, action=_action_fact(raw_action, sub_number)
            )
            return result
    return result


def _action_fact(raw_action: RawAction, sub_number: int) -> Fact:
    kind, entity = _plain_value(raw_action.get("type")), _plain_value(raw_action.get("entity"))
    if sub_number:
        return fact("log.automatic_action", kind=kind, by=entity, number=sub_number)
    return fact("log.action", kind=kind, by=entity)


def _plain_value(value: Any) -> int | str:
    return value if isinstance(value, int | str) else str(value)


RecordedPosition = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """The first difference between our game and a trace: name of the value, our value, recorded value."""

    value_name: str
    our_value: Any
    recorded_value: Any


def trace_watcher(recorded_positions: Mapping[tuple[int, int], RecordedPosition]) -> ReplayWatcher:
    """A watcher that stops a replay at the first difference from a trace.

    `recorded_positions` are the recorded positions, by action number and sub-number.
    """

    def compare_with_trace(game: Game, number: int, sub_number: int) -> Fact | None:
        recorded_position = recorded_positions.get((number, sub_number))
        if recorded_position is None:
            return fact("log.not_in_trace")
        difference = first_difference(game, recorded_position)
        if difference is None:
            return None
        return fact(
            "log.differs",
            what=difference.value_name,
            ours=difference.our_value,
            recorded=difference.recorded_value,
        )

    return compare_with_trace


def first_difference(game: Game, recorded_position: RecordedPosition) -> Difference | None:
    """The first value in which our game differs from a recorded position; None if they agree."""
    for value_name, our_value, recorded_value in _compared_values(game, recorded_position):
        if our_value != recorded_value:
            return Difference(value_name, our_value, recorded_value)
    return _map_difference(game.table, recorded_position.get("map") or {})


def _compared_values(game: Game, recorded_position: RecordedPosition) -> Iterator[tuple[str, Any, Any]]:
    t = game.table
    yield "phase", t.state.phase, recorded_position["phase"]
    if not game.is_over:
        yield "round", _round_name(game), recorded_position["round"]
        yield "active", _active_entities(game), sorted(map(str, recorded_position["active"]))
    yield "over", game.is_over, "end" in recorded_position
    yield from _player_values(t, recorded_position)
    yield from _company_values(t, recorded_position)
    yield "bank", t.state.bank, recorded_position["bank"]
    privates = t.state.privates.values()
    closed_privates = sorted(
        t.spec.private_log_name(private.id) for private in privates if private.closed and not private.removed
    )
    known_privates = {t.spec.private_log_name(private.id) for private in privates}
    yield (
        "closed privates",
        closed_privates,
        sorted(known_privates.intersection(recorded_position["closed_privates"])),
    )
    yield from _train_values(t, recorded_position)
    yield from revenue_values(t, recorded_position)


def revenue_values(t: Table, recorded_position: RecordedPosition) -> Iterator[tuple[str, Any, Any]]:
    """The revenue of a run just made, as (name, our value, recorded value); empty after other actions."""
    if recorded_position["type"] == "run_routes" and "revenue" in recorded_position:
        for event in t.events:
            if isinstance(event, TrainsRan) and event.company == recorded_position["entity"]:
                yield "revenue", event.revenue, recorded_position["revenue"]


def _train_values(t: Table, recorded_position: RecordedPosition) -> Iterator[tuple[str, Any, Any]]:
    depot_counts = {
        name: 1 if count is None else count
        for name, count in t.state.depot.items()
        if not t.spec.train(name).face_of
    }
    recorded_counts: Counter[str] = Counter()
    for name, count in recorded_position["depot"].items():
        recorded_counts[_without_prime(name)] += count
    yield (
        "trains in the bank",
        {name: count for name, count in depot_counts.items() if count},
        dict(recorded_counts),
    )
    yield (
        "trains in the pool",
        sorted(t.state.pool),
        sorted(map(_without_prime, recorded_position["discard"])),
    )


def _round_name(game: Game) -> str:
    current_round = game.table.state.round
    if isinstance(current_round, Auction):
        return "DRAFT" if game.table.spec.auction.is_drafted else "AUCTION"
    if isinstance(current_round, Draft):
        return "ISR"
    if isinstance(current_round, Stock):
        return f"SR {current_round.number}"
    return f"{'MR' if isinstance(current_round, Merger) else 'OR'} {current_round.set}.{current_round.number}"


def _active_entities(game: Game) -> list[str]:
    t = game.table
    current_round = t.state.round
    companies = sorted({offer.entity for offer in game.offers(kind="discard_train") if offer.blocking})
    if companies:
        return companies
    if isinstance(current_round, Merger):
        return sorted({offer.entity for offer in game.offers() if offer.blocking})
    if isinstance(current_round, Stock) and current_round.home_due:
        return [current_round.home_due]
    if isinstance(current_round, Operating) and current_round.turn is not None:
        turn = current_round.turn
        unfinished_lays = (turn.seller_lay, turn.pair)
        private = turn.free_token or next(
            (unfinished_lay[0] for unfinished_lay in unfinished_lays if unfinished_lay), None
        )
        return [t.spec.private_log_name(private) if private else current_round.turn.company]
    if isinstance(current_round, Operating):
        return sorted({t.spec.private_log_name(offer.entity) for offer in game.offers() if offer.blocking})
    return sorted(game.actors())


def _player_values(t: Table, recorded_position: RecordedPosition) -> Iterator[tuple[str, Any, Any]]:
    percents_by_holder, privates_by_owner = _percents_by_holder(t), _privates_by_owner(t)
    for player in t.state.players:
        recorded_values = recorded_position["players"][player.id]
        yield f"cash of {player.id}", player.cash, recorded_values["cash"]
        yield f"shares of {player.id}", percents_by_holder[player.id], recorded_values["shares"]
        privates = [t.spec.private_log_name(private.id) for private in privates_by_owner[player.id]]
        yield f"privates of {player.id}", privates, sorted(recorded_values["privates"])
        yield f"net worth of {player.id}", holdings.net_worth(t, player), recorded_values["value"]
        yield f"certificates of {player.id}", _certificate_count(t, player.id), recorded_values["certs"]


def _company_with_par_due(t: Table) -> str | None:
    """The company whose par its president must set now; None if there is none."""
    current_round = t.state.round
    return current_round.par_due[1] if isinstance(current_round, Auction) and current_round.par_due else None


def _percents_by_holder(t: Table) -> defaultdict[str, dict[str, int]]:
    company_with_par_due, percents_by_holder = (
        _company_with_par_due(t),
        defaultdict[str, dict[str, int]](dict),
    )
    for company in t.state.companies.values():
        for holder in company.holders():
            is_hidden = company.id == company_with_par_due and company.certificate_holder == holder
            percent = company.percent(holder) - (company.certificate if is_hidden else 0)
            if percent:
                percents_by_holder[holder][company.id] = percent
    return percents_by_holder


def _privates_by_owner(t: Table) -> defaultdict[str | None, list[Private]]:
    privates_by_owner = defaultdict[str | None, list[Private]](list)
    for _, private in sorted(t.state.privates.items()):
        privates_by_owner[private.owner].append(private)
    return privates_by_owner


def _certificate_count(t: Table, player: str) -> int:
    company_with_par_due = _company_with_par_due(t)
    is_hidden = (
        company_with_par_due is not None
        and t.state.companies[company_with_par_due].certificate_holder == player
    )
    return holdings.certificate_count(t, player) - is_hidden


MARKER_NAMES_ON_18XX_GAMES = {
    "Warrior Coal Field": "hexes_bonus",
    "Pan American": "mobile_nashville",
    "Robert E. Lee": "atlanta_birmingham",
    "civil war": "civil_war",
    "New Orleans": "hexes_bonus",
}
"""The names that 18xx.games gives to company markers, by our names."""
PENDING_TRACE_MARKER = "assign_hexes"
"""Trace mark of a company whose historical objective is pending, or whose private can still place a token."""
COMPARED_TRACE_MARKERS = frozenset({*MARKER_NAMES_ON_18XX_GAMES.values(), PENDING_TRACE_MARKER})
UNORDERED_LISTS = frozenset({"privates", "trains"})
"""Lists of a company in a trace that are compared without regard to order."""


def _marker_names(t: Table, company: Company, privates: Iterable[Private]) -> list[str]:
    marker_names = [
        MARKER_NAMES_ON_18XX_GAMES[name] for name in company.markers if name in MARKER_NAMES_ON_18XX_GAMES
    ]
    objective = t.spec.companies[company.id].objective
    is_objective_open = objective is not None and objective.hex not in {
        coord for coord, _ in t.map.token_stops_of(company.id)
    }
    if is_objective_open or _has_token_to_place(t, privates):
        marker_names.append(PENDING_TRACE_MARKER)
    return sorted(marker_names)


def _has_token_to_place(t: Table, privates: Iterable[Private]) -> bool:
    powers = [(p, power) for p in privates for power in t.spec.privates[p.id].powers]
    return any(
        isinstance(power, MovingMarkerPower) or (isinstance(power, CityBonusPower) and not p.power_used)
        for p, power in powers
    )


def _company_values(t: Table, recorded_position: RecordedPosition) -> Iterator[tuple[str, Any, Any]]:
    company_with_par_due, privates_by_owner = _company_with_par_due(t), _privates_by_owner(t)
    for company in t.state.companies.values():
        if company.closed and company.id not in recorded_position["corps"]:
            continue
        recorded_values = recorded_position["corps"][company.id]
        marker_names = _marker_names(t, company, privates_by_owner[company.id])
        yield (
            f"markers of {company.id}",
            marker_names,
            sorted(COMPARED_TRACE_MARKERS.intersection(recorded_values.get("abil", ()))),
        )
        for value_name, our_value in _our_company_values(
            t, company, privates_by_owner[company.id], company_with_par_due
        ).items():
            recorded_value = recorded_values.get(value_name)
            if recorded_values.get("minor") and value_name not in recorded_values:
                continue  # that site has no shares of it
            if our_value != recorded_value:
                is_unordered = value_name in UNORDERED_LISTS and value_name in recorded_values
                yield (
                    f"{value_name} of {company.id}",
                    our_value,
                    sorted(map(_without_prime, recorded_value)) if is_unordered else recorded_value,
                )


def _without_prime(train: str) -> str:
    """The train name without the prime of 18xx.games (`3'`), which marks trains that start another phase."""
    return train.replace("'", "")


def _our_company_values(
    t: Table, company: Company, privates: Iterable[Private], company_with_par_due: str | None
) -> dict[str, Any]:
    hidden_percent = company.certificate if company.id == company_with_par_due else 0
    return {
        "ipoed": company.is_started,
        "floated": company.floated,
        "president": _recorded_id(_recorded_president(t, company)),
        "cash": company.cash,
        "price": t.price(company) or None,
        "cell": list(company.cell) if company.cell else None,
        "opar": company.par,
        "trains": sorted([*company.trains, *(f"{train}*" for train in company.obsolete)]),
        "tokens": _token_places(t, company),
        "tokens_left": company.tokens,
        "privates": [t.spec.private_log_name(private.id) for private in privates],
        "ipo": company.percent(OFFERING) + hidden_percent,
        "market": company.percent(MARKET),
    }


def _recorded_president(t: Table, company: Company) -> str | None:
    """The company's president as a trace names it; for a company without shares, the player who owns it."""
    is_owned = company.floated and company.is_undivided and not company.is_started
    return t.controlling_player(company.id) if is_owned else company.president


def _recorded_id(player: str | None) -> Any:
    return int(player) if player is not None and player.isdigit() else player


def _token_places(t: Table, company: Company) -> list[str]:
    stops = t.map.token_stops_of(company.id)
    tokens = [stop for stop in stops for owner in t.map.slots(*stop) if owner == company.id]
    city_counts = {
        coord: sum(stop.kind == "city" for stop in t.map.topology(coord).stops) for coord, _ in tokens
    }
    return sorted(f"{coord}:{stop}" if city_counts[coord] > 1 else coord for coord, stop in tokens)


def _map_difference(t: Table, recorded_tiles: dict[str, list[Any]]) -> Difference | None:
    for coord, (recorded_tile, rotation) in recorded_tiles.items():
        tile = recorded_tile and recorded_tile.removeprefix(t.spec.tile_prefix_on_18xx_games)
        our_tile = (t.map.tile(coord), t.map.rotation(coord))
        if our_tile[0] != tile or not _are_rotations_equivalent(t, tile, our_tile[1], rotation):
            return Difference(f"tile in {coord}", list(our_tile), [tile, rotation])
    return None


def _are_rotations_equivalent(t: Table, tile: str | None, our_rotation: int, recorded_rotation: int) -> bool:
    if tile is None:
        return True
    topology = t.spec.tiles[tile].topology
    return appearance(topology.turned(our_rotation)) == appearance(topology.turned(recorded_rotation))
