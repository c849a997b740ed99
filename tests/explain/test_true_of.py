"""A sentence speaks of code only to a file that has it: keepdim, a mask, a condition. Other files are told what the numbers show."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from causes import text_of

from torchdojo.course.exercise import Dojo
from torchdojo.explain import causes, own_words
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.own_names import written
from torchdojo.explain.rules import answers, facts, kinds, refusals
from torchdojo.explain.symptoms import of_one
from torchdojo.explain.true_of import SETS, SYNTAX, held
from torchdojo.judge.compare import compare
from torchdojo.variants import Variant
from torchdojo.wire.strict import SeenTensor

ROOT = Path(__file__).resolve().parents[2]
EXPLAIN = ROOT / "torchdojo" / "explain"


def told(cause, *lines):
    """What a file with these lines in a function is told."""
    code = "import torch\ndef f(x, dim=0):\n" + "".join(f"    {line}\n" for line in lines)
    return text_of(held(cause, written(code.encode())))


def of(got, want, device="cpu"):
    """The cause of one wrong answer, before the file is known."""
    got, want = SeenTensor(got, "cpu"), SeenTensor(want, device)
    return of_one(compare(got, want), got, want, {})


ONES, WHOLE = torch.ones(3), torch.ones(3, dtype=torch.int64)
ONES_SEEN = SeenTensor(ONES, "cpu")
TOLD = [
    ("an axis is lost", of(ONES, torch.ones(3, 1)), "return x.sum(dim)", "An axis of size 1 is missing: keep it with keepdim=True, or add it with unsqueeze."),
    ("an axis is lost", of(ONES, torch.ones(3, 1)), "return x.mean(1).squeeze()", "An axis of size 1 is missing: squeeze() removes every axis of size 1. Name the axis that it may remove, or leave it out."),
    ("an axis is lost", of(ONES, torch.ones(3, 1)), "return x[:, 0]", "An axis of size 1 is missing: unsqueeze or reshape puts one in."),
    ("an axis too many", of(torch.ones(1), torch.tensor(1.0)), "return x[None]", "There is an extra axis of size 1: keepdim=True, unsqueeze or None in an index, for example, leaves one."),
    ("an axis too many", of(torch.ones(1), torch.tensor(1.0)), "return np.ascontiguousarray(x)", "There is an extra axis of size 1: np.ascontiguousarray and np.atleast_1d give a 0-dim array an axis."),
    ("an axis too many", of(torch.ones(1), torch.tensor(1.0)), "return x[:1]", "There is an extra axis of size 1."),
    ("floats for integers", of(ONES, WHOLE), "return torch.Tensor(x)", "torch.Tensor always makes float32: torch.tensor takes the dtype from the numbers."),
    ("floats for integers", of(ONES, WHOLE), "return x / 1", "These are floating-point numbers instead of integers: something converted them, or was created in a floating dtype."),
    ("floats for bools", of(ONES, ONES.bool()), "return (x > 0).float()", "These are numbers instead of True and False: a comparison gives a bool tensor, so use it as it is."),
    ("floats for bools", of(ONES, ONES.bool()), "return torch.full_like(x, 1.0)", "These are numbers instead of True and False."),
    ("on the CPU", of(ONES, ONES, "sim:0"), "return torch.zeros(3)", "A tensor was created on the default device, the CPU, or moved there: create new tensors on the input's device (device=x.device)."),
    ("on the CPU", of(ONES, ONES, "sim:0"), "return x", "It stayed on the CPU: move it to the device with .to(device)."),
    ("some errors", refusals.cause("raised", [("no error", "ValueError")], True), "if dim: raise ValueError", "You reject some invalid inputs, but not this one: your condition doesn't cover it. Raise ValueError here, too."),
    ("some errors", refusals.cause("raised", [("no error", "ValueError")], True), "return x @ x", "Some invalid inputs raise an error, but not this one. Raise ValueError here, too."),
    ("the same draws", facts.cause("random: second call differs", [(False, True)]), "torch.manual_seed(0)", "Every call gives the same random numbers: your code seeds or restores the generator. Leave that to the caller."),
    ("the same draws", facts.cause("random: second call differs", [(False, True)]), "return x", "Every call gives the same random numbers, but each should draw new ones."),
    ("no graph", facts.cause("graph is kept", [(False, True)]), "return x.detach()", "The graph is cut: detach, .data, .item(), no_grad or a new tensor stands where gradients have to flow."),
    ("a result with a graph", facts.cause("requires grad", [(True, False)]), "return x", "It requires grad but should not: detach it, or compute it under torch.no_grad() if nothing on the way needs a gradient."),
    ("an argument switched on", facts.cause("x.requires_grad", [(True, False)]), "x.requires_grad_(True)", "requires_grad is True here but should be False. `requires_grad_()` and an assignment to requires_grad change the tensor itself, also your caller's: `.detach().requires_grad_()` makes a tensor of your own."),
    ("a flag", facts.cause("requires_grad of the inputs", [([True], [False])]), "return x", "requires_grad is True here but should be False."),
    ("no grad", facts.cause("requires grad", [(False, True)]), "return x.detach()", "It does not require grad but should: look for detach() or detach_(), no_grad, requires_grad_(False), and new tensors that are made from numbers."),
    ("no grad", facts.cause("requires grad", [(False, True)]), "return x", "It does not require grad, but it should."),
    ("an assert", refusals.cause("raised", [("AssertionError", "ValueError")]), "assert dim", "`assert` raises an AssertionError, and checks nothing under python -O: write `if ...: raise ValueError(...)` instead."),
    ("another error", refusals.cause("raised", [("AssertionError", "ValueError")]), "return x", "The error has the wrong type: ValueError should be raised, before anything else fails."),
    ("None behind a branch", kinds.of_type(compare(None, ONES_SEEN)), "if dim: return x", "A branch of the function ends without `return`."),
    ("None without a branch", kinds.of_type(compare(None, ONES_SEEN)), "x * 2", "The function ends without `return`, or returns the result of a call that gives None."),
    ("None of a call", kinds.of_type(compare(None, ONES_SEEN)), "return x.tolist().sort()", "The function ends without `return`, or returns the result of a call that gives None."),
    ("no graph", facts.cause("graph is kept", [(False, True)]), "return x", "There is no graph where gradients have to flow."),
]


@pytest.mark.parametrize(("what", "cause", "line", "said"), TOLD, ids=[f"{what}: {line}" for what, _, line, _ in TOLD])
def test_a_sentence_names_only_what_stands_in_the_file(what, cause, line, said):
    """What it would name is not there: only what the numbers show is told."""
    assert told(cause, line) == said


def test_one_number_in_place_of_a_tuple_is_no_missing_entry():
    """Nothing skips an entry of a single number."""
    assert text_of(kinds.of_type(compare(0.0, (0.0, 0.0)))) == "This is a single number, but a tuple with 2 entries is expected."
    assert text_of(kinds.of_type(compare((0.0,), [0.0]))) == "A list is expected: `list(...)` makes one."


def test_the_grad_mode_is_no_mode_of_a_model():
    """Train and eval mode are told where a model is spoken of."""
    assert text_of(facts.cause("grad mode afterwards", [(True, False)])).startswith("The caller's mode is not restored")
    assert text_of(facts.cause("model.training afterwards", [(True, False)])).startswith("The model, or a part of it")


def test_of_what_should_be_unchanged_nothing_is_supposed():
    """It may be the caller's tensor or the module's own mean: neither a copy nor a way to restore it is advised."""
    assert text_of(facts.cause("mean as before", [(False, True)])) == "This should be unchanged, but your code changed it."
    assert answers.overwritten("x afterwards", [(1, 1, {})]) is None


def test_a_file_too_large_to_look_at_is_told_nothing_of_its_code():
    """As if nothing stood there."""
    from torchdojo.explain.message import UNREADABLE

    assert held(Cause(Kind.EMPTY, "torch.empty", needs="new memory"), UNREADABLE) is None
    assert held(Cause(Kind.EMPTY, "torch.empty", needs="new memory"), None) is not None


def test_a_cause_that_is_not_true_of_the_file_leaves_its_place_to_the_next():
    """The rules are asked in their order, and each answer is held against the file."""
    evidence = SimpleNamespace(code=written(b"def f(x):\n    return x\n"))
    ranked = (lambda e: Cause(Kind.EMPTY, "torch.empty", needs="new memory"), lambda e: Cause(Kind.NAN, "nan"))
    assert text_of(causes._first(ranked, evidence)) == "nan"


def _needs(tree):
    """The words that `Cause.of_file` and `needs=` are given in a module."""
    tables = {t.id: n.value for n in tree.body if isinstance(n, (ast.Assign, ast.AnnAssign)) for t in (n.targets if isinstance(n, ast.Assign) else [n.target]) if isinstance(t, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "needs" and isinstance(node.value, ast.Constant):
            yield node.value.value
        if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "of_file"):
            continue
        for given in node.args[1:]:
            entries = tables[given.value.id].elts if isinstance(given, ast.Starred) and given.value.id in tables else [given]
            yield from (e.elts[0].value for e in entries if isinstance(e, ast.Tuple) and isinstance(e.elts[0], ast.Constant))


def test_every_need_is_known():
    """A word that nobody knows would be an error in the middle of an explanation."""
    found = {word for file in EXPLAIN.rglob("*.py") for word in _needs(ast.parse(file.read_text()))}
    assert found - {""} <= {*SETS, *SYNTAX} and len(found) > 12
    assert {*SYNTAX}.isdisjoint(SETS)
    for word in (*SETS, *SYNTAX):
        held(Cause(Kind.NAN, "nan", needs=word), written(b"def f(x):\n    return x\n"))


# ------------------------------------------------------------------ known mistakes, and slips
def test_a_known_mistake_that_is_written_in_another_way_is_told_as_a_comparison():
    """is_causal=True is named to a file that has it; a file with tril() that does the same is told so."""
    (exercise,) = Dojo(ROOT).select("10_attention/ex09")

    def body():
        return {"attend": lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)}

    sentence = "is_causal=True aligns the mask with the first key."
    causal = Variant("mistake", "aligned_with_the_first_key", sentence, (), body)
    has = written(b"def f(q, k, v):\n    return sdpa(q, k, v, is_causal=True)\n")
    other = written(b"def f(q, k, v):\n    return sdpa(q, k, v, attn_mask=torch.ones(2, 3).tril())\n")
    assert own_words.of_variant(exercise, causal, has) == sentence
    assert own_words.of_variant(exercise, causal, None) == sentence
    assert own_words.of_variant(exercise, causal, other) == f"Your code behaves like code with this mistake: {sentence}"


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
    assert facts.cause(place, [fact]) is None


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
        ("tensors saved for backward", (0, 2), "The graph is cut"),
        ("number of parameters", (4, 6), "Parameters, buffers or state entries are missing"),
    ],
)
def test_a_place_that_speaks_of_it(place, fact, said):
    """The same words, where they are the subject."""
    assert facts.cause(place, [fact]).sentence.startswith(said)


def test_a_comparison_that_a_sentence_names_stands_in_the_file():
    """Code that makes the mistake without the comparison it names is told only what it behaves like."""


    def body():
        return {"above": lambda x, t: x[x >= t]}

    (exercise,) = Dojo(ROOT).select("01_tensors/ex09")
    mistake = Variant("mistake", "keeps_equal_ones", "Greater than means > and not >=.", (), body)
    has, other = written(b"def above(x, t):\n    return x[x >= t]\n"), written(b"def above(x, t):\n    return x[~(x < t)]\n")
    assert own_words.of_variant(exercise, mistake, has) == mistake.sentence
    assert own_words.of_variant(exercise, mistake, other) == f"Your code behaves like code with this mistake: {mistake.sentence}"
