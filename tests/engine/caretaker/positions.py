"""Tiny positions of which the caretaker's opinions are stored, each at a limit of something that it weighs."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from engine.core.state import Draft, Ending, LastRun
from engine.game import Game
from tests.titles.builders import Position, do, new_game
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def ran(place: Position, **revenue: int) -> Position:
    """Companies that have paid; `BO` is the B&O."""
    for name, dollars in revenue.items():
        place.state.companies[name.replace("BO", "B&O")].last_run = LastRun((), (), dollars, "paid")
    return place


def lehigh(*owned: str, step: str = "trains", **facts: Any) -> Position:
    """LV, Ann's, at $95, with track from its home to Easton."""
    place = Position().start("LV", 95, a=60).cash(a=0, b=0, c=0).tile("J2", "57", 1)
    return place.trains("LV", *owned).operating("LV", step, **facts)


def three_places(*owned: str, step: str = "trains", **facts: Any) -> Position:
    """LV, Ann's, has track on which a 2-train earns $60, and a 3-train beside it $100."""
    place = Position().phase("3").depot(t3=5).cash(a=500, b=0, c=0).bank(8_000).start("LV", 95, a=60)
    place.tile("J2", "15", 4).tile("K3", "2", 2).tile("L4", "7", 2)
    return ran(place.trains("LV", *owned).operating("LV", step, **facts), LV=60)


def run(*owned: str, treasury: int = 150, revenue: int = 60, bank: int = 8_000) -> Game:
    """A run of the LV is to be paid or withheld."""
    place = three_places(*owned, step="dividend", revenue=revenue).treasury("LV", treasury)
    return place.bank(bank).game()


def at_risk(cash: int) -> Game:
    """LV's last train rusts before its next turn, and it has nothing: a 4-train costs $300."""
    place = Position().phase("3").depot(t3=0).cash(a=cash, b=0, c=0).start("LV", 95, a=60)
    place.tile("J2", "57", 1).trains("LV", "2").treasury("LV", 0).start("B&O", 80, b=60)
    return place.start("PRR", 80, c=60).operating("LV", "dividend", revenue=50).game()


def sisters(*owned: str, theirs: tuple[str, ...] = ("3", "3"), percent: int = 50, **facts: int) -> Game:
    """LV buys trains, and Ann has a part of the B&O too, which has no track for its own."""
    place = three_places(*owned).start("B&O", 80, a=percent).operated("B&O").trains("B&O", *theirs)
    return place.treasury("LV", facts.get("treasury", 150)).game()


def ruined(cash: int, *theirs: str, owner: str = "a") -> Game:
    """LV must buy a 4-train at $300, and no share can be sold; the B&O may have trains."""
    held: dict[str, Any] = {owner: 60}
    place = lehigh().phase("4").treasury("LV", 10).cash(a=cash).start("B&O", 80, **held)
    place.trains("B&O", *theirs).operated("B&O")
    for company in ("LV", "B&O"):
        place.state.companies[company].shares = {"market": 50, owner: 50}
    place.state.companies["LV"].shares = {"market": 50, "a": 30}
    return place.game()


def spare(treasury: int = 449, price: int = 0, trains: int = 2, phase: str = "5") -> Game:
    """LV, Ann's, could run another train, of which the B&O, Bob's, has some and no track for them."""
    place = three_places("3").phase(phase).cash(a=0, b=0, c=0).start("B&O", 80, b=60).operated("B&O")
    place.treasury("B&O", 0).trains("B&O", *["4"] * trains).treasury("LV", treasury)
    game = place.game()
    if price:
        do(game, "buy_train", "LV", train="4", source="B&O", trade_in="", price=price)
    return game


def shares(cash: int = 500, **held: Any) -> Game:
    """The B&O, at $80, has run for $100 with its 5-train."""
    place = Position().cash(a=cash, b=0, c=0).bank(8_000).start("B&O", 80, **(held or {"b": 50, "c": 10}))
    return ran(place.trains("B&O", "5").treasury("B&O", 900), BO=100).stock("a").game()


