"""Replays a log by our rules, checks its result, and finds the first difference from its trace."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.actions import Action
from engine.core.errors import IllegalAction, ReplayDiverged, TitleError
from engine.core.events import Ran
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING
from engine.core.spec import CityBonusPower
from engine.core.state import Auction, Company, Draft, Merger, Operating, Private, Stock
from engine.core.topology import appearance
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.log_reader import Log, Raw
from engine.play.shares import holdings
from engine.play.table import Table
from engine.titles import title

ENDINGS = {
    "bank": "bank",
    "bankruptcy": "bankrupt",
    "agreement": "manually_ended",
    "price": "stock_market",
    "last_player": "bankrupt",
    "standstill": "dnf",
}
"""That site's words for our ways to end."""
EARLIER_ENDINGS = {"dnf": "manually_ended"}
"""The words that earlier logs of ours have in place of these."""


def recorded_ending(game: Game) -> str | None:
    """The ending of a finished game in that site's words; None while it runs."""
    ended = game.table.state.ending if game.over else None
    return None if ended is None else ENDINGS[ended.reason]


@dataclass
class ReplayEnd:
    """The end of a replay: the game, the number of the last action, the error that stopped it, and skipped passes."""

    game: Game | None
    actions: int
    problem: ReplayDiverged | TitleError | None = None
    skipped_passes: int = 0
    applied: list[Action] = field(default_factory=list)
    """Applied actions, in our form."""

    def as_recorded(self, log: Log) -> bool:
        """True if the whole log was accepted, and the recorded scores and ending are ours."""
        if self.problem is not None or self.game is None:
            return False
        ended_by = recorded_ending(self.game)
        if log.ended_by and log.ended_by not in (ended_by, EARLIER_ENDINGS.get(ended_by or "")):
            return False
        return not log.result or (self.game.over and self.game.scores() == log.result)


Watcher = Callable[[Game, int, int], Fact | None]
"""Called after every action with its number and sub-number; what it finds stops the replay."""


def new_game(log: Log) -> Game:
    """The position before the first action, read with the leniency the profile has for logs; raises TitleError."""
    lenient = len(log.numbered_actions()) + 1 if log.from_log is None else log.from_log
    return Game(title(log.title).id, log.players, log.seed, log.profile, log.options, from_log=lenient)


def replay(log: Log, *, watch: Watcher | None = None, as_played_today: bool = False) -> ReplayEnd:
    """Apply a log's effective actions, checking each like a player's.

    `as_played_today`: under the current rules alone.
    """
    try:
        game = new_game(log)
    except TitleError as error:
        return ReplayEnd(None, 0, error)
    if as_played_today:
        game.rules.drop_old_leniency()
    importer = Importer(game)
    outcome = ReplayEnd(game, 0, applied=importer.applied)
    for number, sub, raw in log.numbered_actions():
        try:
            importer.apply(raw)
        except IllegalAction as refused:
            outcome.problem = ReplayDiverged(number, refused.reason, refused.allowed, _action(raw, sub))
            return outcome
        outcome.actions, outcome.skipped_passes = number, importer.skipped_passes
        difference = watch(game, number, sub) if watch else None
        if difference is not None:
            outcome.problem = ReplayDiverged(number, difference, action=_action(raw, sub))
            return outcome
    return outcome


def _action(raw: Raw, sub: int) -> Fact:
    kind, by = _plain_value(raw.get("type")), _plain_value(raw.get("entity"))
    if sub:
        return fact("log.automatic_action", kind=kind, by=by, number=sub)
    return fact("log.action", kind=kind, by=by)


def _plain_value(value: Any) -> int | str:
    return value if isinstance(value, int | str) else str(value)


TraceLine = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """The first difference of game and trace: the value's name, ours and theirs."""

    value_name: str
    our_value: Any
    recorded_value: Any


def trace_watcher(lines: Mapping[tuple[int, int], TraceLine]) -> Watcher:
    """A watcher that stops a replay at the first difference from the trace.

    `lines` by number and sub-number of the action.
    """

    def watch(game: Game, number: int, sub: int) -> Fact | None:
        line = lines.get((number, sub))
        if line is None:
            return fact("log.not_in_trace")
        difference = first_difference(game, line)
        if difference is None:
            return None
        return fact(
            "log.differs",
            what=difference.value_name,
            ours=difference.our_value,
            recorded=difference.recorded_value,
        )

    return watch


