"""Tests of draws, points and standings, and of who plays on."""
