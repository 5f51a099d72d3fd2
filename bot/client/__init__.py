"""The client: collects choices on Discord, and shows there what happened."""
