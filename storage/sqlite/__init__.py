"""The storage contract on an SQLite file, for one process at a time."""
