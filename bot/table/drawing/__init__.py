"""Pictures as worker processes draw them."""
