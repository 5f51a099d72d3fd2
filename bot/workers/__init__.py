"""Processor-heavy work, done in worker processes so that no table waits."""
