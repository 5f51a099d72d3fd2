"""The sign of a title's money is before every amount that players see, and they may type it."""

import pytest

from bot.client.alt_texts import table_alt_text
from bot.client.features.orders import read_amount
from bot.client.features.views import company_sheet, player_sheet, trains_sheet
from bot.table.errors import Refused
from bot.table.moves.slot_values import parsed_value
from bot.web.position_as_json import position_fields
from bot.web.wire import as_json
from engine.game import Game
from engine.tell.view_builders import (
    company_view,
    map_view,
    market_view,
    player_view,
    table_view,
    trains_view,
)
from render import map_svg, market_svg
from render.sheets.table_art import table_scene
from tests.golden.positions import golden_at
from tests.render.views import words_of
from tests.titles.builders import Position, TitleGame


@pytest.fixture
def game() -> Game:
    return golden_at("1889-bank-3p", 200)


@pytest.fixture
def stock() -> TitleGame:
    return Position(title="1889").stock().game()


def test_texts_have_the_sign(game: Game, stock: TitleGame) -> None:
    table = table_view(game)
    texts = (
        company_sheet(company_view(game, "IR")),
        player_sheet(player_view(game, game.players[0][0])),
        trains_sheet(trains_view(game)),
        table_alt_text(table),
        as_json(position_fields(game, None, map_view(game))),
        " ".join(words_of(table_scene(table, "ours"))),
        market_svg(market_view(game)),
        stock.refused("3", "par", "a", company="AR", price=66),
    )
    assert not [text for text in texts if "¥" not in text or "$" in text]
    assert "$" not in map_svg(map_view(game))


def test_typed_sign_is_understood(stock: TitleGame) -> None:
    assert read_amount(stock, "¥1,200") == read_amount(stock, "1200") == 1200
    assert parsed_value(stock, "bid", "amount", "¥120") == 120
    for typed in ("$120", "¥", "-120"):
        with pytest.raises(Refused, match="whole dollars"):
            read_amount(stock, typed)
