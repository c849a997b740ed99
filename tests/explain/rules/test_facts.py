"""What checks record, and what is noted step by step: a cause where all wrong inputs say the same, and none where they do not."""

import pytest
import torch
from causes import text_of

from torchdojo.explain.rules import facts as records
from torchdojo.explain.rules import facts_by_input, kinds
from torchdojo.judge.compare import compare

T = torch.tensor


@pytest.mark.parametrize(
    ("path", "facts", "kind"),
    [
        ("flags", [("eval", "train")], "mode"),
        ("", [(["train", "train"], ["train", "eval"])], "mode"),
        ("operations", [(["leaf", "mul", "sum"], ["sum", "mul", "leaf"])], "order"),
        ("events in order", [("loss, batch, step", "batch, loss, step")], "order of steps"),
        ("held", [("head.bias", "body.0.bias, head.bias")], "missing"),
        ("state", [({"weight": 1.0}, {"weight": 1.0, "running_mean": 0.0})], "missing"),
        ("names", [("a, b, c", "a, b")], "surplus"),
        ("", [(["a::Add", "Mul"], ["Add", "Mul"])], "other name"),
        ("", [(["Add", "Add", "Mul"], ["Add", "Mul"])], "too often"),
        ("", [(["Add", "Mul"], ["Add", "Mul", "Mul"])], "too seldom"),
        ("events in order", [("clock, fn, clock", "sync, clock, fn, sync, clock")], "too seldom"),
        ("held", [("a", "a, b"), ("a", "a, c")], "missing"),
        ("labels of the axes", [(["loss", "step"], ["step", "loss"])], "order"),
    ],
)
def test_a_fact_speaks(path, facts, kind):
    """Whatever its key is: the value says what it is about."""
    found = records.cause(path, facts)
    assert text_of(found) is not None and found.kind == kind


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("", []),
        ("calls of the model", [(5, 1), (0, 1)]),  # once too many, once too few: nothing in common
        ("updates", [(4, 2)]),
        ("held", [("a, b", "a, c"), ("x, c", "x, b")]),
        ("answer", [("no error", "refused here")]),
        ("events in order", [("fn, sync", "sync, fn, sync"), ("fn, fn, sync", "fn, fn")]),  # once too few, once too many
        ("saved", [(1, 2)]),
        ("name", [("Add", "Mul")]),  # a word alone may be anything
        ("shape", [("(2, 3)", "(3, 2)")]),
        ("in train mode", [(True, False)]),  # keys are for people
        ("", [("train", "evaluated")]),
        ("", [(6, 8)]),
    ],
)
def test_facts_that_say_nothing_together(path, facts):
    """Better no cause than one that only some of the inputs have."""
    assert records.cause(path, facts) is None


def test_modes_that_differ_in_both_directions():
    """Neither too much train mode nor too little: parts were set alike."""
    found = records.cause("", [(["train", "train"], ["train", "eval"]), (["eval", "eval"], ["train", "eval"])])
    assert "save and restore the mode of each module" in text_of(found)


def test_an_event_is_named_with_its_neighbour():
    """The one that is the same on all inputs; which of several there are only where that agrees."""
    early = [("clock, fn, sync, clock", "sync, clock, fn, sync, clock"), ("fn, clock, fn, fn, sync, clock", "fn, sync, clock, fn, fn, sync, clock")]
    assert text_of(records.cause("events in order", early)) == "`sync` is missing before the first `clock`."
    both = [("fn, clock, fn, clock", "fn, sync, clock, fn, sync, clock")]
    assert text_of(records.cause("events in order", [*early, *both])) == "`sync` is missing before `clock`."
    extra = [("fn, sync, fn, sync, clock", "fn, fn, sync, clock")]
    assert records.cause("events in order", extra).kind == "too often"


@pytest.mark.parametrize(
    ("path", "lengths", "kind"),
    [
        ("history", [(9, 3), (4, 2)], "entries"),
        ("history", [(1, 3)], "entries"),
        ("lines", [(0, 1)], "entries"),
        ("what augment was given", [(14, 21)], "entries"),
        ("history", [(9, 3), (1, 2)], None),
    ],
)
def test_how_many_entries(path, lengths, kind):
    """More everywhere, or fewer everywhere."""
    found = facts_by_input.how_many(path, lengths)
    assert (text_of(found) and found.kind) == kind


def test_one_number_in_place_of_a_tuple_is_no_missing_entry():
    """Nothing skips an entry of a single number."""
    assert text_of(kinds.of_type(compare(0.0, (0.0, 0.0)))) == "This is a single number, but a tuple with 2 entries is expected."
    assert text_of(kinds.of_type(compare((0.0,), [0.0]))) == "A list is expected: `list(...)` makes one."
