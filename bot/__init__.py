"""The Discord bot: takes users' choices, passes them to the engine, stores the result, and then shows it."""
