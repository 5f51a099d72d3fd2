"""Questions about a game: what they may name, the words and pictures of the answer, and to whom they are shown."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from bot.client.alt_texts import of_sale
from bot.client.features.help import HELP_ON_RULES, title_help, title_meant
from bot.client.features.views import _card, _map_part, company_sheet, player_sheet
from bot.client.pictures import Pictures
from bot.table.drawing import draw
from bot.table.errors import Refused
from bot.table.settings.game_rules import rules_text, topics_of
from bot.table.votes.pauses import begin_pause
from bot.workers.workers import Priority
from engine.game import Game
from engine.tell.view_builders import company_view, map_view, market_view, player_view, privates_view
from engine.titles import TITLES
from storage import games
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.declared import typed
from tests.bot.support.table_service import ANN, BOB, CHANNEL, GUILD, TableService

EVE, THREAD = 99, 77
Asks: TypeAlias = Callable[..., Any]


class Drawn(Pictures):
    """Pictures that note what is drawn, in which queue and for whom."""

    noted: list[tuple[Any, ...]]

    async def _all_drawn(self, *pieces: Any) -> list[bytes]:
        assert (self._queue.priority, self._person) == (Priority.QUESTION, self._queue.person or self._person)
        self.noted += [what if how is not draw else what[1:] for how, what in pieces]
        return [b"\x89PNG"] * len(pieces)


@pytest.fixture
def drawn() -> Drawn:
    """What was drawn."""
    found = Drawn()
    found.noted = []
    return found


@pytest.fixture
async def number(service: TableService) -> int:
    """The game of Ann, Bob and Cy, which has a thread."""
    found = await service.game()
    await service.tables.show_in(found, THREAD)
    return found


@pytest.fixture
def asked_by(service: TableService, drawn: Drawn) -> Asks:
    """Somebody who asks in the thread of the game, or elsewhere."""

    def asks(user: int = ANN, channel: int = THREAD) -> Any:
        asked: Any = Asked(user, "Ann", COMMAND, thread=channel)
        asked.guild_id, asked.client = GUILD, Client(service.tables, drawn)
        return asked

    return asks


def pictures(asked: Any) -> list[tuple[str, str | None]]:
    """The pictures of the answers by name, with the words for each."""
    return [(file.filename, file.description) for file in asked.files]


async def test_a_question_is_answered_with_its_picture_and_the_words_for_it(
    service: TableService, number: int, asked_by: Asks, drawn: Drawn
) -> None:
    async with service.tables.reading(number) as live:
        game = live.game
    around, market, company = asked_by(), asked_by(), asked_by()
    whole, on_market = map_view(game), market_view(game)
    await typed(around, "map", around=" f2 ")
    assert (around.answers, pictures(around)) == ([whole.caption], [("map.png", whole.caption)])
    await typed(market, "market")
    assert (market.answers, pictures(market)) == ([on_market.caption], [("market.png", on_market.caption)])
    await typed(company, "company", company=" pRr ")
    of_company = company_view(game, "PRR", "p1")
    assert company.answers == [company_sheet(of_company)]
    assert pictures(company) == [("company.png", "The charter of Pennsylvania Railroad")]
    for user, named, player in ((BOB, None, "p2"), (EVE, "cY ", "p3"), (EVE, "p1", "p1")):
        asked = asked_by(user)
        await typed(asked, "player", player=named)
        view = player_view(game, player, "p2" if user == BOB else None)
        assert (asked.deferred, asked.answers) == (True, [player_sheet(view)])
        assert pictures(asked) == [("player.png", f"The sheet of {view.name}")]
    assert all(asked.deferred for asked in (around, market, company))
    assert drawn.noted[:3] == [(whole, ("F2",)), (on_market,), (of_company,)]


@pytest.mark.parametrize(
    ("user", "command", "named", "why"),
    [
        (ANN, "map", {"around": "Z9"}, "There is no Z9 on this map: name a hex, a company, or `all`."),
        (
            ANN,
            "company",
            {"company": "XY"},
            "There is no company XY. Companies: PRR, PLE, SRR, B&O, C&O, LV, C&A, N&W.",
        ),
        (ANN, "player", {"player": "Dee"}, "There is no player Dee. Players: Ann, Bob, Cy."),
        (EVE, "player", {}, "You have no seat"),
    ],
)
async def test_what_is_not_there_is_refused_with_what_is(
    number: int, asked_by: Asks, user: int, command: str, named: dict[str, str], why: str
) -> None:
    assert number
    with pytest.raises(Refused) as refused:
        await typed(asked_by(user), command, **named)
    assert str(refused.value).startswith(why)


async def test_how_a_game_stands_is_said_with_its_pause_and_both_pictures(
    service: TableService, number: int, asked_by: Asks
) -> None:
    runs, paused = asked_by(), asked_by()
    await typed(runs, "status")
    [text] = runs.answers
    assert "pause" not in text
    assert [name for name, _ in pictures(runs)] == ["map.png", "market.png"]
    await begin_pause(service.tables, number, ANN, None)
    await typed(paused, "status")
    assert "\nThe game pauses until a player resumes it; `/game resume` ends the pause." in paused.answers[0]


async def test_the_rules_are_those_of_the_title_named_else_of_the_game_of_the_thread(
    service: TableService, number: int, asked_by: Asks
) -> None:
    row, nowhere, there = await games.get_game(service.db, number), asked_by(channel=CHANNEL), asked_by()
    chesapeake, other = TITLES["18chesapeake"], TITLES["18al"]
    with pytest.raises(
        Refused, match=r"^Say which title: 18al, .*\. In the thread of a game it is the game's\.$"
    ):
        await typed(nowhere, "rules")
    assert await title_help(nowhere) == HELP_ON_RULES
    assert await title_meant(nowhere, "18al") == (other, None)
    assert await title_meant(there, None) == (chesapeake, row)
    assert await title_meant(there, "18chesapeake") == (chesapeake, row)
    assert await title_meant(there, "18al") == (other, None)
    await typed(there, "rules", topic="trains")
    assert (there.deferred, there.answers) == (True, [rules_text(chesapeake, row, "trains")])
    assert await title_help(there) == (
        f"**Rules of 18Chesapeake** in a few lines: `/rules` with one of {', '.join(topics_of(chesapeake))}."
    )


async def test_why_checks_one_command_of_ones_own(number: int, asked_by: Asks) -> None:
    assert number
    asked, wrong = asked_by(BOB), asked_by(BOB)
    await typed(asked, "why", move="pass")
    assert (asked.deferred, asked.answers) == (True, ["On your turn this would be possible."])
    with pytest.raises(Refused) as refused:
        await typed(wrong, "why", move="dance", details="PRR")
    assert str(refused.value) == (
        "`/why` checks one command: choose it from the list, e.g. `move:buy details:PRR`."
    )


def test_of_a_large_map_a_part_is_shown_a_zone_what_a_company_reaches_or_a_close_up() -> None:
    game = Game("18c2c", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1)
    live: Any = SimpleNamespace(game=game)
    whole = map_view(game)
    for wanted in ("", "ALL"):
        assert _map_part(live, wanted) == (whole, ())
    assert _map_part(live, whole.hexes[0].coord.lower()) == (whole, (whole.hexes[0].coord,))
    for wanted in ("b&o", "Canada East"):
        part, close_up = _map_part(live, wanted)
        assert 0 < len(part.hexes) < len(whole.hexes)
        assert close_up == ()


def test_one_card_is_found_by_its_abbreviation_or_its_name() -> None:
    view = privates_view(Game("18chesapeake", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1))
    assert view is not None
    for named in (" d&r", "Delaware and Raritan canal"):
        card = _card(view, named)
        assert [[lot.badge.company for lot in column] for column in card.columns] == [["D&R"]]
        assert (card.seats, card.coming) == ((), ())
    with pytest.raises(Refused, match=r"^There is no private XY\. Privates: D&R, C-P, "):
        _card(view, "XY")


async def test_the_cards_of_the_privates_are_shown_all_or_one(
    number: int, asked_by: Asks, drawn: Drawn
) -> None:
    assert number
    every, one = asked_by(), asked_by()
    await typed(every, "private")
    await typed(one, "private", private="C-P")
    (whole,), (card,) = drawn.noted
    assert len(whole.seats) == 3
    assert card == _card(whole, "C-P")
    assert [pictures(asked) for asked in (every, one)] == [
        [("privates.png", of_sale(view))] for view in (whole, card)
    ]
    assert (every.deferred, every.answers) == (True, [""])


@pytest.mark.parametrize(
    ("look", "names"),
    [
        ("table", ["table.png"]),
        ("tiles", ["tiles.png"]),
        ("trains", ["phases.png"]),
        ("chart", ["chart.png"]),
    ],
)
async def test_a_look_at_the_table_is_a_picture_with_words_for_it(
    number: int, asked_by: Asks, look: str, names: list[str]
) -> None:
    assert number
    asked = asked_by()
    await typed(asked, look)
    assert [name for name, _ in pictures(asked)] == names
    assert all(words for _, words in pictures(asked))
    assert (asked.deferred, len(asked.answers)) == (True, 1)
    assert bool(asked.answers[0]) == (look == "trains")
