"""One hex as a drawing: track, stops, labels, routes, and where the writing goes."""
