"""18Chesapeake: whatever is asked for in any step is done or refused in a sentence; asking changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.actions import build_action
from engine.core.errors import IllegalAction
from engine.core.offers import Domain, Offer, Routes
from engine.game import Game
from engine.play.steps.base import Request
from tests.titles.builders import Position, do, new_game, tell

ODD: tuple[Any, ...] = (
    "",
    "?",
    "zz",
    "PRR",
    "b&o",
    "CV",
    "a",
    "Z99",
    "offering",
    "٣",
    "x" * 500,
    -1,
    0,
    7,
    10**12,
    True,
    1.5,
    None,
    ("2:",),
    ("9:J2.a-4 K1.1-a",),
    ("2:J2.z-4 K1.1-z",),
    ("2:Z9.a-4",),
    ["2:J2.a-4"] * 40,
    {},
)
KINDS: tuple[str, ...] = (
    "bid",
    "pass",
    "par",
    "buy_share",
    "sell_shares",
    "lay_tile",
    "place_token",
    "run_routes",
    "dividend",
)
KINDS += ("buy_train", "discard_train", "buy_private", "sell_private", "place_marker", "answer")
KINDS += ("declare_bankruptcy", "end_game")
SAMPLE: dict[str, dict[str, Any]] = {
    "bid": {"private": "CV", "amount": 205},
    "par": {"company": "SRR", "price": 80},
    "buy_share": {"company": "LV", "source": "market"},
    "sell_shares": {"company": "LV", "shares": 1},
    "lay_tile": {"hex": "I3", "tile": "9", "rotation": 1},
    "place_token": {"hex": "J4", "city": 0},
    "run_routes": {"routes": ()},
    "dividend": {"option": "pay"},
    "buy_train": {"train": "3", "source": "bank", "trade_in": "", "price": 180},
    "discard_train": {"train": "3"},
    "buy_private": {"private": "D&R", "price": 20},
    "sell_private": {"private": "D&R", "buyer": "c", "price": 20},
    "place_marker": {"hex": "J4"},
    "answer": {"reply": "agree"},
}


def lehigh(phase: str = "3") -> Position:
    """LV among others, with something to do in every step."""
    position = Position().phase(phase).start("LV", 95, a=60, market=10).tile("J2", "15", 4).trains("LV", "2")
    position.start("PRR", 80, b=60, a=10).trains("PRR", "3").share_of("B&O", "a").owns("b", "D&R", "C&OC")
    return position.owns("LV", "B&S")


def par_due() -> Game:
    """Vanderbilt's par price is due."""
    game = new_game(3)
    for price, private in ((20, "D&R"), (40, "C-P"), (50, "B&S"), (80, "C&OC"), (100, "B&OR"), (200, "CV")):
        do(game, "bid", game.actors()[0], private=private, amount=price)
    return game


def contest() -> Game:
    """Two bidders fight."""
    game = new_game(3)
    for player, private, amount in (("a", "C-P", 45), ("b", "C-P", 50), ("c", "D&R", 20)):
        do(game, "bid", player, private=private, amount=amount)
    return game


def dividend() -> Game:
    """LV has run."""
    game = lehigh().operating("LV", "run").game()
    do(game, "run_routes", "LV", routes=("2:J2.a-4 K1.1-a",))
    return game


def second_tile() -> Game:
    """The first of two tiles lies."""
    game = lehigh().operating("LV").game()
    do(game, "lay_tile", "B&S", hex="F4", tile="9", rotation=2)
    return game


def free_token() -> Game:
    """The canal's station is due."""
    game = lehigh().owns("LV", "C&OC").operating("LV").game()
    do(game, "lay_tile", "C&OC", hex="D2", tile="57", rotation=1)
    return game


def discard() -> Game:
    """LV has too many trains."""
    game = lehigh().depot(t3=0).trains("LV", "3", "3", "3").operating("LV", "trains").game()
    do(game, "buy_train", "LV", train="4", source="bank", trade_in="", price=300)
    return game


def consent() -> Game:
    """Bob is asked for a train."""
    game = lehigh().operating("LV", "trains").game()
    do(game, "buy_train", "LV", train="3", source="PRR", trade_in="", price=100)
    return game


