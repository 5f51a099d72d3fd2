"""18C2C: stations on the board, bull tokens among them."""

from typing import Any

from engine.board.upgrades import rotations
from engine.core.events import BullPlaced
from engine.core.offers import Cursor
from engine.core.state import ExtraTokens
from engine.game import Game
from engine.tell.move_preview import preview
from engine.tell.view_builders import company_view
from engine.titles import title
from tests.titles.builders import Position, company, do, find, kinds, label, offered, refused, values

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


def place(game: Game, kind: str = "place_token", city: int = 1, coord: str = "K78") -> tuple[Any, ...]:
    """Place a token of NYC."""
    return do(game, kind, "NYC", hex=coord, city=city)


# --- ordinary tokens ---------------------------------------------------------------------------------------------


def test_a_token_is_placed_free_in_a_city_that_is_reached() -> None:
    """R-C2C-130: prepaid, once a turn."""
    game = nyc().game()
    assert values(game, "place_token", "NYC", "hex") == ["K78"]
    assert values(game, "place_token", "NYC", "city", hex="K78") == [1]
    place(game)
    assert company(game, "NYC").tokens == [0]
    assert company(game, "NYC").cash == 0
    assert not offered(game, "place_token")


def test_a_full_city_takes_no_ordinary_token() -> None:
    """R-C2C-130."""
    game = nyc(full=True).trains("NYC", "2").game()
    assert not offered(game, "place_token")


def test_one_token_of_a_corporation_lies_in_a_hex() -> None:
    """R-C2C-131: New York's two cities are one hex."""
    position = nyc()
    position.t.map.place_token("K78", 0, "NYC")
    assert not offered(position.game(), "place_token")


def test_the_reserved_token_is_not_placed_in_the_token_step() -> None:
    """R-C2C-133: the charter has nothing but the token for the destination."""
    assert not offered(nyc(tokens=0).game(), "place_token")


def test_a_merger_corporation_places_two_tokens_a_turn() -> None:
    """R-C2C-130, R-C2C-227: the second from where the first leads, too."""
    position = nyc(tokens=3).tile("I78", "14", 0).tile("I80", "9", 1)
    board = position.t.map
    board.lay("I82", "592", next(r for r in rotations(board, "I82", "592") if 1 in GREEN_B.turned(r).edges))
    position.state.companies["NYC"].parts = ["NYC", "ERIE"]
    game = position.game()
    assert values(game, "place_token", "NYC", "hex") == ["I82", "K78"]
    place(game)
    assert values(game, "place_token", "NYC", "hex") == ["I82"]
    place(game, coord="I82", city=0)
    assert not offered(game, "place_token")
    assert company(game, "NYC").tokens == [0]


def test_a_red_place_takes_tokens_and_opens_another_space_in_phase_5() -> None:
    """R-C2C-00A, R-C2C-132."""
    position = Position(title="18c2c")
    board = position.t.map
    assert board.free_slot("D81", 0, "ERIE")
    board.place_token("D81", 0, "ERIE")
    assert not board.free_slot("D81", 0, "NYC")
    board.open_spaces("5")
    assert board.free_slot("D81", 0, "NYC")


# --- bull tokens -------------------------------------------------------------------------------------------------


def test_a_bull_token_goes_into_a_full_city_without_a_place() -> None:
    """R-C2C-070, R-C2C-071, example 4: all other tokens of the charter are lost, that for the destination, too."""
    game = nyc(full=True, bulls=1).game()
    assert kinds(game) == ["place_bull", "pass"]
    events = place(game, "place_bull")
    assert BullPlaced("NYC", "K78", True, 3) in events
    board, nyc_now = game.table.map, company(game, "NYC")
    assert (board.slots("K78", 1), board.without_space("K78", 1)) == (("PRR",), ("NYC",))
    assert nyc_now.extra is not None
    assert (nyc_now.tokens, nyc_now.extra.reserved, nyc_now.extra.bulls) == ([], [], 0)
    assert nyc_now.extra.placed == ["K78"]


def test_a_bull_token_takes_a_free_place_and_forfeits_the_others_all_the_same() -> None:
    """R-C2C-070, R-C2C-071."""
    game = nyc(bulls=1).game()
    assert BullPlaced("NYC", "K78", False, 3) in place(game, "place_bull")
    assert game.table.map.slots("K78", 1) == ("NYC",)
    assert not company(game, "NYC").tokens


def test_the_label_of_a_bull_token_says_what_it_forfeits() -> None:
    """R-C2C-071: it differs from that of an ordinary token in the same city, and is confirmed."""
    game = nyc(bulls=1).game()
    token, bull = find(game, "place_token"), find(game, "place_bull")
    assert (token.confirm, bull.confirm) == (False, True)
    assert [label(game, one) for one in token.suggest()] == ["Token in K78 New York City city 2, $0"]
    wanted = "Bull token in K78 New York City city 2 (forfeits 3 other tokens)"
    assert [label(game, one) for one in bull.suggest()] == [wanted]
    assert preview(game, Cursor(bull).take(bull.suggest()[0].chosen)).summary == wanted


