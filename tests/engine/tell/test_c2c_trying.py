"""Trying a move while money is secret."""

from engine.core.offers import OfferCursor
from engine.game import Game
from engine.play.steps.base import Request
from engine.tell.move_preview import may_try_moves, only_player_of_tried_moves, try_move
from tests.engine.tell.test_trying import _nth
from tests.golden.positions import golden, golden_at
from tests.titles.builders import Position, do


def test_what_if_ends_before_others_decide() -> None:
    record = golden("18c2c-bank-3p")
    game, seen_on, ended = record.initial_game(), 0, 0
    for number, action in enumerate(record.actions):
        if number % 40 == 0 and may_try_moves(game, action.actor):
            alone = game.table_after(game.cursor_for(Request.of_action(action)))
            copy = Game.load(game.dump())
            seen = try_move(copy, copy.cursor_for(Request.of_action(action)), action.actor)
            if seen.may_continue:
                seen_on += 1
                assert seen.game.actors() == (action.actor,)
            else:
                ended += 1
                assert seen.events == tuple(alone.events)
                assert seen.game.table.state == alone.state
        game.apply(action)
    assert seen_on > 3
    assert ended > 3


def test_only_who_is_on_turn_tries() -> None:
    """And no answer."""
    game = golden_at("18c2c-bank-3p", _nth("18c2c-bank-3p", "answer"))
    assert game.proposal is not None
    [asked] = game.actors()
    assert not may_try_moves(game, asked)
    assert not may_try_moves(game, game.proposal.by)
    game = golden_at("18c2c-bank-3p", 300)
    [actor] = game.actors()
    others = {player for player, _ in game.players} - {actor}
    assert may_try_moves(game, actor)
    assert not any(may_try_moves(game, other) for other in (*others, None))
    assert only_player_of_tried_moves(game, actor) == actor


def test_what_if_ends_with_turn_or_game() -> None:
    """The next company may be skipped for what its owner has, which is secret; at the end holdings are shown."""
    place = Position(title="18c2c").cash(a=900).start("NYC", 100, a=60).start("PRR", 90, a=60)
    game = place.trains("PRR", "3").trains("NYC", "3").operated("PRR").operating("NYC", "trains").game()
    [passing] = (offer for offer in game.offers("a") if offer.kind == "pass")
    seen = try_move(game, OfferCursor(passing), "a")
    assert game.actors() == ("a",)
    assert not seen.may_continue
    game = Position(title="18c2c").cash(a=900).game()
    do(game, "end_game", "b")
    do(game, "end_game", "c")
    [voting] = (offer for offer in game.offers("a") if offer.kind == "end_game")
    seen = try_move(game, OfferCursor(voting), "a")
    assert game.is_over
    assert (seen.events, seen.may_continue) == ((), False)
