"""Mutants: each slip changes what it says, and nothing else."""

import ast
import textwrap

import pytest

from torchdojo.mutate.edits import OPERATORS
from torchdojo.mutate.mutants import mutants, sample

# Operator, the body of `def f(x, y):`, and each changed version of it; lines are parted by " | ".
SLIPS = [
    ("swap_reduction", "return x.sum(0)", ["return x.mean(0)", "return x.amax(0)"]),
    ("swap_reduction", "return torch.amin(x)", ["return torch.amax(x)", "return torch.sum(x)"]),
    ("swap_reduction", 'g(x, reduction="mean")', ['g(x, reduction="sum")']),
    ("wrong_count", "z = x.numel()", ["z = x.shape[0]"]),
    ("wrong_count", "z = x / x.shape[0]", ["z = x / x.numel()"]),
    ("change_dim", "return x.sum(dim=1)", ["return x.sum(dim=0)", "return x.sum(dim=-1)"]),
    ("change_dim", "return torch.stack(x, -1)", ["return torch.stack(x, 0)", "return torch.stack(x, 1)"]),
    ("change_dim", "return x.mean((0, 1))", ["return x.mean(0)", "return x.mean(1)"]),
    ("drop_dim", "return x.sum(1, keepdim=True)", ["return x.sum()"]),
    ("drop_dim", "return math.prod(a for a in x)", []),
    ("drop_dim", "return x.softmax(0)", []),
    ("swap_reduction", 'z = g(x, reduction="sum")', ['z = g(x, reduction="mean")']),
    ("drop_dim", "return torch.mean(x, dim=0)", ["return torch.mean(x)"]),
    ("toggle_keepdim", "return x.sum(1, keepdim=True)", ["return x.sum(1)"]),
    ("toggle_keepdim", "return x.sum(1)", ["return x.sum(1, keepdim=True)"]),
    ("drop_transpose", "return x.T", ["return x"]),
    ("drop_transpose", "return (x + y).transpose(0, 1) * y", ["return (x + y) * y"]),
    ("drop_transpose", "return x.permute(1, 0)", ["return x", "return x.permute(0, 1)"]),
    ("add_transpose", "return x.T @ y", ["return x.T @ y.mT"]),
    (
        "add_transpose",
        'return torch.einsum("ij,jk->ik", x, y)',
        ['return torch.einsum("ij,jk->ki", x, y)', 'return torch.einsum("ij,kj->ik", x, y)'],
    ),
    ("drop_copy", "return x.clone()", ["return x"]),
    ("add_detach", "z = x @ torch.exp(y)", ["z = (x @ torch.exp(y)).detach()"]),
    ("add_detach", "z = torch.exp(y).detach()", []),
    ("add_detach", "with torch.no_grad(): |     z = torch.exp(y)", []),
    ("in_place", "return x.add(y)", ["return x.add_(y)"]),
    ("in_place", "x.mul_(y)", ["x.mul(y)"]),
    ("in_place_update", "x = x - 3 * y", ["x -= 3 * y"]),
    ("in_place_update", "x -= 3 * y", ["x = x - (3 * y)"]),
    ("drop_grad_mode", "with torch.no_grad(): |     g(x)", ["if True: |     g(x)"]),
    ("drop_grad_mode", "with torch.no_grad(), g(x): |     g(y)", ["with g(x): |     g(y)"]),
    ("drop_math", "return torch.sqrt(x + y) * y", ["return (x + y) * y"]),
    ("swap_function", "return torch.cat([x, y])", ["return torch.stack([x, y])"]),
    ("swap_arguments", "return torch.where(x > 0, x, y)", ["return torch.where(x > 0, y, x)"]),
    ("wrong_dtype", "z = x.to(torch.float32)", ["z = x", "z = x.to(torch.float64)"]),
    ("wrong_dtype", "z = g(x, dtype=x.dtype)", ["z = g(x)"]),
    ("wrong_device", "z = g(x, device=y.device)", ["z = g(x)", 'z = g(x, device="cpu")']),
    ("wrong_device", "z = torch.zeros_like(x)", ["z = torch.zeros(x.shape)"]),
    ("swap_view", "z = x.view(-1)", ["z = x.reshape(-1)"]),
    ("ignore_needs_input_grad", "z = y.needs_input_grad[1]", ["z = True"]),
    ("change_sign", "z = x + y", ["z = x - y"]),
    ("change_sign", "z = x @ y", ["z = x * y"]),
    ("change_sign", "x += y", ["x -= y"]),
    ("change_sign", "z = 'a' + x", []),
    ("flip_minus", "z = -x", ["z = x"]),
    ("flip_minus", "return x * y", ["return -(x * y)"]),
    ("swap_operands", "z = x - (y + 1)", ["z = (y + 1) - x"]),
    ("drop_term", "z = 3 * (x - y)", ["z = 3", "z = x - y", "z = 3 * (x)", "z = 3 * (-y)"]),
    ("drop_term", "z = (x + y).sum()", ["z = (x).sum()", "z = (y).sum()"]),
    ("change_number", "z = g(0)", ["z = g(1)"]),
    ("change_number", "z = x + 1", ["z = x + 2"]),
    ("change_number", "z = g(1)", ["z = g(2)", "z = g(0)"]),
    ("change_number", "z = g(1e-8)", ["z = g(0.0)"]),
    ("change_number", "z = g(0.5)", ["z = g(1.0)"]),
    ("change_number", "z = x.sum(0)", []),
    ("off_by_one", "z = range(len(x))", ["z = range(len(x) - 1)", "z = range(len(x) + 1)"]),
    ("off_by_one", "z = x[1:]", ["z = x[:]"]),
    ("change_comparison", "z = x < y", ["z = x <= y", "z = x >= y"]),
    ("change_comparison", "z = x is not y", ["z = x is y"]),
    ("change_comparison", "z = x not in y", ["z = x in y"]),
    ("change_logic", "z = x and y", ["z = x or y", "z = x", "z = y"]),
    ("change_logic", "z = not x", ["z = x"]),
    ("negate_condition", "if g(x): |     g(y)", ["if not g(x): |     g(y)"]),
    ("force_branch", "if x: |     g(y)", ["if False: |     g(y)", "if True: |     g(y)"]),
    ("force_branch", "if x: |     raise ValueError", ["if False: |     raise ValueError"]),
    ("force_branch", "z = x if y else 0", ["z = x", "z = 0"]),
    ("force_branch", "z = {a: 1 for a in x if a}", ["z = {a: 1 for a in x }"]),
    ("swap_builtin", "z = max(x, y)", ["z = min(x, y)"]),
    ("swap_builtin", "z = list(x)", ["z = x"]),
    ("swap_builtin", "z = isinstance(x, (int, str))", ["z = isinstance(x, int)", "z = isinstance(x, str)"]),
    ("flip_flag", "g(x, retain_graph=True)", ["g(x, retain_graph=False)"]),
    ("drop_keyword", "g(lr=x, eps=y)", ["g(eps=y)", "g(lr=x)"]),
    ("wrong_name", "g(x)", ["g(y)"]),
    ("drop_call", "opt.step()", ["pass"]),
    ("drop_update", "x += y", ["pass"]),
    ("drop_update", "x.grad = None", ["pass"]),
    ("swap_statements", "x.backward() | opt.step()", ["opt.step() | x.backward()"]),
    ("swap_statements", "opt.zero_grad() | model.train()", []),
    ("return_input", "return g(x)", ["return x"]),
    ("swap_returned", "return y, x", ["return x, y"]),
    ("swap_jump", "for a in x: |     continue", ["for a in x: |     break"]),
    ("swap_jump", "for a in x: |     break", ["for a in x: |     continue"]),
    ("loop_once", "for a in x: |     g(a)", ["for a in x: |     g(a) |     break"]),
    ("loop_once", "for a in x: g(a)", ["for a in x: g(a); break"]),
    (
        "drop_finally",
        "try: |     g(x) | finally: |     g(y)",
        ["if True: |     g(x) | if True: |     g(y)", "try: |     g(x) | finally: |     pass"],
    ),
    ("drop_else", "if x: |     g(x) | else: |     g(y)", ["if x: |     g(x) | if True: |     g(y)"]),
]

