"""The parts of the message of a failed check: what was called, what went wrong, the likely cause, where to read.

No frames of ours, the same text on every machine. Learner-made text is cleaned before it is shown. `labels` makes a text of the parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.common.plain_text import clean, shortened
from torchdojo.explain.call import Shown, printed
from torchdojo.explain.errors import explain_error
from torchdojo.explain.snippet import dotted, snippet
from torchdojo.explain.steps import before_text
from torchdojo.explain.tensor_code import tensor_code
from torchdojo.judge.compare import Difference, kind_of
from torchdojo.judge.raised import raised_text
from torchdojo.wire.outcome import CallNote, Raised
from torchdojo.wire.strict import Foreign, SeenTensor

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check

DEVICES = {"sim": "sim, the simulated accelerator: it behaves like a GPU, where tensors of two devices do not mix"}
GRAD_MODE = "recording"  # what checks call the argument that switches grad mode; the setting itself is shown, if it is off
GRAD_OFF = "torch.set_grad_enabled(False)"
WHOLE = 12  # largest number of elements of a tensor that is printed whole
DIGITS = 6  # of a number


def unreadable(raised: Raised, file: str) -> dict[str, str]:
    """The parts of the message for a file that cannot be imported."""
    kind, text = raised.type or "an error", raised.text
    line = f" line {raised.line}" if raised.line else ""
    code = f"\n{raised.code}" if raised.code else ""
    problem = f"{file}{line} cannot be imported. {f'{kind}: {text}'.rstrip(': ')}{code}"
    meaning = explain_error(raised)
    if kind == "SystemExit":
        meaning = "exit() at the top of the file ends the whole program; remove it."
    return {"problem": problem} | ({"cause": meaning} if meaning else {})


@dataclass
class Failed:
    """What a message is made from: the difference, the arguments of the check, the call to show, the cause.

    is_fact: see `Cause.is_fact`; known: the names of arguments that the learner has seen, None for all.
    """

    check: Check
    difference: Difference
    arguments: dict[str, Any]
    shown: Shown | None
    cause: str
    device: str = "cpu"
    is_fact: bool = False
    known: Collection[str] | None = None


def failure(exercise: Exercise, failed: Failed) -> dict[str, str]:
    """The parts of the message for a check that failed, by name, and what the snippet prints ("prints")."""
    difference, found = failed.difference, failed.shown
    parts = {"called": call_text(found.call) if found else "", "then": _then(found)}
    parts["before"] = before_text(found.moved, value_text) if found and found.moved else ""
    parts["outline"] = call_text(found.call, None, outline) if found else ""
    missing = difference.rung == "runs" and difference.got and difference.got.missing
    if not missing:
        told = {k: v for k, v in failed.arguments.items() if failed.known is None or k in (*failed.known, GRAD_MODE)}
        parts["with"] = circumstances(told, found.call) if found else arguments_text(told)
    parts["device"] = DEVICES.get(failed.device, failed.device) if failed.device != "cpu" else ""
    parts["problem"] = difference.sentence
    if line_of(difference):
        parts["problem"] = raised_text(difference.got, f"{exercise.stem}.py")
    parts["shapes"] = shapes_text(difference)
    if difference.rung in ("value", "finite") and _small(difference.got) and _small(difference.want):
        parts["got"], parts["want"] = told_apart(difference.got, difference.want) or ("", "")
    parts["fact" if failed.is_fact else "cause"] = failed.cause
    parts["read"] = exercise.reading
    if found and failed.device == "cpu" and not missing:
        parts["snippet"] = snippet(exercise.stem, found, failed.arguments, difference)
        if parts["snippet"] and difference.rung == "runs":
            parts["prints"] = difference.got.type if difference.got else ""
        elif parts["snippet"] and (found.leaf is not None or found.moved is not None):
            parts["prints"] = printed(difference.got)
    return {name: clean(text) for name, text in parts.items() if text}


def line_of(difference: Difference) -> int:
    """The line of the learner's file that raised; 0 if none did."""
    return int(difference.got.line) if difference.rung in ("runs", "import") and difference.got else 0


