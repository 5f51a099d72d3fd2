"""The second statement of 18NewEngland says what the worked examples of the rules say."""

import pytest

from tests.referees.newengland.draft import Draft, site_draw
from tests.referees.newengland.forced import Forced, bankrupt, is_forced, liquidate, site_bankrupt
from tests.referees.newengland.mergers import MergerRound, missing, par_of
from tests.referees.newengland.model import PARS, ROW, Major, Minor, Space, World, new_world
from tests.referees.newengland.money import (
    crowded,
    discard,
    dividend,
    halves,
    issue,
    issues,
    minor_income,
    redeem,
    redemptions,
    steps,
    trains_left,
)
from tests.referees.newengland.rounds import Map, Play
from tests.referees.newengland.stock import StockRound, buy, may_sell, sell
from tests.referees.newengland.turn import OperatingRound

TEN = {"AWS", "HRR", "BL", "NYNH", "NYW", "PE", "GR", "CR", "CV", "WNR"}


def world(players: int = 4) -> World:
    """A fresh game with ten minors."""
    return new_world(players, TEN)


def minor(w: World, name: str, owner: int, space: Space, cash: int = 0) -> Minor:
    """A minor in play."""
    w.start_minor(owner, name, space)
    w.seats[owner].cash += 2 * space[0]
    w.minors[name].cash = cash
    return w.minors[name]


def major(w: World, name: str, par: int, price: int, shares: dict[int, int], pool: int = 0) -> Major:
    """A major in play; the first with shares presides."""
    found = w.majors[name]
    found.par, found.at, found.president = par, ROW.index(price), next(iter(shares))
    found.shares, found.pool = dict(shares), pool
    found.offering = 10 - pool - sum(shares.values())
    w.row.append(name)
    return found


@pytest.mark.parametrize(
    ("players", "cash", "bank"), [(2, 520, 10_960), (3, 400, 10_800), (4, 280, 10_880), (5, 280, 10_600)]
)
def test_setup(players: int, cash: int, bank: int) -> None:
    """R-NE-001, R-NE-140."""
    w = world(players)
    assert ({seat.cash for seat in w.seats}, w.bank) == ({cash}, bank)


def test_the_site_draws_ten_minors_by_its_seed() -> None:
    """R-NE-004."""
    assert site_draw(73885) == ["CV", "ER", "BL", "CR", "HRR", "PE", "NYNH", "NYW", "HNH", "WNR"]
    assert site_draw(1) == ["NLN", "HRR", "ER", "BL", "GR", "NYW", "BP", "PE", "NYNH", "HNH"]


def test_the_draft_goes_to_and_fro() -> None:
    """R-NE-020."""
    draft, seen = Draft(world()), []
    for _ in range(13):
        seen.append(draft.player + 1)
        draft.turn += 1
    assert seen == [1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4]


def test_a_reservation_needs_cash_for_a_free_space() -> None:
    """R-NE-021."""
    w = world()
    draft = Draft(w)
    w.seats[0].cash = 100
    w.minors["CV"].reserved = 0
    assert ("reserve", "PE") in draft.moves()
    w.used |= {(50, 0), (50, 1)}
    assert not draft.moves()


def test_first_trains_are_bought_from_the_treasuries() -> None:
    """R-NE-022, R-NE-027: the phase stays 2."""
    w = world()
    for name, value in zip(("AWS", "BL", "CR", "CV"), (50, 55, 60, 65), strict=True):
        draft = Draft(w, turn=0)
        w.minors[name].reserved = 0
        draft.play(("start", name, value, 0))
        w.seats[0].cash = 280
    Draft(w).finish()
    assert [w.minors[name].cash for name in ("AWS", "BL", "CR", "CV")] == [0, 10, 20, 30]
    assert (w.phase, w.depot["2"]) == ("2", 6)


@pytest.mark.parametrize(("cash", "first"), [((20, 20, 80, 20), 2), ((30, 80, 80, 0), 1)])
def test_priority_after_the_draft(cash: tuple[int, ...], first: int) -> None:
    """R-NE-026."""
    w = world()
    for seat, amount in zip(w.seats, cash, strict=True):
        seat.cash = amount
    Draft(w).finish()
    assert w.priority == first


