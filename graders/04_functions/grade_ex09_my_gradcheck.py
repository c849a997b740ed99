"""Hidden checks for my_gradcheck: silent on right Functions, outspoken on broken ones."""

import torch

from torchdojo.grading import check, raises, watched

CONCEPTS = ("G16", "G30")


# ------------------------------------------------------------------ Functions to be tested, made where the check runs
def made(forward, backward):
    """An autograd Function of two plain functions."""
    parts = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Function", (torch.autograd.Function,), parts)


def saving(compute):
    """A forward that saves its tensors and computes."""

    def forward(ctx, *inputs):
        ctx.save_for_backward(*(t for t in inputs if isinstance(t, torch.Tensor)))
        return compute(*inputs)

    return forward


def keeping(compute):
    """A forward that keeps its inputs as attributes of ctx."""

    def forward(ctx, *inputs):
        ctx.inputs = inputs
        return compute(*inputs)

    return forward


def saved(ctx):
    return ctx.saved_tensors[0]


def numbers(rng, *shape):
    """Numbers between -1.5 and 1.5, ready to learn."""
    return (torch.rand(shape, generator=rng, dtype=torch.float64, device="cpu") * 3 - 1.5).requires_grad_()


def frozen(rng, *shape):
    return numbers(rng, *shape).detach()


def square(x):
    return x * x


def times(x, y):
    return x * y


def scaled(x, n):
    return x * n


def products(ctx, g):
    x, y = ctx.saved_tensors
    return (g * y).sum_to_size(x.shape), (g * x).sum_to_size(y.shape)


def squared_slope(ctx, g):
    return 2 * saved(ctx) * g


def wrong_last(ctx, g):
    slope = squared_slope(ctx, g).clone()
    slope.view(-1)[-1] += 0.006
    return slope


def nan_at_last(ctx, g):
    slope = squared_slope(ctx, g).clone()
    slope[-1] = torch.nan
    return slope


def wrong_for_y(ctx, g):
    return products(ctx, g)[0], products(ctx, g)[1] * 1.1


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return g * saved(ctx).cos()


def sum_all(ctx, x, axes, keepdim, nothing):
    ctx.shape = x.shape
    return x.sum(axes, keepdim=keepdim)


def rows_back(ctx, g):
    table, idx = ctx.saved_tensors
    return torch.zeros_like(table).index_put((idx,), g, accumulate=True), None


def own_copy(ctx, x):
    ctx.copy = x.clone()
    return x.exp()


def own_copies(ctx, x, y):
    ctx.copies = x.clone(), y.clone()
    return x * y


def writes_afterwards(ctx, g):
    x, y = ctx.copies
    answer = g * y, g * x
    g.mul_(2)
    return answer


def only_y_unsaved(ctx, x, y):
    ctx.save_for_backward(x)
    ctx.y = y
    return x * y


def only_x_unsaved(ctx, x, y):
    ctx.save_for_backward(y)
    ctx.x = x
    return x * y


def adds_one_first(ctx, x):
    y = x.add_(1).exp()
    ctx.save_for_backward(y)
    return y


def edits_what_it_saved(ctx, g):
    answer = squared_slope(ctx, g)
    saved(ctx).detach().add_(1)
    return answer


def writes_into_y(ctx, x, y):
    ctx.save_for_backward(y.clone())
    y.mul_(2)
    return x * y / 2


def only_contiguous(ctx, g):
    if not g.is_contiguous():
        raise ValueError("grad must be contiguous")
    return squared_slope(ctx, g)


def memory_order(ctx, g):
    in_memory = g.as_strided(saved(ctx).shape, saved(ctx).contiguous().stride())
    return 2 * saved(ctx) * in_memory


def matrix(rng):
    return (numbers(rng, 4, 5),)


def two(rng):
    return numbers(rng, 3, 1), numbers(rng, 4)


