"""GitLab's code-quality report: each failed check, at the line that it is about."""

from __future__ import annotations

import hashlib
import json

from torchdojo.judge.record import RecordJson
from torchdojo.reports.rows import cut, line, rows

FILE = "gl-code-quality-report.json"
SEVERITY = {"failed": "major", "timeout": "critical", "crashed": "critical", "todo": "info"}


def write(record: RecordJson, context: dict[str, str]) -> str:
    """A list, empty when there is nothing to say. What we broke is not the code's quality."""
    problems = []
    for row in rows(record):
        if row.status in ("passed", "skipped", "error"):
            continue
        known = f"{row.exercise} {row.place[1]} {row.title}"
        description = f"{row.title} {line(row.text, 300)}".strip()
        problems.append(
            {
                "description": cut(description, 500),
                "check_name": f"torchdojo/{row.exercise}",
                "fingerprint": hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:32],
                "severity": SEVERITY.get(row.status, "major"),
                "location": {"path": f"exercises/{row.exercise}.py", "lines": {"begin": row.line or 1}},
            }
        )
    return json.dumps(problems, indent=1) + "\n"
