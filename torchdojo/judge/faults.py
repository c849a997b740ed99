"""Internal errors: a short id that a learner can report, and the full details for the instructor."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common.errors import AuthorError
from torchdojo.common.plain_text import one_line

TREES = {"graders", "reference"}  # of files that the authors of exercises write
BROKEN = ": the grader is broken: "  # in the first line of an author's mistake


def fault_id(error: BaseException) -> str:
    """Eight letters that are the same for the same fault, on any machine and for any submission.

    Made from the types of the errors and the functions and lines they passed through, without paths and messages.
    """
    passed: list[str] = []
    at: BaseException | None = error
    while at is not None and len(passed) < 100:
        passed.append(type(at).__name__)
        frames = traceback.extract_tb(at.__traceback__)
        passed += [f"{Path(frame.filename).name}:{frame.name}:{frame.lineno}" for frame in frames]
        at = at.__cause__
    return hashlib.sha256("\n".join(passed).encode()).hexdigest()[:8]


def told(error: BaseException) -> str:
    """The message for the learner: the error isn't theirs, and its id."""
    return (
        f"This check failed because of an internal error (id {fault_id(error)})."
        " It costs you nothing and says nothing about your code;"
        " tell your instructor the id."
    )


@dataclass(frozen=True)
class Fault:
    """An internal error, for the instructor: the text for the log; of an author's mistake also one sentence that says where it is
    and what to do."""

    text: str
    sentence: str = ""

    @property
    def shown(self) -> str:
        """The text for a terminal: one line for an author's mistake, else everything."""
        return self.text.partition("\n")[0] if self.sentence else self.text


def logged(error: BaseException, where: str) -> Fault:
    """The id, the place, and the whole traceback. The first line names an author's mistake."""
    head, sentence = f"fault {fault_id(error)} in {where}", one_line(sentence_of(error))
    if sentence:
        head += f"{BROKEN}{sentence}"
    if isinstance(error, AuthorError) and error.__cause__ is None:
        return Fault(head, sentence)
    return Fault(f"{head}\n{''.join(traceback.format_exception(error))}", sentence)


def sentence_of(error: BaseException) -> str:
    """For a mistake of an author: the file, the line and the error, or the AuthorError's own words. '' for any other error."""
    if isinstance(error, AuthorError):
        return str(error)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if by_an_author(Path(f.filename))]
    if not frames:
        return ""
    path, what = Path(frames[-1].filename), f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    start = max(n for n, part in enumerate(path.parts) if part in TREES)
    place = f"{'/'.join(path.parts[start:])} line {frames[-1].lineno}, in {frames[-1].name}"
    return f"{place}: {what[:300]}. Correct that line, then run: torchdojo verify {path.parent.name}"


def by_an_author(file: Path) -> bool:
    """Is it a grader, code that graders share, a reference or a file of variants?"""
    return bool({*file.parts[-3:-1]} & TREES) and file.suffix == ".py"
