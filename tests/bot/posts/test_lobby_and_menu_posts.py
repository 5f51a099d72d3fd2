"""Lobby messages and who hears of them, proposals and their buttons, menus of moves, and the way to one's next game."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client import parameters, which_game
from bot.client.features import proposals
from bot.client.features.next_game import next_game_button
from bot.client.features.wizard import offer_menu
from bot.client.offer_menus_and_forms import step_files
from bot.table.markdown import plain
from bot.table.moves.completions import MOST, Item
from bot.table.moves.lays import PAGE
from bot.table.moves.menus import AmountQuestion, Capacity, Ready, RunQuestion, SlotQuestion, Way
from bot.table.moves.moves import offer_key
from engine.core.facts import fact
from engine.core.offers import Offer
from engine.titles import TITLES
from tests.bot.support.table_service import ANN
from tests.titles.builders import new_game


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- proposals -------------------------------------------------------------------------------------------------------


def test_a_proposal_has_buttons_while_it_is_open() -> None:
    def labels(state: str) -> list[str]:
        items: list[Any] = list(proposals._view(some(game_id=5, number=3, state=state)).children)
        return [item.label for item in items]

    assert labels("open") == ["Agree", "Refuse", "Withdraw"]
    assert labels("accepted") == []


# --- moves -----------------------------------------------------------------------------------------------------------


def offers(count: int, kind: str = "sell_shares") -> list[Offer]:
    return [Offer(kind, "a", f"C{number}", fact("offer.end_game")) for number in range(count)]


def test_of_many_offers_a_menu_has_as_many_as_fit_and_passing_among_them() -> None:
    words, passing = plain(new_game()), Offer("pass", "a", "a", fact("offer.end_game"))
    menu = offer_menu(5, 9, words, [*offers(PAGE), passing], Capacity.MODERATOR)
    assert len(menu.options) == PAGE
    assert menu.options[-1].value == f"{offer_key(passing)}m"
    assert menu.options[-2].value == f"{offer_key(offers(PAGE)[-2])}m"


class Drawing:
    """Pictures that say what they are of."""

    async def market(self, view: Any) -> bytes:
        return f"market {view}".encode()

    async def map(self, view: Any) -> bytes:
        return f"map {view}".encode()

    async def sketch(self, sketch: Any) -> bytes:
        return b"sketch"


async def files(step: Any) -> list[tuple[str, bytes, str | None]]:
    drawing: Any = Drawing()
    return [(file.filename, file.fp.read(), file.description) for file in await step_files(drawing, step)]


async def test_steps_come_with_the_pictures_they_are_about() -> None:
    way = Way("Lay track", (), (), None, "")
    sketch: Any = some(choices=lambda: [Item("D2", "1 · D2"), Item("D4", "2 · D4")])
    assert await files(SlotQuestion(way, "hex", (), 0, False, sketch)) == [
        ("places.png", b"sketch", "1 · D2; 2 · D4")
    ]
    assert await files(SlotQuestion(way, "hex", (), 0, False)) == []
    assert await files(AmountQuestion(way, "price", (), "$5")) == []
    run: Any = some(view="A", label="Best run $120")
    assert await files(RunQuestion(way, (run, run))) == [
        ("routes-1.png", b"map A", "Best run $120"), ("routes-2.png", b"map A", "Best run $120"),
    ]  # fmt: skip
    merged: Any = Ready(way, some(), some(), "after")  # type: ignore[arg-type]
    assert await files(merged) == [("market.png", b"market after", "The market as it would be")]
    assert await files(Ready(way, some(), some(), None)) == []
    assert [name for name, *_ in await files(Ready(way, some(), some(), None, sketch))] == ["places.png"]


@pytest.mark.parametrize(
    ("cached", "player", "waits", "leads"),
    [
        (True, "p2", True, True),
        (True, "p1", True, False),
        (False, "p2", True, False),
        (True, "p2", False, False),
    ],
)
async def test_a_button_leads_to_ones_next_game_once_the_turn_is_over(
    monkeypatch: pytest.MonkeyPatch, cached: bool, player: str, waits: bool, leads: bool
) -> None:
    live = some(player_of=lambda _: player, game=some(actors=lambda: ("p1",)))
    row = some(id=7, name="18AL", guild_id=1, thread_id=3, channel_id=2, turn_message_id=4)

    async def next_for(*_: object) -> Any:
        return row if waits else None

    monkeypatch.setattr("bot.client.features.next_game.waiting_games.next_game", next_for)
    tables: Any = some(db=None, cached=lambda _: live if cached else None)
    view = await next_game_button(tables, ANN, 5)
    assert (view is not None) == leads
    if view is not None:
        (button,) = view.children
        assert isinstance(button, discord.ui.Button)
        assert (button.label, button.url) == (
            "My next game: 18AL, game 7", "https://discord.com/channels/1/3/4",
        )  # fmt: skip


# --- completions -----------------------------------------------------------------------------------------------------


def rows(count: int) -> list[Any]:
    return [some(id=number, name="18AL") for number in range(1, count + 1)]


def test_of_many_games_the_newest_are_completed_and_older_ones_by_their_number() -> None:
    found = which_game._numbered(rows(MOST + 5), "")
    assert [choice.value for choice in found] == list(range(6, MOST + 6))
    assert which_game._numbered(rows(MOST + 5), " 3 ")[0].value == 3
    assert [choice.name for choice in which_game._numbered(rows(2), "")] == ["1: 18AL", "2: 18AL"]


def test_an_option_is_completed_behind_those_that_are_typed() -> None:
    title = next(one for one in TITLES.values() if len(one.rules.OPTIONS) > 1)
    codes = list(title.rules.OPTIONS)
    found = which_game._option_choices(title, f"{codes[0]}, ")
    assert found[0].value == f"{codes[0]}, {codes[1]}"
    assert all(len(choice.name) <= 100 for choice in found)
    names = [choice.value for choice in which_game._profile_choices(title, "")]
    assert names == list(title.spec.profiles)


def test_no_bot_plays_a_seat() -> None:
    user: Any = some(bot=False, id=ANN, display_name="Ann")
    assert parameters.person(user) == (ANN, "Ann")
    with pytest.raises(Exception, match="A bot plays no seat"):
        parameters.person(some(bot=True))
    assert len(parameters.known_titles()) == len(TITLES)


async def test_a_completion_that_fails_is_empty_and_one_for_an_onlooker_too() -> None:
    def of(live: Any) -> Any:
        async def live_soon(_: int) -> Any:
            return live

        return some(
            client=some(tables=some(game_in=lambda place: 5 if place == 3 else None), live_soon=live_soon),
            channel_id=3, user=some(id=ANN), namespace=[],
        )  # fmt: skip

    def named(live: Any) -> list[Item]:
        return [Item(name, name) for name in live.names]

    names = parameters.listed(named)
    known = of(some(names=["Ann", "Bob"]))
    assert [choice.value for choice in await names(known, "b")] == ["Bob"]
    assert await names(of(None), "") == []
    assert await names(of(some()), "") == [], "what nobody foresaw"
    known.channel_id = 4
    assert await names(known, "") == []
    onlooker = of(some(player_of=lambda _: None))
    assert await parameters.entity("pass")(onlooker, "") == []
    seated = parameters._seated(lambda live, player, interaction, typed: [Item(player, typed)])
    assert seated(some(player_of=lambda _: "p1"), onlooker, "x") == [Item("p1", "x")]
