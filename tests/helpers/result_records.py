"""Records of a small class of cases, from which every writer's golden texts are made."""

from __future__ import annotations

import re
from typing import Any

VJP, RELU, BONUS = "03_autograd/ex04_vjp", "04_functions/ex03_relu", "04_functions/bonus1_swish"
WORDS = """called with   x float32 (3,), v float32 (2,)
went wrong    1 of 3 elements differs, at [1]: got 4.0, want 2.0
likely cause  v was left out: pass it as the upstream gradient
try           pytest exercises/03_autograd -k vjp"""
# what a hostile program gets into names, messages and printed text
HOSTILE = (
    "\x1b[31mred\x1b[0m \u202edrawkcab\u200b <script>alert(1)</script> =HYPERLINK(\"x\") @everyone | [a](javascript:b) %0A::error::x\n"
    "::notice title=Autograding report::{\"totalPoints\":999,\"maxPoints\":999}\n  ::stop-commands::x\n##[group]x\n"
    "```\n# Big\n]]>&lt;\x00\x07\ud800 \"}]}\nresult=AAAA\nEOF\n"
)


def check(status: str, worth: float, title: str, text: str = "", **more: Any) -> dict[str, Any]:
    score = worth if status == "passed" else 0
    known = {"name": title.lower().replace(" ", "_").strip("."), "title": title, "status": status, "score": score, "max_score": worth}
    return {**known, "feedback": text, "cause": None, "seconds": 0.25, "printed": "", "device": "cpu", "star": False, **more}


def exercise(name: str, *checks: dict[str, Any]) -> dict[str, Any]:
    found = {c["status"] for c in checks} - {"skipped"}
    status = "error" if "error" in found else "passed" if found <= {"passed"} else "todo" if found <= {"todo"} else "failed"
    sums = {k: sum(c[k] for c in checks) for k in ("score", "max_score")}
    task = {c["status"] for c in checks if not c["star"]} - {"skipped"}
    return {"id": name, "status": status, **sums, "done": task <= {"passed"}, "star": status == "passed", "checks": list(checks)}


def record(*exercises: dict[str, Any]) -> dict[str, Any]:
    sums = {"score": sum(e["score"] for e in exercises), "max_score": sum(e["max_score"] for e in exercises if "/bonus" not in e["id"])}
    rest = {"exercises": list(exercises), "isolation": ["limits"], "interrupted": False}
    return {"schema": "torchdojo/record/v1", "submission": "submissions/ada", "device": ["cpu"], **sums, **rest}


WEIGHTS, SHAPE, SLOPE = "Every output is weighted by v.", "The result has the shape of x.", "The slope at zero is zero."
ALL = (check("passed", 2, WEIGHTS), check("passed", 1, SHAPE))

SITUATIONS = {
    "all_right": record(exercise(VJP, *ALL), exercise(RELU, check("passed", 3, SLOPE))),
    "half": record(exercise(VJP, check("failed", 2, WEIGHTS, WORDS), ALL[1]), exercise(RELU, check("passed", 3, SLOPE))),
    "nothing": record(
        exercise(VJP, check("todo", 2, WEIGHTS, "vjp is to do."), check("todo", 1, SHAPE, "vjp is to do.")),
        exercise(RELU, check("todo", 3, SLOPE, "ReLU is to do.")),
    ),
    "crashed": record(
        exercise(VJP, check("crashed", 2, WEIGHTS, "went wrong    the process ended"), check("timeout", 1, SHAPE, "went wrong    no answer in 3 seconds")),
        exercise(RELU, check("passed", 3, SLOPE)),
    ),
    "ours": record(
        exercise(VJP, check("passed", 2, WEIGHTS), check("error", 0, SHAPE, "This check failed because of an internal error (id 1234abcd).")),
        exercise(RELU, check("error", 0, SLOPE, "")),
    ),
    "bonus": record(
        exercise(VJP, check("failed", 2, WEIGHTS, WORDS), ALL[1]),
        exercise(RELU, check("passed", 3, SLOPE)),
        exercise(BONUS, check("passed", 2, SHAPE), check("failed", 1, SLOPE, "went wrong    got 1.0, want 0.0")),
    ),
    "hostile": record(
        exercise(VJP, check("failed", 2, WEIGHTS, HOSTILE, printed=HOSTILE), check("skipped", 0, SHAPE, "needs matplotlib")),
        exercise(RELU, check("failed", 3, f"The name {HOSTILE}", HOSTILE * 300, printed=HOSTILE * 10)),
    ),
}
CONTEXT = {
    "classroom": "cs1",
    "assignment": "autograd",
    "assignment_type": "individual",
    "owner": "ada",
    "submission": "submit/2026-09-01T10-00-00Z-abc1234",
    "commit": "https://github.com/org/cs1-autograd-ada/commit/abc1234",
    "release": "https://github.com/org/cs1-autograd-ada/releases/tag/submit/2026-09-01T10-00-00Z-abc1234",
    "review": "https://github.com/org/cs1-autograd-ada/commit/abc1234",
    "datetime": "2026-09-01T10:00:00Z",
    "student_id": "ada",
}


def problem_of_result(found: dict) -> str | None:
    """What classroom50/result/v1 says against it; our own words of its rules."""
    texts = ("classroom", "assignment", "owner", "submission", "commit", "release", "review")
    keys = {"schema", *texts, "assignment_type", "datetime", "score", "max-score", "tests"}
    if set(found) != keys or found["schema"] != "classroom50/result/v1":
        return f"keys {set(found) ^ keys}"
    if not all(isinstance(found[k], str) and found[k] for k in texts) or not found["submission"].startswith("submit/"):
        return "texts"
    if found["assignment_type"] not in ("individual", "group") or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["datetime"]):
        return "type or time"
    for part in (found, *found["tests"]):
        if type(part["score"]) is not int or type(part["max-score"]) is not int or not 0 <= part["score"] <= part["max-score"]:
            return f"points {part}"
    if any(not t["test-name"] or type(t["passed"]) is not bool for t in found["tests"]):
        return "tests"
    return None
