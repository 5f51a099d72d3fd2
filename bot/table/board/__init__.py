"""Who looks at the board page: signed links and the sessions of browsers; who waits for news of a game. Imports nothing of
the other rooms."""
