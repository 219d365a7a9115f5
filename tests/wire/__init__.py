"""A small loopback Discord for whole bot processes: gateway and REST on 127.0.0.1, nothing more than one bot needs."""
