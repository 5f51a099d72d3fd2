"""Tests of storage on both databases."""
