"""Who looks at the board page: signed links, sessions of browsers, who waits for news. Imports no other room."""
