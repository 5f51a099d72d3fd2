"""The Discord bot: it takes users' choices, passes them to the engine, and stores and shows the results."""
