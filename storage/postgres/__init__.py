"""The contract of storage kept by a server: PostgreSQL, for as many processes as there are."""
