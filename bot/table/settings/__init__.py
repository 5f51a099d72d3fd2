"""The choices of a person, a table or a server, and the rules a game is played by."""
