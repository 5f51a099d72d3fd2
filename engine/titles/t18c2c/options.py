"""What a table may decide otherwise than the house rules of 18C2C do; the values stand in the title's table."""

from collections.abc import Mapping
from typing import Final

from engine.titles.standard import COMMON_OPTIONS

OPTIONS: Final[Mapping[str, str]] = {
    **COMMON_OPTIONS,
    "no_eliminations": "No private is removed from the packet.",
    "one_elimination": "One private is removed from the packet instead of six.",
    "two_eliminations": "Two privates are removed from the packet instead of six.",
    "three_eliminations": "Three privates are removed from the packet instead of six.",
    "four_eliminations": "Four privates are removed from the packet instead of six.",
    "five_eliminations": "Five privates are removed from the packet instead of six.",
    "all_tokens_at_any_par": "Whatever its par price, a corporation may buy all four extra tokens.",
    "three_tokens_at_any_par": "The $40, $60 and $80 tokens are for every par price, the $100 one for par $100.",
    "upgrades_by_colour": "A green tile costs 2 tile points, a brown one 3, a gray one 4.",
    "overlays": "The overlays of the kit lie on cities that were chosen for them, which the map then shows.",
    "no_saint_louis": "Saint Louis is not on the small board; PRR and GM&O have no destination.",
    "less_cash": "Players begin with three quarters of the usual cash.",
    "more_cash": "Players begin with five quarters of the usual cash.",
    "no_privatization": "No president takes a share from another player.",
    "pool_pays_corporation": "Shares in the pool pay their dividend to the corporation.",
    "no_mergers": "Corporations do not merge.",
    "no_nationals": "Neither Amtrak nor Conrail forms.",
}
"""Every option with a sentence that explains it."""
