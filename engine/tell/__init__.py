"""Facts become words and views here, and nowhere else."""
