"""Draw the inputs of a check: tensors that expose mistakes, the same on every machine.

Sizes are given by named axes that all arguments of a check share. Each check gets a fixed list of edge cases
(all sizes different, reversed, square, each axis 1, each axis empty, transposed, strided and expanded layouts, float32
and float64), simplest first, then some random ones. Values are integers or eighths, exact in every dtype and on every machine.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DISTINCT = (2, 3, 5, 4, 7, 6)
REVERSED = (7, 4, 5, 3, 2, 6)
LEADS = ((3,), (), (2, 3), (4, 1, 2), (1,), (5,), (0,), (2, 0))
LAYOUTS = ("transposed", "strided", "expanded")
RANDOM_CASES = 4
MOST_CASES = 48


@dataclass
class Case:
    """One set of inputs in the making: the size of each named axis, a layout, a floating dtype and a source of chance."""

    sizes: dict[str, int]
    lead: tuple[int, ...] = (3,)
    layout: str = "contiguous"
    dtype: torch.dtype = torch.float64
    values: str = "eighths"
    number: int = 0
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def size(self, name: str | int) -> int:
        """The size of a named axis ('batch', 'batch+1', or a number)."""
        if isinstance(name, int):
            return name
        base, plus, more = name.partition("+")
        return int(base) if base.isdigit() else self.sizes[base] + (int(more) if plus else 0)

    def shape(self, axes: str | Sequence[int]) -> tuple[int, ...]:
        """The shape of 'batch 3 ...': names, numbers, and '...' for any leading axes."""
        if not isinstance(axes, str):
            return tuple(axes)
        parts = [self.lead if axis == "..." else (self.size(axis),) for axis in axes.split()]
        return tuple(itertools.chain.from_iterable(parts))

    def tensor(self, axes: str | Sequence[int], **options: Any) -> torch.Tensor:
        """A tensor drawn for this case; the options are those of `tensor`."""
        return Tensor(axes if isinstance(axes, str) else tuple(axes), **options).draw(self)


class Tensor:
    """See `tensor`."""

    def __init__(
        self,
        axes: str | tuple[int, ...],
        *,
        dtype: str = "float",
        low: int | str = -4,
        high: int | str = 4,
        step: float | None = None,
        avoid: Sequence[float] = (),
        distinct: bool = False,
        layouts: bool = True,
    ) -> None:
        self.axes, self.dtype, self.low, self.high = axes, dtype, low, high
        self.step, self.avoid, self.distinct, self.layouts = step, tuple(avoid), distinct, layouts

    def names(self) -> list[str]:
        """The named axes that this argument uses."""
        parts = [*self.axes.split()] if isinstance(self.axes, str) else []
        parts += [bound for bound in (self.low, self.high) if isinstance(bound, str)]
        names = [part.partition("+")[0] for part in parts if part != "..."]
        return [name for name in names if not name.isdigit()]

    def draw(self, case: Case) -> torch.Tensor:
        shape = case.shape(self.axes)
        layout = case.layout if self.layouts and not self.distinct else "contiguous"
        if layout == "expanded" and len(shape) and shape[0] > 0:
            return self._fill((1, *shape[1:]), case).expand(shape)
        if layout == "strided" and len(shape):
            return self._fill((*shape[:-1], 2 * shape[-1]), case)[..., ::2]
        if layout == "transposed" and len(shape) >= 2:
            return self._fill((*shape[:-2], shape[-1], shape[-2]), case).transpose(-2, -1)
        return self._fill(shape, case)

    def _fill(self, shape: tuple[int, ...], case: Case) -> torch.Tensor:
        generator = torch.Generator(device="cpu").manual_seed(case.rng.getrandbits(62))
        count = math.prod(shape)
        if self.dtype == "bool":
            return torch.randint(0, 2, shape, generator=generator, device="cpu") == 1
        low, high = (case.size(b) if isinstance(b, str) else b for b in (self.low, self.high))
        if self.dtype != "float" and self.dtype.startswith(("int", "uint")):
            top = high if isinstance(self.high, str) else high + 1
            if top <= low:
                if count:
                    raise ValueError(f"no integer from {low} up to {high}; give the axis a minimum of 1")
                top = low + 1
            return torch.randint(low, top, shape, generator=generator, device="cpu").to(getattr(torch, self.dtype))
        step = self.step if self.step is not None else (1.0 if case.values == "integers" else 0.125)
        choices = [round(low + k * step, 12) for k in range(int((high - low) / step) + 1)]
        choices = [c for c in choices if c not in self.avoid] or [low + k * 0.125 for k in range(int((high - low) * 8) + 1)]
        choices = [c for c in choices if c not in self.avoid]
        if self.distinct and count > len(choices):  # a finer grid
            parts = count + len(self.avoid) + 1
            choices = [c for c in (low + k * (high - low) / parts for k in range(parts)) if c not in self.avoid]
        table = torch.tensor(choices, dtype=torch.float64, device="cpu")
        if self.distinct:
            values = table[torch.randperm(len(choices), generator=generator, device="cpu")[:count]]
        else:
            values = table[torch.randint(0, len(choices), (count,), generator=generator, device="cpu")]
        dtype = case.dtype if self.dtype == "float" else getattr(torch, self.dtype)
        return values.to(dtype).reshape(shape)


def tensor(axes: str | tuple[int, ...], **options: Any) -> Tensor:
    """A tensor argument. axes: 'batch features', with names shared by all arguments, numbers, '+1', '...' for any rank.

    dtype: 'float' (float32 and float64 in turn), or a dtype's name ('int64', 'bool', 'float32').
    low, high: bounds, included; for integers `high` may name an axis, and values stay below its size.
    step: distance between possible values (1/8). avoid: values that must not occur (kinks). distinct: no value twice.
    layouts: also transposed, strided and expanded tensors (True).
    """
    return Tensor(axes, **options)


class Size:
    """See `size`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def names(self) -> list[str]:
        return [self.name.partition("+")[0]]

    def draw(self, case: Case) -> int:
        return case.size(self.name)


