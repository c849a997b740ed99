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
        ("parts in train mode afterwards", [("none", "the whole, 0"), ("0", "the whole, 0")], "mode"),
        ("training.the model", [(False, True)], "mode"),
        ("requires grad", [([False, False], [True, False])], "detached"),
        ("requires grad", [([True], [False])], "graph kept"),
        ("predictions with a graph", [(3, 0)], "graph kept"),
        ("gradients enabled afterwards", [(True, False)], "state"),
        ("grad mode afterwards", [(True, False)], "state"),
        ("inference mode", [(True, False)], "state"),
        ("operations", [(["leaf", "mul", "sum"], ["sum", "mul", "leaf"])], "order"),
        ("events in order", [("loss batch step", "batch loss step")], "order of steps"),
        ("held", [("head.bias", "body.0.bias, head.bias")], "missing"),
        ("state", [({"weight": 1.0}, {"weight": 1.0, "running_mean": 0.0})], "missing"),
        ("names", [("a, b, c", "a, b")], "surplus"),
        ("", [(["a::Add", "Mul"], ["Add", "Mul"])], "other name"),
        ("", [(["Add", "Add", "Mul"], ["Add", "Mul"])], "too often"),
        ("", [(["Add", "Mul"], ["Add", "Mul", "Mul"])], "too seldom"),
        ("events in order", [("clock fn clock", "sync clock fn sync clock")], "too seldom"),
        ("keys of the state_dict", [(["head.weight"], ["hidden.0.weight", "head.weight"])], "not registered"),
        ("held", [("a", "a, b"), ("a", "a, c")], "missing"),
        ("labels of the axes", [(["loss", "step"], ["step", "loss"])], "order"),
    ],
)
def test_a_fact_speaks(path, facts, kind):
    """Its place says what it is about, got and wanted say the rest."""
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
        ("events in order", [("fn sync", "sync fn sync"), ("fn fn sync", "fn fn")]),  # once too few, once too many
        ("saved", [(1, 2)]),
        ("", [(6, 8)]),
    ],
)
def test_facts_that_say_nothing_together(path, facts):
    """Better no cause than one that only some of the inputs have."""
    assert records.cause(path, facts) is None


def test_modes_that_differ_in_both_directions():
    """Neither too much train mode nor too little: parts were set alike."""
    found = records.cause("training flags after", [([True, True], [True, False]), ([False, False], [True, False])])
    assert "save and restore the mode of each module" in text_of(found)


def test_an_event_is_named_with_its_neighbour():
    """The one that is the same on all inputs; which of several there are only where that agrees."""
    early = [("clock fn sync clock", "sync clock fn sync clock"), ("fn clock fn fn sync clock", "fn sync clock fn fn sync clock")]
    assert text_of(records.cause("events in order", early)) == "`sync` is missing before the first `clock`."
    both = [("fn clock fn clock", "fn sync clock fn sync clock")]
    assert text_of(records.cause("events in order", [*early, *both])) == "`sync` is missing before `clock`."
    extra = [("fn sync fn sync clock", "fn fn sync clock")]
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


def test_the_grad_mode_is_no_mode_of_a_model():
    """Train and eval mode are told where a model is spoken of."""
    assert text_of(records.cause("grad mode afterwards", [(True, False)])).startswith("The caller's mode is not restored")
    assert text_of(records.cause("model.training afterwards", [(True, False)])).startswith("The model, or a part of it")


@pytest.mark.parametrize(
    ("place", "fact"),
    [
        ("training labels follow their rows", (False, True)),  # no mode of a model
        ("drops in training mode", (False, True)),
        ("sizes of the training batches", ([2, 1], [2, 2])),
        ("state is a dict", (False, True)),  # nothing is missing from it
        ("parameters require grad", (False, True)),
        ("same seed alike", (False, True)),  # no object
        ("default of steps", (100, 1000)),  # nothing happens
        ("small steps", (12, 15)),
        ("tensors saved for backward", (1, 2)),  # there is a graph
    ],
)
def test_a_word_in_a_place_is_not_its_subject(place, fact):
    """Nothing is said of a mode, an object, a count of calls or a graph that the place does not speak of."""
    assert records.cause(place, [fact]) is None


@pytest.mark.parametrize(
    ("place", "fact", "said"),
    [
        ("training[0]", (False, True), "The model, or a part of it, is in eval mode here"),
        ("training flags unchanged", (False, True), "The model, or a part of it, ends in eval mode"),
        ("in training mode during the forward pass", (True, False), "The model, or a part of it, is in train mode here"),
        ("tensors saved for backward", (0, 2), "There is no graph"),
    ],
)
def test_a_place_that_speaks_of_it(place, fact, said):
    """The same words, where they are the subject."""
    assert records.cause(place, [fact]).sentence.startswith(said)
