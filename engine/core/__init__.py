"""Values the whole engine speaks in: ids, errors, actions, events, state, what a title's table says, offers."""