WHOLE = '''\
"""A module: 1 + 1 == 2."""

from __future__ import annotations

import torch

__all__ = ["f"]


class Scale(torch.autograd.Function):
    """Multiply by 3 - 1."""

    @staticmethod
    def forward(ctx, x: torch.Tensor, by: float = 2.0) -> tuple[torch.Tensor, None]:
        """Not 4 * x."""
        if by < 0:
            raise ValueError("by " + f"must be {1 + 1} " + "or more")
        ctx.by = by
        return (
            x.double()  # über
            .sum(dim=-1, keepdim=True)
        ) * by, None


@torch.no_grad()
def f(x: torch.Tensor, *, eps: float = 1e-6) -> torch.Tensor:
    größe = "ä"; y = x - eps  # a comment that stays
    return y.mean(dim=0)


def unwritten() -> int:
    """Later."""
    raise NotImplementedError("f is 1 + 1")
'''


def _function(body: str) -> str:
    return "def f(x, y):\n" + textwrap.indent(body.replace(" | ", "\n"), "    ") + "\n"


@pytest.mark.parametrize(("operator", "body", "want"), SLIPS, ids=[f"{slip[0]}: {slip[1]}" for slip in SLIPS])
def test_slip_changes_these_lines_and_no_others(operator, body, want, monkeypatch):
    monkeypatch.setattr("torchdojo.mutate.mutants.OPERATORS", {operator: OPERATORS[operator]})

    got = [mutant.source for mutant in mutants(_function(body), limit=None)]

    assert got == [_function(changed) for changed in want]


