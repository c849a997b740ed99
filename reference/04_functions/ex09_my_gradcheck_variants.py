"""Known mistakes and odd-but-correct solutions for my_gradcheck."""

import math

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Start with what one call of backward tells you: how many entries, which are None, which shapes, and"
    " whether the upstream gradient is still what it was. Difference quotients come last.",
    "Fix one random upstream tensor. The number sum(upstream * result) depends on every input element;"
    " nudge one element at a time to both sides and see how fast it changes. Two one-sided quotients that"
    " disagree mean a kink.",
    "Write a helper that copies the inputs to fresh leaves, and use it before every call of"
    " function.apply. Write another one that compares two answers of backward. Then layout is: run again"
    " with the upstream in another memory order, inside try; and edit is: run again with one copy edited"
    " under no_grad between apply and backward.",
)

EQUIVALENT = {
    "change_number: generator = torch.Generator().manual_seed(1)": "any random numbers will do",
    "add_detach: upstream = torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device).detach()": "upstream has no history",
    "add_detach: given = upstream.clone().detach()": "upstream has no history",
    "drop_keyword: for place, (argument, entry) in enumerate(zip(inputs, entries)):": "another count returned before",
    "drop_copy: elif not values_agree(function, inputs, place, upstream, entry):": "only its numbers are read",
    "swap_view: args[place].reshape(-1)[index] += change": "the copies are contiguous, so that reshape is a view",
    "swap_operands: if abs((here - below) - (above - here)) / step > 1e-3:": "the absolute value is the same",
    "return_input: return function (2)": "a class counts as true",
    "flip_minus: args[place].mul_(0.5).sub_(1.25)": "every number given is changed by this edit as well",
    "drop_keyword: for a, b in zip(left, right)": "the lengths were compared before",
}

ORDER = ("none", "shape", "values", "upstream", "layout", "input", "edit")


def fresh(inputs):
    """Copies of the inputs, as leaves."""
    return [
        a.detach().clone(memory_format=torch.contiguous_format).requires_grad_(a.requires_grad)
        if isinstance(a, torch.Tensor)
        else a
        for a in inputs
    ]


def listed(entries):
    """What backward returned, as a list."""
    return list(entries) if isinstance(entries, tuple) else [entries]


def same(left, right):
    """Whether two answers hold the same numbers."""
    if len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        if (a is None) != (b is None):
            return False
        if a is not None and (a.shape != b.shape or not torch.allclose(a, b)):
            return False
    return True


class Found(list):
    """The problems found, as often as they were."""

    add = list.append


def random_upstream(out):
    """Normally distributed numbers in the shape of out."""
    generator = torch.Generator().manual_seed(3)
    return torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)


def quotients(function, inputs, place, upstream, step=1e-6):
    """The difference quotients to the left and to the right for every element of one input."""

    def total(index, change):
        args = fresh(inputs)
        with torch.no_grad():
            args[place].view(-1)[index] += change
            return float((function.apply(*args) * upstream).sum())

    for index in range(inputs[place].numel()):
        below, here, above = total(index, -step), total(index, 0.0), total(index, step)
        yield (here - below) / step, (above - here) / step


