"""Checks before every request: connections, client addresses, access, rate limits, login and sessions."""
