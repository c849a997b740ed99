"""Known mistakes and unusual but correct solutions for has_bad_numbers and first_bad."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "torch.isfinite says for each number whether it is an ordinary one.",
    "all() and any() make one tensor of many bools, and .item() makes a Python bool of it. For the names, ask the tensors one after the "
    "other and stop at the first that is bad.",
    "A tensor is bad unless all of its numbers are finite. Loop over tensors.items(), return the name as soon as has_bad_numbers says "
    "so, and return None after the loop.",
)


only_nan = mistake.edited("not t.isfinite().all()", "t.isnan().any().item()",
    "You look only for nan: inf and -inf are bad, too.",
    common=True)

only_infinity = mistake.edited("not t.isfinite().all()", "t.isinf().any().item()",
    "You don't find nan. nan is not equal to anything, not even to itself: use torch.isnan or torch.isfinite.",
    common=True)

forgets_minus_infinity = mistake.edited("not t.isfinite().all()", "(t.isnan() | t.isposinf()).any().item()",
    "You don't find -inf: torch.isinf and torch.isfinite see both infinities.")

all_must_be_bad = mistake.edited("not t.isfinite().all()", "not t.isfinite().any().item()",
    "You don't find a bad number beside ordinary ones, as if all numbers had to be bad: one bad number is enough.")

the_other_way_round = mistake.edited("not t.isfinite().all()", "t.isfinite().all().item()",
    "Your answer is the opposite: finite numbers are the good ones.")

a_tensor_for_a_bool = mistake.edited("not t.isfinite().all()", "~t.isfinite().all()",
    "You returned a tensor: .item() makes a Python bool of it.")

the_last_one = mistake.edited("for name, t in tensors.items():", "for name, t in reversed(tensors.items()):",
    "You named the last bad tensor: name the first one, in the order of the dict.")

looks_at_the_first_alone = mistake.edited("        return name\nreturn None", "        return name\n    return None",
    "Only the first tensor counts: look at the others too, and return None only if none of them is bad.")

an_empty_string = mistake.edited("return None", 'return ""',
    "Without bad tensors the result is None, not an empty string.")

looks_at_the_sum = mistake.edited("not t.isfinite().all()", "not t.sum().isfinite().item()",
    "The largest finite numbers count as bad, for example because their sum overflows to inf: ask each number whether it is finite.",
    about="large_numbers_are_fine")

a_limit_for_large_numbers = mistake.edited("not t.isfinite().all()", "bool((~(t.double().abs() < 1e6)).any())",
    "Large numbers count as bad: only nan, inf and -inf are.",
    about="large_numbers_are_fine")

a_difference_with_itself = alternative.edited("not t.isfinite().all()", "bool(((t - t) != 0).any())",
    "Only of ordinary numbers is the difference with itself 0.")

nan_or_inf = alternative.edited("not t.isfinite().all()", "bool(torch.isnan(t).any() or torch.isinf(t).any())",
    "Both questions.")

first_of_a_generator = alternative.edited(
    "for name, t in tensors.items():\n    if has_bad_numbers(t):\n        return name\nreturn None",
    "return next((name for name, t in tensors.items() if has_bad_numbers(t)), None)",
    "The first name of a generator, or None.")

only_the_keys = mistake.edited("for name, t in tensors.items():\n    if has_bad_numbers(t):", "for name in tensors:\n    if has_bad_numbers(name):",
    "A loop over a dict gives its keys, here the names: use tensors.items(), which gives names and tensors.")

all_the_names = mistake.edited(
    "for name, t in tensors.items():\n    if has_bad_numbers(t):\n        return name\nreturn None",
    "return [name for name, t in tensors.items() if has_bad_numbers(t)]",
    "You returned a list of all bad names: return the first one alone, or None.")

the_first_of_an_empty_list = mistake.edited(
    "for name, t in tensors.items():\n    if has_bad_numbers(t):\n        return name\nreturn None",
    "return [name for name, t in tensors.items() if has_bad_numbers(t)][0]",
    "Without bad tensors your list is empty and has no entry 0: return None then.")

one_good_number_is_enough = mistake.edited("not t.isfinite().all()", "t.isfinite().any().item()",
    "Your result is True as soon as one number is finite: it must be True when one number is not finite.")

the_first_good_one = mistake.edited("if has_bad_numbers(t)", "if not has_bad_numbers(t)",
    "You named the first tensor without bad numbers: turn the condition around.")

the_tensor_itself = mistake.edited("return name\n", "return t\n",
    "You returned the tensor: return its name.")

only_equal_to_nan = mistake.edited("not t.isfinite().all()", 'bool((t == float("nan")).any())',
    "Your result is False for nan and for inf. One reason is a comparison with ==: nothing is equal to nan, not even nan. Use torch.isfinite.",
    pitfall="nan is not equal to itself")
