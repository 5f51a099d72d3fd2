"""A second statement of the classic game, as 1830, 1889 and 18GA play it."""
