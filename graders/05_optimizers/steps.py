"""Steps of an optimizer with drawn gradients, for the checks of SGD, Adam and AdamW."""

import torch

from torchdojo.grading import upstream


def leaves(*starts):
    """Fresh parameters that start at the drawn numbers."""
    return [start.clone().requires_grad_() for start in starts]


def values(params):
    return {f"{place} parameter": p.detach().clone() for place, p in zip(("first", "second", "third", "fourth"), params, strict=False)}


def stepped(opt):
    """A step in grad mode, which is restored."""
    with torch.enable_grad():
        opt.step()


def by_a_generator(make, starts, rng, steps=3):
    """The parameters after each step of make(a generator); and whether they are those of make(a list), number by number."""
    params, others = leaves(*starts), leaves(*starts)
    opt, other, seen = make(p for p in params), make(others), {}
    for step in range(1, steps + 1):
        for p, q in zip(params, others, strict=True):
            p.grad = upstream(p, rng)
            q.grad = p.grad.clone()
        stepped(opt)
        stepped(other)
        seen[f"step {step}"] = values(params)
    return seen, {"the same as with a list": [torch.equal(p, q) for p, q in zip(params, others, strict=True)]}


def trajectory(opt, params, rng, steps=5, absent=(), zero=(), scale=1.0, clear=False):
    """The parameters after each step. absent, zero: (step, place) of the gradients that are missing, or zero. clear: call
    zero_grad() before each step. A setting that a step leaves changed is tested by another check."""
    seen = {}
    for step in range(1, steps + 1):
        if clear:
            opt.zero_grad()
        for place, p in enumerate(params, 1):
            grad = upstream(p, rng) * scale * ((step, place) not in zero)
            p.grad = None if (step, place) in absent else grad
        stepped(opt)
        seen[f"step {step}"] = values(params)
    return seen


def three_optimizers(make, first, second, third, rng):
    """The parameters after each step of three optimizers, of which the first and the last have the same tensors; and whether each of
    the later ones goes as a new one does from the same numbers. make(params)."""
    params, others = leaves(first, second, third), leaves(second, first)
    opt, *later = (make(tensors) for tensors in (params, others, params))
    absent = {(1, 2), (2, 2), (3, 2), (4, 1), (5, 1), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3), (8, 3)}
    found, alone = {"first optimizer": trajectory(opt, params, rng, steps=8, absent=absent, zero={(3, 1), (6, 2)}, clear=True)}, {}
    for name, one, tensors in zip(("second optimizer", "third optimizer, for the tensors of the first"), later, (others, params), strict=True):
        state, again = rng.get_state(), leaves(*values(tensors).values())
        found[name] = trajectory(one, tensors, rng, steps=2)
        rng.set_state(state)
        new = trajectory(make(again), again, rng, steps=2)
        pairs = zip(found[name]["step 2"].values(), new["step 2"].values(), strict=True)
        alone[f"{name}: goes as if it were the only one"] = all(torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in pairs)
    return found, alone


def with_another_lr(make, starts, rng, lr, then):
    """The parameters after two steps, and after a third with opt.lr = then; and whether this step is that of an optimizer that was
    made with this lr. make(params, lr) must keep nothing that depends on the parameters or on lr."""
    params, state = leaves(*starts), rng.get_state()
    opt = make(params, lr)
    seen = {"before": trajectory(opt, params, rng, steps=2)}
    at_first, before, opt.lr = opt.lr, [p.detach().clone() for p in params], then
    seen[f"after opt.lr = {then}"] = trajectory(opt, params, rng, steps=1)
    rng.set_state(state)
    others = leaves(*starts)
    other = make(others, then)
    trajectory(other, others, rng, steps=2)
    for p, old in zip(others, before, strict=True):
        p.detach().copy_(old)
    trajectory(other, others, rng, steps=1)
    same = [torch.equal(p.nan_to_num(), q.nan_to_num()) for p, q in zip(params, others, strict=True)]
    return seen, {"lr at first": at_first, "the next step is that of an optimizer made with the new lr": same}
