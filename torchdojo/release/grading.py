"""The files that grade a release on another system: graders and engine in one folder, with the scripts that the system starts.

All of it is for instructors only. None of it may go into a student repo.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from torchdojo.common.errors import UsageError
from torchdojo.course import given
from torchdojo.course.cache_key import of_explanations
from torchdojo.course.lesson_text import lesson_of
from torchdojo.course.settings import settings_of
from torchdojo.explain.outcomes import NAME, of_course
from torchdojo.release import wheel
from torchdojo.release.files import MANIFEST, Release, filled, torch_pin
from torchdojo.sandbox.devices import at_hand

SETTINGS = "release.json"
PRIVATE_TEMPLATES = {"grade.yml": ".github/workflows/grade.yml", "gitlab_ci.yml": ".gitlab-ci.yml", "gitignore": ".gitignore"}
PRIVATE_TEMPLATES |= {"ci_grade.sh": "ci/grade.sh", "ci_submissions.sh": "ci/submissions.sh"}


def grading_files(release: Release, seed: int) -> dict[str, bytes]:
    """Path to content: `dojo/` with stubs, graders and references of what is released, the engine, and the settings."""
    root = release.dojo.root
    files: dict[str, bytes] = {}
    for e in release.exercises:
        for file in (e.stub, *e.grader_files, e.reference, e.variants_file):
            if file.exists():
                files[f"dojo/{file.relative_to(root).as_posix()}"] = file.read_bytes()
    for chapter in release.chapters:
        files |= {f"dojo/{path}": data for path, data in given.contents(root, chapter).items()}
        lesson = lesson_of(root, chapter)
        if lesson.exists():
            files[f"dojo/exercises/{chapter}/README.md"] = lesson.read_bytes()
    files |= explanations(release, seed)
    files["dojo/conftest.py"] = b""
    files["dojo/pyproject.toml"] = settings_of(root).text(release.reveal, release.points).encode()
    files[f"vendor/{wheel.name()}"] = wheel.engine()
    settings = {"reveal": release.reveal, "seed": seed, "points": release.points}
    files[SETTINGS] = (json.dumps(settings, indent=1) + "\n").encode()
    return files


def explanations(release: Release, seed: int) -> dict[str, bytes]:
    """What explanations look up, of the exercises for which it has been computed; nothing where that is none."""
    kept = of_course(release.dojo.root, lambda exercise: of_explanations(exercise, seed, at_hand(None)))
    with tempfile.TemporaryDirectory(prefix="torchdojo-release-") as folder:
        file = Path(folder) / NAME
        return {f"dojo/{NAME}": file.read_bytes()} if kept.copy(release.exercises, file) else {}


def requirements(root: Path) -> list[str]:
    """PyTorch, and what else the course's settings ask for, as pip takes it."""
    return [torch_pin(root), *settings_of(root).requirements]


def words(release: Release) -> dict[str, str]:
    """The values for this module's templates."""
    needed = requirements(release.dojo.root)
    return {
        "REQUIREMENTS": " ".join(f"'{word}'" for word in needed),  # a shell's words
        "REQUIRED": ", ".join(f'"{word}"' for word in needed),  # Python's
        "WHEEL": f"vendor/{wheel.name()}",
    }


def gradescope_zip(release: Release, seed: int) -> bytes:
    """The autograder to upload: setup.sh and run_autograder at the root of the archive."""
    scripts = {name: filled(f"gradescope_{name}", words(release)).encode() for name in ("setup.sh", "run_autograder")}
    return wheel.zipped({**scripts, **grading_files(release, seed)}, executable=tuple(scripts))


def classroom50_files(release: Release, seed: int) -> dict[str, bytes]:
    """The folder of one assignment: `autograder.py` and what it needs."""
    return {"autograder.py": filled("classroom50_autograder.py.txt", words(release)).encode(), **grading_files(release, seed)}


def private_files(release: Release, seed: int) -> dict[str, bytes]:
    """The instructor's private repo: the graders, and the workflows of GitHub and GitLab that grade a class with them."""
    root = release.dojo.root
    only = " ".join(f"--only {chapter}" for chapter in release.chapters)
    filling = words(release) | {"ONLY": only, "SEED": str(seed)}
    workflows = {path: filled(template, filling).encode() for template, path in PRIVATE_TEMPLATES.items()}
    files = grading_files(release, seed)
    settings = replace(settings_of(root), points=release.points)  # `grade` reads no release.json
    files["dojo/pyproject.toml"] = settings.text(release.reveal, release.points).encode()
    files["requirements.txt"] = "".join(f"{line}\n" for line in requirements(root)).encode()
    return {**workflows, **files}


def away_from_students(place: Path, target: Path | None) -> None:
    """Raises UsageError for a place in a student repo: in `target`, or in any that was released before."""
    around = [place.resolve(), *place.resolve().parents]
    if (target and target.resolve() in around) or any(_for_students(folder / MANIFEST) for folder in around):
        raise UsageError(f"{place} is inside a student repo, where students could read the graders; name a folder outside")


def _for_students(manifest: Path) -> bool:
    try:
        return bool(json.loads(manifest.read_bytes())["for"] != "grading")
    except FileNotFoundError:
        return False
    except (OSError, ValueError, KeyError, TypeError):
        return True  # whatever it is, it is one of ours