def full(weak: int, cash: int = 500, lv: int = 100, players: int = 6, **facts: Any) -> Game:
    """Six players may have eleven certificates, and Ann has them; C&O runs for $300, the SRR is the weak one."""
    place = Position(players=players).cash(a=cash, b=0, c=0).bank(8_000).start("LV", 80, a=60)
    place.start("B&O", 80, b=30, a=20).start("PRR", 80, c=50, a=20).start("SRR", 80, d=50, a=20)
    place.start("C&O", 80, e=60)
    for company, runs in {"LV": lv, "B&O": 100, "PRR": 100, "SRR": weak, "C&O": 300}.items():
        ran(place.trains(company, "5").treasury(company, 900), **{company: runs})
    for company, held in facts.get("held", {}).items():
        place.state.companies[company].shares = held
    if "treasury" in facts:
        place.trains("LV").treasury("LV", facts["treasury"])
    return place.stock("a", bought=facts.get("bought")).game()


def pars(cash: int, *, others: int = 0, treasury: int = 900, **lv: Any) -> Game:
    """A company may be started; Ann may have the LV, which needs a train, and Bob some money."""
    place = Position().cash(a=cash, b=others, c=0)
    if lv:
        place.start("LV", 80, **lv).treasury("LV", treasury)
    return place.stock().game()


def drafting(cash: int, *reserved: str, turn: int = 8, players: int = 4) -> Game:
    """18NewEngland: Ann has reserved these minors."""
    game = new_game(players, title="18newengland")
    now = game.table.state.round
    assert isinstance(now, Draft)
    now.turn = turn
    now.reserved |= {**dict.fromkeys(reserved, "a"), "FRR": "b", "BP": "c", "NLN": "d"}
    game.table.state.player("a").cash = cash
    return Game.load(game.dump())


def bidding(players: int, title: str = "18chesapeake", cash: int = 0, **bids: int) -> Game:
    """Privates are sold; there are bids on Vanderbilt's."""
    game = new_game(players, title=title)
    if cash:
        game.table.state.player("a").cash = cash
    for player, amount in bids.items():
        do(game, "bid", player, private="CV", amount=amount)
    return game


def canal(treasury: int = 950, *mine: str, owned: str = "3") -> Game:
    """LV, Ann's, may buy the privates of Bob, of which the D&R closes K3, and her own."""
    place = lehigh(owned, step="track").phase("3").owns("b", "C&OC", "D&R", "B&S").treasury("LV", treasury)
    return place.owns("a", *mine).game()


def mobile(player: str = "a", treasury: int = 190, *, other: bool = False) -> Game:
    """18AL: NDY and SNAR are Bob's, who has no company; Ann's can buy them, and sometimes Cy's."""
    place = Alabama().phase("3").cash(a=400, b=400, c=400).start("L&N", 105, a=60)
    place.trains("L&N", "3", "3").treasury("L&N", treasury).bank(900).owns("b", "NDY", "SNAR")
    if other:
        place.start("M&O", 105, c=60).trains("M&O", "3", "3").treasury("M&O", 190)
    return ran(place.stock(player), **{"L&N": 200}).game()


def asked(title: str, private: str, price: int) -> Game:
    game = Position(title=title).owns("a", private).cash(a=0, b=400, c=0).stock("b").game()
    do(game, "buy_private", "b", private=private, price=price)
    return game


def merging(cash: int, lv: int = 100) -> Game:
    """18NewEngland: Ann's minor may become a major."""
    place = NewEngland(phase="3").minor("CV", 100, "a", "3", treasury=100)
    return place.minor("BL", lv, "a", "3", treasury=100).cash(a=cash).merging().game()


def first_lay(title: str, company: str, par: int, train: str) -> Game:
    """A company in its first turn."""
    place = Position(title=title).phase(train).cash(a=0, b=0, c=0).start(company, par, a=60)
    return place.trains(company, train).operating(company).game()


def issuing(treasury: int, *owned: str) -> Game:
    """18NewEngland: a company may issue shares."""
    place = NewEngland().major("B&A", 100, treasury=treasury, a=40, market=20).trains("B&A", *owned)
    return place.operating("B&A", "issue").game()


