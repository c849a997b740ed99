"""Remove the kernels of forbidden operations during a run. A call of such an operation then raises an error, under any name, in
any thread, and whichever modes or recorders are switched off.
"""

from __future__ import annotations

import fnmatch
import functools
import re
import secrets
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

PREFIX = "aten."
MOST = 300  # operations of a pattern; 'aten.*' would be all of them


class Removed(RuntimeError):
    """A forbidden operation was called while its kernel was away."""


@contextmanager
def without(patterns: Sequence[str]) -> Iterator[list[str]]:
    """Within the block the operations that match have no kernel on the CPU. The list gets the names of those that are called,
    and `GAP` if somebody has put a kernel back."""
    called: list[str] = []
    operations = operations_of(tuple(patterns))
    if not operations:
        yield called
        return
    warm()
    token = secrets.token_hex(8)
    library = torch._C._dispatch_library("IMPL", "aten", "", token, 1)
    for name, dotted, keys in operations:
        for key in keys:
            library.impl(name, key, _absent(dotted, called))
    try:
        yield called
    finally:
        if token not in torch._C._dispatch_dump(operations[secrets.randbelow(len(operations))][0]):
            called.append(GAP)
        library.reset()


GAP = "a kernel was put back"


def _absent(name: str, called: list[str]) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        called.append(name)
        raise Removed(f"{name} is not allowed here")

    return kernel


@functools.lru_cache(256)
def operations_of(patterns: tuple[str, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """The overloads that match one of the patterns: full name, name as in 'aten.relu', and the keys of their kernels."""
    wanted = [re.compile(fnmatch.translate(p)) for p in patterns if p.startswith(PREFIX)]
    each = [[one for one in _all() if pattern.fullmatch(one[1])] for pattern in wanted]
    operations = {one for some in each if len(some) <= MOST for one in some}
    return [(name, dotted, _keys(name)) for name, dotted in sorted(operations)]


def _keys(name: str) -> tuple[str, ...]:
    """Composite operations are taken apart by autograd before a kernel of the CPU is looked for."""
    composite = torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd")
    return ("CPU", "AutogradCPU") if composite else ("CPU",)


@functools.cache
def _all() -> list[tuple[str, str]]:
    every = (name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::"))
    return [(name, PREFIX + name[len("aten::") :].partition(".")[0]) for name in every]


@functools.cache
def names() -> frozenset[str]:
    """All ATen operations, as in 'aten.relu'."""
    return frozenset(dotted for _, dotted in _all())


@functools.cache
def warm() -> None:
    """List the operations, and let PyTorch give its warning about replaced kernels, which comes once, before anybody hears it."""
    names()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = torch._C._dispatch_library("IMPL", "aten", "", __name__, 1)
        library.impl("aten::_softmax", "CPU", _absent("", []))  # one that has a kernel of the CPU
        library.reset()
