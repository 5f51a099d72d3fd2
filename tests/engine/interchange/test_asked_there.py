"""That site asks where nothing can be done: the answers are found by playing along, until it would refuse something."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.state import Ending
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.writer import ShadowGame
from tests.engine.interchange.logs import (
    GRANITE,
    GRANITE_SEED,
    MINORS_SEED,
    RawAction,
    by,
    lays,
    minor,
    passes,
    runs,
)
from tests.titles.builders import do
from tests.titles.t18newengland.newengland import NewEngland


def asked(answers: list[RawAction]) -> list[tuple[str, str]]:
    return [(raw["type"], raw["entity"]) for raw in answers]


def there(*raws: RawAction, seed: int = GRANITE_SEED) -> ShadowGame:
    """18NewEngland on that site, after these actions of a log."""
    seats = [(str(number), f"Player {number}") for number in (1, 2, 3)]
    along = ShadowGame(Game("18newengland", seats, seed))
    for raw in raws:
        along.play_with_passes(raw)
    return along


def started(*raws: RawAction) -> ShadowGame:
    """The ER is to lay its first track, the BL operates after it."""
    minors = (minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"), minor(2, "ER"))
    return there(*minors, passes(1), passes(2), passes(3), *raws, seed=MINORS_SEED)


def along(place: NewEngland) -> ShadowGame:
    """Playing along from this position: that site's game begins where ours does, so it is put in its place."""
    found = ShadowGame(Game("18newengland", [(name, name) for name in "abc"], 0))
    found._game = place.game()
    found._importer = Importer(found._game)
    return found


def position(**facts: Any) -> NewEngland:
    """Read from a log of that site."""
    return NewEngland(profile="18xx.games", from_log=99, **facts)


def two_minors() -> NewEngland:
    """Ann's, both at home in Albany."""
    return position().cash(a=500).minor("HRR", 70, "a", "2").minor("AWS", 60, "a", "2")


def canadian(step: str, **facts: int) -> NewEngland:
    """The CN cannot pay for a train, and may redeem a share."""
    place = position().phase("8").cash(a=10).major("CN", 100, a=20, **facts)
    return place.operating("CN", step)


def no_train() -> NewEngland:
    """The GR has a route in its home."""
    return position().cash(a=500).minor("GR", 70, "a").operating("GR")


def broken_bank() -> ShadowGame:
    """The last turn is over."""
    place = position().cash(a=500).minor("GR", 70, "a", "2").operating("GR", "trains")
    place.state.ending = Ending("bank")
    playing = along(place)
    playing.play_with_passes(passes("GR"))
    return playing


GRANITE_PASS, ER_PASS = [("pass", "GR")], [("pass", "ER")]
REDEEMS = by("buy_shares", "CN", entity_type="corporation", shares=["CN_1"], percent=10)


@pytest.mark.parametrize(
    ("playing", "raw", "answers"),
    [
        # a run comes after an answer to each step before it
        (lambda: there(*GRANITE), runs("GR", ["L7"]), GRANITE_PASS),
        (lambda: there(*GRANITE), runs("GR"), GRANITE_PASS),
        # an empty run of a company that has had its run answers nothing
        (lambda: started(passes("ER"), runs("ER")), runs("ER"), []),
        (lambda: started(passes("ER"), runs("ER"), runs("ER")), passes("BL"), ER_PASS),
        (lambda: started(passes("ER"), runs("ER"), passes("ER")), runs("ER"), []),
        (lambda: started(passes("ER"), runs("ER"), passes("ER"), runs("ER")), passes("BL"), []),
        # that of the next company comes after the turn of the one before; in a merger round there is none
        (lambda: started(passes("ER"), runs("ER")), runs("BL"), [("pass", "ER"), ("pass", "BL")]),
        (lambda: along(two_minors().merging()), runs("HRR"), []),
        # nothing is asked once the game is over, or something would be refused
        (broken_bank, runs("GR"), []),
        (broken_bank, passes("GR"), []),
        (lambda: there(by("end_game", 1)), by("bankrupt", "GR"), []),
        (started, passes(2), []),
        (lambda: started(passes(2)), runs("ER", ["L7"]), []),
        # a pass of a player on turn is never added
        (lambda: along(position().stock("a").cash(b=500)), passes("b"), []),
        (lambda: along(position().stock("a").cash(b=500)), passes("a"), []),
        # a run that is not asked for: there never was a route, or there is no train
        (lambda: along(position().minor("HRR", 70, "a", "2").operating("HRR")), passes("HRR"), []),
        (lambda: along(no_train()), passes("GR"), []),
        # the minors before the one that merges pass, and the turns before a merger round
        *(
            (lambda: along(two_minors().merging()), by(kind, name, corporation="CN"), answers)
            for kind in ("convert", "merge")
            for name, answers in (("AWS", [("pass", "HRR")]), ("HRR", []))
        ),
        (
            lambda: along(two_minors().operating("HRR", "track")),
            by("convert", "HRR"),
            [("pass", "HRR"), ("pass", "AWS")],
        ),
    ],
)
def test_questions_before_an_action(
    playing: Callable[[], ShadowGame], raw: RawAction, answers: list[tuple[str, str]]
) -> None:
    assert asked(playing().play_with_passes(raw)) == answers


