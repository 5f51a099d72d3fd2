"""Games as they are stored and loaded: their logs, integrity, repair, and which process runs them."""
