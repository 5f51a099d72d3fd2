"""Tests of lobbies, seats, settings and votes."""
