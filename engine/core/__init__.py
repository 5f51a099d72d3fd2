"""Basic types of the engine: ids, errors, actions, events, game state, title data, and offers of legal actions."""
