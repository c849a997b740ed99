"""A journal of a class that never was: python benchmarks/synthetic.py FOLDER [STUDENTS [EXERCISES]]

Students differ in ability, exercises in difficulty; mistakes have causes that several share, and feedback with numbers that
nobody shares. Names and feedback hold what must never become markup. For tests and figures of the reports.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from amount import amount

from torchdojo.classroom.journal import Journal

CHECKS = 6
NASTY = "</script><img src=x onerror=alert(1)>"


def make(folder: Path, students: int = 500, exercises: int = 80) -> Path:
    """Write the journal; 500 students by 80 exercises take a few seconds."""
    rng = random.Random(0)
    names = [f"{n // 10 + 1:02d}_chapter/ex{n % 10 + 1:02d}_exercise_{n}" for n in range(exercises)]
    journal = Journal(folder, create=True)
    run = journal.begin(
        {"seed": 0, "device": ["cpu", "sim"], "torch": "2.13.0", "python": "3.11.7", "isolation": ["landlock-7", "seccomp"]}
    )
    facts = {}
    results, checks = [], []
    for s in range(students):
        key = f"student{s:04d}"
        ability = rng.gauss(1.2, 1.2)
        facts[key] = {
            "name": f"Student Number {s}" if s else NASTY,
            "submission": f"{key}.zip",
            "handed_in": 1.79e9 + s * 60,
            "clock": "file",
        }
        for e, exercise in enumerate(names):
            results.append((key, exercise, "k", run))
            begun = rng.random() < 0.92
            for place in range(CHECKS):
                passed = begun and rng.gauss(ability - e / exercises, 1.0) > 0
                status = (
                    "passed" if passed else "todo" if not begun else rng.choices(("failed", "crashed", "timeout"), (30, 1, 1))[0]
                )
                cause = (
                    f"Mistake number {rng.randrange(3)} of exercise {e}: the rows were added together."
                    if rng.random() < 0.6
                    else None
                )
                text = (
                    feedback(rng, exercise, cause) if status == "failed" else "" if passed else f"{exercise}.py: not written yet."
                )
                check = {
                    "name": f"check_{place}", "title": f"Claim {place} of exercise {e} holds.", "status": status,
                    "score": 1 + place % 2 if passed else 0, "max_score": 1 + place % 2, "feedback": text if s else text + NASTY,
                    "cause": cause if status == "failed" else None, "seconds": round(rng.expovariate(50), 4), "device": "cpu",
                }  # fmt: skip
                checks.append((key, exercise, place, json.dumps(check)))
    with journal.trouble():
        journal.db.execute("BEGIN")
        journal.db.executemany("INSERT INTO results VALUES(?, ?, ?, ?, 1)", results)
        journal.db.executemany("INSERT INTO checks VALUES(?, ?, ?, ?)", checks)
        journal.db.execute("COMMIT")
    journal.set_students(facts)
    journal.set(exercises=names, title="A class that never was", due=1.79e9 + 20_000)
    journal.end(run, journal.runs()[-1] | {"host": "nowhere"})
    journal.close()
    return folder


def feedback(rng: random.Random, exercise: str, cause: str | None) -> str:
    """As the graders word it, with numbers of its own."""
    got, want = rng.uniform(-4, 4), rng.uniform(-4, 4)
    lines = [
        f"called       f(torch.tensor([{rng.randrange(9)}., {rng.randrange(9)}., {rng.randrange(9)}.]), slope=0.5)",
        f"went wrong   {rng.randrange(1, 9)} of 10 elements differ, the worst at [0, 3]: got {got:.4f}, want {want:.4f}",
    ]
    lines += [f"likely cause {cause}"] if cause else []
    return "\n".join([*lines, f"read         exercises/{exercise.split('/')[0]}/README.md#a-section-of-the-lesson"])


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), *(map(int, sys.argv[2:]) if sys.argv[2:] else amount((500, 80), tiny=(3, 2)))))
