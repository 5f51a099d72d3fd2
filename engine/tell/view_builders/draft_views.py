"""The view of a draft: companies that are reserved and started, as cards."""

from collections import Counter

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.state import Company, Draft
from engine.game import Game
from engine.play.shares.market_spaces import free_spaces, payable
from engine.play.table import Table
from engine.tell.teller import tell
from engine.tell.view_builders.view_parts import badge, caption, reserver
from engine.tell.views import ClaimView, LotState, LotView, SaleView, SeatView


def draft_view(game: Game) -> SaleView:
    """The companies of the kind that is drafted, in two columns, and what everybody can still pay."""
    t = game.table
    drafted = [company for company in t.state.companies.values() if _is_drafted(t, company)]
    lots = [_lot(game, company) for company in sorted(drafted, key=lambda company: company.waiting)]
    half = -(-len(lots) // 2)
    columns = tuple(column for column in (tuple(lots[:half]), tuple(lots[half:])) if column)
    seats = tuple(_seat(game, player.id) for player in t.state.players)
    free = tell(game).say(_free_spaces(t))
    return SaleView(t.spec.name, caption(game), columns, seats, (free,))


def _free_spaces(t: Table) -> Fact:
    """How many spaces of each value a company may still be started on."""
    values = Counter(value for value, _ in free_spaces(t))
    spaces = (
        fact("coming_sale.spaces_of_value", value=value, count=count) for value, count in values.items()
    )
    return fact("coming_sale.spaces", spaces=tuple(spaces))


def _is_drafted(t: Table, company: Company) -> bool:
    draw = t.spec.draw
    return draw is None or t.kind(company) == draw.kind


def _lot(game: Game, company: Company) -> LotView:
    t, say = game.table, tell(game).say
    spec, player = t.spec.companies[company.id], reserver(t, company.id)
    status = _status(t, company)
    claims = () if player is None else (ClaimView(game.name(player), None, True),)
    does = () if spec.home is None else (say(_home(t, spec.home.hex)),)
    return LotView(
        badge=badge(t, company.id),
        name=spec.name,
        value=None,
        income=None,
        does=does,
        state=_state(t, company),
        status="" if status is None else say(status),
        claims=claims,
    )


def _home(t: Table, coord: str) -> Fact:
    name = t.map.hexes[coord].name
    place = fact("mark.place", name=name, hex=coord) if name else fact("choice.value", value=coord)
    return fact("lot.home", place=place)


def _state(t: Table, company: Company) -> LotState:
    if company.closed or company.waiting:
        return "gone"
    if company.started or reserver(t, company.id) is not None:
        return "taken"
    return "open"


def _status(t: Table, company: Company) -> Fact | None:
    """What became of it; None where anybody may reserve it."""
    player = reserver(t, company.id)
    if company.closed:
        return fact("lot.closed")
    if company.waiting and t.spec.draw is not None:
        return fact("lot.later", phase=t.spec.draw.until)
    if player is not None:
        return fact("lot.reserved", player=player)
    if company.president is not None:
        return fact("lot.started", player=company.president, value=t.price(company))
    return None


def _seat(game: Game, player: PlayerId) -> SeatView:
    t, say = game.table, tell(game).say
    assert isinstance(t.state.round, Draft)
    spaces = payable(t, player)
    if player in t.state.round.out:
        note = fact("sheet.draft_left")
    else:
        note = fact("sheet.can_pay", value=spaces[-1][0]) if spaces else fact("sheet.can_pay_nothing")
    owns = (company.id for company in t.state.companies.values() if company.president == player)
    cash = t.cash(player)
    return SeatView(game.name(player), cash, 0, cash, player in game.actors(), tuple(owns), say(note))
