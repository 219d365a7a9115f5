"""Where presses arrive, where events go, and how errors are answered."""
