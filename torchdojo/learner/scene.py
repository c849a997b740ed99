"""The modules and the `sys.path` entry of one exercise, in a process that runs many.

Two chapters may have files with the same name, `helper.py` or a whole exercise. Python caches modules by name alone, so the
second chapter would get the modules of the first.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

SEED = 20261126  # unusual: code that seeds the global generator itself must not get the state that is there already


def seed_generators() -> None:
    """Seed the global generators of Python, NumPy and PyTorch, so that a wrong answer is wrong in the same way each time."""
    random.seed(SEED)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(SEED)
    if torch := sys.modules.get("torch"):
        torch.default_generator.manual_seed(SEED)


class Scene:
    """The modules that one exercise has imported from its own folders.

    folders: those of the exercise's file and of its tests, which differ with --submission.
    """

    def __init__(self, *folders: Path) -> None:
        self.folders = list(dict.fromkeys(str(folder) for folder in folders))
        self.modules: dict[str, ModuleType] = {}
        self.depth = 0

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Within a `with` block imports find this exercise's modules, and none of another exercise's."""
        if self.depth:
            yield
            return
        self.depth = 1
        added = [folder for folder in self.folders if folder not in sys.path]
        sys.path += added  # at the end, so that no helper hides a real package
        hidden = {name: sys.modules.pop(name) for name in self._of_others()}
        hidden |= {name: sys.modules[name] for name in self.modules if name in sys.modules}
        sys.modules.update(self.modules)
        before = dict(sys.modules)
        try:
            yield
        finally:
            new = [name for name, module in list(sys.modules.items()) if before.get(name) is not module or name in self.modules]
            self.modules = {name: sys.modules[name] for name in new if name in sys.modules and self._is_mine(sys.modules[name])}
            for name in self.modules:
                del sys.modules[name]
            sys.modules.update(hidden)
            sys.path[:] = [folder for folder in sys.path if folder not in added]
            self.depth = 0

    def _of_others(self) -> list[str]:
        """Modules with the name of a file next to the exercise that come from another chapter, such as a conftest.py or a module
        that a learner's test file imported."""
        stems = []
        for folder in map(Path, self.folders):
            with contextlib.suppress(OSError):
                for file in folder.glob("*.py"):
                    place = _place(sys.modules.get(file.stem))
                    if place and not place.startswith(f"{folder}/") and Path(place).is_relative_to(folder.parent.parent):
                        stems.append(file.stem)
        return list(dict.fromkeys(stems))

    def _is_mine(self, module: Any) -> bool:
        place = _place(module)
        return bool(place) and any(Path(place).is_relative_to(folder) for folder in self.folders)


def _place(module: Any) -> str:
    """The file of a module, or the folder of a package without one; '' for none. Nothing of the module is run."""
    names = getattr(module, "__dict__", {})
    file = names.get("__file__")
    if isinstance(file, str):
        return file
    try:
        return str(next(iter(names.get("__path__") or ()), ""))
    except Exception:  # a module may have put anything there
        return ""
