"""Tests of best runs."""
