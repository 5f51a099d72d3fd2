"""Undo and redo: what would be lost, what was secret, what changes back.

An undo is one row that names the row to go back to; rows after that no longer count. A redo appends the same
actions as ordinary rows, each with its former digest; a move that leads elsewhere is refused. What may be
redone follows from the log alone: undos are a stack, which any other row empties unless it is the very move
that the last undo took away.
"""
