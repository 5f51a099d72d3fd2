"""That site asks where nothing can be done: the answers are found by playing along, until it would refuse something."""

from typing import Any

import pytest

from engine.core.state import Ending
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.writer import ShadowGame
from tests.engine.interchange.logs import GRANITE, Raw, lays, passes
from tests.engine.interchange.test_new_england import SEED, minor
from tests.engine.interchange.test_written_logs import runs, there
from tests.titles.builders import do
from tests.titles.t18newengland.newengland import NewEngland


def asked(answers: list[Raw]) -> list[tuple[str, str]]:
    """Their kinds and whose they are."""
    return [(raw["type"], raw["entity"]) for raw in answers]


def started() -> ShadowGame:
    """The ER is to lay its first track, the BL operates after it."""
    minors = (minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"), minor(2, "ER"))
    return there(*minors, passes(1), passes(2), passes(3), seed=SEED)


def along(place: NewEngland) -> ShadowGame:
    """Playing along from this position."""
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


def by(kind: str, entity: str, **values: Any) -> Raw:
    """An action of a log."""
    return {"type": kind, "entity": entity, **values}


def test_that_site_refuses_today_what_old_logs_of_it_hold() -> None:
    """A private may lay its tiles one at a time in none that is written now."""
    game = Game("18chesapeake", [(name, name) for name in "abc"], 0, "18xx.games", from_log=99)
    old = {name for name in game.rules.flags if game.rules.FLAGS[name].only_old}
    assert old
    assert ShadowGame(game)._game.rules.flags == game.rules.flags - old


# --- passes -----------------------------------------------------------------------------------------------------


def test_the_answer_of_a_player_or_a_company_says_which_it_is() -> None:
    """And that only that site asks for it."""
    (player,) = there(seed=SEED).questions(minor(2, "ER"))
    assert player == {"type": "pass", "entity": 1, "entity_type": "player", "asked_there": True}
    (company,) = there(*GRANITE).questions(runs("GR", ["L7"]))
    assert company == {"type": "pass", "entity": "GR", "entity_type": "corporation", "asked_there": True}


def test_an_empty_run_comes_after_an_answer_to_each_step_before_it_too() -> None:
    assert asked(there(*GRANITE).questions(runs("GR"))) == [("pass", "GR")]


def test_an_empty_run_of_a_company_whose_turn_is_over_answers_nothing() -> None:
    """The BL is asked for its track as before."""
    playing = started()
    for raw in (passes("ER"), runs("ER"), passes("ER")):
        playing.questions(raw)
    assert playing.questions(runs("ER")) == []
    assert playing.questions(passes("BL")) == []


def test_an_empty_run_of_the_next_company_comes_after_the_turn_of_the_one_before() -> None:
    """The ER has run and may buy a train; the BL has not laid track yet."""
    playing = started()
    for raw in (passes("ER"), runs("ER")):
        playing.questions(raw)
    assert asked(playing.questions(runs("BL"))) == [("pass", "ER"), ("pass", "BL")]


def test_an_empty_run_in_a_merger_round_answers_nothing() -> None:
    assert along(two_minors().merging()).questions(runs("HRR")) == []


def test_once_the_last_turn_is_over_there_nothing_is_asked() -> None:
    """The bank is broken, and nobody operates any more."""
    place = position().cash(a=500).minor("GR", 70, "a", "2").operating("GR", "trains")
    place.state.ending = Ending("bank")
    playing = along(place)
    playing.questions(passes("GR"))
    assert playing._game.over
    assert playing.questions(runs("GR")) == playing.questions(passes("GR")) == playing.last_questions() == []


def test_between_two_actions_come_no_more_questions_than_a_round_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be asked for ever is another game."""
    done: list[Raw] = []

    def nothing_happens(importer: Importer, raw: Raw) -> None:
        done.append(raw)
        assert len(done) < 99

    for before in (True, False):
        playing = started()
        done.clear()
        monkeypatch.setattr(playing, "_do", nothing_happens)
        answers = playing.questions(passes("BL")) if before else playing.last_questions()
        assert asked(answers) == [("pass", "ER")] * 32


def test_after_the_last_action_what_may_be_passed_is_passed() -> None:
    """The run must be made: that is the player's."""
    playing = started()
    assert asked(playing.last_questions()) == [("pass", "ER")]
    assert playing.last_questions() == []


def test_after_the_last_action_no_pass_of_a_player_is_asked_for() -> None:
    """In a draft, or a stock round."""
    assert there(seed=SEED).last_questions() == []
    assert along(position().stock("a")).last_questions() == []


def test_after_the_last_action_a_merger_round_is_passed() -> None:
    assert asked(along(two_minors().merging()).last_questions())[:2] == [("pass", "HRR"), ("pass", "AWS")]


def test_once_something_would_be_refused_there_nothing_is_asked_any_more() -> None:
    """Player 2 has no turn in an operating round."""
    playing = started()
    assert playing.questions(passes(2)) == []
    assert playing.questions(runs("ER", ["L7"])) == []
    assert playing.last_questions() == []


def test_a_stock_round_is_asked_as_here() -> None:
    """A pass of a player on turn is never added: what another one does is refused."""
    playing = along(position().stock("a").cash(b=500))
    assert playing.questions(passes("b")) == []
    assert playing.questions(passes("a")) == []


@pytest.mark.parametrize(("step", "passed"), [("trains", [("pass", "CN")]), ("track", []), ("merge", [])])
def test_a_bankruptcy_is_declared_in_the_step_that_waited_here(
    step: str, passed: list[tuple[str, str]]
) -> None:
    """The CN cannot pay for a train: it may say so while it is to lay track, or when it is to buy one."""
    place = position().phase("8").cash(a=10).major("CN", 100, a=20, treasury=20).operating("CN", "track")
    assert asked(along(place).questions(by("bankrupt", "CN"), step)) == passed


@pytest.mark.parametrize(
    ("step", "passed"), [("trains", [("pass", "CN")]), ("track", []), ("last_chance", [])]
)
def test_a_redemption_is_made_in_the_step_that_waited_here(step: str, passed: list[tuple[str, str]]) -> None:
    """The CN may redeem at any time; a last chance to is nothing that turn waits for there."""
    place = position().major("CN", 100, a=20, market=20, treasury=500).operating("CN", "track")
    redeems = by("buy_shares", "CN", entity_type="corporation", shares=["CN_1"], percent=10)
    assert asked(along(place).questions(redeems, step)) == passed


@pytest.mark.parametrize("kind", ["redemption", "bankruptcy"])
def test_what_comes_in_the_next_turn_ends_the_one_before(kind: str) -> None:
    """The CN might still issue shares; the NYC begins its turn with this."""
    place = position().phase("8").cash(b=0).major("CN", 145, a=20).trains("CN", "8E")
    place.major("NYC", 100, b=20, market=20, treasury=500).operating("CN", "issue", number=1, of=1)
    playing = along(place)
    raw = by("bankrupt", "NYC")
    if kind == "redemption":
        raw = by("buy_shares", "NYC", entity_type="corporation", shares=["NYC_1"], percent=10)
    assert asked(playing.questions(raw, "track")) == [("pass", "CN")]


def test_a_proposal_hides_no_step_of_a_turn() -> None:
    """A bankruptcy or redemption in place of waiting for the answer is made in the train step."""
    place = NewEngland().major("B&A", 100, treasury=400, a=40).trains("B&A", "3").minor("PE", 50, "b", "3")
    game = place.operating("B&A", "trains").game()
    do(game, "buy_train", "B&A", train="3", source="PE", trade_in="", price=1)
    waiting, of_turn = game.step(), game.step_of_turn()
    assert waiting is not None
    assert of_turn is not None
    assert (waiting.name, of_turn.name) == ("consent", "trains")


# --- runs -------------------------------------------------------------------------------------------------------


def test_a_company_that_never_had_a_route_is_not_asked_for_its_run() -> None:
    """No track leads out of Albany yet."""
    place = position().minor("HRR", 70, "a", "2").operating("HRR")
    assert along(place).questions(passes("HRR")) == []


def test_a_company_without_a_train_is_not_asked_for_its_run() -> None:
    """The GR has a route in its home."""
    playing = along(position().cash(a=500).minor("GR", 70, "a").operating("GR"))
    assert asked(playing.questions(passes("GR"))) == []
    assert asked(playing.questions(passes("GR"))) == []


def test_the_run_of_a_company_that_had_a_route_once_comes_after_the_last_action_too() -> None:
    playing = there(*GRANITE, lays("GR", "L7", "6-0", 0))
    assert asked(playing.last_questions())[:1] == [("run_routes", "GR")]


# --- mergers ----------------------------------------------------------------------------------------------------


def test_the_minors_before_the_one_that_merges_pass() -> None:
    """The HRR, at the higher value, is asked first; the one that is asked itself passes nothing."""
    for kind in ("convert", "merge"):
        raw = by(kind, "AWS", corporation="CN")
        assert asked(along(two_minors().merging()).questions(raw)) == [("pass", "HRR")]
        assert along(two_minors().merging()).questions(raw | {"entity": "HRR"}) == []


def test_the_turns_before_a_merger_round_are_passed() -> None:
    """Its own, and that of another minor: neither is the merger that the HRR is asked about."""
    playing = along(two_minors().operating("HRR", "track"))
    assert asked(playing.questions(by("convert", "HRR"))) == [("pass", "HRR"), ("pass", "AWS")]


def merged(place: NewEngland) -> ShadowGame:
    """Ann's two minors have become the CN."""
    playing = along(place)
    for name in ("AWS", "CN"):
        assert playing.questions(by("merge", "HRR", corporation=name)) == []
    return playing


def test_one_of_two_stations_in_a_hex_goes_back_before_shares_are_bought() -> None:
    """R-NE-124: the first of two cities, as that site names it where nothing is laid."""
    bought = by("buy_shares", "a", shares=["CN_1"], percent=10)
    (answer,) = merged(two_minors().merging()).questions(bought)
    assert answer == {
        **{"type": "remove_token", "entity": "CN", "entity_type": "corporation", "asked_there": True},
        **{"city": "B3-0-0", "slot": 0},
    }
    assert asked(merged(two_minors().merging()).last_questions())[:1] == [("remove_token", "CN")]
