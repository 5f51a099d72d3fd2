"""The outbox: notices (rows that tell what to post on Discord), the sender that posts them, and its circuit breaker.

A notice is stored in the same transaction as its move.
"""
