"""Processes that are killed, stopped and continued, and an outbox after an outage, many times over."""