@pytest.mark.parametrize(("revenue", "half"), [(50, 25), (30, 15)])
def test_a_minor_shares_with_its_owner(revenue: int, half: int) -> None:
    """R-NE-095."""
    w = world()
    hrr = minor(w, "HRR", 1, (60, 0))
    minor_income(w, hrr, revenue)
    assert (w.seats[1].cash, hrr.cash) == (280 + half, half)


def test_the_price_of_converting() -> None:
    """R-NE-121."""
    w = world()
    nyw = minor(w, "NYW", 0, (80, 0))
    assert [missing(minor(w, n, 0, (v, 1))) for n, v in (("PE", 70), ("GR", 100))] == [60, 0]
    w.seats[0].cash = 39
    names = [move for move in MergerRound(w, lambda a, b: False).moves() if move[1] == "NYW"]
    w.minors["NYW"].closed = False
    assert (missing(nyw), names) == (40, [])
    w.seats[0].cash = 40
    merger = MergerRound(w, lambda a, b: False)
    merger.waiting = ["NYW"]
    merger.play(("convert", "NYW", "CN"))
    cn = w.majors["CN"]
    assert (w.seats[0].cash, cn.cash, cn.par, cn.price, cn.held(0)) == (0, 40, 100, 100, 2)
    assert cn.stations == [40, 80]


@pytest.mark.parametrize(
    ("one", "other", "par"),
    [
        (50, 90, 130),
        (55, 50, 100),
        (50, 65, 110),
        (60, 65, 120),
        (70, 80, 145),
        (70, 100, 160),
        (90, 100, 180),
        (100, 100, 200),
    ],
)
def test_the_par_of_a_merger(one: int, other: int, par: int) -> None:
    """R-NE-122."""
    assert par_of(one, other) == par
    assert par in PARS


@pytest.mark.parametrize(("partner", "left"), [("AWS", [40, 80]), ("PE", [80])])
def test_stations_left_after_a_merger(partner: str, left: list[int]) -> None:
    """R-NE-124."""
    w = world()
    minor(w, "HRR", 0, (50, 0), 30)
    minor(w, partner, 0, (90, 0), 20)
    merger = MergerRound(w, lambda a, b: True)
    assert merger.waiting == [partner, "HRR"]
    merger.play(("merge", partner, "HRR", "CN"))
    assert merger.moves() & {("take_back", "CN")} == ({("take_back", "CN")} if partner == "AWS" else set())
    if merger.station_due:
        merger.play(("take_back", "CN"))
    assert (w.majors["CN"].stations, w.majors["CN"].cash) == (left, 50)
    assert merger.waiting == []


@pytest.mark.parametrize(("cash", "bought"), [(400, 3), (520, 4), (2000, 4)])
def test_shares_after_a_merger(cash: int, bought: int) -> None:
    """R-NE-125."""
    w = world()
    minor(w, "HRR", 0, (50, 0))
    minor(w, "PE", 0, (90, 0))
    merger = MergerRound(w, lambda a, b: True)
    merger.play(("merge", "PE", "HRR", "CN"))
    w.seats[0].cash, count = cash, 0
    while ("buy", "CN", "offering") in merger.moves():
        merger.play(("buy", "CN", "offering"))
        count += 1
    assert (count, w.majors["CN"].cash) == (bought, 130 * bought)


@pytest.mark.parametrize(
    ("par", "price", "source", "company", "bank"),
    [
        (130, 65, "offering", 130, -65),
        (130, 65, "treasury", 65, 0),
        (130, 65, "pool", 0, 65),
        (100, 180, "offering", 100, 80),
    ],
)
def test_three_prices_of_a_share(par: int, price: int, source: str, company: int, bank: int) -> None:
    """R-NE-043."""
    w = world()
    cn = major(w, "CN", par, price, {0: 2}, pool=1)
    cn.redeemed, cn.offering = 1, 6
    before = w.bank
    buy(w, 1, cn, source)
    assert (w.seats[1].cash, cn.cash, w.bank - before) == (280 - price, company, bank)


def test_issuing() -> None:
    """R-NE-081."""
    w = world()
    cn = major(w, "CN", 100, 100, {0: 2})
    issue(w, cn, 5, 0)
    w.move(cn, -5)
    assert (cn.cash, cn.price, cn.pool) == (500, 60, 5)
    bm = major(w, "B&M", 130, 110, {1: 2}, pool=3)
    bm.offering, bm.redeemed = 3, 2
    assert max(int(fresh) + int(old) for _, _, fresh, old in issues(bm)) == 2
    bm.pool, bm.shares = 1, {1: 4}
    issue(w, bm, 1, 2)
    w.move(bm, -3)
    assert (bm.cash, bm.price) == (350, 80)


