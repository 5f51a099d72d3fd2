"""Cache warming: caches are filled before the first request to a process needs them."""

from collections.abc import Iterable
from typing import Final

from engine import TITLES, Game, actions, orders, saved_games, words
from engine.views import MapView, map_view

_WARMING_SEED: Final = 1


def fill_title_caches(titles: Iterable[str]) -> None:
    """Fill the caches that all games use, and the caches of these titles. Unknown titles are ignored."""
    for fill_cache in (
        actions.action_adapter,
        orders.order_adapter,
        *saved_games.JSON_ADAPTERS,
        words.english_templates,
    ):
        fill_cache()
    for title in TITLES.keys() & set(titles):
        printed_map(title)


def printed_map(title_id: str) -> MapView:
    """The map of a title before the first move; raises TitleError if the title is unknown."""
    player_count = min(TITLES[title_id].spec.players)
    return map_view(Game(title_id, [(f"p{i}", f"Player {i}") for i in range(player_count)], _WARMING_SEED))
