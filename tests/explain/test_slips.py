"""Programs that are almost right: what each change makes of a solution, that it is undone, and which of them is named."""

import ast
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from causes import text_of

from torchdojo.course.exercise import Dojo
from torchdojo.explain import almost_right, causes, mistakes, slip_sentences, slips
from torchdojo.explain.almost_right import Almost
from torchdojo.explain.cause import Cause
from torchdojo.grading import Check
from torchdojo.judge.oracle import Oracle
from torchdojo.mutate import expressions, formulas, habits, objects, right_solutions, walks
from torchdojo.mutate.slip import Form, Kind, Slip
from torchdojo.verify.trusted import Trusted
from torchdojo.wire.outcome import Outcome

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(300)  # other work may go on beside
LOOP = """
def train(model, loader, opt, loss_fn):
    total, count = 0.0, 0
    for x, y in loader:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item() * len(x)
        count += len(x)
    return total / count
"""


def made(library, source, part="habits"):
    """(kind, sentence) of each change, and the program that it makes."""
    tree = ast.parse(source)
    return [(slip.kind, slip_sentences.cause([slip]).sentence, ast.unparse(ast.fix_missing_locations(tree))) for slip in getattr(library, part)(tree.body)]


def program(found, sentence):
    return next(source for _, said, source in found if said == sentence)


SAVES = """
class Exp(Function):
    def forward(ctx, x, n):
        y = x.exp()
        ctx.save_for_backward(y, n)
        return y
"""


def test_what_is_saved_for_backward_is_left_as_it_is():
    """Saving another tensor than is returned makes a constant of it, and that is no matter of squeeze, or of computing twice."""
    for library in (habits, expressions):
        programs = [(kind, source) for kind, _, source in made(library, SAVES)]
        assert programs and not [k for k, source in programs if k == "again" or (k == "squeezed" and "save_for_backward(y, n)" not in source)]


def test_every_change_is_undone():
    """The tree is the old one when a generator has come to its end."""
    for library, part in ((habits, "habits"), (habits, "left_out"), (expressions, "habits")):
        tree = ast.parse(LOOP)
        before = ast.dump(tree)
        count = sum(1 for _ in getattr(library, part)(tree.body))
        assert count >= 3 and ast.dump(tree) == before


def test_steps_at_the_wrong_place():
    """Out of the loop, too late, twice, computed again."""
    found = made(habits, LOOP)
    outside = program(found, "`zero_grad` runs once, before the loop: run it inside the loop.")
    assert "opt.zero_grad()\n    for x, y" in outside.replace("(x, y)", "x, y")  # Python 3.10 writes it with parentheses
    late = program(found, "`zero_grad` comes too late: it belongs before `backward`.")
    assert late.index("zero_grad") > late.index("backward")
    assert program(found, "`step` runs twice.").count("opt.step()") == 2
    again = "`loss` (or your name for it) is computed again after its inputs have changed: use the first value."
    assert any(source.count("model(x)") == 2 for _, said, source in found if said == again)
    unweighted = "Every batch counts the same, however few samples it has: weight each mean by its number of samples."
    assert program(found, unweighted).count("len(x)") == 0


MEASURED = """
def evaluate(model, loader):
    model.eval()
    losses = []
    try:
        for x in loader:
            losses.append(model(x))
    finally:
        model.train()
    if not losses:
        raise ValueError
    return losses
"""


def test_a_step_that_is_too_late_for_a_loop_is_not_measured_by_the_check_behind_it():
    """eval() behind the batches is as good as none: that a check comes before it is not what went wrong."""
    said = {said for _, said, _ in made(habits, MEASURED)}
    assert not any("the check that raises" in s and "too late" in s for s in said)


def test_expressions_that_are_almost_right():
    """Arguments exchanged, the graph cut in the middle, 0 taken for None, a root over the whole."""
    swapped = program(made(expressions, LOOP), "Your code behaves as if two arguments of `loss_fn` were swapped.")
    assert "loss_fn(y, model(x))" in swapped
    found = made(expressions, "def f(v, eps, n):\n    if n is None:\n        return v.sqrt() + eps\n    return v * n\n")
    assert any("if not n" in source for kind, _, source in found if kind == "truth")
    assert any("(v + eps).sqrt()" in source for kind, _, source in found if kind == "inside")
    assert any("v.detach() * n" in source for kind, _, source in found if kind == "detached")


