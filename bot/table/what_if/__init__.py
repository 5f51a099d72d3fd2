"""Moves tried on a copy of a game; nothing is stored.

A what-if begins with the text of the game; each move adds the text of the copy after it. What-ifs are kept in
memory by game and user, bounded. Their buttons carry a number that names the what-if and its state; after a
restart they are refused.
"""
