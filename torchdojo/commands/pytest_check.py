"""`pytest --torchdojo-check pyproject.toml`: what `torchdojo check` reports, as an item for each pair of code and exercise.

    [tool.torchdojo.check]
    "model.py:CausalSelfAttention" = "attention"
    "optim.py:Adam" = {as = "adam", allow = ["shared-count"], adapter = "adapter.py"}

The table doesn't make the project a course: nothing else of torchdojo reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from torchdojo.commands.check import Request, adapter_needed, course_of, exercise_called, proposed, report_on, workers_for
from torchdojo.common import temporary, toml
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise
from torchdojo.sandbox.devices import asked_for

KEYS = {"as", "allow", "adapter"}


class NotRight(Exception):
    """Something is wrong, or can't be checked; the message is the report, or the reason."""


def requests_in(file: Path, device: str | None) -> list[Request]:
    """The pairs that a file lists. Raises UsageError that names the key."""
    try:
        pairs = toml.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("torchdojo", {}).get("check")
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {error}; correct it") from None
    if not isinstance(pairs, dict) or not pairs:
        raise UsageError(f'{file} lists nothing to check; write [tool.torchdojo.check] and a line such as "model.py:Adam" = "adam"')
    requests = []
    for target, value in pairs.items():
        entry = {"as": value} if isinstance(value, str) else value
        where = f"{file}: [tool.torchdojo.check] {target}"
        if not isinstance(entry, dict) or not isinstance(entry.get("as"), str) or entry.keys() - KEYS:
            raise UsageError(
                f'{where} is an exercise, or a table of as, allow and adapter, as in {{as = "adam", allow = ["zeros"]}}'
            )
        allow, adapter = entry.get("allow", []), entry.get("adapter")
        if not isinstance(allow, list) or not all(isinstance(name, str) for name in allow):
            raise UsageError(f'{where}: allow is a list of conventions, as in ["zeros"]')
        if not isinstance(adapter, str | None):
            raise UsageError(f"{where}: adapter is the name of a file")
        requests.append(Request(target, entry["as"], adapter, tuple(allow), device, here=file.parent))
    return requests


class Workers:
    """What the items of one pytest process share. The first item creates it."""

    def __init__(self, exercises: list[Exercise], config: pytest.Config) -> None:
        self.stack = ExitStack()
        self.zygote, self.devices = self.stack.enter_context(workers_for(exercises, asked_for(config.getoption("--device"))))

    def close(self) -> None:
        self.stack.close()
        temporary.remove()


class CheckFile(pytest.File):
    """A file with the table `[tool.torchdojo.check]`."""

    def collect(self) -> Iterator[CodeItem]:
        try:
            dojo = course_of(None)
            pairs = [(r, exercise_called(dojo, r.wanted)) for r in requests_in(self.path, self.config.getoption("--device"))]
        except UsageError as error:
            raise self.CollectError(str(error)) from None
        exercises = [exercise for _, exercise in pairs]
        for request, exercise in pairs:
            name = f"{request.target} as {exercise.id}"
            yield CodeItem.from_parent(self, name=name, request=request, exercise=exercise, exercises=exercises)


class CodeItem(pytest.Item):
    """The checks of one exercise on one piece of code."""

    def __init__(self, *, request: Request, exercise: Exercise, exercises: list[Exercise], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.request, self.exercise, self.exercises = request, exercise, exercises
        self.add_marker(pytest.mark.timeout(0))  # the engine has its own

    def runtest(self) -> None:
        from torchdojo.check.text import text_of  # imports PyTorch

        if not hasattr(self.config, "dojo_workers"):
            workers = self.config.dojo_workers = Workers(self.exercises, self.config)  # type: ignore[attr-defined]
            self.config.add_cleanup(workers.close)
        workers = self.config.dojo_workers  # type: ignore[attr-defined]
        try:
            found = proposed(self.exercise, self.request)
            if not found.complete:
                raise NotRight("\n".join(adapter_needed(found, self.request, self.exercise)))
            report = report_on(workers.zygote, self.exercise, found, self.request, workers.devices)
        except UsageError as error:
            raise NotRight(str(error)) from None
        if report.exit_code():
            text = text_of(report, found.theirs, found.table, self.request.target.rpartition(":")[0])
            raise NotRight("\n".join([text, *report.faults]))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, NotRight) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name
