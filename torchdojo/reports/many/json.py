"""The class as JSON: all data, in the documented order of keys (docs/record.md)."""

from __future__ import annotations

import json
from dataclasses import asdict

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.judge.record import stored
from torchdojo.reports.many._places import Context

FILE = "grades.json"
SCHEMA = "torchdojo/class/v1"


def write(book: Gradebook, context: Context) -> str:
    """One JSON object: a line for each of its keys, and one for each student."""
    data = {
        "schema": SCHEMA,
        "title": book.title,
        "exercises": [{"id": e, "max_score": stored(book.possible(e))} for e in book.exercises],
        "max_score": stored(book.max_score),
        "bonus_max_score": stored(book.bonus_worth),
        "late_rule": book.late_rule,
        "interrupted": book.interrupted,
        "facts": book.facts,
        "students": [],
        "nobody": book.nobody,
        "left_out": book.left_out,
        "faults": [f["text"].strip().splitlines()[-1] for f in book.faults],
    }
    lines = {name: json.dumps(value) for name, value in data.items()}
    lines["students"] = "[\n  " + ",\n  ".join([_student(s) for s in book.students]) + "\n ]"
    return "{\n " + ",\n ".join([f'"{name}": {line}' for name, line in lines.items()]) + "\n}\n"


def _student(student: Graded) -> str:
    record = student.record.to_json()

    def final(points: float) -> float | None:
        return stored(points) if not student.pending else None

    return json.dumps(
        {
            "key": student.key,
            "name": student.name,
            "email": student.email,
            "id": student.id,
            "status": student.status,
            "score": final(student.score),
            "graded_score": final(student.graded_score),
            "max_score": final(student.max_score),
            "bonus_score": final(student.totals.bonus),
            "submission": student.submission,
            "problem": student.problem,
            "notes": student.notes,
            "handed_in": student.handed_in,
            "clock": student.clock,
            "due": student.due,
            "late_seconds": round(student.late),
            "late_points": final(student.late_points),
            "decisions": [asdict(d) for d in student.decisions],
            "by_hand": [{"exercise": m.exercise, "points": stored(m.points), "comment": m.comment} for m in student.marks],
            "by_hand_points": final(student.hand_points),
            "exercises": record["exercises"],
        }
    )
