"""What keeps a game from being shown in its thread, for those who ask or move meanwhile."""

from typing import Final

from bot.table.outbox.circuit_breaker import CircuitBreaker

PLACE: Final = "place"
"""The queue of what is wrong with the thread itself."""
OUTAGE: Final = "Discord is in trouble just now."
"""Why no thread shows anything new in an outage."""


class DeliveryProblems:
    """Why the posts of some games cannot be made just now, in sentences."""

    def __init__(self, breaker: CircuitBreaker | None = None) -> None:
        self._breaker = breaker
        self._texts: dict[tuple[int, str], str] = {}

    def of(self, game_id: int) -> str | None:
        """Why the thread of a game does not show all; None where nothing is known to be wrong."""
        place = self._texts.get((game_id, PLACE))  # it says what helps
        found = place or next((text for (game, _), text in self._texts.items() if game == game_id), None)
        return found or (OUTAGE if self._breaker is not None and self._breaker.is_open else None)

    def note(self, game_id: int, queue: str, text: str) -> bool:
        """Keep why rows of a queue cannot be posted; returns whether that is news."""
        news = self._texts.get((game_id, queue)) != text
        self._texts[game_id, queue] = text
        return news

    def over(self, game_id: int, queue: str) -> bool:
        """Rows of this queue have been posted; returns whether there was trouble with them."""
        return self._texts.pop((game_id, queue), None) is not None
