"""Questions about a game: what they may name, the words and pictures of the answer, and to whom they are shown."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.answers.inquiries import HELP_ON_RULES, Inquiries, _map_part
from bot.client.answers.views import Looks, _card
from bot.client.pictures import Pictures
from bot.client.texts.alt_texts import of_sale
from bot.client.texts.sheets import company_sheet, player_sheet
from bot.table.clocks.pausing import Pausing
from bot.table.drawing.drawing import draw
from bot.table.errors import Refused
from bot.table.settings.readings import rules_text, topics_of
from bot.workers.queues import Priority
from engine.game import Game
from engine.tell.view_builders import company_view, map_view, market_view, player_view, privates_view
from engine.titles import TITLES
from storage import games
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.tables import ANN, BOB, CHANNEL, GUILD, Bench

EVE, THREAD = 99, 77


class Drawn(Pictures):
    """Pictures that note what is drawn, in which queue and for whom."""

    noted: list[tuple[Any, ...]]

    async def _all_drawn(self, *pieces: Any) -> list[bytes]:
        assert (self._queue.priority, self._person) == (Priority.QUESTION, self._queue.person or self._person)
        self.noted += [what if how is not draw else what[1:] for how, what in pieces]
        return [b"\x89PNG"] * len(pieces)


class Desk:
    """What answers questions about a game of Ann, Bob and Cy."""

    def __init__(self, bench: Bench) -> None:
        self.pictures = Drawn()
        self.pictures.noted = []
        boards: Any = SimpleNamespace(buttons=self._buttons)
        self.inquiries = Inquiries(bench.tables, self.pictures, boards)
        self.looks = Looks(bench.tables, self.pictures)

    async def _buttons(self, asked: Any, number: int) -> list[Any]:
        asked.answers.append(f"links of {number}")
        return []


@pytest.fixture
def desk(bench: Bench) -> Desk:
    return Desk(bench)


def asked_by(user: int = ANN) -> Any:
    asked: Any = Asked(user, "Ann", COMMAND, thread=CHANNEL)
    asked.guild_id = GUILD
    return asked


def pictures(asked: Any) -> list[tuple[str, str | None]]:
    """The pictures of the answers by name, with the words for each."""
    return [(file.filename, file.description) for file in asked.files]


async def test_a_question_is_answered_with_its_picture_and_the_words_for_it(bench: Bench, desk: Desk) -> None:
    number, inquiries = await bench.game(), desk.inquiries
    async with bench.tables.reading(number) as live:
        game = live.game
    around, market, company = asked_by(), asked_by(), asked_by()
    whole, on_market = map_view(game), market_view(game)
    await inquiries.map(around, number, " f2 ")
    assert (around.answers, pictures(around)) == (["links of 1", whole.caption], [("map.png", whole.caption)])
    await inquiries.market(market, number)
    assert (market.answers, pictures(market)) == ([on_market.caption], [("market.png", on_market.caption)])
    await inquiries.company(company, number, " pRr ")
    of_company = company_view(game, "PRR", "p1")
    assert company.answers == [company_sheet(of_company)]
    assert pictures(company) == [("company.png", "The charter of Pennsylvania Railroad")]
    for user, named, player in ((BOB, None, "p2"), (EVE, "cY ", "p3"), (EVE, "p1", "p1")):
        asked = asked_by(user)
        await inquiries.player(asked, number, named)
        view = player_view(game, player, "p2" if user == BOB else None)
        assert (asked.deferred, asked.answers) == (True, [player_sheet(view)])
        assert pictures(asked) == [("player.png", f"The sheet of {view.name}")]
    assert all(asked.deferred for asked in (around, market, company))
    assert desk.pictures.noted[:3] == [(whole, ("F2",)), (on_market,), (of_company,)]


async def test_what_is_not_there_is_refused_with_what_is(bench: Bench, desk: Desk) -> None:
    number, inquiries = await bench.game(), desk.inquiries
    for attempt, why in (
        (
            inquiries.map(asked_by(), number, "Z9"),
            "There is no Z9 on this map: name a hex, a company, or `all`.",
        ),
        (
            inquiries.company(asked_by(), number, "XY"),
            "There is no company XY. Companies: PRR, PLE, SRR, B&O, C&O, LV, C&A, N&W.",
        ),
        (inquiries.player(asked_by(), number, "Dee"), "There is no player Dee. Players: Ann, Bob, Cy."),
        (inquiries.player(asked_by(EVE), number, None), "You have no seat"),
    ):
        with pytest.raises(Refused) as refused:
            await attempt
        assert str(refused.value).startswith(why)


async def test_how_a_game_stands_is_said_with_its_pause_and_both_pictures(bench: Bench, desk: Desk) -> None:
    number, runs, paused = await bench.game(), asked_by(), asked_by()
    await desk.inquiries.status(runs, number)
    links, text = runs.answers
    assert links == "links of 1"
    assert "pause" not in text
    assert [name for name, _ in pictures(runs)] == ["map.png", "market.png"]
    await Pausing(bench.tables).begin(number, ANN, None)
    await desk.inquiries.status(paused, number)
    assert "\nThe game pauses until a player resumes it; `/game resume` ends the pause." in paused.answers[1]


async def test_the_rules_are_those_of_the_title_named_else_of_the_game_of_the_thread(
    bench: Bench, desk: Desk
) -> None:
    number, inquiries = await bench.game(), desk.inquiries
    row, nowhere, there = await games.get_game(bench.db, number), asked_by(), asked_by()
    chesapeake, other = TITLES["18chesapeake"], TITLES["18al"]
    with pytest.raises(
        Refused, match=r"^Say which title: 18al, .*\. In the thread of a game it is the game's\.$"
    ):
        await inquiries.rules(nowhere, None, None)
    assert await inquiries.title_help(nowhere) == HELP_ON_RULES
    assert await inquiries.title_meant(nowhere, "18al") == (other, None)
    bench.tables.game_in = lambda _: number  # type: ignore[method-assign, assignment]
    assert await inquiries.title_meant(there, None) == (chesapeake, row)
    assert await inquiries.title_meant(there, "18chesapeake") == (chesapeake, row)
    assert await inquiries.title_meant(there, "18al") == (other, None)
    await inquiries.rules(there, "trains", None)
    assert (there.deferred, there.answers) == (True, [rules_text(chesapeake, row, "trains")])
    assert await inquiries.title_help(there) == (
        f"**Rules of 18Chesapeake** in a few lines: `/rules` with one of {', '.join(topics_of(chesapeake))}."
    )


async def test_why_checks_one_command_of_ones_own(bench: Bench, desk: Desk) -> None:
    number, asked, wrong = await bench.game(), asked_by(BOB), asked_by(BOB)
    await desk.inquiries.why(asked, number, "pass", "")
    assert (asked.deferred, asked.answers) == (True, ["On your turn this would be possible."])
    with pytest.raises(Refused) as refused:
        await desk.inquiries.why(wrong, number, "dance", "PRR")
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


async def test_the_cards_of_the_privates_are_shown_all_or_one(bench: Bench, desk: Desk) -> None:
    number, every, one = await bench.game(), asked_by(), asked_by()
    await desk.looks.privates(every, number, None)
    await desk.looks.privates(one, number, "C-P")
    (whole,), (card,) = desk.pictures.noted
    assert len(whole.seats) == 3
    assert card == _card(whole, "C-P")
    assert [pictures(asked) for asked in (every, one)] == [
        [("privates.png", of_sale(view))] for view in (whole, card)
    ]
    assert (every.deferred, every.answers) == (True, [""])


@pytest.mark.parametrize(
    ("look", "names"),
    [
        ("whole", ["table.png"]),
        ("tiles", ["tiles.png"]),
        ("trains", ["phases.png"]),
        ("chart", ["chart.png"]),
    ],
)
async def test_a_look_at_the_table_is_a_picture_with_words_for_it(
    bench: Bench, desk: Desk, look: str, names: list[str]
) -> None:
    number, asked = await bench.game(), asked_by()
    await getattr(desk.looks, look)(asked, number)
    assert [name for name, _ in pictures(asked)] == names
    assert all(words for _, words in pictures(asked))
    assert (asked.deferred, len(asked.answers)) == (True, 1)
    assert bool(asked.answers[0]) == (look == "trains")
