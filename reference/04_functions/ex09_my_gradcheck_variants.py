"""Known mistakes and unusual but correct solutions for my_gradcheck."""

import torch
from ex09_my_gradcheck import my_gradcheck, same_entries, values_agree

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


class Found(list):
    """The problems found, as often as they were."""

    add = list.append


ones_as_upstream = mistake.edited(
    "torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)", "torch.ones_like(out)",
    "Your tester accepts a backward that ignores grad: its upstream gradient is all ones. Use random numbers.",
    pitfall="An upstream gradient of ones")

positive_upstream = mistake.edited(
    "torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)",
    "torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device).abs() + 0.1",
    "Your tester accepts a backward that uses the size of grad without its sign: its upstream gradient has no "
    "negative numbers.")

one_number_as_upstream = mistake.edited(
    "torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)", "torch.full_like(out, -1.3)",
    "Your tester accepts a backward that mixes up the elements of grad: all numbers of its upstream gradient "
    "are equal.")

first_element_only = mistake.edited("entry.reshape(-1).tolist()", "entry.reshape(-1).tolist()[:1]",
    "Your tester misses a gradient that is wrong at some elements, as when it checks only the first element of each "
    "input. Try all elements.")

tolerance_of_one_percent = mistake.edited("1e-5 + 1e-4 * abs(want)", "1e-2",
    "Your tester overlooks small errors: it lets more through than 1e-5 + 1e-4 * abs(want). Use this limit, and "
    "compare each element.",
    also=[("manual_seed(0)", "manual_seed(3)")])

passes_nan = mistake.edited(
    "if not abs(got - want) <= 1e-5 + 1e-4 * abs(want)", "if abs(got - want) > 1e-5 + 1e-4 * abs(want)",
    "Your tester accepts a gradient that is nan: `abs(got - want) > limit` is False for nan. Test `<= limit` instead, and treat False as an error.")

relative_tolerance_only = mistake.edited("1e-5 + 1e-4 * abs(want)", "1e-4 * abs(want)",
    "Your tester reports correct functions where the derivative is 0: the rounding of a difference quotient needs an "
    "absolute limit as well.")

blames_kinks = mistake.edited("if abs((above - here) - (here - below)) / step > 1e-3:\n    continue", "",
    "Your tester reports a correct function at its kink: where the quotients to the left and to the right disagree, skip the element.")

looks_at_dot_grad = mistake.edited(
    "elif argument.requires_grad:", "elif argument.requires_grad:\n    entry = leaves[place].grad",
    "Your tester does not see gradients of the wrong shape: PyTorch repairs them before they reach .grad. Check "
    "what grad_fn.apply returns.",
    also=[("found = set()", "found = set()\nleaves = copies(inputs)\nfunction.apply(*leaves).backward(upstream.clone())")])

compares_upstream_with_itself = mistake.edited("given = upstream.clone()", "given = upstream",
    "Your tester does not see that backward wrote into the upstream gradient: give it a copy and keep the original to "
    "compare with.")

never_tries_another_layout = mistake.edited(
    "if out.dim() >= 2 and not same_after_relayout(function, inputs, upstream, entries):", "if False:",
    "Your tester does not see a backward that depends on the memory layout of the upstream gradient: run it again"
    " with one that lies transposed in memory.")

lays_out_two_axes_only = mistake.edited("out.dim() >= 2", "out.dim() == 2",
    "Your tester tries another layout where the result has two axes: with three or more a backward may fail as well.")

skips_entries_that_are_missing = mistake.edited(
    "a is b if a is None or b is None else a.shape == b.shape", "a is None or b is None or a.shape == b.shape",
    "Your tester compares two answers only where both have a tensor: an entry that is None in only one of them also makes "
    "them different.")

misses_entries_for_plain_values = mistake.edited(
    "        if entry is not None:\n            found.add(\"none\")", "        pass",
    "Your tester accepts an entry for an input that is not a tensor: a plain value must get None.")

a_bare_tensor_is_no_tuple = mistake.edited("return entries if isinstance(entries, tuple) else (entries,)", "return entries",
    "backward may return a bare tensor, or None, for a single input: it counts as a tuple with one entry.")

judges_by_the_first_upstream_sign = mistake.edited("values_agree(function, inputs, place, upstream, entry.detach())",
    "values_agree(function, inputs, place, torch.ones_like(upstream), entry.detach())",
    "Your difference quotients are not those of sum(upstream * result): weight the result with the same upstream "
    "gradient that backward got.")

never_edits_an_input = mistake.edited(
    "if any(edit_goes_unseen(function, inputs, place, upstream, entries) for place in learnable(inputs)):",
    "if False:",
    "Your tester does not see that an edit of an input changed the gradients: edit it after forward, then run "
    "backward and compare.")

edits_all_inputs_together = mistake.edited(
    "args[place].mul_(-0.5).sub_(1.25)",
    "for place in learnable(inputs):\n    args[place].mul_(-0.5).sub_(1.25)",
    "Where the edit of one input raises an error, your tester misses that the edit of another goes unnoticed. Edit "
    "one at a time, and go on after an error.")

