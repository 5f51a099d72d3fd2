"""Looking at the whole table on a Discord server: commands, buttons of the turn message, and how pictures look."""

import pytest

from bot.client.themes import Themes
from storage.settings import GUILDS
from tests.bot.support.harness import House, Seated
from tests.bot.support.tables import ANN, BOB, GUILD, Bench


@pytest.mark.parametrize(
    ("command", "picture"),
    [("table", "table.png"), ("tiles", "tiles.png"), ("trains", "phases.png"), ("chart", "chart.png")],
)
async def test_each_question_is_answered_by_a_picture_with_words_for_it(
    house: House, command: str, picture: str
) -> None:
    game = await house.game()
    (shown,) = (await game.slash("Bob", command)).ephemeral
    assert [a.filename for a in shown.attachments] == [picture]
    assert house.world.picture(shown.attachments[0]).startswith(b"\x89PNG")
    assert all(a.description for a in shown.attachments)


@pytest.mark.parametrize(
    ("label", "picture"), [("Map", "map.png"), ("Market", "market.png"), ("Table", "table.png")]
)
async def test_anybody_looks_by_a_button_of_the_turn_message(house: House, label: str, picture: str) -> None:
    game = await house.game()
    shown = await game.press("Cy", label)
    assert [a.filename for m in shown.ephemeral for a in m.attachments] == [picture]
    assert await game.seq() == 1


async def test_a_theme_is_one_person_s_alone(house: House) -> None:
    game = await house.game()
    before = await _table(game, house, "Ann"), await _table(game, house, "Bob")
    await game.slash("Ann", "theme", look="dark")
    after = await _table(game, house, "Ann"), await _table(game, house, "Bob")
    assert after[0] != before[0]
    assert after[1] == before[1]


async def test_large_letters_go_with_any_colours_and_stay_when_those_change(house: House) -> None:
    game = await house.game()
    usual = await _table(game, house, "Ann")
    assert "light, large text" in (await game.slash("Ann", "theme", letters="large")).text
    large = await _table(game, house, "Ann")
    assert _wide(large) < _wide(usual)
    assert "dark, large text" in (await game.slash("Ann", "theme", look="dark")).text
    assert _wide(await _table(game, house, "Ann")) == _wide(large)
    assert "drawn so from now on: dark." in (await game.slash("Ann", "theme", letters="usual")).text
    assert _wide(await _table(game, house, "Ann")) == _wide(usual)
    assert await _table(game, house, "Bob") == usual


async def test_a_choice_holds_for_one_person_or_for_all_who_have_chosen_nothing(bench: Bench) -> None:
    """What is not chosen stays as it is seen; a theme that is not known any more counts as none."""
    themes = Themes(bench.db, "safe")
    assert await themes.chosen(GUILD, ANN) is None
    assert await themes.choose(GUILD, ANN, None, "large") == "safe-large"
    assert await themes.choose(GUILD, None, "dark", None) == "dark"
    seen = [await themes.chosen(*place) for place in ((GUILD, ANN), (GUILD, BOB), (GUILD, None), (2, ANN))]
    assert seen == ["safe-large", "dark", "dark", None]
    assert await themes.choose(GUILD, ANN, "ours", None) == "ours-large"
    assert await themes.choose(GUILD, ANN, None, "usual") == "ours"
    assert await themes.choose(GUILD, BOB, None, "large") == "dark-large"
    assert await GUILDS.all_of(bench.db, GUILD) == {
        "theme": "dark",
        f"theme:{ANN}": "ours",
        f"theme:{BOB}": "dark-large",
    }
    await GUILDS.put(bench.db, GUILD, f"theme:{ANN}", "sepia")
    assert await themes.chosen(GUILD, ANN) is None


def _wide(picture: bytes) -> int:
    return int.from_bytes(picture[16:20], "big")


async def _table(game: Seated, house: House, name: str) -> bytes:
    shown = (await game.slash(name, "table")).ephemeral[0]
    return house.world.picture(shown.attachments[0])
