"""Refusals of rooms that 1889 opens: tiles that players lay, and sales in one block."""

from typing import Any, Final

from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1889.shikoku import Shikoku


def ferry(owner: str = "b", *, used: bool = False) -> Shikoku:
    """The owner has the MF; Ann is on turn."""
    return Shikoku().start("KO", 65, a=60).owns(owner, "MF", used=used)


def ferry_after_a_lay() -> TitleGame:
    """Ann's KO has laid its tile; Bob has the MF."""
    game = ferry().operating("KO").game()
    game.lay("KO", "J5", "3")
    return game


def ehime_sold() -> TitleGame:
    """Bob has just sold the ER to his TR."""
    game = Shikoku().phase("3").start("TR", 65, b=60).owns("b", "ER").operating("TR").game()
    game.do("buy_private", "TR", private="ER", price=80)
    return game


def one_sold() -> TitleGame:
    """Ann has sold one share of KO."""
    game = Shikoku().start("KO", 65, b=40, a=30).game()
    game.sell("a", "KO")
    return game


LAY: Final[dict[str, Any]] = {"hex": "B11", "tile": "437", "rotation": 2}

ROWS: Final[list[Refusal]] = [
    row("privates.lays_for_a_player", lambda: ferry("KO").operating("KO"), "lay_tile", "MF", **LAY),
    row("privates.lays_between_turns", ferry_after_a_lay, "lay_tile", "MF", **LAY),
    row("privates.has_laid", lambda: ferry(used=True), "lay_tile", "MF", **LAY),
    row("privates.seller_lays_first", ehime_sold, "lay_tile", "TR", hex="F7", tile="8", rotation=0),
    row("selling.one_block", one_sold, "sell_shares", "a", company="KO", shares=1),
]
