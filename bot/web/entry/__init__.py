"""Comes before every answer: connections, addresses, limits, sessions, login, and the bodies of requests."""
