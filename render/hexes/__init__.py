"""Drawing of one hex: terrain, track, stops, labels and routes."""
