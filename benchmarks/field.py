"""Our graders and the tests of other exercise sets on the same mutants: python benchmarks/field.py

Installs two other sets from the package index into a throw-away folder (nothing of theirs is kept), takes one right
solution for each exercise that both have, mutates it, and counts how many mutants each side refuses. Where the other set's
exercise is a function with the same signature as ours, both judge the very same files; where it is not, the same kinds of
mutants of a right solution of their exercise are given to their tests only. Skipped with a sentence when there is no index.
With --tiny nothing is installed: one task and one file made here stand in for theirs.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from amount import TINY, amount

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 20

# exercises with the same signature: (their task, their name for it, our exercise, our name for it)
SAME = [
    ("softmax", "my_softmax", "02_broadcasting/ex07_softmax", "softmax"),
    ("linear", "SimpleLinear", "06_modules/ex01_linear_layer", "LinearLayer"),
    ("dropout", "MyDropout", "06_modules/ex05_dropout", "Dropout"),
    ("adam", "MyAdam", "05_optimizers/ex07_adam", "Adam"),
    ("gradient_clipping", "clip_grad_norm", "05_optimizers/bonus1_clip_grad_norm", "clip_grad_norm_"),
]
# right solutions of exercises that only they have in this form: (their file, our nearest exercise, solution)
ALIKE = [
    (
        "02_autograd/3.py",
        "03_autograd/ex06_grad_history",
        """
import torch

def gradient_accumulation():
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (x**2).sum().backward()
    first = x.grad.clone()
    (x**3).sum().backward()
    second = x.grad.clone()
    x.grad.zero_()
    x.sum().backward()
    third = x.grad.clone()
    return first, second, third
""",
    ),
    (
        "06_train/1.py",
        "07_training/ex01_train_step",
        """
import torch
import torch.nn as nn

def single_training_step():
    torch.manual_seed(42)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, targets = torch.randn(8, 4), torch.randint(0, 2, (8,))
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), targets)
    loss.backward()
    optimizer.step()
    return loss

def training_reduces_loss():
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, targets = torch.randn(32, 4), torch.randint(0, 2, (32,))
    losses = []
    for _ in range(50):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
""",
    ),
]


def stand_in(folder: Path) -> None:
    """For --tiny: sets of the other sets' form, with one task and one file."""
    tasks, file = folder / "torch_judge" / "tasks.py", folder / "torchlings" / "exercises" / ALIKE[0][0]
    for place in (tasks, file):
        place.parent.mkdir(parents=True)
    (tasks.parent / "__init__.py").write_text("")
    tasks.write_text('def get_task(name):\n    return {"tests": [{"code": "assert callable({fn})"}]}\n')
    file.write_text("def gradient_accumulation():\n    pass\n\n\ndef test_it():\n    assert len(gradient_accumulation()) == 3\n")


def installed(folder: Path) -> bool:
    """Put the other sets into a folder; False when they cannot be had."""
    if TINY:
        stand_in(folder)
        return True
    words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), "torch-judge", "torchlings"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


SAME, ALIKE = SAME[: amount(None, tiny=1)], ALIKE[: amount(None, tiny=1)]


