"""Benchmarks of replays, tile lays, route searches, pictures, Discord requests and load. Not part of the tests."""
