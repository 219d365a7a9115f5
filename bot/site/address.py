"""The address of a question: what stands in the fields of the page, packed, behind the ``#``, which no server is sent.

``[game, shared, asks]`` as JSON, deflated without a header (RFC 1951), in the letters of base64url without ``=`` (RFC
4648, section 5); ``site.js`` writes and reads the same.
"""

import base64
import json
import zlib
from collections.abc import Sequence

from bot.games.game import Words


def fragment(game: str, shared: Words, asks: Sequence[Words]) -> str:
    """What stands behind the ``#`` of an address: the words that all choices share, and those of each choice."""
    text = json.dumps([game, shared, asks], ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")
