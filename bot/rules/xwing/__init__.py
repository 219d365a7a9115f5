"""X-Wing 2nd edition: dice outside an attack, and the attack window by window."""
