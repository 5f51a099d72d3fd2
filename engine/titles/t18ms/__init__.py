"""18MS: The Railroads Come to Mississippi."""
