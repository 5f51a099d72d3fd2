"""Powers of privates: how a train by one is offered, and that their tiles fit."""

import pytest

from engine.core.spec import TileLayPower
from engine.core.state import CompanyTurn, Operating
from engine.play.track.private_lay import power_rotations
from engine.titles import TITLES
from tests.titles.builders import Position, find, label, tell
from tests.titles.t18al.alabama import Alabama


def test_train_by_a_private_names_its_end() -> None:
    position = Alabama().phase("3").start("WRA", 60, a=60).trains("WRA", "2").treasury("WRA", 500)
    game = position.owns("WRA", "NDY").operating("WRA", "trains").game()
    offer = find(game, "buy_train", "NDY")
    assert label(game, offer) == "Buy a train with NDY, which then closes"
    assert [tell(game).say(ready.label) for ready in offer.suggest()] == [
        "3-train from the bank $90, and NDY closes"
    ]


@pytest.mark.parametrize("title", TITLES)
def test_tiles_of_privates_fit_their_hexes(title: str) -> None:
    table = Position(min(TITLES[title].spec.players), title=title).t
    table.state.round = Operating(turn=CompanyTurn(next(iter(table.state.companies))))
    for private in table.spec.privates.values():
        for power in (one for one in private.powers if isinstance(one, TileLayPower)):
            for tile in power.tiles:
                assert all(power_rotations(table, power, coord, tile) for coord in power.hexes)
                assert power.lays == 1 or table.map.supply[tile] is None
