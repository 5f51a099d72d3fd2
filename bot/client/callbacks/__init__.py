"""What a clicked button, a choice in a select menu or a submitted modal does. Stands on the bot client."""