def test_redeeming() -> None:
    """R-NE-080."""
    w = world()
    cn = major(w, "CN", 100, 65, {0: 2}, pool=5)
    cn.cash = 330
    assert ("redeem", "CN", 5) in redemptions(cn)
    redeem(w, cn, 5)
    assert (cn.cash, cn.price, cn.redeemed) == (5, 65, 5)


def test_half_dividends() -> None:
    """R-NE-096, R-NE-097."""
    assert [halves(run) for run in (210, 390, 10, 40)] == [(110, 100), (200, 190), (10, 0), (20, 20)]
    w = world()
    bm = major(w, "B&M", 100, 200, {0: 4, 1: 2})
    bm.cash, bm.offering, bm.redeemed = 380, 2, 2
    dividend(w, bm, 210, "half")
    assert (bm.cash, w.seats[0].cash, w.seats[1].cash) == (524, 280 + 44, 280 + 22)


@pytest.mark.parametrize(
    ("price", "paid", "result"),
    [
        (100, 90, 100),
        (100, 100, 110),
        (100, 190, 110),
        (100, 200, 120),
        (100, 0, 90),
        (460, 920, 500),
        (35, 0, 35),
        (420, 680, 460),
        (310, 1020, 380),
    ],
)
def test_price_jumps(price: int, paid: int, result: int) -> None:
    """R-NE-098."""
    w = world()
    cn = major(w, "CN", 100, price, {0: 2})
    w.move(cn, steps(price, paid))
    assert cn.price == result


def test_a_president_sells() -> None:
    """R-NE-051, R-NE-055: Amy's marker moves for all that she sells, and she keeps one share."""
    w = world()
    cn = major(w, "CN", 100, 100, {0: 3, 1: 2}, pool=3)
    assert [n for n in range(1, 4) if may_sell(w, 0, cn, n)] == [1, 2]
    sell(w, 0, cn, 2)
    assert (cn.president, cn.held(0), cn.tens(1), cn.pool, cn.price) == (1, 1, 0, 5, 80)


def test_others_sell_without_moving_the_price() -> None:
    """R-NE-051."""
    w = world()
    cn = major(w, "CN", 100, 100, {0: 3, 1: 2}, pool=3)
    sell(w, 1, cn, 2)
    assert (cn.president, cn.price) == (0, 100)


def test_a_tie_leaves_the_president() -> None:
    """R-NE-055."""
    w = world()
    cn = major(w, "CN", 100, 100, {0: 2, 1: 1})
    buy(w, 1, cn, "offering")
    assert cn.president == 0
    buy(w, 1, cn, "offering")
    assert cn.president == 1


def test_excess_after_the_first_4_train() -> None:
    """R-NE-101, R-NE-007."""
    w = world()
    w.phase, w.depot["2"], w.depot["3"] = "3", 0, 0
    one, two = minor(w, "PE", 0, (50, 0)), minor(w, "GR", 1, (55, 0))
    one.trains, two.trains = ["3", "3"], ["2", "3"]
    cn = major(w, "CN", 100, 100, {0: 2})
    cn.trains = ["2", "2", "3", "3"]
    w.take_new(minor(w, "CV", 2, (60, 0)))
    assert (two.trains, cn.trains) == (["3"], ["3", "3"])
    assert list(crowded(w)) == [one]
    discard(w, one, "3")
    assert w.junk == ["3"]
    assert not list(crowded(w))
    assert trains_left(w)["4"] == 4


def test_a_minor_without_a_train() -> None:
    """R-NE-103, R-NE-115."""
    w = world()
    w.depot["2"] = 0
    hrr = minor(w, "HRR", 0, (60, 0), 60)
    w.seats[0].cash = 130
    assert is_forced(w, hrr)
    forced = Forced(w, hrr)
    assert (forced.missing, forced.trains()) == (120, {("train", "3", "bank", 180, 180)})
    before = w.bank
    assert w.score(0) == 130 + 120
    liquidate(w, hrr)
    assert (w.bank - before, w.score(0)) == (60, 130)
    assert (60, 0) in w.used


def _broke() -> World:
    w = world()
    w.phase = "8"
    w.depot |= dict.fromkeys(("2", "3", "4", "5E", "6E"), 0)
    x = major(w, "CN", 100, 100, {0: 2})
    major(w, "B&M", 100, 110, {1: 4, 0: 2})
    x.cash, w.seats[0].cash = 20, 10
    return w


