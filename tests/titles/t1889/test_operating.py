"""1889: track, trains, forced purchases and the end (4, 6)."""

import pytest

from engine.play.steps.run_trains import best_run
from tests.titles.builders import Position
from tests.titles.t1889.shikoku import Shikoku


def test_homes_are_placed_as_the_round_begins() -> None:
    """R-1889-030 (4): of all floated companies, before anybody operates."""
    position = Shikoku().cash(a=0, b=0, c=0).start("KO", 90, a=60, b=40).start("IR", 80, a=50, b=50)
    game = position.start("AR", 65, c=40, b=60).stock(number=1).start("UR", 70, c=20).game()
    while game.round_name() == "SR 1":
        game.passes(game.on_turn())
    board = game.table.map
    assert [len(board.token_stops_of(name)) for name in ("KO", "IR", "AR", "UR")] == [1, 1, 1, 0]
    assert game.company("IR").tokens == [40]


@pytest.mark.parametrize(("coord", "tiles", "phase"), [
    ("I4", [("438", 80), ("439", 80), ("492", 80)], "5"),
    ("F9", [("465", 80)], "5"),
    ("K4", [("440", 0), ("466", 0)], "5"),
    ("K6", [("8", 80), ("24", 0)], "3"),
])  # fmt: skip
def test_cost_of_tiles(coord: str, tiles: list[tuple[str, int]], phase: str) -> None:
    """R-1889-006, R-1889-033, R-1889-034 (1, 4): terrain once; Kotohira with every tile, Kouchi when brown."""
    owner = {"I4": "SR", "F9": "TR", "K4": "KO", "K6": "KO"}[coord]
    position = Shikoku().phase(phase).start(owner, 65, a=60).tiles(I2=("5", 0))
    for tile, cost in tiles:
        game = position.treasury(owner, 500).operating(owner).game()
        assert set(game.tiles_in(owner, coord)) >= {tile}
        assert coord == "K6" or game.tiles_in(owner, coord) == [tile]
        game.lay(owner, coord, tile)
        assert game.company(owner).cash == 500 - cost


@pytest.mark.parametrize(("phase", "train", "revenue"), [("4", "4", 50), ("5", "5", 80), ("4", "D", 120)])
def test_diesel_has_its_own_red_value(phase: str, train: str, revenue: int) -> None:
    """R-1889-036 (4): Matsuyama $20, and Imabari $30, $60 or for a D always $100."""
    position = Shikoku().phase(phase).start("IR", 65, a=60).tiles(E2=("5", 3)).trains("IR", train)
    game = position.tiles(F3=("57", 0)).operating("IR", "run").game()
    assert best_run(game.table).revenue == revenue


def poor(president: int) -> Position:
    """KO has a route, no train and $582; its president Ann, who has shares of three others, has this much."""
    position = Shikoku().phase("D").tiles(J5=("3", 3)).cash(a=president)
    position.start("KO", 90, a=50, b=20).treasury("KO", 582)
    position.start("UR", 80, a=30, b=20, c=20).start("IR", 65, a=30, b=20)
    return position.start("TR", 80, b=40, a=40).operating("KO", "trains")


def test_forced_sales_keep_every_president() -> None:
    """R-1889-061 (6): not only the company's own, and each company in one block."""
    game = poor(300).game()
    assert {name: game.values("sell_shares", "a", "shares", company=name) for name in ("IR", "UR")} == {
        "IR": [1],
        "UR": [1],
    }
    assert "would change the presidency of IR" in game.refused(
        "6", "sell_shares", "a", company="IR", shares=2
    )
    game.sell("a", "TR")
    game.refused("3", "sell_shares", "a", company="TR", shares=1)
    game.sell("a", "KO", 2)
    game.buy("KO", "D", 1100)
    assert (game.cash()["a"], game.company("KO").cash) == (42, 0)


def test_president_pays_no_company() -> None:
    """R-1889-060, R-1889-062 (6): what the treasury has may go to another company, and no more."""
    position = poor(900).trains("UR", "6")
    assert ("6", "UR", "", 1, 582) in list(position.game().train_deals("KO"))
    sold = poor(300).trains("UR", "6").game()
    sold.sell("a", "TR", 3)
    assert {source for _, source, *_ in sold.train_deals("KO")} == {"bank"}


def test_bankrupt_keeps_what_cannot_be_sold() -> None:
    """R-1889-063 (6): cash goes, shares that are left count."""
    game = poor(10).treasury("KO", 0).game()
    game.do("declare_bankruptcy", "KO")
    assert game.is_over
    assert game.cash()["a"] == 0
    assert [game.company(name).percent("a") for name in ("KO", "UR", "IR", "TR")] == [20, 20, 20, 0]
    assert game.scores()["a"] == 2 * sum(game.price(name) for name in ("KO", "UR", "IR"))
