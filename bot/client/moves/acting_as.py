"""Acting as: oneself, as a moderator for a seat, as a proposer for a seat played by the group, or
on a copy of the game, trying.

The ids of menus carry it as a letter behind the key of their offer.
"""

from collections.abc import Callable
from typing import Final

from bot.client.components import turn_buttons
from bot.client.components.screens import Place
from bot.client.texts import game_texts
from bot.table.errors import MovedOn, NotYourTurn
from bot.table.live import LiveGame
from bot.table.moves.menus import offer_named, offer_of
from bot.table.moves.moves import Quick
from bot.table.tables import Tables
from bot.table.votes.absence import Proposed, absent_seat, proposed
from bot.table.votes.moderating import Moderating
from bot.table.votes.proposals import Proposals
from bot.table.votes.subjects import made_text
from engine.core.ids import PlayerId
from engine.core.offers import Offer

KEY: Final = 8
"""Characters of the key of an offer."""
OWN: Final = ""
MODERATOR: Final = "m"
TABLE: Final = "t"
WHAT_IF: Final = turn_buttons.WHAT_IF
"""The letters: for oneself, as a moderator, for a seat played by the group, on a copy."""


def capacity_of(key: str) -> str:
    """In what capacity somebody acts: the letter behind the key of an offer."""
    return key[KEY:]


class ActingAs:
    """Finds whose offers somebody may use, and makes the move, or proposes it."""

    def __init__(self, tables: Tables, moderating: Moderating, proposals: Proposals) -> None:
        self._tables = tables
        self._moderating = moderating
        self._proposals = proposals

    def offer(self, live: LiveGame, user_id: int, key: str) -> Offer:
        """The offer that is meant; raises NotYours, Refused."""
        if capacity_of(key) == OWN:
            return offer_named(live, self._tables.seat_of(live, user_id), key)
        found = offer_of(live.game, key[:KEY])
        if capacity_of(key) == TABLE:
            absent_seat(live, user_id)
            if found.actor not in live.by_group:
                raise NotYourTurn(live.name_of(found.actor))
        return found

    async def make(self, user_id: int, place: Place, player: PlayerId, quick: Quick) -> tuple[str, str]:
        """Make the move, or propose it; what is done, and that it is stored."""
        game, capacity = place.game, capacity_of(place.key)
        if capacity == TABLE:
            done = made_text(await self._proposals.put(game, user_id, _subject(place.seq, player, quick)))
            return done, done
        if capacity == MODERATOR:
            outcome = await self._moderating.act(game, player, user_id, quick, place.seq)
        else:
            outcome = await self._tables.submit(game, user_id, quick, place.seq)
        return game_texts.done(outcome), game_texts.stored(outcome)


def _subject(seq: int, player: PlayerId, quick: Quick) -> Callable[[LiveGame], Proposed]:
    def subject(live: LiveGame) -> Proposed:
        if live.seq != seq:
            raise MovedOn
        return proposed(live, player, quick)

    return subject
