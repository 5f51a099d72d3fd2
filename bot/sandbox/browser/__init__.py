"""The page in the browser: what it shows a person and what they can do."""
