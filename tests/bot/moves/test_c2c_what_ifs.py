"""A what-if while money is secret."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest

from bot.client.features.what_if import what_if_text
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.what_ifs import MONEY_IS_SECRET, WhatIfs, try_moves
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.tell.move_preview import may_try_moves
from tests.bot.moves.test_what_if import just_before, stored
from tests.bot.moves.test_what_ifs import live_after
from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, seated_at
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import TableService
from tests.support.legal_values import filled

LATE = 814
ALL_OFFERED = 820
"""By as many moves of the game each kind of them could be made."""


async def test_secret_money_is_not_shown(
    service: TableService,
) -> None:
    """Every kind of move, when it can first be made in a kind of round, and all of a late turn, where they have
    what they have, more, or nothing.
    """
    live, actions = await live_after(service, "18c2c-bank-3p", 0)
    game, done = live.game, set[tuple[str, str]]()
    for number, action in enumerate(actions[:ALL_OFFERED]):
        if may_try_moves(game, action.actor):
            kinds = [(game.table.state.round.kind, offer.kind) for offer in game.offers(action.actor)]
            places = [place for place, kind in enumerate(kinds) if number == LATE or kind not in done]
            done.update(kinds)
            for seen in _seen_by_means(live, action.actor, places):
                assert seen[0] == seen[1] == seen[2]
        game.apply(action)
    assert len(done) == 30
    assert {"bid", "lay_tile", "run_routes", "propose_merger", "place_bull", "shuffle"} <= {
        kind for _, kind in done
    }


@pytest.mark.usefixtures("undrawn")
async def test_secret_money_ends_a_what_if(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, just_before("18c2c-bank-3p", "dividend", 20))
    before, actor = await stored(game), actor_of(game)
    for other in {"Ann", "Bob", "Cy", "Dee"} - {actor}:
        assert MONEY_IS_SECRET in (await game.slash(other, "what-if")).text
    hand = Hand(game, actor)
    await hand.what_if()
    while "The what-if ends here" not in hand.asked.content:
        await hand.press(next(label for label in hand.labels if "…" not in label))
    assert "your cash" in hand.asked.content
    assert hand.labels == ["Back", "Start over", "Make this move …"]
    assert " can: " not in hand.asked.content
    ended = hand.asked.content
    await hand.press("Make this move …")
    await hand.press("Back to the what-if")
    assert hand.asked.content == ended
    await hand.press("Back")
    assert " can: " in hand.asked.content
    assert await stored(game) == before


def _more(dollars: int) -> int:
    return dollars + 1000


def _nothing(dollars: int) -> int:
    return 0 * dollars


def _with_others_money(game: Game, looker: PlayerId, changed: Callable[[int], int]) -> Game:
    """The same position, but for what others and their companies have."""
    other = Game.load(game.dump())
    state = other.table.state
    for player in state.players:
        if player.id != looker and not player.bankrupt:
            player.cash = changed(player.cash)
    for company in state.companies.values():
        if company.president not in (None, looker):
            company.cash = changed(company.cash)
    return Game.load(other.dump())


def _seen_by_means(live: LiveGame, looker: PlayerId, places: Sequence[int]) -> Iterator[list[object]]:
    if places:
        rich = _with_others_money(live.game, looker, _more)
        # A bidder cannot have less than the bid.
        bids = live.game.table.is_selling_privates
        poor = rich if bids else _with_others_money(live.game, looker, _nothing)
        for place in places:
            yield [_seen(live, game, looker, place) for game in (live.game, rich, poor)]


def _seen(live: LiveGame, game: Game, looker: PlayerId, place: int) -> object:
    """All that is said of a player's own move, and what is offered then."""
    found = try_moves(
        WhatIfs().begin(replace(live, game=game), live.user_of(looker)), [partial(_nth, looker, place)]
    )
    return what_if_text(found, live.seq), [entry.label for entry in found.buttons]


def _nth(looker: PlayerId, place: int, game: Game) -> OfferCursor:
    """The first way through one of a player's offers."""
    walk = next(filled(OfferCursor(game.offers(looker)[place])), None)
    if walk is None:
        raise Refused("There is no way.")
    return walk
