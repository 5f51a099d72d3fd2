"""18C2C: stations on the board, bull tokens among them."""

from typing import Any

from engine.board.upgrades import rotations
from engine.core.events import BullPlaced
from engine.core.offers import OfferCursor
from engine.core.state import ExtraTokens
from engine.tell.move_preview import preview
from engine.tell.view_builders import company_view
from engine.titles import title
from tests.titles.builders import Position, TitleGame

GREEN_B = title("18c2c").spec.tiles["592"].topology


def nyc(*, tokens: int = 2, bulls: int = 0, full: bool = False, **turn: Any) -> Position:
    """NYC at its token step: Albany is joined to the green New York, which (full) has no free place."""
    position = Position(title="18c2c").start("NYC", 100, a=60).phase("3").treasury("NYC", 0)
    position.operating("NYC", "token", **turn).tile("I78", "57", 0).tile("J77", "8", 3).tile("K78", "54", 0)
    position.state.companies["NYC"].tokens = [0] * tokens
    position.state.companies["NYC"].extra = ExtraTokens([40, 60, 80, 100], ["NYC"], bulls)
    if full:
        for stop, other in enumerate(("ERIE", "PRR")):
            position.t.map.place_token("K78", stop, other)
    return position


def place(game: TitleGame, kind: str = "place_token", city: int = 1, coord: str = "K78") -> tuple[Any, ...]:
    return game.do(kind, "NYC", hex=coord, city=city)


def test_tokens_are_placed_free() -> None:
    """R-C2C-130, R-C2C-131, R-C2C-133, R-C2C-227: prepaid, once a turn. New York's two cities are one hex;
    none of the full or the reserved. A merged corporation places two, the second from where the first leads,
    too."""
    game = nyc().game()
    assert game.values("place_token", "NYC", "hex") == ["K78"]
    assert game.values("place_token", "NYC", "city", hex="K78") == [1]
    place(game)
    assert game.company("NYC").tokens == [0]
    assert game.company("NYC").cash == 0
    assert not game.offered("place_token")
    position = nyc()
    position.t.map.place_token("K78", 0, "NYC")
    assert not position.game().offered("place_token")
    assert not nyc(full=True).trains("NYC", "2").game().offered("place_token")
    assert not nyc(tokens=0).game().offered("place_token")
    position = nyc(tokens=3).tile("I78", "14", 0).tile("I80", "9", 1)
    board = position.t.map
    board.lay("I82", "592", next(r for r in rotations(board, "I82", "592") if 1 in GREEN_B.turned(r).edges))
    position.state.companies["NYC"].parts = ["NYC", "ERIE"]
    game = position.game()
    assert game.values("place_token", "NYC", "hex") == ["I82", "K78"]
    place(game)
    assert game.values("place_token", "NYC", "hex") == ["I82"]
    place(game, coord="I82", city=0)
    assert not game.offered("place_token")
    assert game.company("NYC").tokens == [0]


def test_red_place_opens_a_space_in_phase_5() -> None:
    """R-C2C-00A, R-C2C-132."""
    position = Position(title="18c2c")
    board = position.t.map
    assert board.has_space_for("D81", 0, "ERIE")
    board.place_token("D81", 0, "ERIE")
    assert not board.has_space_for("D81", 0, "NYC")
    board.open_spaces_of_phase("5")
    assert board.has_space_for("D81", 0, "NYC")


def test_bull_token_goes_into_a_full_city() -> None:
    """R-C2C-070, R-C2C-071, example 4: all other tokens of the charter are lost, that for the destination,
    too; in a free place as well."""
    game = nyc(full=True, bulls=1).game()
    assert game.kinds() == ["place_bull", "pass"]
    events = place(game, "place_bull")
    assert BullPlaced("NYC", "K78", True, 3) in events
    board, nyc_now = game.table.map, game.company("NYC")
    assert (board.slots("K78", 1), board.tokens_without_space("K78", 1)) == (("PRR",), ("NYC",))
    assert nyc_now.extra is not None
    assert (nyc_now.tokens, nyc_now.extra.reserved, nyc_now.extra.bulls) == ([], [], 0)
    assert nyc_now.extra.placed == ["K78"]
    game = nyc(bulls=1).game()
    assert BullPlaced("NYC", "K78", False, 3) in place(game, "place_bull")
    assert game.table.map.slots("K78", 1) == ("NYC",)
    assert not game.company("NYC").tokens


