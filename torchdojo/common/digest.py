"""One digest of many files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def digest(pairs: Iterable[tuple[bytes, bytes]]) -> str:
    """One digest of names and contents, in order."""
    found = hashlib.sha256()
    for name, data in pairs:
        found.update(len(name).to_bytes(4, "big") + name + len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
