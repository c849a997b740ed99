"""All pictures of the lessons, as texts."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import torch

from torchdojo.course.exercise import Dojo

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def reference(exercise: str) -> Any:
    """Our solution of an exercise."""
    return Dojo(ROOT).select(exercise)[0].reference_module


def file_of(name: str) -> Path:
    """Where '03_autograd/graph' is stored."""
    chapter, _, stem = name.partition("/")
    return ROOT / "exercises" / chapter / "pictures" / f"{stem}.svg"


def drawn() -> dict[str, str]:
    """{'03_autograd/graph': the SVG} of all chapters."""
    return {f"{module.__name__}/{name}": svg for module in _modules() for name, svg in _pictures(module)}


def _modules() -> Iterator[ModuleType]:
    sys.path.insert(0, str(HERE))
    try:
        for file in sorted(HERE.glob("[0-9]*.py")):
            yield importlib.import_module(file.stem)
    finally:
        sys.path.remove(str(HERE))


def _pictures(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, draw in vars(module).items():
        if isinstance(draw, FunctionType) and draw.__module__ == module.__name__ and not name.startswith("_"):
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(0)
                yield name, draw().svg()
