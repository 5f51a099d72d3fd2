"""A second statement of the classic game, as 1830, 1882, 1889, 18GA and 18MS play it."""
