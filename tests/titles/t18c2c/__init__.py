"""The rules of 18C2C."""
