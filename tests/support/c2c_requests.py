"""Random requests for positions of 18C2C: what players might ask for, most of it refused."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from engine.core.ids import MARKET, OFFERING, REISSUED
from engine.game import Game
from engine.play.steps.base import Request

SLOTS: Final[Mapping[str, tuple[str, ...]]] = {
    "answer": ("reply",),
    "bid": ("private", "amount"),
    "buy_marker": ("private", "source"),
    "buy_private": ("private", "price"),
    "buy_share": ("company", "source"),
    "buy_tokens": ("tokens",),
    "buy_train": ("train", "source", "trade_in", "price"),
    "close_private": (),
    "declare_bankruptcy": (),
    "discard_train": ("train",),
    "dividend": ("option",),
    "exchange_private": ("source",),
    "lay_tile": ("hex", "tile", "rotation"),
    "par": ("company", "price"),
    "pass": (),
    "place_bull": ("hex", "city"),
    "place_marker": ("hex",),
    "place_token": ("hex", "city"),
    "privatize": ("company", "seller"),
    "propose_merger": ("company", "partner"),
    "prove_run": (),
    "redeem_share": ("company", "source"),
    "reissue": ("company",),
    "remove_private": ("private",),
    "run_routes": ("routes",),
    "sell_private": ("private", "buyer", "price"),
    "sell_shares": ("company", "shares"),
    "shuffle": ("first",),
}
"""The slots of every kind of action that the title has."""
AMOUNTS: Final = (
    0,
    1,
    5,
    40,
    50,
    55,
    60,
    68,
    80,
    82,
    100,
    105,
    150,
    180,
    200,
    290,
    300,
    450,
    630,
    2500,
    30000,
)
PREFERRED: Final = 0.75
"""How often the player on turn asks, and for whom they decide now."""


class Requester:
    """Makes requests; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def request(self, game: Game) -> Request:
        """A request with as many values as its maker gives."""
        kind = self._random.choice([*SLOTS])
        actor = self._actor(game)
        slots = SLOTS[kind]
        count = self._random.choice([0, *[len(slots)] * 3, self._random.randint(0, len(slots))])
        given = {name: self._value(game, kind, name) for name in slots[:count]}
        return Request(kind, actor, self._entity(game, kind, actor), given)

    def _actor(self, game: Game) -> str:
        players = [player for player, _ in game.players]
        on_turn = game.actors()
        return self._random.choice(on_turn if self._random.random() < PREFERRED else players)

    def _entity(self, game: Game, kind: str, actor: str) -> str | None:
        t = game.table
        if kind in {"close_private", "place_marker", "exchange_private"}:
            return self._random.choice([*t.state.privates])
        offered = [offer.entity for offer in game.offers(actor)]
        if offered and self._random.random() < PREFERRED:
            return self._random.choice([None, offered[0]])
        return self._random.choice([actor, *t.state.companies, *t.state.privates])

    def _value(self, game: Game, kind: str, name: str) -> Any:
        return self._random.choice(self._values(game, kind, name))

    def _values(self, game: Game, kind: str, name: str) -> Sequence[Any]:
        t, players = game.table, [player for player, _ in game.players]
        started = [company.id for company in t.state.companies.values() if company.started] or ["PRR"]
        match name:
            case "company" | "partner":
                return started if self._random.random() < PREFERRED else [*t.state.companies, "no"]
            case "private":
                return [*t.state.privates, "no"]
            case "amount" | "price":
                return AMOUNTS
            case "source" if kind == "buy_train":
                return ["bank", "bank", "pool", *started]
            case "source" if kind == "buy_marker":
                return ["bank", *started]
            case "source" if kind == "redeem_share":
                return [MARKET, *players]
            case "source":
                return [OFFERING, REISSUED, MARKET, players[0]]
            case "seller" | "buyer":
                return players
            case "shares":
                return range(1, 8)
            case "train":
                return [*t.state.depot]
            case "trade_in":
                return [""]
            case "hex":
                return t.map.coords if self._random.random() < PREFERRED else self._near(game)
            case "tile":
                return [*t.spec.tiles]
            case "rotation":
                return range(6)
            case "city":
                return [0, 0, 1, 2]
            case "reply":
                return ["agree", "refuse", "withdraw"]
            case "option":
                return ["pay", "half", "withhold"]
            case "tokens":
                return ["none", "40", "40+60", "40+60+80", "40+60+80+100", "80+60", "120"]
            case "routes":
                return [(), ("2:K78.6-a",), ("3:Z1.a-0",)]
            case "first":
                return ["", *t.state.depot]
        raise AssertionError(name)

    def _near(self, game: Game) -> Sequence[str]:
        """Hexes where tokens lie, and those beside them."""
        t = game.table
        lying = [coord for company in t.state.companies for coord, _ in t.map.tokens_of(company)]
        beside = [t.map.neighbour(coord, edge) for coord in lying for edge in range(6)]
        return [*lying, *(coord for coord in beside if coord in t.map.coords)] or t.map.coords
