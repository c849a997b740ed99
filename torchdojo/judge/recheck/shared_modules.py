"""The meaning of names that a learner's file takes from shared modules of Python and PyTorch."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType
from typing import Any

_NAMES = (
    "__future__ abc collections collections.abc copy dataclasses enum functools itertools math numbers random statistics typing"
    " torch torch.autograd torch.autograd.function torch.func torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.optim"
    " torch.optim.lr_scheduler torch.utils.data"
)
MODULES = frozenset(_NAMES.split())


@functools.lru_cache(4096)
def is_shared(dotted: str) -> bool:
    """Is it a module or a class that an alias would let others write to? Unknown objects count as one.

    The text is a learner's, so only modules on the list are imported, and no attribute of an object is read.
    """
    top, *rest = dotted.split(".")
    if top not in MODULES:
        return True
    value: Any = importlib.import_module(top)
    for name in rest:
        if not isinstance(value, (ModuleType, type)):
            return False
        for place in [value] if isinstance(value, ModuleType) else value.__mro__:
            if name in vars(place):
                value = vars(place)[name]
                break
        else:
            return True
    return isinstance(value, (ModuleType, type, dict, list, set))


@functools.lru_cache(4096)
def passes_foreign(dotted: str) -> bool:
    """Is there a module on the way that is of another package than those on the list?"""
    top, *rest = dotted.split(".")
    value: Any = importlib.import_module(top) if top in MODULES else None
    for name in rest:
        value = vars(value).get(name) if isinstance(value, (ModuleType, type)) else None
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in MODULES:
            return True
    return False
