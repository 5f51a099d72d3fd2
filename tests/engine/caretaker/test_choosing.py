"""The caretaker has a legal answer in every position, always the same, and leaves the position as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.caretaker import STRENGTHS, STRONGEST, choose, choosing
from engine.caretaker.choosing import weighed
from engine.core.ids import PlayerId
from engine.game import Game
from engine.play.steps.base import Request
from engine.record import read_record
from tests.engine.caretaker.opinions import kept, opinion, record_of

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


def positions(log: Path, every: int) -> Iterator[tuple[Game, PlayerId]]:
    """Positions of a recorded game, each with every player who has an offer in it."""
    record = read_record(log.read_text("utf-8"))
    game = record.begin()
    for number, action in enumerate(record.actions):
        if number % every == len(log.stem) % every:
            able = dict.fromkeys(offer.actor for offer in game.offers() if offer.kind != "end_game")
            yield from ((game, player) for player in able)
        game.apply(action)


@pytest.mark.parametrize(
    "name",
    [pytest.param(path.stem, marks=pytest.mark.long if "c2c_full" in path.stem else ()) for path in GOLDEN],
)
def test_a_player_with_an_offer_gets_a_legal_move_for_the_stored_reasons(name: str) -> None:
    """Whatever is decided in the games of our own, also where it is another one's turn."""
    record, thoughts = record_of(name), kept()[name]
    assert thoughts
    game = record.begin()
    for thought in thoughts:
        game.apply_all(record.actions[game.seq : thought["seq"]])
        found, action = opinion(game, thought["player"], thought["strength"])
        assert found == thought
        assert action.actor == thought["player"]
        assert game.obstacle(Request.of(action)) is None, action


def test_the_same_position_and_seed_give_the_same_move_and_nothing_changes() -> None:
    for game, player in positions(GOLDEN[0], 121):
        before = game.digest()
        first = choose(game, player, 7)
        assert choose(Game.load(game.dump()), player, 7) == first
        assert game.digest() == before


@pytest.mark.parametrize("strength", STRENGTHS)
def test_each_strength_makes_legal_moves_and_the_same_again(strength: str) -> None:
    for game, player in positions(GOLDEN[1], 61):
        action = choose(game, player, 3, strength)
        assert game.obstacle(Request.of(action)) is None, action
        assert choose(game, player, 3, strength) == action


def test_what_it_has_no_view_of_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing may be declined, it takes the first offer that ruins nobody."""
    monkeypatch.setattr(choosing, "STRENGTHS", {STRONGEST: {}})
    kinds = set()
    for game, player in positions(GOLDEN[-1], 7):
        if player not in game.actors():
            continue
        action = choose(game, player, 1)
        offered = [offer.kind for offer in game.offers(player)]
        assert (action.kind == "pass") == ("pass" in offered)
        for idea in weighed(game, player) if "pass" not in offered else ():
            assert idea.worth in {-1_000_000 if idea.walk.offer.blocking else -2_000_000, -2_000_000_000}
        assert game.obstacle(Request.of(action)) is None, action
        kinds.add(action.kind)
    assert {"pass", "run_routes", "dividend"} <= kinds


def test_nobody_is_asked_who_has_no_offer() -> None:
    game = read_record(GOLDEN[0].read_text("utf-8")).begin()
    with pytest.raises(ValueError, match="nothing is offered to nobody"):
        choose(game, "nobody", 1)
