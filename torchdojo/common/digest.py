"""One digest of many files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def digest(pairs: Iterable[tuple[bytes, bytes]]) -> str:
    """One digest of names and contents, in order."""
    hasher = hashlib.sha256()
    for name, data in pairs:
        hasher.update(len(name).to_bytes(4, "big") + name + len(data).to_bytes(8, "big") + data)
    return hasher.hexdigest()
