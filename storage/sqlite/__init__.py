"""The contract of storage kept by a file: SQLite, one process at a time."""