WITH_LAYERS = """
def fit(x, y, n):
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    points = torch.linspace(-torch.pi, torch.pi, n)
    steps = torch.arange(n)
    both = torch.cat([x, points], dim=-1)
    rows = torch.tensor(y, dtype=torch.float32)
    loss = nn.functional.cross_entropy(model(both), rows)
    parts = torch.sigmoid(x)
    return parts / steps, loss
"""


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("`ReLU` is missing from `Sequential`.", "nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))"),
        ("You used 3.14 for pi", "linspace(-3.14, 3.14, n)"),
        ("The last point is missing", "torch.pi - (torch.pi - -torch.pi) / n, n)"),
        ("Your code behaves as if a count started at 1 instead of 0", "torch.arange(1, n + 1)"),
        ("The parts that `cat` joins are in the wrong order", "torch.cat([points, x], dim=-1)"),
        ("as_tensor and from_numpy share memory with an array whose dtype already fits", "else torch.tensor)(y, dtype=torch.float32)"),
        ("The loss is the sum over its elements", "rows, reduction='sum')"),
        ("softmax is applied before cross_entropy", "cross_entropy(model(both).softmax(-1), rows)"),
        ("You overwrite a tensor instead of creating a new one", "return (((kept_ := parts).data.copy_((parts / steps).reshape(kept_.shape)), kept_)[1], loss)"),
    ],
)
def test_slips_that_pytorch_invites(said, part):
    """A layer left out, a loss that sums, memory that is shared, a value written over."""
    found = [source for _, sentence, source in made(expressions, WITH_LAYERS) if sentence.startswith(said)]
    assert any(part in source for source in found), found


KEEPS_BEST = """
def best(model, validate, warmup, epochs):
    lowest, kept = float("inf"), None
    for _ in range(epochs):
        loss = validate(model)
        if loss < lowest:
            lowest, kept = loss, copy.deepcopy(model.state_dict())
    return kept, lowest / epochs, model.weight.square().sum(), epochs + epochs.sqrt()
"""


@pytest.mark.parametrize(
    ("library", "kind", "parts"),
    [
        (habits, "again", ("if kept is not None:\n        kept = copy.deepcopy(model.state_dict())\n    return",)),
        (habits, "extreme", ("float('-inf')", "if loss > lowest")),
        (expressions, "wrong_count", ("lowest / (warmup + epochs)",)),
        (expressions, "function", ("model.weight.square().sum().sqrt()",)),
        (expressions, "function", ("epochs.sqrt() + epochs.sqrt()",)),
    ],
)
def test_slips_in_what_is_kept_and_counted(library, kind, parts):
    """Too late, the wrong extreme, a number counted in, a norm, a function on both sides."""
    found = [source for name, _, source in made(library, KEEPS_BEST) if name == kind]
    assert any(all(part in source for part in parts) for source in found), found


def test_a_batch_that_counts_once_has_a_share_of_hits():
    """The number of right answers becomes their share, as the number of samples becomes 1."""
    source = "def f(loader):\n    right, count = 0, 0\n    for x, y in loader:\n        right += (x == y).sum()\n        count += len(y)\n    return right / count\n"
    found = next(program for kind, _, program in made(habits, source) if kind == "unweighted")
    assert "right += (x == y).double().mean()" in found and "count += 1" in found


def test_alternatives_are_hosts_and_mistakes_are_not():
    """Each alternative stands in its place, with what it needs; no code of a known mistake is among it."""
    (exercise,) = Dojo(ROOT).select("08_debugging/ex01")
    names, modules, _ = zip(*right_solutions.hosts(exercise), strict=True)
    assert names[0] == right_solutions.REFERENCE and "steps_with_a_closure" in names and len(names) <= right_solutions.MOST
    texts = "\n".join(ast.unparse(module) for module in modules)
    assert not any(v.sentence[:40] in texts for v in exercise.variants if v.kind == "mistake")


