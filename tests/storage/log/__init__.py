"""Tests of the log and what is kept of it."""
