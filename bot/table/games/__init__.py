"""Games as they are stored and loaded: integrity, repair, imported games, which process runs them."""
