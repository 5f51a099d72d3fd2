"""What must hold, one test a rule."""
