"""Work that keeps a processor busy, done in processes of its own, so that no table waits for it."""