def _then(found: Shown | None) -> str:
    """What autograd was asked to do after the call."""
    if found is None or found.after is None:
        return ""
    gradient = found.after.gradient
    asked = "its backward" if found.after.name == "grad_fn.apply" else "torch.autograd.grad"
    return asked + (f", with upstream gradient {value_text(gradient)}" if gradient is not None else "")


def _small(value: Any) -> bool:
    return isinstance(value, SeenTensor) and 1 < value.data.numel() <= WHOLE


def shapes_text(difference: Difference) -> str:
    """Two shapes, one below the other, lined up at the right as broadcasting does it."""
    got, want = difference.got, difference.want
    if difference.rung != "shape" or not isinstance(got, SeenTensor) or not isinstance(want, SeenTensor):
        return ""
    rows = [tuple(map(str, t.data.shape)) for t in (got, want)]
    if not min(map(len, rows)) or max(map(len, rows)) < 2:
        return ""
    width = max((len(n) for r in rows for n in r), default=1)
    axes = max(map(len, rows))
    lines = ["  ".join(n.rjust(width) for n in (*[""] * (axes - len(r)), *r)) for r in rows]
    return "\n".join(f"{name:<7} {line}".rstrip() for name, line in zip(("got", "wanted"), lines, strict=True))


# ------------------------------------------------------------------ values as words
def call_text(call: CallNote, earlier: list[CallNote] | None = None, said_of: Callable[..., str] | None = None) -> str:
    """The learner's function or object as it was called: 'vjp(f, x=...)', 'Linear(2, 3)(x)', 'it = Scaler(); it.fit(x); it(x)'.

    earlier: all that was done with the object before; None where that isn't known: 'it = Linear(2, 3); ...; it(x)'.
    """
    show = said_of or value_text
    name, said = clean(call.name)[:60], _given(call, show)
    if call.method is None:
        return shortened(f"{name}({said})", 400)
    maker = _given(call.made, show) if call.made is not None else "..." if call.out_of_sight else ""
    if earlier == [] or call.made is None:
        return shortened(f"{name}({maker}){_method(call)}({said})", 400)
    between = [f"it{_method(one)}({_given(one, show)})" for one in earlier] if earlier else ["..."]
    return shortened("; ".join([f"it = {name}({maker})", *between, f"it{_method(call)}({said})"]), 400)


def _method(call: CallNote) -> str:
    return clean(dotted(call))[:60]


def _given(call: CallNote, show: Callable[..., str]) -> str:
    """The arguments of a call, with what is known of their gradients."""
    values = [*call.args, *call.kwargs.values()]
    texts = [show(value, grad=grad) for value, grad in zip_longest(values, call.grads[: len(values)])]
    return ", ".join(f"{key}={text}" if key else text for key, text in zip([""] * len(call.args) + [*call.kwargs], texts, strict=True))


def _marked(text: str, grad: Any) -> str:
    """The text of a tensor, with what PyTorch prints of its gradient. grad: see `CallNote`."""
    if grad is not True and not isinstance(grad, str):
        return text
    code, words = ("requires_grad=True", "that requires grad") if grad is True else (f"grad_fn=<{clean(grad)[:60]}>", f"made by {clean(grad)[:60]}")
    return f"{text[:-1]}, {code})" if text.endswith(")") else f"{text[:-1]} {words}>"


def outline(value: Any, grad: Any = None) -> str:
    """A value without its numbers: the dtype and shape of a tensor, the type of anything else."""
    data = value.data if isinstance(value, SeenTensor) else value
    if isinstance(data, torch.Tensor):
        return _marked(_form(data, "array" if isinstance(value, SeenTensor) and value.is_array else "tensor"), grad)
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, dict) and set(value) == {"callable"}:
        return "<a function>"
    return f"<{kind_of(value)}>"


def arguments_text(arguments: dict[str, Any]) -> str:
    """The drawn arguments of a check: 'x = torch.tensor([1., 2.]), slope = 0.5'."""
    return shortened(", ".join(f"{k} = {value_text(v)}" for k, v in arguments.items() if k not in ("rng", "device")), 400)


