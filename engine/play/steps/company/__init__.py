"""Other steps of a company's turn: privates, own shares, closing."""
