"""Refusals that only 1846 has: its draft, issues and redemptions, its privates, independents and receivership."""

from typing import Any, Final

from engine.core.ids import MARKET
from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1846.midwest import Midwest, first_position


def nyc(step: str = "track", *, market: int = 0, treasury: int = 500, train: str = "2") -> Midwest:
    """Ann's NYC with 40% of its shares; the rest is in its treasury, but for those in the market."""
    built = Midwest().start("NYC", 80, market=market, a=40).treasury("NYC", treasury)
    return built.trains("NYC", *train.split()).operating("NYC", step)


def independent(step: str = "track") -> Midwest:
    """Ann's MS, in its turn."""
    built = Midwest().owns("a", "MSP")
    built.state.companies["MS"].floated = True
    return built.operating("MS", step)


def with_private(*privates: str, step: str = "track") -> Midwest:
    """Ann's NYC owns these privates."""
    return nyc(step).owns("NYC", *privates)


def in_debt() -> TitleGame:
    """Cy, first in the draft, has taken four cards, and sees the MSP."""
    game = first_position()
    auction = game.table.auction
    auction.chosen["c"] = ["B4P", "C&WI", "MAIL", "SC"]
    auction.deck = ["MSP", "MC", "Pass (1)"]
    return TitleGame.load(game.dump())


def issued() -> TitleGame:
    game = nyc().game()
    game.do("issue", "NYC", offering=0, treasury=1)
    return game


def short_of_money() -> Midwest:
    """The NYC has no train, and can issue three or four shares for a 2-train."""
    return nyc("trains", treasury=0, train="").depot(t2=1)


def steamboat(*, named: str | None = None) -> TitleGame:
    """Ann owns the SC, and a round has begun."""
    built = nyc().owns("a", "SC")
    built.t.operating.turn = None
    built.state.privates["SC"].hex = "B8"
    return built.game()


def joined_cities() -> Midwest:
    return with_private("LM").tiles("H12:294:0 G13:14:0")


def receivership() -> Midwest:
    """Nobody presides over the NYC, of which Ann has a share."""
    built = nyc().stock("a")
    company = built.state.companies["NYC"]
    company.certificate_holder, company.shares = MARKET, {"a": 10, "b": 10, "NYC": 60}
    return built


ISSUE: Final[dict[str, Any]] = {"offering": 0, "treasury": 1}
ROWS: Final[list[Refusal]] = [
    row("midwest.must_draft", first_position, "pass", None, actor="c"),
    row("midwest.card_too_dear", in_debt, "bid", "c", private="MSP", amount=140),
    row("issue.most", nyc, "issue", "NYC", offering=0, treasury=5),
    row("issue.from_treasury", nyc, "issue", "NYC", offering=1, treasury=1),
    row("issue.in_the_market", lambda: nyc(market=20), "redeem", "NYC", shares=3),
    row("issue.redemption_too_dear", lambda: nyc(market=20, treasury=100), "redeem", "NYC", shares=2),
    row("issue.once_a_turn", issued, "redeem", "NYC", shares=1),
    row("issue.before_dividend", lambda: nyc("trains", market=10), "redeem", "NYC", shares=1),
    row("issue.not_this_company", independent, "issue", "MS", **ISSUE),
    row("issue.not_for_train", lambda: nyc("trains"), "issue", "NYC", **ISSUE),
    row("issue.for_train", short_of_money, "issue", "NYC", **ISSUE),
    row("dividend.half_for_independents", independent, "dividend", "MS", option="pay"),
    row("selling.not_operated", lambda: Midwest().start("NYC", 80, a=40, b=20).stock("b"), "sell_shares", "b", company="NYC", shares=1),
    row("selling.without_president", receivership, "sell_shares", "a", company="NYC", shares=1),
]
