"""The files that make a release a question of PrairieLearn or a test runner of Exercism.

Both grade one exercise at a time, so each exercise gets settings of its own. All of it is for instructors only.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from typing import Any

from torchdojo.course.exercise import Exercise
from torchdojo.release import wheel
from torchdojo.release.files import Release, filled
from torchdojo.release.grading import SETTINGS, grading_files, words

IMAGE = "torchdojo-grader"  # the image's name, until the instructor publishes it under another one


def prairielearn_files(release: Release, seed: int) -> dict[str, bytes]:
    """Path to content of folders for a course's `questions/`, one for each exercise; the folder `image/` for docker build."""
    files = _image(release, "image/")
    for exercise in release.exercises:
        alone = _alone(release, exercise)
        inner = {path: data for path, data in grading_files(alone, seed).items() if not path.startswith("vendor/")}
        file = f"{exercise.stem}.py"
        files |= {f"{exercise.stem}/tests/{path}": data for path, data in inner.items()}
        files[f"{exercise.stem}/tests/run.sh"] = filled("prairielearn_run.sh", {}).encode()
        files[f"{exercise.stem}/question.html"] = filled("prairielearn_question.html", {"FILE": file}).encode()
        files[f"{exercise.stem}/{file}"] = exercise.stub.read_bytes()
        files[f"{exercise.stem}/info.json"] = _info(exercise)
    return files


def exercism_files(release: Release, seed: int) -> dict[str, bytes]:
    """Path to content of a test runner's repository: `bin/run.sh`, the image, graders, and the settings of each slug."""
    files = {path: data for path, data in grading_files(release, seed).items() if path != SETTINGS} | _image(release, "")
    files["bin/run.sh"] = filled("exercism_run.sh", {}).encode()
    files["Dockerfile"] += (
        b'COPY . /opt/test-runner\nWORKDIR /opt/test-runner\nENTRYPOINT ["bash", "/opt/test-runner/bin/run.sh"]\n'
    )
    for exercise in release.exercises:
        known = {"reveal": release.reveal, "seed": seed, "points": {exercise.id: release.points[exercise.id]}}
        files[f"releases/{slug(exercise)}.json"] = _json(known)
    return files


def slug(exercise: Exercise) -> str:
    """'tensor-card' for 01_tensors/ex01_tensor_card: the name is unique over all chapters."""
    return exercise.stem.partition("_")[2].replace("_", "-")


def _alone(release: Release, exercise: Exercise) -> Release:
    return replace(release, exercises=[exercise], points={exercise.id: release.points[exercise.id]})


def _info(exercise: Exercise) -> bytes:
    """A question's info.json. The same for the same exercise, so that a later release updates the question."""
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"torchdojo/{exercise.id}")),
        "title": exercise.facts["title"],
        "topic": exercise.chapter,
        "type": "v3",
        "singleVariant": True,
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": IMAGE,
            "entrypoint": "bash /grade/tests/run.sh",
            "timeout": 120,
            "enableNetworking": False,
        },
    }
    return _json(info)


def _image(release: Release, folder: str) -> dict[str, bytes]:
    dockerfile = filled("grader_dockerfile", words(release) | {"IMAGE": IMAGE}).encode()
    return {f"{folder}Dockerfile": dockerfile, f"{folder}vendor/{wheel.name()}": wheel.engine()}


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