def first_difference(game: Game, line: TraceLine) -> Difference | None:
    """The first value that differs, None if all agree."""
    for what, ours, recorded in _compared_values(game, line):
        if ours != recorded:
            return Difference(what, ours, recorded)
    return _map_difference(game.table, line.get("map") or {})


def _compared_values(game: Game, line: TraceLine) -> Iterator[tuple[str, Any, Any]]:
    t = game.table
    yield "phase", t.state.phase, line["phase"]
    if not game.over:
        yield "round", _round(game), line["round"]
        yield "active", _active(game), sorted(map(str, line["active"]))
    yield "over", game.over, "end" in line
    yield from _players(t, line)
    yield from _companies(t, line)
    yield "bank", t.state.bank, line["bank"]
    closed = sorted(private.id for private in t.state.privates.values() if private.closed)
    yield "closed privates", closed, sorted(line["closed_privates"])
    yield from _trains(t, line)
    yield from revenues(t, line)


def revenues(t: Table, line: TraceLine) -> Iterator[tuple[str, Any, Any]]:
    """The revenue of the run just made, ours and recorded."""
    if line["type"] == "run_routes" and "revenue" in line:
        for event in t.events:
            if isinstance(event, Ran) and event.company == line["entity"]:
                yield "revenue", event.revenue, line["revenue"]


def _trains(t: Table, line: TraceLine) -> Iterator[tuple[str, Any, Any]]:
    left = {name: 1 if count is None else count for name, count in t.state.depot.items()}
    recorded: Counter[str] = Counter()
    for name, count in line["depot"].items():
        recorded[_unprimed(name)] += count
    yield "trains in the bank", {name: count for name, count in left.items() if count}, dict(recorded)
    yield "trains in the pool", sorted(t.state.pool), sorted(map(_unprimed, line["discard"]))


def _round(game: Game) -> str:
    now = game.table.state.round
    if isinstance(now, Auction):
        return "AUCTION"
    if isinstance(now, Draft):
        return "ISR"
    if isinstance(now, Stock):
        return f"SR {now.number}"
    return f"{'MR' if isinstance(now, Merger) else 'OR'} {now.set}.{now.number}"


def _active(game: Game) -> list[str]:
    """Entities that must act: the discarding or operating companies, or the players."""
    t = game.table
    now = t.state.round
    companies = sorted({offer.entity for offer in game.offers(kind="discard_train") if offer.blocking})
    if companies:
        return companies
    if isinstance(now, Merger):
        return sorted({offer.entity for offer in game.offers() if offer.blocking})
    if isinstance(now, Operating) and now.turn is not None:
        private = now.turn.free_token or (now.turn.pair and now.turn.pair[0])
        return [private or now.turn.company]
    return sorted(game.actors())


def _players(t: Table, line: TraceLine) -> Iterator[tuple[str, Any, Any]]:
    held, owned = _percent_held(t), _owned(t)
    for seat in t.state.players:
        theirs = line["players"][seat.id]
        yield f"cash of {seat.id}", seat.cash, theirs["cash"]
        yield f"shares of {seat.id}", held[seat.id], theirs["shares"]
        privates = [private.id for private in owned[seat.id]]
        yield f"privates of {seat.id}", privates, sorted(theirs["privates"])
        yield f"net worth of {seat.id}", holdings.net_worth(t, seat), theirs["value"]
        yield f"certificates of {seat.id}", _certificates(t, seat.id), theirs["certs"]


def _due(t: Table) -> str | None:
    """The company whose par price is due; the trace still shows its certificate in the offering."""
    now = t.state.round
    return now.par_due[1] if isinstance(now, Auction) and now.par_due else None


def _percent_held(t: Table) -> defaultdict[str, dict[str, int]]:
    """Percent of each company by holder."""
    due, held = _due(t), defaultdict[str, dict[str, int]](dict)
    for company in t.state.companies.values():
        for holder in company.holders():
            hidden = company.id == due and company.certificate_holder == holder
            percent = company.percent(holder) - (company.certificate if hidden else 0)
            if percent:
                held[holder][company.id] = percent
    return held


def _owned(t: Table) -> defaultdict[str | None, list[Private]]:
    owned = defaultdict[str | None, list[Private]](list)
    for _, private in sorted(t.state.privates.items()):
        owned[private.owner].append(private)
    return owned


