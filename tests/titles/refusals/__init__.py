"""Why requests are refused: an example of every refusal key, and a judge of the most common reasons."""
