"""The Discord client: takes users' choices and shows the results."""
