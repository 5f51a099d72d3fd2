"""18C2C's track and tokens: what house rules change there, and its steps."""

from collections.abc import Mapping
from typing import Final

from engine.core.spec import Colour, MarkersPower, Power, PrivateSpec, TitleSpec
from engine.play.steps.tokens.bull_token import BullTokenStep
from engine.play.steps.tokens.buy_marker import BuyMarkerStep
from engine.play.steps.tokens.city_tokens import CityTokenStep, GiveUpStep
from engine.play.table import Table

BY_COLOUR: Final[dict[Colour, int]] = {"yellow": 1, "green": 2, "brown": 3, "gray": 4}
"""What tiles cost where every colour has its own price (R-C2C-101)."""


SETTLED: Final[Mapping[str, str]] = {
    "New track is reached where the whole of a new piece lies on a route": (
        "A route uses a piece of track from end to end."
    ),
    "Vancouver & Alaska and San Diego & Baja count as west coast, no red place as east": (
        "With six cities they are the eight on the Pacific; the east is any city of East or Canada East."
    ),
    "The Prospectors are not sold in phase 2 once the track of the turn is laid": (
        "The variant sells them then only to pay for the tiles of that very turn, and there are none any more."
    ),
    "No track leads to the river while the bridge is missing": (
        "None crosses it then; a tile that leads up to the water is taken as half a crossing."
    ),
    "The free tile of the bridge lies in the home hex": (
        "It is a tile more with which a corporation at home on the river bridges it there."
    ),
    "The Architects bring the two most expensive tokens that were not bought": (
        "The text lets it have any two. All tokens are alike afterwards, and the cheap ones may still come from the "
        "Terminals, so that no other two are worth more: nobody is asked."
    ),
    "A token outside the slots of a city stays outside": (
        "It takes no slot, even when a later tile of the city has a free one."
    ),
    "Of two bull tokens the first one placed sends the other away": (
        "After a merger one may use its right; all that is on the charter then leaves the game."
    ),
}
"""Readings of what the text leaves open."""


class StationStep(BullTokenStep):
    """One station a turn; two of a corporation made of others (R-C2C-130)."""

    def most(self, t: Table) -> int:
        """Two for merger corporations and nationals.

        Rules: R-C2C-246.
        """
        return 2 if t.company.parts else 1


PRIVATES: Final = (CityTokenStep(), GiveUpStep(), BuyMarkerStep())
"""What privates allow at any time of a company's turn (R-C2C-091, R-C2C-142, R-C2C-150, R-C2C-160)."""


def with_track_rules(spec: TitleSpec) -> TitleSpec:
    """The table with what its house rules say of upgrades and markers."""
    changes: dict[str, object] = {
        "privates": {name: _private(spec, private) for name, private in spec.privates.items()}
    }
    if spec.house_rule("upgrade_points") == "by_colour" and spec.tile_points is not None:
        changes["tile_points"] = spec.tile_points.model_copy(update={"costs": BY_COLOUR})
    return spec.model_copy(update=changes)


def _private(spec: TitleSpec, private: PrivateSpec) -> PrivateSpec:
    return private.model_copy(update={"powers": tuple(_power(spec, power) for power in private.powers)})


def _power(spec: TitleSpec, power: Power) -> Power:
    """Whether a marker that nobody has had can be used at once (R-C2C-160)."""
    if not isinstance(power, MarkersPower):
        return power
    return power.model_copy(update={"usable_at_once": spec.house_rule("marker_first_sale_usable")})