ignores_changed_inputs = mistake.edited(
    "if any(isinstance(a, torch.Tensor) and not torch.equal(a, b) for a, b in zip(args, inputs, strict=True)):",
    "if False:",
    "Your tester does not see that forward or backward wrote into an input: compare the inputs of the call before"
    " and after.")


@mistake("my_gradcheck")
def nudges_the_inputs_of_the_caller(function, inputs):
    """The caller's inputs changed: nudge copies."""
    answer = my_gradcheck(function, inputs)
    with torch.no_grad():
        for a in inputs:
            if isinstance(a, torch.Tensor) and a.requires_grad:
                a += 1e-6
    return answer


stops_at_the_first_problem = mistake.edited(
    "return [name for name in order if name in found]", "return [name for name in order if name in found][:1]",
    'Only the first problem was reported: continue after it, because there may be several (only "count" ends the search).')

names_a_problem_for_each_input = mistake.edited("found = set()", "found = Found()",
    "Your tester names a problem once for each input that has it: each name must appear only once in the list.",
    also=[
        ('found.add("input")',
         'found += ["input" for a, b in zip(args, inputs) if isinstance(a, torch.Tensor) and not torch.equal(a, b)]'),
        ('found.add("edit")',
         'found += ["edit" for at in learnable(inputs) if edit_goes_unseen(function, inputs, at, upstream, entries)]'),
        ("return [name for name in order if name in found]",
         "return [name for name in order for _ in range(found.count(name))]"),
    ])

edits_the_first_input_only = mistake.edited("for place in learnable(inputs)):", "for place in learnable(inputs)[:1]):",
    "Your tester misses a second input that was kept without save_for_backward, as when only the first one is edited. "
    "Edit each in turn.")

wants_none_for_frozen_tensors = mistake.edited(
    "elif argument.requires_grad:",
    """
    elif not argument.requires_grad:
        if entry is not None:
            found.add("none")
    else:
    """,
    "Your tester reports a correct function: a tensor that needs no gradient may get one; only plain values must get None.")

counts_elements_for_the_shape = mistake.edited(
    'found.add("shape")', 'if entry.numel() != argument.numel():\n    found.add("shape")',
    "Your tester accepts an entry with the right number of elements and the wrong shape: it must have exactly the"
    " shape of its input.")

asks_gradcheck = mistake.edited(
    "generator = torch.Generator()",
    """
    try:
        torch.autograd.gradcheck(function.apply, copies(inputs), raise_exception=False)
    except Exception:
        pass
    generator = torch.Generator()
    """,
    "torch.autograd.gradcheck was used: it does not see what backward returned, only what PyTorch made of it.",
    forbidden="torch.autograd.gradcheck")

asks_functional = mistake.edited(
    "generator = torch.Generator()",
    """
    try:
        torch.autograd.functional.vjp(function.apply, tuple(copies(inputs)))
    except Exception:
        pass
    generator = torch.Generator()
    """,
    "torch.autograd.functional was used: it does not see what backward returned, only what PyTorch made of it.",
    forbidden="torch.autograd.functional")

asks_func = mistake.edited(
    "generator = torch.Generator()",
    """
    try:
        torch.func.vjp(function.apply, *copies(inputs))
    except Exception:
        pass
    generator = torch.Generator()
    """,
    "torch.func was used: it does not see what backward returned, only what PyTorch made of it.", forbidden="torch.func")


@mistake("my_gradcheck")
def remembers_the_function(function, inputs, answers={}):  # noqa: B006
    """The answer of an earlier call was returned for the same Function at other inputs: test again in every call."""
    if function not in answers:
        answers[function] = my_gradcheck(function, inputs)
    return answers[function]


@mistake("my_gradcheck")
def swallows_refusals(function, inputs):
    """A RuntimeError in forward or backward was caught, but the caller should see it: catch errors only after an
    edit, and for another layout."""
    try:
        return my_gradcheck(function, inputs)
    except RuntimeError:
        return ["values"]


another_step_and_upstream = alternative.edited(
    "torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)",
    "(torch.linspace(-1.4, 2.0, out.numel(), dtype=out.dtype, device=out.device).sin() + 0.03).reshape(out.shape)",
    "A fixed uneven upstream with both signs, and a slightly larger step.",
    also=[("step = 1e-6", "step = 2e-6")])


class Tester:
    """One method for each problem, run in order; every one starts from scratch."""

    def __init__(self, function, inputs):
        self.function, self.inputs = function, inputs
        out, generator = self.run()[0], torch.Generator().manual_seed(3)
        upstream = torch.randn(out.shape, dtype=out.dtype, generator=generator).to(out.device)
        self.upstream = upstream * 0.8 + 0.05
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
        return not same_entries(entries, self.entries)

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
            if not values_agree(self.function, self.inputs, i, self.upstream, entry.detach()):
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
