"""The running bot: startup, background maintenance, connecting shards."""
