"""Steps of the initial auction."""
