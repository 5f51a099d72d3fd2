"""The second statement of 18C2C says what the worked examples of the rules say."""

import pytest

from tests.referees.c2c import market, money, nationals, shares, tokens
from tests.referees.c2c.forced import Forced, is_forced
from tests.referees.c2c.market import PARS, Cell, fallen, left, right, risen, top_row
from tests.referees.c2c.mergers import MergerRound, merge
from tests.referees.c2c.model import Corporation, World, new_world
from tests.referees.c2c.packet import Packet
from tests.referees.c2c.privates import buy_private, for_sale
from tests.referees.c2c.rounds import Map, Play
from tests.referees.c2c.stock import StockRound, buy_tokens
from tests.referees.c2c.turn import OperatingRound


def started(
    w: World, name: str, par: int, shares: dict[int, int], pool: int = 0, at: Cell | None = None
) -> Corporation:
    """A floated corporation; the first with shares presides."""
    found = w.corporations[name]
    found.par, found.president, found.floated, found.operated = par, next(iter(shares)), True, True
    found.shares, found.pool = dict(shares), pool
    found.offering = 10 - pool - sum(shares.values())
    w.put(found, at or PARS[par])
    return found


def operating(w: World) -> OperatingRound:
    """An operating round in which everybody has a route, and nobody reaches a destination."""
    return OperatingRound(w, lambda name: True, lambda corporation, pair: False)


@pytest.mark.parametrize(
    ("players", "cash", "bank", "limit"),
    [
        (2, 1200, 22_600, 36),
        (3, 800, 22_600, 24),
        (4, 600, 22_600, 18),
        (5, 480, 22_600, 14),
        (6, 400, 22_600, 12),
    ],
)
def test_setup(players: int, cash: int, bank: int, limit: int) -> None:
    """R-C2C-002 to R-C2C-005."""
    w = new_world(players)
    assert ({seat.cash for seat in w.seats}, w.bank, w.limit) == ({cash}, bank, limit)
    assert sum(w.depot.values()) == 36


def test_two_mergers_lower_the_limit() -> None:
    """R-C2C-004."""
    w = new_world(4)
    for pair in (("B&O", "PRR"), ("C&O", "ERIE")):
        for name in pair:
            started(w, name, 100, {0: 4})
        merge(w, list(pair), 0)
    assert w.new_limit() == 15


@pytest.mark.parametrize(("players", "first"), [(2, 0), (3, 0), (4, 2), (5, 1), (6, 0)])
def test_eliminations(players: int, first: int) -> None:
    """R-C2C-021 to R-C2C-026."""
    w = new_world(players)
    packet = Packet(w)
    for name in ("KTC", "AZF", "ACM", "GSC", "TBC", "EPP"):
        assert not packet.may_pass()
        packet.play(("eliminate", name))
    assert (packet.player, packet.column) == (first, ["GML", "ACE"])
    assert packet.moves() == {("take", "GML"), ("bid", "ACE", 95, w.seats[0].cash)}


def test_bids_are_settled_as_a_private_comes_to_the_top() -> None:
    """R-C2C-026, R-C2C-027."""
    w = new_world(4)
    packet = Packet(w, 0, column=["KTC", "AZF", "ACM"])
    packet.play(("bid", "AZF", 55))
    packet.play(("bid", "AZF", 60))
    packet.play(("bid", "ACM", 55))
    packet.play(("take", "KTC"))
    assert packet.actor == 0
    packet.play(("bid", "AZF", 70))
    packet.decline()
    assert [w.privates[name].owner for name in ("KTC", "AZF", "ACM")] == [3, 0, 2]
    assert [seat.cash for seat in w.seats] == [530, 600, 545, 560]
    assert packet.empty


@pytest.mark.parametrize(
    ("name", "par", "prices", "cash", "bulls"),
    [
        ("B&O", 100, {40, 60, 80, 100}, 720, 1),
        ("PRR", 82, {40, 60, 80}, 640, 0),
        ("NYC", 100, {40, 60, 80}, 820, 0),
    ],
)
def test_tokens_at_the_float(name: str, par: int, prices: set[int], cash: int, bulls: int) -> None:
    """R-C2C-060 to R-C2C-064."""
    w = new_world(4)
    found = started(w, name, par, {0: 5})
    found.offering, found.floated = 5, False
    assert shares.buy(w, 0, found, "offering")
    buy_tokens(w, found, prices)
    assert (found.cash, found.bulls, found.charter + len(found.goals)) == (cash, bulls, len(prices))


