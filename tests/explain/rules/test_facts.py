"""What checks record, and what is noted step by step: a cause where all wrong inputs say the same, and none where they do not."""

import pytest
import torch
from causes import text_of

from torchdojo.explain import topics
from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules import devices, kinds, sequences
from torchdojo.explain.rules import facts as records
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
        (".grad is the same tensor", [([False, True], [True, True])], "kept object"),
        ("gradients have exactly the same numbers", [([False, True], [True, True])], "changed"),
        ("containers used again", [(7, 0)], "kept object"),
        ("labels unchanged", [(False, True)], "changed"),
        ("requires_grad and device unchanged", [(False, True)], "changed"),
        ("random state unchanged", [(False, True)], "random state"),
        ("the generator's next number", [(0.25, 0.5)], "random state"),
        ("X is the generator's first draw", [(False, True)], "random"),
        ("printed", [("epoch 0", "")], "printed"),
        ("w.is_leaf", [(False, True)], "leaf"),
        ("memory is shared", [(True, False)], "shares"),
        ("parameters", [(0, 4)], "not registered"),
        ("keys of the state_dict", [(["a", "b"], ["a"])], "registered"),
        ("operations", [(["leaf", "mul", "sum"], ["sum", "mul", "leaf"])], "order"),
        ("calls of the model", [(5, 1), (3, 1)], "too often"),
        ("calls of opt.step()", [(0, 2)], "too seldom"),
        ("passes through the loader", [(1, 3), (1, 3)], "too seldom"),
        ("events in order", [("loss batch step", "batch loss step")], "order of steps"),
        ("held", [("head.bias", "body.0.bias, head.bias")], "missing"),
        ("state", [({"weight": 1.0}, {"weight": 1.0, "running_mean": 0.0})], "missing"),
        ("names", [("a, b, c", "a, b")], "surplus"),
        ("it is on", [(["meta", "cpu"], ["meta", "meta"])], "left behind"),
        ("values[0].device", [("meta", "cpu"), ("meta", "cpu")], "moved"),
        ("device", [("cuda", "cuda:1")], "device"),
        ("in the forward pass[0].autocast", [(False, True)], "autocast"),
        ("dtype of autocast", [("torch.bfloat16", "torch.float16")], "autocast"),
        ("new parameters", [("", "head.bias, head.weight")], "kept object"),
        ("what augment was given", [("torch.float64", "torch.float32")], "dtype"),
        ("new random points at the second call", [(False, True)], "random state"),
        ("the same memory", [([False, True], [True, True])], "kept object"),
        ("container", [("list", "tuple")], "container"),
        ("result is contiguous", [(False, True)], "layout"),
        ("places in the message", [([], [1]), ([], [2])], "message"),
        ("places in the message", [([2], [1])], "message"),
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


@pytest.mark.parametrize(
    ("path", "facts", "said"),
    [
        (".grad is the same tensor", [([False, True], [True, True])], "Here .grad is None or a new tensor"),
        ("device", [("cpu", "cpu:0"), ("cuda", "cuda:1")], "The device type is right, but its index is missing"),
        ("device", [("cuda:0", "cuda:1")], "The device type is right, but its index is wrong"),
        ("device", [("cuda:0", "cuda")], "The device type is right, but its index is wrong"),
        ("X is the generator's first draw", [(False, True)], "These are not the numbers that the generator gives there"),
    ],
)
def test_a_fact_claims_no_more_than_was_seen(path, facts, said):
    """A .grad that isn't the old one may be None; an index that is missing is not a wrong one; a draw is not the generator's state."""
    assert text_of(records.cause(path, facts)).startswith(said)


def test_a_missing_index_beside_a_wrong_one():
    """They have nothing in common but that both are wrong."""
    assert devices.numbered([("cpu", "cpu:0"), ("cuda:0", "cuda:1")]) is None


def test_a_mode_that_is_noted_too_often():
    """Two forward passes in train mode instead of one: no mode is wrong."""
    assert records.cause("in train mode in each forward pass", [(2, 1), (2, 1)]).kind == "too often"
    assert records.cause("in train mode in each forward pass", [(0, 1)]).kind == "too seldom"


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


def test_a_number_of_calls_is_an_example_where_inputs_differ():
    """The message shows a smaller input, whose numbers are others."""
    assert text_of(records.cause("calls of the model", [(7, 4), (3, 2)])) == "This happens too often (calls of the model): 7 times instead of 4 times, for example."
    assert text_of(records.cause("calls of the model", [(0, 1), (0, 1)])) == "This happens too rarely (calls of the model): never instead of once."


@pytest.mark.parametrize(
    ("path", "lengths", "kind"),
    [
        ("history", [(9, 3), (4, 2)], "entries"),
        ("history", [(1, 3)], "entries"),
        ("lines", [(0, 1)], "entries"),
        ("what augment was given", [(14, 21)], "too seldom"),
        ("history", [(9, 3), (1, 2)], None),
    ],
)
def test_how_many_entries(path, lengths, kind):
    """More everywhere, or fewer everywhere."""
    found = sequences.how_many(path, lengths)
    assert (text_of(found) and found.kind) == kind


