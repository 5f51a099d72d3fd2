"""SQLite: games, their logs of actions, and what must still be posted. Knows no rules."""
