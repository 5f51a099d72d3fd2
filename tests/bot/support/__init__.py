"""Helpers for tests of the bot: people, tables, processes, faults."""
