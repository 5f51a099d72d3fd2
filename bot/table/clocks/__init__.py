"""Clocks of players: time banks, pauses, absences, and what happens when time is up."""
