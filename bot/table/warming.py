"""Objects that the first question in a process would have to make first, made apart, while nobody waits."""

from collections.abc import Iterable
from typing import Final

from engine import TITLES, Game, actions, orders, saved_games, words
from engine.views import MapView, map_view

_SEED: Final = 1


def warm(titles: Iterable[str]) -> None:
    """Make what all games need, and what those of these titles do; an unknown one is left out."""
    for make in (actions.adapter, orders.order_adapter, *saved_games.ADAPTERS, words.english):
        make()
    for title in TITLES.keys() & set(titles):
        printed(title)


def printed(title: str) -> MapView:
    """The map of a game that begins; raises TitleError for an unknown title."""
    count = min(TITLES[title].spec.players)
    return map_view(Game(title, [(f"p{i}", f"Player {i}") for i in range(count)], _SEED))
