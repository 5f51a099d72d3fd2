"""Whole games of our own, with the digests they lead to."""