def test_every_operator_that_works_on_a_body_has_an_example():
    elsewhere = {"change_default", "ignore_parameter", "wrong_answer"}

    assert set(OPERATORS) == {operator for operator, _, _ in SLIPS} | elsewhere


def test_every_operator_names_its_slip_in_one_line():
    assert [name for name, operator in OPERATORS.items() if len((operator.__doc__ or "").splitlines()) != 1] == []


def test_parameter_is_replaced_by_its_default_and_the_default_changed():
    source = "def f(x, eps=1e-6):\n    return g(x, eps)\n"

    got = {mutant.operator: mutant.source for mutant in mutants(source)}

    assert got["ignore_parameter"] == "def f(x, eps=1e-6):\n    return g(x, 1e-6)\n"
    assert got["change_default"] == "def f(x, eps=0.0):\n    return g(x, eps)\n"


def test_quiz_answer_becomes_the_next_answer_that_differs():
    source = 'ANSWERS = {"a": "leaf", "b": "leaf", "c": (2, 3)}  # three\n'

    got = [mutant.source for mutant in mutants(source) if mutant.operator == "wrong_answer"]

    assert got == [
        'ANSWERS = {"a": (2, 3), "b": "leaf", "c": (2, 3)}  # three\n',
        'ANSWERS = {"a": "leaf", "b": (2, 3), "c": (2, 3)}  # three\n',
        'ANSWERS = {"a": "leaf", "b": "leaf", "c": "leaf"}  # three\n',
    ]


def test_same_source_gives_the_same_mutants():
    assert mutants(WHOLE) == mutants(WHOLE)


def test_ids_are_unique_and_do_not_change_with_the_limit():
    everything = mutants(WHOLE, limit=None)
    few = mutants(WHOLE, limit=10)

    assert len({mutant.id for mutant in everything}) == len(everything)
    assert len(few) == 10
    assert set(few) <= set(everything)


def test_limit_spreads_over_operators():
    everything = mutants(WHOLE, limit=None)
    operators = {mutant.operator for mutant in everything}

    assert {mutant.operator for mutant in mutants(WHOLE, limit=len(operators))} == operators


def test_no_two_mutants_mean_the_same_and_none_means_the_original():
    meanings = [ast.dump(ast.parse(source)) for source in [WHOLE, *(mutant.source for mutant in mutants(WHOLE, None))]]

    assert len(set(meanings)) == len(meanings)


def test_every_mutant_compiles():
    for mutant in mutants(WHOLE, limit=None):
        compile(mutant.source, mutant.id, "exec")


