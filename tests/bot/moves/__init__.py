"""Tests of moves made on Discord."""
