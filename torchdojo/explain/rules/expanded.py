"""Squared distances by the expanded formula, a squared minus 2ab plus b squared: digits that cancel, and factors that are wrong."""

from __future__ import annotations

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair

Tensor = torch.Tensor
FAR = 50.0  # numbers as large as this, squared, cost digits
ROUNDINGS = 64
PRODUCTS = frozenset(("matmul", "mm", "einsum", "addmm", "bmm", "baddbmm", "tensordot", "inner"))
"""What multiplies rows with rows, besides `@`."""


def loses_digits(p: Pair) -> bool:
    """Is this right but for the rounding of squares of its inputs, which are far larger than the differences?"""
    sizes = [t.abs().max().item() for t in p.tensors().values() if t.numel()]
    size = max(sizes, default=0.0)
    if p.kind != "float" or size < FAR or not torch.isfinite(p.got).all() or not torch.isfinite(p.want).all():
        return False
    return float((p.got - p.want).abs().max()) <= ROUNDINGS * torch.finfo(p.dtype).eps * size**2


def lost_digits(pairs: list[Pair]) -> Cause | None:
    """All that is wrong is rounding of that size."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong or not all(map(loses_digits, wrong)):
        return None
    return Cause(Kind.PRECISION, LOST)


LOST = (
    "Digits are lost: your formula squares numbers far from 0 and subtracts the squares, which are much larger than their difference."
    " Subtract the numbers first, then square."
)


def is_near(pairs: list[Pair]) -> bool:
    """Is what is wrong there almost right, or a question that was answered no?"""
    wrong = [p for p in pairs if p.wrong]
    return bool(wrong) and all(p.kind == "bool" or float((p.got - p.want).abs().max()) < 1e-3 * (1 + float(p.want.abs().max())) for p in wrong)


def wrong_factor(pairs: list[Pair]) -> Cause | None:
    """The answer is x |a|^2 + y |b|^2 + z ab for two matrices a and b, on every input, where 1, 1 and -2 are right."""
    names = [sorted(name for name, t in p.tensors().items() if t.dim() == 2) for p in pairs]
    if len(pairs) < 3 or any(n != names[0] or len(n) != 2 for n in names):
        return None
    a, b = names[0]
    tables = [_terms(p.tensors()[a], p.tensors()[b]) for p in pairs]
    if any(t is None or t[0].shape != p.got.shape for t, p in zip(tables, pairs, strict=True)):
        return None
    terms = torch.stack([torch.cat([t[k].reshape(-1) for t in tables if t is not None]) for k in range(3)], dim=1)
    if not _fits(terms, torch.cat([p.want.reshape(-1) for p in pairs]), RIGHT):
        return None
    got = torch.cat([p.got.reshape(-1) for p in pairs])
    found = torch.linalg.lstsq(terms, got).solution.mul(4).round().div(4) if torch.isfinite(got).all() else RIGHT
    wrong = [k for k in range(3) if found[k] != RIGHT[k]]
    if len(wrong) != 1 or not _fits(terms, got, found):
        return None
    k = wrong[0]
    said = (f"{a} squared", f"{b} squared", f"the product {a} @ {b}.T")[k]
    rule = f"A squared distance is {a} squared plus {b} squared minus 2 times their product"
    have = f"{said} is missing" if not found[k] else f"{said} has the factor {found[k]:g} instead of {RIGHT[k]:g}"
    return Cause(Kind.FACTOR_OF, f"{rule}: {have}. Subtracting the points before you square also keeps more digits.")


RIGHT = torch.tensor([1.0, 1.0, -2.0], dtype=torch.float64)


def _terms(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    if a.shape[1] != b.shape[1]:
        return None
    product = a @ b.T
    return (a * a).sum(1)[:, None].expand_as(product), (b * b).sum(1).expand_as(product), product


def _fits(terms: Tensor, values: Tensor, factors: Tensor) -> bool:
    return torch.allclose(terms @ factors, values, rtol=1e-4, atol=1e-4)
