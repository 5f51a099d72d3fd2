"""The Discord bot: collects choices, hands them to the engine, stores them, then shows what happened."""
