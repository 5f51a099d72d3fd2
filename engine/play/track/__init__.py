"""Which tiles a company may lay, and what they cost in points and dollars."""
