"""A Discord server on the loopback address: the test bed, and the table one person can play alone in a browser."""
