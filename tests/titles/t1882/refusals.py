"""Refusals that only 1882 has: the SC and its home, neutral tokens, and the NWR."""

from typing import Final

from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1882.assiniboia import Assiniboia


def founding() -> TitleGame:
    """Ann may found the SC, and Bob is on turn after her."""
    return Assiniboia().owns("a", "SCP").cash(a=82, b=500).phase("3").game()


def founded() -> TitleGame:
    """The SC has been founded, and its home is due."""
    game = founding()
    game.do("par", "SCP", company="SC", price=82)
    return game


def hbr(step: str = "track") -> Assiniboia:
    """The HBR owns the NWR and reaches a free city."""
    position = Assiniboia().start("HBR", 100, a=60).phase("3").tile("G11", "57", 1).tile("H10", "9", 1)
    return position.tile("I9", "9", 1).tile("J8", "57", 1).owns("HBR", "NWR").operating("HBR", step)


def moving() -> TitleGame:
    """The HBR moves its home."""
    game = hbr().game()
    game.do("return_token", "NWR", hex="G11", city=0)
    return game


def moved() -> TitleGame:
    game = moving()
    game.do("place_token", "NWR", hex="E5", city=1)
    game.do("pass", "NWR")
    return game


def paying() -> TitleGame:
    position = hbr("dividend")
    position.t.turn.revenue = 50
    return position.game()


ROWS: Final[list[Refusal]] = [
    row("privates.founds_for_its_owner", founding, "par", "SCP", company="CNR", price=82),
    row("home.founding_first", founded, "pass", "a"),
    row("game.not_your_turn", founded, "pass", "b"),
    row("game.not_your_turn", moving, "sell_shares", "b", company="HBR", shares=1),
    row("home.in_no_such_city", founded, "place_token", "SC", hex="G11", city=0),
    row("token.neutral_elsewhere", lambda: hbr("token"), "place_token", "CN", actor="a", hex="K3", city=0),
    row(
        "privates.moves_for_its_owner",
        lambda: hbr().owns("b", "NWR"),
        "return_token",
        "HBR",
        hex="G11",
        city=0,
    ),
    row("privates.has_moved", moved, "return_token", "NWR", hex="E5", city=1),
    row("privates.dividend_first", paying, "return_token", "NWR", hex="G11", city=0),
    row(
        "privates.moves_nothing",
        lambda: hbr().tile("G11", "15", 1).neutral("G11"),
        "return_token",
        "NWR",
        hex="G11",
        city=0,
    ),
    row("privates.station_first", moving, "pass", "HBR"),
]
