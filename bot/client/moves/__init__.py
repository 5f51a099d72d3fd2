"""Moves from Discord: typed, clicked or proposed; undo, standing orders, what-if."""
