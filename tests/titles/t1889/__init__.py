"""Rules of Shikoku 1889."""
