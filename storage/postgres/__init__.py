"""Storage on a PostgreSQL server, for any number of processes."""
