"""The board page: links and sessions, what it shows, what it lets a visitor do."""
