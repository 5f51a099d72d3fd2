"""Whole games of our own, one per way to end: the same actions lead to the same scores and digest for ever."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import ReplayDiverged, Unreadable
from engine.record import load_game, make_record, read_record, write_record

GAMES = sorted(Path(__file__).parent.glob("*.json"))
EVERY, FAR = 9, 900
"""A position of this many is looked at, so far into a game."""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_game_comes_to_the_same_end(path: Path) -> None:
    """Every action is accepted; scores, ending and digest are the recorded ones; no offer of a kind is missed."""
    written = read_record(path.read_text("utf-8"))
    game = written.initial_game()
    for number, action in enumerate(written.actions):
        if number % EVERY == 0 and number < FAR:
            for kind in ("pass", action.kind, "end_game"):
                assert game.offers(kind=kind) == tuple(offer for offer in game.offers() if offer.kind == kind)
        game.apply(action)
    assert game.is_over
    assert game.matches_digest(written.digest)
    assert game.scores() == written.scores
    ending = game.table.state.ending
    assert ending is not None
    assert ending.reason == path.stem.split("-")[1]


def test_golden_games_end_in_every_way() -> None:
    ends = {"bank", "bankruptcy", "agreement", "price", "last_player", "last_round", "all_closed"}
    assert {path.stem.split("-")[1] for path in GAMES} == ends


def test_record_round_trip() -> None:
    """Our own form keeps everything, the version of the rules by which the game began included. The first
    form held players' names and offers by their words, so that nothing can be compared with it."""
    text = GAMES[0].read_text("utf-8")
    written = read_record(text)
    assert write_record(written) == text
    assert replace(make_record(written.play(), written.actions), rules=written.rules) == written
    written = read_record(GAMES[0].read_text("utf-8"))
    text = write_record(replace(written, digest="0" * 32)).replace("stationmaster 2", "stationmaster 1")
    assert ' "from_log": 0,\n' in text
    first = read_record(text.replace(' "from_log": 0,\n', ""))
    assert first.from_log == len(first.actions)  # leniency for logs was not separate then
    assert first.play().digest() == written.digest


def test_other_records_are_refused() -> None:
    """Of another position, or of an unknown form."""
    written = read_record(GAMES[0].read_text("utf-8"))
    with pytest.raises(ReplayDiverged, match=f"action {len(written.actions)}"):
        replace(written, digest="2-" + "0" * 32).play()
    text = GAMES[0].read_text("utf-8").replace("stationmaster 2", "stationmaster 9")
    with pytest.raises(Unreadable, match="stationmaster 9"):
        read_record(text)


@pytest.mark.parametrize("until", [0, 1, 60])
def test_record_up_to_any_action(until: int) -> None:
    assert load_game(GAMES[0].read_text("utf-8"), until).seq == until
