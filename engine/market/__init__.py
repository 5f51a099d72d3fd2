"""The market: a grid of share prices and the moves of markers on it."""
