"""What pictures and sheets show of 18NewEngland: spaces of minors, homes, shares of any size."""

from engine.core.ids import MARKET
from engine.play.closing_liquidation_bankruptcy import flip_marker
from engine.tell.view_builders import (
    company_view,
    map_view,
    market_view,
    player_view,
    score_view,
    trains_view,
)
from engine.tell.views import SlotView, SpaceView
from tests.titles.builders import TitleGame, new_game
from tests.titles.t18newengland.newengland import NewEngland
from tests.titles.t18newengland.newengland_map import closed, major, minor, position


def spaces(game: TitleGame) -> dict[int, list[str]]:
    (row,) = market_view(game).rows
    return {cell.price: [_word(space) for space in cell.spaces] for cell in row if cell and cell.spaces}


def _word(space: SpaceView) -> str:
    return space.badge.company if space.badge else space.state


def homes(game: TitleGame) -> dict[str, SlotView]:
    slots = [slot for hex_ in map_view(game).hexes for stop in hex_.stops for slot in stop.slots]
    return {slot.badge.company: slot for slot in slots if slot.badge}


def test_market_and_map_show_places() -> None:
    """R-NE-004, R-NE-005, R-NE-006, R-NE-021, R-NE-076: of minors the spaces, and the homes: to be had,
    reserved by a player, with a later phase, or nobody's any more. Majors stand in one row."""
    built = position().minor("GR", 60, "a").minor("CR", 60, "b", space=1).minor("PE", 50, "a")
    flip_marker(built.t, built.state.companies["PE"])
    found = spaces(built.game())
    assert found[60] == ["GR", "CR"]
    assert found[50] == ["blocked", "free"]
    assert found[70] == ["free", "free"]
    assert found[80] == found[100] == ["later", "later"]
    later = next(cell.spaces[0] for cell in market_view(built.game()).rows[0] if cell and cell.price == 80)
    assert (later.zone, later.phase) == ("g", "3")
    game = minor(position(), "GR", 60, "a").game()
    assert [(space.state, words) for space, words in market_view(game).space_legend] == [
        ("free", "free for a minor"),
        ("taken", "a minor"),
        ("later", "for minors from phase 3 on"),
    ]
    assert [letter for letter, _ in market_view(game).legend] == ["P", "e"]
    built = major(position(), "NYC", 130, a=60)
    built.t.move_price(built.state.companies["NYC"], (2, 12))
    view = market_view(built.game())
    (row,) = view.rows
    assert [cell.price for cell in row if cell and cell.tokens] == [120]
    assert view.price_moves == (("NYC", (0, 13), (0, 12)),)
    assert not any(cell.is_ledge or cell.has_up_arrow or cell.has_down_arrow for cell in row if cell)
    game = new_game(3, title="18newengland")
    state = game.table.state
    first = next(c for c in state.companies.values() if game.table.kind_name(c) == "minor" and not c.waiting)
    waiting = next(c for c in state.companies.values() if c.waiting)
    assert (homes(game)[first.id].state, homes(game)[first.id].reserved_by) == ("home", "")
    assert homes(game)[waiting.id].state == "waiting"
    game.do("reserve", "a", company=first.id)
    assert homes(game)[first.id].reserved_by == "Ann"
    assert company_view(game, first.id).reserved_by == "Ann"
    assert company_view(game, waiting.id).waits_for_phase == "3"
    gone = closed(position(), "BP").game()
    assert "BP" not in homes(gone)


def test_minor_counts_as_two_shares() -> None:
    """R-NE-133, worked example 25: cash 500, certificate and two tens at 220, a minor of 70: 1520."""
    built = minor(position(), "GR", 70, "a").cash(a=500)
    built.major("NYC", 200, price=220, a=40)
    game = built.game()
    held = {holding.badge.company: holding for holding in player_view(game, "a").holdings}
    assert (held["GR"].shares, held["GR"].value) == (2, 140)
    assert (held["NYC"].shares, held["NYC"].value) == (4, 880)
    (row,) = (row for row in score_view(game).rows if row.player == "a")
    assert (row.cash, row.privates, row.total) == (500, 0, 1520)


def test_sheets_of_a_major_and_a_minor() -> None:
    """R-NE-002, R-NE-007, R-NE-010, R-NE-080: money, shares and trains of players and companies stand on
    sheets that ask nobody who looks; train limits of both kinds."""
    built = major(position(), "NYC", 100, a=60, market=20)
    shares = built.state.companies["NYC"].shares
    shares[MARKET] -= 10
    shares["NYC"] = 10
    view = company_view(built.game(), "NYC")
    assert (view.is_price_fixed, view.offering_percent, view.market_percent, view.treasury_percent) == (
        False,
        20,
        10,
        10,
    )
    view = company_view(minor(position(), "GR", 70, "a").game(), "GR")
    assert (view.is_price_fixed, view.price, view.share_percent, view.president_share_percent) == (
        True,
        70,
        50,
        100,
    )
    assert view.holders == (("Ann", 100, True),)
    trains = trains_view(position().phase("4").game())
    assert (trains.train_limit, trains.train_limits) == (3, (("minor", 1),))
    game = NewEngland().cash(a=17, b=23).minor("PE", 60, "b", "2", treasury=9).game()
    assert {row.player: row.cash for row in score_view(game).rows}["b"] == 23
    sheet = company_view(game, "PE")
    assert (sheet.treasury, [train for train, _ in sheet.trains]) == (9, ["2"])
