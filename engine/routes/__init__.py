"""Routes: what they are, whether they are legal and what they earn, how they are typed, and the best of them."""
