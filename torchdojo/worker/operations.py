"""Which ATen operations PyTorch dispatches, including those inside operations that hide them from an observer.

An observer is off while it forwards an operation. Three kinds of operation call others meanwhile, and are observed here too:
those that a tensor subclass handles itself, those with a kernel written in Python (a custom operator), and composite
ones, which are not decomposed in inference mode.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _push_mode
from torch.utils._pytree import tree_leaves

from torchdojo.worker import audit

COMPOSITE = "CompositeImplicitAutograd"
KERNELS = ("CPU", "CUDA", "MPS", "CompositeExplicitAutograd")
MOST = 100_000


class Operations(TorchDispatchMode):
    """Within a `with` block: the names of the ATen operations that PyTorch dispatched, in order, as in 'aten.add'.

    Those of threads that are started within the block are among them; such a mode is a thread's own, so each new one joins.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.names: list[str] = []

    def __enter__(self) -> Operations:
        self.before = threading.getprofile()
        audit.set_in_threads(self._join)  # runs in each new thread, before anything else
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *error: Any) -> None:
        audit.set_in_threads(self.before)
        super().__exit__(*error)  # type: ignore[no-untyped-call]

    def _join(self, frame: Any, event: Any, argument: Any) -> None:
        audit.set_hook(sys.setprofile, None)
        if self.before is not None:
            self.before(frame, event, argument)
        _push_mode(self)

    @contextmanager
    def _still_on(self) -> Iterator[None]:
        super().__enter__()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            super().__exit__(None, None, None)  # type: ignore[no-untyped-call]

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No, or the first operation imports torch._dynamo: 800 modules, more than a second. Nothing is compiled here."""
        return False

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name, composite, as_composite, as_kernel = _about(function)
        registered = getattr(torch.library, "_impls", ())
        if len(self.names) < MOST:
            self.names.append(name)
        if types and any(t.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__ for t in types):
            return NotImplemented  # the class answers; the operations that it calls come here in turn
        if composite or not as_composite.isdisjoint(registered):
            with self._still_on():
                return function.decompose(*args, **kwargs)
        keys = None if as_kernel.isdisjoint(registered) else _keys(args, kwargs)
        if keys is None:
            return function(*args, **kwargs)
        with self._still_on():
            return function.redispatch(keys, *args, **kwargs)


@functools.lru_cache(4096)
def _about(function: Any) -> tuple[str, bool, frozenset[str], frozenset[str]]:
    """Of an operation: its name, and is it made of others? Such a one is seen only where autograd has not taken it apart before.

    And the entries by which torch.library knows that somebody has registered a function of Python that makes it composite, or
    as its kernel. (Not the simulated device, whose key is another.)
    """
    name = function.name()
    composite = bool(torch._C._dispatch_has_kernel_for_dispatch_key(name, COMPOSITE))
    entry = name.replace("::", "/")
    return (
        str(function._overloadpacket),
        composite,
        frozenset(f"{entry}/{key}" for key in ("", COMPOSITE)),
        frozenset(f"{entry}/{key}" for key in KERNELS),
    )


def _keys(args: Any, kwargs: Any) -> Any:
    """The dispatch keys of the device that the tensors are on; None when there is no tensor."""
    devices = [leaf.device.type for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
    if not devices:
        return None
    key = torch._C._dispatch_key_for_device(devices[0])
    return torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))


def operations(function: Callable[[], Any]) -> list[str]:
    """The ATen operations that function() dispatches. A count that grows with the batch shows a Python loop."""
    with Operations() as seen:
        function()
    return seen.names
