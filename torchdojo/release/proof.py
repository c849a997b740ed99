"""Check that a folder, its archives, its notebooks and its git history contain nothing secret.

It asks two questions. Is anything there that must not be (a path, a function body, an answer, words of a mistake, an unreleased
hint)? And are the stubs still stubs? Each finding says where it is, and which secret it contains.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common.names import PLACE
from torchdojo.course.exercise import Dojo, Exercise, find_dojo
from torchdojo.course.stub_text import solved_stub
from torchdojo.release import look
from torchdojo.release.secrets import Index, code_tokens, paths_of, secrets_of, shared_by_given, tokens

_FORBIDDEN = re.compile(rf"(^|/)(graders|reference)/(\d\d_\w+(/|$)|.*\.py)|(^|/)grade_{PLACE}_\w+\.|(^|/){PLACE}_\w+_variants\b")
_WORK = re.compile(rf"(exercises/)?\d\d_\w+/{PLACE}_\w+\.py|notebooks/\d\d_\w+\.ipynb")


@dataclass(frozen=True)
class Leak:
    """Something secret that was found, or something that could not be looked into."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Proof:
    """The secrets of a dojo, prepared for the search. hints: how many levels of hints are released."""

    def __init__(self, dojo: Dojo, hints: int) -> None:
        self.dojo = dojo
        self.hints = hints
        self.index = Index(secrets_of(dojo, hints))
        self.paths = paths_of(dojo)
        self.first_lines = [line for e in dojo.exercises if (line := _first_line(e))]

    def of_folder(self, root: Path, released: dict[str, bytes]) -> list[Leak]:
        """Leaks of a folder. released: the files as we wrote them; an exercise file that differs is a learner's work."""
        return self._distinct(self._leaks(look.folder(root), released))

    def of_files(self, released: dict[str, bytes]) -> list[Leak]:
        """Leaks of files that are about to be written, and stubs that are solved."""
        pieces = (p for path, data in released.items() for p in look.unpacked(look.Piece(path, path, data)))
        stubs = {e.id: e for e in self.dojo.exercises}
        solved = [
            Leak(path, problem)
            for path, data in released.items()
            if (e := stubs.get(path.removeprefix("exercises/").removesuffix(".py"))) and (problem := solved_stub(e, data.decode()))
        ]
        return self._distinct([*solved, *self._leaks(pieces, released)])

    def shared(self, root: Path) -> list[str]:
        """Which given files in a folder contain what is secret elsewhere, a line each: "PATH contains the body of ..."."""
        lines = []
        for path, secrets in shared_by_given(self.dojo, self.hints).items():
            names = list(dict.fromkeys(f"{s.kind} {s.where}" for s in secrets))
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            for file in root.glob(f"*/{path.partition('/')[2]}"):  # exercises/, or nbgrader's source/
                lines.append(f"{file.relative_to(root).as_posix()} contains {', '.join(names[:3])}{more}")
        return lines

    def _leaks(self, pieces: Iterable[look.Piece], released: dict[str, bytes]) -> Iterator[Leak]:
        seen: set[tuple[bytes, bool]] = set()
        for piece in pieces:
            if _FORBIDDEN.search(piece.path):
                yield Leak(piece.place, "has the name of a hidden grader, a reference or a list of mistakes")
            if piece.data is None:
                yield Leak(piece.place, f"{piece.why}: its contents cannot be checked; remove it")
                continue
            work = self._is_work(piece, released)
            if (piece.data, work) in seen:
                continue
            seen.add((piece.data, work))
            yield from self._in(piece, work)

    def _in(self, piece: look.Piece, work: bool) -> Iterator[Leak]:
        data = piece.data or b""
        if look.is_binary(data):
            yield from (Leak(piece.place, f"was made from {path}") for path in self.paths if path.encode() in data)
        for text in look.texts(piece):
            for tokenized in (tokens(text), code_tokens(text)):
                for secret in self.index.matches(tokenized):
                    if not (secret.own and work):
                        yield Leak(piece.place, f"holds {secret.kind} {secret.where}")

    def _is_work(self, piece: look.Piece, released: dict[str, bytes]) -> bool:
        """Is this a learner's own exercise file or notebook, now or in history? They may come to write what we wrote."""
        if piece.path:
            return bool(_WORK.fullmatch(piece.path)) and released.get(piece.path) != piece.data
        text = (piece.data or b"")[:5000].decode("utf-8", "replace")
        return any(line in text for line in self.first_lines)

    @staticmethod
    def _distinct(leaks: Iterable[Leak]) -> list[Leak]:
        return list(dict.fromkeys(leaks))


def _first_line(exercise: Exercise) -> str:
    return next(iter(exercise.stub.read_text(encoding="utf-8").splitlines()), "")


def main() -> int:
    """`python -m torchdojo.release.proof FOLDER`: say what secrets of this repository are in a folder; 1 when there are any."""
    proof = Proof(find_dojo(), hints=2)
    leaks = [leak for word in sys.argv[1:] for leak in proof.of_folder(Path(word), {})]
    shared = [line for word in sys.argv[1:] for line in proof.shared(Path(word))]
    print("\n".join([*map(str, leaks), *shared]) or f"nothing secret in {', '.join(sys.argv[1:])}")
    return int(bool(leaks))


if __name__ == "__main__":
    raise SystemExit(main())
