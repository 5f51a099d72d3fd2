"""Moves in three capacities: as player, as moderator for any seat, or as proposer for a seat that the group plays.

The group is all other players together.
"""

from collections.abc import Callable

from bot.table.errors import GameMovedOn, NotPermitted, OtherPlayersTurn
from bot.table.live import LiveGame
from bot.table.moves.menus import ActingAs, MenuState, offer_of, own_offer_of
from bot.table.moves.moves import OneClickMove
from bot.table.tables import MoveBuilder, Outcome, Tables
from bot.table.votes.absent_seats import MoveProposal, propose_move, seat_to_propose_for
from bot.table.votes.proposal_kinds import proposal_made_text
from bot.table.votes.proposals import Proposals
from engine import Offer, PlayerId


def offer_in_capacity(tables: Tables, live: LiveGame, user_id: int, menu_state: MenuState) -> Offer:
    """The possible action to which a menu belongs, if the user may take it in their capacity.

    Raises NotPermitted, Refused.
    """
    if menu_state.acting_as is ActingAs.SELF:
        return own_offer_of(live, tables.seat_of(live, user_id), menu_state.key)
    offer = offer_of(live.game, menu_state.key)
    require_no_secret(live, offer.actor)
    if menu_state.acting_as is ActingAs.GROUP:
        seat_to_propose_for(live, user_id)
        if offer.actor not in live.group_players:
            raise OtherPlayersTurn(live.name_of(offer.actor))
    return offer


def require_no_secret(live: LiveGame, player: PlayerId) -> None:
    """Raise NotPermitted if the player must choose between secret cards, which only they may see."""
    if any(offer.secret for offer in live.game.offers(player)):
        name = live.name_of(player)
        raise NotPermitted(
            f"Only {name} sees these cards, so nobody else can choose for them. `/game substitute` lets somebody "
            "play the seat for a while, `/game replace` for good."
        )


async def move_or_propose(
    tables: Tables,
    proposals: Proposals,
    user_id: int,
    menu_state: MenuState,
    player: PlayerId,
    one_click_move: OneClickMove,
) -> tuple[str, str]:
    """Make a move or, for a seat that the other players play together, propose it.

    Returns the full reply, and a shorter reply for the case that the effects of the move cannot be shown.
    """
    if menu_state.acting_as is ActingAs.GROUP:
        build_subject = _move_proposal_builder(menu_state.seq, player, one_click_move)
        done_text = proposal_made_text(await proposals.propose(menu_state.game, user_id, build_subject))
        return done_text, done_text
    if menu_state.acting_as is ActingAs.MODERATOR:
        outcome = await moderator_move(
            tables, menu_state.game, player, user_id, one_click_move, menu_state.seq
        )
    else:
        outcome = await tables.submit(menu_state.game, user_id, one_click_move, menu_state.seq)
    return outcome.answer_text(), outcome.stored_text()


async def moderator_move(
    tables: Tables, game_id: int, player: PlayerId, user_id: int, build_move: MoveBuilder, expected_seq: int
) -> Outcome:
    """Make a player's move as a moderator; the moderator's id is stored with it."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        attribution = f"-# <@{user_id}> as a moderator acts for {live.name_of(player)}."
        lines = await tables.make_move(live, player, user_id, build_move, (attribution,))
    tables.on_notice(game_id)
    return Outcome(live.seq, lines)


def _move_proposal_builder(
    seq: int, player: PlayerId, one_click_move: OneClickMove
) -> Callable[[LiveGame], MoveProposal]:
    def build_subject(live: LiveGame) -> MoveProposal:
        if live.seq != seq:
            raise GameMovedOn
        return propose_move(live, player, one_click_move)

    return build_subject
