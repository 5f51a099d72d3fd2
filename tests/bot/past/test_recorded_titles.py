"""Recorded games of other titles, played over again at a table by commands and buttons."""

from dataclasses import replace

import pytest

from bot.client.places.threads import HOUR_MINUTES
from engine.game import Game
from tests.bot.support.positions import NAMES, recorded, seated_at
from tests.bot.support.replayer import Replayer
from tests.bot.support.sandbox_bot import SandboxBot

SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))
MINORS = {"reserve", "start_minor", "liquidate"}
MAJORS = {"convert", "merge", "return_token", "buy_share", "sell_shares", "redeem", "issue"}
MARKET = {"buy_share", "sell_shares"}


@pytest.mark.parametrize(
    ("name", "parts", "kinds"),
    [
        (
            "18al-bankruptcy-3p",
            [(186, 193), (244, 247), (286, 293), (668, 677)],
            {"place_marker", "answer", "sell_private", "buy_private", "place_token", "declare_bankruptcy"},
        ),
        pytest.param(
            "18tn-bankruptcy-3p",
            [],
            {"answer", "sell_private", "buy_private", "declare_bankruptcy"},
            marks=pytest.mark.long,
        ),
        (
            "18newengland-bank-3p",
            [(14, 24), (44, 46), (136, 143), (237, 250), (286, 293)],
            {*MINORS, *MAJORS, "declare_bankruptcy"},
        ),
        pytest.param(
            "18newengland-last_player-2p",
            [],
            {*MARKET, "start_minor", "liquidate", "convert", "redeem", "declare_bankruptcy"},
            marks=pytest.mark.long,
        ),
    ],
)
async def test_recorded_game_is_played_again(
    sandbox: SandboxBot,
    request: pytest.FixtureRequest,
    name: str,
    parts: list[tuple[int, int]],
    kinds: set[str],
    whole_games: bool,
) -> None:
    """Parts of the game, in long runs all of it: every move is typed or pressed; the digest is that of the record.

    Games whose kinds of moves another one has, too, are played in long runs alone.
    """
    await played_over(sandbox, request, name, parts, kinds, whole_games)


async def played_over(
    sandbox: SandboxBot,
    request: pytest.FixtureRequest,
    name: str,
    parts: list[tuple[int, int]],
    kinds: set[str],
    whole_games: bool,
) -> None:
    if not whole_games:
        for left_out in ("undrawn", "unfilmed"):  # long runs draw every position, and how the map grew, too
            request.getfixturevalue(left_out)
    written = recorded(name)
    made, pressed = set[str](), 0
    for first, last in [(0, len(written.actions))] if whole_games else parts:
        seated = await seated_at(sandbox, replace(written, actions=written.actions[:first]))
        async with sandbox.client.tables.reading(seated.number) as live:
            game = Game.load(live.game.dump())
        replayer = Replayer(sandbox, seated, SEATS)
        for number, action in enumerate(written.actions[first:last], first + 1):
            await replayer.play(action, number)
            game.apply(action)
        await sandbox.settled()
        assert await seated.digest() == game.digest()
        made |= replayer.made
        pressed += replayer.pressed
    assert (sandbox.world.channel(seated.thread).archive_minutes == HOUR_MINUTES) == game.is_over
    assert {"pass", "lay_tile", "run_routes", "dividend", "buy_train", *kinds} <= made
    assert pressed
