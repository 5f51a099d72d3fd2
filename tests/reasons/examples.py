"""Refusal keys, and examples of them: a position in which somebody asks for what is refused for just that reason.

Examples stand in modules `*_examples.py` of this folder, a line each:

    example("selling.holds_none", stock_round, "sell_shares", "a", company="PRR", shares=1)

`stock_round` returns a game in the position; `a` is the entity of the request, and its decider asks. Those of
most keys were found in the golden games by `tests/support/make_reasons.py`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from engine.game import Game
from engine.play.steps.base import Request
from tests.reasons.truths import TRUTHS, Truth
from tests.support.facts_named import facts_made

TOPICS: Final = {
    *("auction", "buying", "consent", "dividend", "draft", "end_game", "exchange"),
    *("float_tokens", "forced", "game", "issue", "limits", "liquidation", "merger"),
    *("minors", "own_shares", "packet", "phase", "presidency", "private_trade", "privates"),
    *("privatizing", "redeem", "routes", "selling", "stock", "token"),
    *("track", "train_limit", "trains", "turn", "unknown"),
}
"""Topics whose facts are reasons."""
OTHERS: Final = frozenset({"choice.no_company", "choice.no_private", "choice.no_train", "forced.not_enough"})
"""Reasons under a topic of other facts."""
NO_REASONS: Final = frozenset({"merger.tokens", "merger.token_goes_back"})
"""Labels under a topic of reasons."""
LAST_RESORT: Final = frozenset({"game.not_possible", "choice.not_legal"})
"""What is said where no step knows a cause: no example of it was ever found, and wherever it is said a truth fails."""
GOLDEN: Final = Path(__file__).parents[1] / "golden"
FOUND: Final = Path(__file__).with_name("found.json")
"""Examples in golden games, by game: number of actions before it, key, and the request."""
SHOWN: Final[dict[str, str]] = json.loads(Path(__file__).with_name("shown.json").read_text("utf-8"))
"""Keys whose refusals are given in tests of titles, with the module and name of a test without arguments."""
ONLY_18C2C: Final = frozenset(
    {
        "auction.taken_first",
        *("buying.not_by_players", "buying.not_formed"),
        *("consent.asked_first_for_merger", "consent.not_your_reply_for_merger"),
        "dividend.no_destination_run",
        "forced.sold_out_first",
        *("exchange.for_nothing", "exchange.no_private", "exchange.no_share", "exchange.not_yours"),
        *("float_tokens.decided_first", "float_tokens.nobody_floats", "float_tokens.prices"),
        *(
            "merger.lie_so_already",
            "merger.named_first",
            "merger.named_otherwise",
            "merger.no_other_way",
            "merger.no_partner_left",
            "merger.no_such_way",
            "merger.no_track_between",
            "merger.nobody_to_preside",
            "merger.not_its_trains",
            "merger.not_operated",
            "merger.one_shell",
            "merger.presides_over_neither",
            "merger.presides_over_one",
            "merger.proposes_now",
            "merger.refused_before",
            "merger.shells_first",
            "merger.shuffled_before",
            "merger.shuffles_before_running",
            "merger.single_only",
            "merger.with_itself",
        ),
        *(
            "own_shares.holds_none",
            "own_shares.market_first",
            "own_shares.no_company",
            "own_shares.none_redeemed",
            "own_shares.not_floated",
            "own_shares.not_president",
            "own_shares.once_a_round",
            "own_shares.too_dear",
            "own_shares.too_few_left",
        ),
        *("packet.kept", "packet.removals_first", "packet.removed_already"),
        *(
            "privates.closed_by_its_owner",
            "privates.closing_brings_nothing",
            "privates.early_for_based",
            "privates.early_on_the_river",
            "privates.for_tiles_only",
            "privates.has_helped",
            "privates.helps_elsewhere",
            "privates.helps_nowhere",
            "privates.label_given",
            "privates.marker_not_from",
            "privates.marker_not_sold",
            "privates.marker_too_dear",
            "privates.no_city_for_label",
            "privates.no_city_left",
            "privates.none_to_close",
            "privates.not_early",
            "privates.one_marker_is_enough",
            "privates.sells_no_markers",
            "privates.too_late_for_label",
            "privates.too_late_for_tiles",
        ),
        *(
            "privatizing.holds_too_little",
            "privatizing.never",
            "privatizing.nobody_else",
            "privatizing.not_from",
            "privatizing.of_no_company",
            "privatizing.too_dear",
        ),
        *(
            "routes.no_proof",
            "routes.no_proof_left",
            "routes.not_to_destination",
            "routes.one_to_destination",
            "routes.to_destination_now",
        ),
        "selling.first_with_shares",
        *("stock.only_beside_trading", "stock.several_from_market", "stock.sold_before_purchase"),
        *("token.no_bull", "token.only_special"),
        *(
            "track.bridge_must_cross",
            "track.no_bridge",
            "track.one_tile_a_hex",
            "track.points_used_up",
            "track.too_few_points",
        ),
        *("train_limit.on_the_other_shell", "train_limit.shell_first"),
    }
)
"""Reasons that only 18C2C gives: their examples stand in `c2c_examples.py`, which leaves with the title."""
NO_WISHES: Final = {
    "auction.unpaid": "tests.engine.interchange.test_log_reader.test_unpaid_bid_stops_a_log",
    "routes.more_than_trains": "tests.reasons.test_typed_routes.test_more_routes_than_trains_are_refused",
    "routes.nobody_runs": "tests.reasons.test_typed_routes.test_no_routes_are_read_where_no_company_operates",
}
"""Reasons that refuse nothing but a log or typed routes, with the test in which each is given."""


@dataclass(frozen=True)
class Example:
    """A request that is refused for the reason of this key."""

    key: str
    position: Callable[[], Game]
    kind: str
    entity: str | None
    actor: str | None
    given: Mapping[str, Any]

    def request(self, game: Game) -> Request:
        """The request, of the actor or of the player who decides for the entity."""
        actor = self.actor or game.table.decider(self.entity or "")
        return Request(self.kind, actor, self.entity, self.given)


EXAMPLES: Final[list[Example]] = []


def example(
    key: str,
    position: Callable[[], Game],
    kind: str,
    entity: str | None,
    *,
    actor: str | None = None,
    **given: Any,
) -> None:
    """Register an example of a refusal key."""
    EXAMPLES.append(Example(key, position, kind, entity, actor, given))


@cache
def all_examples() -> tuple[Example, ...]:
    """Those of every module of this folder, in the same order whichever module is read first."""
    _import_all("*_examples.py")
    return tuple(sorted(EXAMPLES, key=lambda one: (one.key, one.position.__module__)))


@cache
def all_truths() -> Mapping[str, Truth]:
    """When each reason is so, from every module of this folder."""
    _import_all("*_truths.py")
    return TRUTHS


def _import_all(names: str) -> None:
    for path in sorted(Path(__file__).parent.glob(names)):
        import_module(f"tests.reasons.{path.stem}")


@cache
def refusal_keys() -> frozenset[str]:
    """Every reason that the engine can give for a refused move; those of typed routes have tests of their own."""
    made = {name for one in facts_made() for name in one.names}
    keys = {name for name in made if name.partition(".")[0] in TOPICS} | (made & OTHERS)
    return frozenset(keys - NO_REASONS - LAST_RESORT)


def elsewhere() -> frozenset[str]:
    """Reasons that need no example, because the module that has them is not there."""
    return frozenset() if Path(__file__).with_name("c2c_examples.py").exists() else ONLY_18C2C