def test_a_bull_forfeits_the_charter() -> None:
    """R-C2C-070, R-C2C-071."""
    found = Corporation("B&O", charter=1, bulls=1, goals=[("M74", "M62")])
    tokens.place_bull(found, "K78", full=True)
    assert (found.charter, found.bulls, found.goals, found.stands) == (0, 0, [], {"K78": "loose"})


@pytest.mark.parametrize(("cell", "result"), [((1, 7), 110), ((4, 13), 160), ((4, 12), 140), ((9, 7), 60)])
def test_right(cell: Cell, result: int) -> None:
    """R-C2C-051, R-C2C-200."""
    assert market.price(right(cell)) == result


@pytest.mark.parametrize(
    ("cell", "there"), [((1, 7), (1, 6)), ((5, 1), (6, 1)), ((8, 1), None), ((9, 2), None)]
)
def test_left(cell: Cell, there: Cell | None) -> None:
    """R-C2C-051, R-C2C-053."""
    assert left(cell) == there


@pytest.mark.parametrize(
    ("cell", "rows", "there"),
    [
        ((1, 7), 3, (4, 7)),
        ((4, 12), 1, (4, 12)),
        ((4, 12), 2, (6, 12)),
        ((8, 8), 1, (8, 8)),
        ((8, 8), 2, (9, 8)),
        ((7, 1), 5, (8, 1)),
        ((1, 25), 2, (2, 25)),
    ],
)
def test_falls(cell: Cell, rows: int, there: Cell) -> None:
    """R-C2C-036, R-C2C-050."""
    assert fallen(cell, rows) == there


def test_rises_and_beyond_500() -> None:
    """R-C2C-03B, R-C2C-052."""
    assert risen((1, 8)) == (2, 9)
    w = new_world(4)
    found = started(w, "B&O", 100, {0: 6}, at=(1, 25))
    w.move_right(found)
    assert (found.at, found.price) == ((1, 15), 500)
    w.put(found, (1, 25))
    w.move_right(found)
    assert (found.at, found.price) == ((1, 25), 1000)


def test_three_shares_sold_at_100() -> None:
    """R-C2C-036."""
    w = new_world(4)
    found = started(w, "B&O", 100, {0: 5})
    shares.sell(w, 0, found, 3)
    assert (w.seats[0].cash, found.price, found.pool) == (900, 76, 3)


def test_half_pay() -> None:
    """R-C2C-201, R-C2C-202."""
    w = new_world(4)
    found = started(w, "B&O", 100, {0: 6}, pool=2)
    money.dividend(w, found, 130, "half")
    assert (w.seats[0].cash, found.cash, found.price) == (642, 74, 100)
    money.dividend(w, found, 130, "pay")
    assert (w.seats[0].cash, found.cash, found.price) == (720, 100, 110)


def test_terminals() -> None:
    """R-C2C-154, R-C2C-156."""
    wab = Corporation("WAB")
    tokens.terminals(wab, possible=False)
    assert (wab.charter, wab.goals) == (1, [("L59", "L75")])
    bo = Corporation("B&O", bought={40}, goals=[("M74", "M62")])
    tokens.terminals(bo, possible=False)
    assert (bo.charter, bo.goals) == (1, [("M74", "M62")])
    late = Corporation("NYC")
    tokens.terminals(late, possible=True)
    assert (late.charter, late.goals) == (2, [])


def test_prospectors_in_phase_2() -> None:
    """R-C2C-141, R-C2C-152."""
    w = new_world(4)
    prr = started(w, "PRR", 100, {0: 6})
    prr.cash = 640
    for name in ("EPP", "ACE", "KTC", "TBC"):
        w.privates[name].owner = 1
    assert set(for_sale(w, prr, track=True)) == {
        ("private", "EPP", 50, 50),
        ("private", "ACE", 45, 45),
        ("private", "KTC", 20, 80),
    }
    buy_private(w, prr, "EPP", 50)
    turn = operating(w)
    turn.play(("close", "EPP"))
    assert (turn.now.purse, w.privates["EPP"].gone, prr.cash) == (140, True, 590 + 15)