def tester(
    function,
    inputs,
    make_upstream=random_upstream,
    limit=lambda want: 1e-5 + 1e-4 * abs(want),
    elements=slice(None),
    skip_kinks=True,
    grads=None,
    edit_all=False,
    copy_upstream=True,
    tests=ORDER,
    laid=lambda upstream: upstream.mT.contiguous().mT,
    alike=same,
    once=True,
    nan_is_right=False,
):
    """A tester like the reference, with a switch for each way to weaken it."""
    args = fresh(inputs)
    out = function.apply(*args)
    upstream = make_upstream(out)
    given = upstream.clone() if copy_upstream else upstream
    entries = listed(out.grad_fn.apply(given))
    if len(entries) != len(inputs):
        return ["count"]
    found = Found()
    if not torch.equal(given, upstream):
        found.add("upstream")
    places = [i for i, a in enumerate(inputs) if isinstance(a, torch.Tensor) and a.requires_grad]
    for before, after in zip(inputs, args, strict=True):
        if isinstance(before, torch.Tensor) and not torch.equal(before, after):
            found.add("input")
    if any(e is not None for a, e in zip(inputs, entries, strict=True) if not isinstance(a, torch.Tensor)):
        found.add("none")
    judged = entries if grads is None else grads(function, inputs, upstream)
    for place in places:
        entry = judged[place]
        if entry is None:
            found.add("none")
            continue
        if entry.shape != inputs[place].shape:
            found.add("shape")
            continue
        both = quotients(function, inputs, place, upstream)
        for got, (left, right) in list(zip(entry.detach().reshape(-1).tolist(), both, strict=True))[elements]:
            want = (left + right) / 2
            if skip_kinks and abs(right - left) > 1e-3:
                continue
            if not abs(got - want) <= limit(want) and not (nan_is_right and math.isnan(got)):
                found.add("values")
                break
    if out.dim() >= 2:
        try:
            again = listed(function.apply(*fresh(inputs)).grad_fn.apply(laid(upstream)))
            if not alike(again, entries):
                found.add("layout")
        except Exception:
            found.add("layout")
    for group in [places] if edit_all else [[place] for place in places]:
        args = fresh(inputs)
        out = function.apply(*args)
        with torch.no_grad():
            for place in group:
                args[place].add_(1.5).mul_(-0.75)
        try:
            if not alike(listed(out.grad_fn.apply(upstream.clone())), entries):
                found.add("edit")
        except RuntimeError:
            pass
    return [name for name in ORDER if name in tests for _ in range(min(1, found.count(name)) if once else found.count(name))]


@mistake("my_gradcheck")
def ones_as_upstream(function, inputs):
    """Your tester finds no fault in a backward that ignores grad: its upstream gradient is all ones. Use
    random numbers.
    """
    return tester(function, inputs, make_upstream=torch.ones_like)


@mistake("my_gradcheck")
def positive_upstream(function, inputs):
    """Your tester finds no fault in a backward that uses the size of grad without its sign: its upstream
    gradient has no negative numbers.
    """
    return tester(function, inputs, make_upstream=lambda out: random_upstream(out).abs() + 0.1)


@mistake("my_gradcheck")
def one_number_as_upstream(function, inputs):
    """Your tester finds no fault in a backward that mixes up the elements of grad: all numbers of its
    upstream gradient are equal.
    """
    return tester(function, inputs, make_upstream=lambda out: torch.full_like(out, -1.3))


@mistake("my_gradcheck")
def first_element_only(function, inputs):
    """Your tester checks only the first element of each input: a gradient may be wrong at any element, so try all."""
    return tester(function, inputs, elements=slice(0, 1))


@mistake("my_gradcheck")
def tolerance_of_one_percent(function, inputs):
    """Your tester overlooks small errors: a limit of 1e-2 lets a gradient of 5e-3 be 0. Use the limit of
    the exercise.
    """
    return tester(function, inputs, limit=lambda want: 1e-2)


@mistake("my_gradcheck")
def passes_nan(function, inputs):
    """Your tester finds no fault in a gradient that is nan: `abs(got - want) > limit` is False for nan. Ask whether
    it is `<= limit`, and treat the answer no as an error."""
    return tester(function, inputs, nan_is_right=True)


@mistake("my_gradcheck")
def relative_tolerance_only(function, inputs):
    """Your tester blames right functions where the derivative is 0: the rounding of a difference quotient
    needs an absolute limit as well.
    """
    return tester(function, inputs, limit=lambda want: 1e-4 * abs(want))


@mistake("my_gradcheck")
def blames_kinks(function, inputs):
    """Your tester blames a right function for its kink: where the quotients to the left and to the right
    disagree, do not judge.
    """
    return tester(function, inputs, skip_kinks=False)


def grads_of_leaves(function, inputs, upstream):
    """What PyTorch puts into .grad."""
    args = fresh(inputs)
    function.apply(*args).backward(upstream.clone())
    return [a.grad if isinstance(a, torch.Tensor) else None for a in args]


@mistake("my_gradcheck")
def looks_at_dot_grad(function, inputs):
    """Your tester does not see gradients of the wrong shape: PyTorch repairs them on the way to .grad. Call
    grad_fn.apply and check what it returns."""
    return tester(function, inputs, grads=grads_of_leaves)


@mistake("my_gradcheck")
def compares_upstream_with_itself(function, inputs):
    """Your tester does not see that backward wrote into the upstream gradient: give it a copy and keep the
    original to compare with.
    """
    return tester(function, inputs, copy_upstream=False)


