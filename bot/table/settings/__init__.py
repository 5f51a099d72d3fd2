"""What a person, a table or a server has chosen, and the rules a game is played by."""
