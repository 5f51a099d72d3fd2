"""Texts and views of a game: the only package that turns engine messages (`Fact`) into sentences."""
