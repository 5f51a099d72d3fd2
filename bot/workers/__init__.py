"""Heavy computations, done in worker processes so that no game has to wait."""
