"""Automatic moves: by standing orders, in sealed auctions, and by computer players (caretakers).

A standing order is a player's instruction to move for them, such as to pass in stock rounds. Automatic moves are stored
in the same transaction as the move before them. They are ordinary log rows, so a replay does not need the orders. An
undo removes them together with the move before them, and restores the standing orders that had ended after it. After an
undo, no move is automatic until a player moves or a player whose turn it is gives an order. Workers search for routes
while the game is locked.
"""
