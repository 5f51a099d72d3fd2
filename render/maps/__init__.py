"""Whole maps as scenes: panels, legend, overlays, and the pictures to pick a lay from."""
