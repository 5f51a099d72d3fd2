"""Why requests are refused: an example of every refusal key."""
