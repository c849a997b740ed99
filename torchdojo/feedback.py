"""Word a failed check for its learner: what was called, what went wrong, the likely cause, where to read.

At most 160 words, no frames of ours, the same text on every machine. Learner-made text is cleaned before it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from torchdojo.compare import Difference
from torchdojo.diagnose.errors import explain_error
from torchdojo.plain_text import clean as clean
from torchdojo.worker.wire import Foreign, SeenTensor

if TYPE_CHECKING:
    from torchdojo.exercise import Exercise
    from torchdojo.grading.checks import Check

DEVICES = {"sim": "sim, the simulated accelerator: it behaves like a GPU, where tensors of two devices do not mix"}
WHOLE = 12  # tensors up to so many elements are printed whole


def row(label: str, text: str) -> str:
    """One labelled part of a message; further lines are indented under the first."""
    return f"{label:<13}" + text.replace("\n", "\n" + " " * 13)


def unreadable(raised: dict[str, Any], file: str) -> str:
    """The message for a file that cannot be imported."""
    kind, text = raised.get("type", "an error"), raised.get("text", "")
    line = f" line {raised['line']}" if raised.get("line") else ""
    code = f"\n{raised['code']}" if raised.get("code") else ""
    lines = [row("went wrong", f"{file}{line} cannot be imported. {f'{kind}: {text}'.rstrip(': ')}{code}")]
    meaning = explain_error(raised)
    if kind == "SystemExit":
        meaning = "exit() at the top of the file ends the whole program; remove it."
    if meaning:
        lines.append(row("likely cause", meaning))
    return "\n".join(lines)


def failure(
    exercise: Exercise,
    check: Check,
    difference: Difference,
    arguments: dict[str, Any],
    calls: list[dict[str, Any]],
    cause: str | None,
    *,
    device: str = "cpu",
) -> tuple[str, str | None]:
    """(message, cause) for a check that failed with this difference on these arguments."""
    lines = []
    if calls:
        lines.append(row("called", call_text(calls)))
    given = circumstances(arguments, calls[-1]) if calls else arguments_text(arguments)
    if given and not (difference.rung == "runs" and difference.got and difference.got.get("missing")):
        lines.append(row("with", given))
    if device != "cpu":
        lines.append(row("device", DEVICES.get(device, device)))
    sentence = difference.sentence
    if difference.rung == "runs" and difference.got and not difference.got.get("missing"):
        sentence = sentence.replace("line ", f"{exercise.stem}.py line ", 1) if difference.got.get("line") else sentence
    lines.append(row("went wrong", sentence))
    if cause:
        lines.append(row("likely cause", cause))
    lines.append(row("read", exercise.reading))
    return clean("\n".join(lines)), cause


# ------------------------------------------------------------------ values as words
def call_text(calls: list[dict[str, Any]]) -> str:
    """The learner's function as it was called, the last call if there were several: 'vjp(f, x=...)'."""
    if not calls:
        return ""
    call = calls[-1]
    args, kwargs = call.get("args"), call.get("kwargs")
    parts = [value_text(a) for a in args] if isinstance(args, list) else []
    parts += [f"{k}={value_text(v)}" for k, v in kwargs.items()] if isinstance(kwargs, dict) else []
    text = f"{clean(str(call.get('name')))[:60]}({', '.join(parts)})"
    return text if len(text) <= 400 else text[:397] + "..."


def arguments_text(arguments: dict[str, Any]) -> str:
    """The drawn arguments of a check: 'x = torch.tensor([1., 2.]), slope = 0.5'."""
    shown = ", ".join(f"{k} = {value_text(v)}" for k, v in arguments.items() if k not in ("rng", "device"))
    return shown if len(shown) <= 400 else shown[:397] + "..."


def circumstances(arguments: dict[str, Any], call: dict[str, Any]) -> str:
    """Under what conditions the check made the call: its arguments that are words or yes and no, and not in the call."""
    kwargs = call.get("kwargs")
    shown = {k: v for k, v in arguments.items() if isinstance(v, (bool, str)) and v != call.get("name")}
    known = kwargs if isinstance(kwargs, dict) else {}
    return arguments_text({k: v for k, v in shown.items() if k not in known})


def value_text(value: Any) -> str:
    """A value as a learner could type it, tensors of up to 12 elements whole."""
    if isinstance(value, SeenTensor):
        return tensor_text(value.data)
    if isinstance(value, torch.Tensor):
        return tensor_text(value)
    if isinstance(value, Foreign):
        return foreign_text(value)
    if isinstance(value, dict):
        if set(value) == {"callable"}:
            return clean(str(value["callable"]))[:40]
        return "{" + ", ".join(f"{k!r}: {value_text(v)}" for k, v in list(value.items())[:6]) + "}"
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        inner = ", ".join(value_text(v) for v in value[:6]) + (", ..." if len(value) > 6 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if callable(value):
        return getattr(value, "__name__", "a function")
    text = clean(repr(value))
    return text if len(text) <= 80 else text[:77] + "..."


def foreign_text(value: Foreign) -> str:
    """An object that did not travel, in one line: 'Net(...)', 'a generator', else its own text."""
    text, name = clean(value.text), value.type_name.rsplit(".", 1)[-1]
    if name in ("Generator", "generator"):
        return "a torch.Generator" if name == "Generator" else "a generator"
    return f"{name}(...)" if "\n" in text else text[:80] or value.type_name


def tensor_text(t: torch.Tensor) -> str:
    """A small tensor as code, a large one as dtype and shape."""
    dtype = str(t.dtype).removeprefix("torch.")
    if t.numel() > WHOLE or t.is_complex():
        return f"<{dtype} tensor of shape {tuple(t.shape)}>"
    if t.numel() == 0:
        return f"torch.empty({tuple(t.shape)}, dtype=torch.{dtype})"
    said = "" if dtype in ("float32", "int64", "bool") else f", dtype=torch.{dtype}"
    return f"torch.tensor({_nested(t.tolist())}{said})"


def _nested(values: Any) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_nested(v) for v in values) + "]"
    if isinstance(values, float):
        text = f"{values:.6g}"
        return text + "." if text.lstrip("-").isdigit() else text
    return str(values)
