"""Idioms of tensor code that are almost right: what each makes of a solution, and that it is undone."""

import ast

import pytest

from torchdojo.mutate import idioms
from torchdojo.mutate.slip import Kind

PROGRAM = """
def work(x, heads, mask, shapes, *more):
    b, t, f = x.shape
    cut = x.view(b, t, heads, f // heads).transpose(1, 2)
    joined = cut.transpose(1, 2).reshape(b, t, heads * 4)
    centered = x - x.mean(1, keepdim=True).detach()
    mean = x.mean(dim=0)
    target = mean + heads * centered.round()
    if x.requires_grad and (heads == 1 or mean.dim() > 2):
        target = torch.where(mask, target, x)
    for name, shape in shapes.items():
        if name.endswith("bias"):
            target = target + x[x > 0].square().sum() / len(x)
    for part in x.split(shapes):
        target = target * (len(part) / len(x))
    return [target[-place] for place in reversed(more)]
"""


def made():
    tree = ast.parse(PROGRAM)
    return [(slip.kind, ast.unparse(ast.fix_missing_locations(tree))) for slip in idioms.habits(tree.body)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("view", "x.reshape(b, t, heads, f // heads)"),
        ("view", "x.contiguous().view(b, t, heads, f // heads)"),
        ("cut anew", "cut.reshape(cut.transpose(1, 2).shape)"),
        ("dealt", "x.reshape(b, t, f // heads, heads).transpose(2, 3).transpose(1, 2)"),
        ("dealt", "cut.transpose(1, 2).transpose(2, 3).reshape(b, t, heads * 4)"),
        ("put back", "x.mean(1).unsqueeze(-1)"),
        ("other axis", "mean = x.mean(dim=-1, keepdim=True)"),
        ("other axis", "mean = x.mean()"),
        ("from the end", "[target[place - 1] for place in more]"),
        ("sorted", "in sorted(shapes.items())"),
        ("equal parts", "x.chunk(len(shapes))"),
        ("first few", "more = more[:2]"),
        ("contains", "if 'bias' in name"),
        ("regrouped", "(mean + heads) * centered.round()"),
        ("regrouped", "(mean + centered.round()) * heads"),
        ("rounding", "(centered + 0.5).floor()"),
        ("detached", "x.detach() - x.mean(1, keepdim=True)"),
        ("rooted", "x[x > 0].square().sum().sqrt() / len(x)"),
        ("last axis", "x[x > 0].square().sum(-1).mean()"),
        ("share", "1 / len(shapes)"),
        ("share", "1 / len(x)"),
        ("mask product", "x * ~mask + target * mask"),
        ("mask product", "x * (x > 0)"),
        ("no history", "x.grad_fn is not None and"),
        ("nan", "~(x <= 0)"),
        ("case", "x.requires_grad and mean.dim() > 2"),
    ],
)
def test_an_idiom_that_is_almost_right(kind, text):
    """One program of this kind holds the changed text."""
    assert text not in ast.unparse(ast.parse(PROGRAM))
    assert any(kind == of and text in source for of, source in made())


def test_every_change_is_undone():
    """The tree is the old one at the end, and every program compiles."""
    tree = ast.parse(PROGRAM)
    before = ast.dump(tree)
    for _ in idioms.habits(tree.body):
        compile(ast.unparse(ast.fix_missing_locations(tree)), "a slip", "exec")
    assert ast.dump(tree) == before


def test_only_a_short_case_is_quoted():
    """A comparison of a few words; the solution's longer conditions are not told."""
    long = PROGRAM.replace("heads == 1", "x.transpose(0, 1).shape[0] == heads * 17")
    tree = ast.parse(long)
    assert not any("transpose" in slip.belongs for slip in idioms.habits(tree.body) if slip.kind is Kind.CASE)
