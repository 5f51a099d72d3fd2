"""18Chesapeake: whatever is asked for in any step is done or refused in a sentence; asking changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.actions import build_action
from engine.core.errors import IllegalAction
from engine.core.offers import Offer, Routes
from engine.play.steps.base import Request
from tests.titles.builders import Position, TitleGame, new_game
from tests.titles.refusals.examples import after, deal

ODD: tuple[Any, ...] = (
    *("", "?", "PRR", "b&o", "CV", "a", "Z99", "offering", "٣", "x" * 500, -1, 0, 7, 10**12, True, 1.5),
    *(None, ("2:",), ("9:J2.a-4 K1.1-a",), ("2:J2.z-4 K1.1-z",), ("2:Z9.a-4",), ["2:J2.a-4"] * 40, {}),
)
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
    **{kind: {} for kind in ("pass", "declare_bankruptcy", "end_game")},
}


def lehigh(step: str = "track", phase: str = "3") -> Position:
    """LV among others, with something to do in every step."""
    position = Position().phase(phase).start("LV", 95, a=60, market=10).tile("J2", "15", 4).trains("LV", "2")
    position.start("PRR", 80, b=60, a=10).trains("PRR", "3").share_of("B&O", "a").owns("b", "D&R", "C&OC")
    return position.owns("LV", "B&S").operating("LV", step)


def par_due() -> TitleGame:
    game = new_game(3)
    for price, private in ((20, "D&R"), (40, "C-P"), (50, "B&S"), (80, "C&OC"), (100, "B&OR"), (200, "CV")):
        game.bid(game.actors()[0], private, price)
    return game


def contest() -> TitleGame:
    game = new_game(3)
    for player, private, amount in (("a", "C-P", 45), ("b", "C-P", 50), ("c", "D&R", 20)):
        game.bid(player, private, amount)
    return game


POSITIONS: dict[str, Callable[[], TitleGame]] = {
    "auction": lambda: new_game(3),
    "contest": contest,
    "par due": par_due,
    "stock": lambda: lehigh().stock().game(),
    "track": lambda: lehigh().game(),
    "second tile": lambda: after(lehigh(), "lay_tile", "B&S", hex="F4", tile="9", rotation=2),
    "free token": lambda: after(
        lehigh().owns("LV", "C&OC"), "lay_tile", "C&OC", hex="D2", tile="57", rotation=1
    ),
    "token": lambda: lehigh("token").game(),
    "run": lambda: lehigh("run").game(),
    "dividend": lambda: after(lehigh("run"), "run_routes", "LV", routes=("2:J2.a-4 K1.1-a",)),
    "trains": lambda: lehigh("trains").game(),
    "discard": lambda: after(
        lehigh("trains").depot(t3=0).trains("LV", "3", "3", "3"), "buy_train", "LV", **deal("4", "bank", 300)
    ),
    "consent": lambda: after(lehigh("trains"), "buy_train", "LV", **deal("3", "PRR", 100)),
    "forced": lambda: lehigh("trains", "5").trains("LV").treasury("LV", 0).cash(a=10).game(),
}


def ask(game: TitleGame, kind: str, actor: str, entity: str, chosen: dict[str, Any]) -> str | None:
    try:
        build_action(kind, actor, entity, **chosen)
        problem = game.obstacle(Request(kind, actor, entity, chosen))
    except IllegalAction as unreadable:
        problem = unreadable
    return None if problem is None else game.tell().refusal(problem)


def first_filling(offer: Offer) -> dict[str, Any]:
    """The first legal value of every slot."""
    chosen: dict[str, Any] = {}
    for slot in offer.slots:
        domain = slot.domain(chosen)
        chosen[slot.name] = () if isinstance(domain, Routes) else next(domain.choices()).value
    return chosen


@pytest.mark.parametrize("where", POSITIONS)
def test_offers_and_odd_values(where: str) -> None:
    game = POSITIONS[where]()
    before = game.digest()
    assert game.actors()
    for offer in game.offers():
        legal = first_filling(offer)
        assert ask(game, offer.kind, offer.actor, offer.entity, legal) is None
        for ready in offer.suggest():
            assert ask(game, offer.kind, offer.actor, offer.entity, dict(ready.chosen)) is None
        labels = [offer.label, *(ready.label for ready in offer.suggest())]
        for number, slot in enumerate(offer.slots):
            allowed = slot.domain({name: legal[name] for name in list(legal)[:number]})
            labels += [choice.label for choice in allowed.choices()]
            for value in ODD:
                sentence = ask(game, offer.kind, offer.actor, offer.entity, {**legal, slot.name: value})
                if sentence is None:
                    assert (tuple(value) if isinstance(value, list) else value) in allowed
                else:
                    assert sentence.endswith("."), sentence
                    assert "None" not in sentence, sentence
        assert all(game.tell().say(one) for one in labels)
    assert game.digest() == before


@pytest.mark.parametrize("where", POSITIONS)
def test_every_kind_of_action_is_answered(where: str) -> None:
    """On behalf of anybody."""
    game = POSITIONS[where]()
    before = game.digest()
    offered = {(o.kind, o.actor, o.entity) for o in game.offers()}
    for kind, given in SAMPLE.items():
        for actor in ("a", "b", "zz", "LV", ""):
            for entity in ("a", "b", "LV", "PRR", "SRR", "C&OC", "B&S", "CV", "zz", "bank", ""):
                sentence = ask(game, kind, actor, entity, given)
                if (kind, actor, entity) not in offered:
                    assert sentence is not None
                    assert sentence.endswith(".")
                    assert len(sentence) < 400
    assert game.digest() == before


def test_finished_game_refuses_everything() -> None:
    game = new_game(3)
    for player in "abc":
        game.do("end_game", player)
    for kind, given in SAMPLE.items():
        assert ask(game, kind, "a", "a", given) == "The game is over."