def in_child(work: Any) -> bool:
    """Run work() in a forked child; True when it returned without an exception, within the time limit."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.alarm(SECONDS)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def judged_by_tasks(source: str, task: dict[str, Any], their_name: str, our_name: str) -> bool:
    """Does a solution (module source) pass all tests of a torch-judge task?"""

    def work() -> None:
        solution: dict[str, Any] = {"__name__": "solution"}
        exec(source, solution)
        for test in task["tests"]:
            exec(test["code"].replace("{fn}", their_name), {their_name: solution[our_name]})

    return in_child(work)


def judged_by_file(source: str, file: str) -> bool:
    """Does a solution pass those tests of a torchlings file that use its functions?"""

    def work() -> None:
        theirs: dict[str, Any] = {"__name__": "theirs"}
        exec(file, theirs)
        before = set(theirs)
        names = set(re.findall(r"^def (\w+)", source, re.MULTILINE))
        exec(source, theirs)
        for name in sorted(before):
            code = getattr(theirs[name], "__code__", None)
            if name.startswith("test_") and code is not None and names & set(code.co_names):
                theirs[name]()

    return in_child(work)


def ours(exercises: list[str]) -> dict[str, dict[str, str]]:
    """Verdicts of `torchdojo verify` on our mutants: exercise -> mutant id -> refused, survived or equivalent."""
    found = {}
    for exercise in exercises:
        words = [sys.executable, "-m", "torchdojo", "verify", exercise, "--json", *amount([], tiny=["--quick", "--device", "cpu"])]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        reports = json.loads(done.stdout)["exercises"]
        found[exercise] = {w["name"]: w["verdict"] for r in reports for w in r["wrong"] if w["kind"] == "mutant"}
    return found


def share(refused: int, total: int) -> str:
    return f"{refused:4} of {total:3}  {100 * refused / total:5.1f} %" if total else "   -"


def main() -> int:
    """Print the table."""
    sys.path.insert(0, str(ROOT))
    from torchdojo.mutate.mutants import mutants

    with tempfile.TemporaryDirectory() as folder:
        if not installed(Path(folder)):
            print("Skipped: torch-judge and torchlings cannot be installed from the package index here.")
            return 0
        verdicts = ours([e for _, _, e, _ in SAME] + [e for _, e, _ in ALIKE])
        sys.path.insert(0, folder)
        os.environ["OMP_NUM_THREADS"] = "1"
        import torch

        torch.set_num_threads(1)
        torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)  # the slow first import, before the forks
        from torch_judge.tasks import get_task

        print(f"{'exercise':42} {'right solution':>16} {'their tests refuse':>22} {'our graders refuse':>22}")
        totals = [0, 0, 0, 0]
        for task_name, theirs, exercise, name in SAME:
            source = (ROOT / "reference" / f"{exercise}.py").read_text(encoding="utf-8")
            task = get_task(task_name)
            right = judged_by_tasks(source, task, theirs, name)
            counted = [m for m in mutants(source) if verdicts[exercise].get(m.id) in ("refused", "survived")]
            they = sum(not judged_by_tasks(m.source, task, theirs, name) for m in counted) if right else 0
            we = sum(verdicts[exercise][m.id] == "refused" for m in counted)
            said = "accepted" if right else "refused by them"
            they_said = share(they, len(counted)) if right else "-"
            print(f"{'torch-judge ' + task_name + ' / ' + exercise:42} {said:>16} {they_said:>22} {share(we, len(counted)):>22}")
            if right:
                totals = [a + b for a, b in zip(totals, (they, len(counted), we, len(counted)), strict=True)]
        for file, exercise, source in ALIKE:
            text = (Path(folder) / "torchlings" / "exercises" / file).read_text(encoding="utf-8")
            right = judged_by_file(source, text)
            made = mutants(source)[: amount(None, tiny=2)]
            they = sum(not judged_by_file(m.source, text) for m in made)
            mine = verdicts[exercise]
            we, all_mine = (sum(v in kinds for v in mine.values()) for kinds in (("refused",), ("refused", "survived")))
            said = "accepted" if right else "refused by them"
            label = "torchlings " + file + " / " + exercise
            print(f"{label:42} {said:>16} {share(they, len(made)):>22} {share(we, all_mine):>22}")
            totals = [a + b for a, b in zip(totals, (they, len(made), we, all_mine), strict=True)]
        print(f"{'all':42} {'':16} {share(*totals[:2]):>22} {share(*totals[2:]):>22}")
        print("torch-judge rows: the same files, ours without the mutants listed as equivalent. torchlings rows: mutants of a")
        print("right solution of their exercise, not sorted by equivalence, beside those of our nearest exercise.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