def almost(host, kind, said, general=""):
    slips = (Slip(kind),)
    made = Almost(f"{host} {said}", host, (), slips, (slips, slips), almost_right.RANKS.get(kind, almost_right.UNRANKED))
    made.__dict__["said"] = Cause(kind, said), Cause(kind, general or said)
    return made


def test_of_slips_that_do_the_same_the_likeliest_is_named():
    """By kind, then by how many right solutions show it; one odd solution proves little; unranked ones must agree."""
    one, two = almost("reference", Kind.AGAIN, "A"), almost("reference", Kind.LEFT_OUT, "B")
    assert text_of(slips._chosen([two, one])) == "A"
    late, early = almost("reference", Kind.ORDER_OF_STEPS, "late"), [almost(host, Kind.ORDER_OF_STEPS, "early") for host in ("reference", "closure")]
    assert text_of(slips._chosen([late, *early])) == "early"
    assert slips._chosen([almost("closure", Kind.TWICE, "C")]) is None
    assert slips._chosen([almost("reference", Kind.WRONG_NAME, "D"), almost("reference", Kind.WRONG_NAME, "E")]) is None


def test_one_wrong_word_among_many_names_no_slip(monkeypatch):
    """A tester of the learner's that misses one fault: hundreds of slips would miss it as well."""
    right = [["values"], [], ["edit"], [], [], [], [], []]
    monkeypatch.setattr(slips.almost_right, "unchanged", lambda exercise: None)
    monkeypatch.setattr(slips, "_outcome", lambda exercise, check, n, slip, oracle: Outcome(right[n]))

    def little(*seen, verdict=len):
        check = Check(lambda solution: None, {}, verdict=verdict)
        return slips._says_little(SimpleNamespace(outcomes=[Outcome(v) for v in seen]), check, None, None)

    assert little(["values"], [], [], [])
    assert not little([], ["none"], [], [])
    assert little([], ["none"], [], *[[]] * 5)
    assert not little(["values"], [], [], [], verdict=None)
    assert not little(["values"], [], [0.5], [])


def test_an_error_about_sizes_is_traced_to_its_slip():
    """Where the sizes meet says little; an axis that is put back at the wrong place says where they come from."""
    (exercise,) = Dojo(ROOT).select("02_broadcasting/ex03")
    oracle = Oracle(0, devices=["cpu"])
    variant = next(v for v in exercise.variants if v.name == "axis_put_back_at_the_end")
    session = Trusted(oracle, lambda: mistakes.overlaid(exercise, variant), "put back")
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    first = next(c for c, v in verdicts.items() if v.difference and v.difference.rung == "runs")
    found = causes.of_verdict(exercise, first, verdicts[first], oracle, verdicts)
    assert found.kind == "put back" and "at the end" in found.sentence


def test_a_long_condition_is_not_quoted():
    """A comparison is; two of them would be a piece of the solution."""
    said = [slip_sentences.cause([Slip(Kind.FORCE_BRANCH, Form.IF_BECAME, "False", case)]).sentence for case in ("n == 0", "n == 0 or not x.requires_grad")]
    assert said == ["The case `n == 0` is not handled separately.", "A special case is not handled separately."]


def test_of_slips_that_are_equally_likely():
    """That an argument has no effect was observed; two others are both said, three are not; an alternative's say nothing."""
    ignored, term = almost("reference", Kind.IGNORE_PARAMETER, "A"), almost("reference", Kind.DROP_TERM, "B")
    number, odd = almost("reference", Kind.CHANGE_NUMBER, "C"), almost("closure", Kind.CHANGE_DIM, "D")
    assert text_of(slips._of_equals([term, ignored])) == "A"
    assert text_of(slips._of_equals([term, number, odd])) == "B Or: C"
    assert slips._of_equals([term, number, almost("reference", Kind.DROP_DIM, "E")]) is None
    assert slips._of_equals([odd]) is None


