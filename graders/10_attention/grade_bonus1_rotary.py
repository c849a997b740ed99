"""Hidden checks for rotate: angles, pairs, positions."""

import torch

from torchdojo.grading import built, check, gradients, tensor, upstream

CONCEPTS = ("L11",)

KEPT = {
    "one_pair_turns_by_its_position": "the turn itself, worth points without frequencies",
    "positions_decide": "what a cache needs, worth points without pairs",
    "later_pairs_turn_more_slowly": "the frequencies, worth points without views",
    "neighbors_are_pairs": "which numbers are a pair, said by itself",
}


class oracle:
    """Pairs as complex numbers, in float64."""

    def rotate(x, positions, base=10000.0):
        width = x.shape[-1]
        pairs = torch.view_as_complex(x.double().cpu().unflatten(-1, (-1, 2)).contiguous())
        angles = torch.tensor([[p * base ** (-2 * i / width) for i in range(width // 2)] for p in positions.tolist()], dtype=torch.float64)
        turned = pairs * torch.polar(torch.ones_like(angles), angles)
        return torch.view_as_real(turned).flatten(-2).to(x)


# angles in float32 are fine for x in float64, too: positions up to 213 are off by 1e-5 then, and x by 5e-5
FLOAT32 = (1e-4, 1e-4)


@check(points=2, x=tensor("... time 2", layouts=False), minimum={"time": 2}, tolerance=FLOAT32)
def one_pair_turns_by_its_position(solution, x, rng):
    """With one pair, the angle is the position in radians; backward rotates by the opposite angle."""
    x.requires_grad_()
    turned = solution.rotate(x, torch.arange(x.shape[-2], device=x.device))
    return {"result": turned.detach(), "gradient of x": gradients(turned, [x], upstream(turned, rng))[0]}


@check(points=2, x=tensor("... time 6", layouts=False), options=[{}, {"base": 100.0}], minimum={"time": 2}, tolerance=FLOAT32)
def later_pairs_turn_more_slowly(solution, x, options):
    """Each pair has its own frequency, which depends on base."""
    return solution.rotate(x, torch.arange(x.shape[-2], device=x.device), **options)


@check(points=1, x=tensor("... time 4", layouts=False), minimum={"time": 2}, tolerance=FLOAT32)
def neighbors_are_pairs(solution, x):
    """The numbers 2i and 2i + 1 are a pair; with base=1, all pairs rotate by the same angle."""
    return solution.rotate(x, torch.arange(x.shape[-2], device=x.device), 1.0)


def along_the_first_axis(lengths):
    """Points (length, 0): the first coordinate after a turn is length * cos(angle)."""
    return torch.stack([lengths, torch.zeros_like(lengths)], dim=-1)


@check(points=2, lengths=tensor("heads time"), step=[2, 5, 30], minimum={"heads": 1, "time": 2}, tolerance=FLOAT32)
def positions_decide(solution, lengths, step):
    """The angles follow the positions that are passed, whatever they are."""
    positions = 3 + step * torch.arange(lengths.shape[-1], device=lengths.device)
    return {"first coordinates": solution.rotate(along_the_first_axis(lengths), positions)[..., 0]}


@check(points=1, star=True, x=tensor("... time 4", layouts=False), minimum={"time": 2}, tolerance=FLOAT32)
def x_may_be_a_view(solution, x):
    """x may be a view whose last axis is not contiguous."""
    return solution.rotate(x.mT.contiguous().mT, torch.arange(x.shape[-2], device=x.device))


LENGTHS = built(lambda case: torch.tensor([case.rng.randint(4, 16) / 4 for _ in range(3)]))


@check(points=2, star=True, lengths=LENGTHS, dtype=[torch.bfloat16, torch.float16], start=[1001, 333], devices=False)
def half_precision_has_exact_angles(solution, lengths, dtype, start):
    """At large positions, 16-bit vectors rotate by the right angles, and the dtype stays."""
    x = along_the_first_axis(lengths.to(dtype))
    return {"first coordinates": solution.rotate(x, torch.arange(start, start + 3))[..., 0]}
