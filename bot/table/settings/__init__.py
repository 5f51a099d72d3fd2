"""Settings of users, games and servers, and a game's rules in words."""
