"""Automatic moves: standing orders, sealed auctions, computer players (caretakers).

They are stored in the transaction of the move before them, with their lines and ended orders. Their rows are ordinary
actions, so replaying the log does not need the orders. An undo removes them together with the move before them, and
restores orders that ended since. After an undo no move is automatic until a player moves, or the player on turn gives
an order. Workers search for routes while the game is locked.
"""
