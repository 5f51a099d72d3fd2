"""Setting up servers and moderating games: imports, repairs, rematches, removals. Stands on answers and moves."""