RIGHT = {
    "the square of a matrix": lambda r: (made(saving(square), squared_slope), (numbers(r, 2, 3),)),
    "the square of one number": lambda r: (made(saving(square), squared_slope), (numbers(r),)),
    "the square of an empty matrix": lambda r: (made(saving(square), squared_slope), (numbers(r, 0, 3),)),
    "the square of a transposed matrix": lambda r: (
        made(saving(square), squared_slope),
        (frozen(r, 3, 2).T.requires_grad_(),),
    ),
    "the square of a slice": lambda r: (
        made(saving(square), squared_slope),
        (frozen(r, 3, 6)[:, ::2].requires_grad_(),),
    ),
    "a product with broadcasting": lambda r: (made(saving(times), products), two(r)),
    "a product with a frozen tensor": lambda r: (made(saving(times), products), (numbers(r, 2, 3), frozen(r, 3))),
    "a product that returns None for a frozen tensor": lambda r: (
        made(saving(times), lambda c, g: (products(c, g)[0], None)),
        (numbers(r, 2, 3), frozen(r, 3)),
    ),
    "a sine with setup_context": lambda r: (Sine, (numbers(r, 2, 3),)),
    "a multiple by a plain number": lambda r: (
        made(keeping(scaled), lambda c, g: (g * c.inputs[1], None)),
        (numbers(r, 2, 3), 3),
    ),
    "a multiple by True": lambda r: (
        made(keeping(scaled), lambda c, g: (g * c.inputs[1], None)),
        (numbers(r, 3), True),
    ),
    "a sum over a tuple of axes": lambda r: (
        made(sum_all, lambda c, g: (g.expand(c.shape), None, None, None)),
        (numbers(r, 2, 3), (0, 1), True, None),
    ),
    "a lookup of rows by an int64 tensor": lambda r: (
        made(saving(lambda t, i: t[i]), rows_back),
        (numbers(r, 4, 2), torch.tensor([3, 0, 3], device="cpu")),
    ),
    "an exponential that keeps a copy of its own": lambda r: (
        made(own_copy, lambda c, g: g * c.copy.exp()),
        (numbers(r, 2, 3),),
    ),
    "a copy of x, whose backward returns grad itself": lambda r: (
        made(lambda c, x: x.clone(), lambda c, g: g),
        (numbers(r, 2, 3),),
    ),
    "a transposed copy": lambda r: (made(lambda c, x: x.mT.clone(), lambda c, g: g.mT), (numbers(r, 2, 3),)),
    "a result of three axes": lambda r: (made(saving(square), squared_slope), (numbers(r, 2, 1, 3),)),
}
# What needs no thought of its own: one tensor or two, of ordinary shapes.
PLAIN = [
    "the square of a matrix",
    "a product with broadcasting",
    "a sine with setup_context",
    "a copy of x, whose backward returns grad itself",
    "a transposed copy",
]
KINKED = {
    "a ReLU at 0 and next to it": lambda r: (
        made(saving(lambda x: x.clamp(min=0)), lambda c, g: g * (saved(c) > 0)),
        (torch.tensor([0.0, 3e-7, -2.0, 1.0], dtype=torch.float64, device="cpu").requires_grad_(),),
    ),
    "an absolute value that has the derivative 1 at 0": lambda r: (
        made(saving(torch.abs), lambda c, g: torch.where(saved(c) < 0, -g, g)),
        (torch.tensor([[0.0, -0.75], [1.25, 0.5]], dtype=torch.float64, device="cpu").requires_grad_(),),
    ),
    "a cube at 0": lambda r: (
        made(saving(lambda x: x**3), lambda c, g: 3 * saved(c) ** 2 * g),
        (torch.zeros(1, dtype=torch.float64, device="cpu").requires_grad_(),),
    ),
    "a constant, with the gradient 0": lambda r: (
        made(saving(lambda x: x * 0 + 1), lambda c, g: g * 0),
        (numbers(r, 2, 3),),
    ),
    "a ReLU that is wrong away from its kink": lambda r: (
        made(saving(lambda x: x.clamp(min=0)), lambda c, g: g * (saved(c) >= -1)),
        (torch.tensor([0.0, -2.0, -0.5, 1.0], dtype=torch.float64, device="cpu").requires_grad_(),),
    ),
}
WRONG = {
    "a square whose backward ignores grad": lambda r: (made(saving(square), lambda c, g: 2 * saved(c)), matrix(r)),
    "a square whose backward drops the sign of grad": lambda r: (
        made(saving(square), lambda c, g: 2 * saved(c) * g.abs()),
        (numbers(r, 6, 6),),
    ),
    "a multiple whose backward turns grad around": lambda r: (
        made(saving(lambda x: 3 * x), lambda c, g: 3 * g.flip(0)),
        (numbers(r, 7),),
    ),
    "a square with one wrong element, the last": lambda r: (made(saving(square), wrong_last), matrix(r)),
    "a product that is ten percent off for its second input": lambda r: (made(saving(times), wrong_for_y), two(r)),
    "a product that is ten percent off for both of its inputs": lambda r: (
        made(saving(times), lambda c, g: tuple(1.1 * entry for entry in products(c, g))),
        two(r),
    ),
    "a square with one gradient that is nan": lambda r: (made(saving(square), nan_at_last), (numbers(r, 5),)),
    "a derivative of 0.005 that is returned as 0": lambda r: (
        made(saving(lambda x: 0.005 * x), lambda c, g: g * 0),
        matrix(r),
    ),
    "a square of one number with the wrong sign": lambda r: (
        made(saving(square), lambda c, g: -2 * saved(c) * g),
        (torch.full((), 1.25, dtype=torch.float64, device="cpu").requires_grad_(),),
    ),
}
ENTRIES = {
    "one entry for two arguments": lambda r: (
        made(keeping(scaled), lambda c, g: g * c.inputs[1]),
        (numbers(r, 2, 3), 3),
    ),
    "three entries for two arguments": lambda r: (
        made(keeping(scaled), lambda c, g: (g * c.inputs[1], None, None)),
        (numbers(r, 2, 3), 3),
    ),
    "too few entries, and a write into grad": lambda r: (made(saving(times), lambda c, g: g.mul_(2)), two(r)),
    "None for an input that learns": lambda r: (made(saving(times), lambda c, g: (products(c, g)[0], None)), two(r)),
    "None, bare": lambda r: (made(saving(square), lambda c, g: None), (numbers(r, 2, 3),)),
    "an entry for a plain number": lambda r: (
        made(keeping(scaled), lambda c, g: (g * c.inputs[1], g.sum())),
        (numbers(r, 2, 3), 3),
    ),
    "raw products after broadcasting": lambda r: (
        made(saving(times), lambda c, g: (g * c.saved_tensors[1], g * c.saved_tensors[0])),
        two(r),
    ),
    "an extra axis of size 1": lambda r: (
        made(saving(square), lambda c, g: squared_slope(c, g).unsqueeze(0)),
        (numbers(r, 2, 3),),
    ),
    "a flat gradient for a matrix": lambda r: (
        made(saving(square), lambda c, g: squared_slope(c, g).reshape(-1)),
        (numbers(r, 2, 3),),
    ),
}
MANNERS = {
    "a write into grad": lambda r: (made(saving(square), lambda c, g: g.mul_(2 * saved(c))), (numbers(r, 2, 3),)),
    "a write into grad after both inputs were copied": lambda r: (
        made(own_copies, writes_afterwards),
        (numbers(r, 2, 3), numbers(r, 2, 3)),
    ),
    "a view of grad, which raises RuntimeError": lambda r: (
        made(saving(square), lambda c, g: (g.view(-1) * 2 * saved(c).reshape(-1)).view(saved(c).shape)),
        (numbers(r, 2, 3),),
    ),
    "a ValueError for a grad that is not contiguous": lambda r: (
        made(saving(square), only_contiguous),
        (numbers(r, 2, 3),),
    ),
    "grad read in the order of memory": lambda r: (made(saving(square), memory_order), (numbers(r, 2, 3),)),
    "grad of three axes read in the order of memory": lambda r: (made(saving(square), memory_order), (numbers(r, 2, 2, 3),)),
    "None for a grad that is not contiguous": lambda r: (
        made(saving(square), lambda c, g: squared_slope(c, g) if g.is_contiguous() else None),
        (numbers(r, 2, 3),),
    ),
    "an input kept on ctx": lambda r: (
        made(keeping(torch.exp), lambda c, g: g * c.inputs[0].exp()),
        (numbers(r, 2, 3),),
    ),
    "both of two inputs kept on ctx": lambda r: (
        made(keeping(times), lambda c, g: (g * c.inputs[1], g * c.inputs[0])),
        (numbers(r, 2, 3), numbers(r, 2, 3)),
    ),
    "the second of two inputs kept on ctx, the other saved": lambda r: (
        made(only_y_unsaved, lambda c, g: (g * c.y, g * saved(c))),
        (numbers(r, 2, 3), numbers(r, 2, 3)),
    ),
    "the first of two inputs kept on ctx, the other saved": lambda r: (
        made(only_x_unsaved, lambda c, g: (g * saved(c), g * c.x)),
        (numbers(r, 2, 3), numbers(r, 2, 3)),
    ),
    "a forward that writes into x": lambda r: (made(adds_one_first, lambda c, g: g * saved(c)), (numbers(r, 2, 3),)),
    "a backward that writes into the saved x": lambda r: (
        made(saving(square), edits_what_it_saved),
        (numbers(r, 2, 3),),
    ),
    "a forward that writes into a frozen input": lambda r: (
        made(writes_into_y, lambda c, g: (g * saved(c), None)),
        (numbers(r, 2, 3), frozen(r, 2, 3)),
    ),
}
SEVERAL = {
    "a raw shape for x and wrong numbers for y": lambda r: (
        made(saving(times), lambda c, g: (g * c.saved_tensors[1], products(c, g)[1] * 7)),
        two(r),
    ),
    "None for x and wrong numbers for y": lambda r: (
        made(saving(times), lambda c, g: (None, products(c, g)[1] * 7)),
        two(r),
    ),
    "wrong numbers, written into grad": lambda r: (made(saving(square), lambda c, g: g.mul_(saved(c))), matrix(r)),
    "wrong numbers, and x kept on ctx": lambda r: (made(keeping(torch.exp), lambda c, g: g * c.inputs[0]), matrix(r)),
    "a raw shape, and a view of grad": lambda r: (
        made(saving(times), lambda c, g: (g.view(-1).view(g.shape) * c.saved_tensors[1], products(c, g)[1])),
        two(r),
    ),
    "x kept on ctx, and a write into grad": lambda r: (
        made(keeping(torch.exp), lambda c, g: g.mul_(c.inputs[0].exp())),
        (numbers(r, 2, 3),),
    ),
}

