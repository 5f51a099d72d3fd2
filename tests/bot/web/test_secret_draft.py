"""A draft of hidden cards on the page: each sees their own hand on their turn, and nobody another's."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.undo import first_lines_of_moves
from engine import has_hidden_cards
from engine.core.actions import Bid
from engine.record import make_record
from tests.bot.moves.test_secret_offers import drafting
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.web.visitors import Site

MODERATOR = 99


def own_cards(position: dict[str, Any]) -> Iterator[str]:
    """The cards that the page shows to its player as their own."""
    lots = [lot for column in position["sale"]["columns"] for lot in column]
    return (lot["badge"]["company"] for lot in lots if lot["status"].startswith("yours: $"))


async def test_hand_is_its_players_alone(site: Site) -> None:
    """Also to a moderator, and in earlier positions."""
    game, actions = drafting(0, 2)
    number = await site.service.at(make_record(game, actions))
    ann, bob, cy, watcher = [await site.browser(number, user) for user in (ANN, BOB, CY, None)]
    officer = await site.browser(number, MODERATOR, moderates=True)
    [hand] = (await ann.get("/offers")).json["offers"]
    assert any("C&WI" in one["label"] for one in hand["one_click_moves"])
    assert (await bob.get("/offers")).json["offers"] == []
    refused = await officer.get("/offers?as=moderator&player=p1")
    assert (refused.status, refused.error.split(",")[0]) == (403, "Only Ann sees these cards")
    step = {"seq": 3, "offer_key": hand["key"], "picks": [], "acting_as": "moderator"}
    assert (await officer.post("/walk", step)).status == (await officer.post("/play", step)).status == 403
    cy_card, bob_card = [[bid.private] for bid in actions if isinstance(bid, Bid)]
    taken = {"": [bob_card, cy_card], "?at=2": [[], cy_card], "?at=1": [[], []]}
    for query in taken:
        shown = [(await one.get(f"/position{query}")).json for one in (ann, bob, cy, officer, watcher)]
        assert len({str({**found, "you": None, "sale": None}) for found in shown}) == 1
        assert not any(found["you"]["may_try_moves"] for found in shown), "a what-if would tell the deck"
        ann_cards, bob_cards, cy_cards, *others_cards = [list(own_cards(found)) for found in shown]
        assert [ann_cards, *others_cards] == [[], [], []]
        assert [bob_cards, cy_cards] == taken[query]
    assert [move["lines"] for move in (await watcher.get("/history")).json["moves"]][1:] == [
        ["Cy takes a card in secret."],
        ["Bob takes a card in secret."],
    ]


async def test_undo_in_a_draft_tells_no_card(service: TableService) -> None:
    """What has shown all cards is no longer undone alone."""
    game, actions = drafting(0, 1)
    number = await service.at(make_record(game, actions))
    async with service.tables.reading(number) as live:
        [line] = await first_lines_of_moves(service.db, live, live.effective_rows[1:2])
    assert line == "`2` Cy: a card, in secret"
    await service.undo(number, BOB)
    while has_hidden_cards(game):
        offer = game.offers(game.actors()[0])[0]
        actions.append(offer.fill(**(dict(offer.suggest()[0].chosen) if offer.slots else {})))
        game.apply(actions[-1])
    number = await service.at(make_record(game, actions))
    async with service.tables.reading(number) as live:
        last = live.user_of(live.effective_rows[-1].actor)
    with pytest.raises(Refused, match="has revealed everybody's cards"):
        await service.undo(number, last)
