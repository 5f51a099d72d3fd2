"""Storage in an SQLite file, for one process at a time."""
