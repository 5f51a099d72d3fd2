"""Tests of standing orders as pure functions."""
