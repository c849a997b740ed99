"""Reference solution for my_gradcheck."""

import torch


def my_gradcheck(function: type[torch.autograd.Function], inputs: tuple) -> list[str]:
    """Return the names of the problems that the gradients of an autograd Function have at these inputs."""
    args = copies(inputs)
    out = function.apply(*args)
    generator = torch.Generator().manual_seed(0)
    upstream = torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)
    given = upstream.clone()
    entries = as_tuple(out.grad_fn.apply(given))
    if len(entries) != len(inputs):
        return ["count"]

    found = set()
    if not torch.equal(given, upstream):
        found.add("upstream")
    if any(isinstance(a, torch.Tensor) and not torch.equal(a, b) for a, b in zip(args, inputs, strict=True)):
        found.add("input")
    for place, (argument, entry) in enumerate(zip(inputs, entries, strict=True)):
        if not isinstance(argument, torch.Tensor):
            if entry is not None:
                found.add("none")
        elif argument.requires_grad:
            if entry is None:
                found.add("none")
            elif entry.shape != argument.shape:
                found.add("shape")
            elif not values_agree(function, inputs, place, upstream, entry.detach()):
                found.add("values")
    if out.dim() >= 2 and not same_after_relayout(function, inputs, upstream, entries):
        found.add("layout")
    if any(edit_goes_unseen(function, inputs, place, upstream, entries) for place in learnable(inputs)):
        found.add("edit")
    order = ("none", "shape", "values", "upstream", "layout", "input", "edit")
    return [name for name in order if name in found]


def copies(inputs: tuple) -> list:
    """Fresh leaves with the numbers of the inputs; what is not a tensor is passed on."""
    return [
        a.detach().clone(memory_format=torch.contiguous_format).requires_grad_(a.requires_grad)
        if isinstance(a, torch.Tensor)
        else a
        for a in inputs
    ]


def learnable(inputs: tuple) -> list[int]:
    """The places of the inputs that require a gradient."""
    return [place for place, a in enumerate(inputs) if isinstance(a, torch.Tensor) and a.requires_grad]


def as_tuple(entries) -> tuple:
    """What backward returned, as a tuple."""
    return entries if isinstance(entries, tuple) else (entries,)


def values_agree(function, inputs: tuple, place: int, upstream: torch.Tensor, entry: torch.Tensor) -> bool:
    """Compare one entry with difference quotients, element by element, leaving kinks out."""
    step = 1e-6

    def weighted(index: int, change: float) -> float:
        args = copies(inputs)
        with torch.no_grad():
            args[place].view(-1)[index] += change
            return (function.apply(*args) * upstream).sum().item()

    for index, got in enumerate(entry.reshape(-1).tolist()):
        below, here, above = (weighted(index, change) for change in (-step, 0.0, step))
        if abs((above - here) - (here - below)) / step > 1e-3:
            continue
        want = (above - below) / (2 * step)
        if not abs(got - want) <= 1e-5 + 1e-4 * abs(want):
            return False
    return True


def same_after_relayout(function, inputs: tuple, upstream: torch.Tensor, entries: tuple) -> bool:
    """Whether backward gives the same for an upstream gradient that lies transposed in memory."""
    out = function.apply(*copies(inputs))
    try:
        again = out.grad_fn.apply(upstream.mT.contiguous().mT)
    except Exception:
        return False
    return same_entries(as_tuple(again), entries)


def edit_goes_unseen(function, inputs: tuple, place: int, upstream: torch.Tensor, entries: tuple) -> bool:
    """Whether an edit of one input after forward changes the gradients without an error."""
    args = copies(inputs)
    out = function.apply(*args)
    with torch.no_grad():
        args[place].mul_(-0.5).sub_(1.25)
    try:
        again = out.grad_fn.apply(upstream.clone())
    except RuntimeError:
        return False
    return not same_entries(as_tuple(again), entries)


def same_entries(left: tuple, right: tuple) -> bool:
    """Whether two answers of backward hold the same numbers."""
    return len(left) == len(right) and all(
        a is b if a is None or b is None else a.shape == b.shape and torch.allclose(a, b)
        for a, b in zip(left, right, strict=True)
    )
