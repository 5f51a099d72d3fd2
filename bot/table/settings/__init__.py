"""Settings of users, tables and servers, and game rules."""
