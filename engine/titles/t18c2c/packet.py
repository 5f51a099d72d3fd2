"""18C2C's removal of privates: before the private auction, players in turn remove privates from the game."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Pass, RemovePrivate
from engine.core.events import Passed, PrivateRemoved
from engine.core.facts import Fact, fact
from engine.core.ids import PrivateId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.play.privates.auction import current_bidder, unsold_privates
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class RemovePrivateStep(Step):
    """The player whose turn it is removes a private from the game. House rules set the number of removals.

    Rules: R-C2C-021.
    """

    name = "remove_private"
    kinds = frozenset({"remove_private", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to remove one of the privates, and to pass if the house rules allow it.

        Rules: R-C2C-022.
        """
        if t.auction.eliminated == t.spec.auction.eliminations:
            return
        privates = FilteredChoices(
            unsold_privates(t), partial(_removal_obstacle, t), partial(_packet_label, t)
        )
        yield t.offer(
            "remove_private",
            current_bidder(t),
            fact("offer.remove_private"),
            Slot("private", lambda _: privates),
            suggest=lambda: [
                Suggestion(fact("choice.remove_private", private=p), {"private": p})
                for p in privates.values()
            ],
        )
        if t.spec.auction.eliminations_may_pass:
            yield t.offer("pass", current_bidder(t), fact("offer.remove_none"))

    def apply(self, t: Table, action: RemovePrivate | Pass) -> None:
        """Remove the private or pass. The turn goes to the next player; the priority deal does not move.

        Rules: R-C2C-023, R-C2C-024.
        """
        t.auction.eliminated += 1
        t.stock_round.turn = t.state.next_seat(t.stock_round.turn)
        if isinstance(action, Pass):
            t.emit(Passed(action.actor))
            return
        private = t.state.privates[action.private]
        private.closed = private.removed = True
        t.emit(PrivateRemoved(action.actor, private.id))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        removals_left = t.spec.auction.eliminations - t.auction.eliminated
        return fact("packet.removals_first", player=current_bidder(t), left=removals_left)


def _packet_label(t: Table, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    return fact(
        "choice.packet_private", private=private, name=spec.name, value=spec.face_value, income=spec.income
    )


def _removal_obstacle(t: Table, private: Any) -> Fact | None:
    if private not in t.state.privates:
        return fact("choice.no_private", private=private)
    if private not in unsold_privates(t):
        return fact("packet.removed_already", private=private)
    return fact("packet.kept", private=private) if t.spec.privates[private].is_never_eliminated else None
