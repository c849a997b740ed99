"""What an error means in the file that raised it: where its text shows more than the error says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from torchdojo.explain.own_names import Written, called
from torchdojo.wire.outcome import Raised

LONGEST = 60  # characters of a line that is shown
MAKERS = frozenset(["zeros", "ones", "full", "empty", "tensor", "arange", "linspace", "eye", "rand", "randn", "randint", "randperm", "as_tensor"])
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
BRANCHES = (ast.If, ast.For, ast.While, ast.Try)


def cause(raised: Raised | None, learner: Written | None) -> str | None:
    """What the error comes from, with the line to look at; None where the file doesn't show it."""
    if raised is None or learner is None or learner.tree is None:
        return None
    if name := re.search(r"local variable '(\w+)' (where it is not associated|referenced before)", raised.text):
        return _used_too_early(name[1], raised, learner.tree)
    if "on the same device" in raised.text or "is not on the expected device" in raised.text:
        return _made_on_the_cpu(raised, learner.tree)
    if "cannot be multiplied" in raised.text and not PRODUCT.search(raised.code) and (layer := _of_a_layer(raised.text, learner)):
        return layer
    if "Cannot copy out of meta tensor" in raised.text and ".to(" in raised.code:
        return "A tensor on the device \"meta\" has no values, so `.to(...)` can't move it to another device: leave it there, and bring the other tensors to its device."
    if (axis := re.search(r"range of \[(-?\d+), (\d+)\], but got (\d+)\)", raised.text)) and re.search(rf"[(,=] ?{axis[3]}[,)]", raised.code):
        return f"For this input axis {axis[3]} doesn't exist, only {axis[1]} to {axis[2]}."
    if "out of bounds" in raised.text and (counts := _counts_of_unique(raised, learner.tree)):
        return counts
    if "first two dimensions of batch2" in raised.text and re.search(r"\.T\b", raised.code):
        return "`.T` reverses all axes, the batch axes included."
    if "inconsistent tensor size" in raised.text and re.search("@|matmul", raised.code):
        return "Both sides have only one axis here, so the product is a dot product, and their sizes differ."
    if swapped := re.search(r"size mismatch for ([\w.]+): .*?Size\(\[(\d+), (\d+)\]\).*?Size\(\[\3, \2\]\)", raised.text):
        one, other = f"({swapped[2]}, {swapped[3]})", f"({swapped[3]}, {swapped[2]})"
        if one != other:
            return f"`{swapped[1]}` has shape {one} on one side and {other} on the other: its two axes are swapped. nn.Linear's weight is (out_features, in_features)."
    if (name := re.search(r"(?:\.|^)(\w+)\(\) takes \d+ positional arguments? but .* given", raised.text)) and (found := _without_self(name[1], learner.tree)):
        return found
    if raised.traced and not raised.line and (name := re.search(r"((?:\w+\.)?(\w+))\(\) (?:takes|missing|got an unexpected keyword)", raised.text)):
        return _other_parameters(name[1], name[2], learner.tree)
    return None


def _other_parameters(whole: str, name: str, tree: ast.Module) -> str | None:
    """The check calls a function of the learner's in a way that its `def` does not allow. whole: its name with that of its class."""
    lines = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name]
    if len(lines) != 1:
        return None
    return f"The check calls `{whole}` as the exercise describes it, but your `def` (line {lines[0]}) has other parameters: compare it with the stub."


def _without_self(name: str, tree: ast.Module) -> str | None:
    """A method of the learner's whose first parameter is not self."""
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    methods = [m for c in classes for m in c.body if isinstance(m, ast.FunctionDef) and m.name == name and not m.decorator_list]
    first = [[a.arg for a in (*m.args.posonlyargs, *m.args.args)][:1] for m in methods]
    if not methods or any(names and names[0] in ("self", "cls") for names in first):
        return None
    return f"`{name}` is a method, and its `def` (line {methods[0].lineno}) has no self: a method needs self as its first parameter."


def _used_too_early(name: str, raised: Raised, tree: ast.Module) -> str | None:
    """The name gets its value only in a later line, whatever happens before."""
    function = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == raised.where and _holds(n, raised.line)), None)
    if function is None:
        return None
    straight = list(_straight(function.body))
    sets = [step.lineno for step in straight if _sets(step, name)]
    elsewhere = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    at = next((step.lineno for step in straight if _holds(step, raised.line)), 0)
    if len(sets) != 1 or len(elsewhere) != 1 or not at or sets[0] <= at:
        return None
    return f"Line {raised.line} uses `{name}`, but only line {sets[0]} assigns it. Compute it first."


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _straight(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The steps that are taken in any case; those of a `with` one by one."""
    for step in block:
        if isinstance(step, ast.With):
            yield from _straight(step.body)
        elif not isinstance(step, (*BRANCHES, *FUNCTIONS)):
            yield step


def _sets(step: ast.stmt, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(step))


def _made_on_the_cpu(raised: Raised, tree: ast.Module) -> str | None:
    """One of torch's makers is called without a device, in the line that raised or for a name that this line uses."""
    used = set(re.findall(r"\w+", raised.code))
    steps = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not isinstance(n, (*BRANCHES, *FUNCTIONS, ast.With))]
    near = [n for n in steps if _holds(n, raised.line) or any(_sets(n, name) for name in used)]
    calls = [n for step in near for n in ast.walk(step) if isinstance(n, ast.Call) and _is_maker(n)]
    made = [n for n in calls if not any(k.arg in ("device", None) for k in n.keywords)]
    texts = {ast.unparse(n) for n in made}
    if len(texts) != 1 or len(text := texts.pop()) > LONGEST:
        return None
    where = "line" if len(made) == 1 else "lines"
    lines = " and ".join(str(n.lineno) for n in made)
    return f"`{text}` ({where} {lines}) creates a tensor on the default device, the CPU."


def _counts_of_unique(raised: Raised, tree: ast.Module) -> str | None:
    """The line indexes counts that come from torch.unique."""
    counted: set[str] = set()
    for n in ast.walk(tree):
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and called(n.value) == "unique" and isinstance(n.targets[0], ast.Tuple):
            last = n.targets[0].elts[-1]
            counted |= {last.id} if isinstance(last, ast.Name) and any(k.arg == "return_counts" for k in n.value.keywords) else set()
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    name = next((name for name in sorted(counted) if re.search(rf"\b{name}\[", raised.code) and stored.count(name) == 1), None)
    if name is None:
        return None
    return f"`{name}` comes from torch.unique, which counts only values that occur, so a value is no index into it: torch.bincount counts all values from 0 on."


PRODUCT = re.compile(r"@|matmul|mm\b|addmm|linear\(|inner|einsum|\bdot\b|mv\b|tensordot")
"""A product of matrices on the line that raised."""


OTHER_LAYERS = frozenset(["RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell", "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer"])
"""Layers that multiply matrices, too."""


def _of_a_layer(text: str, learner: Written) -> str | None:
    """Two matrices don't fit, and the line multiplies none itself: a layer that it calls does."""
    sizes = re.search(r"\(\d+x(\d+) and (\d+)x\d+\)", text)
    if sizes is None or "Linear" not in learner.names or learner.names & OTHER_LAYERS:
        return None
    return f"nn.Linear works on the last axis of its input and keeps all others. Here that axis has size {sizes[1]}, but in_features is {sizes[2]}: print the shape that reaches the layer."


def _is_maker(node: ast.Call) -> bool:
    return called(node) in MAKERS and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
