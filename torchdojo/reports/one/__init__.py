"""One graded submission in the format of another system: each module here is a format (`reports/registry.py`).

`record` is the JSON object of docs/record.md; `context` is what the system says about the submission.
"""

from __future__ import annotations

from torchdojo.judge.record import RecordJson
from torchdojo.reports import registry

FORMATS = registry.formats(__name__, __path__)


def write(name: str, record: RecordJson, context: dict[str, str] | None = None) -> str:
    """The text of a format. Raises UsageError for a format that there is not, or a context that lacks something."""
    (text,) = registry.written(name, FORMATS, record, context or {}).values()
    return text


def file_of(name: str) -> str:
    """The file name that a system expects."""
    return registry.find(name, FORMATS).FILE
