"""The station a private allows right after its tile (18Chesapeake 7.1)."""

from collections.abc import Iterator

from engine.core.actions import Pass, PlaceToken
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.play.steps.base import Request, Step
from engine.play.steps.tokens.token import place
from engine.play.table import Table


class FreeTokenStep(Step):
    """Place the company's next station free where the private laid its tile, or decline.

    Rules: R-CH-103.
    """

    name = "free_token"
    kinds = frozenset({"place_token", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The city just laid."""
        private = t.turn.free_token
        if private is None:
            return
        coord = t.turn.lays[-1]
        if not t.map.free_slot(coord, 0, t.company.id):
            return
        label = fact("offer.free_token", hex=coord)
        yield t.offer(
            "place_token",
            private,
            label,
            t.slot(
                "hex",
                lambda _: Choices([Choice(coord)]),
                lambda _, h: fact("privates.free_token_elsewhere", private=private, place=coord, hex=h),
            ),
            t.slot(
                "city",
                lambda _: Choices([Choice(0, fact("choice.the_city"))]),
                lambda _, c: fact("privates.one_city", hex=coord),
            ),
            suggest=lambda: [Suggestion(label, {"hex": coord, "city": 0})],
        )
        yield t.offer("pass", private, fact("offer.no_free_token", private=private))

    def apply(self, t: Table, action: PlaceToken | Pass) -> None:
        """The free station is the station of this turn; declining keeps the normal one."""
        t.turn.free_token = None
        if isinstance(action, Pass):
            t.emit(Passed(t.company.id, fact("declined.free_token")))
            return
        place(t, action.hex, action.city, 0)

    def skip(self, t: Table) -> None:
        """No room: the chance is gone."""
        t.turn.free_token = None

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What must come first."""
        if t.turn.free_token is None:
            return None
        return fact("privates.free_token_first", company=t.company.id, private=t.turn.free_token)
