"""Places of games: channels, forums, threads and messages, and their repair."""
