"""The sentence of a cause, for tests of messages."""

from typing import Any

from torchdojo.explain.cause import Cause


def text_of(cause: Any) -> Any:
    """A cause as its sentence; anything else, such as None, as it is."""
    return cause.sentence if isinstance(cause, Cause) else cause
