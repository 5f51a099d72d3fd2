"""Moves in three capacities: for one's own seat, as a moderator for any seat, or proposed for the group's seat."""

from collections.abc import Callable

from bot.table.errors import BelongsToAnother, GameMovedOn, OthersTurn
from bot.table.live import LiveGame
from bot.table.moves.menus import ActingAs, MenuPlace, offer_of, own_offer_of
from bot.table.moves.moves import OneClickMove
from bot.table.tables import MoveBuilder, Outcome, Tables
from bot.table.votes.absent_seats import MoveProposal, absent_seat, propose_move
from bot.table.votes.proposal_kinds import proposal_made_text
from bot.table.votes.proposals import Proposals
from engine import Offer, PlayerId


def offer_in_capacity(tables: Tables, live: LiveGame, user_id: int, menu_place: MenuPlace) -> Offer:
    """The offer of a menu that a user may use in their capacity; raises BelongsToAnother, Refused."""
    if menu_place.acting_as is ActingAs.SELF:
        return own_offer_of(live, tables.seat_of(live, user_id), menu_place.key)
    offer = offer_of(live.game, menu_place.key)
    require_no_secret(live, offer.actor)
    if menu_place.acting_as is ActingAs.GROUP:
        absent_seat(live, user_id)
        if offer.actor not in live.group_players:
            raise OthersTurn(live.name_of(offer.actor))
    return offer


def require_no_secret(live: LiveGame, player: PlayerId) -> None:
    """Raise BelongsToAnother if a player has a decision whose choices only they may see."""
    if any(offer.secret for offer in live.game.offers(player)):
        name = live.name_of(player)
        raise BelongsToAnother(
            f"Only {name} sees these cards, so nobody else can choose for them. `/game substitute` lets somebody "
            "play the seat for a while, `/game replace` for good."
        )


async def move_or_propose(
    tables: Tables,
    proposals: Proposals,
    user_id: int,
    menu_place: MenuPlace,
    player: PlayerId,
    one_click_move: OneClickMove,
) -> tuple[str, str]:
    """Make or propose a move, as the menu's capacity demands; returns the reply and the lines about the result."""
    if menu_place.acting_as is ActingAs.GROUP:
        subject = _subject_builder(menu_place.seq, player, one_click_move)
        done_text = proposal_made_text(await proposals.propose(menu_place.game, user_id, subject))
        return done_text, done_text
    if menu_place.acting_as is ActingAs.MODERATOR:
        outcome = await moderator_move(
            tables, menu_place.game, player, user_id, one_click_move, menu_place.seq
        )
    else:
        outcome = await tables.submit(menu_place.game, user_id, one_click_move, menu_place.seq)
    return outcome.answer_text(), outcome.stored_text()


async def moderator_move(
    tables: Tables, game_id: int, player: PlayerId, user_id: int, build_move: MoveBuilder, expected_seq: int
) -> Outcome:
    """Make a move for a player as a moderator, whose name is stored with it."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        attribution = f"-# <@{user_id}> as a moderator acts for {live.name_of(player)}."
        lines = await tables.make_move(live, player, user_id, build_move, (attribution,))
    tables.on_notice(game_id)
    return Outcome(live.seq, lines)


def _subject_builder(
    seq: int, player: PlayerId, one_click_move: OneClickMove
) -> Callable[[LiveGame], MoveProposal]:
    def subject(live: LiveGame) -> MoveProposal:
        if live.seq != seq:
            raise GameMovedOn
        return propose_move(live, player, one_click_move)

    return subject