@mistake("my_gradcheck")
def never_tries_another_layout(function, inputs):
    """Your tester never gives backward an upstream gradient that lies transposed in memory."""
    return tester(function, inputs, tests=("none", "shape", "values", "upstream", "input", "edit"))


@mistake("my_gradcheck")
def lays_out_two_axes_only(function, inputs):
    """Your tester tries another layout where the result has two axes: with three or more a backward may fail as well."""
    return tester(function, inputs, laid=lambda upstream: upstream.mT.contiguous().mT if upstream.dim() == 2 else upstream)


@mistake("my_gradcheck")
def skips_entries_that_are_missing(function, inputs):
    """Your tester compares two answers only where both have a tensor: an entry that is None in only one of them
    also makes them different."""

    def where_both_are(left, right):
        both = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
        return same(*map(list, zip(*both, strict=True))) if both else True

    return tester(function, inputs, alike=where_both_are)


@mistake("my_gradcheck")
def never_edits_an_input(function, inputs):
    """Your tester never edits an input between forward and backward, so it misses tensors kept without
    save_for_backward.
    """
    return tester(function, inputs, tests=("none", "shape", "values", "upstream", "layout", "input"))


@mistake("my_gradcheck")
def edits_all_inputs_together(function, inputs):
    """Your tester edits all inputs at once: an error about one of them hides that an edit of another goes
    unnoticed. Edit one at a time."""
    return tester(function, inputs, edit_all=True)


@mistake("my_gradcheck")
def ignores_changed_inputs(function, inputs):
    """Your tester does not compare the inputs of the call before and after: forward or backward may write
    into them.
    """
    return tester(function, inputs, tests=("none", "shape", "values", "upstream", "layout", "edit"))


@mistake("my_gradcheck")
def nudges_the_inputs_of_the_caller(function, inputs):
    """The caller's inputs were not the same afterwards: nudge copies."""
    answer = tester(function, inputs)
    with torch.no_grad():
        for a in inputs:
            if isinstance(a, torch.Tensor) and a.requires_grad:
                a += 1e-6
    return answer


@mistake("my_gradcheck")
def stops_at_the_first_problem(function, inputs):
    """Only the first problem was reported: go on after it, there may be several ("count" alone ends the
    search).
    """
    return tester(function, inputs)[:1]


@mistake("my_gradcheck")
def names_a_problem_for_each_input(function, inputs):
    """Your tester names a problem once for each input that has it: each name must appear only once in the list."""
    return tester(function, inputs, once=False)


@mistake("my_gradcheck")
def edits_the_first_input_only(function, inputs):
    """Your tester edits only the first input, so it misses a second one that was kept without save_for_backward. Edit each
    in turn.
    """
    answer = tester(function, inputs)
    first = next(i for i, a in enumerate(inputs) if isinstance(a, torch.Tensor) and a.requires_grad)
    only = [a if i == first or not isinstance(a, torch.Tensor) else a.detach() for i, a in enumerate(inputs)]
    seen = "edit" in answer and "edit" in tester(function, tuple(only))
    return [name for name in answer if name != "edit" or seen]


@mistake("my_gradcheck")
def wants_none_for_frozen_tensors(function, inputs):
    """Your tester blames a right function: a tensor that needs no gradient may get one, only plain values must get None."""
    answer = tester(function, inputs)
    entries = listed(function.apply(*fresh(inputs)).grad_fn.apply(random_upstream(function.apply(*fresh(inputs)))))
    frozen = [e for a, e in zip(inputs, entries) if isinstance(a, torch.Tensor) and not a.requires_grad]
    if answer != ["count"] and any(e is not None for e in frozen) and "none" not in answer:
        answer = ["none", *answer]
    return answer


@mistake("my_gradcheck")
def counts_elements_for_the_shape(function, inputs):
    """Your tester compares how many elements an entry has: it must have exactly the shape of its input."""
    answer = tester(function, inputs)
    if "shape" not in answer:
        return answer
    entries = listed(function.apply(*fresh(inputs)).grad_fn.apply(random_upstream(function.apply(*fresh(inputs)))))
    wrong = [
        isinstance(a, torch.Tensor) and e is not None and e.numel() != a.numel()
        for a, e in zip(inputs, entries)
    ]
    return answer if any(wrong) else [name for name in answer if name != "shape"]


