"""Refusals of rooms that 18MS opens: its draft, its privates, and trains about to leave."""

from typing import Any, Final

from engine.core.state import LastRun
from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t18ms.mississippi import TO_NEW_ORLEANS, Mississippi, first_position


def gmo(*privates: str, owner: str = "a") -> Mississippi:
    """Ann's GMO in phase 3; the owner has these privates."""
    return Mississippi().phase("3").start("GMO", 90, a=60).owns(owner, *privates)


def after_the_track_step() -> TitleGame:
    """GMO has laid its tile and ended the step, and owns the BS."""
    game = gmo("BS", owner="GMO").tiles("H6:57:1 H4:4:1").trains("GMO", "2+").operating("GMO").game()
    game.lay("GMO", "H6", "15")
    game.lay("BS", "H2", "8", 4)
    game.passes("GMO")
    return game


def about_to_leave() -> TitleGame:
    """IC has run its 2+ in the last round of these trains."""
    ran = Mississippi().phase("3").tiles(TO_NEW_ORLEANS).start("GMO", 90, a=60).trains("GMO", "2+")
    route = ran.operating("GMO", "run").game().find("run_routes").suggest()[0].chosen["routes"]
    built = Mississippi().phase("3").start("IC", 90, b=60).trains("IC", "2+")
    built.state.companies["IC"].last_run = LastRun(tuple(route), (), 0, "paid")
    return built.start("GMO", 90, a=60).operating("GMO", "trains", number=2, of=2, operated=["IC"]).game()


MC: Final[dict[str, Any]] = {"private": "MC", "price": 60}
ROWS: Final[list[Refusal]] = [
    row("mississippi.must_draft", first_position, "pass", None, actor="c"),
    row(
        "mississippi.of_another",
        lambda: gmo("M&M", owner="b").operating("GMO"),
        "buy_private",
        "GMO",
        private="M&M",
        price=50,
    ),
    row(
        "mississippi.no_train_any_more",
        lambda: gmo("MC").trains("GMO", "3+").operating("GMO", set=3),
        "buy_private",
        "GMO",
        **MC,
    ),
    row(
        "mississippi.no_room",
        lambda: gmo("MC").trains("GMO", *["3+"] * 3).operating("GMO", set=2),
        "buy_private",
        "GMO",
        **MC,
    ),
    row(
        "mississippi.track_step_only", after_the_track_step, "lay_tile", "BS", hex="H8", tile="4", rotation=1
    ),
    row(
        "mississippi.has_run",
        about_to_leave,
        "buy_train",
        "GMO",
        train="2+",
        source="IC",
        price=50,
        trade_in="",
    ),
]