def size(name: str) -> Size:
    """An int argument: the size of a named axis."""
    return Size(name)


class Built:
    """See `built`."""

    def __init__(self, make: Callable[[Case], Any], axes: str) -> None:
        self.make, self.axes = make, axes

    def names(self) -> list[str]:
        return [axis for axis in self.axes.split() if axis != "..."]

    def draw(self, case: Case) -> Any:
        return self.make(case)


def built(make: Callable[[Case], Any], axes: str = "") -> Built:
    """An argument made by a function of the Case: plain data, or nested lists and dicts of tensors. axes: names it uses."""
    return Built(make, axes)


# ------------------------------------------------------------------ all cases of a check
def draw_examples(
    name: str,
    specs: dict[str, Any],
    *,
    seed: int = 0,
    minimum: int | dict[str, int] = 0,
    dtypes: Sequence[str] = ("float64", "float32"),
    wants_rng: bool = False,
    wants_device: bool = False,
    extra: Sequence[dict[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Every example of a check, simplest first: argument names to values. The same for the same name and seed."""
    listed = {k: v for k, v in specs.items() if isinstance(v, (list, tuple))}
    drawn = _drawn(specs)
    searched = {k: v for k, v in specs.items() if k not in listed and k not in drawn}
    rng = random.Random(f"{seed}/{name}")
    combinations = list(itertools.product(*listed.values())) or [()]
    if len(combinations) > 2:
        combinations = combinations[:1] + rng.sample(combinations[1:], len(combinations) - 1)
    plans = _plans(list(dict.fromkeys(n for s in drawn.values() for n in s.names())), _uses_lead(drawn), minimum, rng)
    plans = plans if drawn else plans[:1]
    count = min(MOST_CASES, max(len(plans), len(combinations), RANDOM_CASES if searched else 1))
    values_of = _search(searched, count, seed) if searched else {}
    examples = []
    for n in range(count):
        sizes, lead, layout, values = plans[n % len(plans)]
        turn = random.Random(f"{seed}/{name}/{n}")
        rounds = n // len(plans) + (n // len(combinations) if len(combinations) > 1 else 0)  # not in step with a list of two
        empty = 0 in sizes.values() or (0 in lead and _uses_lead(drawn))  # in float64 first: a dtype that is left out is float32
        dtype = dtypes[0 if empty and n < len(plans) else (n + rounds) % len(dtypes)]
        case = Case(sizes, lead, layout, getattr(torch, dtype), values, n, turn)
        example = dict(zip(listed, combinations[n % len(combinations)], strict=True))
        example.update({k: spec.draw(case) for k, spec in drawn.items()})
        example.update({k: values[n] for k, values in values_of.items()})
        examples.append({k: example[k] for k in specs})
    if extra and not specs:
        examples = []  # hand-made examples are all there is
    examples += [dict(e) for e in extra]
    if wants_device:
        for example in examples:
            example.setdefault("device", "cpu")  # the run puts its own device there
    if wants_rng:
        for n, example in enumerate(examples):
            example["rng"] = random.Random(f"{seed}/{name}/rng/{n}").getrandbits(48)
    return examples


def _drawn(specs: dict[str, Any]) -> dict[str, Tensor | Size | Built]:
    return {k: v for k, v in specs.items() if hasattr(v, "draw") and hasattr(v, "names")}


def redrawn(specs: dict[str, Any], example: dict[str, Any], case: Case) -> dict[str, Any]:
    """The example with its drawn arguments drawn again for another case. Raises whatever a `built` argument raises."""
    return example | {k: spec.draw(case) for k, spec in _drawn(specs).items() if k in example}


def small_sizes(specs: dict[str, Any], minimum: int | dict[str, int]) -> list[tuple[dict[str, int], tuple[int, ...]]]:
    """(sizes of the named axes, leading axes), fewest elements first, different sizes before equal ones."""
    drawn = _drawn(specs)
    names = list(dict.fromkeys(n for s in drawn.values() for n in s.names()))
    least = {n: max(1, minimum if isinstance(minimum, int) else minimum.get(n, 0)) for n in names}
    leads: list[tuple[int, ...]] = [(), (2,), (3,), (2, 3)] if _uses_lead(drawn) else [(2,)]
    rows = [[least[n] + k for k in range(4)] for n in names[:3]]
    combinations = [dict(zip(names, row, strict=False)) | {n: least[n] + 1 for n in names[3:]} for row in itertools.product(*rows)]
    sizes_and_leads = [(sizes, lead) for sizes in combinations for lead in leads]

    def cost(item: tuple[dict[str, int], tuple[int, ...]]) -> tuple[int, int]:
        sizes = [*item[0].values(), *item[1]]
        return len(sizes) - len(set(sizes)) + sizes.count(1) + (not sizes), math.prod(sizes)

    return sorted(sizes_and_leads, key=cost)


def _uses_lead(drawn: dict[str, Tensor | Size | Built]) -> bool:
    return any("..." in str(getattr(spec, "axes", "")) for spec in drawn.values())


def _plans(names: list[str], lead: bool, minimum: int | dict[str, int], rng: random.Random) -> list[tuple[Any, ...]]:
    """(sizes, lead, layout, values) for each awkward case, simplest first."""
    least = {n: minimum if isinstance(minimum, int) else minimum.get(n, 0) for n in [*names, "..."]}

    def sizes(row: Sequence[int], **changed: int) -> dict[str, int]:
        further = len(row) if len(row) > 1 else 0  # a row of one size makes all axes that size
        row_sizes = {n: row[i % len(row)] + further * (i // len(row)) for i, n in enumerate(names)} | changed
        return {n: max(row_sizes[n], least[n]) for n in names}

    leads = [shape for shape in LEADS if 0 not in shape or least["..."] == 0] if lead else [(3,)]
    plans: list[tuple[Any, ...]] = [(sizes(DISTINCT), leads[0], "contiguous", "integers")]
    plans += [(sizes(REVERSED), shape, "contiguous", "eighths") for shape in (leads[1:] or [(2,)])]
    if names:
        plans += [(sizes((3,)), leads[-1] if lead and 0 not in leads[-1] else (2,), "contiguous", "eighths")]
        plans += [(sizes(DISTINCT, **{n: 1}), leads[0], "contiguous", "eighths") for n in names if least[n] <= 1]
        plans += [(sizes((1,)), (1,), "contiguous", "eighths")]
    plans += [(sizes(DISTINCT), shape, layout, "eighths") for layout in LAYOUTS for shape in ([(2, 3)] if lead else [(3,)])]
    plans += [(sizes(DISTINCT, **{n: 0}), leads[0], "contiguous", "eighths") for n in names if least[n] == 0]
    for _ in range(RANDOM_CASES):
        shape = tuple(rng.choice((1, 2, 3, 5)) for _ in range(rng.randrange(0, 4))) if lead else (3,)
        row = rng.sample(range(1, 9), 6)
        plans.append((sizes(row), shape, rng.choice(("contiguous", *LAYOUTS)), "eighths"))
    unique: dict[str, tuple[Any, ...]] = {}
    for plan in plans:
        unique.setdefault(repr((sorted(plan[0].items()), plan[1] if lead else None, plan[2])), plan)
    return list(unique.values())


def _search(strategies: dict[str, SearchStrategy[Any]], count: int, seed: int) -> dict[str, list[Any]]:
    """Examples of hypothesis strategies, derandomised."""
    import hypothesis  # slow to import
    from hypothesis import strategies as st

    examples: list[dict[str, Any]] = []

    @hypothesis.settings(
        max_examples=count * 2,
        derandomize=not seed,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.fixed_dictionaries(strategies))
    def collect(example: dict[str, Any]) -> None:
        examples.append(example)

    (hypothesis.seed(seed)(collect) if seed else collect)()
    return {name: [examples[n % len(examples)][name] for n in range(count)] for name in strategies}
