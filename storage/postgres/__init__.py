"""The storage contract on PostgreSQL, for any number of processes."""
