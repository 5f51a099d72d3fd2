"""Parts of several views: discs of companies, captions of pictures, money as far as it may be seen."""

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, EntityId, PlayerId
from engine.core.state import Draft
from engine.game import Game
from engine.play.table import Table
from engine.tell.teller import teller_of
from engine.tell.views import Badge


def badge(t: Table, company: CompanyId) -> Badge:
    """A company's disc."""
    return Badge(company, t.spec.companies[company].colour)


def reserver(t: Table, company: CompanyId) -> PlayerId | None:
    """The player who has reserved a company that is not started yet; None: nobody."""
    now = t.state.round
    return now.reserved.get(company) if isinstance(now, Draft) else None


def caption(game: Game) -> str:
    """`OR 2.1, phase 3, bank $5210`."""
    state = game.table.state
    teller = teller_of(game)
    position = fact("caption.position", round=teller.round_name(), phase=state.phase, bank=_bank(state.bank))
    return teller.say(position)


def board_caption(game: Game) -> str:
    """`OR 2.1, phase 3`: without the bank, which pays in nearly every turn, while map and market stay as they are."""
    teller = teller_of(game)
    return teller.say(fact("caption.board", round=teller.round_name(), phase=game.table.state.phase))


def bank(game: Game) -> str:
    """`$5210`."""
    return teller_of(game).say(_bank(game.table.state.bank))


def _bank(dollars: int) -> Fact:
    """A broken bank keeps paying, so its balance may be negative."""
    return fact("caption.bank_below_zero" if dollars < 0 else "caption.bank", dollars=abs(dollars))


def seen(t: Table, entity: EntityId, looker: PlayerId | None) -> int | None:
    """Dollars of a player or company, if the viewer (None: everybody) may know them; None: they may not."""
    return t.cash(entity) if may_see(t, entity, looker) else None


def may_see(t: Table, entity: EntityId, looker: PlayerId | None) -> bool:
    """True if somebody knows the money of a player, or of a company: their own, and of what they preside over.

    Rules: R-AL-215, R-C2C-263, R-CH-013, R-NE-010.
    """
    if not t.spec.secret_cash or t.state.over:
        return True
    company = t.state.companies.get(entity)
    return looker is not None and looker == (entity if company is None else company.president)
