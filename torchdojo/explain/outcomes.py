"""What known mistakes answer on the checks' examples, as sketches: computed once, then looked up.

It is the same for every submission of one version of a course. A file in the course's folder keeps it, under a key that changes
with whatever it depends on; where there is no file, it lasts as long as the oracle.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.judge.oracle import Oracle

NAME = "explanations.sqlite"
FOLDER = ".torchdojo"  # of a course, for what can be made again
MOST_TABLES = 8  # tables that are held in memory at once, a few megabytes each
SECONDS = 30.0  # to wait while another process writes
WORTH_A_WORD = 2.0  # seconds
FORM = 2
READY = "ready"  # the name under which everything that was computed ahead is packed
TABLES = """
CREATE TABLE IF NOT EXISTS exercises(id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found(id TEXT, name TEXT, data BLOB NOT NULL, PRIMARY KEY(id, name)) WITHOUT ROWID;
"""


def of_course(root: Path, key: Callable[[Exercise], str], other: Path | None = None) -> Kept:
    """What is kept of the course at `root`: in its folder `.torchdojo`, or in `other` where that one can't be written; besides, what a
    release has put beside its exercises is read, and never written."""
    folder = root / FOLDER
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
    place = folder if os.access(folder, os.W_OK) else other
    return Kept(place and place / NAME, key, root / NAME)


class Table:
    """What is kept of one exercise: bytes by name."""

    def __init__(self, rows: dict[str, bytes]) -> None:
        self.rows = rows
        self.new: dict[str, bytes] = {}
        self.seconds = 0.0  # of processor time that making took

    def get(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The bytes under a name; made, and kept from then on, where there are none."""
        if name not in self.rows:
            start = time.process_time()
            self.rows[name] = self.new[name] = make()
            self.seconds += time.process_time() - start
        return self.rows[name]


class Kept:
    """The tables of a course."""

    def __init__(
        self, file: Path | None = None, key: Callable[[Exercise], str] = lambda exercise: "", shipped: Path | None = None
    ) -> None:
        """file: where they are kept, if anywhere; key: what the table of an exercise depends on; shipped: another file to read from."""
        self.file, self.key, self.shipped = file, key, shipped
        self.tables: dict[str, Table] = {}
        self.keys: dict[str, str] = {}

    def table(self, exercise: Exercise) -> Table:
        """The table of an exercise; read from the file when it is first asked for."""
        if exercise.id not in self.tables:
            if self.file is not None and len(self.tables) >= MOST_TABLES:
                self.save()
                self.tables.pop(next(iter(self.tables)))
            self.keys[exercise.id] = self.key(exercise)
            self.tables[exercise.id] = Table(self._read(exercise.id))
        return self.tables[exercise.id]

    def is_ready(self, exercise: Exercise) -> bool:
        """Is what `explain.programs.prepare` computes there?"""
        if not any(file.is_file() for file in (self.file, self.shipped) if file):
            return False
        return any(READY in rows for rows in self._found(exercise.id, self.key(exercise), READY))

    def copy(self, exercises: Iterable[Exercise], file: Path) -> int:
        """Write the exercises of these that are complete into a new file. Returns how many there are."""
        target = Kept(file, self.key)
        ready = [exercise for exercise in exercises if self.is_ready(exercise)]
        for exercise in ready:
            target.table(exercise).new = target.table(exercise).rows = dict(self.table(exercise).rows)
            target.save()
        return len(ready)

    def save(self) -> None:
        """Write what is new. What can't be written is computed again later."""
        new = {i: table.new for i, table in self.tables.items() if table.new}
        if self.file is None or not new:
            return
        with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(self._open(self.file)) as db, db:
            for exercise, rows in new.items():
                db.execute("BEGIN IMMEDIATE")
                if self._key(db, exercise) != self.keys[exercise]:
                    db.execute("DELETE FROM found WHERE id=?", (exercise,))
                    db.execute("INSERT OR REPLACE INTO exercises VALUES(?, ?)", (exercise, self.keys[exercise]))
                if READY in rows:
                    rows = {READY: packed(self.tables[exercise].rows)}
                db.executemany("INSERT OR IGNORE INTO found VALUES(?, ?, ?)", [(exercise, *row) for row in rows.items()])
                db.commit()
        for table in self.tables.values():
            table.new = {}

    def _read(self, exercise: str) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for rows in self._found(exercise, self.keys[exercise]):
            with contextlib.suppress(ValueError, EOFError, TypeError, zlib.error):  # the file is damaged
                found |= rows | (unpacked(rows[READY]) if READY in rows else {})
        return found

    def _found(self, exercise: str, key: str, name: str | None = None) -> Iterator[dict[str, bytes]]:
        """The rows of each file that has the exercise under this key; of one name, or all."""
        for file in (self.shipped, self.file):
            if file is None or not file.is_file():
                continue
            with contextlib.suppress(sqlite3.Error, OSError), contextlib.closing(self._open(file)) as db:
                if self._key(db, exercise) == key:
                    asked = "SELECT name, data FROM found WHERE id=? AND (? IS NULL OR name=?)"
                    yield dict(db.execute(asked, (exercise, name, name)).fetchall())

    def words(self) -> str | None:
        """What was computed and is still to be saved, for people: how long it took, and where it goes. None: nothing."""
        seconds = sum(table.seconds for table in self.tables.values() if table.new)
        if self.file is None or seconds < WORTH_A_WORD:
            return None
        return f"Computed what explanations look up ({seconds:.0f} s of processor time); kept in {self.file}."

    def _open(self, file: Path) -> sqlite3.Connection:
        """A connection for one reading or writing: none is open when a process is forked."""
        if file == self.shipped:
            return sqlite3.connect(f"{file.resolve().as_uri()}?immutable=1", uri=True, isolation_level=None)
        db = sqlite3.connect(str(file), timeout=SECONDS, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] != FORM:
            db.executescript(f"DROP TABLE IF EXISTS found; DROP TABLE IF EXISTS exercises; PRAGMA user_version={FORM};")
        db.executescript(TABLES)
        return db

    @staticmethod
    def _key(db: sqlite3.Connection, exercise: str) -> str:
        row = db.execute("SELECT key FROM exercises WHERE id=?", (exercise,)).fetchone()
        return row[0] if row else ""


def packed(rows: dict[str, bytes]) -> bytes:
    """Pack thousands of rows into one, in a fifth of the space: an exercise's rows are always read together."""
    return zlib.compress(marshal.dumps(rows), 1)


def unpacked(data: bytes) -> dict[str, bytes]:
    """What `packed` was given. The file is ours, and no older than the Python that its key names."""
    rows: dict[str, bytes] = marshal.loads(zlib.decompress(data))
    return rows


def table(oracle: Oracle, exercise: Exercise) -> Table:
    """The table of an exercise, which all sessions with this oracle share."""
    if oracle.kept is None:
        oracle.kept = Kept()
    found: Table = oracle.kept.table(exercise)
    return found
