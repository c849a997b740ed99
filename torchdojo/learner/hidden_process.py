"""A process that grades exercises with the hidden checks, if the learner's copy has them.

It is the trusted side of `torchdojo grade`, kept warm: learner files run in locked-down workers that it forks. It reads and
writes lines of JSON: `{"ticket": 3, "root": ..., "exercise": id}` in; status, points and feedback of each check out.
`{"points": [ids]}` asks what exercises are worth. A new request ends the previous one after its current check.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

from torchdojo.common.fields import fields_in
from torchdojo.common.processes import to_nowhere
from torchdojo.learner.verdicts import Answer, HiddenCheck, Request
from torchdojo.learner.visible_process import send


def main() -> None:
    """Entry of the process that `helper_process` starts."""
    out = os.dup(1)
    to_nowhere(1)
    from torchdojo.sandbox.start import start

    zygote = start(["sim", "optim"])  # before graders and references are imported
    from torchdojo import sim  # imports PyTorch
    from torchdojo.judge.oracle import Oracle

    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    send(out, {"ready": True})
    oracle = Oracle(0, devices=["cpu"] if sim.why_not() else ["cpu", "sim"])  # locked workers can't use a GPU
    while line := requests.get():
        request: Request = json.loads(line)
        answer: Answer | None = None
        try:
            if "points" in request:
                answer = {"points": points(request)}
            elif "exercise" in request:
                answer = grade(request, zygote, oracle, requests)
        except Exception as error:
            answer = {"fault": f"{type(error).__name__}: {error}"}
        if answer is not None:
            send(out, {"ticket": request["ticket"], **answer})
    zygote.close()
    os._exit(0)


def listen(requests: queue.SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    requests.put(b"")


def grade(request: Request, zygote: Any, oracle: Any, requests: queue.SimpleQueue[bytes]) -> Answer | None:
    """The record of the exercise as plain data; None when another request has come."""
    from torchdojo.course.exercise import Dojo
    from torchdojo.explain.records import grade_submission  # imports PyTorch
    from torchdojo.explain.reveal import level_for
    from torchdojo.submission.opening import open_submission

    dojo = Dojo(Path(request["root"]))
    wanted = [e for e in dojo.graded() if e.id == request["exercise"]]
    submission, exercises = open_submission(dojo.root / "exercises", dojo, wanted)
    record = None
    running = grade_submission(zygote, submission, exercises, oracle, level_for(dojo.root, None))
    with contextlib.closing(running):  # type: ignore[type-var]
        for _, newest, _ in running:
            record = newest
            if not requests.empty():
                return None
    if record is None:
        return {"fault": f"{request['exercise']} has no hidden checks"}
    return {
        "status": record.status,
        "done": record.done,
        "star": record.star,
        "score": record.score,
        "max_score": record.max_score,
        "checks": [fields_in(vars(check), HiddenCheck) for check in record.checks],
    }


def points(request: Request) -> dict[str, float]:
    """What each exercise is worth."""
    from torchdojo.course.exercise import Exercise  # imports PyTorch

    return {id: sum(c.points for c in Exercise(Path(request["root"]), id).grading.checks) for id in request["points"]}
