"""Tests of what every interaction passes."""