def ending(**facts: Any) -> Game:
    """The bank is broken."""
    place = three_places("2", **facts)
    place.state.ending = Ending("bank")
    return place.game()


def trades(step: str) -> Game:
    """18C2C's neighbour in 18AL: a price near the end of the market."""
    place = Alabama().cash(a=300, b=0, c=0).bank(9_000).start("L&N", 105, a=60).trains("L&N", "5")
    company = place.state.companies["L&N"]
    assert company.cell is not None
    for _ in range(6):
        company.cell = place.t.grid.right(company.cell)
    place = place.stock("a") if step == "stock" else place.operating("L&N", step)
    return ran(place, **{"L&N": 100}).game()


Rows = dict[str, Callable[[], Game]]
RUNS: Final[Rows] = {
    **{
        f"run {' '.join(owned)} treasury {treasury} revenue {revenue}": partial(
            run, *owned, treasury=treasury, revenue=revenue
        )
        for owned, treasury, revenue in [
            *(((("2",), treasury, 60)) for treasury in (20, 119, 120, 150, 179, 180)),
            *((("2",), 150, revenue) for revenue in (30, 110, 150)),
            *(((), 150, 60), (("2", "2", "2"), 150, 60), (("2",) * 4, 150, 60), (("3",), 150, 60)),
        ]
    },
    **{f"run with {bank} in the bank": partial(run, "2", bank=bank) for bank in (160, 200, 240, 300)},
}
TRAINS: Final[Rows] = {
    **{f"at risk with {cash}": partial(at_risk, cash) for cash in (0, 219, 220)},
    **{f"ruined with {cash}": partial(ruined, cash) for cash in (0, 289, 290)},
    "ruined, one's own train": partial(ruined, 0, "4"),
    "ruined, one of two": partial(ruined, 0, "3", "4"),
    "ruined, another's train": partial(ruined, 0, "4", "5", owner="b"),
    "no train": lambda: lehigh().game(),
    "no train, little money": lambda: lehigh().treasury("LV", 60).cash(a=500).game(),
    "a train, little money": lambda: lehigh("2").treasury("LV", 60).cash(a=500).game(),
    "two trains": lambda: lehigh("2", "2").depot(t2=2).game(),
    "a train that lasts longer": lambda: lehigh("2").phase("3").depot(t2=0, t3=5).game(),
    "a train that lasts as long": lambda: lehigh("3").phase("3").depot(t2=0, t3=5).game(),
    "handed in": lambda: lehigh("4", "4").phase("6").treasury("LV", 2_000).game(),
    "a third train": lambda: three_places("2", "3").treasury("LV", 900).game(),
    "above the limit": lambda: lehigh("4", "4", "5").phase("5").depot(t5=1, t6=2).game(),
    "sisters": partial(sisters, "2"),
    "sisters, no train": partial(sisters),
    "sisters, its only train": partial(sisters, "2", theirs=("3",)),
    "sisters, most of it": partial(sisters, "2", percent=80),
    "bank broken": partial(ending, number=1, of=3),
    "near the end": partial(trades, "trains"),
    "near the end, stock": partial(trades, "stock"),
    "liquidation": lambda: NewEngland().minor("CV", 60, "a").operating("CV", "trains").game(),
    "half": lambda: (
        NewEngland()
        .major("B&A", 100, treasury=500, a=40)
        .trains("B&A", "4")
        .operating("B&A", "dividend", revenue=50)
        .game()
    ),
    **{f"issue with {treasury}": partial(issuing, treasury) for treasury in (0, 20)},
    "issue, trains": partial(issuing, 500, "3"),
}
DEALS: Final[Rows] = {
    **{f"spare train, {treasury}": partial(spare, treasury) for treasury in (310, 329, 449, 900)},
    "spare train, early": partial(spare, 900, 0, 2, "4"),
    "its last train": partial(spare, 900, 0, 1),
    **{f"asked for a train at {price}": partial(spare, 900, price) for price in (300, 345, 460)},
    **{f"canal with {treasury}": partial(canal, treasury) for treasury in (60, 950)},
    "canal, her own too": partial(canal, 950, "B&OR"),
    "mobile": mobile,
    "mobile, two companies": partial(mobile, other=True),
    "mobile, offered": partial(mobile, "b"),
    "mobile, offered to two": partial(mobile, "b", other=True),
    "mobile, little money": partial(mobile, "b", 60),
    **{f"private at {price}": partial(asked, "18tn", "TCC", price) for price in (1, 60, 300)},
    **{f"merger with {cash}": partial(merging, cash) for cash in (0, 300, 700)},
}
SHARES: Final[Rows] = {
    "president's share": partial(shares, a=50, c=10),
    "another's share": shares,
    "a share of one that may not float": partial(shares, b=30),
    "more money than room": partial(shares, 4_800, a=50, c=10),
    "60 %": partial(shares, 500, b=40, a=60),
    **{f"full, weak {weak}": partial(full, weak) for weak in (20, 60, 100, 300)},
    **{f"full, {cash} for a train": partial(full, 20, cash, treasury=0) for cash in (159, 160)},
    "full, bought": partial(full, 20, bought="B&O"),
    **{
        f"full, {held} of another": partial(
            full,
            300,
            lv=0,
            held={
                "LV": {"a": 30, "b": held, "offering": 50 - held},
                "C&O": {"e": 40, "a": 10, "offering": 30},
            },
        )
        for held in (30, 40)
    },
    "par, late": lambda: Position().phase("6").depot(t6=0).cash(a=2_000, b=0, c=0).stock().game(),
    "par, later": lambda: Position().phase("5").cash(a=2_000, b=0, c=0).stock().game(),
    **{f"par with {cash}": partial(pars, cash) for cash in (239, 240, 399, 400, 479, 480, 2_000)},
    **{
        f"par with {cash}, a train needed": partial(pars, cash, treasury=0, a=60)
        for cash in (319, 320, 559, 560)
    },
    "par, another waits": partial(pars, 300, b=30),
    "par, Ann's has not floated": partial(pars, 2_000, a=30),
    "par, another share": partial(pars, 410, b=60),
    **{f"reserve with {cash}": partial(drafting, cash, "ER", turn=0) for cash in (239, 240)},
    **{f"start a minor with {cash}": partial(drafting, cash, "ER", "HRR") for cash in (279, 280)},
    "start a minor in a stock round": lambda: NewEngland().cash(a=110).stock("a").game(),
    **{f"bids of {players}": partial(bidding, players) for players in (3, 6)},
    "bids, 18AL": partial(bidding, 3, "18al", 400),
    **{f"bid of {amount}": partial(bidding, 3, a=amount, b=amount + 5) for amount in (205, 395)},
}
TRACK: Final[Rows] = {
    "first lay": lambda: Position().start("LV", 95, a=60).trains("LV", "2").operating("LV").game(),
    "Baltimore": lambda: (
        Position().phase("3").start("B&O", 80, a=60).trains("B&O", "2").operating("B&O").game()
    ),
    "shut": lambda: (
        Position().start("B&O", 80, a=60).trains("B&O", "2").owns("b", "B&S").operating("B&O").game()
    ),
    **{
        f"first lay of {company} with a {train}": partial(first_lay, title, company, par, train)
        for title, company, par in [
            *(("18chesapeake", "C&O", 80), ("18chesapeake", "SRR", 80), ("18chesapeake", "N&W", 80)),
            *(("18al", "L&N", 75), ("18al", "M&O", 75), ("18tn", "L&N", 80), ("18tn", "IC", 80)),
        ]
        for train in ("2", "4")
    },
    "next lay": lambda: lehigh("2", step="track").game(),
    "one more place": lambda: lehigh("3", step="track").phase("3").game(),
    "station": lambda: three_places("3", step="token").game(),
    "free station": lambda: (
        lehigh("2", step="token", free_token="C&OC", lays=["D2"])
        .tile("D2", "57", 0)
        .owns("LV", "C&OC")
        .treasury("LV", 500)
        .game()
    ),
    "run": lambda: lehigh("2", step="run").game(),
}
POSITIONS: Final[Rows] = {**RUNS, **TRAINS, **DEALS, **SHARES, **TRACK}
