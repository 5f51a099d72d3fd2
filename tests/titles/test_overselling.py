"""Forced sales of 18AL and 18TN: what is left over stays below the smallest amount a share brought (4.2.5.2)."""

from collections.abc import Iterator, Mapping

import pytest

from engine.game import Game
from engine.play.trains.forced_sale_limits import fitting_blocks
from tests.titles.builders import buy, cash, company, do, offered, price, refused, sell, values
from tests.titles.t18al.alabama import Alabama


def needing(missing: int, *dear: int) -> Game:
    """WRA needs a 4D for $800; Ann has a share of ATN at $50, one of M&O at $105, and maybe one of TAG."""
    position = Alabama().phase("4D").cash(a=200 - missing).tiles(L5=("57", 2))
    position.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    position.start("ATN", 60, at=(3, 1), b=60, a=10).start("M&O", 105, b=60, a=10)
    for column in dear:
        position.start("TAG", 60, at=(1, column), b=60, a=10)
    return position.operating("WRA", "trains").game()


@pytest.mark.parametrize(("missing", "small"), [(105, False), (106, True), (155, True)])
def test_leftover_stays_below_the_smallest_share(missing: int, small: bool) -> None:
    """R-AL-194: 50 and 105 for 105 leave 50, the dear share alone nothing; for 106 they leave 49."""
    game = needing(missing)
    assert ("ATN" in values(game, "sell_shares", "a", "company")) is small
    if not small:
        refused(game, "4.2.5.2", "sell_shares", "a", company="ATN", shares=1)
        sell(game, "a", "M&O")
        assert not offered(game, "sell_shares", "a")


def test_exact_shares_are_sold_in_any_order() -> None:
    """R-AL-194: 50 and 105 for 155, although one at more than 155 would do."""
    for first, second in (("ATN", "M&O"), ("M&O", "ATN")):
        game = needing(155, 11)
        assert price(game, "TAG") > 155
        assert set(values(game, "sell_shares", "a", "company")) == {"ATN", "M&O", "TAG"}
        do(game, "sell_shares", "a", company=first, shares=1)
        assert game.table.turn.smallest_sale is not None
        do(game, "sell_shares", "a", company=second, shares=1)
        assert not offered(game, "sell_shares", "a")
        buy(game, "WRA", "4D", 800)
        assert cash(game)["a"] == 0


def test_smallest_share_sold_counts() -> None:
    """R-AL-194: after one at 50 for 140, one more at 105 leaves 15, which is below 50; one at 200 would leave 110."""
    game = needing(140, 12)
    sell(game, "a", "ATN", 1)
    assert values(game, "sell_shares", "a", "company") == ["M&O"]


def test_no_second_sale_in_vain() -> None:
    """R-AL-194: for 40 either share leaves less than it brought, but no second one may follow."""
    game = needing(40)
    assert set(values(game, "sell_shares", "a", "company")) == {"ATN", "M&O"}
    sell(game, "a", "ATN", 1)
    assert not offered(game, "sell_shares", "a")


Blocks = Mapping[str, list[int]]


def three_companies() -> Game:
    """Prices that fall with every share: three companies in different places of the chart."""
    position = Alabama().phase("4D").start("WRA", 75, a=20, b=60).start("ATN", 60, at=(2, 1), a=30, b=60)
    position.start("M&O", 105, b=60, a=30).start("TAG", 60, at=(6, 4), b=60, a=30)
    return position.operating("WRA", "trains").game()


def price_after(game: Game, name: str, sold: int) -> int:
    cell = company(game, name).cell
    assert cell is not None
    return game.table.grid.price(game.table.grid.down(cell, sold))


def followers(game: Game, blocks: Blocks, sold: Mapping[str, int]) -> Iterator[list[tuple[int, int]]]:
    """All that may follow: one block after another, of any company, each with its price and number."""
    yield []
    for name, counts in blocks.items():
        for n in (n for n in counts if n > sold[name]):
            sale = (price_after(game, name, sold[name]), n - sold[name])
            yield from ([sale, *later] for later in followers(game, blocks, {**sold, name: n}))


def rule_holds(missing: int, sales: list[tuple[int, int]], smallest: int | None) -> bool:
    raised = [each * number for each, number in sales]
    left = sum(raised) - missing
    if left < 0 or any(sum(raised[:end]) >= missing for end in range(1, len(raised))):
        return False
    return left < min([each for each, _ in sales] + ([] if smallest is None else [smallest]))


@pytest.mark.parametrize("smallest", [None, 45, 90])
@pytest.mark.parametrize(
    "blocks",
    [
        {"ATN": [1, 2]},
        {"ATN": [2, 3]},
        {"ATN": [2], "TAG": [3]},
        {"ATN": [1, 2, 3], "TAG": [1]},
        {"ATN": [1], "M&O": [1, 2], "TAG": [1, 2]},
    ],
)
def test_blocks_that_others_can_follow(blocks: dict[str, list[int]], smallest: int | None) -> None:
    """R-AL-194, every sum up to $400, against trying everything."""
    game = three_companies()
    game.table.turn.smallest_sale = smallest
    none = dict.fromkeys(blocks, 0)
    after = {
        (name, n): list(followers(game, blocks, {**none, name: n}))
        for name, counts in blocks.items()
        for n in counts
    }
    tried = set()
    for missing in range(1, 401):
        strict = {
            name: [
                n
                for n in counts
                if any(
                    rule_holds(missing, [(price_after(game, name, 0), n), *then], smallest)
                    for then in after[name, n]
                )
            ]
            for name, counts in blocks.items()
        }
        loose = {
            name: [n for n in counts if missing > (n - 1) * price_after(game, name, 0)]
            for name, counts in blocks.items()
        }
        expected = strict if any(strict.values()) else loose
        assert fitting_blocks(game.table, missing, blocks) == expected, missing
        tried.add((any(strict.values()), expected == blocks))
    assert len(tried) > 2