POSITIONS: dict[str, Callable[[], Game]] = {
    "auction": lambda: new_game(3),
    "contest": contest,
    "par due": par_due,
    "stock": lambda: lehigh().game(),
    "track": lambda: lehigh().operating("LV").game(),
    "second tile": second_tile,
    "free token": free_token,
    "token": lambda: lehigh().operating("LV", "token").game(),
    "run": lambda: lehigh().operating("LV", "run").game(),
    "dividend": dividend,
    "trains": lambda: lehigh().operating("LV", "trains").game(),
    "discard": discard,
    "consent": consent,
    "forced": lambda: lehigh("5").trains("LV").treasury("LV", 0).cash(a=10).operating("LV", "trains").game(),
}


def ask(game: Game, kind: str, actor: str, entity: str, chosen: dict[str, Any]) -> str | None:
    """What is wrong with it, None if it is legal."""
    try:
        build_action(kind, actor, entity, **chosen)
        problem = game.obstacle(Request(kind, actor, entity, chosen))
    except IllegalAction as unreadable:
        problem = unreadable
    return None if problem is None else tell(game).refusal(problem)


def first_filling(offer: Offer) -> dict[str, Any]:
    """The first legal value of every slot."""
    chosen: dict[str, Any] = {}
    for slot in offer.slots:
        domain: Domain = slot.domain(chosen)
        chosen[slot.name] = () if isinstance(domain, Routes) else next(domain.choices()).value
    return chosen


@pytest.mark.parametrize("where", POSITIONS)
def test_odd_values_are_refused_in_a_sentence(where: str) -> None:
    """Every slot of every offer, with values of every sort."""
    game = POSITIONS[where]()
    before = game.digest()
    for offer in game.offers():
        legal = first_filling(offer)
        assert ask(game, offer.kind, offer.actor, offer.entity, legal) is None
        for number, slot in enumerate(offer.slots):
            allowed = slot.domain({name: legal[name] for name in list(legal)[:number]})
            for value in ODD:
                sentence = ask(game, offer.kind, offer.actor, offer.entity, {**legal, slot.name: value})
                if sentence is None:
                    assert isinstance(value, (str, int, list, tuple))
                    assert (tuple(value) if isinstance(value, list) else value) in allowed
                else:
                    assert sentence.endswith("."), sentence
                    assert "None" not in sentence, sentence
    assert game.digest() == before


@pytest.mark.parametrize("where", POSITIONS)
def test_every_kind_of_action_is_answered_for_everybody(where: str) -> None:
    """Requests for anything, on behalf of anybody."""
    game = POSITIONS[where]()
    before = game.digest()
    offered = {(o.kind, o.actor, o.entity) for o in game.offers()}
    for kind in KINDS:
        for actor in ("a", "b", "c", "zz", "LV", ""):
            for entity in ("a", "b", "LV", "PRR", "SRR", "C&OC", "B&S", "CV", "zz", "bank", ""):
                sentence = ask(game, kind, actor, entity, SAMPLE.get(kind, {}))
                if (kind, actor, entity) not in offered:
                    assert sentence is not None
                    assert sentence.endswith(".")
                    assert len(sentence) < 400
    assert game.digest() == before


@pytest.mark.parametrize("where", POSITIONS)
def test_every_suggestion_is_legal(where: str) -> None:
    """Buttons do what they say."""
    game = POSITIONS[where]()
    for offer in game.offers():
        for suggestion in offer.suggest():
            assert ask(game, offer.kind, offer.actor, offer.entity, dict(suggestion.chosen)) is None


@pytest.mark.parametrize("where", POSITIONS)
def test_somebody_can_always_act(where: str) -> None:
    """Blocking offers come from one step and name who acts."""
    game = POSITIONS[where]()
    assert game.actors()
    assert game.step() is not None


def test_a_finished_game_refuses_everything() -> None:
    """Nothing is offered after the end."""
    game = new_game(3)
    for player in "abc":
        do(game, "end_game", player)
    for kind in KINDS:
        assert ask(game, kind, "a", "a", SAMPLE.get(kind, {})) == "The game is over."


@pytest.mark.parametrize("where", ["track", "second tile", "free token", "token", "run", "dividend"])
def test_the_turn_is_described_in_facts(where: str) -> None:
    """Labels of offers, choices and buttons are words made when they are shown, in any language."""
    game = POSITIONS[where]()
    for offer in game.offers():
        labels = [offer.label, *(ready.label for ready in offer.suggest())]
        chosen = first_filling(offer)
        for number, slot in enumerate(offer.slots):
            allowed = slot.domain({name: chosen[name] for name in list(chosen)[:number]})
            labels += [choice.label for choice in allowed.choices()]
        assert all(tell(game).say(one) for one in labels)
