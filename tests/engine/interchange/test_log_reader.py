"""What is read of a log: the game it is of, and the actions that count."""

import json
from typing import Any

import pytest

from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import fact
from engine.interchange.log_reader import PROFILE, Log, read_log
from tests.engine.interchange.logs import Raw
from tests.engine.interchange.test_written_logs import golden, log_of

PASS: Raw = {"type": "pass", "entity": 1}


def text(*actions: Raw, **more: Any) -> str:
    """A log of two players with these actions, and whatever else it holds."""
    players = [{"id": 1, "name": "Ann"}, {"name": "Bob"}]
    return json.dumps({"title": "18AL", "players": players, "actions": list(actions), **more})


def read(*actions: Raw, until: int | None = None, **more: Any) -> Log:
    """It as it is read."""
    return read_log(text(*actions, **more), until)


def numbered(*ids: int) -> list[Raw]:
    """Passes with these ids."""
    return [PASS | {"id": number} for number in ids]


def refusal(*actions: Raw, until: int | None = None, **more: Any) -> Any:
    """The fact by which it is refused."""
    with pytest.raises(IllegalAction) as refused:
        read(*actions, until=until, **more)
    return refused.value.reason


def test_a_log_that_says_no_more_than_it_must_is_read() -> None:
    """A player without an id is known by the name."""
    assert read() == Log("18AL", (("1", "Ann"), ("Bob", "Bob")), 0, frozenset(), (), {}, None)
    assert (read().profile, read().from_log) == (PROFILE, None)


def test_what_is_empty_says_nothing() -> None:
    """`null` in place of settings, scores or a seed, and an empty seed."""
    assert read(settings=None, result=None, stationmaster=None) == read()
    for seed in (None, ""):
        assert read(settings={"seed": seed, "optional_rules": None}, id=87).seed == 87


def test_a_log_of_a_finished_game_has_its_scores_and_its_ending() -> None:
    found = read(result={"1": 700, "Bob": "650"}, game_end_reason="bank")
    assert (found.result, found.ended_by) == ({"1": 700, "Bob": 650}, "bank")


def test_the_seed_of_a_game_without_one_is_the_number_in_its_id() -> None:
    assert [read(id=name).seed for name in (23, "hotseat_17", "none")] == [23, 17, 0]
    assert read(id=23, settings={"seed": 5}).seed == 5
    assert read(id=23, settings={"seed": 0}).seed == 0


def test_options_are_those_of_that_site_and_ours() -> None:
    own = {"options": ["open"], "profile": "rulebook", "from_log": 3}
    found = read(settings={"optional_rules": ["salvage_3"]}, stationmaster=own)
    assert found.options == {"salvage_3", "open"}
    assert (found.profile, found.from_log) == ("rulebook", 3)


def test_a_log_of_ours_may_have_no_action_read_with_leniency() -> None:
    assert read(stationmaster={"from_log": 0}).from_log == 0


def test_a_log_is_read_up_to_the_action_with_an_id() -> None:
    """As the game stood then: an undo that comes later is not known yet."""
    log = [*numbered(2, 4, 7), {"type": "undo", "id": 9}]
    assert [action["id"] for action in read(*log, until=7).actions] == [2, 4, 7]
    assert [action["id"] for action in read(*log, until=6).actions] == [2, 4]
    assert [action["id"] for action in read(*log, until=9).actions] == [2, 4]
    assert read(*log, until=0).actions == ()


def test_a_log_that_ends_before_the_action_asked_for_says_where() -> None:
    assert refusal(*numbered(2, 4), until=5) == fact("log.ends_before", last=4, wanted=5)
    assert refusal(until=1) == fact("log.ends_before", last=0, wanted=1)


def test_actions_without_ids_are_numbered_by_their_place() -> None:
    log = ({**PASS, "entity": number} for number in (1, 2, 3))
    assert [action["entity"] for action in read(*log, until=2).actions] == [1, 2]


@pytest.mark.parametrize(("ids", "before", "number"), [((1, 1), 1, 1), ((1, 3, 2), 3, 2)])
def test_ids_that_do_not_increase_are_refused(ids: tuple[int, ...], before: int, number: int) -> None:
    assert refusal(*numbered(*ids)) == fact("log.ids_out_of_order", number=number, before=before)


@pytest.mark.parametrize("damaged", [1, "pass", {"auto_actions": 3}, {"auto_actions": [PASS, 1]}])
def test_an_entry_that_is_no_action_is_named_by_its_place(damaged: Any) -> None:
    assert refusal(PASS, damaged) == fact("log.no_action", number=2)


def test_every_field_that_a_log_must_have_is_named_where_it_is_missing() -> None:
    wrong: dict[str, Any] = {"title": 18, "players": "Ann", "actions": {}}
    for field, other in wrong.items():
        assert refusal(**{field: other}) == fact("log.field_missing", field=field)


def test_automatic_actions_come_after_the_action_that_caused_them() -> None:
    """Numbered among themselves; none, and an empty list, are the same."""
    automatic = [PASS | {"entity": number} for number in (2, 3)]
    caused, without = PASS | {"auto_actions": automatic}, PASS | {"auto_actions": None}
    steps = read(PASS, caused, without).steps()
    assert [(number, sub) for number, sub, _ in steps] == [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0)]
    assert [raw["entity"] for _, _, raw in steps] == [1, 1, 2, 3, 1]


def test_what_only_that_site_asks_for_counts_where_the_log_is_not_ours() -> None:
    """That site keeps the actions of a log it was given, and nothing that it does not know."""
    own = json.loads(log_of(golden("18newengland-last_player-2p")))
    written = len(own["actions"])
    assert len(read_log(json.dumps(own)).actions) < written
    del own["stationmaster"]
    assert len(read_log(json.dumps(own)).actions) == written


def test_a_log_with_a_value_of_another_kind_is_damaged() -> None:
    for more in ({"players": [None]}, {"settings": [1]}, {"result": {"1": "many"}}):
        assert refusal(**more).name == "log.damaged"
    with pytest.raises(Unreadable):
        read({"type": "pass", "id": "first"})
