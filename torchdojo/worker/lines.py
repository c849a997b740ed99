"""Record which lines of a learner's file a failed check runs, to search for repairs there. No verdict depends on it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from torchdojo.worker import audit


def noting_lines(function: Callable[..., Any]) -> Callable[..., list[int]]:
    """The function of a check, returning how many steps it makes in the learner's file, and at which lines."""

    def lines_run(solution: Any, **arguments: Any) -> list[int]:
        file, steps = solution._module.__file__, Counter[int]()

        def on_line(frame: FrameType, event: str, argument: Any) -> Any:
            steps[frame.f_lineno] += 1
            return on_line

        before = sys.gettrace()
        audit.set_hook(sys.settrace, lambda frame, event, argument: on_line if frame.f_code.co_filename == file else None)
        try:
            function(solution, **arguments)
        except BaseException:  # the lines before it did run
            pass
        finally:
            audit.set_hook(sys.settrace, before)
        return [steps.total(), *sorted(steps)]

    lines_run.__name__ = f"lines_of_{function.__name__}"
    return lines_run
