"""Tests of the computer player."""
