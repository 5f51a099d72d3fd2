"""Places of games: channels, forums, threads and their messages, and repairs when they are deleted."""
