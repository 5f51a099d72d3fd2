"""Limits and retries for all requests to Discord, and sentences that explain Discord's errors."""
