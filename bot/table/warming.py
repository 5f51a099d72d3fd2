"""Filling caches before the first request in a process."""

from collections.abc import Iterable
from typing import Final

from engine import TITLES, Game, actions, orders, saved_games, words
from engine.views import MapView, map_view

_WARMING_SEED: Final = 1


def warm_titles(titles: Iterable[str]) -> None:
    """Fill the caches of all games and of these titles; unknown titles are ignored."""
    for make in (actions.action_adapter, orders.order_adapter, *saved_games.JSON_ADAPTERS, words.english):
        make()
    for title in TITLES.keys() & set(titles):
        printed_map(title)


def printed_map(title: str) -> MapView:
    """The map of a title at the start of a game; raises TitleError if it is unknown."""
    count = min(TITLES[title].spec.players)
    return map_view(Game(title, [(f"p{i}", f"Player {i}") for i in range(count)], _WARMING_SEED))
