"""The package as its users have it: built, installed apart from the checkout, run in a folder of its own."""
