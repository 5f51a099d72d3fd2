"""Steps that place stations, and tokens of privates."""
