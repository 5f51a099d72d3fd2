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

_RESERVED_IDS = frozenset({BANK, POOL, OFFERING, REISSUED, MARKET, REMOVED})
"""Ids of bank, pools and similar holders, which no player may have."""


def new_table(rules: Hooks, players: Sequence[tuple[PlayerId, str]], seed: int) -> Table:
    """Deal cash, make and announce random draws; raises TitleError for a wrong number of players or confusing ids.

    Rules: R-AL-001, R-AL-003, R-AL-004, R-C2C-002, R-CH-001, R-CH-002, R-CH-005, R-CH-006, R-NE-001,
    R-NE-004, R-TN-001, R-TN-002, R-TN-011a.
    """
    spec = rules.spec
    player_count = spec.players.get(len(players))
    if player_count is None:
        fewest_players, most_players = min(spec.players), max(spec.players)
        raise TitleError(f"{spec.name} is for {fewest_players} to {most_players} players, not {len(players)}")
    ids = [player for player, _ in players]
    if len(set(ids)) != len(ids) or set(ids) & (_RESERVED_IDS | set(spec.companies) | set(spec.privates)):
        raise TitleError("players need ids of their own, different from companies, privates, bank and pools")
    chance = Chance(seed)
    waiting_names = _companies_that_wait(spec, chance)
    privates = {name: _new_private(spec, name, chance) for name in spec.privates}
    linked_company = next(
        (p.linked for p in privates.values() if p.linked and _brings_presidency(spec, p.id)), None
    )
    state = State(
        players=[Player(player, name, player_count.cash) for player, name in players],
        companies={
            name: _new_company(spec, rules, name, linked_company, len(players)) for name in spec.companies
        },
        privates=privates,
        bank=spec.bank - player_count.cash * len(players),
        phase=spec.phases[0].name,
        depot={train.name: train.count for train in spec.trains},
        round=rules.first_round(),
        auction=Auction() if spec.auction.in_stock_rounds and spec.privates else None,
        draws=chance.draws,
    )
    table = Table(spec, rules, state, Map(spec))
    for name in waiting_names:
        state.companies[name].waiting = True
    if spec.draw is not None:
        table.emit(CompaniesDrawn(tuple(waiting_names), spec.draw.until))
    for private in privates.values():
        if private.linked and any(power.company == "random" for power in _share_powers(spec, private.id)):
            table.emit(Drawn(private.id, private.linked, _brings_presidency(spec, private.id)))
    return table


def _share_powers(spec: TitleSpec, private: str) -> list[SharePower]:
    return [power for power in spec.privates[private].powers if isinstance(power, SharePower)]


def _brings_presidency(spec: TitleSpec, private: str) -> bool:
    return any(power.president for power in _share_powers(spec, private))


def _new_private(spec: TitleSpec, name: str, chance: Chance) -> Private:
    linked_company = None
    for power in _share_powers(spec, name):
        names = list(spec.companies)
        linked_company = names[chance.draw(len(names))] if power.company == "random" else power.company
    return Private(name, linked=linked_company)


def _companies_that_wait(spec: TitleSpec, chance: Chance) -> list[CompanyId]:
    """The companies that wait for a later phase: each draws a number, and the highest numbers wait."""
    if spec.draw is None:
        return []
    names = [name for name, company in spec.companies.items() if company.kind == spec.draw.kind]
    drawn_numbers = {name: chance.draw(MODULUS) for name in names}
    return sorted(names, key=drawn_numbers.__getitem__)[spec.draw.count :]


def _new_company(
    spec: TitleSpec, rules: Hooks, name: str, linked_company: str | None, players: int
) -> Company:
    president_percent, *other_percents = rules.certificates(name, linked_company, players)
    tokens = list(spec.companies[name].tokens)
    share_percent = other_percents[0] if other_percents else president_percent // spec.companies[name].shares
    offered_shares = {OFFERING: sum(other_percents)} if other_percents else {}
    return Company(name, president_percent, offered_shares, share=share_percent, tokens=tokens)