# What is right to report, in the order of the tables above. Only the judges read this.
ANSWERS = {
    **dict.fromkeys([*RIGHT, *KINKED], ""),
    "a ReLU that is wrong away from its kink": "values",
    **dict.fromkeys(WRONG, "values"),
    **dict(zip(ENTRIES, ["count"] * 3 + ["none"] * 3 + ["shape"] * 3, strict=True)),
    **dict(zip(MANNERS, ["upstream"] * 2 + ["layout"] * 5 + ["edit"] * 4 + ["input"] * 3, strict=True)),
    "a raw shape for x and wrong numbers for y": "shape values",
    "None for x and wrong numbers for y": "none values",
    "wrong numbers, written into grad": "values upstream",
    "wrong numbers, and x kept on ctx": "values edit",
    "a raw shape, and a view of grad": "shape layout",
    "x kept on ctx, and a write into grad": "upstream edit",
}


def verdict(seen, kind):
    want = ANSWERS[kind].split()
    return None if seen == want else f"tested: {kind}. Reported {seen!r}, wanted {want!r}"


# ------------------------------------------------------------------ checks
def placed(pair, device):
    """A Function and its inputs, these on the device under test."""
    function, inputs = pair
    elsewhere = torch.device(device).type != "cpu"
    return function, tuple(
        t.detach().to(device).requires_grad_(t.requires_grad) if elsewhere and isinstance(t, torch.Tensor) else t for t in inputs
    )