def named_from_answers(where, name):
    """The slip that is named for a mistake which is taken for unknown."""
    (exercise,) = Dojo(ROOT).select(where)
    oracle = Oracle(0, devices=["cpu"])
    variant = next(v for v in exercise.variants if v.name == name)
    session = Trusted(oracle, lambda: mistakes.overlaid(exercise, variant), name)
    verdicts = {c: session.verdict(exercise, c) for c in exercise.grading.checks}
    first = next(c for c, v in verdicts.items() if v.status == "failed")
    return text_of(slips.cause(exercise, first, verdicts, oracle))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("zeroes_once_before_the_loop", "`zero_grad` runs once, before the loop: run it inside the loop."),
        ("zeroes_only_after_the_step", "`zero_grad` comes too late: it belongs before `backward`."),
        ("zeroes_between_backward_and_step", "`backward` comes too late: it belongs before `step`."),
    ],
)
def test_what_a_mistake_does_that_nobody_knows(name, said):
    """From its answers alone: three ways to clear gradients at the wrong time are told apart."""
    assert named_from_answers("08_debugging/ex01", name) == said


MODEL = """
class Net:
    def __init__(self, layers):
        self.fc1, self.fc2 = layers

    def fit(self, x):
        self.mean.copy_(x.mean(0))

    def forward(self, x):
        for layer in self:
            x = layer(x)
        return self.fc2(torch.relu(self.fc1(x)))

    def size(self):
        return sum(p.numel() for p in self.parameters() if p.requires_grad)
"""
FORMULA = """
def step(w: float, b: float, x, p):
    if p.grad is not None:
        p -= w * p.grad * (x > 0) / (1 - b**x) + 1 - w**x
    return x.sum(dim=1) + x.mean(dim=1)
"""


@pytest.mark.parametrize(
    ("library", "source", "kind", "part"),
    [
        (walks, MODEL, "parameters", "p in [p for m in self.modules() for p in m.parameters(recurse=False)]"),
        (walks, MODEL, "parameters", "for layer in self.children()"),
        (walks, MODEL, "round", "for layer in list(self)[:-1]"),
        (walks, MODEL, "round", "x_at_first = x\n        for layer in self:\n            x = layer(x_at_first)"),
        (objects, MODEL, "made anew", "made.reset_parameters()"),
        (objects, MODEL, "another method", "if self.training:\n            self.fit(x)"),
        (objects, FORMULA, "copied", "p.reshape(-1).sub_("),
        (formulas, MODEL, "nested", "self.fc2(self.fc1(torch.relu(x)))"),
        (formulas, MODEL, "nested", "torch.relu(self.fc2(self.fc1(x)))"),
        (formulas, MODEL, "opposite", "if not p.requires_grad"),
        (formulas, FORMULA, "slope", "p.grad * x /"),
        (formulas, FORMULA, "gradient", "p.grad.sign()"),
        (formulas, FORMULA, "gradient", "p.grad is not None and p.requires_grad"),
        (formulas, FORMULA, "exchanged", "p -= b * p.grad * (x > 0) / (1 - w ** x) + 1 - b ** x"),
        (formulas, FORMULA, "power", "(1 - b) + 1 - w"),
        (formulas, FORMULA, "other dim", "x.sum(dim=0) + x.mean(dim=0)"),
        (formulas, FORMULA, "axes", "x.sum(dim=tuple(range(1, x.dim())))"),
        (formulas, FORMULA, "small number", "/ (1 - b ** x + 1e-08)"),
    ],
)
def test_near_misses(library, source, kind, part):
    """What each of them makes of a right solution; the tree is the old one afterwards."""
    tree = ast.parse(source)
    before = ast.dump(tree)
    texts = [text for found, _, text in made(library, source) if found == kind]
    assert sum(1 for _ in library.habits(tree.body)) >= len(texts) and ast.dump(tree) == before
    assert any(part in text for text in texts), texts


def test_a_name_that_is_bound_anew_writes_nothing():
    """copy_ into a name, and into .data."""
    found = made(objects, "def restore(value, saved):\n    value.data.copy_(saved)\n")
    assert [(kind, text.splitlines()[-1].strip()) for kind, _, text in found][:2] == [("memory", "value.data = saved"), ("rebound", "value = saved")]


def test_an_alternative_for_several_names_is_a_host():
    """Its inner functions stand under the names that they replace."""
    (exercise,) = Dojo(ROOT).select("06_modules/ex07")
    found = {name: definitions for name, _, definitions in right_solutions.hosts(exercise)}
    assert [d.name for d in found["by_hand"]] == ["snapshot", "restore_"]


