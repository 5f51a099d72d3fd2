"""Refusals of rooms that 1846 opens: its draft, independents, issues and markers."""

from typing import Any, Final

from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1846.midwest import Midwest, first_position


def nyc(step: str = "track", *trains: str, **given: Any) -> Midwest:
    """Ann's NYC at $80, with some money."""
    built = Midwest().start("NYC", 80, **{"market": 10, "a": 40, **given}).treasury("NYC", 300)
    return built.trains("NYC", *trains or ["2"]).operating("NYC", step)


def independent(step: str = "track") -> Midwest:
    """Ann owns the Michigan Southern, which operates."""
    built = Midwest().owns("a", "MSP")
    built.state.companies["MS"].floated = True
    return built.trains("MS", "2").treasury("MS", 60).operating("MS", step)


def receivership() -> Midwest:
    """GT has no president, and Bob holds a share."""
    built = Midwest().start("GT", 80, a=20, b=10)
    company = built.state.companies["GT"]
    company.certificate_holder, company.operated = "market", True
    return built.stock("b")


def owing() -> TitleGame:
    """Cy has taken cards for more than what is left of their money."""
    game = first_position()
    game.table.auction.chosen["c"] = ["MSP", "B4P", "MAIL"]
    game.table.auction.deck.remove("MSP")
    game.table.auction.deck.insert(0, "MSP")
    return game


def issued() -> TitleGame:
    """NYC has issued a share."""
    game = nyc().game()
    game.do("issue", "NYC", offering=0, treasury=1)
    return game


def steamboat() -> TitleGame:
    """Ann is asked for port and company."""
    built = Midwest().start("NYC", 80, a=40).owns("a", "SC").trains("NYC", "2").operating("NYC")
    built.t.operating.turn = None
    return built.game()


def chicago() -> Midwest:
    """NYC owns the C&WI, whose city is kept for nobody else any more."""
    built = nyc().owns("NYC", "C&WI")
    built.t.map.release("C&WI")
    return built


def baltimore() -> Midwest:
    """B&O may place a token in Cincinnati."""
    built = Midwest().start("B&O", 80, a=40).treasury("B&O", 300)
    return built.trains("B&O", "2").operating("B&O")


def moved() -> TitleGame:
    """NYC has moved its steamboat."""
    game = nyc().owns("NYC", "SC").game()
    game.do("place_marker", "SC", hex="G19")
    return game


ROWS: Final[list[Refusal]] = [
    row("midwest.must_draft", first_position, "pass", None, actor="c"),
    row(
        "selling.not_operated",
        lambda: Midwest().start("NYC", 80, a=40, b=20).stock("b"),
        "sell_shares",
        None,
        actor="b",
        company="NYC",
        shares=1,
    ),
    row("selling.without_president", receivership, "sell_shares", None, actor="b", company="GT", shares=1),
    row("issue.from_treasury", nyc, "issue", "NYC", offering=1, treasury=0),
    row("issue.most", nyc, "issue", "NYC", offering=0, treasury=9),
    row("issue.in_the_market", nyc, "redeem", "NYC", shares=3),
    row("issue.redemption_too_dear", lambda: nyc().treasury("NYC", 5), "redeem", "NYC", shares=1),
    row("issue.before_dividend", lambda: nyc("trains"), "redeem", "NYC", shares=1),
    row("issue.not_this_company", independent, "redeem", "MS", shares=1),
    row(
        "midwest.token_for_its_owner",
        lambda: nyc().owns("a", "C&WI"),
        "place_token",
        "C&WI",
        actor="a",
        hex="D6",
        city=3,
    ),
    row(
        "midwest.token_placed",
        lambda: nyc().owns("NYC", "C&WI", used=True),
        "place_token",
        "C&WI",
        actor="a",
        hex="D6",
        city=3,
    ),
    row("midwest.only_this_city", chicago, "place_token", "C&WI", actor="a", hex="D6", city=0),
    row(
        "midwest.steamboat_before_run",
        lambda: nyc("dividend").owns("NYC", "SC"),
        "place_marker",
        "SC",
        actor="a",
        hex="B8",
    ),
    row(
        "midwest.no_room",
        lambda: nyc("track", "2", "2", "2", "2").owns("a", "MSP"),
        "buy_private",
        "NYC",
        private="MSP",
        price=60,
    ),
    row(
        "midwest.no_room_in_chicago",
        lambda: nyc().token("NYC", "D6", 0).owns("NYC", "C&WI"),
        "place_token",
        "C&WI",
        actor="a",
        hex="D6",
        city=3,
    ),
    row("token.elsewhere", baltimore, "place_token", "B&O", hex="I5", city=0),
    row("token.no_more_now", independent, "place_token", "MS", hex="I5", city=0),
    row("midwest.card_too_dear", owing, "bid", None, actor="c", private="MSP", amount=140),
    row("issue.once_a_turn", issued, "redeem", "NYC", shares=1),
    row("issue.not_for_train", lambda: nyc("trains"), "issue", "NYC", offering=0, treasury=1),
    row(
        "issue.for_train",
        lambda: Midwest().start("NYC", 80, a=40).treasury("NYC", 10).operating("NYC", "trains"),
        "issue",
        "NYC",
        offering=0,
        treasury=9,
    ),
    row("dividend.half_for_independents", independent, "dividend", "MS", option="pay"),
    row("midwest.steamboat_first", steamboat, "pass", "MS", actor="a"),
    row("midwest.not_served", steamboat, "give_marker", "SC", actor="a", company="GT"),
    row("midwest.steamboat_has_moved", moved, "place_marker", "SC", actor="a", hex="B8"),
    row(
        "midwest.miami_joined",
        lambda: nyc().tiles("H12:291:2 G13:5:0").owns("NYC", "LM"),
        "lay_tile",
        "LM",
        actor="a",
        hex="H12",
        tile="5",
        rotation=0,
    ),
    row(
        "midwest.miami_joins_nothing",
        lambda: nyc().owns("NYC", "LM"),
        "lay_tile",
        "LM",
        actor="a",
        hex="G13",
        tile="5",
        rotation=2,
    ),
    row(
        "midwest.keeps_train",
        lambda: nyc("trains", b=0).owns("b", "MSP").trains("MS", "2"),
        "buy_train",
        "NYC",
        train="2",
        source="MS",
        price=50,
        trade_in="",
    ),
    row("token.no_place", lambda: nyc().start("GT", 80, b=40), "place_token", "NYC", hex="I5", city=0),
]
