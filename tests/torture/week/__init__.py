"""A week at many tables in simulated time: who plays, what befalls the bot, and whether pings are right."""
