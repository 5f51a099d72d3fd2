"""Benchmarks: replays, lays, routes, load. Not part of the tests."""
