"""My gradient checker. The biggest exercise so far; took me two evenings."""

import torch

STEP = 1e-6


def _wants_gradient(value):
    return isinstance(value, torch.Tensor) and value.requires_grad


def _copies(inputs):
    """Fresh leaves with the same numbers and the same requires_grad."""
    made = []
    for value in inputs:
        if isinstance(value, torch.Tensor):
            value = value.detach().clone().requires_grad_(value.requires_grad)
        made.append(value)
    return made


def _backward(y, upstream):
    returned = y.grad_fn.apply(upstream)
    return list(returned) if isinstance(returned, tuple) else [returned]


def _frozen(entries):
    """Copies of what backward returned, before anyone can change it."""
    return [e.detach().clone() if isinstance(e, torch.Tensor) else e for e in entries]


def _differ(first, second):
    if len(first) != len(second):
        return True
    for a, b in zip(first, second):
        if isinstance(a, torch.Tensor) != isinstance(b, torch.Tensor):
            return True
        if isinstance(a, torch.Tensor):
            if a.shape != b.shape or not torch.allclose(a, b, rtol=1e-6, atol=1e-8):
                return True
    return False


def _total(function, inputs, upstream):
    with torch.no_grad():
        return (function.apply(*_copies(inputs)).detach() * upstream).sum().item()


def _moved(inputs, number, element, step):
    made = []
    for i, value in enumerate(inputs):
        if isinstance(value, torch.Tensor):
            value = value.detach().clone(memory_format=torch.contiguous_format)
            if i == number:
                value.view(-1)[element] += step
        made.append(value)
    return made


def _values_are_wrong(function, inputs, number, entry, upstream):
    middle = _total(function, inputs, upstream)
    flat = entry.reshape(-1)
    for element in range(flat.numel()):
        up = _total(function, _moved(inputs, number, element, STEP), upstream)
        down = _total(function, _moved(inputs, number, element, -STEP), upstream)
        right, left = (up - middle) / STEP, (middle - down) / STEP
        if abs(right - left) > 1e-3:
            continue  # a kink
        want = (up - down) / (2 * STEP)
        if not abs(flat[element].item() - want) <= 1e-5 + 1e-4 * abs(want):
            return True
    return False


def my_gradcheck(function, inputs):
    problems = set()
    with torch.enable_grad():
        given = _copies(inputs)
        before = [t.detach().clone() if isinstance(t, torch.Tensor) else t for t in given]
        y = function.apply(*given)
        upstream = torch.randn(y.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(11), device="cpu")
        upstream = (upstream.sign() * (upstream.abs() + 0.3)).to(y.device)  # nothing close to zero
        if upstream.numel() > 1:
            upstream.view(-1)[0] = -1.3
            upstream.view(-1)[-1] = 0.8

        handed_over = upstream.clone()
        entries = _backward(y, handed_over)
        if len(entries) != len(inputs):
            return ["count"]
        entries = _frozen(entries)
        if not torch.equal(handed_over, upstream):
            problems.add("upstream")
        for t, old in zip(given, before):
            if isinstance(t, torch.Tensor) and not torch.equal(t.detach(), old):
                problems.add("input")

        for number, (value, entry) in enumerate(zip(inputs, entries)):
            if not isinstance(value, torch.Tensor):
                if entry is not None:
                    problems.add("none")
            elif value.requires_grad:
                if entry is None:
                    problems.add("none")
                elif entry.shape != value.shape:
                    problems.add("shape")
                elif _values_are_wrong(function, inputs, number, entry, upstream):
                    problems.add("values")

        if y.dim() >= 2:
            try:
                other = _frozen(_backward(function.apply(*_copies(inputs)), upstream.mT.contiguous().mT))
                if _differ(entries, other):
                    problems.add("layout")
            except Exception:
                problems.add("layout")

        for number, value in enumerate(inputs):
            if not _wants_gradient(value):
                continue
            fresh = _copies(inputs)
            y = function.apply(*fresh)
            with torch.no_grad():
                fresh[number].mul_(-1.5).add_(0.37)
            try:
                after = _frozen(_backward(y, upstream.clone()))
            except RuntimeError:
                continue
            if _differ(entries, after):
                problems.add("edit")

    order = ["count", "none", "shape", "values", "upstream", "layout", "input", "edit"]
    found = [name for name in order if name in problems]
    print(function.__name__, found)
    return found
