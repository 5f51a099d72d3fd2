"""What becomes of a president or company that cannot pay for a train
(18Chesapeake 11.8, 12; 18NewEngland 11.8, 11.9).
"""

from engine.core.events import Eliminated, Liquidated, SharesSold, WentBankrupt
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PlayerId
from engine.core.state import Ending
from engine.play.ending import finish
from engine.play.flow import leave_turn
from engine.play.shares import block_sales
from engine.play.shares.closing import close_company
from engine.play.table import Table
from engine.play.trains.forced_purchase.obligation import must_buy, ruins_nobody
from engine.play.trains.forced_purchase.president_sales import hopeless, sellable


def why_not_bankrupt(t: Table) -> Fact:
    """Why nobody goes bankrupt for the operating company now (18Chesapeake 11.8, 18NewEngland 11.9)."""
    if ruins_nobody(t):
        return fact("liquidation.ruins_nobody", company=t.company.id)
    last = t.spec.sells_before_bankruptcy and must_buy(t) and hopeless(t)
    name = "forced.sold_out_first" if last else "forced.bankruptcy_only_for_a_train"
    return fact(name, company=t.company.id)


def go_bankrupt(t: Table, player: PlayerId) -> None:
    """The president sells all and loses all cash; the game ends (18Chesapeake 11.8) or continues (18NewEngland 11.8).

    Rules: R-AL-197, R-AL-212, R-C2C-215, R-C2C-261, R-CH-154, R-CH-181, R-NE-112, R-TN-173, R-TN-212.
    """
    t.emit(WentBankrupt(player, t.company.id))
    if t.spec.bankruptcy == "ends":
        if in_train_step(t) or not t.rules.flag("bankruptcy_before_trains_sells_nothing"):
            _sell_all(t, player)
        _lose(t, player)
        finish(t, Ending("bankruptcy", player))
    elif t.rules.flag("bankruptcy_keeps_player"):
        t.pay(player, BANK, t.cash(player))
        _close_presided(t, player)
    else:
        _eliminate(t, player)


def in_train_step(t: Table) -> bool:
    """Whether trains are bought now."""
    return "dividend" in t.turn.done and "trains" not in t.turn.done


def _eliminate(t: Table, player: PlayerId) -> None:
    """Companies they still preside over close; shares nobody could buy from them are dead; the last player wins.

    Rules: R-NE-112, R-NE-113, R-NE-132.
    """
    _sell_all(t, player)
    cash = t.cash(player)
    _lose(t, player)
    _close_presided(t, player)
    t.emit(Eliminated(player, cash))
    t.state.end_votes.clear()
    if t.state.players[t.state.priority].bankrupt:
        t.state.priority = t.state.next_seat(t.state.priority)
    left = t.state.in_game()
    if len(left) == 1:
        finish(t, Ending("last_player", left[0].id))


def _sell_all(t: Table, player: PlayerId) -> None:
    for name, counts in sellable(t, {t.company.id}).items():
        old, new = block_sales.sell(t, player, t.state.companies[name], max(counts))
        t.emit(SharesSold(player, name, max(counts), old, old, new))


def _lose(t: Table, player: PlayerId) -> None:
    t.pay(player, BANK, t.cash(player))
    t.state.player(player).bankrupt = True


def _close_presided(t: Table, player: PlayerId) -> None:
    """The operating company is one of them."""
    for company in [c for c in t.state.companies.values() if c.president == player]:
        close_company(t, company)
    leave_turn(t)


def liquidate(t: Table) -> None:
    """The operating company has no train: it leaves the game, and its treasury goes to the bank (18NewEngland 11.9).

    Rules: R-NE-103, R-NE-115.
    """
    company = t.company
    t.emit(Liquidated(company.id, company.cash))
    close_company(t, company)
    leave_turn(t)
