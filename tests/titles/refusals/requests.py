"""Requests that are near legal: an offer filled but for one value, or what somebody might ask for here or elsewhere."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine.core.offers import Offer, Routes
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.play.steps.base import Request

IN_TURN = (
    *("lay_tile", "place_token", "dividend", "buy_train", "buy_train", "buy_private", "sell_shares"),
    *("sell_private", "declare_bankruptcy", "redeem", "issue", "liquidate", "pass", "place_marker"),
    "run_routes",
)
IN_STOCK = (
    *("par", "buy_share", "buy_share", "sell_shares", "start_minor", "pass", "buy_private"),
    "sell_private",
)
ELSEWHERE = (
    *(*IN_TURN, *IN_STOCK, "bid", "discard_train", "answer", "reserve", "merge", "convert"),
    *("close_private", "return_token", "end_game", "run_routes"),
)
FOR_A_TRAIN = (
    *("sell_shares", "sell_shares", "sell_shares", "sell_shares", "sell_private", "sell_private"),
    *("buy_train", "buy_train", "declare_bankruptcy", "liquidate", "buy_private", "pass"),
)
FOR_PLAYERS = {"sell_shares", "sell_private", "answer", "declare_bankruptcy", "end_game"}


class Requester:
    """Random requests; the same seed gives the same ones."""

    def __init__(self, seed: int, in_turn: Sequence[str] = IN_TURN) -> None:
        self._random = Random(seed)
        self._in_turn = in_turn

    def request(self, game: Game) -> Request:
        """In half of all cases an offer with a value that may be wrong, and whatever comes after it."""
        offers = [offer for offer in game.offers() if offer.kind != "end_game"]
        if self._random.random() < 0.5:
            return self._nearly(game, self._random.choice(offers))
        return self._free(game)

    def _nearly(self, game: Game, offer: Offer) -> Request:
        given = self._values(game, offer.kind)
        chosen: dict[str, Any] = {}
        for slot in offer.slots[: self._random.randrange(len(offer.slots)) if offer.slots else 0]:
            domain = slot.domain(chosen)
            values = [choice.value for choice in domain.choices()]
            chosen[slot.name] = () if isinstance(domain, Routes) else self._random.choice(values)
        players = [player.id for player in game.table.state.players]
        actor = offer.actor if offer.slots else self._random.choice(players)
        return Request(offer.kind, actor, offer.entity, {**given, **chosen})

    def _free(self, game: Game) -> Request:
        state, now = game.table.state, game.table.state.round
        in_turn = isinstance(now, Operating) and now.turn is not None
        here = self._in_turn if in_turn else IN_STOCK if isinstance(now, Stock) else ELSEWHERE
        kind = self._random.choice(here if self._random.random() < 0.8 else ELSEWHERE)
        actor = self._random.choice(game.actors())
        if self._random.random() < 0.1:
            actor = self._random.choice(state.players).id
        given = list(self._values(game, kind).items())
        if self._random.random() < 0.25:
            given = given[: self._random.randrange(2)]
        return Request(kind, actor, self._entity(game, kind, actor), dict(given))

    def _entity(self, game: Game, kind: str, actor: str) -> str | None:
        state, now = game.table.state, game.table.state.round
        if self._random.random() < 0.1:
            return None
        if not isinstance(now, Operating) or now.turn is None:
            return self._random.choice(list(state.companies)) if kind in {"merge", "convert"} else actor
        if kind in FOR_PLAYERS:
            return actor
        others = [*state.companies, *state.privates]
        return now.turn.company if self._random.random() < 0.8 else self._random.choice(others)

    def _values(self, game: Game, kind: str) -> dict[str, Any]:
        given = self._anything(game, kind)
        now = game.table.state.round
        if isinstance(now, Operating) and now.turn is not None and self._random.random() < 0.5:
            given |= self._near(game, kind, now.turn.company)
        return given

    def _near(self, game: Game, kind: str, company: str) -> Mapping[str, Any]:
        """A hex not far from the tokens with a tile of the next colour, or a company whose shares are held."""
        t = game.table
        if kind == "sell_shares":
            held = [one.id for one in t.state.companies.values() if any(map(one.percent, game.actors()))]
            return {"company": self._random.choice(held)} if held else {}
        if kind not in {"lay_tile", "place_token"}:
            return {}
        near = {coord for coord, _ in t.map.tokens_of(company)}
        for _ in range(self._random.randrange(3)):
            near |= {there for coord in near for edge in range(6) if (there := t.map.neighbour(coord, edge))}
        coord = self._random.choice(sorted(near & set(t.map.coords)) or t.map.coords)
        return {"hex": coord} | ({} if kind == "place_token" else {"tile": self._tile(game, coord)})

    def _tile(self, game: Game, coord: str) -> str:
        t = game.table
        colours = ["white", "yellow", "green", "brown", "gray"]
        here = t.map.colour(coord)
        wanted = colours[colours.index(here) + 1 : colours.index(here) + 2] if here in colours else []
        return self._random.choice(
            [name for name, tile in t.spec.tiles.items() if tile.colour in wanted] or ["?"]
        )

    def _anything(self, game: Game, kind: str) -> dict[str, Any]:
        t, state = game.table, game.table.state
        companies, privates = [*state.companies, "?"], [*state.privates, "?"]
        trains, hexes = [*(train.name for train in t.spec.trains), "?"], [*t.map.coords, "Z99"]
        prices = [0, 1, 10, 40, 50, 80, 120, 180, 205, 300, 900]
        options: dict[str, dict[str, Sequence[Any]]] = {
            "bid": {"private": privates, "amount": [5, 20, 25, 40, 45, 55, 100, 105, 200, 205, 600]},
            "par": {"company": companies, "price": [*(price for price, _ in t.grid.pars()), 1, 77]},
            "buy_share": {"company": companies, "source": ["offering", "offering", "market", *companies]},
            "sell_shares": {"company": companies, "shares": [1, 1, 1, 2, 3, 4, 5]},
            "lay_tile": {"hex": hexes, "tile": [*t.spec.tiles, "?"], "rotation": range(7)},
            "place_token": {"hex": hexes, "city": [0, 0, 0, 1]},
            "dividend": {"option": ["pay", "withhold", "half"]},
            "buy_train": {
                "train": trains,
                "source": ["bank", "bank", "pool", *companies],
                "trade_in": ["", "", "", "4"],
                "price": prices,
            },
            "discard_train": {"train": trains},
            "buy_private": {"private": privates, "price": prices},
            "sell_private": {
                "private": privates,
                "buyer": [player.id for player in state.players],
                "price": prices,
            },
            "place_marker": {"hex": hexes},
            "answer": {"reply": ["agree", "refuse", "withdraw"]},
            "run_routes": {"routes": [()]},
            "reserve": {"company": companies},
            "start_minor": {
                "company": companies,
                "value": [50, 55, 60, 65, 70, 75, 80, 90, 100],
                "space": ["top", "bottom"],
            },
            "merge": {"partner": companies, "major": companies},
            "convert": {"major": companies},
            "issue": {"offering": [0, 1, 2, 3, 9], "treasury": [0, 1]},
            "redeem": {"shares": [1, 2, 3]},
            "return_token": {"hex": hexes, "city": [0, 1]},
        }
        return {name: self._random.choice(values) for name, values in options.get(kind, {}).items()}
