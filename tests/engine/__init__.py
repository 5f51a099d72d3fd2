"""Tests of the engine beside the titles."""
