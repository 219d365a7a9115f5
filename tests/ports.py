"""Ports that are free when somebody wants to listen on them, and not only when they were looked for."""

import socket

_KEPT: list[socket.socket] = []


def free_port() -> int:
    """A port of 127.0.0.1 for a process that is given its number.

    A socket that never listens keeps it for as long as the tests run: the kernel gives it to nobody who asks for any
    port, nor to a connection that leaves; and who asks for this very port, as servers do with SO_REUSEADDR, has it.
    """
    kept = socket.socket()
    kept.bind(("127.0.0.1", 0))
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _KEPT.append(kept)
    return int(kept.getsockname()[1])
