"""Tests of maps, tiles and upgrades."""
