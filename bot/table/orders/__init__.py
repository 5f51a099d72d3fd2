"""Automatic moves: standing orders, sealed auctions, computer players.

Their rows, lines and ended orders are in the transaction of the move that led to them. The rows are
ordinary actions, so the log leads to the same game without orders; `automatic` names the order (none for a
forced move or a computer player's). An undo removes them with the move before them and restores orders that
had ended since. After an undo nothing is automatic until a player moves or the acting player gives an
order. A worker searches for routes while the game's lock is held; moves are made on the event loop.
"""
