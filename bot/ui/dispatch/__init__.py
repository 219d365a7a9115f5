"""Routes for presses and events, and answers to errors."""
