"""Known mistakes and unusual but correct solutions for best_device, gpu_names and sum_on."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Ask for CUDA first, then for MPS; what is left is the CPU. The other two functions are a loop and a sum.",
    "torch.device makes a device from its name. The GPUs are numbered from 0, so range(count) gives their numbers. All tensors of one "
    "operation must be on one device: move both before you add them.",
    "best_device returns one of three devices, after two questions in an if. gpu_names asks each number below the count for its name. "
    "sum_on calls .to(device) for a and for b, and adds what the two calls return.",
)
WITHOUT_A_GRAPH = "the tensors have no graph, and none is asked for"
EQUIVALENT = {
    'add_detach: return (a.to(device) + b.to(device)).detach()': WITHOUT_A_GRAPH,
}


asks_without_parentheses = mistake.edited("if torch.cuda.is_available():", "if torch.cuda.is_available:",
    "You return CUDA on every machine: ask torch.cuda.is_available(), with its parentheses. A function itself counts as true.",
    common=True,
    pitfall="Without its parentheses")

forgets_mps = mistake.edited('"mps" if torch.backends.mps.is_available() else "cpu"', '"cpu"',
    "On a Mac with a GPU you return the CPU: ask torch.backends.mps.is_available(), too.")

always_the_cpu = mistake.edited("if torch.cuda.is_available():", "if False:",
    "You never return CUDA: ask torch.cuda.is_available().")

mps_comes_first = mistake.edited("if torch.cuda.is_available():",
    'if torch.backends.mps.is_available():\n    return torch.device("mps")\nif torch.cuda.is_available():',
    "Where both are available, you return MPS: the device is CUDA there.")

with_a_number = mistake.edited('return torch.device("cuda")', 'return torch.device("cuda", 0)',
    'Your device has a number, "cuda:0": return the device without a number.')

a_name_and_no_device = mistake.edited('return torch.device("cuda")', 'return "cuda"',
    "You returned a string: torch.device(...) makes a device from it.")

only_the_first_name = mistake.edited(
    "[torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]",
    "[torch.cuda.get_device_name(0)] if torch.cuda.device_count() else []",
    "You returned the name of GPU 0 alone: there is one for each number below the count.")

numbers_from_one = mistake.edited("range(torch.cuda.device_count())", "range(1, torch.cuda.device_count() + 1)",
    "GPUs are numbered from 0: range(count) gives the numbers 0 to count - 1.")

the_same_name_each_time = mistake.edited("torch.cuda.get_device_name(n)", "torch.cuda.get_device_name()",
    "Every name is that of GPU 0: pass the number of each GPU.")

moves_the_result = mistake.edited("return a.to(device) + b.to(device)", "return (a + b).to(device)",
    "You add before you move, and the two tensors are on different devices: move both first.",
    common=True)

drops_what_to_returns = mistake.edited("return a.to(device) + b.to(device)", "a.to(device)\nb.to(device)\nreturn a + b",
    "The sum was computed where a and b are: x.to(device) returns a tensor on the device, so use what it returns.",
    pitfall="It does not move x")

moves_one_of_them = mistake.edited("return a.to(device) + b.to(device)", "return a + b.to(device)",
    "You moved only b: a may be on another device, too.")

moves_the_other_one = mistake.edited("return a.to(device) + b.to(device)", "return a.to(device) + b",
    "You moved only a: b may be on another device, too. x.to(device) does not move x, so use what it returns.")

moves_b_to_a = mistake.edited("return a.to(device) + b.to(device)", "return a + b.to(a.device)",
    "Your sum is where a is: move both tensors to `device`.")

stays_on_the_cpu = mistake.edited("return a.to(device) + b.to(device)", "return a.cpu() + b.cpu()",
    "Your sum is on the CPU: move both tensors to `device`.")


@alternative("best_device")
def in_one_expression():
    """The same questions in one expression."""
    return torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")


@alternative("best_device")
def counts_the_gpus():
    """A count of 0 is no GPU."""
    kind = "cpu"
    if torch.backends.mps.is_available():
        kind = "mps"
    if torch.cuda.device_count() > 0:
        kind = "cuda"
    return torch.device(kind)


@alternative("gpu_names")
def appends_one_by_one():
    """A list that grows, and nothing without CUDA."""
    names = []
    if torch.cuda.is_available():
        for n in range(torch.cuda.device_count()):
            names.append(torch.cuda.get_device_properties(n).name)
    return names


in_a_block = alternative.edited(
    "return a.to(device) + b.to(device)",
    "a, b = (t.to(device=device) for t in (a, b))\nreturn torch.add(a, b)",
    "Both are moved by name.")
