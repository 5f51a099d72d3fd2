"""The set-up of a new game (18Chesapeake 2, 3, 7.1)."""

from collections.abc import Collection, Sequence

from engine.board.map import Map
from engine.core.chance import MODULUS, Chance
from engine.core.errors import TitleError
from engine.core.events import CertificateDrawn, CompaniesDrawn, EventTrainDrawn, PrivateBought
from engine.core.ids import BANK, MARKET, OFFERING, POOL, REISSUED, REMOVED, CompanyId, PlayerId, TrainName
from engine.core.spec import SharePower, TitleSpec, TrainPower
from engine.core.state import NEUTRAL_TOKEN, Auction, Company, Player, Private, State
from engine.play.table import Hooks, Table

_RESERVED_IDS = frozenset({BANK, POOL, OFFERING, REISSUED, MARKET, REMOVED})


def new_table(rules: Hooks, players: Sequence[tuple[PlayerId, str]], seed: int) -> Table:
    """A new table: starting cash is dealt, and random draws are made and announced.

    Raises TitleError if the number of players is wrong or the ids are ambiguous.

    Rules: R-AL-001, R-AL-003, R-AL-004, R-C2C-002, R-CH-001, R-CH-002, R-CH-005, R-CH-006, R-NE-001, R-NE-004,
    R-TN-001, R-TN-002, R-TN-011a.
    """
    spec = rules.spec
    _require_valid_players(spec, [player for player, _ in players])
    player_count_spec = spec.players[len(players)]
    chance = Chance(seed)
    names_kept_out_of_play = _companies_kept_out_of_play(spec, chance)
    event_train = spec.event_trains[chance.draw(len(spec.event_trains))] if spec.event_trains else ""
    privates_in_play = [
        name
        for name, private_spec in spec.privates.items()
        if len(players) in (private_spec.player_counts or [len(players)])
    ]
    privates = {name: _new_private(spec, name, chance, privates_in_play) for name in spec.privates}
    linked_company = next(
        (p.linked for p in privates.values() if p.linked and _brings_presidency(spec, p.id)), None
    )
    state = State(
        players=[Player(player, name, player_count_spec.cash) for player, name in players],
        companies={
            name: _new_company(spec, rules, name, linked_company, len(players)) for name in spec.companies
        },
        privates=privates,
        bank=(player_count_spec.bank or spec.bank) - player_count_spec.cash * len(players),
        phase=spec.phases[0].name,
        depot=_new_depot(spec, privates_in_play, len(players)),
        round=rules.first_round(),
        auction=Auction() if spec.auction.in_stock_rounds and spec.privates else None,
        event_train=event_train,
        draws=chance.draw_count,
    )
    table = Table(spec, rules, state, Map(spec))
    if spec.auction.is_drafted:
        table.auction.turn = len(players) - 1
    if spec.auction.is_dealt:
        _deal_privates(table, chance)
    rules.on_setup(table, chance)
    state.draws = chance.draw_count
    _place_home_tokens(table)
    for name in names_kept_out_of_play:
        state.companies[name].waiting = True
    if event_train:
        table.emit(EventTrainDrawn(event_train, spec.event_note))
    if spec.company_draw is not None:
        table.emit(CompaniesDrawn(tuple(names_kept_out_of_play), spec.company_draw.others_from_phase))
    _announce_drawn_shares(table)
    return table


def _require_valid_players(spec: TitleSpec, player_ids: Sequence[PlayerId]) -> None:
    """Raise TitleError if the number of players is wrong or the ids are ambiguous."""
    if len(player_ids) not in spec.players:
        fewest_players, most_players = min(spec.players), max(spec.players)
        raise TitleError(
            f"{spec.name} is for {fewest_players} to {most_players} players, not {len(player_ids)}"
        )
    if len(set(player_ids)) != len(player_ids) or set(player_ids) & (
        _RESERVED_IDS | set(spec.companies) | set(spec.privates)
    ):
        raise TitleError(
            "each player needs a different id, which is not the name of a company, a private, the bank or a pool"
        )


