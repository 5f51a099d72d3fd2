"""Tests of the outbox and of pings."""
