"""Grade jobs one after the other, on the trusted side of one warm process. Each result is yielded at once."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator
from pathlib import Path

from torchdojo.classroom.job import Checked, Done, Faulted, Job, Message
from torchdojo.course.cache_key import of_explanations
from torchdojo.course.exercise import Dojo
from torchdojo.sandbox.linux import Zygote


class Grader:
    """One zygote, one oracle, any number of submissions."""

    def __init__(self, dojo: Dojo, zygote: Zygote, seed: int, devices: list[str], out: Path | None = None) -> None:
        """out: the class's folder, where what explanations look up is kept if the course's can't be written."""
        from torchdojo.explain.outcomes import of_course
        from torchdojo.judge.oracle import Oracle  # imports PyTorch

        self.dojo, self.zygote = dojo, zygote
        self.known = {e.id: e for e in dojo.graded()}
        self.oracle = Oracle(seed, devices=devices)
        self.kept = self.oracle.kept = of_course(dojo.root, functools.partial(of_explanations, seed=seed, devices=devices), out)
        self.jobs = 0

    def work(self, job: Job) -> Iterator[Message]:
        """The messages of one job."""
        from torchdojo.common.errors import AuthorError
        from torchdojo.explain.programs import prepare  # imports PyTorch
        from torchdojo.explain.records import records_of
        from torchdojo.judge.session import Session
        from torchdojo.submission.folder import Submission

        if self.jobs == 0:  # graders and PyTorch stay in memory: the garbage collector can skip them
            gc.collect()
            gc.freeze()
        files = {i: Path(p) for i, p in job.files.items()}
        folder = Path(job.folder) if job.folder else None
        submission = Submission(job.student, files, job.refused, folder, course=self.dojo.root, ours=True)
        session = Session(self.zygote, submission, self.oracle)
        try:
            for exercise_id in job.exercises:
                exercise = self.known[exercise_id]
                try:
                    count = len(exercise.grading.checks)
                except AuthorError:
                    count = 1
                if job.prepare:
                    prepare(session, exercise)
                    continue
                for place, check in enumerate(records_of(session, exercise, explain=job.explain)):
                    while session.faults:
                        yield Faulted(exercise_id, session.faults.pop(0).text)
                    yield Checked(exercise_id, check, place, last=place == count - 1)
        finally:
            session.close()
            self.kept.save()
        self.jobs += 1
        if self.jobs == 1:  # and the memory of imports and answers
            gc.collect()
            gc.freeze()
        yield Done(session.layers)
