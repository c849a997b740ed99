"""Propose which argument of other code is which argument of an exercise. What isn't known stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from torchdojo.check.definition import Definition, Parameter
from torchdojo.grading.public import Public

OPEN = "..."
CONFIGS = ("config", "cfg", "conf", "args", "params", "hparams", "opt", "model_args")
USUAL = {  # values that change nothing, or leave room
    "0.0": "dropout dropout_p dropout_rate p_dropout drop attn_drop proj_drop attn_dropout attention_dropout resid_dropout"
    " attn_pdrop resid_pdrop embd_pdrop hidden_dropout",
    "True": "bias use_bias qkv_bias attn_bias use_qkv_bias affine elementwise_affine",
    "128": "block_size context_length context context_size max_len max_length max_seq_len max_seq_length max_position_embeddings"
    " sequence_length seq_len seq_length n_ctx window_size max_context",
    "False": "flash use_flash maximize amsgrad debug verbose inplace",
    "None": "device dtype",
}
VALUES = {name: value for value, names in USUAL.items() for name in names.split()}


@dataclass(frozen=True)
class Row:
    """One line of the table. theirs: the argument; ours: the expression that it gets; how: 'name', 'known as', 'position',
    'usual value', or 'open'."""

    theirs: str
    ours: str
    how: str


@dataclass(frozen=True)
class Match:
    """How the arguments of a definition are filled from those of the exercise's.

    create, call: rows for __init__ and for the call. unused: arguments of ours that nothing gets. layers: which layers of theirs
    make up one of ours. config: the argument of __init__ that gets an object with these rows as attributes.
    """

    create: tuple[Row, ...] = ()
    call: tuple[Row, ...] = ()
    unused: tuple[str, ...] = ()
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    config: str = ""
    problems: tuple[str, ...] = ()

    @property
    def open(self) -> list[str]:
        """What an adapter leaves open: arguments without a value, and layers that were not found."""
        return [*(row.theirs for row in (*self.create, *self.call) if row.how == "open"), *self.problems]


def match(theirs: Definition, ours: Definition, public: Public) -> Match:
    """Propose a match. theirs: the code that is checked; ours: the exercise's function or class."""
    create, config = theirs.create or (), ""
    needed = [p.name for p in create if p.default is None]
    if len(needed) == 1 and needed[0] in theirs.fields and needed[0] in CONFIGS:
        config = needed[0]
        create = tuple(Parameter(name) for name in theirs.fields[config])
    both = theirs.kind == "function" or ours.kind == "function"  # then a module is created and called at once
    ours_create = (ours.call or ()) if both else (ours.create or ())
    rows = _rows(create, ours_create, public, positions=not config)
    call = _rows(theirs.call or (), ours.call or (), public, positions=True)
    got = " ".join(row.ours for row in (*rows, *call))
    given = {p.name for p in (*(ours.create or ()), *(ours.call or ()))}
    unused = tuple(sorted(name for name in given if not re.search(rf"\b{name}\b", got)))
    layers, missing = _layers(theirs, public) if theirs.kind == "Module" and ours.kind == "Module" else ({}, [])
    return Match(rows, call, unused, layers, config, tuple(missing))


def _rows(theirs: tuple[Parameter, ...], ours: tuple[Parameter, ...], public: Public, positions: bool) -> tuple[Row, ...]:
    known = {p.name for p in ours}
    found: dict[str, Row] = {}
    for p in theirs:
        expression = public.takes.get(p.name, "")
        used = {name for name in re.findall(r"[A-Za-z_]\w*", expression)}
        if p.name in known:
            found[p.name] = Row(p.name, p.name, "name")
        elif expression and (used & known or not used):
            found[p.name] = Row(p.name, expression, "known as")
    taken = {row.ours for row in found.values()}
    left = [p for p in theirs if p.name not in found and p.default is None and p.name not in VALUES]
    free = [p for p in ours if p.default is None and p.name not in taken]
    if positions and left and len(left) == len(free) and not any(p.keyword_only for p in left):
        found |= {p.name: Row(p.name, o.name, "position") for p, o in zip(left, free, strict=True)}
    for p in theirs:
        if p.name not in found and p.name in VALUES and (p.default is None or (p.default != "None" and VALUES[p.name] == "0.0")):
            found[p.name] = Row(p.name, VALUES[p.name], "usual value")
        elif p.name not in found and p.default is None:
            found[p.name] = Row(p.name, OPEN, "open")
    return tuple(found[p.name] for p in theirs if p.name in found)


def _layers(theirs: Definition, public: Public) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Which attributes make up each of our layers, and the layers of ours that nothing was found for."""
    found: dict[str, tuple[str, ...]] = {}
    missing: list[str] = []
    for name, alternatives in public.layers.items():
        for patterns in ((re.escape(name),), *alternatives):
            hits = [[part for part in theirs.parts if re.fullmatch(pattern, part, re.IGNORECASE)] for pattern in patterns]
            if all(len(hit) == 1 for hit in hits):
                found[name] = tuple(hit[0] for hit in hits)
                break
        else:
            missing.append(f"the layers of {name}")
    return found, missing


def table(theirs: Definition, ours: Definition, found: Match) -> list[str]:
    """The table that people read: theirs, ours, and how they were matched."""
    rows = [(f"{found.config}.{r.theirs}" if found.config else r.theirs, r.ours, r.how) for r in found.create]
    rows += [(r.theirs, r.ours, r.how) for r in found.call]
    rows += [(" + ".join(parts), name, "layer") for name, parts in found.layers.items()]
    rows += [("(nothing)", name, "unused") for name in found.unused]
    rows = [(f"{theirs.name} ({theirs.file.name} line {theirs.line})", ours.name, "matched by"), *rows]
    first, second = (max(len(row[place]) for row in rows) for place in (0, 1))
    return [f"  {a:{first}}  ->  {b:{second}}  {c}".rstrip() for a, b, c in rows]
