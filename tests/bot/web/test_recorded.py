"""Recorded games, played over again by nothing but what the page asks, to the same position."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.moves.moves import OneClickMove
from engine.core.actions import Action, read_action
from engine.game import Game
from engine.record import read_record
from tests.bot.support.table_service import CHANNEL, GUILD
from tests.bot.web.visitors import Browser, Site

GOLDEN = Path(__file__).parents[2] / "golden"
NUMBERS = (11, 12, 13, 14)
SHOWN_EVERY = 25
"""One of this many positions is looked at, too."""


class Players:
    """Everybody at one table, each with a browser."""

    def __init__(self, site: Site, game: int, browsers: dict[str, Browser]) -> None:
        self._site = site
        self._game = game
        self._browsers = browsers
        self.made: set[str] = set()

    async def play(self, action: Action, number: int) -> None:
        """Make this move, the `number`-th of the game, unless it makes itself."""
        async with self._site.service.tables.reading(self._game) as live:
            if len(live.effective_rows) > number:
                assert read_action(live.effective_rows[number].payload) == action, (number, action)
                return
        browser = self._browsers[action.actor]
        found = (await browser.get("/offers")).json
        offers = [
            one for one in found["offers"] if (one["kind"], one["entity"]) == (action.kind, action.entity)
        ]
        assert offers, (number, action, found)
        offer = offers[0]
        body = {"seq": found["seq"], "offer_key": offer["key"], "picks": _picks(action, offer["slot_names"])}
        step = await self._walked(browser, body, action)
        made = await browser.post("/play", {**body, "is_confirmed": step["needs_confirmation"]})
        assert made.status == 200, (number, action, made.body)
        self.made.add(action.kind)
        async with self._site.service.tables.reading(self._game) as live:
            assert read_action(live.effective_rows[number].payload) == action, (number, action)

    async def _walked(self, browser: Browser, body: dict[str, Any], action: Action) -> dict[str, Any]:
        answer = await browser.post("/walk", body)
        assert answer.status == 200, (action, answer.body)
        step: dict[str, Any] = answer.json["step"]
        assert (step["input_kind"], step["move_key"]) == ("nothing", OneClickMove("", action).key), (
            action,
            step,
        )
        return step

    async def look(self, digest: str) -> None:
        for browser in self._browsers.values():
            answer = await browser.get("/position")
            assert (answer.status, answer.json["digest"]) == (200, digest)


def _picks(action: Action, slots: list[str]) -> list[str]:
    values = action.chosen()
    return [_written(values[slot]) for slot in slots]


def _written(value: object) -> str:
    return (";".join(value) if isinstance(value, tuple) else str(value)) or "none"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("18chesapeake-agreement-2p", [(36, 56)]),
        ("18al-bankruptcy-3p", [(186, 193), (286, 293), (668, 677)]),
        ("18newengland-bank-3p", [(0, 6), (136, 143), (286, 293)]),
        pytest.param("18chesapeake-bank-4p", None, marks=pytest.mark.long),
        pytest.param("18al-price-3p", None, marks=pytest.mark.long),
        pytest.param("18tn-bank-3p", None, marks=pytest.mark.long),
        pytest.param("18newengland-bank-3p", None, marks=pytest.mark.long),
    ],
)
async def test_recorded_game_is_played_at_the_board(
    site: Site, name: str, parts: list[tuple[int, int]] | None
) -> None:
    """Parts of each title, in long runs a whole game of each."""
    await played_over(site, name, parts)


async def played_over(site: Site, name: str, parts: list[tuple[int, int]] | None) -> None:
    """Play these parts of a recorded game, or all of it, and look at its position."""
    whole = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    players = [player for player, _ in whole.players]
    for first, last in parts or [(0, len(whole.actions))]:
        people = tuple(zip(NUMBERS, (name for _, name in whole.players), strict=False))
        number = await store_recorded_game(
            site.service.tables,
            replace(whole, actions=whole.actions[:first]),
            ImportTarget(GUILD, CHANNEL, people),
        )
        async with site.service.tables.reading(number) as live:
            game = Game.load(live.game.dump())
        browsers = {
            player: await site.browser(number, user) for player, user in zip(players, NUMBERS, strict=False)
        }
        table = Players(site, number, browsers)
        for count, action in enumerate(whole.actions[first:last], first + 1):
            await table.play(action, count)
            game.apply(action)
            if count % SHOWN_EVERY == 0:
                await table.look(await site.service.digest(number))
        assert await site.service.digest(number) == game.digest()
        assert table.made
