"""The outbox: notices (rows about what to post on Discord), the sender that posts them, and its circuit breaker.

A notice is stored in the same transaction as its move.
"""