def test_bull_token_label_names_forfeits() -> None:
    """R-C2C-062, R-C2C-070, R-C2C-071: it differs from that of an ordinary token in the same city, and is
    confirmed; a lone one forfeits nothing. In a reserved home it stays beside."""
    game = nyc(bulls=1).game()
    token, bull = game.find("place_token"), game.find("place_bull")
    assert (token.confirm, bull.confirm) == (False, True)
    assert [game.label(one) for one in token.suggest()] == ["Token in K78 New York City city 2, $0"]
    wanted = "Bull token in K78 New York City city 2 (forfeits 3 other tokens)"
    assert [game.label(one) for one in bull.suggest()] == [wanted]
    assert preview(game, OfferCursor(bull).pick_all(bull.suggest()[0].chosen)).summary == wanted
    position = nyc(tokens=0, bulls=1)
    position.state.companies["NYC"].extra = ExtraTokens([], [], 1)
    game = position.game()
    bull = game.find("place_bull")
    assert not bull.confirm
    assert game.label(bull) == "Place the bull token"
    position = nyc(bulls=1)
    position.t.map.homes["ERIE"] = ("K78", 1)
    game = position.game()
    assert game.values("place_bull", "NYC", "hex") == ["K78"]
    place(game, "place_bull")
    assert game.table.map.tokens_without_space("K78", 1) == ("NYC",)


def test_second_bull_token_is_ordinary() -> None:
    """R-C2C-072: it forfeits nothing, and the first may still go into a full city, where one at most is
    played; ordinary tokens go before."""
    game = nyc(tokens=0, bulls=2).game()
    assert game.kinds() == ["place_token", "place_bull", "pass"]
    assert game.label(game.find("place_token").suggest()[0]) == "Token in K78 New York City city 2, $0"
    place(game)
    found = game.company("NYC")
    assert found.extra is not None
    assert (found.tokens, found.extra.reserved, found.extra.bulls) == ([], ["NYC"], 1)
    game = nyc(tokens=1, bulls=2).game()
    place(game)
    extra = game.company("NYC").extra
    assert (game.company("NYC").tokens, extra and extra.bulls) == ([], 2)
    assert nyc(tokens=0, full=True, bulls=2).game().kinds() == ["place_bull", "pass"]


def test_bull_token_counts_in_its_city() -> None:
    """R-C2C-073, R-C2C-074: routes pass, and no second one comes into the hex; one without a place goes
    first."""
    position = nyc(full=True)
    board = position.t.map
    assert board.blocks_routes_of("K78", 1, "NYC")
    board.place_token_without_space("K78", 1, "NYC")
    assert not board.blocks_routes_of("K78", 1, "NYC")
    assert board.token_stops_of("NYC") == [("I78", 0), ("K78", 1)]
    assert not position.game().offered("place_token")
    board = nyc(full=True).t.map
    board.place_token_without_space("K78", 1, "PRR")
    board.remove_token("K78", 1, "PRR")
    assert (board.slots("K78", 1), board.tokens_without_space("K78", 1)) == (("PRR",), ())


def test_sheet_shows_special_tokens() -> None:
    """R-C2C-063, R-C2C-064, R-C2C-160."""
    position = nyc(bulls=1)
    position.state.companies["NYC"].held["Engineer"] = 1
    sheet = company_view(position.game(), "NYC")
    assert sheet.tokens_left == (0, 0)
    assert sheet.markers == ("1 marker: Engineer", "a token reserved for J57", "1 bull token")
