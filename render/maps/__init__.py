"""Pictures of maps: the whole map with panels and legend, close-ups, and numbered choices of a tile lay."""
