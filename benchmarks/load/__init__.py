"""Load benchmarks: many running games at once, on the sandbox's Discord server."""
