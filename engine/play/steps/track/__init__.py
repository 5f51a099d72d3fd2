"""Steps that lay track in a company's turn."""