def _certificates(t: Table, player: str) -> int:
    due = _due(t)
    hidden = due is not None and t.state.companies[due].certificate_holder == player
    return holdings.certificates(t, player) - hidden


MARKS = {
    "Warrior Coal Field": "hexes_bonus",
    "Pan American": "mobile_nashville",
    "Robert E. Lee": "atlanta_birmingham",
    "civil war": "civil_war",
}
"""The trace's names of the markers a company carries."""
PENDING = "assign_hexes"
"""A historical objective not reached yet, or a private whose token for a city is still to be placed."""
KNOWN = frozenset({*MARKS.values(), PENDING})
UNORDERED = frozenset({"privates", "trains"})
"""Lists of a company that a trace may have in any order, trains with the marks of their phases."""


def _marks(t: Table, company: Company, privates: Iterable[Private]) -> list[str]:
    marks = [MARKS[name] for name in company.markers if name in MARKS]
    objective = t.spec.companies[company.id].objective
    open_ = objective is not None and objective.hex not in {coord for coord, _ in t.map.tokens_of(company.id)}
    if open_ or _has_token_to_place(t, privates):
        marks.append(PENDING)
    return sorted(marks)


def _has_token_to_place(t: Table, privates: Iterable[Private]) -> bool:
    powers = (power for p in privates if not p.power_used for power in t.spec.privates[p.id].powers)
    return any(isinstance(power, CityBonusPower) for power in powers)


def _companies(t: Table, line: TraceLine) -> Iterator[tuple[str, Any, Any]]:
    due, owned = _due(t), _owned(t)
    for company in t.state.companies.values():
        if company.closed and company.id not in line["corps"]:
            continue
        theirs = line["corps"][company.id]
        marks = _marks(t, company, owned[company.id])
        yield f"markers of {company.id}", marks, sorted(KNOWN.intersection(theirs.get("abil", ())))
        for what, ours in _company(t, company, owned[company.id], due).items():
            recorded = theirs.get(what)
            if ours != recorded:
                listed = what in UNORDERED and what in theirs
                yield (
                    f"{what} of {company.id}",
                    ours,
                    sorted(map(_unprimed, recorded)) if listed else recorded,
                )


def _unprimed(train: str) -> str:
    """The train's name without that site's marks: `3'` for types that start another phase, `3'*` for obsolete ones."""
    return train.replace("'", "")


def _company(t: Table, company: Company, privates: Iterable[Private], due: str | None) -> dict[str, Any]:
    hidden = company.certificate if company.id == due else 0
    return {
        "ipoed": company.started,
        "floated": company.floated,
        "president": _as_recorded(company.president),
        "cash": company.cash,
        "price": t.price(company) or None,
        "cell": list(company.cell) if company.cell else None,
        "opar": company.par,
        "trains": sorted([*company.trains, *(f"{train}*" for train in company.obsolete)]),
        "tokens": _tokens(t, company),
        "tokens_left": company.tokens,
        "privates": [private.id for private in privates],
        "ipo": company.percent(OFFERING) + hidden,
        "market": company.percent(MARKET),
    }


def _as_recorded(player: str | None) -> Any:
    return int(player) if player is not None and player.isdigit() else player


def _tokens(t: Table, company: Company) -> list[str]:
    stops = t.map.tokens_of(company.id)
    tokens = [stop for stop in stops for owner in t.map.slots(*stop) if owner == company.id]
    cities = {coord: sum(stop.kind == "city" for stop in t.map.topology(coord).stops) for coord, _ in tokens}
    return sorted(f"{coord}:{stop}" if cities[coord] > 1 else coord for coord, stop in tokens)


def _map_difference(t: Table, changed: dict[str, list[Any]]) -> Difference | None:
    for coord, (tile, rotation) in changed.items():
        ours = (t.map.tile(coord), t.map.rotation(coord))
        if ours[0] != tile or not _rotations_alike(t, tile, ours[1], rotation):
            return Difference(f"tile in {coord}", list(ours), [tile, rotation])
    return None


def _rotations_alike(t: Table, tile: str, ours: int, recorded: int) -> bool:
    topology = t.spec.tiles[tile].topology
    return appearance(topology.turned(ours)) == appearance(topology.turned(recorded))
