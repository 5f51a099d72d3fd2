"""Refusals that only 1846 has: its draft, issues and redemptions, privates, independents and receivership."""

from typing import Any, Final

from engine.core.ids import MARKET
from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1846.midwest import Midwest, first_position

TO_CLEVELAND: Final = "E19:8:1 E17:291:3"
"""Track from the home of the NYC."""


def nyc(
    step: str = "track", *privates: str, market: int = 0, treasury: int = 500, train: str = "2"
) -> Midwest:
    """Ann's NYC owns these privates and 60% of itself, less the market's shares."""
    built = Midwest().start("NYC", 80, market=market, a=40).treasury("NYC", treasury)
    return built.trains("NYC", *train.split()).owns("NYC", *privates).operating("NYC", step)


def independent() -> Midwest:
    """Ann's MS, on turn."""
    built = Midwest().owns("a", "MSP").treasury("MS", 60)
    built.state.companies["MS"].floated = True
    return built.operating("MS")


def in_debt() -> TitleGame:
    """Cy has taken cards for $280, and sees the MSP."""
    game = first_position()
    game.table.auction.chosen["c"] = ["B4P", "C&WI", "MAIL", "SC"]
    game.table.auction.deck = ["MSP", "MC", "Pass (1)"]
    return game


def issued() -> TitleGame:
    game = nyc().game()
    game.do("issue", "NYC", offering=0, treasury=1)
    return game


def token_placed() -> TitleGame:
    game = nyc().tiles(TO_CLEVELAND).game()
    game.do("place_token", "NYC", hex="E17", city=0)
    return game


def chicago() -> Midwest:
    """The NYC has bought the C&WI, whose city is no longer kept."""
    built = nyc("track", "C&WI")
    built.t.map.release_spaces("C&WI")
    return built


def chicago_token_placed() -> TitleGame:
    game = chicago().game()
    game.do("place_token", "C&WI", hex="D6", city=3)
    return game


def before_the_round() -> TitleGame:
    """Ann owns the SC, and no company has operated yet."""
    built = nyc().owns("a", "SC")
    built.t.operating_round.turn = None
    return built.game()


def steamboat_moved() -> TitleGame:
    game = nyc("track", "SC").game()
    game.do("place_marker", "SC", hex="C5")
    return game


def not_operated() -> Midwest:
    return Midwest().start("NYC", 80, a=40, b=20).stock("b")


def receivership() -> Midwest:
    """Nobody presides over the NYC, and Ann has one of its shares."""
    built = Midwest().start("NYC", 80, a=30, b=10).stock("a")
    company = built.state.companies["NYC"]
    company.certificate_holder = MARKET
    return built


ISSUE: Final[dict[str, Any]] = {"offering": 0, "treasury": 1}
LAY: Final[dict[str, Any]] = {"hex": "H12", "tile": "291", "rotation": 3}
CHICAGO: Final[dict[str, Any]] = {"hex": "D6", "city": 3}
TRAIN: Final[dict[str, Any]] = {"train": "2", "source": "MS", "price": 1, "trade_in": ""}
ROWS: Final[list[Refusal]] = [
    row("midwest.must_draft", first_position, "pass", None, actor="c"),
    row("auction.at_draft_price", first_position, "bid", None, actor="c", private="MC", amount=30),
    row("midwest.card_too_dear", in_debt, "bid", "c", private="MSP", amount=140),
    row("selling.not_operated", not_operated, "sell_shares", "b", company="NYC", shares=1),
    row("selling.without_president", receivership, "sell_shares", "a", company="NYC", shares=1),
    row("issue.most", nyc, "issue", "NYC", offering=0, treasury=5),
    row("issue.from_treasury", nyc, "issue", "NYC", offering=1, treasury=1),
    row("issue.in_the_market", lambda: nyc(market=20), "redeem", "NYC", shares=3),
    row("issue.redemption_too_dear", lambda: nyc(market=20, treasury=100), "redeem", "NYC", shares=2),
    row("issue.once_a_turn", issued, "redeem", "NYC", shares=1),
    row("issue.before_dividend", lambda: nyc("trains", market=10), "redeem", "NYC", shares=1),
    row("issue.not_this_company", independent, "issue", "MS", **ISSUE),
    row("issue.not_for_train", lambda: nyc("trains"), "issue", "NYC", **ISSUE),
    row("issue.for_train", lambda: nyc("trains", treasury=0, train=""), "issue", "NYC", **ISSUE),
    row("dividend.half_for_independents", independent, "dividend", "MS", option="pay"),
    row("token.elsewhere", lambda: nyc().tiles(TO_CLEVELAND), "place_token", "NYC", hex="D14", city=0),
    row("token.placed_this_turn", token_placed, "place_token", "NYC", hex="E17", city=0),
    row("token.no_place", nyc, "place_token", "NYC", hex="E17", city=0),
    row("midwest.token_for_its_owner", lambda: nyc().owns("a", "C&WI"), "place_token", "C&WI", **CHICAGO),
    row("midwest.token_placed", chicago_token_placed, "place_token", "C&WI", **CHICAGO),
    row(
        "midwest.has_token_in_chicago", lambda: chicago().token("NYC", "D6"), "place_token", "C&WI", **CHICAGO
    ),
    row("midwest.city_taken", lambda: chicago().token("GT", "D6", 3), "place_token", "C&WI", **CHICAGO),
    row("midwest.only_this_city", chicago, "place_token", "C&WI", hex="D6", city=0),
    row(
        "midwest.miami_joined",
        lambda: nyc("track", "LM").tiles("H12:293:0 G13:57:0"),
        "lay_tile",
        "LM",
        **LAY,
    ),
    row(
        "midwest.miami_joins_nothing", lambda: nyc("track", "LM"), "lay_tile", "LM", **{**LAY, "rotation": 0}
    ),
    row(
        "midwest.no_room",
        lambda: nyc(train="2 2 2 2").owns("a", "MSP"),
        "buy_private",
        "NYC",
        private="MSP",
        price=60,
    ),
    row(
        "midwest.keeps_train",
        lambda: nyc("trains").owns("b", "MSP").trains("MS", "2"),
        "buy_train",
        "NYC",
        **TRAIN,
    ),
    row(
        "midwest.receiver_keeps_train",
        lambda: (
            receivership()
            .trains("NYC", "2")
            .start("GT", 80, c=30)
            .treasury("GT", 9)
            .operating("GT", "trains")
        ),
        "buy_train",
        "GT",
        **{**TRAIN, "source": "NYC"},
    ),
    row(
        "midwest.receiver_uses_no_private",
        lambda: (
            receivership().owns("NYC", "SC").trains("NYC", "2").tiles(TO_CLEVELAND).operating("NYC", "run")
        ),
        "place_marker",
        "SC",
        actor="a",
        hex="C5",
    ),
    row(
        "midwest.certificate_for_a_share",
        lambda: receivership().stock("c"),
        "buy_share",
        "c",
        company="NYC",
        source=MARKET,
    ),
    row("midwest.steamboat_first", before_the_round, "issue", "NYC", actor="a", **ISSUE),
    row("midwest.not_served", before_the_round, "give_marker", "SC", actor="a", company="GT"),
    row("midwest.steamboat_has_moved", steamboat_moved, "place_marker", "SC", hex="B8"),
    row("midwest.steamboat_before_run", lambda: nyc("trains", "SC"), "place_marker", "SC", hex="B8"),
]
