"""Private answers that change no game: views, past positions, lists, health, exports. Imports entry and texts."""