def spoken(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a check that say which case it is: its strings, and its bools that are True."""
    return {k: v for k, v in arguments.items() if (v is True or isinstance(v, str)) and k != GRAD_MODE}


def circumstances(arguments: dict[str, Any], call: CallNote) -> str:
    """The conditions of the call: settings of PyTorch, then the check's strings, and its bools that are True, that are not in the call."""
    shown = {k: v for k, v in spoken(arguments).items() if v != call.name}
    known = [*call.kwargs, *call.names, *((*call.made.names, *call.made.kwargs) if call.made is not None else ())]
    settings = [line for line in call.settings if isinstance(line, str) and (line != GRAD_OFF or GRAD_MODE in arguments)]
    return ", ".join(filter(None, [*settings, arguments_text({k: v for k, v in shown.items() if k not in known})]))


def layouts_text(call: CallNote) -> str:
    """Which arguments of the call are not contiguous: 't, whose strides are (1, 3)'. Written down as values, they are."""
    said = []
    for name, value, strides in zip(call.names, call.args, call.strides, strict=False):
        if isinstance(value, SeenTensor) and isinstance(strides, list) and [type(n) for n in strides] == [int] * value.data.dim():
            said.append(f"{clean(name)[:40]}, whose strides are {tuple(strides)}")
    return "; ".join(said)


def told_apart(got: Any, want: Any) -> tuple[str, str] | None:
    """Two values as code, with enough digits to distinguish them; None if that isn't possible."""
    texts = ((value_text(got, digits), value_text(want, digits)) for digits in (DIGITS, 9, 17))
    return next(((one, other) for one, other in texts if one != other), None)


def value_text(value: Any, digits: int = DIGITS, grad: Any = None) -> str:
    """A value as a learner could type it, tensors of up to 12 elements whole. grad: see `CallNote`."""
    if isinstance(value, (SeenTensor, torch.Tensor)):
        return _marked(tensor_text(value.data, isinstance(value, SeenTensor) and value.is_array, digits), grad)
    if isinstance(value, Foreign):
        return foreign_text(value)
    if isinstance(value, dict):
        if set(value) == {"callable"}:
            return clean(str(value["callable"]))[:40]
        return "{" + ", ".join(f"{k!r}: {value_text(v, digits)}" for k, v in list(value.items())[:6]) + "}"
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        grads = grad[: len(value)] if isinstance(grad, list) else []
        inner = ", ".join(value_text(v, digits, g) for v, g in [*zip_longest(value, grads)][:6]) + (", ..." if len(value) > 6 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if callable(value):
        return getattr(value, "__name__", "a function")
    return shortened(clean(repr(value)), 80)


def foreign_text(value: Foreign) -> str:
    """An object that was not serialized, in one line: 'Net(...)', '<generator>', a device by its name, or its own text."""
    text, name = clean(value.text), value.type_name.rsplit(".", 1)[-1]
    text = re.sub(r" {2,}", " ", text)  # NumPy aligns the numbers of an array
    if name in ("Generator", "generator"):
        return "<torch.Generator>" if name == "Generator" else "<generator>"
    if name == "device":
        return repr(text)
    return f"{name}(...)" if text == value.type_name or "\n" in text else text[:80] or value.type_name


def tensor_text(t: torch.Tensor, array: bool = False, digits: int = DIGITS) -> str:
    """A small tensor or array as code, a large one as dtype and shape."""
    if t.numel() > WHOLE or t.is_complex():
        return _form(t, "array" if array else "tensor")
    return tensor_code(t, lambda number: _float(number, digits), array=array)


def _form(t: torch.Tensor, kind: str) -> str:
    return f"<{str(t.dtype).removeprefix('torch.')} {kind} of shape {tuple(t.shape)}>"


def _float(value: float, digits: int) -> str:
    text = f"{value:.{digits}g}"
    return text + "." if text.lstrip("-").isdigit() else text
