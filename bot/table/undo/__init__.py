"""Undo and redo: what would be lost, what was secret, what changes back."""
