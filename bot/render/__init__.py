"""Cards and pictures: the last thing before Discord that is not Discord."""
