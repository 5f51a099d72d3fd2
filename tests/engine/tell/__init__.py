"""Tests of words, views and refusals."""
