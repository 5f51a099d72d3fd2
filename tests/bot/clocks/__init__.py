"""Tests of time banks, pauses and absences."""
