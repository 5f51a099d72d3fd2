"""Recorded games of other titles, played over again at a table by commands and buttons."""

from pathlib import Path

import pytest

from bot.client.threads import HOUR
from bot.sandbox import people
from engine.record import load_record, read_record
from tests.bot.house import House
from tests.bot.positions import NAMES, seated_at
from tests.bot.replayer import Replayer

GOLDEN = Path(__file__).parents[1] / "golden"
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))
MINORS = {"reserve", "start_minor", "liquidate"}
MAJORS = {"convert", "merge", "return_token", "buy_share", "sell_shares", "redeem", "issue"}
CORPORATIONS = {
    "propose_merger",
    "shuffle",
    "redeem_share",
    "reissue",
    "buy_tokens",
    "place_bull",
    "buy_marker",
}


@pytest.mark.parametrize(
    ("name", "until", "kinds"),
    [
        ("18al-bankruptcy-3p", 0, {"place_marker", "answer", "buy_private", "declare_bankruptcy"}),
        ("18tn-bankruptcy-3p", 0, {"answer", "buy_private", "declare_bankruptcy"}),
        ("18newengland-bank-3p", 0, {*MINORS, *MAJORS, "declare_bankruptcy", "discard_train"}),
        ("18c2c-bank-3p", 1000, CORPORATIONS),
        ("18newengland-last_player-2p", 300, {"liquidate", "redeem", "issue", "declare_bankruptcy"}),
    ],
)
async def test_a_recorded_game_is_played_to_the_same_end(
    house: House, name: str, until: int, kinds: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a position on, every move is typed or pressed; the end is the recorded one, to the digest."""
    # A press that goes well is answered by the thread, not by a message of its own.
    monkeypatch.setattr(people, "GRACE", 0.0)
    text = (GOLDEN / f"{name}.json").read_text("utf-8")
    written = read_record(text)
    seated = await seated_at(house, load_record(text, until))
    replayer = Replayer(house, seated, SEATS)
    for number, action in enumerate(written.actions[until:], until + 1):
        await replayer.play(action, number)
    await house.settled()
    assert await seated.digest() == written.digest
    assert house.world.channel(seated.thread).archive_minutes == HOUR
    assert {"pass", "lay_tile", "run_routes", "dividend", "buy_train", *kinds} <= replayer.made
    assert replayer.pressed > 10
