"""18C2C: reasons for what is refused are those that hold, and what is lost for good is said before."""

from engine.play.steps.base import Request
from tests.titles.builders import Position
from tests.titles.t18c2c.rails import rails


def position(*options: str) -> Position:
    return Position(4, title="18c2c", options=options)


def operating(name: str, step: str = "track", *, phase: str = "3", cash: int = 500) -> Position:
    found = position().start(name, 82, a=60).start("B&O", 76, b=60).phase(phase)
    return found.treasury(name, cash).operating(name, step)


def test_refusals_name_moves_and_no_money() -> None:
    """R-C2C-080 to R-C2C-082 (5), R-C2C-263 (13): what is possible in addition to trading; a price is refused
    only above all money, so that nobody learns what another has."""
    game = position().owns("a", "KTC").cash(b=10).game()
    refusal = game.refused("3", "sell_private", "a", private="KTC", buyer="b", price=25_001)
    assert "Bob cannot pay $25001" in refusal
    assert "$10" not in refusal
    where = position().start("PRR", 82, market=10, a=60, b=20).cash(a=500)
    prr = where.state.companies["PRR"]
    prr.shares["PRR"], prr.shares["offering"] = 10, 0
    del prr.shares["offering"]
    refusal = where.game().refused("3", "lay_tile", "a", hex="L69", tile="5", rotation=0)
    assert "This move is not possible in a stock round" in refusal
    possible = refusal.partition("Possible now: ")[2]
    for deed in ("redeem a share", "reissue shares", "take a share from a player"):
        assert deed in possible, possible
    assert "end the game" not in possible


def test_redemption_names_new_president() -> None:
    """R-C2C-080, R-C2C-039 (5): before it is done, as a sale does."""
    where = position().start("SOU", 82, a=40, b=40).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    game = where.game()
    ready = {one.chosen["source"]: game.label(one) for one in game.find("redeem_share").suggest()}
    assert ready["a"] == "Redeem SOU from Ann, $82, Bob becomes president"
    assert ready["b"] == "Redeem SOU from Bob, $82"
    game.do("redeem_share", "a", company="SOU", source="a")
    assert game.company("SOU").president == "b"


def test_request_for_another_company() -> None:
    """R-C2C-080 (5), R-C2C-143 (7), R-C2C-214 (10): not that nobody has a share to redeem, or to sell; a
    private is closed from the first 5 on."""
    where = position().start("SOU", 82, market=10, a=40, b=20).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    refusal = where.game().refused("", "redeem_share", "B&O", actor="a", company="SOU", source="market")
    assert refusal.startswith("Only Ann can do this now, not B&O")
    where = operating("SOU", "trains", phase="4D", cash=90).start("WAB", 82, b=40, a=30).cash(a=600)
    game = rails(where, "S62-S64-T65-U66").game()
    refusal = game.refused("", "sell_shares", "SOU", company="WAB", shares=1)
    assert refusal.startswith("Only Ann can do this now, not SOU")
    game = operating("PRR", phase="5").game()
    refusal = game.refused("7", "buy_private", "PRR", private="KTC", price=40)
    assert "KTC is closed" in refusal
    problem = game.obstacle(Request("buy_private", "a", "PRR"))
    assert problem is not None
    assert "only in phases 3, 4" in game.tell().refusal(problem)
