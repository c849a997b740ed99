"""Make a dataclass of plain data that may hold more, or less, than its fields."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any


def fields_in(data: Mapping[str, Any], kind: type) -> Any:
    """The items of the data that are fields of the dataclass."""
    return {name: data[name] for name in _names(kind) if name in data}


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))