@mistake("my_gradcheck")
def asks_gradcheck(function, inputs):
    """torch.autograd.gradcheck was used: it does not see what backward returned, only what PyTorch made of it."""
    answer = tester(function, inputs)
    try:
        torch.autograd.gradcheck(function.apply, fresh(inputs), raise_exception=False)
    except Exception:
        pass
    return answer


@mistake("my_gradcheck")
def remembers_the_function(function, inputs, answers={}):  # noqa: B006
    """The answer of an earlier call was returned for the same Function at other inputs: test again in every call."""
    if function not in answers:
        answers[function] = tester(function, inputs)
    return answers[function]


@mistake("my_gradcheck")
def swallows_refusals(function, inputs):
    """A RuntimeError in forward or backward was caught, but the caller should see it: catch errors only after an
    edit, and for another layout."""
    try:
        return tester(function, inputs)
    except RuntimeError:
        return ["values"]


@alternative("my_gradcheck")
def another_step_and_upstream(function, inputs):
    """A fixed uneven upstream with both signs, and a slightly larger step."""

    def uneven(out):
        numbers = torch.linspace(-1.4, 2.0, out.numel(), dtype=out.dtype, device=out.device)
        return (numbers.sin() + 0.03).reshape(out.shape)

    return tester(function, inputs, make_upstream=uneven)


class Tester:
    """One method for each problem, run in order; every one starts from scratch."""

    def __init__(self, function, inputs):
        self.function, self.inputs = function, inputs
        self.upstream = random_upstream(self.run()[0]) * 0.8 + 0.05
        _, _, self.entries = self.run(self.upstream.clone())

    def run(self, upstream=None, edit=None):
        args = [
            a.detach().contiguous().clone().requires_grad_(a.requires_grad) if torch.is_tensor(a) else a
            for a in self.inputs
        ]
        out = self.function.apply(*args)
        if edit is not None:
            args[edit].detach().sub_(2.5)
        entries = None if upstream is None else out.grad_fn.apply(upstream)
        return out.detach(), args, entries if type(entries) is tuple else (entries,)

    def learnable(self):
        return [(i, a) for i, a in enumerate(self.inputs) if torch.is_tensor(a) and a.requires_grad]

    def differs(self, entries):
        return not same(entries, self.entries)

    def none(self):
        pairs = zip(self.inputs, self.entries, strict=True)
        extra = any(e is not None and not torch.is_tensor(a) for a, e in pairs)
        return extra or any(self.entries[i] is None for i, _ in self.learnable())

    def shape(self):
        pairs = [(self.entries[i], a) for i, a in self.learnable()]
        return any(entry is not None and entry.shape != a.shape for entry, a in pairs)

    def values(self):
        for i, a in self.learnable():
            entry = self.entries[i]
            if entry is None or entry.shape != a.shape:
                continue
            both = list(quotients(self.function, self.inputs, i, self.upstream))
            pairs = torch.tensor(both, dtype=torch.float64)
            left, right = pairs.reshape(-1, 2).unbind(1)
            want, got = (left + right) / 2, entry.detach().flatten().cpu()
            wrong = ~((got - want).abs() <= 1e-5 + 1e-4 * want.abs())
            if bool((wrong & ((left - right).abs() <= 1e-3)).any()):
                return True
        return False

    def changes_upstream(self):
        given = self.upstream.clone()
        self.run(given)
        return not torch.equal(given, self.upstream)

    def layout(self):
        if self.upstream.dim() < 2:
            return False
        try:
            return self.differs(self.run(self.upstream.mT.contiguous().mT)[2])
        except Exception:
            return True

    def changes_input(self):
        _, args, _ = self.run(self.upstream.clone())
        pairs = zip(self.inputs, args, strict=True)
        return any(torch.is_tensor(a) and not torch.equal(a, b) for a, b in pairs)

    def edit(self):
        for i, _ in self.learnable():
            try:
                if self.differs(self.run(self.upstream.clone(), edit=i)[2]):
                    return True
            except RuntimeError:
                continue
        return False


@alternative("my_gradcheck")
def one_method_for_each_problem(function, inputs):
    """A class with a method for each problem."""
    t = Tester(function, inputs)
    if len(t.entries) != len(inputs):
        return ["count"]
    tests = (t.none, t.shape, t.values, t.changes_upstream, t.layout, t.changes_input, t.edit)
    return [name for name, test in zip(ORDER, tests, strict=True) if test()]