def pairs(*lists):
    return [pair_of(got, want, {}) for got, want in lists]


def test_lists_that_add_up():
    """Sums and means that are not set back, entries that are one tensor."""
    running = pairs(([1.0, 4.0, 6.0], [1.0, 3.0, 2.0]), ([2.0, 7.0], [2.0, 5.0]))
    assert sequences.cause(running, "history").kind == "running"
    means = pairs(([1.0, 2.0, 3.0], [1.0, 3.0, 5.0]), ([2.0, 4.0], [2.0, 6.0]))
    assert sequences.cause(means, "history").kind == "running"
    assert sequences.cause([*means, *running], "history") is None
    assert sequences.cause(pairs(([5.0, 5.0, 5.0], [1.0, 3.0, 5.0])), "history").kind == "alias"
    assert sequences.cause(pairs(([1.0, 2.0, 3.0], [1.0, 3.0, 6.0])), "history").kind == "last only"
    assert sequences.cause(pairs(([6, 6, 6], [0, 0, 6])), "counts") is None


def test_a_rule_for_the_wrong_place_of_a_short_list():
    """The loss is right, the accuracy is in percent."""
    shares = [0.25, 0.5, 0.75, 0.125]
    found = sequences.cause(pairs(*(([n + 0.5, 100 * s], [n + 0.5, s]) for n, s in enumerate(shares))), "loss and accuracy")
    said = "At index 1: Every value is 100 times what it should be, a percentage instead of a fraction between 0 and 1."
    assert text_of(found) == said


def test_what_was_to_stay():
    """A number that lay there before, the same everywhere, on several inputs; not zeros, which are an answer like others."""
    old = [(T([5.0, 9.0]), T([5.0, 5.0])), (T([7.0, 1.0]), T([5.0, 5.0]))]
    assert sequences.cause(pairs(*old), "weight.grad").kind == "stays"
    assert sequences.cause(pairs(*old), "buffer afterwards").kind == "changed"
    assert sequences.cause(pairs(*old), "result") is None, "an answer may be the same number everywhere"
    zeros = [(g, torch.zeros_like(w)) for g, w in old]
    assert sequences.cause(pairs(*zeros), "weight.grad") is None
    assert sequences.cause(pairs(old[0]), "weight.grad") is None


def test_since_when():
    """Right at first on every input; or standing still."""
    later = pairs(([1.0, 5.0], [1.0, 3.0]), ([2.0, 9.0, 7.0], [2.0, 8.0, 1.0]))
    assert sequences.since([], later, []).kind == "carried"
    assert sequences.since([], [*later, *pairs(([4.0, 1.0], [3.0, 1.0]))], []) is None
    flags = pairs(([True, True, True], [True, False, False]), ([True, True], [True, False]))
    assert sequences.since([], flags, []) is None, "yes and no are no course of numbers"
    assert sequences.since(["step 2.first", "after a break.step 3.second"], [], []).kind == "carried"
    assert sequences.since(["step 2.first", "step 1.second"], [], []) is None
    assert sequences.since(["step 2.first"], [], [(T([1.0]), T([1.0]))]).kind == "stands still"
    assert (topics.step_before("step 2.first"), topics.step_before("step 1.first")) == ("step 1.first", None)


def test_other_memory_may_be_a_copy_on_the_way():
    """The memory asked for is the argument's as often as that of an older tensor: contiguous and clone are named too."""
    assert "contiguous, clone or .data" in str(text_of(records.cause("the same memory", [([False, True], [True, True])])))


def test_one_number_in_place_of_a_tuple_is_no_missing_entry():
    """Nothing skips an entry of a single number."""
    assert text_of(kinds.of_type(compare(0.0, (0.0, 0.0)))) == "This is a single number, but a tuple with 2 entries is expected."
    assert text_of(kinds.of_type(compare((0.0,), [0.0]))) == "A list is expected: `list(...)` makes one."


def test_the_grad_mode_is_no_mode_of_a_model():
    """Train and eval mode are told where a model is spoken of."""
    assert text_of(records.cause("grad mode afterwards", [(True, False)])).startswith("The caller's mode is not restored")
    assert text_of(records.cause("model.training afterwards", [(True, False)])).startswith("The model, or a part of it")


def test_of_what_should_be_unchanged_nothing_is_supposed():
    """It may be the caller's tensor or the module's own mean: neither a copy nor a way to restore it is advised."""
    assert text_of(records.cause("mean as before", [(False, True)])) == "This should be unchanged, but your code changed it."


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
        ("same memory", (False, True), "It uses different memory"),
        ("calls of the model", (2, 1), "This happens too often (calls of the model): twice instead of once."),
        ("in train mode in each call", (1, 2), "This happens too rarely"),
        ("steps taken", (3, 2), "This happens too often (steps taken)"),
        ("tensors saved for backward", (0, 2), "There is no graph"),
        ("number of parameters", (4, 6), "Parameters, buffers or state entries are missing"),
    ],
)
def test_a_place_that_speaks_of_it(place, fact, said):
    """The same words, where they are the subject."""
    assert records.cause(place, [fact]).sentence.startswith(said)
