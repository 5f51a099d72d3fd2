"""The Discord client: takes players' choices, and shows the results."""
