"""Draws of groups of every size, at tables of every size."""

from random import Random

from bot.table.events.draw import draw_group, games_per_entrant_for_full_tables

PAIRS = [(entrants, size) for entrants in range(3, 61) for size in range(2, min(8, entrants) + 1)]
SAMPLE, PARTS = 20, 4
"""The number of pairs that are drawn; in long runs a quarter of them with each seed."""
WIDEST = 3
"""The most games by which the meetings of two pairs of players differ where no better draw is found."""


def test_draws_are_even(game_seed: int, whole_games: bool) -> None:
    """As many games for each, every seat equally often or once more; meetings are as even as a search finds."""
    chance = Random(game_seed)
    spread = []
    for entrants, size in PAIRS[game_seed % PARTS :: PARTS] if whole_games else chance.sample(PAIRS, SAMPLE):
        wanted = chance.randint(1, 8)
        draw = draw_group(range(entrants), size, wanted, game_seed)
        games = games_per_entrant_for_full_tables(entrants, size, wanted)
        assert draw.games_range == (games, games)
        assert draw.seats_range == (games // size, -(-games // size))
        assert all(len(set(table)) == size for table in draw.tables)
        spread.append(draw.meetings_range[1] - draw.meetings_range[0])
    assert max(spread) <= WIDEST
    assert sum(differ <= 1 for differ in spread) > len(spread) * 0.7
