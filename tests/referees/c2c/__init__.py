"""The second statement of the rules of 18C2C."""
