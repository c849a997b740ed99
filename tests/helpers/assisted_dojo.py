"""The tiny dojo with marks in everything that an assistant must not be given, and a learner's wrong answer."""

from __future__ import annotations

import json
from pathlib import Path

from tiny_dojo import DOUBLE, GRADERS, STUBS, make_dojo, write

HINTS = ("First hint: nudge.", "Second hint: shove.", "Third hint: push.")
SECRETS = ("solution_mark", "grader_mark", "variant_mark", "manual_seed")
REFERENCE = '"""solution_mark"""\n\n\ndef double(x):\n    twice_solution_mark = 2\n    return x * twice_solution_mark\n'
VARIANTS = f'''"""Known mistakes; variant_mark."""

from torchdojo.variants import mistake

HINTS = {HINTS!r}


@mistake("double")
def triple(x):
    """You multiply by 3, not by 2."""
    variant_mark = 3
    return x * variant_mark
'''
WRONG = "def double(x):\n    return x * 3\n"


def make_assisted_dojo(root: Path, reveal: str = "full") -> Path:
    """Write it to a folder. Its course shows learners everything, as far as it goes."""
    make_dojo(root)
    write(root / "reference" / f"{DOUBLE}.py", REFERENCE)
    write(root / "reference" / f"{DOUBLE}_variants.py", VARIANTS)
    write(root / "graders/01_toys/grade_ex01_double.py", GRADERS[DOUBLE].replace("return x + x", "grader_mark = x\n        return x + grader_mark"))
    write(root / "exercises/stubs.json", json.dumps(STUBS))
    write(root / "pyproject.toml", f'[tool.torchdojo]\nreveal = "{reveal}"\n')
    write(root / "exercises" / f"{DOUBLE}.py", WRONG)
    return root
