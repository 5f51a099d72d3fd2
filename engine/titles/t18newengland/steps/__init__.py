"""18NewEngland's own steps."""
