"""Looking at the whole table on a Discord server: commands, buttons of the turn message, and how pictures look."""

from functools import partial
from typing import Any

import pytest

from bot.client.features.settings import choose_theme
from bot.client.pictures import Pictures
from bot.table.settings.themes import theme_of
from storage import GUILDS
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, GUILD, TableService


@pytest.mark.parametrize(
    ("command", "picture"),
    [("table", "table.png"), ("tiles", "tiles.png"), ("trains", "phases.png"), ("chart", "chart.png")],
)
async def test_each_question_is_answered_by_a_picture_with_words_for_it(
    sandbox: SandboxBot, command: str, picture: str
) -> None:
    game = await sandbox.game()
    (shown,) = (await game.slash("Bob", command)).ephemeral
    assert [a.filename for a in shown.attachments] == [picture]
    assert sandbox.world.picture(shown.attachments[0]).startswith(b"\x89PNG")
    assert all(a.description for a in shown.attachments)


@pytest.mark.parametrize(
    ("label", "picture"), [("Map", "map.png"), ("Market", "market.png"), ("Table", "table.png")]
)
async def test_anybody_looks_by_a_button_of_the_turn_message(
    sandbox: SandboxBot, label: str, picture: str
) -> None:
    game = await sandbox.game()
    shown = await game.press("Cy", label)
    assert [a.filename for m in shown.ephemeral for a in m.attachments] == [picture]
    assert await game.seq() == 1


async def test_a_theme_is_one_person_s_alone(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before = await _table(game, sandbox, "Ann"), await _table(game, sandbox, "Bob")
    await game.slash("Ann", "theme", look="dark")
    after = await _table(game, sandbox, "Ann"), await _table(game, sandbox, "Bob")
    assert after[0] != before[0]
    assert after[1] == before[1]


async def test_large_letters_go_with_any_colours_and_stay_when_those_change(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    usual = await _table(game, sandbox, "Ann")
    assert "light, large text" in (await game.slash("Ann", "theme", letters="large")).text
    large = await _table(game, sandbox, "Ann")
    assert _wide(large) < _wide(usual)
    assert "dark, large text" in (await game.slash("Ann", "theme", look="dark")).text
    assert _wide(await _table(game, sandbox, "Ann")) == _wide(large)
    assert "drawn so from now on: dark." in (await game.slash("Ann", "theme", letters="usual")).text
    assert _wide(await _table(game, sandbox, "Ann")) == _wide(usual)
    assert await _table(game, sandbox, "Bob") == usual


async def test_a_choice_holds_for_one_person_or_for_all_who_have_chosen_nothing(
    service: TableService,
) -> None:
    """What is not chosen stays as it is seen; a theme that is not known any more counts as none."""
    seen, choose = partial(theme_of, service.db), partial(_choose, service)
    assert await seen(GUILD, ANN) is None
    assert await choose(ANN, None, "large") == "safe-large"
    assert await choose(None, "dark", None) == "dark"
    places = ((GUILD, ANN), (GUILD, BOB), (GUILD, None), (2, ANN))
    assert [await seen(*place) for place in places] == ["safe-large", "dark", "dark", None]
    assert await choose(ANN, "ours", None) == "ours-large"
    assert await choose(ANN, None, "usual") == "ours"
    assert await choose(BOB, None, "large") == "dark-large"
    assert await GUILDS.all_of(service.db, GUILD) == {
        "theme": "dark",
        f"theme:{ANN}": "ours",
        f"theme:{BOB}": "dark-large",
    }
    await GUILDS.put(service.db, GUILD, f"theme:{ANN}", "sepia")
    assert await seen(GUILD, ANN) is None


async def _choose(service: TableService, person: int | None, look: str | None, letters: str | None) -> str:
    """Choose where the bot's own theme is for colour-blind eyes."""
    asked: Any = Asked(ANN, "Ann", COMMAND)
    asked.guild_id, asked.client = GUILD, Client(service.tables, Pictures("safe"))
    return await choose_theme(asked, person, look, letters)


def _wide(picture: bytes) -> int:
    return int.from_bytes(picture[16:20], "big")


async def _table(game: Seated, sandbox: SandboxBot, name: str) -> bytes:
    shown = (await game.slash(name, "table")).ephemeral[0]
    return sandbox.world.picture(shown.attachments[0])
