"""Hidden checks for GatherRows: every use of a row brings its share."""

import weakref

import torch

from torchdojo.grading import (
    autograd_inside,
    built,
    check,
    collected,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    size,
    tensor,
    upstream,
)

CONCEPTS = ("E08", "G16", "G30")
KEPT = {"one_row_may_have_two_names": "fixed indices for what the others meet by chance: two names, an unused last row"}
FORMS = ("batch", "batch more", "7", "batch 2 more", "1", "more batch")
SIZES = {"rows": 1, "features": 1, "batch": 0, "more": 0}
AXES = "rows features batch more"
FORBIDS = {
    "aten.embedding": "torch.nn.functional.embedding",
    "aten.embedding_dense_backward": "the backward of embedding",
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
BECAUSE = "it is the answer; index the table yourself"


class oracle:
    """Indexing, which autograd follows."""

    class GatherRows:
        def apply(table, idx):
            return table[idx]


def drawn(form):
    def draw(case):
        rows = case.size("rows")
        return case.tensor(form or FORMS[case.number % len(FORMS)], dtype="int64", low=-rows, high=rows - 1)

    return built(draw, axes=AXES)


@check(
    points=1,
    minimum=SIZES,
    table=tensor("rows features", step=0.1),
    idx=drawn(""),
    learn=[True, False],
)
def result_is_the_rows_named(solution, table, idx, learn):
    """The result holds the rows that idx names, in memory of its own."""
    y = solution.GatherRows.apply(table.requires_grad_(learn), idx)
    in_order = torch.arange(len(table), device=table.device)
    everything = solution.GatherRows.apply(table, in_order)
    return {"result": y, "result requires grad": y.requires_grad, "all rows in order": everything}


@check(points=3, minimum=SIZES, table=tensor("rows features"), idx=drawn("batch"))
def every_use_of_a_row_counts(solution, table, idx, rng):
    """A row used several times gets the sum, an unused one zeros."""
    table = (table / 3).requires_grad_()
    y = solution.GatherRows.apply(table, idx)
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng) / 3, [table, idx])}


def uses(case):
    """The same row by two names; the last row never; a row three times."""
    names = [[1, -4, 0], [-5, 0, 0, 0], [2, 2, -3], [3], [-2, 3, 1, -4]]
    return torch.tensor(names[case.number % len(names)], device="cpu")


@check(points=2, table=tensor("5 features"), minimum=1, idx=built(uses, axes="features"))
def one_row_may_have_two_names(solution, table, idx, rng):
    """A row may be named from the start and from the end at once."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    return {"returned": raw_gradients(y, upstream(y, rng), [table, idx])}


@check(points=2, minimum=SIZES, table=tensor("rows features"), idx=drawn(""))
def idx_may_have_any_axes(solution, table, idx, rng):
    """idx may have several axes, be empty, transposed or expanded."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    return {"returned": raw_gradients(y, upstream(y, rng), [table, idx])}


@check(points=1, minimum=1, table=tensor("rows features"), idx=drawn("batch"), layout=["transposed", "expanded"])
def takes_any_layout_of_grad(solution, table, idx, layout, rng):
    """The gradient that arrives may be transposed or expanded."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    return {"returned": raw_gradients(y, upstream(y, rng, layout=layout), [table, idx])}


@check(points=1, minimum=1, table=tensor("rows features"), idx=drawn("batch"))
def backward_can_be_repeated(solution, table, idx, rng):
    """backward leaves grad alone, may be repeated and differentiated."""
    y = solution.GatherRows.apply(table.requires_grad_(), idx)
    seen = repeated_backward(y, [table, idx], rng, between=lambda: solution.GatherRows.apply(table[:1].repeat(1, 2), idx * 0))
    return {**seen, "derivative by grad": second_gradients(y, [table], rng, only_upstream=True)[0]}


@check(
    points=1,
    minimum={"rows": 2, "features": 1, "batch": 1, "more": 1},
    table=tensor("rows features", layouts=False),
    idx=drawn("3"),
    rows=size("rows"),
)
def edits_do_no_harm(solution, table, idx, rows, rng):
    """An edit of the table does no harm, one of idx is noticed."""
    apply, inputs = solution.GatherRows.apply, [table.requires_grad_(), idx]

    def next_row(t):
        t.add_(1).remainder_(rows)

    passing = table * 1  # no leaf: those are held by the graph itself
    y, gone = apply(passing, idx), weakref.ref(passing)
    del passing
    return {
        "table is in memory as long as the result": y.requires_grad and not collected(gone),
        "returned after an edit of table": gradients_after_edit(apply, inputs, 0, rng, may_refuse=False),
        "returned after an edit of idx": gradients_after_edit(apply, inputs, 1, rng, next_row),
    }


@check(points=1, minimum=1, table=tensor("rows features"), idx=drawn("batch"), dtypes=("float64",))
def rule_is_written_by_hand(solution, table, idx, rng):
    """forward and backward are your own, without autograd inside."""
    table.requires_grad_()
    return autograd_inside(lambda: solution.GatherRows.apply(table, idx), [table, idx], rng)


@rule_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
