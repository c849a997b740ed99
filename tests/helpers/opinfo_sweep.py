"""PyTorch's own operator database as the oracle for a device: does it compute what the CPU does, does it refuse to mix?

    python tests/helpers/opinfo_sweep.py agreement sim        # forward and backward of every operator against the CPU
    python tests/helpers/opinfo_sweep.py mixed sim [cuda]     # every call with one tensor left on the CPU

--json prints a part as data, `both` sweeps after each other with it; --every=3/12 takes every twelfth operator, beginning at the third.

`test_sim_opinfo.py` runs a part of it with every change, `benchmarks/devices.py` all of it. The database comes with PyTorch
and wants `expecttest` to be imported.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import multiprocessing
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from torchdojo.worker.warm import exact_floats

SEED = 5
SAMPLES, PART = 12, 5  # of each operator: at most so many, and so many with every change
DEVICE_WORDS = re.compile(
    r"same device|same type|should be the same|on (the )?(same|the expected) device|same device type|is not on"
    r"|must be on|device type for|to be on|found input tensor at|Expected tensor to have \w+(:\d)? Device"
    r"|expected device \w+(:\d)? but got|get_device\(\) =="
)
# Random operators whose results depend on uninitialised memory; nothing to compare.
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided", "resize_", "resize_as_"}


def operators(first: int = 0, step: int = 1) -> list[Any]:
    """The operators of the database that take dense tensors on the CPU: all, or every so many."""
    from torch.testing._internal.common_methods_invocations import op_db

    return [op for op in op_db if op.supported_dtypes("cpu")][first::step]


@dataclass(frozen=True)
class Call:
    """One call of an operator: its sample's arguments flattened, and how to make it again on a device."""

    op: Any
    leaves: tuple[Any, ...]
    spec: Any

    def tensors(self) -> list[int]:
        """The positions of the tensors among the leaves."""
        return [i for i, x in enumerate(self.leaves) if isinstance(x, torch.Tensor)]

    def on(self, device: str, stays: int | None = None) -> tuple[list[Any], Callable[[], Any]]:
        """(the leaves on the device, a function that makes the call with them); the leaf `stays` is left on the CPU."""
        moved = [_moved(x, device if i != stays else "cpu") for i, x in enumerate(self.leaves)]

        def call() -> Any:
            torch.manual_seed(SEED)
            first, args, kwargs = tree_unflatten(moved, self.spec)
            return self.op(first, *args, **kwargs)

        return moved, call


def _moved(x: Any, device: str) -> Any:
    if isinstance(x, torch.Tensor):
        there = x.detach().to(device, copy=True) if x.layout is torch.strided else x.to(device)
        return there.requires_grad_(x.requires_grad)
    if isinstance(x, torch.device) or (isinstance(x, str) and x == "cpu"):
        return torch.device(device) if isinstance(x, torch.device) else device
    return x


def calls(op: Any, most: int = SAMPLES) -> Iterator[Call]:
    """The first samples of an operator, on the CPU: float32 if it takes that, else the first dtype that it does take."""
    dtypes = sorted(op.supported_dtypes("cpu"), key=lambda t: (t is not torch.float32, t is not torch.int64, str(t)))
    torch.manual_seed(SEED)
    differentiable = op.supports_autograd and dtypes[0].is_floating_point
    for number, sample in enumerate(op.sample_inputs("cpu", dtypes[0], requires_grad=differentiable)):
        if number == most:
            return
        leaves, spec = tree_flatten((sample.input, sample.args, sample.kwargs))
        yield Call(op, tuple(leaves), spec)


# ------------------------------------------------------------------ the same numbers
def observed(call: Call, device: str) -> dict[str, Any]:
    """What comes out of a call on a device, and out of its backward: tensors brought to the CPU, or the error's type."""
    leaves, run = call.on(device)
    try:
        result = run()
        outputs = [x for x in tree_flatten(result)[0] if isinstance(x, torch.Tensor)]
        found: dict[str, Any] = {"outputs": [x.detach().cpu() for x in outputs], "devices": {x.device.type for x in outputs}}
        roots = [x for x in outputs if x.requires_grad]
        if roots:
            inputs = [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]
            torch.manual_seed(SEED)
            gradients = [torch.randn(x.shape, dtype=x.dtype).to(x.device) for x in roots]
            given = torch.autograd.grad(roots, inputs, gradients, allow_unused=True)
            found["gradients"] = [None if g is None else g.cpu() for g in given]
        return found
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error).splitlines()[0][:200] if str(error) else ""}


def disagreement(call: Call, device: str, random: bool) -> str | None:
    """How a call on the device differs from the CPU, or None. Calls that differ from themselves on the CPU do not count."""
    want, again, got = observed(call, "cpu"), observed(call, "cpu"), observed(call, device)
    if "error" in want or _differs(again, want, False):
        return None
    if "error" in got:
        return f"{got['error']}: {got['text']}"
    if want["devices"] and "cpu" in got["devices"]:
        return "a result is on the CPU"
    return _differs(got, want, random)


