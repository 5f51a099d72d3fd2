"""Rounds: who acts in which order. A round asks the first of its steps that has something to offer."""
