"""Parts shared by several views: company discs, picture captions, and money that a viewer may see."""

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, EntityId, PlayerId
from engine.core.state import Draft
from engine.game import Game
from engine.play.table import Table
from engine.tell.teller import teller_of
from engine.tell.views import Badge


def company_badge(t: Table, company: CompanyId) -> Badge:
    """A company's disc for pictures: its abbreviation and colour."""
    return Badge(company, t.spec.companies[company].colour)


def reserving_player(t: Table, company: CompanyId) -> PlayerId | None:
    """The player who has reserved a company that has not started; None if nobody has."""
    current_round = t.state.round
    return current_round.reserved.get(company) if isinstance(current_round, Draft) else None


def picture_caption(game: Game) -> str:
    """A picture caption with round, phase and bank, such as `OR 2.1, phase 3, bank $5210`."""
    state = game.table.state
    teller = teller_of(game)
    position_fact = fact(
        "caption.position", round=teller.round_name(), phase=state.phase, bank=_bank_fact(state.bank)
    )
    return teller.say(position_fact)


def board_picture_caption(game: Game) -> str:
    """A picture caption with round and phase, such as `OR 2.1, phase 3`.

    It leaves out the bank's balance, so that pictures of map and market change less often.
    """
    teller = teller_of(game)
    return teller.say(fact("caption.board", round=teller.round_name(), phase=game.table.state.phase))


def bank_text(game: Game) -> str:
    """The bank's balance as text, such as `$5210`."""
    return teller_of(game).say(_bank_fact(game.table.state.bank))


def _bank_fact(dollars: int) -> Fact:
    return fact("caption.bank_below_zero" if dollars < 0 else "caption.bank", dollars=abs(dollars))


def visible_cash(t: Table, entity: EntityId, viewer: PlayerId | None) -> int | None:
    """Dollars of a player or company, as far as the viewer (None: the public) may see them; None if they are secret."""
    return t.cash(entity) if may_see_cash(t, entity, viewer) else None


def may_see_cash(t: Table, entity: EntityId, viewer: PlayerId | None) -> bool:
    """True if the viewer may see the money of this player or company.

    This is the case if money is not secret, if the money is the viewer's own, or if it belongs to a company of which
    they are president.

    Rules: R-AL-215, R-C2C-263, R-CH-013, R-NE-010.
    """
    if not t.spec.secret_cash or t.state.over:
        return True
    company = t.state.companies.get(entity)
    return viewer is not None and viewer == (entity if company is None else company.president)
