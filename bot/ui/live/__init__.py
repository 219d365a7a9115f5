"""Messages and pages that follow what they show."""
