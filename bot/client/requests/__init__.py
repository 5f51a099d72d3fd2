"""The guards that every request to Discord passes: limits, retries, and its errors in words."""
