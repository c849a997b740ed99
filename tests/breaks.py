"""Hand-made faults of the engine, and the tests that must fail for each: does the suite still catch what it caught?

    python tests/breaks.py [WORD ...]        # those whose file, text or tests hold one of the words; without words all of them

Each fault is put into a copy of the project, its tests run there, and the original text is put back. Printed is a line for each. The
exit code is 1 if a fault isn't caught. Add a fault when you make tests cheaper: it must be caught before the change and after it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 600  # for the tests of one fault

# module of torchdojo, what stands there, what stands there then, the tests
BREAKS = [
    ("judge/compare.py", "if a.shape != b.shape:", "if a.dim() != b.dim():", "judge/test_compare.py"),
    ("judge/compare.py", "if a.dtype != b.dtype:", "if False:", "judge/test_compare.py"),
    ("judge/compare.py", "if got.device != want.device:", "if False:", "judge/test_compare.py"),
    ("judge/compare.py", "equal_nan=True", "equal_nan=False", "judge/test_compare.py"),
    ("judge/compare.py", "if missing or extra:", "if missing:", "judge/test_compare.py"),
    ("judge/compare.py", "gap = torch.where(close, -1.0, gap)", "gap = gap * 0", "judge/test_compare.py"),
    ("judge/side_effects.py", "    if changed:\n", "    if len(changed) > 1:\n", "judge/test_compare.py judge/test_session.py"),
    ("judge/side_effects.py", "if tuple(pair) not in fine:", "if False:", "judge/test_compare.py judge/test_session.py"),
    ("wire/strict.py", "if self.offset != len(self.body):", "if False:", "wire"),
    ("wire/strict.py", "if self.tensors > FRAME_TENSORS:", "if False:", "wire"),
    ("wire/strict.py", "if end > len(body):", "if end > len(body) + 8:", "wire"),
    ("wire/frames.py", "if size > FRAME_BYTES:", "if False:", "wire"),
    ("wire/frames.py", "if done > size:", "if False:", "wire"),
    ("course/states.py", "if \"error\" in task:", "if False:", "learner/test_states.py"),
    ("common/plain_text.py", "    text = clean(text)\n    start = \"'\" if _FORMULA.match(text) else \"\"", "    start = \"\"", "common/test_plain_text.py"),
    ("common/plain_text.py", "_COMMANDS.sub(lambda m: \"## \" if m[0] == \"##\" else f\"{m[1]}: \", text)", "text", "common/test_plain_text.py"),
    ("commands/grade.py", "    return record.exit_code()\n", "    return 0\n", "commands/test_cli.py::test_the_record_is_the_documented_one"),
    ("commands/grade.py", "click.echo(\"  done, star\")", "click.echo(\"  done\")", "commands/test_cli.py::test_a_finished_submission_is_printed_plainly"),
    ("commands/deliver.py", "options += [\"--require-isolation\"] * require_isolation", "", "commands/test_deliver.py -k isolate"),
    ("judge/verdict.py", "if again.changed:", "if False:", "judge/test_session.py -k told_what_happened"),
    ("judge/verdict.py", "if compare(again.value, outcome.value, check.tolerance):", "if False:", "judge/test_session.py -k told_what_happened"),
    ("judge/verdict.py", "if outcome.todo:", "if False:", "judge/test_session.py -k told_what_happened"),
    ("submission/recognise.py", "if stem.startswith((\"grade_\", \"picture_\")) or", "if", "submission/test_inbox.py submission/test_folder.py -m not(slow)"),
    ("submission/folder.py", "if not real.is_relative_to(root.resolve()):", "if False:", "submission/test_folder.py -m not(slow)"),
    ("submission/archives.py", "return any(part in JUNK or part", "return any(part", "submission/test_inbox.py submission/test_folder.py -m not(slow)"),
    ("classroom/roster.py", "if key in seen:", "if False:", "classroom/test_roster.py -m not(slow)"),
    ("classroom/roster.py", "unicodedata.normalize(\"NFKD\", text)", "text", "classroom/test_roster.py -m not(slow)"),
    ("classroom/roster.py", "text = data.decode(\"cp1252\", errors=\"replace\")", "text = data.decode(\"utf-8\", errors=\"replace\")", "classroom/test_roster.py -m not(slow)"),
    ("classroom/gradebook.py", "return max(0.0, self.handed_in - self.due) if", "return 0.0 if", "classroom/test_late.py -m not(slow)"),
    ("course/late.py", "math.ceil(seconds / DAY)", "int(seconds / DAY)", "classroom/test_late.py -m not(slow)"),
    ("course/late.py", "days > self.cutoff_days:", "days > self.cutoff_days + 1:", "classroom/test_late.py -m not(slow)"),
    ("reports/rows.py", "int(score / worth * points)", "round(score / worth * points)", "reports -m not(slow)"),
    ("reports/rows.py", "f\"| {part}\"", "part", "reports/test_one.py -m not(slow)"),
    ("reports/rows.py", "text[: most - 6].rstrip() + \" [cut]\"", "text[:most]", "reports/test_one.py -m not(slow)"),
    ("reports/rounding.py", "parts[n] += 1", "parts[n] += 0", "reports/test_one.py -m not(slow)"),
    ("explain/once.py", "told = {name for name in ONCE if", "told = {name for name in () if", "explain/test_repeated.py -m not(slow)"),
    ("explain/reveal.py", "return min(level, own", "return max(level, own", "explain/test_reveal.py -m not(slow)"),
    ("explain/reveal.py", "(level == \"title\" or check.secret) else check", "level == \"title\" else check", "explain/test_reveal.py -m not(slow)"),
    ("explain/labels.py", "if len(_lines(shown, snippet=False).split()) <= MOST_WORDS:", "if True:", "explain/test_message.py -m not(slow)"),
    ("explain/topics.py", "HELD = r\"held\"", "HELD = r\"hold\"", "explain/test_topics.py -m not(slow)"),
    ("sim/mixing.py", "if x.device != first:", "if False:", "sim/test_device_mixing.py -m not(slow)"),
    ("sim/chance.py", "drawn_from(self).manual_seed(seed ^ _OTHER)", "drawn_from(self).manual_seed(seed)", "sim -m not(slow)"),
    ("release/secrets.py", "if level > released:", "if level > released + 1:", "release/test_proof.py -m not(slow)"),
    ("release/secrets.py", "if len(words) >= WORDS:", "if len(words) >= 3 * WORDS:", "release/test_proof.py -m not(slow)"),
    ("release/secrets.py", "return name.startswith(\"reference\") and not name.endswith(\"_variants.py\")", "return False", "release/test_proof.py -m not(slow)"),
]


def copy_of_project(folder: Path) -> Path:
    """What git knows or would take of this project, as it lies here."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def caught(root: Path, module: str, before: str, after: str, tests: str) -> str:
    """What pytest says in its last line of the tests with this fault; '' if they pass."""
    file = root / "torchdojo" / module
    text = file.read_text(encoding="utf-8")
    if text.count(before) != 1:
        raise SystemExit(f"{module} holds this {text.count(before)} times, not once: {before}")
    file.write_text(text.replace(before, after), encoding="utf-8")
    try:
        words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *(f"tests/{w}" if "/" in w or (ROOT / "tests" / w).is_dir() else w for w in tests.split())]
        environment = os.environ | {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    finally:
        file.write_text(text, encoding="utf-8")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or ["it ended with an error"])[0] if done.returncode else ""


def main(*words: str) -> int:
    chosen = [one for one in BREAKS if not words or any(word in " ".join(one) for word in words)]
    uncaught = 0
    with tempfile.TemporaryDirectory(prefix="torchdojo-breaks-") as folder:
        root = copy_of_project(Path(folder))
        for module, before, after, tests in chosen:
            line = caught(root, module, before, after, tests)
            uncaught += not line
            print(f"{module}: {before.strip()!r}: {line or 'NOT CAUGHT'}", flush=True)
    print(f"{len(chosen) - uncaught} of {len(chosen)} faults are caught.")
    return int(uncaught > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
