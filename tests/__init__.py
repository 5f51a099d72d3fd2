"""Tests, one for each rule."""
