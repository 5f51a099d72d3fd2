"""Second statements of the rules, which play along random games."""