def test_a_bankruptcy() -> None:
    """R-NE-112: all that can be sold is sold, and the companies they preside over close."""
    w = _broke()
    forced = Forced(w, w.majors["CN"])
    assert is_forced(w, forced.company)
    assert forced.hopeless
    assert bankrupt(w, 0, w.majors["CN"]) == ["CN"]
    y = w.majors["B&M"]
    assert (y.pool, y.price, y.held(0), w.score(0), w.seats[0].out) == (2, 110, 0, 0, True)


def test_a_bankruptcy_on_the_site() -> None:
    """D-NE-2: they keep the shares of others, and play on."""
    w = _broke()
    assert site_bankrupt(w, 0, w.majors["CN"]) == ["CN"]
    assert (w.score(0), w.seats[0].out) == (220, False)


def test_scores() -> None:
    """R-NE-133."""
    w = world()
    major(w, "CN", 100, 220, {0: 4})
    minor(w, "PE", 0, (70, 0), 30)
    w.seats[0].cash = 500
    assert w.score(0) == 1520


def test_the_stock_round_ends_when_all_pass_in_a_row() -> None:
    """R-NE-040."""
    w = world()
    here = StockRound(w, 1)
    here.play(("start", "PE", 50, 0))
    here.skip()
    assert here.player == 2
    for _ in range(4):
        assert not here.over
        here.decline()
    here.finish()
    assert (here.over, w.priority) == (True, 2)


def test_the_first_rounds() -> None:
    """R-NE-028, R-NE-062: draft, two operating rounds, stock round; nothing merges in phase 2."""
    play = Play(world(), Map(asked=lambda company, step: False))
    play.play(("reserve", "PE"))
    play.play(("reserve", "CV"))
    while isinstance(play.round, Draft) and play.player != 0:
        play.decline()
    play.play(("start", "PE", 50, 0))
    seen = [type(play.round).__name__]
    while not isinstance(play.round, StockRound):
        play.decline()
        seen.append(type(play.round).__name__)
    assert seen[-1] == "StockRound"
    assert (play.set, play.world.minors["PE"].closed) == (2, False)


def test_500_ends_the_game_after_its_operating_round() -> None:
    """R-NE-131."""
    w = world()
    w.phase, w.depot["2"], w.depot["3"] = "3", 0, 6
    cn = major(w, "CN", 100, 460, {0: 2})
    cn.trains = ["3"]
    play = Play(w, Map(asked=lambda company, step: step == "run"))
    play.set, play.number = 4, 1
    play.round = OperatingRound(w, play.map.asked)
    play.settle()
    play.play(("run", 460))
    play.play(("dividend", "pay"))
    while not play.ending:
        play.decline()
    assert (play.ending, play.number, cn.price) == ("price", 1, 500)


@pytest.mark.parametrize(("number", "after"), [(1, "MergerRound"), (2, "")])
def test_a_broken_bank(number: int, after: str) -> None:
    """R-NE-130: the set is finished, without a merger round after its last operating round."""
    w = world()
    w.phase = "3"
    minor(w, "PE", 0, (50, 0)).trains = ["3"]
    w.pay(w.bank)
    play = Play(w, Map(asked=lambda company, step: False))
    play.number = number
    play.round = OperatingRound(w, play.map.asked)
    play.settle()
    assert (type(play.round).__name__ if not play.ending else "") == after


def test_the_last_player_left_wins_at_once() -> None:
    """R-NE-132."""
    w = _broke()
    for seat in w.seats[2:]:
        seat.out = True
    w.majors["B&M"].trains = ["8E"]
    play = Play(w, Map(asked=lambda company, step: False))
    play.round = OperatingRound(w, play.map.asked)
    play.settle()
    play.decline()  # B&M issues nothing
    assert play.ending == ""
    assert isinstance(play.round, OperatingRound)
    sales = {("sell", "B&M", 1), ("sell", "B&M", 2)}
    assert play.round.moves() == sales | {("bankrupt",), ("train", "8E", "B&M", 1, 20)}
    w.majors["CN"].cash = 0
    assert play.round.moves() == sales | {("bankrupt",)}
    play.play(("bankrupt",))
    assert (play.ending, play.scores()) == ("last_player", [0, 280 + 400, 0, 0])