def _place_home_tokens(t: Table) -> None:
    """Place the home tokens that are on the map from the start."""
    for company in t.state.companies.values():
        home = t.spec.companies[company.id].home
        if home is not None and home.from_start:
            t.map.place_token(home.hex, home.stop, company.id)
            company.tokens.pop(0)


def _announce_drawn_shares(t: Table) -> None:
    for private in t.state.privates.values():
        if private.linked and any(power.company == "random" for power in _share_powers(t.spec, private.id)):
            t.emit(CertificateDrawn(private.id, private.linked, _brings_presidency(t.spec, private.id)))


def _share_powers(spec: TitleSpec, private: str) -> list[SharePower]:
    return [power for power in spec.privates[private].powers if isinstance(power, SharePower)]


def _brings_presidency(spec: TitleSpec, private: str) -> bool:
    return any(power.is_president_certificate for power in _share_powers(spec, private))


def _new_private(spec: TitleSpec, name: str, chance: Chance, privates_in_play: Collection[str]) -> Private:
    if name not in privates_in_play:
        return Private(name, closed=True, removed=True)
    linked_company = None
    for power in _share_powers(spec, name):
        company_names = list(power.random_companies or spec.companies)
        linked_company = (
            company_names[chance.draw(len(company_names))] if power.company == "random" else power.company
        )
    return Private(name, linked=linked_company)


def _new_depot(
    spec: TitleSpec, privates_in_play: Collection[str], player_count: int
) -> dict[TrainName, int | None]:
    depot = {train.name: spec.train_count(train.name, player_count) for train in spec.trains}
    for name in privates_in_play:
        for power in spec.privates[name].powers:
            trains_left = depot[power.train] if isinstance(power, TrainPower) else None
            if isinstance(power, TrainPower) and trains_left is not None:
                depot[power.train] = trains_left - 1
    return depot


def _deal_privates(t: Table, chance: Chance) -> None:
    privates_in_play = [private for private in t.state.privates.values() if not private.closed]
    random_number_by_private = {private.id: chance.draw(MODULUS) for private in privates_in_play}
    for player, private in zip(
        t.state.players,
        sorted(privates_in_play, key=lambda dealt_private: random_number_by_private[dealt_private.id]),
        strict=False,
    ):
        price = t.spec.privates[private.id].face_value
        t.pay(player.id, BANK, price)
        private.owner = player.id
        t.emit(PrivateBought(player.id, private.id, price))


def _companies_kept_out_of_play(spec: TitleSpec, chance: Chance) -> list[CompanyId]:
    if spec.company_draw is None:
        return []
    company_names = [
        name for name, company in spec.companies.items() if company.kind == spec.company_draw.kind
    ]
    random_number_by_company = {name: chance.draw(MODULUS) for name in company_names}
    return sorted(company_names, key=random_number_by_company.__getitem__)[spec.company_draw.count :]


def _new_company(
    spec: TitleSpec, rules: Hooks, name: str, linked_company: str | None, player_count: int
) -> Company:
    president_percent, *other_percents = rules.certificates(name, linked_company, player_count)
    tokens = list(spec.companies[name].token_prices)
    share_percent = (
        other_percents[0] if other_percents else president_percent // spec.companies[name].certificate_shares
    )
    starts_in_treasury = spec.companies[name].capital == "treasury"
    first_holder = name if starts_in_treasury else OFFERING
    offered_shares = {first_holder: sum(other_percents)} if other_percents else {}
    neutral_token_count = spec.companies[name].neutral_tokens
    held_markers = {NEUTRAL_TOKEN: neutral_token_count} if neutral_token_count else {}
    return Company(
        name,
        president_percent,
        offered_shares,
        first_holder,
        share=share_percent,
        tokens=tokens,
        held=held_markers,
    )
