"""Tests of single hexes."""
