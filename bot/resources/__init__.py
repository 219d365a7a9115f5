"""Limits on the cost of answers: server quotas, and worker processes for large computations."""
