"""Limits and retries for every request to Discord, and sentences about its errors."""
