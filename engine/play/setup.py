"""A new game before the first action (18Chesapeake 2, 3, 7.1)."""

from collections.abc import Sequence

from engine.board.map import Map
from engine.core.chance import MODULUS, Chance
from engine.core.errors import TitleError
from engine.core.events import CompaniesDrawn, Drawn
from engine.core.ids import BANK, MARKET, OFFERING, POOL, REISSUED, REMOVED, CompanyId, PlayerId
from engine.core.spec import SharePower, TitleSpec
from engine.core.state import Auction, Company, Player, Private, State
from engine.play.table import Hooks, Table

_PLACES = frozenset({BANK, POOL, OFFERING, REISSUED, MARKET, REMOVED})
"""Names that hold money, trains or shares in addition to the seats."""


def new_table(rules: Hooks, players: Sequence[tuple[PlayerId, str]], seed: int) -> Table:
    """Deal cash, draw by chance and announce it; raises TitleError for a wrong number of players or confusing ids.

    Rules: R-AL-001, R-AL-003, R-AL-004, R-C2C-002, R-CH-001, R-CH-002, R-CH-005, R-CH-006, R-NE-001,
    R-NE-004, R-TN-001, R-TN-002, R-TN-011a.
    """
    spec = rules.spec
    count = spec.players.get(len(players))
    if count is None:
        low, high = min(spec.players), max(spec.players)
        raise TitleError(f"{spec.name} is for {low} to {high} players, not {len(players)}")
    ids = [player for player, _ in players]
    if len(set(ids)) != len(ids) or set(ids) & (_PLACES | set(spec.companies) | set(spec.privates)):
        raise TitleError("players need ids of their own, different from companies, privates, bank and pools")
    chance = Chance(seed)
    waiting = _kept_back(spec, chance)
    privates = {name: _private(spec, name, chance) for name in spec.privates}
    linked = next((p.linked for p in privates.values() if p.linked and _president(spec, p.id)), None)
    state = State(
        players=[Player(player, name, count.cash) for player, name in players],
        companies={name: _company(spec, rules, name, linked, len(players)) for name in spec.companies},
        privates=privates,
        bank=spec.bank - count.cash * len(players),
        phase=spec.phases[0].name,
        depot={train.name: train.count for train in spec.trains},
        round=rules.first_round(),
        auction=Auction() if spec.auction.in_stock_rounds and spec.privates else None,
        draws=chance.draws,
    )
    table = Table(spec, rules, state, Map(spec))
    for name in waiting:
        state.companies[name].waiting = True
    if spec.draw is not None:
        table.emit(CompaniesDrawn(tuple(waiting), spec.draw.until))
    for private in privates.values():
        if private.linked and any(power.company == "random" for power in _shares(spec, private.id)):
            table.emit(Drawn(private.id, private.linked, _president(spec, private.id)))
    return table


def _shares(spec: TitleSpec, private: str) -> list[SharePower]:
    return [power for power in spec.privates[private].powers if isinstance(power, SharePower)]


def _president(spec: TitleSpec, private: str) -> bool:
    return any(power.president for power in _shares(spec, private))


def _private(spec: TitleSpec, name: str, chance: Chance) -> Private:
    linked = None
    for power in _shares(spec, name):
        names = list(spec.companies)
        linked = names[chance.draw(len(names))] if power.company == "random" else power.company
    return Private(name, linked=linked)


def _kept_back(spec: TitleSpec, chance: Chance) -> list[CompanyId]:
    """The companies that come later: each draws a number, the highest wait."""
    if spec.draw is None:
        return []
    names = [name for name, company in spec.companies.items() if company.kind == spec.draw.kind]
    numbers = {name: chance.draw(MODULUS) for name in names}
    return sorted(names, key=numbers.__getitem__)[spec.draw.count :]


def _company(spec: TitleSpec, rules: Hooks, name: str, linked: str | None, players: int) -> Company:
    president, *others = rules.certificates(name, linked, players)
    tokens = list(spec.companies[name].tokens)
    share = others[0] if others else president // spec.companies[name].shares
    offering = {OFFERING: sum(others)} if others else {}
    return Company(name, president, offering, share=share, tokens=tokens)
