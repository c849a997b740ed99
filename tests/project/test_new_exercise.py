"""docs/authors.md, run by a machine: exercises that are added to the course with its commands leave the project's tests green."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
import warm

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/authors.md").read_text(encoding="utf-8")
NEW = ("01_tensors/ex10_twofold", "01_tensors/intro4_duplicate", "01_tensors/bonus2_both", "11_extras/ex01_doubled")
COPIED = (
    "exercises", "graders", "reference", "notebooks", "docs", "tests", ".devcontainer",
    "README.md", "conftest.py", "pyproject.toml", "mkdocs.yml", "mkdocs_hooks.py",
)  # fmt: skip
TESTED = [f"tests/project/test_{name}.py" for name in ("content", "lessons", "first_minutes", "site", "unseen")]
ABOUT = "not [ or twofold or duplicate or both or doubled or 01_tensors] or 11_extras] or (how_hard and 01_tensors)"  # the new and their chapters

MORE_MISTAKES = '''

@mistake("{name}")
def adds_one(x):
    """You added one to every number instead of the number itself."""
    return x + 1


@mistake("{name}")
def triples(x):
    """You added x twice: that is three times x."""
    return x + x + x


@mistake("{name}")
def negates(x):
    """The sign of the factor is wrong: you multiplied by -2."""
    return x * -2


@mistake("{name}")
def becomes_a_float(x):
    """You multiplied by 2.0, which turns integers into floating-point numbers."""
    return x * 2.0


@alternative("{name}")
def by_torch(x):
    """torch.mul is the same product."""
    return torch.mul(x, 2)
'''
BLOCKS = "".join(f"\n```python\nprint({n} + {n})\n```\n\n```text\n{n + n}\n```\n" for n in range(1, 5))
WRITTEN = {  # what stands in the template, and what an author writes instead
    "say in a few words what it is about": "every number plus itself",
    "Say what it returns, never how.": "Return twice x.",
    "Difficulty 2 of 5": "Difficulty 1 of 5",
    "about 10 minutes.": "about 10 minutes. Fast track.",
    "The one mistake that is seen most.": "x**2 is twice x only for 0 and 2.",
    "    Not allowed: nothing; delete this line, or name what is and why.\n\n": "",
    "Every edge case and rule that is graded, in words.": "integers stay integers",
    "PyTorch itself, or a slow obvious loop; never the reference.": "The sum, as PyTorch computes it.",
    "CONCEPTS = ()  # ids from docs/concepts.md": 'CONCEPTS = ("B10",)',
    "A nudge: where to look.": "Which operation adds a number to itself?",
    "The concept, in a sentence or two.": "Twice a number is the number added to itself.",
    "Nearly the code, in words, with one line left for the learner.": "Multiply the tensor by an integer, and return it.",
    "What one has to know.": "Why this matters: a scale is a product.\n\nA tensor times a number multiplies every element.",
    "from torchdojo.variants import": "import torch\n\nfrom torchdojo.variants import",
}


pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def run(*words: str, cwd: Path) -> str:
    done = warm.python("-m", *words, cwd=cwd, env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course and of the tests of its content, with the new exercises: as `new` made them, and filled in."""
    root = tmp_path_factory.mktemp("added") / "course"
    ignored = shutil.ignore_patterns("__pycache__", ".torchdojo", "artifacts")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, root / name)
    (root / "torchdojo").symlink_to(ROOT / "torchdojo")
    for exercise in NEW:
        made = re.findall(r"^(?:made|added a section to) (.+)$", run("torchdojo", "new", exercise, cwd=root), re.MULTILINE)
        assert len(made) == 6
        for name in made:
            file, text = root / name, (root / name).read_text(encoding="utf-8")
            for template, words in WRITTEN.items():
                text = text.replace(template, words)
            if name.endswith("_variants.py"):
                text += MORE_MISTAKES.replace("{name}", exercise.partition("_")[2].partition("_")[2])
            if name == "exercises/11_extras/README.md":
                text += BLOCKS
            file.write_text(text, encoding="utf-8")
    return root


def test_the_page_names_the_commands() -> None:
    """The tests below run the commands of the page, and no others."""
    steps = PAGE.partition("## The files")[0]

    assert re.findall(r"^\d\. `torchdojo (\w+)", steps, re.MULTILINE) == ["new", "verify", "catalogue"]


@pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
def test_verify_reports_a_stale_position(course: Path) -> None:
    """Of another exercise of the chapter, as long as `catalogue` has not run."""
    done = warm.python("-m", "torchdojo", "verify", "01_tensors/ex01", "--quick", cwd=course, timeout=300)

    assert done.returncode == 1
    assert "ex01_tensor_card.py: the position in the first line of its docstring is missing or out of date. Run: torchdojo catalogue" in done.stdout


def test_after_catalogue_the_tests_of_the_content_are_green(course: Path) -> None:
    """With a core, an introductory and a bonus exercise of an old chapter, and the first exercise of a new one."""
    said = run("torchdojo", "catalogue", cwd=course)
    assert "exercises/01_tensors/ex01_tensor_card.py: written" in said
    assert (course / "exercises/01_tensors/ex01_tensor_card.py").read_text().startswith('"""Tensors 1 of 10: ')

    said = run("pytest", *TESTED, "-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", ABOUT, cwd=course)

    assert int(re.findall(r"(\d+) passed", said)[-1]) > 50
