"""What an answer may cost: quotas of servers, and worker processes for large computations."""