def _differs(got: dict[str, Any], want: dict[str, Any], random: bool) -> str | None:
    if got.keys() != want.keys():
        return f"got {sorted(got)}, wanted {sorted(want)}"
    for part in ("outputs", "gradients"):
        for a, b in zip(got.get(part, ()), want.get(part, ()), strict=True):
            if (a is None) != (b is None):
                return f"one of the {part} is missing"
            if a is None:
                continue
            if a.shape != b.shape or a.dtype != b.dtype:
                return f"{part}: got {a.dtype} {tuple(a.shape)}, wanted {b.dtype} {tuple(b.shape)}"
            if not random and a.layout is torch.strided:
                try:
                    torch.testing.assert_close(a, b, equal_nan=True, rtol=2e-4, atol=2e-5, check_stride=False)
                except AssertionError as error:
                    return f"{part}: {str(error).splitlines()[0]}"
    return None


def agreement(op: Any, device: str, most: int = SAMPLES) -> str | None:
    """The first disagreement of an operator with the CPU, or None."""
    random = op.name.startswith(tuple(UNINITIALISED)) or _is_random(op)
    for call in calls(op, most):
        found = disagreement(call, device, random)
        if found:
            return found
    return None


def _is_random(op: Any) -> bool:
    words = "dropout rand bernoulli multinomial normal uniform cauchy exponential geometric log_normal rrelu fractional svd_lowrank"
    return any(word in op.name for word in (*words.split(), "pca_lowrank", "scaled_dot_product", "multi_head_attention"))


# ------------------------------------------------------------------ one tensor left on the CPU
def mixed(op: Any, device: str, most: int = SAMPLES) -> Iterator[tuple[str, str]]:
    """(sample and tensor that stayed, 'device error' or 'other error: ...' or 'silent') for each sample of several tensors.

    Tensors without dimensions are scalars, which may stay; what the device cannot do at all is left out.
    """
    for number, call in enumerate(calls(op, most)):
        places = call.tensors()
        if len(places) < 2 or "error" in observed(call, device):
            continue
        for n, place in enumerate(places):
            if call.leaves[place].dim() == 0:
                continue
            _, run = call.on(device, stays=place)
            try:
                run()
                yield f"sample {number}, tensor {n}", "silent"
            except Exception as error:
                about_devices = DEVICE_WORDS.search(str(error))
                yield f"sample {number}, tensor {n}", "device error" if about_devices else f"other error: {error}"[:160]


def name_of(op: Any) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else str(op.name)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def sweep(what: str, most: int, every: tuple[int, int], device: str) -> dict[str, Any]:
    """One sweep of a device, in a process that has no other accelerator."""
    if device == "sim":
        from torchdojo import sim

        sim.install()
    exact_floats()
    with quiet():
        found = {}
        if what in ("agreement", "both"):
            results = {name_of(op): agreement(op, device, most) for op in operators(*every)}
            found["agreement"] = {"operators": list(results), "wrong": {name: text for name, text in results.items() if text}}
        if what in ("mixed", "both"):
            found["mixed"] = {f"{name_of(op)}, {place}": said for op in operators(*every) for place, said in mixed(op, device, most)}
        return found if what == "both" else found[what]


def main(what: str, *devices: str, as_json: bool = False, every: tuple[int, int] = (0, 1)) -> None:
    """Run one sweep and print it, for people or as JSON (of a part: the first samples of each operator, or of every so many)."""
    most = PART if as_json else SAMPLES
    with multiprocessing.get_context("spawn").Pool(len(devices)) as pool:
        result = dict(zip(devices, pool.map(functools.partial(sweep, what, most, every), devices, chunksize=1), strict=True))
    if what != "mixed":
        result = result[devices[0]]
    if as_json:
        print(json.dumps(result))
        return
    if what == "agreement":
        agree = len(result["operators"]) - len(result["wrong"])
        summary = f"{devices[0]}: {agree} of {len(result['operators'])} operators agree with the CPU"
    else:
        summary = "\n".join(f"{d}: {len(said)} calls, {counts(said.values())}" for d, said in result.items())
    if len(devices) == 2:
        first, second = (result[d] for d in devices)
        both = [call for call in first if call in second]
        differ = {call: [first[call], second[call]] for call in both if first[call] != second[call]}
        silent = sum(first[call] == second[call] == "silent" for call in both)
        print(json.dumps(differ, indent=1))
        summary += f"\nof {len(both)} calls both raise in {len(both) - silent - len(differ)}, both are silent in {silent}"
        summary += f", they differ in {len(differ)}"
    elif what == "mixed":
        print(json.dumps({call: said for call, said in result[devices[0]].items() if said != "device error"}, indent=1))
    else:
        print(json.dumps(result["wrong"], indent=1))
    print(summary)


def counts(said: Iterable[str]) -> str:
    kinds = [text.partition(":")[0] for text in said]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    first, step = next((word.removeprefix("--every=").split("/") for word in sys.argv if word.startswith("--every=")), ("0", "1"))
    main(*words, as_json="--json" in sys.argv, every=(int(first), int(step)))