@pytest.mark.parametrize(
    ("raw", "step", "answers"),
    [
        (by("bankrupt", "CN"), "trains", [("pass", "CN")]),
        (by("bankrupt", "CN"), "track", []),
        (by("bankrupt", "CN"), "merge", []),
        (REDEEMS, "trains", [("pass", "CN")]),
        (REDEEMS, "track", []),
        (REDEEMS, "last_chance", []),
    ],
)
def test_step_of_a_bankruptcy_or_redemption(
    raw: RawAction, step: str, answers: list[tuple[str, str]]
) -> None:
    """In that which waited here; a last chance to redeem is nothing that turn waits for there."""
    facts = {"treasury": 20} if raw["type"] == "bankrupt" else {"treasury": 500, "market": 20}
    assert asked(along(canadian("track", **facts)).play_with_passes(raw, step)) == answers


@pytest.mark.parametrize("raw", [by("bankrupt", "NYC"), {**REDEEMS, "entity": "NYC", "shares": ["NYC_1"]}])
def test_next_turn_ends_the_one_before(raw: RawAction) -> None:
    """The CN might still issue shares; the NYC begins its turn with this."""
    place = position().phase("8").cash(b=0).major("CN", 145, a=20).trains("CN", "8E")
    place.major("NYC", 100, b=20, market=20, treasury=500).operating("CN", "issue", number=1, of=1)
    assert asked(along(place).play_with_passes(raw, "track")) == [("pass", "CN")]


@pytest.mark.parametrize(
    ("playing", "answers"),
    [
        (started, ER_PASS),  # the run must be made: that is the player's
        (lambda: there(seed=MINORS_SEED), []),  # a draft
        (lambda: along(position().stock("a")), []),
        (broken_bank, []),
        (lambda: started(passes(2)), []),  # which is refused there
    ],
)
def test_questions_after_the_last_action(
    playing: Callable[[], ShadowGame], answers: list[tuple[str, str]]
) -> None:
    game = playing()
    assert asked(game.play_last_passes()) == answers
    assert game.play_last_passes() == []


def test_answer_says_whose_it_is() -> None:
    """And that only that site asks for it."""
    (player,) = there(seed=MINORS_SEED).play_with_passes(minor(2, "ER"))
    assert player == {**passes(1), "entity_type": "player", "asked_there": True}
    (company,) = there(*GRANITE).play_with_passes(runs("GR", ["L7"]))
    assert company == {**passes("GR"), "entity_type": "corporation", "asked_there": True}
    (run,) = there(*GRANITE, lays("GR", "L7", "6-0", 0)).play_with_passes(passes("GR"))
    made = {"entity_type": "corporation", "asked_there": True, "extra_revenue": 0, "subsidy": 0}
    assert run == {**runs("GR"), **made}


def test_shadow_game_is_played_by_todays_rules() -> None:
    """A private may lay its tiles one at a time in no log that is written now."""
    game = Game("18chesapeake", [(name, name) for name in "abc"], 0, "18xx.games", from_log=99)
    old = {name for name in game.rules.flags if game.rules.FLAGS[name].is_for_old_logs}
    assert old
    assert ShadowGame(game)._game.rules.flags == game.rules.flags - old


def test_proposal_hides_no_step_of_a_turn() -> None:
    """A bankruptcy or redemption in place of waiting for the answer is made in the train step."""
    place = NewEngland().major("B&A", 100, treasury=400, a=40).trains("B&A", "3").minor("PE", 50, "b", "3")
    game = place.operating("B&A", "trains").game()
    do(game, "buy_train", "B&A", train="3", source="PE", trade_in="", price=1)
    waiting, of_turn = game.step(), game.step_of_turn()
    assert waiting is not None
    assert of_turn is not None
    assert (waiting.name, of_turn.name) == ("consent", "trains")


def test_station_goes_back_before_purchases() -> None:
    """R-NE-124: the first of two cities in a hex, as that site names it where nothing is laid."""

    def merged() -> ShadowGame:
        playing = along(two_minors().merging())
        for name in ("AWS", "CN"):
            assert playing.play_with_passes(by("merge", "HRR", corporation=name)) == []
        return playing

    (answer,) = merged().play_with_passes(by("buy_shares", "a", shares=["CN_1"], percent=10))
    assert answer == {
        **{"type": "remove_token", "entity": "CN", "entity_type": "corporation", "asked_there": True},
        **{"city": "B3-0-0", "slot": 0},
    }
    assert asked(merged().play_last_passes())[:1] == [("remove_token", "CN")]
