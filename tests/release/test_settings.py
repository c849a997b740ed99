"""Every setting of a course reaches every target of `release`, and what is in force is said."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import fields
from pathlib import Path

import click
import pytest
from delivery_dojo import make_delivery_dojo
from tiny_dojo import DOUBLE, write

from torchdojo.commands import release
from torchdojo.course.settings import CourseSettings, settings_of

SETTINGS = f"""[tool.torchdojo]
reveal = "none"
assistants = "off"
break = "off"
requirements = ["einops>=0.8"]

[tool.torchdojo.points]
"{DOUBLE}" = 12

[tool.torchdojo.late]
percent_per_day = 15
cutoff_days = 6
"""
TARGETS = ("students", "gradescope", "classroom50", "nbgrader", "prairielearn", "exercism", "grading")
COPIED = r'dojo/pyproject\.toml: \[tool\.torchdojo\]\n'  # the course in a grading bundle; `deliver` reads the settings beside it
POINTS, RELEASED = rf'"{DOUBLE}": 12\b', r'release(?:s/double)?\.json: \{.*?'
# {(setting, target): what the target's files must contain, as "PATH: CONTENT"}. None: the target has no use for it, and why is said.
WANT: dict[tuple[str, str], str | None] = {
    ("reveal", "students"): r"README\.md: .*You are told which hidden checks pass, and their points\.",
    ("reveal", "nbgrader"): r'torchdojo\.json: .*"reveal": "none"',
    ("requirements", "students"): r"requirements\.txt: .*einops>=0\.8",
    ("requirements", "nbgrader"): r"01_toys\.ipynb: .*%pip install -q 'einops>=0\.8'",
    ("requirements", "gradescope"): r"setup\.sh: .*'einops>=0\.8'",
    ("requirements", "classroom50"): r'autograder\.py: .*"einops>=0\.8"',
    ("requirements", "prairielearn"): r"image/Dockerfile: .*'einops>=0\.8'",
    ("requirements", "exercism"): r"Dockerfile: .*'einops>=0\.8'",
    ("requirements", "grading"): r"requirements\.txt: .*einops>=0\.8",
    ("points", "students"): rf"torchdojo\.json: .*{POINTS}",
    ("points", "nbgrader"): r'01_toys\.ipynb: .*"grade_id": "ex01_double-points",[^}]*"points": 12\b',
    ("late", "students"): r"README\.md: .*Late work costs points: minus 15% of the points per started day, no points after 6 days\.",
    ("assistants", "students"): r'pyproject\.toml: \[tool\.torchdojo\]\nassistants = "off"\n',
    ("breaks", "students"): r'pyproject\.toml: \[tool\.torchdojo\]\nassistants = "off"\nbreak = "off"\n',
    ("assistants", "nbgrader"): None,  # its notebooks come without a course, so `evidence` and `mcp` have nothing to read
    ("breaks", "nbgrader"): None,  # as for `evidence`
    ("late", "nbgrader"): None,  # the course itself grades, and `report` writes what counts
}
WANT |= {("alike", target): None for target in TARGETS}  # `alike` reads the course itself
for bundle in ("gradescope", "classroom50", "prairielearn", "exercism", "grading"):
    WANT["reveal", bundle] = rf'{RELEASED}"reveal": "none".*{COPIED}reveal = "none"|{COPIED}reveal = "none".*{RELEASED}"reveal": "none"'
    WANT["assistants", bundle] = r'dojo/pyproject\.toml: \[tool\.torchdojo\]\nreveal = "none"\nrequirements = .*?\nassistants = "off"\n'
    WANT["breaks", bundle] = r'dojo/pyproject\.toml: \[tool\.torchdojo\]\n.*?\nbreak = "off"\n'
    WANT["points", bundle] = rf"{RELEASED}{POINTS}"
    WANT["late", bundle] = r"dojo/pyproject\.toml: .*\[tool\.torchdojo\.late\]\npercent_per_day = 15\.0\ncutoff_days = 6\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_delivery_dojo(tmp_path_factory.mktemp("course"))
    write(root / "pyproject.toml", SETTINGS)
    return root


def released(course: Path, out: Path, *targets: str, **options: object) -> None:
    """`torchdojo release` from the course's folder."""
    words = {name: str(out / name) + ".zip" * (name == "gradescope") for name in targets if name != "students"}
    defaults = {"chapters": (), "fast_track": False, "points": None, "reveal": None, "hints": None, "check": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course)
        patch.setattr("torchdojo.release.wheel.engine", lambda **_: b"")
        release.run(str(out / "students") if "students" in targets else None, **{**defaults, **words, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def everything(course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All files of each target as one text."""
    out = tmp_path_factory.mktemp("out")
    released(course, out, *TARGETS)
    with zipfile.ZipFile(out / "gradescope.zip") as archive:
        archive.extractall(out / "gradescope")
    return {target: text_of(out / target) for target in TARGETS}


def text_of(folder: Path) -> str:
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix != ".whl" and f.suffix != ".sqlite")
    return "\n".join(f"{f.relative_to(folder).as_posix()}: {f.read_text(encoding='utf-8')}" for f in files)


def test_every_pair_is_thought_of() -> None:
    """A new setting, or a new option of `release`, needs a line here."""
    options = {o.name for o in release.command.params if isinstance(o, click.Option) and isinstance(o.type, click.Path)}
    assert {"students", *options} == set(TARGETS)
    assert set(WANT) == {(field.name, target) for field in fields(CourseSettings) for target in TARGETS}


@pytest.mark.parametrize(("setting", "target"), [pair for pair, want in WANT.items() if want])
def test_a_setting_reaches_a_target(setting: str, target: str, everything: dict[str, str]) -> None:
    """Its value is in the files that the target reads."""
    assert re.search(str(WANT[setting, target]), everything[target], re.DOTALL)


@pytest.mark.parametrize("target", TARGETS)
def test_no_target_reveals_more(target: str, everything: dict[str, str]) -> None:
    """No file of it names another level as its setting."""
    assert not re.search(r'"reveal": "(title|gap|full)"|reveal = "(title|gap|full)"|--reveal', everything[target].partition("README.md: ")[0])
    assert everything[target].count('"reveal": "none"') >= 1


def test_a_copied_course_has_equal_settings(course: Path, tmp_path: Path) -> None:
    """What is written is read back."""
    settings = settings_of(course)
    write(tmp_path / "pyproject.toml", settings.text("title", [DOUBLE]))

    copy = settings_of(tmp_path)

    assert copy == CourseSettings("title", settings.requirements, settings.points, settings.late, assistants=False, breaks=False)


@pytest.mark.parametrize(
    ("own", "asked", "earlier", "level", "source"),
    [
        ("none", None, None, "none", "pyproject.toml"),
        ("none", "full", None, "full", "--reveal; the course's own setting is none"),
        ("none", None, "full", "none", "pyproject.toml"),
        ("none", "none", None, "none", "--reveal"),
        (None, None, "title", "title", "as released before"),
        (None, None, None, "gap", "the default"),
        (None, "title", "none", "title", "--reveal"),
    ],
)
@pytest.mark.parametrize("target", ["students", "grading", "nbgrader"])
def test_the_reveal_level_is_printed(
    own: str | None, asked: str | None, earlier: str | None, level: str, source: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option beats the course, the course an earlier release, and that the default."""
    root = make_delivery_dojo(tmp_path / "course")
    if earlier:
        released(root, tmp_path, target, reveal=earlier)
    write(root / "pyproject.toml", f'[tool.torchdojo]\nreveal = "{own}"\n' if own else "")
    capsys.readouterr()

    released(root, tmp_path, target, reveal=asked)

    assert f"reveal   {level} ({source})\n" in capsys.readouterr().out
    assert json.loads((tmp_path / target / "torchdojo.json").read_text())["reveal"] == level
