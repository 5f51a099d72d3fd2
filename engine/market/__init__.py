"""The market: a grid of share prices, and how markers move on it."""
