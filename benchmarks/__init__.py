"""What an answer costs, measured against a bot that does nothing else."""
