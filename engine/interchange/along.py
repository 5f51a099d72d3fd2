"""Plays a game of ours along by the rules of 18xx.games, which asks where nothing can be done and records the pass."""

from typing import Final

from engine.core.errors import EngineError
from engine.core.state import Operating
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.log import ASKED_THERE, PROFILE, Raw
from engine.play.steps.base import Wish
from engine.titles.standard import COMMON_OPTIONS

OWN_OPTIONS: Final = frozenset(COMMON_OPTIONS)
"""Options that site does not know."""
ALL: Final = 2**31
"""More actions than any game has."""
IN_TWO: Final = frozenset({"convert", "merge"})
"""Actions that come in pairs, of which the first says nothing by itself."""
MOST_PASSES: Final = 8
"""So many questions may come between two actions; more are a game that went another way."""


class AlongThere:
    """A game as that site would play it, until it goes another way."""

    def __init__(self, game: Game) -> None:
        options = game.options - OWN_OPTIONS
        self._game = Game(game.title.id, game.players, game.seed, PROFILE, options, from_log=ALL)
        self._importer: Importer | None = Importer(self._game)

    def questions(self, raw: Raw) -> list[Raw]:
        """The passes that site wants before this action; it is done then. None any more once it would be refused."""
        asked: list[Raw] = []
        if self._importer is None:
            return asked
        try:
            while (question := self._question(self._importer, raw)) is not None and len(asked) < MOST_PASSES:
                self._importer.apply(question)
                asked.append(question)
            self._importer.apply(raw)
        except EngineError:
            self._importer = None
            return []
        return asked

    def _question(self, importer: Importer, raw: Raw) -> Raw | None:
        """The pass of a company that waits before the action can be done."""
        if raw["type"] in IN_TWO:
            return None
        action = importer.read(raw)
        if action is None or self._game.why_not(Wish.of(action)) is None:
            return None
        if not isinstance(self._game.table.state.round, Operating):
            return None
        passes = [offer for offer in self._game.offers() if offer.kind == "pass" and offer.blocking]
        if not passes:
            return None
        return {"type": "pass", "entity": passes[0].entity, "entity_type": "corporation", ASKED_THERE: True}
