"""Grade jobs one after the other, on the trusted side of one warm process. Each result is yielded at once, as plain data.

A job is a dict: "student", "exercises" (ids to grade), "files" (exercise id to path), "refused" (id to sentence), "folder".
Messages are dicts too: {"check": record, "place": n, "last": bool}, {"fault": traceback}, {"done": True, "layers": [...]}. All
but the last contain "exercise". The same messages go over a pipe from a forked process or over a network from another machine.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torchdojo.course.exercise import Dojo
from torchdojo.sandbox.linux import Zygote

Job = dict[str, Any]
Message = dict[str, Any]


class Grader:
    """One zygote, one oracle, any number of submissions."""

    def __init__(self, dojo: Dojo, zygote: Zygote, seed: int, devices: list[str]) -> None:
        from torchdojo.judge.oracle import Oracle

        self.dojo, self.zygote = dojo, zygote
        self.known = {e.id: e for e in dojo.graded()}
        self.oracle = Oracle(seed, devices=devices)
        self.jobs = 0

    def work(self, job: Job) -> Iterator[Message]:
        """The messages of one job."""
        from torchdojo.common.errors import AuthorError
        from torchdojo.explain.records import records_of
        from torchdojo.judge.session import Session
        from torchdojo.submission.folder import Submission

        files = {i: Path(p) for i, p in job["files"].items()}
        folder = Path(job["folder"]) if job["folder"] else None
        session = Session(
            self.zygote, Submission(job["student"], files, job["refused"], folder, course=self.dojo.root, ours=True), self.oracle
        )
        try:
            for exercise_id in job["exercises"]:
                exercise = self.known[exercise_id]
                try:
                    count = len(exercise.grading.checks)
                except AuthorError:
                    count = 1
                for place, check in enumerate(records_of(session, exercise)):
                    while session.faults:
                        yield {"exercise": exercise_id, "fault": session.faults.pop(0).text}
                    yield {"exercise": exercise_id, "check": dict(vars(check)), "place": place, "last": place == count - 1}
        finally:
            session.close()
        self.jobs += 1
        if self.jobs == 1:  # the graders, the oracle's answers and PyTorch stay for good: the collector need not look again
            gc.collect()
            gc.freeze()
        yield {"done": True, "layers": session.layers}


def fault_of(error: BaseException) -> Message:
    """A fault that ended a job, as a message."""
    return {"fault": "".join(traceback.format_exception(error)), "exercise": ""}
