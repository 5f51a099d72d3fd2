"""Tests of the engine apart from the titles."""
