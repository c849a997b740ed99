"""Hidden checks for Dropout."""

import contextlib

import torch
from torch import nn

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("I18",)

KEPT = {
    "every_call_draws_anew": "fresh masks and no seeding, said by itself",
    "gradient_follows_the_mask": "the rule of the gradient, said by itself",
    "eval_mode_changes_nothing": "the other half of the exercise, said by itself",
}

FORBIDS = {"aten.*dropout*": "PyTorch's own dropout"}
BECAUSE = "the point is to build it"


@contextlib.contextmanager
def seed_kept():
    """Within it the CPU draws the same numbers each time; that a layer seeds is tested by another check."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(20)
        yield


def ones(device):
    """50 rows of 80 ones that require grad."""
    return torch.ones(50, 80, device=device, requires_grad=True)


def drops(module, device):
    """Does the module drop some of its input, and keep some, in training mode?"""
    zero = module.train()(ones(device)) == 0
    return bool(zero.any()) and not bool(zero.all())


def decided_together(zero):
    """The axes along which all elements share one fate."""
    return [axis for axis in range(zero.dim()) if bool((zero == zero.narrow(axis, 0, 1)).all())]


def likeness(one, other, least):
    """The largest correlation of two masks, one moved on by some places against the other."""
    one, other = (mask.flatten().cpu().double() - mask.double().mean().item() for mask in (one, other))
    moved = torch.fft.irfft(torch.fft.rfft(one) * torch.fft.rfft(other).conj(), n=one.numel())
    return (moved[least:].abs().max() / (one.norm() * other.norm()).clamp(min=1.0)).item()


class oracle:
    """nn.Dropout, for what does not depend on chance."""

    Dropout = nn.Dropout


@check(points=2, p=[0.25, 0.7, 0.5, 0.1], random=True)
def drops_and_scales(solution, p, device):
    """A fraction of about p of the elements becomes 0; the others are divided by 1 - p."""
    x = torch.arange(1.0, 24001.0, dtype=torch.float64, device=device).reshape(150, 160)
    x[::2, ::2] *= -1
    x[1::2, 1::2] *= -1
    before = x.clone()
    module = solution.Dropout(p)
    with seed_kept():
        alone = [module(torch.full(shape, 3.0, dtype=torch.float64, device=device)) for shape in ((), (1,)) for _ in range(2)]
        together = [decided_together(module(x.reshape(shape)) == 0) for shape in ((30, 5, 160), (15, 10, 8, 20))]
        y = module(x).double()
        turned = module(x.t()).double()
        with torch.no_grad():
            without_graph = int((module(x) == 0).sum())
    zero = y == 0
    factors = (y[~zero] / x[~zero]).tolist()
    scaled = torch.allclose(y[~zero], x[~zero] / (1 - p), rtol=1e-9)
    lies_otherwise = tuple(turned.shape) == (160, 150) and torch.allclose(turned[turned != 0], x.t()[turned != 0] / (1 - p), rtol=1e-9)
    whole = int((zero.all(0) | (~zero).all(0)).sum() + (zero.all(1) | (~zero).all(1)).sum())
    return {
        "zeros": int(zero.sum()), "decided together": together, "single": [one.double().sum().item() / 3 for one in alone], "scaled": scaled,
        "factors": [min(factors, default=0.0), max(factors, default=0.0)], "right where x is transposed": lies_otherwise,
        "likeness": likeness(zero, zero, least=1), "whole rows or columns": whole,
        "shapes": [tuple(y.shape), *(tuple(one.shape) for one in alone[::2])],
        "x is as before": torch.equal(x, before), "zeros under no_grad": without_graph,
    }  # fmt: skip


@drops_and_scales.judge
def _(seen, p):
    total = 24000
    for got, want in zip(seen["shapes"], ((150, 160), (), (1,)), strict=True):
        if got != want:
            return f"the result has shape {got} for an x of shape {want}, wanted that of x"
    if not seen["x is as before"]:
        return "x itself was changed; it must stay as it was"
    if not seen["zeros"]:
        return f"no element became 0 in training mode, wanted a fraction of about {p}"
    share = seen["zeros"] / total
    off = abs(share - p) > 5 * (p * (1 - p) / total) ** 0.5
    if seen["whole rows or columns"] > 2 * off:  # half of x being safe
        return "whole rows or columns were kept or dropped together; each element must be dropped independently"
    for rank, axes in zip((3, 4), seen["decided together"], strict=True):
        if axes:
            return f"for an x with {rank} axes, elements along axis {axes[0]} were kept or dropped together; each must be dropped independently"
    if off:
        stays = abs(share - (1 - p)) <= 5 * (p * (1 - p) / total) ** 0.5
        return f"{share:.3f} of the elements became 0, wanted about {p}" + ": p is the probability of becoming 0, not of staying" * stays
    if not seen["scaled"]:
        low, high = seen["factors"]
        if abs(low * (1 - p) - 1) < 1e-5 and abs(high * (1 - p) - 1) < 1e-5:
            return "what stays is off by less than 1 in 100,000, for an x of float64: computing in float32, or adding a small number to 1 - p, can cause that"
        here = "divided by p" if abs(low - 1 / p) < 1e-6 else f"multiplied by {low:.4g} instead of {1 / (1 - p):.4g}"
        return "what stays must be divided by 1 - p" + f"; here it is {here}" * (high - low < 1e-6)
    for factor in seen["single"]:
        if abs(factor) > 1e-9 and abs(factor * (1 - p) - 1) > 1e-9:
            return f"for an x of one element, an element that stays is multiplied by {factor:.4g} instead of {1 / (1 - p):.4g}"
    if not seen["right where x is transposed"]:
        return "for an x that is not contiguous (a transposed one) the elements that stay are not x / (1 - p) in their positions"
    if seen["zeros under no_grad"] == 0:
        return "under torch.no_grad() nothing was dropped in training mode: the mode alone decides"
    if seen["likeness"] > 0.1:  # fifteen sigma
        return "whether an element is dropped depends on another element some positions away; each element must be dropped independently"
    return None


@check(points=0.5, star=True, dtype=["bfloat16", "float32", "float64"], random=True)
def keeps_the_dtype(solution, dtype, device):
    """The result has the dtype of x."""
    x = torch.ones(4000, dtype=getattr(torch, dtype), device=device)
    y = solution.Dropout(0.5)(x)
    return {"dtype": str(y.dtype).removeprefix("torch."), "values": sorted(set(y.tolist()))}


@keeps_the_dtype.judge
def _(seen, dtype):
    if seen["values"] != [0.0, 2.0]:
        return "for an x of ones and p = 0.5 the result must hold zeros and twos"
    return None if seen["dtype"] == dtype else f"the result has dtype {seen['dtype']} for an x of dtype {dtype}, wanted that of x"


@check(points=1, p=[0.5, 0.3], random=True)
def every_call_draws_anew(solution, p, device):
    """Two calls, and two modules, drop different elements; the same seed drops the same."""
    x = ones(device)
    one, two = solution.Dropout(p), solution.Dropout(p)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)  # of every device
        first = [one(x), one(x), two(x)]
        seed = torch.initial_seed()
        torch.manual_seed(4)
        other = one(x)
        torch.manual_seed(3)
        again = solution.Dropout(p)(x)
        zeros = [int((one(x) == 0).sum()) for _ in range(6)]
    same = torch.equal
    return {
        "seed": seed, "two calls alike": same(first[0], first[1]), "two modules alike": same(first[0], first[2]) or same(first[1], first[2]),
        "other seed alike": same(first[0], other), "same seed alike": same(first[0], again), "zeros": zeros,
        "likeness": likeness(first[0] == 0, first[1] == 0, least=0), "decided together": decided_together(first[0] == 0), "other numbers": first[0][first[0] != 0].unique().numel(),
    }  # fmt: skip


@every_call_draws_anew.judge
def _(seen):
    if seen["seed"] != 3:
        return "the layer seeded torch's global random state; leave seeding to the caller"
    for name in ("two calls alike", "two modules alike", "other seed alike"):
        if seen[name]:
            return f"{name.removesuffix(' alike')} dropped the same elements"
    if not all(seen["zeros"]) or seen["other numbers"] != 1:
        return "the result for an x of ones must hold zeros and one other number"
    if len(set(seen["zeros"])) == 1:
        return f"every call dropped exactly {seen['zeros'][0]} of 4000 elements; each element must be dropped independently"
    if seen["decided together"]:
        return f"elements along axis {seen['decided together'][0]} were kept or dropped together; each must be dropped independently"
    if seen["likeness"] > 0.2:  # twelve sigma
        return "what the second call dropped depends on what the first one dropped; draw a new mask in each call"
    return None if seen["same seed alike"] else "the same seed dropped different elements; draw from torch's global random state"


@check(points=1, star=True, p=[0.9, 0.2], random=True)
def a_new_p_counts_at_once(solution, p, device):
    """The attribute p is public: a new value applies to the next call."""
    module = solution.Dropout(0.5)
    with seed_kept():
        module(ones(device))
        module.p = p
        y = module(ones(device)).detach()
    return {"share": (y == 0).double().mean().item(), "largest": y.max().item()}


@a_new_p_counts_at_once.judge
def _(seen, p):
    if abs(seen["share"] - p) > 0.15:  # the old p is twice as far away
        return f"after drop.p = {p} a fraction of {seen['share']:.3f} became 0, wanted about {p}"
    if abs(seen["largest"] * (1 - p) - 1) > 1e-5:
        return f"after drop.p = {p} what stays is multiplied by {seen['largest']:.4g} instead of {1 / (1 - p):.4g}"
    return None


@check(points=1, p=[0.5, 0.95], random=True)
def gradient_follows_the_mask(solution, p, device, rng):
    """The gradient is 1 / (1 - p) where an element stayed, and 0 where it became 0."""
    x = torch.ones(6, 50, dtype=torch.float64, device=device, requires_grad=True)
    with seed_kept():
        y = solution.Dropout(p)(x)
    g = upstream(y, rng)
    (found,) = gradients(y, [x], g)
    wanted = torch.where(y == 0, 0.0, g / (1 - p)).detach().double()
    x = torch.zeros(2000, dtype=torch.float64, device=device, requires_grad=True)
    with seed_kept():
        y = solution.Dropout(p)(x)
    (at_zero,) = gradients(y, [x], torch.ones_like(y))
    return {"gradient": found, "wanted": wanted, "gradients where x is 0": at_zero}


@gradient_follows_the_mask.judge
def _(seen, p):
    if seen["gradient"] is None:
        return "no gradient reaches x"
    if torch.allclose(seen["gradient"], seen["wanted"], rtol=1e-9):
        stayed = (seen["gradients where x is 0"] != 0).double().mean().item()
        if abs(stayed - (1 - p)) < 5 * (p * (1 - p) / 2000) ** 0.5:
            return None
        wanted = f"wanted about {1 - p:.2g}: chance decides, whatever the value"
        return f"where x is 0, a fraction of {stayed:.2f} of the gradients is not 0, {wanted}"
    if torch.allclose(seen["gradient"], seen["wanted"], rtol=1e-5):
        return "the gradient is off by less than 1 in 100,000, for an x of float64: computing in float32, or adding a small number to 1 - p, can cause that"
    there = seen["wanted"] != 0
    if torch.equal(seen["gradient"] != 0, there):
        factor = (seen["gradient"][there] / seen["wanted"][there] / (1 - p)).unique()
        found = f"is {factor[0].item():.6g} there" if torch.allclose(factor, factor[:1], rtol=1e-6) else "differs from element to element"
        return f"the gradient is 0 where the result is, but it should be 1 / (1 - p) = {1 / (1 - p):.6g} elsewhere, and {found}"
    return "the gradient does not follow the mask of the result"


@check(points=2, x=tensor("..."), p=[0.5, 0.0, 0.9], aliasing="any", random=True)
def eval_mode_changes_nothing(solution, x, p, device):
    """In eval mode, and only there, the result has the values of x, and gradients flow."""
    x.requires_grad_()
    with seed_kept():
        dropped = drops(solution.Dropout(0.5), device)
    y = solution.Dropout(p).eval()(x)
    sevenths = torch.arange(1.0, 201.0, dtype=x.dtype, device=device) / 7  # some of them are rounded by * (1 - p) / (1 - p)
    exact = torch.equal(solution.Dropout(p).eval()(sevenths), sevenths)
    found = gradients(y, [x], torch.ones_like(y))[0]
    return {"result": y.detach(), "gradient of x": found, "exactly the values given, 1/7 to 200/7": exact, "drops in training mode": dropped}


@check(points=1, star=True, x=tensor("..."), p=[0.0, 1.0], random=True, aliasing="any")
def extremes_are_exact(solution, x, p):
    """p = 0 keeps everything; p = 1 gives zeros, not nan."""
    x.requires_grad_()
    with seed_kept():
        y = solution.Dropout(p)(x)
    found = gradients(y, [x], torch.ones_like(y))[0]
    return {"result": y.detach() + 0.0, "gradient": found}


@extremes_are_exact.judge
def _(seen, x, p):
    want = torch.zeros_like(x) if p == 1 else x
    if seen["result"].shape != x.shape or seen["result"].dtype != x.dtype or not torch.equal(seen["result"], want):
        return "p = 1 must give zeros" if p == 1 else "p = 0 must keep x as it is"
    if seen["gradient"] is None:
        return f"no gradient reaches x for p = {p:g}; the result must come from x, so that the gradient is {1 - p:g}, not None"
    slope = torch.full_like(x, 1 - p)
    if seen["gradient"].isnan().any():
        return f"the gradient for p = {p:g} is nan, wanted {1 - p:g}"
    return None if torch.equal(seen["gradient"], slope) else f"the gradient for p = {p:g} is not {1 - p:g} everywhere"


@check(points=1, star=True, p=[-0.1, 1.1, 2, -1e-9, 0.0, 1.0], devices=False)
def p_must_be_a_probability(solution, p):
    """p below 0 or above 1 raises ValueError in the constructor."""
    return raises(lambda: solution.Dropout(p))


@check(points=1, p=[0.3, 0.6], devices=False, random=True)
def nothing_to_save(solution, p):
    """The module has no parameters, an empty state_dict, and an attribute p; the default is 0.5."""
    module = solution.Dropout(p)
    with seed_kept():
        dropped = drops(module, "cpu")
    state = [len(list(module.parameters())), len(module.state_dict())]
    seen = {"p": [module.p, solution.Dropout().p], "parameters and state": state, "is a module": isinstance(module, nn.Module)}
    return seen | {"drops in training mode": dropped}
