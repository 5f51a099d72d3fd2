"""18C2C: what players see of packet, charters and redeemed shares."""

from bot.client.features.views import company_sheet
from engine.core.state import ExtraTokens
from engine.tell.view_builders.sheet_views import company_view
from engine.tell.view_builders.turn_views import turn_view
from render.sheets.charter_art import company_scene
from tests.titles.builders import Position, new_game


def test_packet_stands_below_the_turn() -> None:
    """R-C2C-020, R-C2C-025, R-C2C-026 (2): from the top, with the bids, the highest last; in the full game
    two columns."""
    game = new_game(4, title="18c2c")
    assert turn_view(game).duty_lines[0].startswith("Packet, from the top: KTC $40, AZF $50, ACM $50")
    for private in ("KTC", "AZF", "ACM", "GSC", "TBC", "EPP"):
        game.do("remove_private", game.on_turn(), private=private)
    game.do("bid", "c", private="ACE", amount=95)
    game.do("bid", "d", private="ACE", amount=105)
    assert turn_view(game).duty_lines == ("Packet, from the top: GML $50, ACE $90 (Cy $95, Dee $105).",)
    first, second = turn_view(new_game(4, title="18c2c-full")).duty_lines
    assert first.startswith("Packet, from the top: GRS $20, MRB $40")
    assert second.startswith("Packet, from the top: SVR $20, KTC $40")


def test_charter_shows_tokens_and_reissues() -> None:
    """R-C2C-063, R-C2C-064, R-C2C-081 (4, 5): in words and in the picture."""
    where = Position(4, title="18c2c").start("IC", 100, a=60)
    found = where.state.companies["IC"]
    found.extra = ExtraTokens(bought=[40, 60, 80, 100], reserved=["IC"], bulls=1)
    found.tokens = [0, 0, 0, 0]
    found.shares.update(offering=20, reissued=20)
    found.reissue_prices = [100, 110]
    game = where.game()
    view = company_view(game, "IC")
    goal = " ".join(game.rules.spec.companies["IC"].destination)
    assert view.reserved_token_texts == (f"for {goal}", "bull")
    assert view.reissued == (100, 110)
    sheet = company_sheet(view)
    assert f"Tokens left: $0, $0, $0, $0, for {goal}, bull; placed: none." in sheet
    assert "IPO 20%, market 0%, reissued 1 at $100 and 1 at $110" in sheet
    assert game.company("IC").percent("reissued") == 20
    drawn = str(company_scene(view, "ours"))
    assert "bull" in drawn
    assert "Reissued" in drawn