def test_of_mutants_that_do_the_same_the_most_telling_is_named():
    """An argument without effect says more than a case that is not treated."""

    def mutant(kind, said, general):
        return almost("reference", kind, said, general)

    found = [mutant(Kind.FORCE_BRANCH, "A special case is not handled separately", "A special case is not handled separately"), mutant(Kind.IGNORE_PARAMETER, "flag has no effect", "An argument")]
    assert slips._chosen(found) is None and text_of(slips.most_telling(found)) == "flag has no effect"
    several = [mutant(Kind.CHANGE_DIM, "along 0", "along another axis"), mutant(Kind.CHANGE_DIM, "along -1", "along another axis"), found[0]]
    assert text_of(slips.most_telling(several)) == "along another axis" and slips.most_telling([]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "name", "said"),
    [
        ("06_modules/ex02", "ReLUOnTheInput", "`relu` is applied before `fc1` instead of after it."),
        ("06_modules/ex06", "counts_weights_only", "You visit only parameters named weight: a bias is a parameter, too."),
        ("06_modules/bonus1", "StopsTooEarly", "A loop stops before its last item."),
        ("05_optimizers/ex01", "swaps_slope_and_intercept", "w and b are swapped."),
    ],
)
def test_near_misses_are_named_from_the_answers_alone(where, name, said):
    """Of mistakes that are taken for unknown."""
    assert named_from_answers(where, name) == said


TWO_FAULTS = """
import torch

def line_gradients(w, b, X, y):
    residual = w * X + b - y
    return (2 * residual * X).sum(), (2 * residual).mean()
"""


@pytest.mark.slow
def test_one_of_several_faults_is_named_where_it_is_alone(monkeypatch):
    """Other checks fail for other reasons: a slip that explains all answers of this one, of which several are wrong, may be named."""
    (exercise,) = Dojo(ROOT).select("05_optimizers/ex02_line_gradients")

    def make():
        module = ModuleType(exercise.stem)
        exec(TWO_FAULTS, module.__dict__)
        return module

    session = Trusted(Oracle(0), make, "two faults")
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    first, *others = [c for c, v in verdicts.items() if v.status == "failed"]

    assert len(others) >= 2
    assert text_of(slips.cause(exercise, first, verdicts, session.oracle)) == "You used `sum` where `mean` belongs."
    monkeypatch.setattr(slips, "LEAST_WRONG", 1000)
    assert slips.cause(exercise, first, verdicts, session.oracle) is None


