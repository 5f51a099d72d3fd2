"""Companies that close, and certificates that are a whole company."""

import pytest
from pydantic import ValidationError

from engine.core.events import CompanyClosed
from engine.core.ids import BANK
from engine.core.spec import CompanySpec
from engine.core.state import Company
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.shares import holdings
from engine.titles import TITLES
from tests.titles.builders import Position, TitleGame


def closed_game() -> tuple[TitleGame, Company]:
    position = Position().start("PRR", 80, a=60, b=20, market=10).start("LV", 80, b=60, a=10)
    position.trains("PRR", "2", "3").token("PRR", "H4").owns("PRR", "D&R")
    game = position.game()
    prr = game.company("PRR")
    close_company(game.table, prr)
    return position.game(), prr


def test_closed_company_leaves_everything() -> None:
    game, prr = closed_game()
    t = game.table
    assert t.map.tokens_of("PRR") == []
    assert "PRR" not in str(t.state.market)
    assert (prr.cash, prr.trains, prr.president, prr.cell) == (0, [], None, None)
    assert t.cash(BANK) + sum(game.cash().values()) + game.company("LV").cash == t.spec.bank
    assert holdings.certificates(t, "a") == 1
    assert t.state.privates["D&R"].closed
    assert CompanyClosed("PRR") in t.events
    assert [one.id for one in operating_order(t)] == ["LV"]


def test_closed_company_is_on_no_offer() -> None:
    game, _ = closed_game()
    assert "PRR" not in game.values("par", "a", "company")
    assert game.values("buy_share", "a", "company") == ["LV"]
    assert "PRR has closed" in game.refused("10.4", "par", "a", company="PRR", price=80)
    assert "PRR has closed" in game.refused("10.4", "buy_share", "a", company="PRR", source="market")
    assert "holds no shares of PRR" in game.refused("10.2", "sell_shares", "a", company="PRR", shares=1)


@pytest.mark.parametrize(
    "certificates",
    [(20, 10, 10), (20, 40, 20, 20), (15, *(10 for _ in range(8)), 5), (25, *(15 for _ in range(5)))],
)
def test_certificates_are_100_percent(
    certificates: tuple[int, ...],
) -> None:
    raw = TITLES["18chesapeake"].spec.companies["PRR"].model_dump()
    with pytest.raises(ValidationError, match="100 %"):
        CompanySpec.model_validate({**raw, "certificates": certificates})
