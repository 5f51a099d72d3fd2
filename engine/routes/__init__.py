"""Routes: what they are, whether they are legal, what they earn, how they are typed, and the best ones."""