LAZY = {
    "gradient from above": (
        "04_functions/ex02_exp",
        "class Exp(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x.exp()\n"
        "    @staticmethod\n    def backward(ctx, grad):\n        return grad\n",
        {
            "gradient_is_the_slope_times_grad": "You return the upstream gradient unchanged: multiply it by the local derivative",
            "grad_is_only_read": "You return the upstream gradient unchanged: multiply it by the local derivative",
        },
    ),
    "part of it cut off": (
        "02_broadcasting/ex03_center",
        "def center(x, dim=-1):\n    return x - x.mean(dim, keepdim=True).detach()\n",
        {"gradient_flows_through_the_mean_too": "The upstream gradient passes through unchanged: the other operations on the input are missing"},
    ),
    "nothing done": (
        "05_optimizers/bonus1_clip_grad_norm",
        "def clip_grad_norm_(params, max_norm):\n    return 1.0\n",
        {"all_gradients_share_one_scale": "In each answer, all values are off by the same factor, which differs from answer to answer"},
    ),
    "one number": ("03_autograd/ex01_derivative", "def derivative(f, *at):\n    return 1.0\n", {"finds_the_slope_at_x": "Your code behaves as if "}),
    "one gradient": (
        "04_functions/ex04_mul",
        "class Mul(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a, b):\n        return a * b\n"
        "    @staticmethod\n    def backward(ctx, grad):\n        return grad\n",
        {"equal_shapes_get_their_gradients": "backward returns one value for each argument of forward"},
    ),
    "no tensor": ("03_autograd/ex10_no_graph", "def predict(model, x):\n    return None\n", {"records_nothing": "Something is None here: a function without return"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LAZY)
def test_an_answer_of_somebody_who_has_hardly_begun(name):
    """What was observed is said, and no slip is supposed in code that is not there."""
    path, source, wanted = LAZY[name]
    (exercise,) = Dojo(ROOT).select(path)

    def make():
        module = mistakes.overlaid(exercise, exercise.variants[0])
        exec("import torch\n" + source, module.__dict__)
        return module

    session = Trusted(Oracle(0), make, "hardly begun")
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    for check, verdict in verdicts.items():
        if check.name in wanted:
            said = causes.of_verdict(exercise, check, verdict, session.oracle, verdicts)
            assert (text_of(said) or "").startswith(wanted[check.name]), (check.name, said)
    assert set(wanted) <= {check.name for check, verdict in verdicts.items() if verdict.status == "failed"}


def test_nobody_hears_of_a_loop_where_the_reference_has_none():
    """An alternative may walk over the strides; a learner who asks for one stride walks nowhere."""
    (exercise,) = Dojo(ROOT).select("01_tensors/ex01_tensor_card")
    said = {cause.sentence for tier in almost_right.TIERS for made in almost_right.programs(exercise, tier) for cause in made.said}
    assert said and not [sentence for sentence in said if "loop" in sentence]


def test_a_bound_that_is_off_or_left_out():
    """One too small or too large, or none."""
    said = [slip_sentences.cause([Slip(Kind.OFF_BY_ONE, form, belongs="len(x)")]).sentence for form in (Form.BOUND_SMALLER, Form.BOUND_LARGER, Form.BOUND_DROPPED)]
    assert said == ["Your code behaves as if a bound were too small by one.", "Your code behaves as if a bound were too large by one.", "Your code behaves as if a bound were missing: everything is taken instead of a part."]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "body", "said"),
    [
        ("03_autograd/ex09_stop_gradient", "def straight_through_round(x):\n    return x + (x.trunc() - x).detach()\n", "Your code always rounds toward 0"),
        ("03_autograd/ex09_stop_gradient", "def td_loss(v, n, r, gamma):\n    return (v - (r + (1 - gamma) * n).detach()).square().mean()\n", "Your answer is the one for 1 - gamma"),
        ("04_functions/ex02_exp", "class Exp(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        y = x.exp()\n        ctx.save_for_backward(y)\n        return y\n\n"
         "    @staticmethod\n    def backward(ctx, g):\n        return g / ctx.saved_tensors[0]\n", "You used `/` where `*` belongs."),
        ("02_broadcasting/ex05_pairwise_sqdist", "def pairwise_sqdist(a, b):\n    return (a[:, None] + b[None]).square().sum(-1)\n", "You used `+` where `-` belongs."),
        ("06_modules/ex06_count_parameters", "def count_parameters(module, trainable_only=False):\n    return sum(p.numel() for m in module.children() for p in m.parameters() if p.requires_grad or not trainable_only)\n",
         "You visit only the children's parameters"),
    ],
)  # fmt: skip
def test_what_is_told_of_other_ways_to_write_it(where, body, said):
    """The first failed check of code that is nobody's known mistake."""
    (exercise,) = Dojo(ROOT).select(where)

    def make():
        module = ModuleType(exercise.stem)
        exec(exercise.reference.read_text(encoding="utf-8") + "\n\n" + body, module.__dict__)
        return module

    session = Trusted(Oracle(0), make, f"{where} {said}")
    verdicts = {check: session.verdict(exercise, check) for check in exercise.grading.checks}
    failed = [c for c, v in verdicts.items() if v.status == "failed"]

    assert text_of(causes.of_verdict(exercise, failed[0], verdicts[failed[0]], session.oracle, verdicts)).startswith(said)


def test_a_median_along_an_axis_is_taken_out_of_its_pair():
    """Not run here: PyTorch 2.13 reads memory that is not the tensor's where the median of an expanded one is asked for."""
    found = made(expressions, "def f(x):\n    return x - x.mean(dim=0)\n")
    assert program(found, "You used `median` where `mean` belongs.").endswith("return x - x.median(dim=0).values")
