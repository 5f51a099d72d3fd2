"""Comes before every answer: connections, addresses, access, limits, login and sessions."""
