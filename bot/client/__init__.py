"""The Discord client: it takes users' choices and shows the results."""
