"""The vocabulary of the engine: ids, errors, actions, events, state, spec of a title, offers."""
