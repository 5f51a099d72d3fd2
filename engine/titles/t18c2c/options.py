"""What a table may decide otherwise than the house rules of 18C2C do; the values stand in the title's table."""

from collections.abc import Mapping
from typing import Final

from engine.play.rules import Option
from engine.titles.standard import COMMON_OPTIONS

OPTIONS: Final[Mapping[str, Option]] = {
    **COMMON_OPTIONS,
    "no_eliminations": Option("All privates stay in the packet", "No private is removed from the packet."),
    "one_elimination": Option("One private less", "One private is removed from the packet instead of six."),
    "two_eliminations": Option(
        "Two privates less", "Two privates are removed from the packet instead of six."
    ),
    "three_eliminations": Option(
        "Three privates less", "Three privates are removed from the packet instead of six."
    ),
    "four_eliminations": Option(
        "Four privates less", "Four privates are removed from the packet instead of six."
    ),
    "five_eliminations": Option(
        "Five privates less", "Five privates are removed from the packet instead of six."
    ),
    "all_tokens_at_any_par": Option(
        "All four tokens at any par", "Whatever its par price, a corporation may buy all four extra tokens."
    ),
    "three_tokens_at_any_par": Option(
        "Three tokens at any par",
        "The $40, $60 and $80 tokens are for every par price, the $100 one for par $100.",
    ),
    "upgrades_by_colour": Option(
        "Tile points by colour", "A green tile costs 2 tile points, a brown one 3, a gray one 4."
    ),
    "overlays": Option(
        "Overlays of the kit",
        "The overlays of the kit lie on cities that were chosen for them, which the map then shows.",
    ),
    "no_saint_louis": Option(
        "Without Saint Louis", "Saint Louis is not on the small board; PRR and GM&O have no destination."
    ),
    "less_cash": Option("Less cash", "Players begin with three quarters of the usual cash."),
    "more_cash": Option("More cash", "Players begin with five quarters of the usual cash."),
    "no_privatization": Option("No privatization", "No president takes a share from another player."),
    "pool_pays_corporation": Option(
        "Pool shares pay the corporation", "Shares in the pool pay their dividend to the corporation."
    ),
    "no_mergers": Option("No mergers", "Corporations do not merge."),
    "no_nationals": Option("No nationals", "Neither Amtrak nor Conrail forms."),
}
"""Every option, common ones too."""
