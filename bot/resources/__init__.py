"""Limits on the cost of answers: quotas of servers, and worker processes for large computations."""
