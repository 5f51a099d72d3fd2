"""What several views show: discs of companies, captions of pictures."""

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Draft
from engine.game import Game
from engine.play.table import Table
from engine.tell.teller import tell
from engine.tell.views import Badge


def badge(t: Table, company: CompanyId) -> Badge:
    """A company's disc."""
    return Badge(company, t.spec.companies[company].colour)


def reserver(t: Table, company: CompanyId) -> PlayerId | None:
    """Who has reserved a company that is not started yet; None: nobody."""
    now = t.state.round
    return now.reserved.get(company) if isinstance(now, Draft) else None


def caption(game: Game) -> str:
    """`OR 2.1, phase 3, bank $5,210`."""
    state = game.table.state
    teller = tell(game)
    position = fact("caption.position", round=teller.round_name(), phase=state.phase, bank=_bank(state.bank))
    return teller.say(position)


def board_caption(game: Game) -> str:
    """`OR 2.1, phase 3`: without the bank, which pays in nearly every turn, while map and market stay as they are."""
    teller = tell(game)
    return teller.say(fact("caption.board", round=teller.round_name(), phase=game.table.state.phase))


def bank(game: Game) -> str:
    """`$5,210`."""
    return tell(game).say(_bank(game.table.state.bank))


def _bank(dollars: int) -> Fact:
    """A broken bank keeps paying, so its balance may be negative."""
    return fact("caption.bank_below_zero" if dollars < 0 else "caption.bank", dollars=abs(dollars))
