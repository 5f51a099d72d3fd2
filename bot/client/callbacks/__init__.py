"""What happens when somebody clicks a button, chooses from a menu or submits a modal. Stands on the bot client."""
