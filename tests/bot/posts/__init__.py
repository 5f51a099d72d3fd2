"""Tests of what is posted, and of outages."""
