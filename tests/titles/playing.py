"""Short ways to act in a game, and to ask what it offers, shows and says."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine.core.actions import build_action
from engine.core.errors import IllegalAction
from engine.core.events import Event
from engine.core.offers import Domain, Offer, OfferCursor, Suggestion
from engine.core.state import Company
from engine.game import Game
from engine.play.rounds import OperatingRound
from engine.play.steps.base import CompanyStep, Request
from engine.tell.teller import Teller
from tests.support.legal_values import legal_values


def do(game: Game, kind: str, entity: str, *, actor: str | None = None, **chosen: Any) -> tuple[Event, ...]:
    """Do something that must be legal; the actor is the player who decides for the entity."""
    return game.apply(build_action(kind, actor or game.table.controlling_player(entity), entity, **chosen))


def passes(game: Game, *entities: str) -> None:
    for entity in entities:
        do(game, "pass", entity)


def bid(game: Game, player: str, private: str, amount: int) -> None:
    """Bid, or buy the cheapest."""
    do(game, "bid", player, private=private, amount=amount)


def sell(game: Game, player: str, name: str, shares: int = 1) -> tuple[Event, ...]:
    return do(game, "sell_shares", player, company=name, shares=shares)


def lay(game: Game, entity: str, hex: str, tile: str, rotation: int | None = None) -> tuple[Event, ...]:
    """Lay a tile, turned in the first legal way unless one is named."""
    found = rotations(game, entity, hex, tile)[0] if rotation is None else rotation
    return do(game, "lay_tile", entity, hex=hex, tile=tile, rotation=found)


def buy(
    game: Game, entity: str, train: str, price: int, source: str = "bank", trade_in: str = ""
) -> tuple[Event, ...]:
    deal: dict[str, Any] = {"train": train, "source": source, "trade_in": trade_in, "price": price}
    return do(game, "buy_train", entity, **deal)


def no_deal(
    game: Game, section: str, entity: str, train: str, price: int, source: str = "bank", trade_in: str = ""
) -> str:
    """Try to buy a train: it is refused."""
    deal: dict[str, Any] = {"train": train, "source": source, "trade_in": trade_in, "price": price}
    return refused(game, section, "buy_train", entity, **deal)


def refused(
    game: Game, section: str, kind: str, entity: str, *, actor: str | None = None, **chosen: Any
) -> str:
    """Try something illegal: it is refused with a sentence that names the section, and changes nothing.

    The section is left empty where no rule is needed, for things that do not exist.
    """
    action = build_action(kind, actor or game.table.controlling_player(entity), entity, **chosen)
    before, played = game.digest(), game.seq
    why = game.obstacle(Request(kind, action.actor, entity, chosen))
    assert why is not None, f"{action!r} is legal"
    with pytest.raises(IllegalAction) as caught:
        game.apply(action)
    sentence = tell(game).refusal(caught.value)
    assert sentence == tell(game).refusal(why)
    assert (game.digest(), game.seq) == (before, played)
    assert not section or f"({section})" in sentence or f"section {section}" in sentence, sentence
    return sentence


def tell(game: Game) -> Teller:
    return Teller(game.rules.spec, game.table.state)


def round_name(game: Game) -> str:
    """`SR 2`, `OR 2.1`."""
    return tell(game).round_name()


def label(game: Game, offer: Offer | Suggestion) -> str:
    """The label of an offer, or of a ready filling of one."""
    return tell(game).say(offer.label)


def labels(game: Game, found: Domain) -> list[str]:
    return [tell(game).say(choice.label) for choice in found.choices()]


def turn_steps(game: Game) -> Sequence[CompanyStep]:
    """The steps of a company's turn, in order."""
    operating = game.rules.ROUNDS["operating"]
    assert isinstance(operating, OperatingRound)
    return operating.ordered_steps


def kinds(game: Game, player: str | None = None) -> list[str]:
    """The kinds of blocking offers, of one player or all."""
    return [offer.kind for offer in game.offers(player) if offer.blocking]


def find(game: Game, kind: str, entity: str | None = None) -> Offer:
    """The offer of this kind (for this entity)."""
    found = [o for o in game.offers() if o.kind == kind and entity in {None, o.entity}]
    assert found, f"no offer to {kind} for {entity}; there are {[(o.kind, o.entity) for o in game.offers()]}"
    return found[0]


def offered(game: Game, kind: str, entity: str | None = None) -> bool:
    return any(o.kind == kind and entity in {None, o.entity} for o in game.offers())


def domain(game: Game, kind: str, entity: str, slot: str, **chosen: Any) -> Domain:
    """The domain of a slot of an offer, given earlier picks."""
    cursor = OfferCursor(find(game, kind, entity)).pick_all(chosen)
    assert cursor.slot is not None
    assert cursor.slot.name == slot
    return cursor.domain


def values(game: Game, kind: str, entity: str, slot: str, **chosen: Any) -> list[Any]:
    """All legal values of a slot of an offer, given earlier picks."""
    return list(legal_values(domain(game, kind, entity, slot, **chosen)))


def train_deals(game: Game, company: str) -> Iterator[tuple[str, str, str, int, int]]:
    """Every train the company may buy: train, seller, train handed in, lowest and highest price."""
    offer = find(game, "buy_train", company)
    for train in values(game, "buy_train", company, "train"):
        for source in values(game, "buy_train", company, "source", train=train):
            for handed in values(game, "buy_train", company, "trade_in", train=train, source=source):
                price = (
                    OfferCursor(offer).pick_all({"train": train, "source": source, "trade_in": handed}).domain
                )
                prices = [choice.value for choice in price.choices() if isinstance(choice.value, int)]
                yield train, source, handed, prices[0], prices[-1]


def tiles_in(game: Game, entity: str, hex: str) -> list[str]:
    return values(game, "lay_tile", entity, "tile", hex=hex)


def rotations(game: Game, entity: str, hex: str, tile: str) -> list[int]:
    return values(game, "lay_tile", entity, "rotation", hex=hex, tile=tile)


def cash(game: Game) -> dict[str, int]:
    return {player.id: player.cash for player in game.table.state.players}


def company(game: Game, name: str) -> Company:
    return game.table.state.companies[name]


def price(game: Game, name: str) -> int:
    return game.table.price(company(game, name))


def owner(game: Game, private: str) -> str | None:
    return game.table.state.privates[private].owner


def step(game: Game) -> str:
    found = game.step()
    assert found is not None
    return found.name


def on_turn(game: Game) -> str:
    (player,) = game.actors()
    return player
