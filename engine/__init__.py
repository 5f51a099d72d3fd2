"""The rules of 18xx, without clock, input or output: the same actions always lead to the same position.

Other packages use only this module, and `engine.views` for views. Three moves of a game:

    game = Game("18chesapeake", [("ann", "Ann"), ("ben", "Ben"), ("cy", "Cy")], seed=1)
    moves = []
    while len(moves) < 3:
        offer = game.offers()[0]
        walk = OfferCursor(offer).pick_all(offer.suggest()[0].chosen)
        moves += game.apply_cursor(walk)

`game.offers()` returns all legal moves as offers. An OfferCursor fills in an offer, one slot (parameter) at a time.
`game.apply_cursor` makes the move and returns its events, which `narrate.sentences` puts into words. An illegal action
raises an EngineError, which `describe_error` puts into words. `write_record` writes a game as text, and `load_game`
replays it.

Each name is loaded when it is first used, so that a command that only shows the version loads no rules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine import caretaker, interchange, orders
    from engine.core import actions, events, offers, topology
    from engine.core import spec as specs
    from engine.core.actions import Action, read_action
    from engine.core.errors import (
        BadChoice,
        EngineError,
        IllegalAction,
        NotYourTurn,
        ReplayDiverged,
        Unreadable,
    )
    from engine.core.events import Event
    from engine.core.facts import Fact, fact
    from engine.core.ids import POOL, Cell, CompanyId, Coord, PlayerId
    from engine.core.offers import Offer, OfferCursor
    from engine.core.spec import TitleSpec
    from engine.core.state import Proposal
    from engine.game import Game
    from engine.play import saved as saved_games
    from engine.play.rules import RULES_VERSION
    from engine.play.steps.base import Request
    from engine.play.steps.run_trains import BestRun
    from engine.record import (
        Record,
        is_record,
        load_game,
        load_record,
        make_record,
        read_record,
        write_record,
    )
    from engine.tell import differences, narrate, turning_points, words
    from engine.tell.ledger import ledger_csv
    from engine.tell.move_preview import (
        Preview,
        TriedMove,
        funds_fact,
        has_hidden_cards,
        may_try_moves,
        only_player_of_tried_moves,
        preview,
        try_move,
    )
    from engine.tell.teller import Teller, describe_error, teller_of
    from engine.titles import TITLES, Title, correct_titles

_NAMES_BY_MODULE: Final = {
    "engine.core.actions": ("Action", "read_action"),
    "engine.core.errors": (
        "BadChoice",
        "EngineError",
        "IllegalAction",
        "NotYourTurn",
        "ReplayDiverged",
        "Unreadable",
    ),
    "engine.core.events": ("Event",),
    "engine.core.facts": ("Fact", "fact"),
    "engine.core.ids": ("POOL", "Cell", "CompanyId", "Coord", "PlayerId"),
    "engine.core.offers": ("OfferCursor", "Offer"),
    "engine.core.spec": ("TitleSpec",),
    "engine.core.state": ("Proposal",),
    "engine.game": ("Game",),
    "engine.play.rules": ("RULES_VERSION",),
    "engine.play.steps.base": ("Request",),
    "engine.play.steps.run_trains": ("BestRun",),
    "engine.record": (
        "Record",
        "is_record",
        "load_game",
        "load_record",
        "make_record",
        "read_record",
        "write_record",
    ),
    "engine.tell.ledger": ("ledger_csv",),
    "engine.tell.move_preview": (
        "Preview",
        "TriedMove",
        "funds_fact",
        "has_hidden_cards",
        "may_try_moves",
        "preview",
        "only_player_of_tried_moves",
        "try_move",
    ),
    "engine.tell.teller": ("Teller", "describe_error", "teller_of"),
    "engine.titles": ("TITLES", "Title", "correct_titles"),
}
_EXPORTED_MODULES: Final = {
    "actions": "engine.core.actions",
    "caretaker": "engine.caretaker",
    "differences": "engine.tell.differences",
    "events": "engine.core.events",
    "interchange": "engine.interchange",
    "narrate": "engine.tell.narrate",
    "offers": "engine.core.offers",
    "orders": "engine.orders",
    "saved_games": "engine.play.saved",
    "specs": "engine.core.spec",
    "topology": "engine.core.topology",
    "turning_points": "engine.tell.turning_points",
    "words": "engine.tell.words",
}
"""Modules that this package exports as a whole, for names such as `events.TileLaid`."""


def __dir__() -> list[str]:
    """All public names of this package, including those not loaded yet."""
    return sorted((*_EXPORTED_MODULES, *(name for names in _NAMES_BY_MODULE.values() for name in names)))


def __getattr__(name: str) -> Any:
    """Import a public name on first use. Raises AttributeError if there is no such name."""
    if name in _EXPORTED_MODULES:
        value: Any = import_module(_EXPORTED_MODULES[name])
    else:
        module_name = next(
            (module_name for module_name, names in _NAMES_BY_MODULE.items() if name in names), None
        )
        if module_name is None:
            raise AttributeError(f"module 'engine' has no attribute {name!r}")
        value = getattr(import_module(module_name), name)
    globals()[name] = value
    return value
