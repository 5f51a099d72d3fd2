"""18NewEngland: minors that merge into majors."""
