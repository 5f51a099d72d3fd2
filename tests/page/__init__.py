"""Checks of the scripts of the board page: rules, types and unit tests."""
