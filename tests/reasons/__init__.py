"""Whether reasons are true: an example for every refusal key, and an independent referee for random requests."""
