"""The rules of 18xx: pure, without clock, input or output. Same actions, same state, same digest."""
