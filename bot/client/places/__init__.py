"""The places that show games: channels, forums, threads and messages, and new ones in place of deleted ones."""