def test_a_bull_token_alone_on_its_charter_forfeits_nothing() -> None:
    """R-C2C-071: there is nothing to confirm."""
    position = nyc(tokens=0, bulls=1)
    position.state.companies["NYC"].extra = ExtraTokens([], [], 1)
    game = position.game()
    bull = find(game, "place_bull")
    assert not bull.confirm
    assert label(game, bull) == "Place the bull token"


def test_a_place_reserved_for_a_home_is_none_that_is_free() -> None:
    """R-C2C-062, R-C2C-070: the bull token stays beside."""
    position = nyc(bulls=1)
    position.t.map.homes["ERIE"] = ("K78", 1)
    game = position.game()
    assert values(game, "place_bull", "NYC", "hex") == ["K78"]
    place(game, "place_bull")
    assert game.table.map.without_space("K78", 1) == ("NYC",)


def test_with_a_bull_token_ordinary_ones_may_come_first() -> None:
    """R-C2C-071: only the bull token ends the charter."""
    game = nyc(bulls=1).game()
    assert kinds(game) == ["place_token", "place_bull", "pass"]
    place(game)
    extra = company(game, "NYC").extra
    assert extra is not None
    assert (extra.bulls, extra.reserved) == (1, ["NYC"])


def test_other_bull_tokens_stay_on_the_charter() -> None:
    """R-C2C-072: as ordinary ones, when the first ends the rest of it."""
    game = nyc(full=True, bulls=3).game()
    assert BullPlaced("NYC", "K78", True, 3) in place(game, "place_bull")
    found = company(game, "NYC")
    assert found.extra is not None
    assert (found.tokens, found.extra.reserved, found.extra.bulls) == ([0, 0], [], 0)


def test_a_second_bull_token_is_an_ordinary_token() -> None:
    """R-C2C-072: it forfeits nothing, and the first may still go into a full city."""
    game = nyc(tokens=0, bulls=2).game()
    assert kinds(game) == ["place_token", "place_bull", "pass"]
    assert label(game, find(game, "place_token").suggest()[0]) == "Token in K78 New York City city 2, $0"
    place(game)
    found = company(game, "NYC")
    assert found.extra is not None
    assert (found.tokens, found.extra.reserved, found.extra.bulls) == ([], ["NYC"], 1)


def test_ordinary_tokens_go_before_bull_tokens() -> None:
    """R-C2C-072: the bull tokens are still there."""
    game = nyc(tokens=1, bulls=2).game()
    place(game)
    extra = company(game, "NYC").extra
    assert (company(game, "NYC").tokens, extra and extra.bulls) == ([], 2)


def test_a_second_bull_token_needs_a_free_place() -> None:
    """R-C2C-072: in a full city one bull token at most is played."""
    assert kinds(nyc(tokens=0, full=True, bulls=2).game()) == ["place_bull", "pass"]


def test_a_bull_token_counts_as_a_token_of_its_city() -> None:
    """R-C2C-074: routes pass, and no second one comes into the hex."""
    position = nyc(full=True)
    board = position.t.map
    assert board.blocks("K78", 1, "NYC")
    board.place_without_space("K78", 1, "NYC")
    assert not board.blocks("K78", 1, "NYC")
    assert board.tokens_of("NYC") == [("I78", 0), ("K78", 1)]
    assert not offered(position.game(), "place_token")


def test_a_token_without_a_place_is_the_first_to_go() -> None:
    """R-C2C-073."""
    board = nyc(full=True).t.map
    board.place_without_space("K78", 1, "PRR")
    board.remove_token("K78", 1, "PRR")
    assert (board.slots("K78", 1), board.without_space("K78", 1)) == (("PRR",), ())


def test_who_has_no_bull_token_places_none() -> None:
    """R-C2C-064."""
    refusal = refused(nyc().game(), "6", "place_bull", "NYC", hex="K78", city=1)
    assert "no bull token" in refusal


def test_tokens_without_a_place_are_stored_with_the_position() -> None:
    """R-C2C-070: a game that is stored and read again has them."""
    game = nyc(full=True, bulls=1).game()
    place(game, "place_bull")
    again = Game.load(game.dump())
    assert again.digest() == game.digest()
    assert again.table.map.without_space("K78", 1) == ("NYC",)


def test_a_companys_sheet_shows_the_tokens_that_are_not_ordinary() -> None:
    """R-C2C-063, R-C2C-064, R-C2C-160."""
    position = nyc(bulls=1)
    position.state.companies["NYC"].held["Engineer"] = 1
    sheet = company_view(position.game(), "NYC")
    assert sheet.tokens_left == (0, 0)
    assert sheet.markers == ("1 marker of the kind Engineer", "a token kept for J57", "1 bull token")
