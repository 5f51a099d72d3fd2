"""Load benchmarks: many tables at once, through the loopback server."""
