"""What a course says about itself: the table `[tool.torchdojo]` in its pyproject.toml."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torchdojo.common.errors import UsageError
from torchdojo.course.late import LateRule, late_rule

SWITCHES = {"alike": "alike", "assistants": "assistants", "break": "breaks"}  # key in the file, and its name here


@dataclass(frozen=True)
class CourseSettings:
    """reveal: how much of the hidden checks is shown (see `torchdojo.explain.reveal`); requirements: what exercises need besides
    PyTorch, as pip takes it; points: of exercises, by id, where they are not the sum of their checks; late: what lateness costs,
    None for nothing; assistants: False where `evidence` and `mcp` are switched off; alike, breaks: the same for `alike` and
    `break`."""

    reveal: str | None = None
    requirements: tuple[str, ...] = ()
    points: dict[str, float] = field(default_factory=dict)
    late: LateRule | None = None
    assistants: bool = True
    alike: bool = True
    breaks: bool = True

    @property
    def switched_off(self) -> list[str]:
        """The keys that are "off", in alphabetical order."""
        return [key for key, name in SWITCHES.items() if not getattr(self, name)]

    def text(self, reveal: str, exercises: Collection[str]) -> str:
        """A pyproject.toml with these settings for a copy of the course that has only these exercises, and reveals so much."""
        known: dict[str, str | list[str]] = {"reveal": reveal, "requirements": list(self.requirements)}
        tables = {"points": {k: v for k, v in self.points.items() if k in exercises}}
        tables["late"] = {k: v for k, v in asdict(self.late).items() if v or (v == 0 and k == "cutoff_days")} if self.late else {}
        known |= dict.fromkeys(self.switched_off, "off")
        lines = ["[tool.torchdojo]", *(f"{key} = {json.dumps(value)}" for key, value in known.items())]
        for name, table in tables.items():
            if table:
                lines += ["", f"[tool.torchdojo.{name}]", *(f"{_key(k)} = {json.dumps(v)}" for k, v in table.items())]
        return "\n".join(lines) + "\n"


def settings_of(root: Path) -> CourseSettings:
    """The settings of the course in a folder; the defaults where it has none. Raises UsageError that names the file and the key."""
    file = root / "pyproject.toml"
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return CourseSettings()
    return _read(file, changed)


@functools.lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> CourseSettings:
    from torchdojo.common import toml  # late: every grader imports this module

    try:
        table = toml.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("torchdojo", {})
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {error}; correct it") from None
    reveal, requirements, points = table.get("reveal"), table.get("requirements", []), table.get("points", {})
    keys = sorted([*SWITCHES, "check", "late", "points", "requirements", "reveal"])
    if unknown := sorted(table.keys() - {*keys}):
        raise _wrong(file, unknown[0], f"is not known; there are {', '.join(keys)}")
    switches = {key: table.get(key, "on") for key in SWITCHES}
    if wrong := [key for key, value in switches.items() if value not in ("on", "off")]:
        raise _wrong(file, wrong[0], 'is "on" or "off"')
    if not isinstance(requirements, list) or not all(isinstance(r, str) and _is_plain(r) for r in requirements):
        raise _wrong(file, "requirements", 'is a list of what pip takes, as in ["einops>=0.8"]')
    if not isinstance(points, dict) or not all(_is_points(v) for v in points.values()):
        raise _wrong(file, "points", 'is a table of whole or decimal points above 0, as in "01_basics/ex01_columns" = 5')
    try:
        late = late_rule(table.get("late"))
    except ValueError as error:
        raise UsageError(f"{file}: [tool.torchdojo] {error}; correct it") from None
    shown = None if reveal is None else str(reveal)
    on = {SWITCHES[key]: value == "on" for key, value in switches.items()}
    return CourseSettings(shown, tuple(requirements), {k: float(v) for k, v in points.items()}, late, **on)


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _is_plain(requirement: str) -> bool:
    """Is it a line that shells and requirement files take whole? Quotes would end the word around it."""
    return bool(requirement.strip()) and not requirement.startswith("-") and not set(requirement) & set("'\"\\\n\r$`@#")


def _is_points(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e6


def _wrong(file: Path, key: str, problem: str) -> UsageError:
    return UsageError(f"{file}: [tool.torchdojo] {key} {problem}; correct it")