def test_a_merger() -> None:
    """R-C2C-223 to R-C2C-227, R-C2C-204, R-C2C-185."""
    w = new_world(3)
    bo = started(w, "B&O", 100, {0: 6, 1: 2, 2: 1})
    prr = started(w, "PRR", 82, {1: 5, 0: 1, 2: 1})
    bo.cash, prr.cash = 250, 130
    bo.stands, prr.stands = {"M74": "token", "K78": "loose"}, {"L69": "token", "K78": "token"}
    bo.shells, prr.shells = [["4"]], [["4"]]
    round_ = MergerRound(w, lambda a, b: True, 1)
    assert round_.moves() == {("merge", "B&O", "PRR")}
    round_.play(("merge", "B&O", "PRR"))
    new = w.corporations["B&O"]
    assert (new.price, new.shares, new.president, new.offering, new.pool) == (
        180,
        {0: 3, 1: 3, 2: 1},
        0,
        2,
        1,
    )
    assert ([seat.cash for seat in w.seats], new.cash) == ([900, 900, 800], 380)
    assert (new.bulls, new.charter, new.stands) == (1, 0, {"M74": "token", "K78": "token", "L69": "token"})
    assert w.corporations["PRR"].closed
    money.dividend(w, new, 100, "pay")
    assert new.price == 225
    money.dividend(w, new, 100, "pay", destination=True)
    assert new.price == 250


def test_amtrak() -> None:
    """R-C2C-240 to R-C2C-245."""
    w = new_world(2)
    ic = started(w, "IC", 68, {0: 5, 1: 1}, pool=3, at=(1, 1))
    wab = started(w, "WAB", 68, {1: 5, 0: 2}, at=(1, 3))
    ic.offering, wab.offering = 1, 3
    assert (ic.price, wab.price) == (64, 72)
    ic.stands = {"T53": "token", "L59": "token", "N59": "token"}
    wab.stands = {"L59": "token", "J57": "token"}
    ic.charter = wab.charter = 1
    assert nationals.form(w, "3D", ["IC", "WAB"], 0) == "AMTK"
    new = w.corporations["AMTK"]
    assert (new.shares, new.pool, new.offering, new.total) == ({0: 3, 1: 3}, 1, 3, 10)
    assert (new.president, new.price, new.par) == (1, 100, 100)
    assert [seat.cash for seat in w.seats] == [1272, 1200]
    assert (len(new.stands), new.charter) == (4, 4)


def test_a_forced_purchase() -> None:
    """R-C2C-213 to R-C2C-215, with the reading of R-C2C-214."""
    w = new_world(4)
    w.depot |= dict.fromkeys(("2", "3", "4", "5", "3D"), 0)
    sou = started(w, "SOU", 100, {0: 2})
    sou.cash = 90
    started(w, "WAB", 82, {0: 4, 1: 6})
    assert is_forced(w, sou)
    forced = Forced(w, sou)
    assert (forced.missing, forced.lacking) == (710, 110)
    assert forced.moves() == {("sell", "WAB", 1), ("sell", "WAB", 2)}
    shares.sell(w, 0, w.corporations["WAB"], 2)
    forced.help()
    assert w.seats[0].cash == 54
    w.seats[0].cash, sou.cash, w.corporations["WAB"].pool = 0, 90, 5
    assert forced.moves() == {("bankrupt",)}


def test_a_broken_bank() -> None:
    """R-C2C-260: in the second of three rounds the third is still played; in a stock round one more."""
    play = Play(new_world(4), Map())
    play.round, play.number, play.of = (
        OperatingRound(play.world, lambda name: True, lambda corporation, pair: False),
        2,
        3,
    )
    play.world.pay(play.world.bank)
    play.settle()
    assert play.ending == "bank"
    play = Play(new_world(4), Map())
    started(play.world, "B&O", 100, {0: 6})
    play.world.pay(play.world.bank)
    play.round = StockRound(play.world, 0, passes=4)
    play.settle()
    assert (play.of, play.at()[0], play.ending) == (1, "operating", "")


def test_redemption_leaves_six() -> None:
    """R-C2C-080."""
    w = new_world(4)
    found = started(w, "B&O", 100, {0: 5}, pool=2)
    found.cash = 500
    assert list(shares.redemptions(found)) == [("redeem", "B&O", "pool")]
    shares.redeem(w, found, "pool")
    assert not list(shares.redemptions(found))


def test_the_price_of_a_privatized_share() -> None:
    """R-C2C-082."""
    w = new_world(4)
    assert shares.privatized(w, started(w, "B&O", 82, {0: 6})) == 103


def test_the_top_row() -> None:
    """R-C2C-223."""
    assert [market.price(top_row(value)) for value in (10, 182, 499, 900)] == [64, 180, 475, 500]
