"""Tests of what only PostgreSQL does."""
