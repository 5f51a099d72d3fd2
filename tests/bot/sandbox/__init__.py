"""Tests that the sandbox refuses what Discord refuses."""