def beside_a_wrong_one(solution, pair, rng, device):
    """What is reported of a Function, and of one whose wrong gradient must be seen: silence alone earns nothing."""
    broken = made(saving(square), lambda ctx, grad: 2 * saved(ctx))
    seen = solution.my_gradcheck(*placed(pair, device))
    return {"reported": seen, "reported of a wrong one": solution.my_gradcheck(*placed((broken, matrix(rng)), device))}


def triple(rng):
    """The simplest of right Functions: a tester that always complains complains about it."""
    return made(saving(lambda x: 3 * x), lambda ctx, grad: 3 * grad), matrix(rng)


def silent(seen, kind):
    if seen["reported of a wrong one"] != ["values"]:
        return f"a square whose backward ignores grad: reported {seen['reported of a wrong one']!r}, wanted ['values']"
    return verdict(seen["reported"], kind)


@check(points=3, kind=PLAIN)
def right_functions_have_no_problems(solution, kind, rng, device):
    """Nothing is reported for correct Functions."""
    return beside_a_wrong_one(solution, RIGHT[kind](rng), rng, device)


right_functions_have_no_problems.judge(silent)


@check(points=1, star=True, kind=[kind for kind in RIGHT if kind not in PLAIN])
def any_arguments_are_passed_on(solution, kind, rng, device):
    """Arguments may be empty, sliced, frozen, or not tensors at all."""
    return beside_a_wrong_one(solution, RIGHT[kind](rng), rng, device)


any_arguments_are_passed_on.judge(silent)


@check(points=3, kind=list(WRONG))
def wrong_values_are_noticed(solution, kind, rng, device):
    """Wrong gradients are found, anywhere and however small."""
    seen = solution.my_gradcheck(*placed(WRONG[kind](rng), device))
    return {"reported": seen, "reported of a right one": solution.my_gradcheck(*placed(triple(rng), device))}


@wrong_values_are_noticed.judge
def _(seen, kind):
    if seen["reported of a right one"] != []:
        return f"3 * x with the gradient 3 * grad: reported {seen['reported of a right one']!r}, wanted []"
    return verdict(seen["reported"], kind)


