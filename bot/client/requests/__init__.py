"""What every request to Discord passes."""
