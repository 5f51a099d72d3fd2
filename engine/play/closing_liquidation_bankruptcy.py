"""Companies and players leaving the game: closing, liquidation, bankruptcy (18Chesapeake 11.8; 18NewEngland 11.9)."""

from engine.core.events import CompanyClosed, Liquidated, PlayerEliminated, SharesSold, WentBankrupt
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, REMOVED, PlayerId
from engine.core.state import Company, Ending
from engine.play.end_and_scores import finish_game
from engine.play.private_markers import remove_all_markers_of
from engine.play.shares import selling
from engine.play.table import Table
from engine.play.trains.forced_purchase import (
    blocks_keeping_presidencies,
    is_liquidated_without_train,
    is_train_unaffordable,
    kept_presidencies,
    must_buy_train,
)
from engine.play.trains.phases import close_private
from engine.play.turn_order import end_turn


def close_company(t: Table, company: Company) -> None:
    """Close a company: its tokens, trains, privates and shares leave the game, and its cash goes to the bank.

    Its marker leaves the market. On a space for a single marker, the marker is flipped and stays.
    """
    t.map.remove_company(company.id)
    for private in [p for p in t.state.privates.values() if p.owner == company.id]:
        close_private(t, private.id)
    t.pay(company.id, BANK, company.cash)
    flip_marker(t, company)
    remove_all_markers_of(t, company.id)
    company.trains, company.obsolete, company.tokens, company.markers = [], [], [], {}
    company.extra = None
    total_percent = sum(company.shares.values())
    company.shares, company.certificate_holder = (
        {REMOVED: total_percent} if total_percent else {},
        REMOVED,
    )
    company.par, company.floated, company.closed = None, False, True
    t.emit(CompanyClosed(company.id))


def flip_marker(t: Table, company: Company) -> None:
    """Take a company's marker off the market.

    On a space for a single marker, the marker is flipped instead and still occupies the space.
    """
    if company.cell is not None and t.grid.is_space(company.cell):
        t.state.flipped.append(company.cell)
    t.leave_market(company)


def bankruptcy_obstacle(t: Table, *, can_sell: bool = True) -> Fact | None:
    """The rule that prevents the president from going bankrupt now; None if they can.

    `can_sell`: the president can still sell something. See 18Chesapeake 11.8, 18NewEngland 11.9.
    """
    company = t.company.id
    if t.spec.bankruptcy == "never":
        return fact("forced.never_bankrupt")
    if is_liquidated_without_train(t):
        return fact("liquidation.ruins_nobody", company=company)
    if can_sell and t.spec.sells_before_bankruptcy and must_buy_train(t) and is_train_unaffordable(t):
        return fact("forced.sold_out_first", company=company)
    is_bankruptcy_possible = t.rules.has_flag("bankruptcy_in_any_step") or (
        is_buying_trains(t) and must_buy_train(t)
    )
    if is_bankruptcy_possible and is_train_unaffordable(t):
        return None
    return fact("forced.bankruptcy_only_for_a_train", company=company)


def go_bankrupt(t: Table, player: PlayerId) -> None:
    """Bankrupt a president (`player`), who loses everything.

    The game ends (18Chesapeake 11.8) or continues without them (18NewEngland 11.8).

    Rules: R-AL-197, R-AL-212, R-C2C-215, R-C2C-261, R-CH-154, R-CH-181, R-NE-112, R-TN-173, R-TN-212.
    """
    t.emit(WentBankrupt(player, t.company.id))
    if t.spec.bankruptcy == "ends":
        if is_buying_trains(t) or not t.rules.has_flag("bankruptcy_before_trains_sells_nothing"):
            _sell_all_shares(t, player)
        _make_bankrupt(t, player)
        finish_game(t, Ending("bankruptcy", player))
    elif t.rules.has_flag("bankruptcy_keeps_player"):
        t.pay(player, BANK, t.cash(player))
        _close_companies_of(t, player)
    else:
        _eliminate_player(t, player)


def is_buying_trains(t: Table) -> bool:
    """True if the operating company's turn has reached the purchase of trains."""
    return "dividend" in t.turn.done and "trains" not in t.turn.done


def _eliminate_player(t: Table, player: PlayerId) -> None:
    """Remove a bankrupt player: their companies close, and their unsold shares are void.

    If only one player is left, that player wins.

    Rules: R-NE-112, R-NE-113, R-NE-132.
    """
    _sell_all_shares(t, player)
    cash = t.cash(player)
    _make_bankrupt(t, player)
    _close_companies_of(t, player)
    t.emit(PlayerEliminated(player, cash))
    t.state.end_votes.clear()
    if t.state.players[t.state.priority].bankrupt:
        t.state.priority = t.state.next_seat(t.state.priority)
    remaining_players = t.state.players_in_game()
    if len(remaining_players) == 1:
        finish_game(t, Ending("last_player", remaining_players[0].id))


def _sell_all_shares(t: Table, player: PlayerId) -> None:
    for name, counts in blocks_keeping_presidencies(t, kept_presidencies(t)).items():
        old_price, new_price = selling.sell_block(t, player, t.state.companies[name], max(counts))
        t.emit(SharesSold(player, name, max(counts), old_price, old_price, new_price))


def _make_bankrupt(t: Table, player: PlayerId) -> None:
    t.pay(player, BANK, t.cash(player))
    t.state.player(player).bankrupt = True


def _close_companies_of(t: Table, player: PlayerId) -> None:
    for company in [c for c in t.state.companies.values() if c.president == player]:
        close_company(t, company)
    end_turn(t)


def liquidate_company(t: Table) -> None:
    """Liquidate the operating company, which has no train: it leaves the game, and the bank gets its treasury
    (18NewEngland 11.9).

    Rules: R-NE-103, R-NE-115.
    """
    company = t.company
    t.emit(Liquidated(company.id, company.cash))
    close_company(t, company)
    end_turn(t)
