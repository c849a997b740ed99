"""Hidden checks for GatherRows: every use of a row brings its share."""

import weakref

import torch
from own_numbers import differentiable, only_read, unharmed

from torchdojo.grading import (
    Forbidden,
    autograd_inside,
    built,
    check,
    collected,
    raw_gradients,
    size,
    tensor,
    upstream,
)

CONCEPTS = ("E08", "G16", "G30")
KEPT = {
    "rule_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "result_is_the_rows_named": "a right forward earns its points before backward is written",
    "every_use_of_a_row_counts": "the task itself, on ordinary indices; the check of negative ones refuses the same mistakes",
}
FORMS = ("batch", "batch more", "7", "batch 2 more", "1", "more batch")
SIZES = {"rows": 1, "features": 1, "batch": 0, "more": 0}
AXES = "rows features batch more"
FORBIDS = {
    "aten.*embedding*": "torch.nn.functional.embedding",
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
BECAUSE = "it does all the work; index the table yourself"


class oracle:
    """Indexing, which autograd follows."""

    class GatherRows:
        def apply(table, idx):
            return table[idx]


def drawn(form, **options):
    """Indices of the rows of the table, counted from the start."""

    def draw(case):
        rows = case.size("rows")
        return case.tensor(form or FORMS[case.number % len(FORMS)], dtype="int64", low=0, high=rows - 1, **options)

    return built(draw, axes=AXES)


def plain():
    """A table without oddities."""
    return tensor("rows features", layouts=False)


def some(case):
    """Indices of one axis: the first row twice, the last row never, the others as they come."""
    rows = case.size("rows")
    drawn = case.tensor((case.size("batch"),), dtype="int64", low=0, high=rows - 2, layouts=False)
    return torch.cat([drawn, torch.zeros(2, dtype=torch.int64, device="cpu")])


IDX = built(some, axes=AXES)


def other_order(case):
    """Each row once, in another order than the table's: what is about repetitions is left to the check of repeated rows."""
    rows = case.rng.sample(range(case.size("rows")), case.size("rows"))
    return torch.tensor(rows[::-1] if rows == sorted(rows) else rows, device="cpu")


ONCE = built(other_order, axes=AXES)
LEAST = {"rows": 2, "features": 1, "batch": 1, "more": 1}


@check(points=4, minimum=LEAST, table=plain(), idx=IDX, mutates=("table", "idx"), aliasing="any")
def result_is_the_rows_named(solution, table, idx):
    """The result holds the rows that idx names."""
    return solution.GatherRows.apply(table.requires_grad_(), idx)


@check(points=3, minimum=LEAST, table=plain(), idx=IDX, mutates=("table", "idx"))
def every_use_of_a_row_counts(solution, table, idx, rng):
    """A row that is used several times gets the sum of its gradients; an unused row gets zeros."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    return {"returned": raw_gradients(y, upstream(y, rng), [table, idx])}


def uses(case):
    """The same row by two names; the last row never; all rows from the end."""
    names = [[1, -4, 0], [-5, 0, 2], [2, -3], [-1], [-2, 3, 1, -4], [-1, -2, -3, -4, -5]]
    return torch.tensor(names[case.number % len(names)], device="cpu")


@check(points=1, star=True, table=tensor("5 features", layouts=False), minimum=1, idx=built(uses, axes="features"), mutates=("table", "idx"))
def idx_may_count_from_the_end(solution, table, idx, rng):
    """Positive and negative indices may name the same row."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [table, idx])}


@check(points=1, star=True, minimum=SIZES, table=tensor("rows features"), idx=drawn(""))
def any_axes_and_layout(solution, table, idx, rng):
    """idx may have several axes or be empty; table and idx may have any layout; no memory is shared."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    seen = {"result": y, "returned": raw_gradients(y, upstream(y, rng) / 3, [table, idx])}
    return {**seen, "result with all rows in order": solution.GatherRows.apply(table, torch.arange(len(table), device=table.device))}


@check(points=1, star=True, minimum=LEAST, table=plain(), idx=ONCE, layout=["transposed", "expanded"], mutates=("table", "idx"), beside=True)
def grad_is_only_read(solution, table, idx, layout, rng):
    """grad may have any layout and is not changed; backward can be repeated and differentiated."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    found, facts = only_read(y, [table, idx], rng, lambda: solution.GatherRows.apply(table[:1].repeat(1, 2), idx * 0), layout)
    return {"returned": found["returned"][:1]}, facts | {"can be differentiated": differentiable(y, rng)}


@check(
    points=1, star=True,
    minimum=LEAST,
    table=plain(),
    idx=ONCE,
    rows=size("rows"),
    beside=True,
)
def edits_do_no_harm(solution, table, idx, rows, rng):
    """An in-place edit of the table does no harm; an edit of idx is detected."""
    apply, inputs = solution.GatherRows.apply, [table.requires_grad_(), idx]

    def next_row(t):
        t.add_(1).remainder_(rows)

    passing = table * 1  # no leaf: those are held by the graph itself
    y, gone = apply(passing, idx), weakref.ref(passing)
    del passing
    facts = {"table is in memory as long as the result": y.requires_grad and not collected(gone)}
    of_table, facts["the same after an edit of table"] = unharmed(apply, inputs, 0, rng, may_refuse=False)
    of_idx, facts["right or refused after an edit of idx"] = unharmed(apply, inputs, 1, rng, edit=next_row)
    return {"result": y.detach(), "returned after an edit of table": of_table[:1], "returned after an edit of idx": of_idx[:1]}, facts


@check(points=1, minimum=LEAST, table=plain(), idx=ONCE, dtypes=("float64",))
def rule_is_written_by_hand(solution, table, idx, rng):
    """forward and backward are your own, without autograd inside."""
    table.requires_grad_()
    return autograd_inside(lambda: solution.GatherRows.apply(table, idx), [table, idx], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
