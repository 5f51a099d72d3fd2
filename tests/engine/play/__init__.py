"""Tests of steps and saved positions."""
