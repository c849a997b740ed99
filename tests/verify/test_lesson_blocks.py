"""The code of lessons is run by `verify`, in any course."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from verify_dojo import make_dojo

from torchdojo.course.exercise import Dojo
from torchdojo.verify.findings import Report
from torchdojo.verify.lessons import run_lesson
from torchdojo.verify.texts import prove_lesson

LESSON = """# Toys

```python
x = 1
print(x)
```

```text
1
```

## First

```python
print(x + 1)
```

```text
3
```

```python
print("unseen")
```

```python
1 / 0
```

```text
ZeroDivisionError: division by...
```

Exercise: `{first}`.

## Second

```python
from given.words import WORD
print(WORD)
```

```text
hello
```

```python
import nothing_of_this_name
print(x + 5)
```

Exercise: `{second}`.
"""


def found(root: Path, place: int) -> list[str]:
    """What `verify` says of the lesson of the exercise in this place of its chapter. It runs here, not in a process of its own."""
    exercise, second = Dojo(root).exercises[:2]
    exercise.lesson.write_text(LESSON.format(first=exercise.stem, second=second.stem))
    (exercise.lesson.parent / "given").mkdir(exist_ok=True)
    (exercise.lesson.parent / "given/words.py").write_text("WORD = 'hello'\n")
    asked: Any = SimpleNamespace(ask=lambda do, **request: run_lesson(**request))
    report = Report(exercise.id)
    prove_lesson(SimpleNamespace(exercise=(exercise, second)[place], report=report, visible=asked))  # type: ignore[arg-type]
    return [f"{finding.sentence}\n{finding.told}" for finding in report.findings]


def test_each_exercise_proves_its_own_section(tmp_path: Path) -> None:
    """Output that is not shown, or shown wrongly, is a finding; an error that is shown by its beginning is none. Given files are there,
    and a package that is not installed is nobody's fault."""
    root = make_dojo(tmp_path)

    wrong, unseen = found(root, 0)

    assert "prints something other than what the lesson shows. Correct the text block below it." in wrong
    assert "print(x + 1)\nprinted    2\nlesson     3" in wrong
    assert "Show its output in a text block below it." in unseen and "printed    unseen\nlesson     nothing" in unseen
    assert found(root, 1) == []


def test_a_picture_is_there_and_has_a_text(tmp_path: Path) -> None:
    """Those of the exercise's own section; code that looks like one is none, and neither is an address."""
    exercise = Dojo(make_dojo(tmp_path)).exercises[0]
    (exercise.lesson.parent / "right.svg").write_text("<svg/>")
    (exercise.lesson.parent / "notes.txt").write_text("")
    targets = ("right.svg", "absent.svg", "notes.txt", "../../README.md", "https://example.org/a.svg")
    shown = "\n\n".join(f"![A line.]({target})" for target in targets)
    exercise.lesson.write_text(f"# Toys\n\n{shown}\n\n![ ](right.svg)\n\n```text\n![](code.svg)\n```\n\nExercise: `{exercise.stem}`.\n")
    report = Report(exercise.id)

    prove_lesson(SimpleNamespace(exercise=exercise, report=report, visible=SimpleNamespace(ask=lambda do, **request: [])))  # type: ignore[arg-type]

    lesson = f"exercises/{exercise.chapter}/README.md: "
    absent = [f"{lesson}the chapter's folder has no picture {name}. Correct its path." for name in targets[1:4]]
    assert [f.sentence for f in report.findings] == [
        *absent,
        f"{lesson}right.svg has no alternative text. Say between its brackets what it shows.",
    ]


def test_a_lesson_that_never_ends_is_a_finding(tmp_path: Path) -> None:
    """The helper gives no answer then."""
    exercise = Dojo(make_dojo(tmp_path)).exercises[0]
    exercise.lesson.write_text(f"# Toys\n\nExercise: `{exercise.stem}`.\n")
    report = Report(exercise.id)

    prove_lesson(SimpleNamespace(exercise=exercise, report=report, visible=SimpleNamespace(ask=lambda do, **request: None)))  # type: ignore[arg-type]

    assert [f.sentence for f in report.findings] == [f"exercises/{exercise.chapter}/README.md: the code up to {exercise.stem} doesn't end. Make it short."]