@check(points=2, kind=list(ENTRIES))
def wrong_entries_are_noticed(solution, kind, rng, device):
    """Missing entries, extra entries and wrong shapes are found."""
    return solution.my_gradcheck(*placed(ENTRIES[kind](rng), device))


wrong_entries_are_noticed.judge(verdict)


@check(points=2, star=True, kind=list(MANNERS))
def bad_manners_are_noticed(solution, kind, rng, device):
    """In-place writes, layout problems and unsaved inputs are found."""
    return solution.my_gradcheck(*placed(MANNERS[kind](rng), device))


bad_manners_are_noticed.judge(verdict)


@check(points=1, star=True, kind=list(KINKED))
def kinks_and_flat_places_are_no_problem(solution, kind, rng, device):
    """Kinks are skipped, and a derivative of 0 is no problem."""
    return beside_a_wrong_one(solution, KINKED[kind](rng), rng, device)


kinks_and_flat_places_are_no_problem.judge(silent)


@check(points=1, star=True, kind=list(SEVERAL))
def several_problems_are_listed_in_order(solution, kind, rng, device):
    """Several problems at once are all reported, in order."""
    return solution.my_gradcheck(*placed(SEVERAL[kind](rng), device))


several_problems_are_listed_in_order.judge(verdict)


def raising(error):
    def raise_it(*args):
        raise error

    return raise_it


@check(points=1, star=True)
def inputs_and_exceptions_are_left_alone(solution, rng):
    """The caller's inputs do not change; exceptions reach the caller."""
    seen = {}
    for name, learns in (("the first", (0,)), ("both", (0, 1))):
        inputs = (numbers(rng, 2, 3), numbers(rng, 3) if 1 in learns else frozen(rng, 3))
        before = [t.detach().clone() for t in inputs]
        solution.my_gradcheck(made(saving(times), products), inputs)
        alike = [torch.equal(a, b) for a, b in zip(inputs, before, strict=True)]
        seen[f"numbers unchanged where {name} learns"] = all(alike)
        seen[f"requires_grad where {name} learns"] = [t.requires_grad for t in inputs]
        seen[f"a .grad appeared where {name} learns"] = [t.grad is not None for t in inputs]
    x = (numbers(rng, 2, 3),)
    in_forward = made(raising(KeyError("forward")), squared_slope)
    in_backward = made(saving(square), raising(RuntimeError("backward")))
    seen["error in forward"] = raises(lambda: solution.my_gradcheck(in_forward, x))
    seen["error in backward"] = raises(lambda: solution.my_gradcheck(in_backward, x))
    one_slope = made(saving(torch.abs), lambda ctx, grad: grad * 1)
    for name, sign in (("positive", 1), ("negative", -1)):
        x = (torch.tensor([0.5, 1.25], dtype=torch.float64, device="cpu") * sign).requires_grad_()
        seen[f"answer for abs with the derivative 1 at 0, {name} numbers"] = solution.my_gradcheck(one_slope, (x,))
    return seen


@inputs_and_exceptions_are_left_alone.judge
def _(seen):
    for name, got in seen.items():
        want = True
        if name.startswith("requires_grad"):
            want = [True, "both" in name]
        if name.startswith("a .grad"):
            want = [False, False]
        if name.startswith("error"):
            want = "KeyError" if "forward" in name else "RuntimeError"
        if name.startswith("answer"):
            want = ["values"] if "negative" in name else []
        if got != want:
            return f"{name}: got {got!r}, wanted {want!r}"
    return None


@check(points=1, kind=["the square", "the triple"])
def tester_is_your_own(solution, kind, rng):
    """The tester is your own, not PyTorch's."""
    patterns = ("torch.autograd.gradcheck.*", "torch.autograd.functional.*", "torch._functorch.[ae]*")
    compute = square if kind == "the square" else lambda x: 3 * x
    broken = made(saving(compute), lambda ctx, grad: 2 * saved(ctx))
    found = watched(lambda: solution.my_gradcheck(broken, matrix(rng)), *patterns)
    return [found.answer, solution.my_gradcheck(*triple(rng))], found.called


@tester_is_your_own.rule
def _(used):
    return f"you used {used[0]}; it does not see what backward returned" if used else None


class oracle:
    """What is right for the two Functions of the check of the rule; the other checks have judges."""

    def my_gradcheck(function, inputs):
        x = inputs[0].detach().requires_grad_()
        y = function.apply(x)
        (found,) = torch.autograd.grad(y, x, torch.full_like(y, 2.0))
        return [] if bool((found == 6).all()) else ["values"]
