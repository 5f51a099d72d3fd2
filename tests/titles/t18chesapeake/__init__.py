"""The rules of 18Chesapeake."""
