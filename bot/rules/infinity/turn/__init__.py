"""The Player Turn and its phases."""