@pytest.mark.parametrize(
    "kept",
    [
        '"""A module: 1 + 1 == 2."""',
        '"""Multiply by 3 - 1."""',
        '"""Not 4 * x."""',
        "import torch\n",
        '__all__ = ["f"]',
        "-> tuple[torch.Tensor, None]:",
        'raise ValueError("by " + f"must be {1 + 1} " + "or more")',
        'raise NotImplementedError("f is 1 + 1")',
    ],
)
def test_what_is_not_graded_is_never_changed(kept):
    assert [mutant.id for mutant in mutants(WHOLE, limit=None) if kept not in mutant.source] == []


def test_diff_shows_the_changed_line_alone():
    mutant = next(mutant for mutant in mutants(WHOLE, limit=None) if mutant.operator == "swap_operands")

    changed = [line for line in mutant.diff.splitlines()[2:] if line[0] in "+-"]

    assert changed == [
        '-    größe = "ä"; y = x - eps  # a comment that stays',
        '+    größe = "ä"; y = eps - x  # a comment that stays',
    ]


def test_mutant_says_where_and_what():
    mutant = next(mutant for mutant in mutants(WHOLE) if mutant.operator == "swap_operands")

    assert (mutant.id, mutant.line) == ("swap_operands-L27-1", 27)
    assert mutant.description == "operands of - swapped on line 27"


def test_content_says_what_was_changed_wherever_the_line_is():
    """Lines that are added above change ids, and no content; each content means one mutant."""
    here, lower = (mutants(text, limit=None) for text in (WHOLE, "# another line\n" + WHOLE))
    contents = [mutant.content for mutant in here]

    assert [mutant.content for mutant in lower] == contents and len(set(contents)) == len(contents)
    assert {mutant.id for mutant in here}.isdisjoint(mutant.id for mutant in lower)
    assert 'swap_operands: größe = "ä"; y = eps - x  # a comment that stays' in contents


LOOP = "def f(x):\n    total = 0\n    for k in x:\n        total += k\n        x.go()\n    return total\n"


@pytest.mark.parametrize("content", ["drop_update: without total += k", "drop_call: without x.go()", "loop_once: break after x.go()"])
def test_content_names_the_line_that_is_gone_or_stands_above(content):
    assert content in [mutant.content for mutant in mutants(LOOP, limit=None)]


def test_expression_over_several_lines_keeps_its_layout():
    mutant = next(mutant for mutant in mutants(WHOLE, limit=None) if mutant.operator == "toggle_keepdim")

    assert mutant.source == WHOLE.replace("dim=-1, keepdim=True", "dim=-1")


def test_decorator_is_dropped_with_its_line():
    mutant = next(mutant for mutant in mutants(WHOLE, limit=None) if mutant.operator == "drop_grad_mode")

    assert mutant.source == WHOLE.replace("@torch.no_grad()\n", "")


def test_samples_of_consecutive_seeds_reach_every_mutant():
    found = mutants(WHOLE, limit=12)

    first, second, third = (sample(found, 4, seed) for seed in (0, 1, 2))

    assert sorted(first + second + third, key=found.index) == found
    assert sample(found, 4, 0) == first


def test_sample_of_few_mutants_is_all_of_them():
    found = mutants(WHOLE, limit=3)

    assert sample(found, 5, 7) == found
    assert sample([], 5, 7) == []


SEVERAL = """\
def double(x):
    return x + x

# what follows sums
@torch.no_grad()
def total(rows):
    found = 0
    for row in rows: found = found + row; print("ä")
a = 1; b = 2
def last(rows):
    for row in rows: print(row)
"""


@pytest.mark.parametrize("source", [WHOLE, SEVERAL, SEVERAL.rstrip()], ids=["whole", "several", "no last newline"])
def test_only_one_piece_of_a_mutant_is_changed(source):
    found = mutants(source, limit=None)
    first, last = found[0], found[-1]
    pieces = (*last.parts[: last.changed], *first.parts[last.changed :])  # what each of the two leaves as it is

    assert "".join(pieces) == source
    assert first.changed < last.changed
    for mutant in found:
        assert mutant.parts == (*pieces[: mutant.changed], mutant.parts[mutant.changed], *pieces[mutant.changed + 1 :])
        compile(mutant.source, mutant.id, "exec")
