"""Cards and pictures: the last layer before Discord."""
